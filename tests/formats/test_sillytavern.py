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
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from PIL import Image

from lorebook.book import CARD_NAMES, Book, ExportLanguage, from_ruleset
from lorebook.formats import (
    FORMATS,
    OWN_PICTURE,
    Card,
    Content,
    card_for,
    cover_for,
    export,
    open_document,
    read_book,
)
from lorebook.ruleset import Ruleset
from tests.formats import lavish
from tests.formats.meaning import check, differences, field
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
_FOREIGN = dict.fromkeys(
    (
        *(f"book: {name}" for name in ("description", "scan_depth", "token_budget", "recursive_scanning")),
        *(f"entry: {name}" for name in CARD_NAMES.values()),
        *(f"entry: {name}" for name in ("position", "depth", "role", "case_sensitive", "match_whole_words", "novelty")),
    ),
    "the page takes keys, title, text and order from a file of another program, and little else",
) | {
    "entry: uid": "entries are numbered as they stand",
    "entry: keys": "the page splits keys at commas, or the format holds patterns otherwise",
    "entry: secondary_keys": "the page reads none",
    "entry: secondary_logic": "there are no secondary keys",
}
_UNREAD = {"entry: constant": "the page reads no such switch", "entry: probability": "the page reads none"}
WORLDS: Mapping[str, Mapping[str, str]] = {
    "world-info": {},
    "chub": {},
    "risu-lorebook": _FOREIGN
    | {
        "entry: enabled": "RisuAI has no such switch; a decorator says it, which the page leaves in the text",
        "entry: content": "the page leaves decorators in the text",
    },
    "agnai": _FOREIGN | _UNREAD,
    "novelai": _FOREIGN | _UNREAD,
}
"""Formats that are imported as World Info."""
FOREIGN = ("risu-lorebook", "agnai", "novelai")
"""Those of them that the page converts."""
CARDS: Mapping[str, Mapping[str, str]] = {
    "card-v2": _BOOK_OF_A_CARD,
    "card-v3": _BOOK_OF_A_CARD,
    "png": _BOOK_OF_A_CARD,
    "charx": _BOOK_OF_A_CARD,
}
"""Formats that are imported as a character, whose book the page makes a world of."""
WHOLE: Mapping[str, str] = {"card-v2": "card-v2", "card-v3": "card-v3", "png": "card-v3", "charx": "card-v3"}
"""Cards that are kept whole, and the JSON format that has the same fields."""
_STRANGE = {"deep": [1, None, {"er": 0.5}], "潮": "\u2028"}
_LISTED = ("name", "character_version", "creator", "creator_notes", "tags")
_V1 = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
_MISSING = "(missing)"
_EXPORTED: tuple[Literal["png", "json"], ...] = ("png", "json")
_NO_FILE_NAME = re.compile(r'[/?<>\\:*|"]')


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    if reason := harness.missing():
        pytest.skip(reason)
    with Page() as page:
        yield page


def shipped(name: str, language: ExportLanguage) -> Content:
    ruleset = Ruleset.load(_RULES / name)
    return Content(from_ruleset(ruleset, language), card_for(ruleset, language), {OWN_PICTURE: cover_for(ruleset)})


@pytest.fixture(scope="module", params=["chinese", "both", "lavish"])
def content(request: pytest.FixtureRequest) -> Content:
    if request.param == "lavish":
        return lavish.content()
    name, language = (
        ("ocg-zh", ExportLanguage.ZH) if request.param == "chinese" else ("ygo-classic", ExportLanguage.BOTH)
    )
    return shipped(name, language)


def write(name: str, content: Content) -> tuple[str, bytes]:
    """
    Return a file of the format *name*: what it is called, and its bytes.
    """
    form = FORMATS[name]
    return f"{content.needed_book.name}{form.suffix}", export(form, content).data


def named_as_a_file(card: Card) -> Card:
    """
    Return *card* with the name that SillyTavern gives it: what no file may be called is cut out.
    """
    return replace(card, name=_NO_FILE_NAME.sub("", card.name))


