"""
RisuAI's modules: parts are decoded and replaced, all else stays; the table of bytes holds for real files.
"""

from __future__ import annotations

import io
import json
import mmap
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import FormatError
from lorebook.formats.containers import risum
from lorebook.formats.containers.container import LARGEST_PART, Data, Opened, Segments, streamed
from lorebook.formats.containers.risum import RISUM
from lorebook.formats.notes import Notes

EXAMPLES = Path(__file__).parents[4] / "shared" / "formats" / "examples"
_modules = st.binary(max_size=40).map(lambda text: b"{" + text)
_assets = st.lists(st.binary(max_size=20), max_size=4)
_tails = st.sampled_from([b"", b"\0", b"behind"])


def whole(segments: Segments) -> bytes:
    return b"".join(streamed(segments))


def opened(data: Data) -> tuple[Opened, list[str]]:
    notes = Notes()
    return RISUM.open(data, notes), [str(note) for note in notes]


def parts_of(module: bytes, assets: list[bytes]) -> dict[str, bytes]:
    return {"module": module} | {f"asset:{number}": asset for number, asset in enumerate(assets)}


def made(module: bytes, assets: list[bytes]) -> bytes:
    return whole(RISUM.build(parts_of(module, assets), b""))


def example(name: str) -> bytes:
    if not (EXAMPLES / name).exists():
        pytest.skip("no examples here")
    return (EXAMPLES / name).read_bytes()


def test_the_exchange_of_bytes_can_be_undone() -> None:
    assert sorted(risum._PLAIN) == list(range(256))
    assert bytes(range(256)).translate(risum._EXCHANGED).translate(risum._PLAIN) == bytes(range(256))


def test_a_module_written_elsewhere_is_read() -> None:
    file, notes = opened(example("module.risum"))
    text = file.parts["module"]
    plain = json.loads(example("risu_module.json"))
    assert plain.pop("type") == "risuModule"
    assert json.loads(text) == {"module": plain, "type": "risuModule"}
    assert dict(file.parts) == parts_of(text, [b"asset bytes"])
    assert notes == []


def test_every_known_byte_of_a_module_written_elsewhere_is_written_the_same() -> None:
    data = example("module.risum")
    plain = json.loads(example("risu_module.json"))
    del plain["type"]
    text = json.dumps({"module": plain, "type": "risuModule"}, ensure_ascii=False, indent=2).encode()
    assert made(text, [b"asset bytes"]) == data


def test_a_module_in_a_card_is_read() -> None:
    data = zipfile.ZipFile(io.BytesIO(example("v3.charx"))).read("module.risum")
    assert RISUM.claims(data)
    assert json.loads(opened(data)[0].parts["module"])["type"] == "risuModule"


@given(module=_modules, assets=_assets)
def test_what_is_built_is_claimed_and_read_back(module: bytes, assets: list[bytes]) -> None:
    data = made(module, assets)
    assert RISUM.claims(data)
    file, notes = opened(data)
    assert list(file.parts.items()) == list(parts_of(module, assets).items())
    assert notes == []


@given(module=_modules, assets=_assets, tail=_tails, new=st.data())
def test_replaced_parts_are_read_back_and_no_other_byte_changes(
    module: bytes, assets: list[bytes], tail: bytes, new: st.DataObject
) -> None:
    data = made(module, assets) + tail
    file, _ = opened(data)
    before = parts_of(module, assets)
    assert whole(file.replaced({})) == data
    assert whole(file.replaced(before)) == data
    changed = {name: new.draw(st.binary(max_size=9)) for name in new.draw(st.sets(st.sampled_from(sorted(before))))}
    changed |= {f"asset:{len(assets) + number}": b"new" for number in range(new.draw(st.integers(0, 2)))}
    expected = before | changed
    module = expected.pop("module")
    assert whole(file.replaced(changed)) == made(module, list(expected.values())) + tail


@given(data=st.binary(max_size=60) | st.binary(max_size=60).map(lambda rest: b"o\0\5\0\0\0" + rest))
def test_arbitrary_bytes_are_read_or_refused(data: bytes) -> None:
    _read_or_refuse(data)


