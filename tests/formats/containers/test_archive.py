"""
Zip archives, alone or behind other bytes: one member is replaced and no other byte moves.
"""

from __future__ import annotations

import io
import mmap
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lorebook.errors import FormatError
from lorebook.formats.containers.archive import JPEG_ZIP, ZIP
from lorebook.formats.notes import Notes
from tests.formats.containers.archives import (
    ARCHIVES,
    CONTENTS,
    NAMES,
    SHARED,
    Made,
    local_bytes,
    opened,
    outsider_agrees,
    pack,
    whole,
)


@given(archive=ARCHIVES)
def test_every_member_is_read_in_its_order(archive: tuple[bytes, bytes]) -> None:
    data = b"".join(archive)
    parts = opened(data)[0].parts
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert list(parts) == file.namelist()
        assert {name: parts[name] for name in parts} == {name: file.read(name) for name in file.namelist()}


@given(archive=ARCHIVES)
def test_parts_given_their_own_bytes_leave_the_file_as_it_is(archive: tuple[bytes, bytes]) -> None:
    data = b"".join(archive)
    file, _ = opened(data)
    assert whole(file.replaced({})) == data
    assert whole(file.replaced(dict(file.parts))) == data


@given(archive=ARCHIVES, new=st.dictionaries(NAMES, CONTENTS, max_size=3), chosen=st.data())
def test_new_parts_are_read_back_and_no_other_byte_changes(
    archive: tuple[bytes, bytes], new: dict[str, bytes], chosen: st.DataObject
) -> None:
    prefix, data = archive[0], b"".join(archive)
    file, _ = opened(data)
    kept = list(file.parts)
    if kept:
        new |= {name: chosen.draw(CONTENTS) for name in chosen.draw(st.lists(st.sampled_from(kept)))}
    result = whole(file.replaced(new))
    again, notes = opened(result)
    assert dict(again.parts) == dict(file.parts) | new
    assert list(again.parts) == [*kept, *(name for name in new if name not in kept)]
    assert set(map(str, notes)) <= _named_oddly(again.parts)
    assert result.startswith(prefix)
    before, after = local_bytes(data), local_bytes(result)
    assert [name for name in kept if name not in new and before[name] != after[name]] == []
    outsider_agrees(result, dict(again.parts), _comment(data))


def _named_oddly(parts: Mapping[str, bytes]) -> set[str]:
    return {str(note) for note in opened(whole(ZIP.build(dict.fromkeys(parts, b""), b"")))[1]}


def _comment(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return file.comment


@given(archive=ARCHIVES, content=CONTENTS, chosen=st.data())
def test_a_replaced_member_keeps_its_packing_date_extra_fields_and_comment(
    archive: tuple[bytes, bytes], content: bytes, chosen: st.DataObject
) -> None:
    data = b"".join(archive)
    file, _ = opened(data)
    if not len(file.parts):
        return
    name = chosen.draw(st.sampled_from(list(file.parts)))
    result = whole(file.replaced({name: content}))
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(io.BytesIO(result)) as new:
        for what in ("compress_type", "date_time", "extra", "comment", "external_attr", "create_system"):
            assert getattr(new.getinfo(name), what) == getattr(old.getinfo(name), what)


@given(parts=st.dictionaries(NAMES, CONTENTS, max_size=5))
def test_a_new_archive_is_the_same_for_the_same_parts_and_read_by_others(parts: dict[str, bytes]) -> None:
    data = whole(ZIP.build(parts, b""))
    assert data == whole(ZIP.build(dict(parts), b"another picture"))
    assert dict(opened(data)[0].parts) == parts
    outsider_agrees(data, parts, b"")
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        for info in file.infolist():
            assert info.date_time == (1980, 1, 1, 0, 0, 0)
            assert info.external_attr >> 16 == 0o100644
            assert info.compress_type == zipfile.ZIP_STORED


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "LA", "P"])
def test_a_new_picture_with_an_archive_is_both(mode: str) -> None:
    file = io.BytesIO()
    Image.new(mode, (3, 2)).save(file, "PNG")
    data = whole(JPEG_ZIP.build({"card.json": b"{}"}, file.getvalue()))
    assert (ZIP.claims(data), bool(JPEG_ZIP.claims(data))) == (None, True)
    assert dict(JPEG_ZIP.open(data, Notes()).parts) == {"card.json": b"{}"}
    with Image.open(io.BytesIO(data)) as picture:
        assert (picture.format, picture.size, picture.mode) == ("JPEG", (3, 2), "RGB")
        picture.load()
    # Offsets count from the archive's beginning, as RisuAI writes them.
    assert data.endswith(whole(ZIP.build({"card.json": b"{}"}, b"")))


