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

from lorebook.book import CARD_NAMES, Book, Entry, ExportLanguage, from_ruleset
from lorebook.formats import FORMATS, Card, card_for, read_book
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic
from lorebook.ruleset import Ruleset
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

WORLDS: Mapping[str, Mapping[str, str]] = {"world-info": {}, "chub": {}}
"""Formats that are imported as World Info: what SillyTavern changes (as `entry: content`), and why."""
CARDS: Mapping[str, Mapping[str, str]] = {
    "card-v2": _BOOK_OF_A_CARD,
    "card-v3": _BOOK_OF_A_CARD,
    "png": _BOOK_OF_A_CARD,
}
"""Formats that are imported as a character: what changes when the page makes a world of the book inside."""
_EXPORTED: tuple[Literal["png", "json"], ...] = ("png", "json")
_SAME_CARD = {"png": "card-v3"}
"""The JSON format that has the fields of a card in a container."""
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


def lavish() -> Book:
    """
    Return a book in which every setting has every value that it can have, or one that is not the default.
    """
    plain = EntrySettings()
    settings = [
        *(plain.model_copy(update={"position": position, "depth": 7}) for position in Position),
        *(
            plain.model_copy(update={"secondary_logic": logic, "secondary_keys": ("a", "b")})
            for logic in SecondaryLogic
        ),
        *(plain.model_copy(update={"role": role, "position": Position.AT_DEPTH}) for role in Role),
        *(plain.model_copy(update={"case_sensitive": flag, "match_whole_words": flag}) for flag in (True, False)),
        EntrySettings(enabled=False, constant=True, probability=12.5, insertion_order=-3),
    ]
    entries = [
        Entry(uid=uid, name=f"Gate {uid}", keys=(f"gate {uid}",), content="@@depth 4\nIt opens.", settings=setting)
        for uid, setting in enumerate(settings)
    ]
    spelt = Entry(uid=40, name="名 \N{DRAGON}", keys=("/ga(te|p)s?/i", "one, two", "门"), content=" 开\r\n\t了。\n")
    more = Entry(uid=41, name="More", keys=("more",), extensions={**_RICH, "novelty": {"deep": [1, None]}})
    return Book(
        name="Archive 档案",
        description="What the tide left.",
        entries=(*entries, spelt, more),
        scan_depth=3,
        token_budget=500,
        recursive_scanning=True,
        extensions={"novelty": {"deep": [1, None]}},
    )


_RICH = {
    "exclude_recursion": True,
    "prevent_recursion": True,
    "delay_until_recursion": 2,
    "display_index": 5,
    "outlet_name": "harbour",
    "group": "tides,moons",
    "group_override": True,
    "group_weight": 30,
    "use_group_scoring": True,
    "scan_depth": 9,
    "automation_id": "bell",
    "vectorized": True,
    "sticky": 1,
    "cooldown": 2,
    "delay": 3,
    "match_persona_description": True,
    "match_character_description": True,
    "match_character_personality": True,
    "match_character_depth_prompt": True,
    "match_scenario": True,
    "match_creator_notes": True,
    "triggers": ["continue", "quiet"],
    "ignore_budget": True,
}


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


def check(sent: Book, got: Book, changed: Mapping[str, str]) -> None:
    """
    Assert that *got* says what *sent* says but for the fields *changed*; what SillyTavern adds are its own defaults.
    """
    ours, theirs = told(sent), told(got)
    assert len(got.entries) == len(sent.entries)
    differs = {path: (value, theirs.get(path)) for path, value in ours.items() if theirs.get(path) != value}
    # Nothing is excused that is kept.
    excused = {path for path in ours if re.sub(r" \d+", "", path) in changed and ours[path] not in (None, "")}
    assert differs == {path: differs.get(path, "kept") for path in excused}


def import_world(server: Server, page: Page, file_name: str, data: bytes) -> str:
    """
    Import a file as the page does; return the world's name.
    """
    converted = page.converted(file_name, data)
    return server.import_world(file_name, data, converted=None if converted is None else json.dumps(converted))


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_is_taken_as_it_is_meant(
    name: str, written: tuple[Book, Card], sillytavern: Server, page: Page
) -> None:
    file_name, data = write(name, *written)
    world = import_world(sillytavern, page, file_name, data)
    check(read_book(data, file_name=file_name), read_world(sillytavern, world), WORLDS[name])


@pytest.mark.parametrize("name", CARDS)
def test_the_book_in_a_card_becomes_the_world_that_is_meant(
    name: str, written: tuple[Book, Card], sillytavern: Server, page: Page
) -> None:
    file_name, data = write(name, *written)
    inside = sillytavern.get_character(sillytavern.import_character(file_name, data))["data"]["character_book"]
    sillytavern.save_world(inside["name"], page.world_of(inside))
    check(read_book(data, file_name=file_name), read_world(sillytavern, inside["name"]), CARDS[name])


@pytest.mark.parametrize("name", CARDS)
def test_a_card_comes_back_from_every_export_with_the_same_book(
    name: str, written: tuple[Book, Card], sillytavern: Server
) -> None:
    file_name, data = write(name, *written)
    sent, picture = read_book(data, file_name=file_name), sillytavern.import_character(file_name, data)
    stored = as_json(sillytavern.get_character(picture))
    exports = [sillytavern.export_character(picture, form) for form in _EXPORTED]
    assert [read_book(data, file_name=picture) for data in (stored, *exports)] == [sent, sent, sent]


@pytest.mark.parametrize("name", CARDS)
def test_a_character_has_every_field_of_its_card(name: str, written: tuple[Book, Card], sillytavern: Server) -> None:
    picture = sillytavern.import_character(*write(name, *written))
    _, same = write(_SAME_CARD.get(name, name), *written)
    sent = json.loads(same)["data"]
    sent |= {"name": _NO_FILE_NAME.sub("", sent["name"]), "extensions": sent["extensions"] | {"fav": False}}
    assert sillytavern.get_character(picture)["data"] == sent
    (listed,) = (each["data"] for each in sillytavern.list_characters() if each["avatar"] == picture)
    shown = ("name", "character_version", "creator", "creator_notes", "tags")
    assert {field: listed[field] for field in shown} == {field: sent[field] for field in shown}


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
