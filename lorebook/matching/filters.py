"""
The checks of an entry that need no text: switches, filters, timing, recursion flags.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum, StrEnum

from lorebook.matching import decorated
from lorebook.matching import javascript as js
from lorebook.matching.decorators import Head
from lorebook.matching.entries import CompiledEntry
from lorebook.matching.obstacles import Filtered
from lorebook.matching.request import ScanRequest
from lorebook.matching.timing import TimedEffects


class PassKind(IntEnum):
    """
    Why a pass is made.
    """

    NONE = 0
    INITIAL = 1
    RECURSION = 2
    MIN_ACTIVATIONS = 3


class Check(StrEnum):
    """
    A check that keeps an entry out of a pass.
    """

    DISABLED = "disabled"
    TRIGGER = "trigger"
    CHARACTER = "character"
    TAG = "tag"
    DELAY = "delay"
    COOLDOWN = "cooldown"
    DECORATOR = "decorator"
    WAITS_FOR_RECURSION = "waits_for_recursion"
    WAITS_FOR_LEVEL = "waits_for_level"
    EXCLUDED_FROM_RECURSION = "excluded_from_recursion"


def standing_check(
    entry: CompiledEntry, request: ScanRequest, timed: TimedEffects, heads: Mapping[str, Head]
) -> Check | None:
    """
    Return the check that keeps *entry* out of every pass of the scan, None where none does.

    *heads* are the decorators of entries' contents, by identity, where they are read.
    """
    if not entry.is_free and (check := _own_check(entry, request, timed)):
        return check
    if timed.is_cooling(entry) and not timed.is_sticky(entry):
        return Check.COOLDOWN
    head = heads.get(entry.identity) if heads else None
    return Check.DECORATOR if head and decorated.held_back(head, request, entry.identity) else None


def _own_check(entry: CompiledEntry, request: ScanRequest, timed: TimedEffects) -> Check | None:
    if entry.disabled:
        return Check.DISABLED
    triggers = entry["triggers"]
    if isinstance(triggers, list) and triggers and request.trigger not in triggers:
        return Check.TRIGGER
    if _is_filtered(entry, "names", request):
        return Check.CHARACTER
    if _is_filtered(entry, "tags", request):
        return Check.TAG
    return Check.DELAY if timed.is_delayed(entry) else None


def filtered(entry: CompiledEntry, check: Check, request: ScanRequest) -> Filtered:
    """
    Return what there is to say of *entry*, which *check*, a filter, keeps out.
    """
    if check == Check.TRIGGER:
        return Filtered(by="trigger")
    chosen, character = entry["characterFilter"], request.character
    is_excluding = js.truthy(chosen.get("isExclude"))
    if check == Check.CHARACTER:
        found = (character.stem,) if character and character.stem else ()
        return Filtered(by="character", listed=_texts(chosen["names"]), excludes=is_excluding, found=found)
    tags = _texts(character.tags or ()) if character else ()
    return Filtered(by="tag", listed=_texts(chosen["tags"]), excludes=is_excluding, found=tags)


def _texts(listed: str | Iterable[object]) -> tuple[str, ...]:
    return (listed,) if isinstance(listed, str) else tuple(map(js.text, listed))


def pass_check(
    entry: CompiledEntry, kind: PassKind, level: object, *, is_recursive: bool, timed: TimedEffects
) -> Check | None:
    """
    Return the check that keeps *entry* out of this pass, None where none does.

    *level* is the current recursion level, *is_recursive* whether recursion is switched on at all.
    """
    waits = js.truthy(entry.level)
    if kind != PassKind.RECURSION:
        return Check.WAITS_FOR_RECURSION if waits and not timed.is_sticky(entry) else None
    if waits and js.less_than(level, entry.level) and not timed.is_sticky(entry):
        return Check.WAITS_FOR_LEVEL
    if is_recursive and entry.flag("excludeRecursion") and not timed.is_sticky(entry):
        return Check.EXCLUDED_FROM_RECURSION
    return None


def _is_filtered(entry: CompiledEntry, kind: str, request: ScanRequest) -> bool:
    chosen = entry["characterFilter"]
    listed = chosen.get(kind) if isinstance(chosen, dict) else None
    if not isinstance(listed, list | str) or not listed:
        return False
    character = request.character
    if kind == "names":
        # A text includes its parts, and the text of null.
        stem = character.stem if character else None
        is_listed = (js.text(stem) if isinstance(listed, str) else stem) in listed
    elif character is None:
        # Without a character, tag filters let everything through; name filters do not.
        return False
    else:
        is_listed = any(tag in listed for tag in character.tags or ())
    return is_listed == js.truthy(chosen.get("isExclude"))