def test_a_picture_that_is_none_is_refused() -> None:
    with pytest.raises(FormatError, match="the picture cannot be read"):
        JPEG_ZIP.build({}, b"no picture")


def test_a_file_mapped_into_memory_is_read_and_edited(tmp_path: Path) -> None:
    path = tmp_path / "a.charx"
    path.write_bytes(pack([Made("card.json", b"{}"), Made("big", bytes(100_000))]))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        assert ZIP.claims(data)
        archive, _ = opened(data)
        segments = archive.replaced({"card.json": b"[]"})
        assert opened(whole(segments))[0].parts["card.json"] == b"[]"
        for segment in segments:
            if isinstance(segment, memoryview):
                segment.release()


def test_folders_are_no_parts_and_stay() -> None:
    data = pack([Made("assets/", b""), Made("assets/a", b"1")])
    file, _ = opened(data)
    assert list(file.parts) == ["assets/a"]
    assert zipfile.ZipFile(io.BytesIO(whole(file.replaced({"assets/a": b"2"})))).namelist() == ["assets/", "assets/a"]


def test_bytes_between_members_and_behind_the_archive_stay() -> None:
    made = pack([Made("a", b"1")])
    data = whole(opened(made)[0].replaced({"b": b"2"}))
    start = data.rindex(b"PK\1\2", 0, data.rindex(b"PK\1\2"))
    gap = bytearray(data[:start] + b"padding" + data[start:] + b"behind")
    end = gap.rindex(b"PK\5\6")
    gap[end + 16 : end + 20] = struct.pack("<L", start + len(b"padding"))
    result = whole(opened(bytes(gap))[0].replaced({"a": b"longer", "c": b""}))
    assert b"2padding" in result
    assert result.endswith(b"behind")
    assert dict(opened(result)[0].parts) == {"a": b"longer", "b": b"2", "c": b""}


_CARD = [
    "card.json",
    "assets/icon/image/main.png",
    "assets/emotion/images/calm.png",
    "module.risum",
    "x_meta/main.json",
]


@pytest.mark.parametrize(
    ("path", "picture", "prefix", "names", "noted"),
    [
        ("examples/v3.charx", False, 0, _CARD, 0),
        ("examples/v3_charx.jpg", True, 160, _CARD, 0),
        (
            *("examples/demo.byaf", False, 0),
            *(["manifest.json", "characters/c1/character.json", "scenarios/s1.json"], 0),
        ),
        ("quirks/sfx_prefix.charx", False, 7, _CARD, 0),
        ("quirks/traversal.charx", False, 0, [*_CARD, "../evil.txt"], 1),
        ("quirks/missing_asset.charx", False, 0, ["card.json"], 0),
        ("quirks/no_card_json.charx", False, 0, ["readme.txt"], 0),
    ],
)
def test_real_shapes(path: str, picture: bool, prefix: int, names: list[str], noted: int) -> None:  # noqa: FBT001
    if not (SHARED / path).exists():
        pytest.skip("no examples here")
    data = (SHARED / path).read_bytes()
    assert (ZIP.claims(data) is None, JPEG_ZIP.claims(data) is not None) == (picture, picture)
    file, notes = opened(data)
    assert (list(file.parts), len(notes)) == (names, noted)
    result = whole(file.replaced({names[0]: b"{}"}))
    assert result[:prefix] == data[:prefix]
    assert dict(opened(result)[0].parts) == dict(file.parts) | {names[0]: b"{}"}
    outsider_agrees(result, dict(file.parts) | {names[0]: b"{}"}, b"")


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"\xff\xd8\xff\xe0 a picture", b"{}", b"PK\5\6 in a text", b"\x89PNG\r\n\x1a\n"],
    ids=["nothing", "two letters", "picture", "json", "letters", "png"],
)
def test_other_files_are_not_claimed(data: bytes) -> None:
    assert (ZIP.claims(data), JPEG_ZIP.claims(data)) == (None, None)
