"""
Cards in the Exif comment of WebP and JPEG pictures.
"""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Card, Content, convert, export, open_document
from lorebook.formats.containers.tiff import EXIF_MARK, smallest_tiff

EXAMPLES = Path(__file__).parents[3] / "shared" / "formats" / "examples"

V1 = {"name": "Mira Vell", "description": "Keeper.", "first_mes": "Mind the 第三 step."}
BOOK = {"entries": [{"keys": ["gate"], "content": "Opens.", "id": 4}]}
V2 = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**V1, "character_book": BOOK}}
V3 = {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**V1, "nickname": "Mi", "character_book": BOOK}}


def webp(comment: bytes) -> bytes:
    exif = smallest_tiff(comment)
    chunk = b"EXIF" + len(exif).to_bytes(4, "little") + exif + b"\0" * (len(exif) % 2)
    return b"RIFF" + (len(chunk) + 4).to_bytes(4, "little") + b"WEBP" + chunk


def jpeg(comment: bytes) -> bytes:
    exif = EXIF_MARK + smallest_tiff(comment)
    return b"\xff\xd8\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + b"\xff\xda"


def plain(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def packed(value: object) -> bytes:
    return base64.b64encode(plain(value))


@pytest.mark.parametrize("picture", [webp, jpeg])
@pytest.mark.parametrize("written", [plain, packed])
@pytest.mark.parametrize(("value", "entries"), [(V1, 0), (V2, 1), (V3, 1)], ids=["V1", "V2", "V3"])
def test_cards_of_every_version_are_read(picture: Any, written: Any, value: object, entries: int) -> None:
    data = picture(written(value))
    document = open_document(data, file_name="mira")
    assert (document.form.name, document.notes) == (picture.__name__, ())
    assert document.content.needed_card.name == "Mira Vell"
    assert document.content.needed_card.first_mes == "Mind the 第三 step."
    assert len(document.book.entries if document.book else ()) == entries
    assert document.write().data == data


def test_a_camera_may_have_commented_before() -> None:
    first, second = webp(b"a camera"), webp(plain(V2))
    chunks = first[12:] + second[12:]
    document = open_document(b"RIFF" + (len(chunks) + 4).to_bytes(4, "little") + b"WEBP" + chunks, file_name="mira")
    assert document.content.needed_card.name == "Mira Vell"
    assert [note.where for note in document.notes] == [f"byte {len(first) + 52}", "`usercomment`"]


@pytest.mark.parametrize("picture", [webp, jpeg])
def test_a_damaged_card_is_read_and_its_picture_comes_back_as_it_was(picture: Any) -> None:
    data = picture(b"\xef\xbb\xbf" + plain(V2).replace(b'"gate"', b'"gate",'))
    document = open_document(data, file_name="mira")
    assert document.notes
    assert document.content.needed_book.entries[0].keys == ("gate",)
    assert document.write().data == data


@pytest.mark.parametrize("picture", [webp, jpeg])
def test_a_picture_without_a_card_is_told_so(picture: Any) -> None:
    with pytest.raises(FormatError, match=f"in this {picture.__name__} file there is usercomment"):
        open_document(picture(plain({"artist": "me"})), file_name="mira")
    bare = webp(b"x")[:12] if picture is webp else b"\xff\xd8\xff\xda"
    with pytest.raises(FormatError, match=f"in this {picture.__name__} file there is nothing"):
        open_document(bare, file_name="mira")


@pytest.mark.parametrize("picture", [webp, jpeg])
def test_they_are_only_read(picture: Any) -> None:
    document = open_document(picture(plain(V2)), file_name="mira")
    with pytest.raises(FormatError, match="is only read"):
        document.write(Content(document.book, Card(name="Other")))
    with pytest.raises(FormatError, match="is only read"):
        export(FORMATS[picture.__name__], document.content)


@pytest.mark.parametrize("name", ["v1_exif_bytes.webp", "v2_exif_json.webp", "v2_exif.jpg"])
def test_the_examples_are_read(name: str) -> None:
    if not EXAMPLES.is_dir():
        pytest.skip("the examples are not here")
    data = (EXAMPLES / name).read_bytes()
    document = open_document(data, file_name=name)
    assert document.form.name == ("webp" if name.endswith("webp") else "jpeg")
    assert document.content.needed_card.name == "Mira Vell"
    assert document.write().data == data


@pytest.mark.parametrize(("suffix", "kind"), [("webp", "WEBP"), ("jpg", "JPEG")])
def test_the_picture_goes_along_into_a_png(suffix: str, kind: str) -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0x9286] = b"ASCII\0\0\0" + b'{"name": "Mira", "description": "a", "first_mes": "b"}'
    target = io.BytesIO()
    Image.new("RGB", (30, 45), "teal").save(target, kind, exif=exif)
    document = open_document(target.getvalue(), file_name=f"mira.{suffix}")
    made = convert(document, FORMATS["png"])
    assert Image.open(io.BytesIO(made.data)).size == (30, 45)
    assert "card.picture" not in {loss.field for loss in made.losses}
    assert "card.picture" in {loss.field for loss in convert(document, FORMATS["card-v3"]).losses}
