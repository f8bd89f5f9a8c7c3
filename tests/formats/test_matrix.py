"""
Every format into every other and back: what differs is what was named, and the way back is the file itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.formats import (
    FORMATS,
    OWN_PICTURE,
    Card,
    Content,
    Document,
    Format,
    LossKind,
    convert,
    export,
    open_document,
    origin_of,
)
from lorebook.formats.card import MAIN_ICON, Asset
from tests.formats import lavish
from tests.formats.corpus.checking import edits, is_edit
from tests.formats.corpus.decoding import decoded, unlike
from tests.formats.corpus.notes import unnamed
from tests.formats.corpus.trees import leaves
from tests.formats.files import PICTURE

SHARED = Path(__file__).parents[3] / "shared" / "formats"
_WRITTEN = [form.name for form in FORMATS.values() if form.writes]
_FILES = [path for name in ("examples", "quirks") for path in sorted((SHARED / name).glob("*"))]

# --- what two contents do not have alike ---

_OFF = "false"
_NOTHING = {
    "exclude_recursion": [_OFF],
    "prevent_recursion": [_OFF],
    "delay_until_recursion": [_OFF, "0"],
    "outlet_name": ['""'],
    "group": ['""'],
    "group_override": [_OFF],
    "group_weight": ["100"],
    "use_group_scoring": [_OFF],
    "automation_id": ['""'],
    "vectorized": [_OFF],
    "sticky": ["0"],
    "cooldown": ["0"],
    "delay": ["0"],
    "match_persona_description": [_OFF],
    "match_character_description": [_OFF],
    "match_character_personality": [_OFF],
    "match_character_depth_prompt": [_OFF],
    "match_scenario": [_OFF],
    "match_creator_notes": [_OFF],
    "triggers": ["[]"],
    "ignore_budget": [_OFF],
}
"""Settings of SillyTavern's entries, and the values that say no more than a setting that is not there."""
_EMPTY = ("null", '""', "[]", "{}")


def unlike_contents(before: Content, after: Content) -> set[tuple[int | None, str]]:
    """
    Return the entries and fields that *after* does not say as *before* does; new books and cards are no difference.
    """
    found: set[tuple[int | None, str]] = set()
    if before.book is not None:
        found |= {(None, name) for name in _other(_of_book(before.book), _of_book(after.book))}
        found |= set(_entries(before.book.entries, after.book.entries if after.book else ()))
    if before.card is not None:
        found |= {(None, name) for name in _other(_of_card(before.card), _of_card(after.card))}
        found |= set(_files(before, after))
    return found


def _entries(before: tuple[Entry, ...], after: tuple[Entry, ...]) -> Iterator[tuple[int | None, str]]:
    for one, other in zip_longest(before, after):
        if one is None:
            yield None, "entries"
        elif other is None:
            yield one.uid, "entry"
        else:
            yield from ((one.uid, name) for name in _other(_of_entry(one), _of_entry(other)))


def _other(one: dict[str, str], two: dict[str, str]) -> set[str]:
    return {name for name in one | two if one.get(name) != two.get(name)}


def _of_entry(entry: Entry) -> dict[str, str]:
    settings = entry.settings.model_dump() | {"probability": float(entry.settings.probability)}
    return _spelt(entry.model_dump(exclude={"extensions", "settings"}) | settings) | _of_extensions(entry.extensions)


def _of_book(book: Book | None) -> dict[str, str]:
    return _said(book.model_dump(exclude={"entries", "extensions"})) | _of_extensions(book.extensions) if book else {}


def _of_card(card: Card | None) -> dict[str, str]:
    if card is None:
        return {}
    plain = asdict(card)
    more = {f"{name}.{key}": value for name in ("extensions", "fields") for key, value in plain.pop(name).items()}
    del plain["assets"]
    said = _said(plain) | {
        name: value for name, value in _spelt(more).items() if name != "extensions.lorebook" and value != "null"
    }
    return {f"card.{name}": value for name, value in said.items()}


