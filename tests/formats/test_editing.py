"""
A file that was read is written back with what was changed in it, and with nothing else touched.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import FORMATS, Content, Document, Format, export, open_document
from lorebook.formats.containers.text import TEXT
from lorebook.records import EntrySettings
from tests.formats.anything import contents
from tests.formats.files import made
from tests.formats.likeness import gone, unsaid

SHARED = Path(__file__).parents[3] / "shared" / "formats"
_EXAMPLES = sorted(SHARED.glob("*/*.*"))
_WRITTEN = [known for known in FORMATS.values() if known.writes]
_OF_BOOKS = [known for known in _WRITTEN if known.container is TEXT and known.name != "card-v1"]

Edit: TypeAlias = Callable[[Content], Content]


def opened(data: bytes, form: Format | None = None) -> Document:
    return open_document(data, file_name="x", form=form)


# --- edits ---


def book_of(content: Content) -> Book:
    assert content.book is not None
    return content.book


def with_entries(content: Content, entries: tuple[Entry, ...]) -> Content:
    return replace(content, book=book_of(content).model_copy(update={"entries": entries}))


def with_first(**update: Any) -> Edit:
    def edit(content: Content) -> Content:
        first, *rest = book_of(content).entries
        return with_entries(content, (first.model_copy(update=update), *rest))

    return edit


def with_setting(content: Content) -> Content:
    first = book_of(content).entries[0]
    constant = EntrySettings.model_validate({**dict(first.settings), "constant": not first.settings.constant})
    return with_first(settings=constant)(content)


def with_one_more(content: Content) -> Content:
    entries = book_of(content).entries
    uid = max((entry.uid for entry in entries), default=-1) + 1
    return with_entries(content, (*entries, Entry(uid=uid, name="new", keys=("new gate",), content="A new gate.")))


def with_one_before(content: Content) -> Content:
    *rest, last = book_of(with_one_more(content)).entries
    return with_entries(content, (last, *rest))


def with_one_less(content: Content) -> Content:
    return with_entries(content, book_of(content).entries[1:])


def with_none(content: Content) -> Content:
    return with_entries(content, ())


def turned(content: Content) -> Content:
    return with_entries(content, book_of(content).entries[::-1])


def renamed(content: Content) -> Content:
    return replace(content, book=book_of(content).model_copy(update={"name": "Renamed 新"}))


def with_description(content: Content) -> Content:
    assert content.card is not None
    return replace(content, card=replace(content.card, description="Another 描述."))


OF_ENTRIES: Mapping[str, Edit] = {
    "content": with_first(content='Changed 改\r\n/slashed/ \\ "quoted".'),
    "keys": with_first(keys=("another gate", "门")),
    "no keys": with_first(keys=()),
    "setting": with_setting,
    "one more": with_one_more,
    "one before": with_one_before,
    "one less": with_one_less,
    "none": with_none,
    "turned": turned,
}
EDITS: Mapping[str, Edit] = {**OF_ENTRIES, "renamed": renamed, "description": with_description}


def fits(name: str, content: Content) -> bool:
    """
    Say whether the edit called *name* can be made in *content*.
    """
    if name == "description":
        return content.card is not None
    if content.book is None:
        return False
    return name in ("renamed", "one more", "one before", "none") or bool(content.book.entries)


# --- what an edit makes of a file ---


def check(document: Document, name: str) -> None:
    """
    The edit called *name* is in the file that is written, up to the losses, and the file is that of a fresh reader.
    """
    wanted = EDITS[name](document.content)
    written = document.write(wanted)
    again = opened(written.data, document.form)
    assert unsaid(wanted, again.content) == gone(written.losses)
    assert again.write().data == written.data
    assert again.write(wanted).data == written.data or gone(written.losses)
    if not (in_object(document) and name in ("turned", "one before")):
        assert not needless(document, wanted, gone(written.losses))


def needless(document: Document, wanted: Content, found: set[tuple[int | None, str]]) -> set[tuple[int | None, str]]:
    """
    Return the losses *found* of *wanted* that neither are in what was edited nor would be in a new file.

    Entries may have no number in the file, and new ones get what the file says of all.
    """
    known = {entry.uid for entry in book_of(document.content).entries} if document.book else set()
    allowed = unsaid(wanted, document.content) | gone(made(document.form, wanted.book, wanted.card).losses)
    return {(uid, name) for uid, name in found - allowed if name != "uid" and uid in {*known, None}}


def in_object(document: Document) -> bool:
    """
    Say whether the entries stand in an object, which has no order.
    """
    reading = document.readings[0]
    return any(isinstance(at(reading.value, place), dict) for place in reading.schema.entries_at(reading.value))


def at(value: Any, place: tuple[str | int, ...]) -> Any:
    for step in place:
        value = value[step]
    return value


def slices(text: str, items: list[Any]) -> Iterator[str]:
    """
    Yield the source of each of *items*, found in *text* by reading from every bracket on.
    """
    decoder = json.JSONDecoder()
    left = list(items)
    for start, sign in enumerate(text):
        if sign not in "{[" or not left:
            continue
        try:
            value, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError:  # a bracket inside a text
            continue
        if value in left:
            left.remove(value)
            yield text[start:end]


def items_of(document: Document) -> list[Any]:
    """
    Return the JSON of the entries of *document*, in their order.
    """
    reading = document.readings[0]
    found = []
    for place in reading.schema.entries_at(reading.value):
        held = at(reading.value, place)
        found += [item for item in (held.values() if isinstance(held, dict) else held) if reading.schema.is_entry(item)]
    return found


each_format = pytest.mark.parametrize("known", _WRITTEN, ids=lambda known: known.name)
laws = settings(max_examples=8)


@each_format
@laws
@given(data=st.data())
def test_what_was_asked_for_is_in_the_file_but_for_exactly_the_losses(known: Format, data: st.DataObject) -> None:
    document = opened(export(known, data.draw(contents(known, least=0 if known.is_card else 1))).data, known)
    names = [name for name in EDITS if fits(name, document.content)]
    for name in names:
        check(document, name)


@each_format
@laws
@given(data=st.data())
def test_an_unchanged_file_is_the_same_bytes_and_so_is_one_changed_and_changed_back(
    known: Format, data: st.DataObject
) -> None:
    source = export(known, data.draw(contents(known, least=1))).data
    document = opened(source, known)
    assert document.write().data == source
    assert document.write(document.content).data == source
    for name in ("content", "renamed", "description"):
        if fits(name, document.content):
            changed = opened(document.write(EDITS[name](document.content)).data, known)
            assert opened(changed.write(document.content).data, known).content.book == document.book


@pytest.mark.parametrize("known", _OF_BOOKS, ids=lambda known: known.name)
@laws
@given(data=st.data(), name=st.sampled_from(["content", "keys", "setting", "one more", "one less", "renamed"]))
def test_entries_that_were_not_changed_stay_as_they_are_written(known: Format, data: st.DataObject, name: str) -> None:
    content = data.draw(contents(known, least=2))
    # NovelAI makes an entry's id of its name: of two that are called alike the second becomes the first.
    names = [entry.name for entry in book_of(content).entries]
    assume(not known.name.startswith("novelai") or len(set(names)) == len(names))
    source = export(known, content).data
    document = opened(source, known)
    items = items_of(document)
    kept = items if name in ("one more", "renamed") else items[1:]
    written = document.write(EDITS[name](document.content)).data.decode()
    for piece in slices(source.decode(), kept):
        assert piece in written


# --- files that others wrote ---

ODD = r"""{ "entries" : {
  "7": {"uid": 7, "key": ["salt \/ gate", "\u95e8"], "content": "Opens.\r\nOr\u00a0not \/ closed.", "order":1.0e2,
        "depth" : 4.00, "probability": 100.0, "uid":7, "mystery": [1E3, -0, 1e400, {"a":1,"a":2}], "comment":"Gate"},
  "3": {"uid": 3, "key": [], "content": "Other.", "unknown": {"deep": [null, 12345678901234567890.0]}, "order" : 5 }
 },
  "name": "Archive", "name": "Archive 2", "unheard": 1.50}
