"""
What becomes of the original when a file is converted, of its picture, and what the letter of a specification changes.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.formats import (
    FORMATS,
    LISTED,
    OWN_PICTURE,
    Card,
    Content,
    Document,
    Format,
    Loss,
    LossKind,
    Origin,
    convert,
    converting,
    export,
    open_document,
    origin_of,
)
from lorebook.formats.card import Asset
from lorebook.formats.containers.risum import MODULE, RISUM
from lorebook.formats.payload import dumped
from tests.formats import lavish
from tests.formats.anything import contents
from tests.formats.files import PICTURE
from tests.formats.likeness import gone, unsaid

_WRITTEN = [form for form in FORMATS.values() if form.writes]
_BOOK = Book(name="Archive", entries=(Entry(uid=0, name="Gate", keys=("salt gate",), content="Opens."),))
each_written = pytest.mark.parametrize("form", _WRITTEN, ids=lambda form: form.name)


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A cover takes seconds to draw, and it is not what is tested here.
    """
    monkeypatch.setattr("lorebook.formats.writing._drawn", lambda _content: PICTURE)


def opened(data: bytes, name: str | None = None) -> Document:
    return open_document(data, file_name="x", form=FORMATS[name] if name else None)


def there(document: Document, name: str, **how: bool) -> Document:
    return opened(convert(document, FORMATS[name], **how).data, name)


def plain(name: str = "world-info", content: Content | None = None) -> Document:
    return opened(export(FORMATS[name], content or Content(_BOOK)).data, name)


# --- the way back ---


@each_written
def test_a_conversion_says_whether_the_way_back_restores_the_original(form: Format) -> None:
    source = plain("chub" if form.name == "world-info" else "world-info")
    made = convert(source, form)
    after = opened(made.data, form.name)
    assert made.origin is (Origin.KEPT if origin_of(after) else Origin.NO_ROOM)
    if made.origin is Origin.KEPT:
        back = convert(after, source.form)
        assert (back.data, back.origin) == (source.data, Origin.RESTORED)


def test_formats_that_keep_what_they_do_not_know_keep_the_original() -> None:
    kept = {form.name for form in _WRITTEN if convert(plain("chub"), form).origin is Origin.KEPT}
    assert kept >= {"world-info", "card-v2", "card-v3", "png", "charx", "lorebook-v3", "risu-lorebook"}
    assert not kept & {"novelai", "ai-dungeon", "koboldai", "backyard-png", "byaf", "voxta"}


def test_an_original_that_is_not_wanted_is_left_out() -> None:
    made = convert(plain(), FORMATS["card-v3"], origin=False)
    assert made.origin is Origin.LEFT_OUT
    assert origin_of(opened(made.data)) is None


def test_a_large_original_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(converting, "LARGEST_ORIGIN", len(plain().data) - 1)
    made = convert(plain(), FORMATS["card-v3"])
    assert made.origin is Origin.TOO_LARGE
    assert origin_of(opened(made.data)) is None


def test_what_was_not_converted_has_no_origin() -> None:
    assert export(FORMATS["card-v3"], Content(_BOOK)).origin is None
    assert convert(plain(), FORMATS["world-info"]).origin is Origin.RESTORED


def _claims(origin: Any) -> Document:
    raw = {"entries": {}, "extensions": {"lorebook": {"origin": origin}}}
    return opened(json.dumps(raw).encode(), "world-info")


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "chub",
        {"format": "chub"},
        {"format": "chub", "file": 7},
        {"format": "nothing", "file": base64.b64encode(zlib.compress(b"{}")).decode()},
        {"format": "chub", "file": "no base64!"},
        {"format": "chub", "file": base64.b64encode(b"no zlib").decode()},
        {"format": "chub", "file": base64.b64encode(zlib.compress(plain("chub").data[:])[:-9]).decode()},
        {"format": "card-v3", "file": base64.b64encode(zlib.compress(b"[1]")).decode()},
    ],
    ids=["null", "text", "no file", "number", "format", "base64", "zlib", "cut off", "no card"],
)
def test_what_is_no_original_is_none(origin: Any) -> None:
    assert origin_of(_claims(origin)) is None


def test_an_original_that_unpacks_to_too_much_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = plain("chub").data[:]
    packed = base64.b64encode(zlib.compress(whole)).decode()
    assert origin_of(_claims({"format": "chub", "file": packed})) == "chub"
    monkeypatch.setattr(converting, "_LARGEST_SEEN", len(whole) - 1)
    assert origin_of(_claims({"format": "chub", "file": packed})) is None
    monkeypatch.setattr(converting, "_LARGEST_SEEN", len(packed) - 1)
    assert origin_of(_claims({"format": "chub", "file": packed})) is None


