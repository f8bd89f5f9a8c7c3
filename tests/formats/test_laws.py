"""
What holds for every format and every book.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook.book import CARD_NAMES, Book, Entry
from lorebook.formats import FORMATS, Card, Format, Loss, detect_format, read_book
from lorebook.formats.taker import MOST
from lorebook.formats.vocabulary import OWN, SETTINGS_IN_EXTENSIONS
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic

_JSON_FORMATS = [known for known in FORMATS.values() if known.suffix == ".json"]
# Names that one format or another has a meaning for, and some that none has.
_TELLING = [
    *CARD_NAMES,
    *CARD_NAMES.values(),
    *SETTINGS_IN_EXTENSIONS,
    *("enabled", "order", "keys", "key", "priority", "characterFilter", "entry_id", "originalData", "weight"),
]
# Two titles, an id that is no number and V3's switch come back in another place; tests of the card's book show how.
_MOVED = {"name", "id", "use_regex", "extensions"}

_Item = TypeVar("_Item", Book, Entry)

_lines = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=8)
_whole = st.integers(-MOST, MOST)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
_names = st.one_of(st.sampled_from(_TELLING), st.text(max_size=5)).filter(lambda name: name not in {OWN, *_MOVED})
_objects = st.dictionaries(_names, _json, max_size=4)


@st.composite
def _settings(draw: st.DrawFn) -> EntrySettings:
    return EntrySettings(
        enabled=draw(st.booleans()),
        constant=draw(st.booleans()),
        secondary_keys=tuple(draw(st.lists(_lines, max_size=3))),
        secondary_logic=draw(st.sampled_from(SecondaryLogic)),
        position=draw(st.sampled_from(Position)),
        depth=draw(st.integers(0, 99)),
        role=draw(st.sampled_from(Role)),
        insertion_order=draw(_whole),
        probability=draw(st.just(100.0) | st.floats(0, 100)),
        case_sensitive=draw(st.none() | st.booleans()),
        match_whole_words=draw(st.none() | st.booleans()),
    )


@st.composite
def _entries(draw: st.DrawFn, uid: int) -> Entry:
    chosen = draw(_settings())
    inert: dict[str, Any] = {}
    if not chosen.secondary_keys and draw(st.booleans()):
        inert["secondary_keys"] = draw(st.lists(_lines, min_size=1, max_size=2))
    if chosen.probability == 100 and draw(st.booleans()):
        inert["probability"] = draw(st.integers(0, 99))
    return Entry(
        uid=uid,
        name=draw(st.text(max_size=8)),
        keys=tuple(draw(st.lists(st.text(max_size=8), max_size=3))),
        content=draw(st.text(max_size=20)),
        settings=chosen,
        rule=draw(st.none() | st.just("chess/castling")),
        extensions=_extensions(draw(_objects), fields=draw(_objects), inert=inert),
    )


@st.composite
def _books(draw: st.DrawFn) -> Book:
    uids = draw(st.lists(_whole, max_size=3, unique=True))
    return Book(
        name=draw(st.text(max_size=8)),
        description=draw(st.text(max_size=8)),
        entries=tuple(draw(_entries(uid)) for uid in uids),
        scan_depth=draw(st.none() | _whole),
        token_budget=draw(st.none() | _whole),
        recursive_scanning=draw(st.none() | st.booleans()),
        extensions=_extensions(draw(_objects), fields=draw(_objects)),
    )


def _extensions(known: dict[str, Any], **kept: dict[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in kept.items() if value}
    return known | ({OWN: own} if own else {})


def _without(book: Book, losses: tuple[Loss, ...]) -> Book:
    """
    Return *book* without what was not written at all; any other loss is only one to readers that are not ours.
    """
    gone = [loss for loss in losses if "uses this name" in loss.why]
    entries = [_stripped(entry, {loss.field for loss in gone if loss.entry == entry.uid}) for entry in book.entries]
    head = _stripped(book, {loss.field for loss in gone if loss.entry is None})
    return head.model_copy(update={"entries": tuple(entries)})


def _stripped(item: _Item, gone: set[str]) -> _Item:
    known = {name: value for name, value in item.extensions.items() if f"extensions.{name}" not in gone and name != OWN}
    own = dict(item.extensions.get(OWN, {}))
    fields = {name: value for name, value in own.pop("fields", {}).items() if name not in gone}
    return item.model_copy(update={"extensions": _extensions(known, fields=fields, **own)})


@pytest.mark.parametrize("known", FORMATS.values(), ids=FORMATS)
@settings(max_examples=40)
@given(book=_books())
def test_what_was_written_reads_back_equal_but_for_the_losses_that_were_named(
    known: Format, card: Card, book: Book
) -> None:
    export = known.write(book, card=card)
    assert known.read(export.data) == _without(book, export.losses)


@pytest.mark.parametrize("known", FORMATS.values(), ids=FORMATS)
@settings(max_examples=40)
@given(book=_books())
def test_writing_twice_is_writing_once(known: Format, card: Card, book: Book) -> None:
    once = known.write(book, card=card).data
    assert known.write(known.read(once), card=card).data == once
    assert known.write(book, card=card).data == once


@pytest.mark.parametrize("known", _JSON_FORMATS, ids=[known.name for known in _JSON_FORMATS])
@settings(max_examples=40)
@given(book=_books())
def test_json_is_utf8_that_ends_in_a_newline(known: Format, card: Card, book: Book) -> None:
    text = known.write(book, card=card).data.decode("utf-8")
    assert text.endswith("}\n")
    json.loads(text, parse_constant=pytest.fail)


@pytest.mark.parametrize("known", FORMATS.values(), ids=FORMATS)
def test_what_was_written_is_recognised(known: Format, card: Card) -> None:
    book = Book(name="Archive", entries=(Entry(uid=3, keys=("salt gate",), content="Opens at low water."),))
    export = known.write(book, card=card)
    found = detect_format(export.data)
    assert found is not None
    assert found[0] is known
    assert found[1]
    assert read_book(export.data, file_name="archive") == book
    assert not export.losses


@pytest.mark.parametrize("known", FORMATS.values(), ids=FORMATS)
def test_numbers_that_come_twice_are_told_apart(known: Format, card: Card) -> None:
    book = Book(name="Archive", entries=(Entry(uid=4, name="a"), Entry(uid=4, name="b"), Entry(uid=0, name="c")))
    export = known.write(book, card=card)
    read = known.read(export.data)
    assert [(entry.uid, entry.name) for entry in read.entries] == [(4, "a"), (5, "b"), (0, "c")]
    assert [(loss.entry, loss.field) for loss in export.losses] == [(4, "uid")]


@pytest.mark.parametrize("known", _JSON_FORMATS, ids=[known.name for known in _JSON_FORMATS])
def test_whole_numbers_stay_whole(known: Format, card: Card) -> None:
    entry = Entry(uid=1, settings=EntrySettings(probability=50), extensions={"big": 12345678901234567890, "one": 1.0})
    text = known.write(Book(name="Archive", entries=(entry,)), card=card).data.decode()
    assert '"probability": 50,' in text
    assert '"big": 12345678901234567890' in text
    assert '"one": 1.0' in text
