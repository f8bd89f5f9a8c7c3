"""
A real SillyTavern takes our files as they are meant, and what it writes is read without loss.

Its server stores what it is given; what that means is decided by its page, which makes World Info of everything. So
every file of ours is followed to the world that is scanned in the end. Tests that need the page are skipped where the
harness that runs it is absent.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
from PIL import Image

from lorebook.book import CARD_NAMES, Book, ExportLanguage, from_ruleset
from lorebook.formats import FORMATS, Card, card_for, read_book
from lorebook.ruleset import Ruleset
from tests.formats.lavish import lavish
from tests.peers import harness
from tests.peers.page import Page
from tests.peers.server import RefusedError, Server

_RULES = Path(__file__).parents[2] / "rules"

pytestmark = pytest.mark.slow

_GLOBAL = "the page has one setting for all books; the card's stays in `originalData`, which nothing reads"
_BOOK_OF_A_CARD = {
    "book: description": "worlds have none; the card's stays in `originalData`, which nothing shows",
    "book: scan_depth": _GLOBAL,
    "book: token_budget": _GLOBAL,
    "book: recursive_scanning": _GLOBAL,
}

# A format more is one line more: what SillyTavern changes (as `book: name` or `entry: content`), and why.
WORLDS: Mapping[str, Mapping[str, str]] = {"world-info": {}, "chub": {}}
"""Formats that are imported as World Info."""
CARDS: Mapping[str, Mapping[str, str]] = {
    "card-v2": _BOOK_OF_A_CARD,
    "card-v3": _BOOK_OF_A_CARD,
    "png": _BOOK_OF_A_CARD,
}
"""Formats that are imported as a character, whose book the page makes a world of."""
WHOLE: Mapping[str, str] = {"card-v2": "card-v2", "card-v3": "card-v3", "png": "card-v3"}
"""Cards that are kept whole, and the JSON format that has the same fields."""
_EXPORTED: tuple[Literal["png", "json"], ...] = ("png", "json")
_IDLE = "selective"
"""Says nothing beside what `check` compares: whether there are secondary keys that count."""
# SillyTavern makes a file's name of a character's: what no file may be called is cut out.
_NO_FILE_NAME = re.compile(r'[/?<>\\:*|"]')


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    if reason := harness.missing():
        pytest.skip(reason)
    with Page() as page:
        yield page


def shipped(name: str, language: ExportLanguage) -> tuple[Book, Card]:
    ruleset = Ruleset.load(_RULES / name)
    return from_ruleset(ruleset, language), card_for(ruleset, language)


@pytest.fixture(scope="module", params=["chinese", "both", "lavish"])
def written(request: pytest.FixtureRequest, card: Card) -> tuple[Book, Card]:
    """
    A book and the card around it.
    """
    if request.param == "chinese":
        return shipped("ocg-zh", ExportLanguage.ZH)
    return shipped("ygo-classic", ExportLanguage.BOTH) if request.param == "both" else (lavish(), card)


def write(name: str, book: Book, card: Card) -> tuple[str, bytes]:
    """
    Return a file of the format *name*: what it is called, and its bytes.
    """
    return f"{book.name}{FORMATS[name].suffix}", FORMATS[name].write(book, card=card).data


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()


def read_world(server: Server, name: str) -> Book:
    """
    Return the world *name* as SillyTavern reads it: as World Info, whatever else is in the file.
    """
    return read_book(as_json(server.get_world(name)), file_name=f"{name}.json", form=FORMATS["world-info"])


def told(book: Book) -> dict[str, Any]:
    """
    Return everything in *book* that has a meaning for who scans it, by path.
    """
    head = ("name", "description", "scan_depth", "token_budget", "recursive_scanning")
    said = {f"book: {name}": getattr(book, name) for name in head}
    for place, entry in enumerate(book.entries):
        own = {name: getattr(entry, name) for name in ("uid", "name", "keys", "content", "rule")}
        own |= entry.settings.model_dump()
        own |= {name: value for name, value in entry.extensions.items() if name in {*CARD_NAMES.values(), "novelty"}}
        said |= {f"entry {place}: {name}": value for name, value in own.items()}
    return said


def differences(sent: Book, got: Book) -> dict[str, tuple[Any, Any]]:
    """
    Return what *sent* says and *got* does not, by path; what SillyTavern adds are its own defaults, and no difference.
    """
    ours, theirs = told(sent), told(got)
    assert len(got.entries) == len(sent.entries)
    return {path: (value, theirs.get(path)) for path, value in ours.items() if theirs.get(path) != value}


def field(path: str) -> str:
    """
    Return the field at *path* as the tables name it, whichever entry it is of.
    """
    return re.sub(r"^entry \d+", "entry", path)


def check(sent: Book, got: Book, changed: Mapping[str, str]) -> None:
    """
    Assert that *got* says what *sent* says but for the fields *changed*.
    """
    assert {path: both for path, both in differences(sent, got).items() if field(path) not in changed} == {}


def taken(name: str, book: Book, card: Card, server: Server, page: Page) -> Book:
    """
    Return the world that SillyTavern makes of *book* in a file of the format *name*.
    """
    file_name, data = write(name, book, card)
    if name in WORLDS:
        converted = page.converted(file_name, data)
        world = server.import_world(file_name, data, converted=json.dumps(converted) if converted else None)
    else:
        inside = server.get_character(server.import_character(file_name, data))["data"]["character_book"]
        world = inside.get("name") or "Lorebook"
        server.save_world(world, page.world_of(inside))
    return read_world(server, world)


@pytest.mark.parametrize("name", [*WORLDS, *CARDS])
def test_a_file_becomes_the_world_that_is_meant(
    name: str, written: tuple[Book, Card], sillytavern: Server, page: Page
) -> None:
    check(written[0], taken(name, *written, sillytavern, page), {**WORLDS, **CARDS}[name])


@pytest.mark.parametrize("name", [*WORLDS, *CARDS])
def test_nothing_is_excused_that_sillytavern_keeps(name: str, card: Card, sillytavern: Server, page: Page) -> None:
    found = differences(lavish(), taken(name, lavish(), card, sillytavern, page))
    assert {field(path) for path in found} == set({**WORLDS, **CARDS}[name])


@pytest.mark.parametrize("name", WHOLE)
def test_a_card_comes_back_from_every_export_with_the_same_book(
    name: str, written: tuple[Book, Card], sillytavern: Server
) -> None:
    file_name, data = write(name, *written)
    sent, picture = read_book(data, file_name=file_name), sillytavern.import_character(file_name, data)
    stored = as_json(sillytavern.get_character(picture))
    exports = [sillytavern.export_character(picture, form) for form in _EXPORTED]
    assert [read_book(data, file_name=picture) for data in (stored, *exports)] == [sent, sent, sent]


@pytest.mark.parametrize("name", WHOLE)
def test_a_character_has_every_field_of_its_card(name: str, written: tuple[Book, Card], sillytavern: Server) -> None:
    picture = sillytavern.import_character(*write(name, *written))
    _, same = write(WHOLE[name], *written)
    sent = json.loads(same)["data"]
    sent |= {"name": _NO_FILE_NAME.sub("", sent["name"]), "extensions": sent["extensions"] | {"fav": False}}
    assert sillytavern.get_character(picture)["data"] == sent
    (listed,) = (each["data"] for each in sillytavern.list_characters() if each["avatar"] == picture)
    shown = ("name", "character_version", "creator", "creator_notes", "tags")
    assert {name: listed[name] for name in shown} == {name: sent[name] for name in shown}


def test_a_picture_stays_the_picture_of_its_character(written: tuple[Book, Card], sillytavern: Server) -> None:
    file_name, data = write("png", *written)
    exported = sillytavern.export_character(sillytavern.import_character(file_name, data), "png")
    ours, theirs = (Image.open(io.BytesIO(each)).convert("RGBA") for each in (data, exported))
    assert (ours.size, ours.tobytes()) == (theirs.size, theirs.tobytes())


@pytest.mark.parametrize("name", [*WORLDS, *CARDS])
def test_what_is_broken_is_refused(name: str, card: Card, sillytavern: Server) -> None:
    """
    SillyTavern really looks: half a file is not taken.
    """
    file_name, data = write(name, lavish(), card)
    with pytest.raises(RefusedError):
        (sillytavern.import_world if name in WORLDS else sillytavern.import_character)(
            file_name, data[: len(data) // 2]
        )


@pytest.fixture(scope="module")
def made(sillytavern: Server, page: Page, card: Card) -> str:
    """
    The name of a world that SillyTavern has made and saved, with fields that nobody knows.
    """
    _, data = write("card-v2", lavish(), card)
    world = page.world_of(json.loads(data)["data"]["character_book"])
    for entry in (world, *world["entries"].values()):
        entry["novelty"] = {"deep": [1, None, {"er": 0.5}]}
    world["entries"]["0"]["characterFilter"] = {"isExclude": True, "names": ["Mira"], "tags": ["1"]}
    sillytavern.save_world("Made", world)
    return "Made"


def test_a_world_as_it_is_stored_is_read_and_written_without_loss(made: str, sillytavern: Server, card: Card) -> None:
    stored = sillytavern.stored_world(made)
    book = read_book(stored, file_name=f"{made}.json")
    check(lavish().model_copy(update={"name": made}), book, _BOOK_OF_A_CARD)
    _, again = write("world-info", book, card)
    assert lost(json.loads(stored), json.loads(again)) == []


@pytest.mark.parametrize("form", _EXPORTED)
def test_a_world_within_an_exported_card_is_read_and_written_without_loss(
    form: Literal["png", "json"], made: str, sillytavern: Server, card: Card
) -> None:
    picture = sillytavern.create_character("Keeper", world=made)
    book = read_book(sillytavern.export_character(picture, form), file_name=f"{picture}.{form}")
    check(lavish().model_copy(update={"name": made}), book, _BOOK_OF_A_CARD)
    _, again = write("card-v3", book, card)
    inside = sillytavern.get_character(picture)["data"]["character_book"]
    assert lost(inside, json.loads(again)["data"]["character_book"]) == []


def test_what_others_put_into_a_card_survives(sillytavern: Server, card: Card) -> None:
    _, data = write("card-v3", lavish(), card)
    strange = json.loads(data)
    for item in (book := strange["data"]["character_book"], *book["entries"]):
        item["novelty"] = item["extensions"]["novelty"] = {"deep": [1, None, {"er": 0.5}]}
    picture = sillytavern.import_character("strange.json", as_json(strange))
    for form in _EXPORTED:
        read = read_book(sillytavern.export_character(picture, form), file_name=picture)
        _, again = write("card-v3", read, card)
        assert lost(book, json.loads(again)["data"]["character_book"]) == []


def lost(before: object, after: object, at: str = "$") -> list[str]:
    """
    Return what *before* says and *after* does not, as JSON paths; what is added is not counted, null says nothing.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            path
            for name, value in before.items()
            for path in lost(value, after.get(name), f"{at}.{name}")
            if name != _IDLE
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [path for place, (one, other) in pairs for path in lost(one, other, f"{at}[{place}]")]
    return [] if as_json(before) == as_json(after) else [at]