@given(module=_modules, assets=_assets, place=st.integers(0, 200), value=st.integers(0, 255), cut=st.integers(0, 9))
def test_a_damaged_module_is_read_or_refused(
    module: bytes, assets: list[bytes], place: int, value: int, cut: int
) -> None:
    data = bytearray(made(module, assets))
    data[place % len(data)] = value
    _read_or_refuse(bytes(data[: len(data) - cut]))


def _read_or_refuse(data: bytes) -> None:
    RISUM.claims(data)
    try:
        file, _ = opened(data)
    except FormatError:
        return
    assert whole(file.replaced(dict(file.parts))) == data
    again, _ = opened(whole(file.replaced({"module": b"{}"})))
    assert dict(again.parts) == dict(file.parts) | {"module": b"{}"}


def test_a_module_mapped_into_memory_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.risum"
    path.write_bytes(made(b"{}", [b"1"]))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        assert RISUM.claims(data)
        assert dict(opened(data)[0].parts) == parts_of(b"{}", [b"1"])


@pytest.mark.parametrize(
    "data", [b"", b"o\0", b"o\0\0\0\0\0", '{"a": 1}'.encode("utf-16-le"), "orc".encode("utf-16-le")]
)
def test_other_files_are_not_claimed(data: bytes) -> None:
    assert RISUM.claims(data) is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "byte 0: not a RisuAI module: its first bytes are others"),
        (b"o\1\0\0\0\0", "byte 0: not a RisuAI module: its first bytes are others"),
        (b"o\0\1", "byte 2: the module is cut off before its text ends"),
        (made(b"{}", [])[:-2], "byte 2: the module is cut off before its text ends"),
        (b"o\0\xff\xff\xff\xff{}", "byte 2: the module is cut off before its text ends"),
        (made(b"{}", [b""] * 20_001), "byte 100008: the module has more than 20000 assets, the limit"),
    ],
    ids=["nothing", "another version", "no length", "cut off", "length", "too many"],
)
def test_what_cannot_be_read_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        opened(data)
    assert str(caught.value) == message


@pytest.mark.parametrize("rest", [b"", b"\2", b"\1", b"\1\xff\0\0\0cut"], ids=["end", "mark", "length", "asset"])
def test_a_damaged_end_is_noted_and_stays(rest: bytes) -> None:
    data = made(b"{}", [b"1"])[:-1] + rest
    file, notes = opened(data)
    at = len(data) - len(rest)
    assert notes == [f"byte {at}: here another asset or the end should be; what follows is kept as it is"]
    assert dict(file.parts) == parts_of(b"{}", [b"1"])
    assert whole(file.replaced({"module": b"[]"})) == made(b"[]", [b"1"])[:-1] + rest
    with pytest.raises(FormatError, match=f"no asset can be added: the module is damaged at byte {at}"):
        file.replaced({"asset:1": b"2"})


@pytest.mark.parametrize("name", ["asset:1", "asset:00", "asset:-1", "card.json"])
def test_parts_that_no_module_has_are_refused(name: str) -> None:
    with pytest.raises(FormatError, match="a module has no such part; the next asset is `asset:0`"):
        opened(made(b"{}", []))[0].replaced({name: b""})
    with pytest.raises(FormatError, match="a module has no such part; the next asset is `asset:0`"):
        RISUM.build({"module": b"{}", name: b""}, b"")


def test_a_module_is_not_built_without_its_text() -> None:
    with pytest.raises(FormatError, match="a module needs its text"):
        RISUM.build({"asset:0": b""}, b"")


def test_a_part_larger_than_the_limit_is_refused() -> None:
    size = LARGEST_PART + 1
    data = b"o\0" + size.to_bytes(4, "little") + bytes(size) + b"\0"
    file, _ = opened(data)
    with pytest.raises(FormatError, match=f"module: it has {size} bytes; the limit is {LARGEST_PART}"):
        file.parts["module"]
    assert dict(opened(whole(file.replaced({"module": b"{}"})))[0].parts) == {"module": b"{}"}
