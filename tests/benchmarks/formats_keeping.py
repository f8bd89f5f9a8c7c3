"""
What of a file is still in it after it was read and written: looked at without any of the libraries that are measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path

import yaml

from tests.formats.corpus.decoding import Decoded, decoded, unlike
from tests.formats.corpus.trees import MISSING, Members, Number, Tree

_CARD_CHUNKS = ("ccv3", "chara")
_ENVELOPES = ("card", "character")
_SHOWN = 5
# What the names of text-generation-webui and Pygmalion are in the cards of the others.
_OTHER_NAMES = {
    "char_name": "name",
    "char_persona": "description",
    "world_scenario": "scenario",
    "char_greeting": "first_mes",
    "example_dialogue": "mes_example",
    "context": "description",
    "greeting": "first_mes",
}


class Verdict(StrEnum):
    """
    What became of a file.
    """

    KEPT = "kept"
    """Everything that its data says is still said; more may be."""
    LOSSY = "lossy"
    FAILED = "failed"
    """It was refused, the library broke down, or what was written says nothing."""
    OUT_OF_SCOPE = "out of scope"
    """The library does not say that it reads such files."""


@dataclass(frozen=True)
class Outcome:
    """
    A file in the hands of a library.
    """

    verdict: Verdict
    whole: bool = False
    """Whether all else of the file is the same, too: spelling, other payloads, chunks, members."""
    bytes: bool = False
    """Whether the file is the same byte for byte."""
    says: tuple[str, ...] = ()
    """What is lost, or what went wrong."""


def has_content(path: Path) -> bool:
    """
    Say whether there is anything in a file that could be kept.
    """
    return any(isinstance(tree, list | Members) and tree for tree in _opened(path).payloads.values())


def compared(before: Path, after: Path) -> Outcome:
    """
    Return what became of the file *before*, written as *after*.
    """
    one, other = _opened(before), _opened(after)
    ours, theirs = _counting(one), _counting(other)
    if not theirs:
        return Outcome(Verdict.FAILED, says=("what was written says nothing",))
    lost = [place for name, tree in ours.items() for place in _lost(tree, theirs.get(name, MISSING), name or "$")]
    same = before.read_bytes() == after.read_bytes()
    whole = same or not any(True for _ in unlike(one, other))
    return Outcome(Verdict.LOSSY if lost else Verdict.KEPT, whole, same, tuple(lost[:_SHOWN]))


def _opened(path: Path) -> Decoded:
    found = decoded(path.read_bytes())
    if path.suffix in (".yaml", ".yml"):
        found.payloads[""] = _tree(yaml.load(path.read_text("utf-8"), yaml.BaseLoader))  # noqa: S506 (texts only)
    return found


def _tree(value: object) -> Tree:
    if isinstance(value, dict):
        return Members((str(name), _tree(inner)) for name, inner in value.items())
    return [_tree(inner) for inner in value] if isinstance(value, list) else value


def _counting(found: Decoded) -> Mapping[str, Tree]:
    """
    Return the data that counts: of a picture with cards the newest kind of card, of other files all.
    """
    trees = {name: tree for name, tree in found.payloads.items() if isinstance(tree, list | Members)}
    card = next((trees[name] for name in _CARD_CHUNKS if name in trees), None)
    return {name: _data(tree) for name, tree in (trees if card is None else {"": card}).items()}


def _data(tree: Tree) -> Tree:
    """
    Return what is in a card, in an envelope or not; a V1 card has it at its top.
    """
    held = dict(tree) if isinstance(tree, Members) else {}
    inner = next((held[name] for name in _ENVELOPES if isinstance(held.get(name), Members)), None)
    if inner is not None and "data" in dict(inner):
        return _data(inner)
    return held["data"] if isinstance(held.get("data"), Members) else tree


def _lost(before: Tree, after: Tree, place: str) -> Iterator[str]:
    """
    Yield where *after* does not say what *before* says.
    """
    if isinstance(before, Members) and isinstance(after, Members):
        there = dict(after)
        for name, value in dict(before).items():
            found = there.get(name, there.get(_OTHER_NAMES.get(name, ""), MISSING))
            yield from _lost(value, found, f"{place}.{name}")
    elif type(before) is list and type(after) is list and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _lost(one, other, f"{place}[{number}]")
    elif not _same(before, after):
        yield place


def _same(before: Tree, after: Tree) -> bool:
    if isinstance(before, Number):
        number = _number(before)
        # NaN and infinity are not JSON: there is no value to keep.
        return number is None or (isinstance(after, Number) and _number(after) == number)
    return type(before) is type(after) and bool(before == after)


def _number(spelt: Number) -> Decimal | None:
    try:
        number = Decimal(spelt)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