@pytest.mark.parametrize(
    "route",
    [("world-info", "card-v3"), ("world-info", "card-v3", "chub"), ("card-v2", "png", "risu-lorebook", "charx")],
    ids=" → ".join,
)
def test_a_file_that_goes_round_and_round_is_the_same_each_time(route: tuple[str, ...]) -> None:
    document = first = plain(route[0], replace(lavish.content(), files={OWN_PICTURE: PICTURE}))
    seen: dict[str, bytes] = {}
    for _ in range(6):
        for name in (*route[1:], route[0]):
            document = there(document, name)
            assert seen.setdefault(name, document.data[:]) == document.data[:]
    assert document.data == first.data


def test_the_letter_of_a_specification_does_not_pile_up_originals() -> None:
    document = plain("card-v2", lavish.content())
    sizes = []
    for _ in range(6):
        for name in ("card-v3", "card-v2"):
            document = there(document, name, strict=True)
        sizes.append(len(document.data))
    assert len(set(sizes)) == 1


def test_an_edit_two_formats_away_reaches_the_original() -> None:
    first = plain("card-v2", Content(_BOOK, Card(name="Mira", fields={"odd": 1})))
    far = there(there(first, "card-v3"), "chub")
    entry = far.content.needed_book.entries[0].model_copy(update={"content": "Shut."})
    book = far.content.needed_book.model_copy(update={"entries": (entry,)})
    back = convert(opened(far.write(replace(far.content, book=book)).data, "chub"), FORMATS["card-v2"])
    assert back.data == first.data[:].replace(b"Opens.", b"Shut.")
    assert back.losses == ()


def test_what_the_letter_of_a_specification_leaves_out_is_no_edit() -> None:
    first = plain("card-v2", Content(_BOOK, Card(name="Mira", fields={"odd": 1})))
    strictly = there(first, "card-v3", strict=True)
    assert "odd" not in strictly.content.needed_card.fields
    assert convert(strictly, FORMATS["card-v2"]).data == first.data


# --- pictures ---


def _broken() -> Document:
    icon = Asset("icon", "embeded://assets/icon/images/main.png", "main", "png")
    made = export(FORMATS["charx"], Content(_BOOK, Card(name="Mira", assets=(icon,)), {icon.uri: b"no picture"}))
    return opened(made.data, "charx")


def _of_picture(losses: tuple[Loss, ...]) -> list[LossKind]:
    return [loss.kind for loss in losses if loss.field == "card.picture"]


@each_written
def test_a_picture_that_the_format_has_no_room_for_is_named(form: Format) -> None:
    made = export(form, Content(_BOOK, Card(name="Mira"), {OWN_PICTURE: PICTURE}))
    document = opened(made.data, form.name)
    is_there = PICTURE in [document.content.files[uri] for uri in document.content.files]
    assert _of_picture(made.losses) == ([] if is_there else [LossKind.LOST])


@each_written
def test_a_picture_that_is_only_drawn_is_no_loss(form: Format) -> None:
    assert _of_picture(export(form, Content(_BOOK, Card(name="Mira"))).losses) == []


@pytest.mark.parametrize(
    ("card", "lost"),
    [
        (Card(name="Archive"), []),
        (Card(name="Mira"), ["card.name"]),
        (Card(name="Archive", creator="Me"), ["card.name", "card.creator"]),
    ],
    ids=["the book's name", "a name of its own", "more than a name"],
)
def test_a_card_that_only_has_the_books_name_is_not_lost_with_it(card: Card, lost: list[str]) -> None:
    source = plain("card-v3", Content(_BOOK, card))
    assert [loss.field for loss in convert(source, FORMATS["agnai"], origin=False).losses] == lost


@each_written
def test_an_icon_that_is_no_picture_stops_no_conversion(form: Format) -> None:
    if form.name == "charx":
        return
    made = convert(_broken(), form)
    assert opened(made.data, form.name).content.book is not None or form.name in ("card-v1", "agnai-character")
    kinds = {"png": [LossKind.CHANGED], "backyard-png": [LossKind.CHANGED], "novelai-png": [LossKind.CHANGED]}
    assert _of_picture(made.losses) == (kinds | {"charx-jpeg": [LossKind.UNREAD]}).get(form.name, [])


def test_nothing_is_drawn_to_find_out_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    card = there(plain(), "png")
    monkeypatch.setattr("lorebook.formats.writing._drawn", lambda _content: pytest.fail("a cover was drawn"))
    assert convert(card, FORMATS["world-info"]).data == plain().data


# --- a book that another payload has ---


