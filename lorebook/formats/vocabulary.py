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
from types import MappingProxyType
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats.export import Loss
from lorebook.records import Position, Role, SecondaryLogic

OWN = "lorebook"
"""Our key in every `extensions`."""

ALWAYS = 100
"""The probability, per cent, of an entry that needs no luck."""

POSITIONS = tuple(Position)
"""At the index that World Info writes: 0 is before the character, 7 an outlet."""
LOGICS = tuple(SecondaryLogic)
"""At the index that World Info writes as `selectiveLogic`."""
ROLES = tuple(Role)
"""At the index that World Info writes as `role`."""

CARD_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "excludeRecursion": "exclude_recursion",
        "preventRecursion": "prevent_recursion",
        "delayUntilRecursion": "delay_until_recursion",
        "displayIndex": "display_index",
        "outletName": "outlet_name",
        "group": "group",
        "groupOverride": "group_override",
        "groupWeight": "group_weight",
        "useGroupScoring": "use_group_scoring",
        "scanDepth": "scan_depth",
        "automationId": "automation_id",
        "vectorized": "vectorized",
        "sticky": "sticky",
        "cooldown": "cooldown",
        "delay": "delay",
        "matchPersonaDescription": "match_persona_description",
        "matchCharacterDescription": "match_character_description",
        "matchCharacterPersonality": "match_character_personality",
        "matchCharacterDepthPrompt": "match_character_depth_prompt",
        "matchScenario": "match_scenario",
        "matchCreatorNotes": "match_creator_notes",
        "triggers": "triggers",
        "ignoreBudget": "ignore_budget",
    }
)
"""Settings of an entry: World Info's name, and the name in the `extensions` of a card's entry."""

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


def fields(item: Book | Entry) -> dict[str, Any]:
    """
    Return what stood beside the `extensions` of *item* in its file and is not understood, sorted by name.
    """
    return dict(sorted(item.extensions.get(OWN, {}).get("fields", {}).items()))


def inert(entry: Entry) -> dict[str, Any]:
    """
    Return the `secondary_keys` and the `probability` of *entry* that are switched off.
    """
    return dict(entry.extensions.get(OWN, {}).get("inert", {}))


def keep(extensions: Mapping[str, Any], **kept: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the `extensions` of a file as an entry or a book has them, with what else is to be *kept*.
    """
    own = extensions.get(OWN)
    own = {key: value for key, value in own.items() if key != "rule"} if isinstance(own, dict) else {}
    own |= {name: dict(value) for name, value in kept.items() if value}
    return {key: value for key, value in extensions.items() if key != OWN} | ({OWN: own} if own else {})


def rule_of(extensions: Mapping[str, Any]) -> str | None:
    """
    Return the rule that the `extensions` of an entry in a file name.
    """
    own = extensions.get(OWN)
    rule = own.get("rule") if isinstance(own, dict) else None
    return rule if isinstance(rule, str) else None


def written(item: Book | Entry) -> dict[str, Any]:
    """
    Return the `extensions` of *item* as a file has them, sorted, without the settings that the writer adds.
    """
    skip = SETTINGS_IN_EXTENSIONS if isinstance(item, Entry) else frozenset()
    kept = {key: value for key, value in sorted(item.extensions.items()) if key != OWN and key not in skip}
    own = {key: value for key, value in item.extensions.get(OWN, {}).items() if key not in ("fields", "inert")}
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


def distinct(book: Book) -> tuple[tuple[Entry, ...], list[Loss]]:
    """
    Return the entries of *book* with a number that comes again replaced by a free one.
    """
    entries: list[Entry] = []
    losses: list[Loss] = []
    used = {entry.uid for entry in book.entries}
    seen: set[int] = set()
    for entry in book.entries:
        uid = free(used) if entry.uid in seen else entry.uid
        if uid != entry.uid:
            losses.append(Loss(entry.uid, "uid", f"an earlier entry has this number; written as {uid}"))
        seen.add(uid)
        used.add(uid)
        entries.append(entry.model_copy(update={"uid": uid}))
    return tuple(entries), losses


def free(used: Iterable[int]) -> int:
    """
    Return the number after the highest in *used*.
    """
    return max(used, default=-1) + 1


def occupied(item: Book | Entry, names: Iterable[str]) -> list[Loss]:
    """
    Return what of *item* is lost because the target has a meaning of its own for the name: one of *names*.
    """
    uid = item.uid if isinstance(item, Entry) else None
    why = "the format uses this name for something else"
    taken = [name for name in fields(item) if name in set(names)]
    if isinstance(item, Entry):
        taken += [f"extensions.{name}" for name in item.extensions if name in SETTINGS_IN_EXTENSIONS]
    return [Loss(uid, name, why) for name in taken]
