"""
Where SillyTavern puts the texts of accepted entries, as its function returns them and the vectors record them.

In all places but outlets the text with the lowest order stands first and the highest last, nearest to the
chat; ties come out reversed. Outlets run the other way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lorebook.matching import javascript as js
from lorebook.matching.entries import CompiledEntry, sorted_by_order
from lorebook.matching.javascript import MISSING

BEFORE, AFTER, NOTE_TOP, NOTE_BOTTOM, AT_DEPTH, EXAMPLES_TOP, EXAMPLES_BOTTOM, OUTLET = range(8)
_DEFAULT_DEPTH, _DEFAULT_ROLE = 4, 0


@dataclass
class DepthGroup:
    """
    The texts that are inserted at one depth under one role; a depth of None is that of an entry without one.
    """

    depth: object
    role: object
    entries: list[str]


@dataclass
class Placed:
    """
    The texts of a scan by place.
    """

    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    note_top: list[str] = field(default_factory=list)
    note_bottom: list[str] = field(default_factory=list)
    at_depth: list[DepthGroup] = field(default_factory=list)
    examples: list[tuple[int, str]] = field(default_factory=list)
    outlets: dict[str, list[str]] = field(default_factory=dict)


def place(accepted: Iterable[tuple[CompiledEntry, str]]) -> Placed:
    """
    Return the contents of *accepted* entries, in order of acceptance, by place; an empty one goes nowhere.
    """
    placed = Placed()
    held = list(accepted)
    contents = {id(entry): content for entry, content in held}
    for entry in sorted_by_order(entry for entry, _ in held):
        if content := contents[id(entry)]:
            _put(placed, entry, content)
    for texts in (placed.before, placed.after, placed.note_top, placed.note_bottom):
        texts.reverse()
    placed.examples.reverse()
    for group in placed.at_depth:
        group.entries.reverse()
    return placed


def _put(placed: Placed, entry: CompiledEntry, content: str) -> None:
    position = entry["position"]
    if isinstance(position, bool) or not isinstance(position, int | float):
        return
    lists = {BEFORE: placed.before, AFTER: placed.after, NOTE_TOP: placed.note_top, NOTE_BOTTOM: placed.note_bottom}
    if position in lists:
        lists[int(position)].append(content)
    elif position == AT_DEPTH:
        _put_at_depth(placed, entry, content)
    elif position in {EXAMPLES_TOP, EXAMPLES_BOTTOM}:
        placed.examples.append((int(position) - EXAMPLES_TOP, content))
    elif position == OUTLET and js.truthy(entry["outletName"]):
        placed.outlets.setdefault(js.text(entry["outletName"]), []).append(content)


def _put_at_depth(placed: Placed, entry: CompiledEntry, content: str) -> None:
    depth, role = entry.or_default("depth", _DEFAULT_DEPTH), entry.or_default("role", _DEFAULT_ROLE)
    group = next(
        (held for held in placed.at_depth if js.identical(held.depth, depth) and js.identical(held.role, role)), None
    )
    if group:
        group.entries.append(content)
        return
    # The group remembers the depth as the entry has it; one without a depth is never found again.
    raw = entry["depth"]
    placed.at_depth.append(DepthGroup(None if raw is MISSING else raw, role, [content]))


def merged_note(placed: Placed, note: str) -> str:
    """
    Return the author's *note* with the texts above and below it.
    """
    merged = "\n".join(placed.note_top) + "\n" + note + "\n" + "\n".join(placed.note_bottom)
    return merged.removeprefix("\n").removesuffix("\n")