def _with_module() -> Document:
    module = {"module": {"name": "x", "id": "1", "lorebook": [
        {"key": "gate", "comment": "Gate", "content": "Opens.", "mode": "normal", "insertorder": 100,
         "alwaysActive": False, "secondkey": "", "selective": False}]}, "type": "risuModule"}  # fmt: skip
    card = {"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "Mira", "assets": [], "extensions": {}}}
    risum = b"".join(RISUM.build({MODULE: dumped(module)}, b""))
    segments = FORMATS["charx"].container.build({"card.json": dumped(card), "module.risum": risum}, b"")
    document = opened(b"".join(segments), "charx")
    assert [bool(reading.content.book) for reading in document.readings] == [False, True]
    return document


def _edited(document: Document, card: Card | None = None, **said: Any) -> Content:
    book = document.content.needed_book
    entry = book.entries[0].model_copy(update=said)
    return replace(document.content, book=book.model_copy(update={"entries": (entry,)}), card=card or document.card)


def test_an_edit_that_the_module_of_a_card_can_say_loses_nothing() -> None:
    document = _with_module()
    content = _edited(document, replace(document.content.needed_card, nickname="M."), content="Shut.")
    made = document.write(content)
    assert made.losses == ()
    after = opened(made.data, "charx")
    assert (after.content.needed_book.entries[0].content, after.content.needed_card.nickname) == ("Shut.", "M.")


def test_an_edit_that_the_module_of_a_card_cannot_say_is_named() -> None:
    document = _with_module()
    content = _edited(document, replace(document.content.needed_card, fields={"odd": 1}), keys=("gate, salt", "gate"))
    made = document.write(replace(content, book=content.needed_book.model_copy(update={"name": "Archive"})))
    after = opened(made.data, "charx").content
    assert after.needed_book.entries[0].keys == ("gate",)
    assert after.needed_card.fields == {"odd": 1}
    assert {(loss.entry, loss.field) for loss in made.losses} == {(0, "keys"), (None, "name")}


# --- the letter of the specification ---


@each_written
@settings(max_examples=10)
@given(data=st.data())
def test_the_letter_of_a_specification_reads_back_equal_but_for_exactly_the_losses_named(
    form: Format, data: st.DataObject
) -> None:
    content = data.draw(contents(form))
    made = export(form, content, strict=True)
    assert unsaid(content, opened(made.data, form.name).content) == gone(made.losses)


_SPECIFIED = {
    *("keys", "content", "extensions", "enabled", "insertion_order", "case_sensitive", "name", "priority", "id"),
    *("comment", "selective", "secondary_keys", "constant", "position"),
}
"""The fields of an entry in the V2 specification."""
_BESIDE = {"fields": {"weight": 3, "use_regex": True, "priority": 2}}


@pytest.mark.parametrize(
    ("name", "more"),
    [("card-v2", set()), ("book-v2", set()), ("card-v3", {"use_regex"}), ("lorebook-v3", {"use_regex"})],
)
def test_entries_to_the_letter_have_no_other_fields_and_lose_none(name: str, more: set[str]) -> None:
    book = _BOOK.model_copy(
        update={
            "entries": (_BOOK.entries[0].model_copy(update={"extensions": {"lorebook": _BESIDE}}),),
            "extensions": {"lorebook": {"fields": {"odd": [1]}}},
        }
    )
    made = export(FORMATS[name], Content(book), strict=True)
    whole = json.loads(made.data)
    held = whole.get("data", whole)
    held = held.get("character_book", held)
    assert set(held["entries"][0]) <= _SPECIFIED | more
    assert "odd" not in held
    assert held["extensions"]["lorebook"] == {"beside": {"odd": [1]}}
    assert gone(made.losses) == set()
    assert opened(made.data, name).content.needed_book == opened(export(FORMATS[name], Content(book)).data).book


def test_what_stands_beside_counts_before_what_was_moved() -> None:
    entry = {
        "keys": ["a"],
        "content": "x",
        "weight": 1,
        "extensions": {"lorebook": {"beside": {"weight": 2, "odd": 3}}},
    }
    book = opened(json.dumps({"entries": [entry], "extensions": {"lorebook": {"beside": 7}}}).encode(), "book-v2").book
    assert book
    assert book.entries[0].extensions == {"lorebook": {"fields": {"weight": 1, "odd": 3}}}
    assert book.extensions == {}


@pytest.mark.parametrize(
    ("name", "field", "lost"),
    [
        ("card-v1", "creatorcomment", True),
        ("card-v2", "odd", True),
        ("card-v3", "odd", True),
        ("card-v2", "extensions", False),
    ],
)
def test_cards_to_the_letter_have_no_other_fields(name: str, field: str, lost: bool) -> None:  # noqa: FBT001
    card = Card(name="Mira", creator_notes="Notes.", fields={"odd": 1}, extensions={"odd": 1})
    both = [json.loads(export(FORMATS[name], Content(None, card), strict=strict).data) for strict in (False, True)]
    loose, strict = (each.get("data", each) for each in both)
    assert field in loose
    assert (field in strict) == (not lost)


# --- the list ---


def test_people_see_every_format_the_best_known_first() -> None:
    assert set(LISTED) == set(FORMATS)
    assert list(LISTED)[:5] == ["world-info", "png", "card-v3", "card-v2", "charx"]
    written = [form.writes for form in LISTED.values()]
    assert written == sorted(written, reverse=True)


@pytest.mark.parametrize("form", [form for form in FORMATS.values() if form.ready_made], ids=lambda form: form.name)
def test_ready_made_files_are_of_formats_that_are_written(form: Format) -> None:
    assert form.writes
