"""
Every format into every other and back: what differs is what was named, and the way back is the file itself.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from lorebook.errors import FormatError
from lorebook.formats import (
    FORMATS,
    OWN_PICTURE,
    Content,
    Document,
    Format,
    LossKind,
    convert,
    export,
    open_document,
    origin_of,
)
from tests.formats import lavish
from tests.formats.contrast import unlike_contents
from tests.formats.corpus.checking import edits, is_edit
from tests.formats.corpus.decoding import decoded, unlike
from tests.formats.corpus.notes import unnamed
from tests.formats.corpus.trees import leaves
from tests.formats.files import PICTURE

SHARED = Path(__file__).parents[3] / "shared" / "formats"
_WRITTEN = [form.name for form in FORMATS.values() if form.writes]
_FILES = [path for name in ("examples", "quirks") for path in sorted((SHARED / name).glob("*"))]


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A cover takes seconds to draw, and it is not what is tested here.
    """
    monkeypatch.setattr("lorebook.formats.writing._drawn", lambda _title: PICTURE)


def test_the_comparison_sees_what_is_not_alike() -> None:
    rich = lavish.content()
    assert rich.book
    assert rich.card
    assert unlike_contents(rich, rich) == set()
    assert unlike_contents(Content(rich.book), rich) == set()
    first, *others = rich.book.entries
    assert unlike_contents(rich, replace(rich, book=None)) >= {(first.uid, "entry"), (None, "name")}
    fewer = rich.book.model_copy(update={"entries": tuple(others)})
    assert (others[-1].uid, "entry") in unlike_contents(rich, replace(rich, book=fewer))
    assert unlike_contents(replace(rich, book=fewer), rich) >= {(None, "entries")}
    other = first.model_copy(update={"content": "x", "extensions": {"group": "", "sticky": True, "own": None}})
    changed = rich.book.model_copy(update={"entries": (other, *others), "scan_depth": None})
    assert unlike_contents(rich, replace(rich, book=changed, card=replace(rich.card, tags=("x",)))) == {
        *((first.uid, name) for name in ("content", "extensions.sticky", "extensions.own")),
        *((None, name) for name in ("scan_depth", "card.tags")),
    }


@cache
def made_by(name: str) -> Document:
    """
    Return the rich content as the format called *name* has it.
    """
    return opened(export(FORMATS[name], replace(lavish.content(), files={OWN_PICTURE: PICTURE})).data, name)


def opened(data: bytes, name: str | None = None) -> Document:
    return open_document(data, file_name="x", form=FORMATS[name] if name else None)


def holds(document: Document, form: Format) -> bool:
    """
    Say whether *form* can hold *document*: a file that is nothing but a book needs one.
    """
    if not form.is_card and document.book is None:
        with pytest.raises(FormatError, match="no lorebook"):
            convert(document, form)
        return False
    return True


def check_losses(document: Document, form: Format) -> Document:
    """
    Assert that a conversion names exactly what is not there afterwards; return it.
    """
    made = convert(document, form, origin=False)
    after = opened(made.data, form.name)
    unlike_now = unlike_contents(_in_order(document), after.content) - _ordered(document, form)
    gone = {(loss.entry, loss.field) for loss in made.losses if loss.kind is not LossKind.UNREAD}
    # What is part of no book and no card is in no content.
    gone -= {(None, name) for name in ("story", "chat", "scenarios")}
    # An asset that is not named has no file either.
    implied = {(None, "card.files")} if (None, "card.assets") in gone else set()
    assert unlike_now | implied == gone | implied
    assert {(loss.entry, loss.field) for loss in made.losses if loss.kind is LossKind.UNREAD} & gone == set()
    assert [loss for loss in made.losses if not loss.why.strip()] == []
    assert len(set(made.losses)) == len(made.losses)
    return after


def _in_order(document: Document) -> Content:
    """
    Return the content of *document* with numbers for the places of its entries, where the list is all their order.
    """
    content, book = document.content, document.book
    if not document.form.is_listed or book is None or len(book.entries) == 1:
        return content
    entries = [
        entry.model_copy(update={"settings": entry.settings.model_copy(update={"insertion_order": place})})
        for place, entry in enumerate(book.entries)
    ]
    return replace(content, book=book.model_copy(update={"entries": tuple(entries)}))


def _ordered(document: Document, form: Format) -> set[tuple[int | None, str]]:
    """
    Return what a file of *form* says by the order of its list.
    """
    entries = document.book.entries if document.book else ()
    orders = [entry.settings.insertion_order for entry in entries]
    rises = all(one <= other for one, other in pairwise(orders)) and len(orders) > 1
    return {(entry.uid, "insertion_order") for entry in entries} if form.is_listed and rises else set()


def check_way_back(document: Document, form: Format) -> None:
    """
    Assert that, where the original is tucked in, the way back is the file itself, or that with what was changed.
    """
    there = opened(convert(document, form, origin=True).data, form.name)
    if origin_of(there) is None:
        return
    assert origin_of(there) == document.form.name
    back = convert(there, document.form)
    assert back.data == document.data
    assert back.losses == ()
    before = decoded(bytes(document.data[:]))
    said = [leaf for tree in before.payloads.values() for leaf in leaves(tree)]
    # A text that was put together from several, or mended, is not in the file.
    content = next((content for _, text, content in edits(there.content) if text in said), None)
    if content is None:
        return
    changed = opened(there.write(content).data, form.name)
    after = decoded(convert(changed, document.form).data)
    found = list(unlike(before, after))
    others = [item for item in found if not is_edit(item, document.notes, after)]
    assert list(map(str, unnamed(others, document.notes, after))) == []
    assert len(others) < len(found)


_PAIRS = [(source, target) for source in _WRITTEN for target in _WRITTEN if source != target]


@pytest.mark.parametrize(("source", "target"), _PAIRS)
def test_a_conversion_names_exactly_what_it_loses(source: str, target: str) -> None:
    if holds(made_by(source), FORMATS[target]):
        assert check_losses(made_by(source), FORMATS[target]).notes == ()


@pytest.mark.parametrize(("source", "target"), _PAIRS)
def test_the_way_back_is_the_file_itself_with_what_was_changed(source: str, target: str) -> None:
    if holds(made_by(source), FORMATS[target]):
        check_way_back(made_by(source), FORMATS[target])


@pytest.mark.slow
@pytest.mark.parametrize("target", _WRITTEN)
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_a_shared_file_goes_there_and_back(path: Path, target: str) -> None:
    try:
        document = opened(path.read_bytes())
    except FormatError:
        pytest.skip("refused")
    form = FORMATS[target]
    if form is document.form or not document.form.writes or not holds(document, form):
        pytest.skip("nothing to convert")
    check_losses(document, form)
    check_way_back(document, form)
