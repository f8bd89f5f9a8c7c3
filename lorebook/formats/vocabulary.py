"""
The words that World Info and character books share, and where an `Entry` keeps what has no word of its own.

`Entry.extensions` and `Book.extensions` are the file's own `extensions`, with two things of ours:

* Settings of World Info that `EntrySettings` does not know (`group`, `sticky`, …) stand in an entry's `extensions`
  under the names that SillyTavern gives them there when it puts a book into a card, whichever file they came from.
* Under `extensions["lorebook"]`: `fields`, what stood beside the file's `extensions` and is not understood; and, for
  an entry, `inert`, what a switch of the file had turned off (secondary keys that are not used, a chance that is not
  rolled). Neither is written there: both go back to where they were. In a file `extensions.lorebook` has the rule's id.

Names and numbers are SillyTavern's, release 1.18.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lorebook.book import Book, Entry
from lorebook.records import Position, Role, SecondaryLogic

OWN = "lorebook"
"""Our key in every `extensions`."""
ORIGIN = "origin"
"""Under it: the file that a book was converted from."""

BESIDE = "beside"
"""Under it, in a file to the letter of a specification: what would else stand beside the `extensions`."""

_PLACED = ("rule", "fields", "inert")

ALWAYS = 100
"""The probability, per cent, of an entry that needs no luck."""

POSITIONS = tuple(Position)
"""At the index that World Info writes: 0 is before the character, 7 an outlet."""
LOGICS = tuple(SecondaryLogic)
"""At the index that World Info writes as `selectiveLogic`."""
ROLES = tuple(Role)
"""At the index that World Info writes as `role`."""

SETTINGS_IN_EXTENSIONS = frozenset(
    {
        "position",
        "depth",
        "role",
        "probability",
        "useProbability",
        "selectiveLogic",
        "case_sensitive",
        "match_whole_words",
    }
)
"""Names in the `extensions` of a card's entry that say what `EntrySettings` says."""


SAYS_NOTHING: Mapping[str, tuple[Any, ...]] = {
    "exclude_recursion": (False,),
    "prevent_recursion": (False,),
    "delay_until_recursion": (False, 0),
    "outlet_name": ("",),
    "group": ("",),
    "group_override": (False,),
    "group_weight": (ALWAYS,),
    "use_group_scoring": (False,),
    "automation_id": ("",),
    "vectorized": (False,),
    "sticky": (0,),
    "cooldown": (0,),
    "delay": (0,),
    "match_persona_description": (False,),
    "match_character_description": (False,),
    "match_character_personality": (False,),
    "match_character_depth_prompt": (False,),
    "match_scenario": (False,),
    "match_creator_notes": (False,),
    "triggers": ([],),
    "ignore_budget": (False,),
}
"""Values of settings in an entry's `extensions` that mean what a missing one means."""


def fields(item: Book | Entry) -> dict[str, Any]:
    """
    Return what stood beside the `extensions` of *item* in its file and is not understood, sorted by name.
    """
    return dict(sorted(_own(item.extensions).get("fields", {}).items()))


def with_fields(item: Book | Entry, kept: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the `extensions` of *item* with only the fields *kept* of those that stood beside them in its file.
    """
    own = {**_own(item.extensions), "fields": dict(kept)}
    return {**item.extensions} | ({OWN: own} if OWN in item.extensions else {})


def inert(entry: Entry) -> dict[str, Any]:
    """
    Return the `secondary_keys` and the `probability` of *entry* that are switched off.
    """
    return dict(_own(entry.extensions).get("inert", {}))


def keep(extensions: Mapping[str, Any], **kept: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the `extensions` of a file as an entry or a book has them, with what else is to be *kept*.
    """
    own = {name: value for name, value in _own(extensions).items() if name not in _PLACED}
    if "fields" in kept:
        beside = own.pop(BESIDE, None)
        kept["fields"] = (beside if isinstance(beside, dict) else {}) | dict(kept["fields"])
    own |= {name: dict(value) for name, value in kept.items() if value}
    return {key: value for key, value in extensions.items() if key != OWN} | ({OWN: own} if own else {})


def rule_of(extensions: Mapping[str, Any]) -> str | None:
    """
    Return the rule that the `extensions` of an entry in a file name.
    """
    rule = _own(extensions).get("rule")
    return rule if isinstance(rule, str) else None


def written(item: Book | Entry) -> dict[str, Any]:
    """
    Return the `extensions` of *item* as a file has them, sorted by name.
    """
    kept = {key: value for key, value in sorted(item.extensions.items()) if key != OWN}
    own = {key: value for key, value in _own(item.extensions).items() if key not in _PLACED}
    if isinstance(item, Entry) and item.rule is not None:
        own["rule"] = item.rule
    return kept | ({OWN: own} if own else {})


def secondary(entry: Entry) -> tuple[list[str], bool]:
    """
    Return the secondary keys of *entry* as a file has them, and whether they are in use.
    """
    used = entry.settings.secondary_keys
    return (list(used), True) if used else (list(inert(entry).get("secondary_keys", ())), False)


def chance(entry: Entry) -> tuple[float, bool]:
    """
    Return the probability of *entry* as a file has it, a whole number as int, and whether it is rolled.
    """
    probability = entry.settings.probability
    if probability == ALWAYS and "probability" in inert(entry):
        return inert(entry)["probability"], False
    return plain(probability), True


def plain(number: float) -> float:
    """
    Return *number* as JSON should show it: 100, not 100.0.
    """
    return int(number) if number == int(number) else number


def settle(book: Book, head: Iterable[str], names: Iterable[str]) -> Book:
    """
    Return *book* as a format can write it whose books have *head* and whose entries have *names* of their own.

    What stands under such a name without being understood is left out, and entries get distinct numbers.
    """
    settled = [
        entry.model_copy(update={"extensions": _settle(entry, frozenset(names), SETTINGS_IN_EXTENSIONS)})
        for entry in distinct(book.entries)
    ]
    extensions = _settle(book, frozenset(head), frozenset())
    return book.model_copy(update={"extensions": extensions, "entries": tuple(settled)})


def distinct(entries: Iterable[Entry]) -> list[Entry]:
    """
    Return *entries* with numbers that differ; of equal ones the first keeps its own.
    """
    entries = list(entries)
    result: list[Entry] = []
    used = {entry.uid for entry in entries}
    seen: set[int] = set()
    for entry in entries:
        uid = free(used) if entry.uid in seen else entry.uid
        seen.add(uid)
        used.add(uid)
        result.append(entry if uid == entry.uid else entry.model_copy(update={"uid": uid}))
    return result


def free(used: Iterable[int]) -> int:
    """
    Return the number after the highest in *used*.
    """
    return max(used, default=-1) + 1


def _own(extensions: Mapping[str, Any]) -> dict[str, Any]:
    own = extensions.get(OWN)
    return own if isinstance(own, dict) else {}


OCCUPIED = "the format uses this name for something else"
"""Why a field that nobody understands may not be written."""


def _settle(item: Book | Entry, names: frozenset[str], settings: frozenset[str]) -> dict[str, Any]:
    kept = {name: value for name, value in fields(item).items() if name not in names}
    return {name: value for name, value in with_fields(item, kept).items() if name not in settings}