def told_of(raw: Mapping[str, Any], names: tuple[str, ...]) -> bytes:
    return as_json([raw[name] for name in names])


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()


def read_world(server: Server, name: str) -> Book:
    """
    Return the world *name* as SillyTavern reads it: as World Info, whatever else is in the file.
    """
    return read_book(as_json(server.get_world(name)), file_name=f"{name}.json", form=FORMATS["world-info"])


def taken(name: str, content: Content, server: Server, page: Page) -> Book:
    """
    Return the world that SillyTavern makes of *content* in a file of the format *name*.
    """
    file_name, data = write(name, content)
    if name in WORLDS:
        converted = page.converted(file_name, data)
        world = server.import_world(file_name, data, converted=json.dumps(converted) if converted else None)
    else:
        inside = server.get_character(server.import_character(file_name, data))["data"]["character_book"]
        world = inside.get("name") or "Lorebook"
        server.save_world(world, page.world_of(inside))
    return read_world(server, world)


@pytest.mark.parametrize("name", [*WORLDS, *CARDS])
def test_a_file_becomes_the_world_that_is_meant(name: str, content: Content, sillytavern: Server, page: Page) -> None:
    # Of another program's file the page reads nothing that could name the rule of an entry; the lavish book has none.
    rule = {"entry: rule": "no field of it is read"} if name in FOREIGN else {}
    check(content.needed_book, taken(name, content, sillytavern, page), {**{**WORLDS, **CARDS}[name], **rule})


@pytest.mark.parametrize("name", [*WORLDS, *CARDS])
def test_nothing_is_excused_that_sillytavern_keeps(name: str, sillytavern: Server, page: Page) -> None:
    found = differences(lavish.book(), taken(name, lavish.content(), sillytavern, page))
    assert {field(path) for path in found} == set({**WORLDS, **CARDS}[name])


@pytest.mark.parametrize("name", WHOLE)
def test_a_card_comes_back_from_every_export_with_the_same_book(
    name: str, content: Content, sillytavern: Server
) -> None:
    file_name, data = write(name, content)
    sent, picture = read_book(data, file_name=file_name), sillytavern.import_character(file_name, data)
    stored = as_json(sillytavern.get_character(picture))
    exports = [sillytavern.export_character(picture, form) for form in _EXPORTED]
    assert [read_book(data, file_name=picture) for data in (stored, *exports)] == [sent, sent, sent]


def card_in(name: str, content: Content) -> dict[str, Any]:
    """
    Return the `data` of the card that a file of *content* has; in an archive its picture is a member.
    """
    data = write(name if name == "charx" else WHOLE[name], content)[1]
    if name == "charx":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read("card.json")
    found: dict[str, Any] = json.loads(data)["data"]
    return found


@pytest.mark.parametrize("name", WHOLE)
def test_a_character_has_every_field_of_its_card(name: str, content: Content, sillytavern: Server) -> None:
    picture = sillytavern.import_character(*write(name, content))
    sent = card_in(name, content)
    card = named_as_a_file(content.needed_card)
    # A shared card is nobody's favourite.
    sent |= {"name": card.name, "extensions": sent["extensions"] | {"fav": False}}
    assert sillytavern.get_character(picture)["data"] == sent
    (listed,) = (each["data"] for each in sillytavern.list_characters() if each["avatar"] == picture)
    assert told_of(listed, _LISTED) == told_of(asdict(card), _LISTED)


def test_a_card_v1_becomes_a_character(content: Content, sillytavern: Server) -> None:
    file_name, data = write("card-v1", content)
    got = sillytavern.get_character(sillytavern.import_character(file_name, data))["data"]
    # SillyTavern takes the fields of V1 and drops all others.
    assert told_of(got, _V1) == told_of(asdict(named_as_a_file(content.needed_card)), _V1)


def test_a_picture_stays_the_picture_of_its_character(content: Content, sillytavern: Server) -> None:
    exported = sillytavern.export_character(sillytavern.import_character(*write("png", content)), "png")
    ours, theirs = (Image.open(io.BytesIO(each)).convert("RGBA") for each in (content.files[OWN_PICTURE], exported))
    assert (ours.size, ours.tobytes()) == (theirs.size, theirs.tobytes())