"""
_FIRST = ODD[ODD.index('{"uid": 7') : ODD.index('"Gate"}') + 7]
_SECOND = ODD[ODD.index('{"uid": 3') : ODD.index("5 }") + 3]


@pytest.mark.parametrize(
    ("name", "kept", "gone", "there"),
    [
        ("content", (_SECOND,), "Opens.", r'"content": "Changed \u6539\r\n/slashed/ \\ \"quoted\"."'),
        ("keys", (_SECOND,), "salt", r'["another gate", "\u95e8"]'),
        ("no keys", (_SECOND,), "salt", '"key": []'),
        ("setting", (_SECOND, _FIRST[:-1]), _FIRST, '"Gate", "constant":true}'),
        ("renamed", (_FIRST, _SECOND), "Archive 2", r'"name": "Archive", "name": "Renamed \u65b0", "unheard": 1.50}'),
        ("one more", (_FIRST, _SECOND), None, '"8": {'),
        ("one less", (_SECOND,), _FIRST, None),
        ("turned", (_FIRST, _SECOND), None, None),
    ],
)
def test_what_nobody_knows_and_odd_spellings_stay_in_a_file_that_is_edited(
    name: str, kept: tuple[str, ...], gone: str | None, there: str | None
) -> None:
    document = opened(ODD.encode(), FORMATS["world-info"])
    check(document, name)
    written = document.write(EDITS[name](document.content)).data.decode()
    assert all(piece in written for piece in kept)
    assert gone is None or gone not in written
    assert there is None or there in written
    assert written.startswith('{ "entries" : {\n  "')
    assert written.endswith('", "unheard": 1.50}\n')


def test_only_the_changed_text_is_new() -> None:
    document = opened(ODD.encode(), FORMATS["world-info"])
    written = document.write(with_first(content="Shut.")(document.content)).data.decode()
    assert written == ODD.replace(r"Opens.\r\nOr\u00a0not \/ closed.", "Shut.")


@pytest.mark.skipif(not _EXAMPLES, reason="the collection of files is not beside the checkout")
@pytest.mark.parametrize("path", _EXAMPLES, ids=lambda path: path.name)
def test_files_of_the_wild_are_edited_and_keep_the_rest(path: Path) -> None:
    source = path.read_bytes()
    try:
        document = opened(source)
    except FormatError as error:
        assert error.what
        return
    if not document.notes:
        assert document.write().data == source
    if not document.form.writes:
        with pytest.raises(FormatError, match="is only read"):
            document.write(renamed(Content(Book(name="x"))))
        return
    for name in EDITS:
        if fits(name, document.content):
            check(document, name)
