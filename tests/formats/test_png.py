"""
The PNG container: chunks are kept as they are, text chunks are replaced, damage is named.
"""

from __future__ import annotations

import io
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lorebook.errors import FormatError
from lorebook.formats import png
from lorebook.formats.png import SIGNATURE, Chunk

_HEADER = Chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0")
_PIXEL = Chunk(b"IDAT", zlib.compress(b"\0\0"))
_END = Chunk(b"IEND", b"")
_kinds = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=4, max_size=4).map(str.encode)
_strangers = st.builds(Chunk, _kinds.filter(lambda kind: kind not in (b"tEXt", b"IEND")), st.binary(max_size=20))


def text(keyword: str, value: str) -> Chunk:
    return Chunk(b"tEXt", f"{keyword}\0{value}".encode("latin-1"))


def picture(*chunks: Chunk) -> bytes:
    return SIGNATURE + b"".join(chunk.packed() for chunk in (_HEADER, *chunks))


def test_texts_go_before_the_end_and_older_ones_of_the_keyword_go_away() -> None:
    other, old, shouted = text("Software", "x"), text("chara", "old"), text("CHARA", "older")
    data = png.replace_texts(picture(other, old, _PIXEL, shouted, _END), {"chara": b"new", "ccv3": b"newer"})
    assert data == picture(other, _PIXEL, text("chara", "new"), text("ccv3", "newer"), _END)
    assert dict(png.read_texts(data)) == {"Software": b"x", "chara": b"new", "ccv3": b"newer"}


@given(chunks=st.lists(_strangers, max_size=4), tail=st.sampled_from([b"", b"PK\x03\x04 a tail", b"\0\0"]))
def test_other_chunks_and_what_follows_the_end_stay_byte_for_byte(chunks: list[Chunk], tail: bytes) -> None:
    whole = picture(*chunks, _PIXEL, _END)
    data = png.replace_texts(whole + tail, {"chara": b"new"})
    assert data == whole[: -len(_END.packed())] + text("chara", "new").packed() + _END.packed() + tail
    assert png.replace_texts(data, {"chara": b"new"}) == data


def test_pixels_stay_as_they_are() -> None:
    file = io.BytesIO()
    Image.linear_gradient("L").save(file, "PNG")
    data = png.replace_texts(file.getvalue(), {"chara": b"new"})
    with Image.open(io.BytesIO(data)) as opened:
        assert opened.tobytes() == Image.linear_gradient("L").tobytes()
        assert opened.info["chara"] == "new"


def test_texts_behind_the_end_are_seen() -> None:
    assert list(png.read_texts(picture(_PIXEL, _END, text("chara", "late")))) == [("chara", b"late")]


def _broken(chunk: Chunk) -> bytes:
    packed = bytearray(chunk.packed())
    packed[-1] ^= 1
    return bytes(packed)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a PNG picture: its first bytes are others"),
        (b"\xff\xd8\xff\xe0 JFIF", "not a PNG picture: its first bytes are others"),
        (SIGNATURE, "the picture is cut off: its end (IEND) is missing"),
        (picture(_PIXEL), "the picture is cut off: its end (IEND) is missing"),
        (picture(_PIXEL)[:-1], "the picture is cut off: the chunk IDAT at byte 33 says it has 10 bytes"),
        (picture() + _broken(_PIXEL), "the picture is damaged: the checksum of the chunk IDAT at byte 33 is wrong"),
        (picture() + b"\0\0\0\0....", "the picture is damaged: no chunk begins at byte 33"),
        (picture() + b"\0\0", "the picture is damaged: no chunk begins at byte 33"),
        (
            picture() + b"\x7f\xff\xff\xfftEXt",
            "the chunk tEXt at byte 33 says it has 2147483647 bytes; the limit is 67108864",
        ),
    ],
)
def test_damage_is_named_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(png.read_texts(data))
    assert str(caught.value) == message


def test_a_text_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "LARGEST_CHUNK", 20)
    with pytest.raises(FormatError, match="the text has 22 bytes, more than a chunk may have"):
        png.replace_texts(picture(_PIXEL, _END), {"chara": b"x" * 16})