@pytest.mark.parametrize("name", [*WORLDS, *CARDS])
def test_what_is_broken_is_refused(name: str, sillytavern: Server) -> None:
    """
    SillyTavern really looks: half a file is not taken.
    """
    file_name, data = write(name, lavish.content())
    take = sillytavern.import_world if name in WORLDS else sillytavern.import_character
    with pytest.raises(RefusedError):
        take(file_name, data[: len(data) // 2])


@pytest.fixture(scope="module")
def made(sillytavern: Server, page: Page) -> str:
    """
    The name of a world that SillyTavern has made and saved, with fields that nobody knows.
    """
    _, data = write("card-v2", lavish.content())
    world = page.world_of(json.loads(data)["data"]["character_book"])
    for item in (world, *world["entries"].values()):
        item["strange"] = _STRANGE
    world["entries"]["0"]["characterFilter"] = {"isExclude": True, "names": ["Mira"], "tags": ["1"]}
    sillytavern.save_world("Made", world)
    return "Made"


def test_a_stored_world_is_read_and_edited_without_loss(made: str, sillytavern: Server) -> None:
    stored = sillytavern.stored_world(made)
    check(lavish.book().model_copy(update={"name": made}), read_book(stored, file_name=f"{made}.json"), _BOOK_OF_A_CARD)
    assert open_document(stored, file_name=made).write().data == stored
    assert different(json.loads(stored), json.loads(edited(stored))) == ["$.entries.0.content"]


@pytest.mark.parametrize("form", _EXPORTED)
def test_an_exported_card_with_a_linked_world_is_read_and_edited_without_loss(
    form: Literal["png", "json"], made: str, sillytavern: Server
) -> None:
    picture = sillytavern.create_character("Keeper", world=made)
    exported = sillytavern.export_character(picture, form)
    check(lavish.book().model_copy(update={"name": made}), read_book(exported, file_name=picture), _BOOK_OF_A_CARD)
    check_edited(picture, form, sillytavern)


@pytest.mark.parametrize("form", _EXPORTED)
def test_an_exported_card_of_others_is_edited_without_loss(form: Literal["png", "json"], sillytavern: Server) -> None:
    card = json.loads(write("card-v3", lavish.content())[1])
    data, book = card["data"], card["data"]["character_book"]
    for item in (card, data, book, *book["entries"]):
        item["strange"] = _STRANGE
    for item in (data, book, *book["entries"]):
        item["extensions"]["strange"] = _STRANGE
    check_edited(sillytavern.import_character("strange.json", as_json(card)), form, sillytavern)


def check_edited(picture: str, form: Literal["png", "json"], server: Server) -> None:
    """
    Assert that an export of the character *picture* can be written back, and that an edit changes nothing else.
    """
    exported = server.export_character(picture, form)
    assert open_document(exported, file_name=picture).write().data == exported
    again = server.import_character(f"again.{form}", edited(exported))
    before, after = (json.loads(server.export_character(each, "json")) for each in (picture, again))
    assert different(before, after) == ["$.create_date", "$.data.character_book.entries[0].content"]


def edited(data: bytes) -> bytes:
    """
    Return a file with another content in its book's first entry.
    """
    document = open_document(data, file_name="of SillyTavern")
    first, *rest = document.content.needed_book.entries
    first = first.model_copy(update={"content": "It stays shut."})
    book = document.content.needed_book.model_copy(update={"entries": (first, *rest)})
    return document.write(replace(document.content, book=book)).data


def different(before: object, after: object, at: str = "$") -> list[str]:
    """
    Return the places in which two values of JSON differ, sorted.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        pairs = {
            f"{at}.{name}": (before.get(name, _MISSING), after.get(name, _MISSING)) for name in {**before, **after}
        }
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = {f"{at}[{place}]": both for place, both in enumerate(zip(before, after, strict=True))}
    else:
        return [] if as_json(before) == as_json(after) else [at]
    return sorted(path for name, (one, other) in pairs.items() for path in different(one, other, name))