def _of_extensions(extensions: dict[str, Any]) -> dict[str, str]:
    plain = {name: value for name, value in extensions.items() if name != "lorebook"}
    own = extensions.get("lorebook", {})
    found = {
        f"extensions.{name}": value for name, value in _spelt(plain).items() if value not in _NOTHING.get(name, ())
    }
    for part in ("fields", "inert"):
        found |= {f"{part}.{name}": value for name, value in _spelt(own.get(part, {})).items()}
    rest = {name: value for name, value in own.items() if name not in ("fields", "inert", "origin")}
    return found | {f"extensions.lorebook.{name}": value for name, value in _spelt(rest).items()}


def _spelt(values: dict[str, Any]) -> dict[str, str]:
    return {name: json.dumps(value, sort_keys=True) for name, value in values.items()}


def _said(values: dict[str, Any]) -> dict[str, str]:
    return {name: value for name, value in _spelt(values).items() if value not in _EMPTY}


def _files(before: Content, after: Content) -> Iterator[tuple[int | None, str]]:
    """
    Yield what of the assets is not the same; URIs of files are the file's own, and the main icon may be its picture.
    """
    shown = after.card is not None and _shows(before) and _shows(after)
    ours, theirs = (_assets(content, without_main=shown) for content in (before, after))
    # What was the file's own picture may become an asset.
    picture = before.files.get(OWN_PICTURE) if len(theirs) > len(ours) else None
    theirs = [(asset, data) for asset, data in theirs if data is None or data != picture]
    for (one, data), (two, other) in zip_longest(ours, theirs, fillvalue=(MAIN_ICON, None)):
        if _named(one) != _named(two) or (one.uri != two.uri and None in (data, other)):
            yield None, "card.assets"
        elif data != other and data is not None:
            yield None, "card.files"


def _shows(content: Content) -> bool:
    """
    Say whether the file shows the character: it is a picture, or has one for the main icon.
    """
    return OWN_PICTURE in content.files or any(_is_main(asset) and data for asset, data in _assets(content))


def _assets(content: Content, *, without_main: bool = False) -> list[tuple[Asset, bytes | None]]:
    assets = [asset for asset in (content.card.assets if content.card else ()) if asset != MAIN_ICON]
    return [(asset, content.files.get(asset.uri)) for asset in assets if not (without_main and _is_main(asset))]


def _is_main(asset: Asset) -> bool:
    return (asset.kind, asset.name) == ("icon", "main")


def _named(asset: Asset) -> tuple[str, str, str]:
    return asset.kind, asset.name, asset.ext


# --- the laws ---


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
    Say whether *form* can hold *document*: nothing but a book needs one, and a picture one that is no ruin.
    """
    if not form.is_card and document.book is None:
        with pytest.raises(FormatError, match="no lorebook"):
            convert(document, form)
        return False
    if any(map(_is_broken, _assets(document.content))):
        try:
            convert(document, form)
        except FormatError as error:
            assert "no picture that can be shown" in str(error)
            return False
    return True


def _is_broken(icon: tuple[Asset, bytes | None]) -> bool:
    asset, data = icon
    return _is_main(asset) and data is not None and not data.startswith(PICTURE[:8])


def check_losses(document: Document, form: Format) -> Document:
    """
    Assert that a conversion names exactly what is not there afterwards; return it.
    """
    made = convert(document, form, origin=False)
    after = opened(made.data, form.name)
    unlike_now = unlike_contents(document.content, after.content)
    gone = {(loss.entry, loss.field) for loss in made.losses if loss.kind is not LossKind.UNREAD}
    # An asset that is not named has no file either.
    implied = {(None, "card.files")} if (None, "card.assets") in gone else set()
    assert unlike_now | implied == gone | implied
    assert {(loss.entry, loss.field) for loss in made.losses if loss.kind is LossKind.UNREAD} & gone == set()
    assert [loss for loss in made.losses if not loss.why.strip()] == []
    assert len(set(made.losses)) == len(made.losses)
    return after


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
    others = [item for item in found if not is_edit(item)]
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
