"""
Other people's readers accept our cards: character-card-utils (V1, V2) and @risuai/ccardlib (V2 and V3), from npm.

Neither reads World Info or Chub's lorebooks.
"""

from __future__ import annotations

import base64
import io
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from lorebook.book import Book, Entry, ExportLanguage, from_ruleset
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, card_for, export
from lorebook.records import EntrySettings, Position, SecondaryLogic
from lorebook.ruleset import Ruleset
from tests.formats.containers.pictures import SIGNATURE, opened
from tests.formats.files import PICTURE, made, saved

_PEERS = ("character-card-utils@2.0.3", "@risuai/ccardlib@0.4.2")
_SCRIPT = Path(__file__).with_name("accepts.cjs")
_CARDS = ("card-v2", "card-v3", "charx")
_ROOT = Path(__file__).parents[2]
_RULESETS = sorted(path.parent for path in _ROOT.glob("rules/*/ruleset.toml"))
_EXPORTS = sorted(path for path in _ROOT.glob("exports/**/*") if path.suffix in (".json", ".png", ".charx"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
]


@pytest.fixture(scope="session")
def peers() -> Path:
    """
    Return the folder of the installed packages, kept for the next run.
    """
    folder = Path.home() / ".cache" / "lorebook-tests" / "-".join(peer.rpartition("@")[2] for peer in _PEERS)
    if not all((folder / "node_modules" / peer.rpartition("@")[0]).is_dir() for peer in _PEERS):
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", str(folder), *_PEERS]
        subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return folder


def refusals(documents: dict[str, bytes], peers: Path, tmp_path: Path) -> dict[str, list[str]]:
    """
    Return what the peers have against *documents*, by name; a name ends in `.v1`, `.v2` or `.v3`.
    """
    files = [tmp_path / f"{name}.json" for name in documents]
    for file, data in zip(files, documents.values(), strict=True):
        file.write_bytes(data)
    # A copy beside the packages: Node looks for them from where the script lies.
    script = shutil.copy(_SCRIPT, peers)
    run = subprocess.run(["node", script, *map(str, files)], check=True, capture_output=True, text=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [answer["file"] for answer in answers] == list(map(str, files))
    return {Path(answer["file"]).stem: answer["refusals"] for answer in answers if answer["refusals"]}


def documents(data: bytes, name: str) -> dict[str, bytes]:
    """
    Return the cards in a file, each with its version in its name; none for what is no card.
    """
    if data.startswith(SIGNATURE):
        texts = opened(data)[0]
        versions = (("chara", "v2"), ("ccv3", "v3"))
        return {f"{name}-png.{version}": base64.b64decode(texts[keyword]) for keyword, version in versions}
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {f"{name}.v3": archive.read("card.json")} if "card.json" in archive.namelist() else {}
    whole = json.loads(data)
    spec = str(whole.get("spec", "")) if isinstance(whole, dict) else ""
    return {f"{name}.{spec[-2:]}": data} if spec.startswith("chara_card_v") else {}


@pytest.mark.parametrize("folder", _RULESETS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("language", ExportLanguage)
def test_cards_of_every_shipped_ruleset_are_accepted(
    folder: Path, language: ExportLanguage, peers: Path, tmp_path: Path
) -> None:
    ruleset = Ruleset.load(folder)
    content = Content(from_ruleset(ruleset, language), card_for(ruleset, language), {OWN_PICTURE: PICTURE})
    cards: dict[str, bytes] = {}
    for name in ("card-v2", "card-v3", "png", "charx"):
        for how in ("usual", "strict"):
            written = export(FORMATS[name], content, strict=how == "strict").data
            cards |= documents(written, f"{name}-{how}")
    cards["card-v1-strict.v1"] = export(FORMATS["card-v1"], content, strict=True).data
    assert {name.rpartition("-")[0] for name in cards} == {*_CARDS, "png-usual", "png-strict", "card-v1"}
    assert len(cards) == 11
    assert refusals(cards, peers, tmp_path) == {}


@pytest.mark.skipif(not _EXPORTS, reason="there are no exports")
def test_cards_among_the_exports_are_accepted(peers: Path, tmp_path: Path) -> None:
    cards: dict[str, bytes] = {}
    for number, path in enumerate(_EXPORTS):
        cards |= documents(path.read_bytes(), f"{number}-{path.stem}")
    assert refusals(cards, peers, tmp_path) == {}


def test_every_setting_that_an_entry_can_have_is_accepted(card: Card, peers: Path, tmp_path: Path) -> None:
    plain = EntrySettings()
    entries = [
        Entry(uid=uid, name="Gate", keys=("gate",), content="@@depth 4\nOpens.", settings=settings)
        for uid, settings in enumerate(
            [
                *(plain.model_copy(update={"position": position}) for position in Position),
                *(
                    plain.model_copy(update={"secondary_logic": logic, "secondary_keys": ("a",)})
                    for logic in SecondaryLogic
                ),
                *(plain.model_copy(update={"case_sensitive": case}) for case in (True, False)),
                EntrySettings(enabled=False, constant=True, probability=12.5, match_whole_words=True),
            ]
        )
    ]
    entries.append(Entry(uid=99, extensions={"sticky": None, "lorebook": {"fields": {"priority": 3, "wpp": None}}}))
    book = Book(name="Archive", scan_depth=2, token_budget=100, recursive_scanning=True, entries=tuple(entries))
    cards: dict[str, bytes] = {}
    for name in ("card-v2", "card-v3", "png"):
        cards |= documents(made(FORMATS[name], book, card).data, name)
    assert refusals(cards, peers, tmp_path) == {}


@pytest.mark.parametrize("name", ["card-v2", "card-v3"])
def test_a_card_that_breaks_its_specification_is_refused(name: str, card: Card, peers: Path, tmp_path: Path) -> None:
    """
    The peers really look: a book without its `extensions`, as SillyTavern writes it, does not pass.
    """
    whole = saved(name, Book(name="Archive"), card)
    del whole["data"]["character_book"]["extensions"]
    file = f"broken.{name[-2:]}"
    assert refusals({file: json.dumps(whole).encode()}, peers, tmp_path)[file]


def test_a_card_v1_that_has_not_all_of_its_texts_is_refused(card: Card, peers: Path, tmp_path: Path) -> None:
    whole = saved("card-v1", None, card)
    del whole["mes_example"]
    assert refusals({"broken.v1": json.dumps(whole).encode()}, peers, tmp_path)["broken.v1"]
