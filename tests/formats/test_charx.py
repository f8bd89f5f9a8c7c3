"""
CHARX: archives with a card and its files, RisuAI's copy of the lorebook in them, and the way to and from pictures.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, Document, convert, export, open_document
from lorebook.formats.card import Asset
from lorebook.formats.containers.risum import MODULE, RISUM
from lorebook.formats.format import LossKind
from lorebook.formats.notes import Notes
from lorebook.records import EntrySettings, Position
from tests.formats.containers.archives import Made, pack
from tests.formats.files import PICTURE
from tests.formats.test_risu import ENTRY, FOLDER, FOLDER_KEY

SHARED = Path(__file__).parents[3] / "shared" / "formats"
CALM = Asset("emotion", "embeded://assets/emotion/images/calm.png", "calm", "png")
SOUND = b"OggS\0not a picture"
BOOK_ENTRY = {
    "keys": ["salt gate", "盐门"],
    "content": "Opens at low water.",
    "extensions": {},
    "enabled": True,
    "insertion_order": 400,
    "name": "Salt gate",
    "comment": "Salt gate",
    "use_regex": False,
    "mode": "normal",
}
BOOK_FOLDER = BOOK_ENTRY | {"keys": [FOLDER_KEY], "name": "Places", "comment": "Places", "content": ""}
BOOK_FOLDER |= {"insertion_order": 100, "mode": "folder"}


def card_json(*entries: dict[str, Any], assets: tuple[Asset, ...] = ()) -> bytes:
    book = {"extensions": {}, "entries": list(entries)}
    listed = [{"type": item.kind, "uri": item.uri, "name": item.name, "ext": item.ext} for item in assets]
    data = {"name": "Mira Vell", "assets": listed, "character_book": book, "extensions": {}}
    return json.dumps({"spec": "chara_card_v3", "spec_version": "3.0", "data": data}, indent=1).encode()


def module(*items: dict[str, Any]) -> bytes:
    text = json.dumps({"module": {"name": "Mira Module", "lorebook": list(items), "cjs": "x"}, "type": "risuModule"})
    return b"".join(RISUM.build({MODULE: text.encode(), "asset:0": b"\0\1"}, b""))


def archive(*members: tuple[str, bytes]) -> bytes:
    return pack([Made(name, content, zipfile.ZIP_DEFLATED) for name, content in members])


def opened(data: bytes) -> Document:
    return open_document(data, file_name="mira.charx")


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def lore(data: bytes) -> list[dict[str, Any]]:
    text = RISUM.open(members(data)["module.risum"], Notes()).parts[MODULE]
    found: list[dict[str, Any]] = json.loads(text)["module"]["lorebook"]
    return found


def with_entries(document: Document, *entries: Entry) -> Content:
    book = document.content.needed_book.model_copy(update={"entries": entries})
    return replace(document.content, book=book)


def both(*, entries: tuple[dict[str, Any], ...], items: tuple[dict[str, Any], ...]) -> Document:
    return opened(archive(("card.json", card_json(*entries)), ("x.bin", SOUND), ("module.risum", module(*items))))


def test_a_card_and_its_files_are_read() -> None:
    document = opened(archive(("card.json", card_json(BOOK_ENTRY, assets=(CALM,))), (CALM.uri[10:], PICTURE)))
    assert (document.form.name, document.notes) == ("charx", ())
    assert document.content.needed_card.name == "Mira Vell"
    assert document.content.needed_book.entries[0].content == "Opens at low water."
    assert dict(document.content.files) == {CALM.uri: PICTURE}


@pytest.mark.parametrize("before", [b"MZ\x90\0 a program", b"#!/bin/sh\n", b"\0\1\2"], ids=["exe", "script", "binary"])
def test_other_bytes_may_stand_before_the_archive(before: bytes) -> None:
    data = before + archive(("card.json", card_json(BOOK_ENTRY)))
    document = opened(data)
    assert (document.form.name, document.write().data) == ("charx", data)


_ASTRAY = {
    "in a folder": ("Mira/card.json", "Mira/assets/emotion/images/calm.png"),
    "in two folders": ("a b/Mira/card.json", "a b/Mira/assets/emotion/images/calm.png"),
    "in this folder": ("./card.json", "./assets/emotion/images/calm.png"),
    "packed by Windows": ("Mira\\card.json", "Mira\\assets\\emotion\\images\\calm.png"),
    "in capitals": ("Card.JSON", "Assets/emotion/images/Calm.png"),
}


@pytest.mark.parametrize(("card", "calm"), _ASTRAY.values(), ids=_ASTRAY)
def test_a_card_that_is_not_at_the_top_is_read_and_stays_where_it_is(card: str, calm: str) -> None:
    data = archive((card, card_json(BOOK_ENTRY, assets=(CALM,))), (calm, PICTURE), ("__MACOSX/._card.json", b"\0"))
    document = opened(data)
    assert document.form.name == "charx"
    assert dict(document.content.files) == {CALM.uri: PICTURE}
    assert ("`" + card + "`", "is not where other programs look for it; read as if it were") in [
        (note.where, note.what) for note in document.notes
    ]
    assert document.write().data == data
    entry = document.content.needed_book.entries[0].model_copy(update={"content": "New."})
    written = members(document.write(with_entries(document, entry)).data)
    assert written == members(data) | {card: card_json(BOOK_ENTRY | {"content": "New."}, assets=(CALM,))}


@pytest.mark.parametrize(
    ("card", "copy"),
    [("Mira/card.json", "Mira/module.risum"), ("Mira/card.json", "module.risum"), ("Card.json", "module.risum")],
)
def test_a_module_beside_a_card_that_is_not_at_the_top_follows_it(card: str, copy: str) -> None:
    document = opened(archive((card, card_json(BOOK_ENTRY)), (copy, module(ENTRY))))
    assert [reading.name for reading in document.readings] == [card, copy]
    entry = document.content.needed_book.entries[0].model_copy(update={"content": "New."})
    edited = document.write(with_entries(document, entry))
    assert edited.losses == ()
    written = members(edited.data)
    text = RISUM.open(written[copy], Notes()).parts[MODULE]
    assert json.loads(text)["module"]["lorebook"][0]["content"] == "New."


def test_of_several_cards_in_folders_none_is_taken() -> None:
    with pytest.raises(FormatError, match=r"its `card\.json` is in the folder `Mira/` and not at the top"):
        opened(archive(("Mira/card.json", card_json()), ("Vell/card.json", card_json())))
    at_the_top = opened(archive(("Mira/card.json", b"{}"), ("card.json", card_json(BOOK_ENTRY))))
    assert [reading.name for reading in at_the_top.readings] == ["card.json"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PICTURE, b""),
        (b"\xff\xd8\xff\xd9", b""),
        (b"RIFF\4\0\0\0WEBP", b""),
    ],
    ids=["png", "jpeg", "webp"],
)
def test_a_picture_without_a_card_may_have_a_charx_behind_it(before: bytes, after: bytes) -> None:
    data = before + archive(("card.json", card_json(BOOK_ENTRY))) + after
    document = opened(data)
    assert document.form.name == ("charx-jpeg" if before.startswith(b"\xff\xd8") else "charx")
    assert document.write().data == data


def test_a_picture_with_a_card_and_another_archive_behind_it_is_that_card() -> None:
    card = export(FORMATS["png"], Content(None, Card(name="Mira"), {OWN_PICTURE: PICTURE})).data
    document = opened(card + archive(("readme.txt", b"x")))
    assert (document.form.name, document.content.needed_card.name) == ("png", "Mira")


def test_a_file_that_is_missing_is_named() -> None:
    document = opened(archive(("card.json", card_json(assets=(CALM,)))))
    assert [note.where for note in document.notes] == [f"asset `{CALM.uri}`"]
    assert document.content.needed_card.assets == (CALM,)
    assert dict(document.content.files) == {}


# --- RisuAI's copy of the lorebook ---


def test_a_copy_that_says_the_same_is_not_noted_whatever_else_it_has() -> None:
    folders = ((BOOK_FOLDER, BOOK_ENTRY), (FOLDER, ENTRY | {"folder": FOLDER_KEY, "loreCache": {"key": "x"}}))
    assert both(entries=folders[0], items=folders[1]).notes == ()


def test_a_copy_that_says_something_else_is_noted() -> None:
    document = both(entries=(BOOK_ENTRY,), items=(ENTRY | {"content": "Shut."},))
    assert [str(note) for note in document.notes] == [
        "`module.risum`: differs from `card.json`, which counts: entry 0 content"
    ]


def test_an_edit_is_made_in_both_and_nothing_else_changes() -> None:
    document = both(entries=(BOOK_FOLDER, BOOK_ENTRY), items=(FOLDER, ENTRY | {"loreCache": {"key": "x"}}))
    folder, gate = document.content.needed_book.entries
    made = document.write(with_entries(document, folder, gate.model_copy(update={"content": "Shut."})))
    assert made.losses == ()
    assert lore(made.data) == [FOLDER, ENTRY | {"loreCache": {"key": "x"}, "content": "Shut."}]
    before, after = members(document.data[:]), members(made.data)
    assert json.loads(after["card.json"]) == json.loads(card_json(BOOK_FOLDER, BOOK_ENTRY | {"content": "Shut."}))
    assert after["x.bin"] == before["x.bin"]
    assert RISUM.open(after["module.risum"], Notes()).parts["asset:0"] == b"\0\1"


def test_a_setting_that_risuai_has_no_field_for_is_a_decorator_in_the_copy() -> None:
    document = both(entries=(BOOK_ENTRY,), items=(ENTRY,))
    gate = document.content.needed_book.entries[0]
    deep = EntrySettings(**dict(gate.settings) | {"position": Position.AT_DEPTH, "depth": 2})
    item = lore(document.write(with_entries(document, gate.model_copy(update={"settings": deep}))).data)[0]
    assert item["content"] == "@@depth 2\n@@role system\nOpens at low water."


def test_entries_are_added_and_taken_out_in_both() -> None:
    document = both(entries=(BOOK_FOLDER, BOOK_ENTRY), items=(FOLDER, ENTRY))
    folder, _ = document.content.needed_book.entries
    made = document.write(with_entries(document, folder, Entry(uid=9, name="Moon", keys=("moon",), content="Full.")))
    assert [item["comment"] for item in lore(made.data)] == ["Places", "Moon"]
    assert lore(made.data)[0] == FOLDER
    assert opened(made.data).notes == ()


def test_entries_that_only_the_copy_has_stay_where_they_are() -> None:
    other = ENTRY | {"comment": "Other"}
    document = both(entries=(BOOK_ENTRY, BOOK_ENTRY | {"name": "Moon", "comment": "Moon"}), items=(other, ENTRY, other))
    gate, moon = document.content.needed_book.entries
    edited = [gate.model_copy(update={"content": "Shut."}), moon, Entry(uid=9, name="Sun")]
    made = lore(document.write(with_entries(document, *edited)).data)
    assert made[:3] == [other, ENTRY | {"content": "Shut."}, other]
    assert [item["comment"] for item in made[3:]] == ["Sun"]
    assert lore(document.write(with_entries(document, moon)).data) == [other, other]


def test_entries_of_one_name_are_told_apart_by_their_order() -> None:
    entries = (BOOK_ENTRY, BOOK_ENTRY | {"content": "Second."})
    document = both(entries=entries, items=(ENTRY, ENTRY | {"content": "Second."}))
    first, second = document.content.needed_book.entries
    made = document.write(with_entries(document, first, second.model_copy(update={"content": "Shut."})))
    assert [item["content"] for item in lore(made.data)] == ["Opens at low water.", "Shut."]
    swapped = document.write(with_entries(document, second, first))
    assert [item["content"] for item in lore(swapped.data)] == ["Second.", "Opens at low water."]


def test_a_change_of_the_character_leaves_the_copy_as_it_is() -> None:
    document = both(entries=(BOOK_ENTRY,), items=(ENTRY | {"content": "Shut."},))
    content = replace(document.content, card=replace(document.content.needed_card, description="Dry."))
    made = document.write(content).data
    assert members(made)["module.risum"] == members(document.data[:])["module.risum"]


# --- from one kind of file to another ---


def picture(mode: str, kind: str, **options: Any) -> bytes:
    image = Image.new(mode, (3, 2))
    for place in range(6):
        colour = tuple((place * 40 + band * 17) % 256 for band in range(len(image.getbands())))
        image.putpixel((place % 3, place // 3), colour if len(colour) > 1 else colour[0])
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def pixels(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGBA").tobytes()


def files_of(document: Document) -> dict[tuple[str, str], bytes]:
    content = document.content
    assets = [asset for asset in content.needed_card.assets if asset.uri in content.files]
    return {(asset.kind, asset.name): content.files[asset.uri] for asset in assets}


ASSETS = (
    Asset("emotion", "embeded://assets/emotion/images/calm.png", "calm", "png"),
    Asset("x_sound", "embedded://bell.ogg", "bell", "ogg"),
    Asset("icon", "embeded://assets/icon/images/main.webp", "main", "webp"),
)


def source(icon: bytes) -> Document:
    data = archive(
        ("card.json", card_json(BOOK_ENTRY, assets=ASSETS)),
        ("assets/emotion/images/calm.png", PICTURE),
        ("bell.ogg", SOUND),
        ("assets/icon/images/main.webp", icon),
    )
    return opened(data)


@pytest.mark.parametrize(
    "icon",
    [picture("RGBA", "PNG"), picture("RGB", "JPEG"), picture("RGBA", "WEBP", lossless=True), picture("CMYK", "JPEG")],
    ids=["png", "jpeg", "webp", "cmyk"],
)
def test_a_charx_becomes_a_picture_and_a_charx_again(icon: bytes) -> None:
    document = source(icon)
    made = convert(document, FORMATS["png"], origin=False)
    shown = open_document(made.data, file_name="mira.png")
    assert made.losses == ()
    assert pixels(made.data) == pixels(icon)
    assert shown.content.files[OWN_PICTURE] != PICTURE
    assert files_of(shown)["emotion", "calm"] == PICTURE
    assert files_of(shown)["x_sound", "bell"] == SOUND
    again = opened(convert(shown, FORMATS["charx"], origin=False).data)
    found = files_of(again)
    assert pixels(found.pop(("icon", "main"))) == pixels(icon)
    assert found == {("emotion", "calm"): PICTURE, ("x_sound", "bell"): SOUND}
    assert again.content.book == document.content.book


@pytest.mark.parametrize(
    ("icon", "why"),
    [
        (b"no picture", "damaged, or of an unknown kind"),
        (picture("RGB", "JPEG")[:200], ""),
        (picture("RGB", "WEBP")[:40], ""),
    ],
    ids=["words", "half a JPEG", "half a WebP"],
)
def test_an_icon_that_is_no_picture_is_said_in_words(icon: bytes, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lorebook.formats.writing._drawn", lambda _content: PICTURE)
    (loss,) = [loss for loss in convert(source(icon), FORMATS["png"]).losses if loss.field == "card.picture"]
    assert loss.why.startswith(f"the main icon is no picture that can be shown: {why}")
    assert loss.why.endswith("; a cover is drawn instead")
    assert not set("<>") & set(loss.why)


@pytest.mark.parametrize("form", ["charx-jpeg", "png"])
@pytest.mark.parametrize(
    "icon", [PICTURE[:8] + b"broken", PICTURE[:30], b"no picture"], ids=["a mark alone", "a head alone", "words"]
)
def test_for_a_damaged_icon_a_cover_is_shown_and_the_icon_kept(icon: bytes, form: str) -> None:
    document = source(icon)
    made = convert(document, FORMATS[form], origin=False)
    (loss,) = [loss for loss in made.losses if loss.field == "card.picture"]
    assert loss.why.startswith("the main icon is no picture that can be shown")
    assert loss.why.endswith("; a cover is drawn instead")
    assert Image.open(io.BytesIO(made.data)).size > (100, 100)
    if form == "charx-jpeg":
        assert loss.kind is LossKind.UNREAD
        assert files_of(open_document(made.data, file_name="x"))["icon", "main"] == icon


def test_an_icon_that_is_cut_off_is_shown_as_far_as_it_goes_where_it_is_not_drawn_anew() -> None:
    whole = picture("RGBA", "PNG")
    document = source(whole[: whole.index(b"IDAT") + 20])
    shown = convert(document, FORMATS["png"], origin=False)
    assert "card.picture" not in {loss.field for loss in shown.losses}
    drawn = convert(document, FORMATS["charx-jpeg"], origin=False)
    assert "card.picture" in {loss.field for loss in drawn.losses}


def test_a_picture_becomes_the_main_icon_byte_for_byte() -> None:
    made = export(FORMATS["png"], Content(None, Card(name="Mira Vell"), {OWN_PICTURE: picture("RGBA", "PNG")}))
    shown = open_document(made.data, file_name="mira.png")
    document = opened(convert(shown, FORMATS["charx"], origin=False).data)
    assert files_of(document) == {("icon", "main"): shown.content.files[OWN_PICTURE]}


def test_a_picture_beside_a_main_icon_elsewhere_is_another_icon() -> None:
    web = Asset("icon", "https://example.org/mira.png", "main", "png")
    content = Content(None, Card(name="Mira Vell", assets=(web,)), {OWN_PICTURE: PICTURE})
    document = opened(export(FORMATS["charx"], content).data)
    assert files_of(document) == {("icon", "cover"): PICTURE}
    assert web in document.content.needed_card.assets


def test_a_picture_takes_the_place_of_a_main_icon_that_is_missing() -> None:
    main = Asset("icon", "embeded://assets/icon/image/main.png", "main", "png")
    content = Content(None, Card(name="Mira Vell", assets=(main,)), {OWN_PICTURE: PICTURE})
    document = opened(export(FORMATS["charx"], content).data)
    assert files_of(document) == {("icon", "main"): PICTURE}
    assert len(document.content.needed_card.assets) == 1


def test_a_charx_behind_a_picture_has_the_same_files_and_shows_the_icon() -> None:
    document = source(picture("RGB", "PNG"))
    made = convert(document, FORMATS["charx-jpeg"], origin=False)
    behind = open_document(made.data, file_name="mira.jpg")
    assert behind.form.name == "charx-jpeg"
    assert files_of(behind) == files_of(document)
    with Image.open(io.BytesIO(made.data)) as shown:
        assert (shown.format, shown.size) == ("JPEG", (3, 2))


def test_the_picture_in_front_is_the_icon_where_the_archive_has_none() -> None:
    front = picture("RGB", "JPEG")
    document = open_document(front + archive(("card.json", card_json(BOOK_ENTRY))), file_name="mira.jpg")
    assert document.content.files[OWN_PICTURE] == front
    plain = opened(convert(document, FORMATS["charx"], origin=False).data)
    assert files_of(plain) == {("icon", "main"): front}
    assert plain.content.needed_card.assets[0].ext == "jpeg"


def test_json_has_no_room_for_files_and_says_so() -> None:
    made = convert(source(PICTURE), FORMATS["card-v3"], origin=False)
    assert [loss.field for loss in made.losses] == ["card.files"]
    assert "3 files" in made.losses[0].why


@pytest.mark.parametrize(
    ("kind", "name", "ext", "path"),
    [
        ("../../etc", "../../passwd", "png", "assets/etc/images/passwd.png"),
        ("icon", "/root", "..", "assets/icon/other/root.bin"),
        ("emotion", "门", "png", "assets/emotion/images/unnamed.png"),
        ("", "", "", "assets/other/other/unnamed.bin"),
    ],
    ids=["upwards", "absolute", "not ascii", "nothing"],
)
def test_names_of_new_members_are_clean_whatever_the_card_says(kind: str, name: str, ext: str, path: str) -> None:
    uri = "embeded://../evil.txt"
    asset = Asset(kind, uri, name, ext)
    document = opened(archive(("card.json", card_json(assets=(asset,))), ("../evil.txt", SOUND)))
    assert document.content.files[uri] == SOUND
    content = replace(document.content, files=dict(document.content.files))
    made = members(export(FORMATS["charx"], content).data)
    assert set(made) == {"card.json", path}
    assert made[path] == SOUND


def test_files_of_one_name_get_names_of_their_own() -> None:
    assets = tuple(Asset("emotion", f"__asset:{number}", "calm", "png") for number in range(3))
    files = {asset.uri: bytes([number]) for number, asset in enumerate(assets)}
    document = opened(export(FORMATS["charx"], Content(Book(name=""), Card(name="x", assets=assets), files)).data)
    assert [document.content.files[asset.uri] for asset in document.content.needed_card.assets] == [b"\0", b"\1", b"\2"]


@pytest.mark.parametrize(
    ("path", "form", "files"),
    [
        ("examples/v3.charx", "charx", 1),
        ("examples/v3_charx.jpg", "charx-jpeg", 2),
        ("quirks/sfx_prefix.charx", "charx", 1),
        ("quirks/traversal.charx", "charx", 1),
        ("quirks/uri_embedded_spelling.charx", "charx", 1),
        ("quirks/missing_asset.charx", "charx", 0),
    ],
    ids=lambda value: str(value).rpartition("/")[2],
)
def test_an_example_comes_back_and_its_files_are_found(path: str, form: str, files: int) -> None:
    if not (SHARED / path).exists():
        pytest.skip("the examples are not here")
    data = (SHARED / path).read_bytes()
    document = open_document(data, file_name=path)
    assert (document.form.name, document.write().data) == (form, data)
    assert len(document.content.files) == files
    gate = document.content.needed_book.entries[0].model_copy(update={"content": "Shut."})
    changed = open_document(document.write(with_entries(document, gate)).data, file_name=path)
    assert changed.content.needed_book.entries == (gate,)
    same = {name for name in document.opened.parts if document.opened.parts[name] == changed.opened.parts[name]}
    assert set(document.opened.parts) - same <= {"card.json", "module.risum"}
