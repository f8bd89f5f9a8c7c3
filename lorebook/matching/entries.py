"""
An entry as the engine reads it, from a World Info file as it is.

SillyTavern fills in nothing when it scans a book: a missing `position` is nowhere, a missing `selective`
means no secondary keys, a missing `probability` fails every roll. What a field may hold is therefore
resolved here once, by JavaScript's rules, and the passes over entries only compare plain values.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, cmp_to_key
from typing import Any

from lorebook.matching import javascript as js
from lorebook.matching.javascript import MISSING, member, truthy

SOURCES = (
    "matchPersonaDescription",
    "matchCharacterDescription",
    "matchCharacterPersonality",
    "matchCharacterDepthPrompt",
    "matchScenario",
    "matchCreatorNotes",
)
"""The fields that let an entry scan one of the extra texts, in the order in which these are scanned."""

ACTIVATE, DONT_ACTIVATE = "@@activate", "@@dont_activate"
"""The decorators that SillyTavern knows."""

AND_ANY, NOT_ALL, NOT_ANY, AND_ALL = range(4)
"""What `selectiveLogic` may ask of the secondary keys: one matches, one does not, none matches, all do."""


class ScriptError(Exception):
    """
    JavaScript would throw here; the message names the entry and what it holds.
    """


@dataclass(eq=False)
class CompiledEntry:
    """
    An entry with every field resolved. Numbers may be NaN, as a missing one is.
    """

    raw: Mapping[str, Any]
    """The entry as the file has it: read where it is, for copies of large books take much memory."""
    uid: object
    world: str
    identity: str
    """Book and uid, the name by which state and results know the entry."""
    content: str
    decorators: tuple[str, ...]
    keys: Sequence[object] | None
    secondary_keys: Sequence[object]
    order: float
    """The insertion order; NaN when it is missing."""
    level: object
    """The recursion level that the entry waits for, as its field says it; 0 where it waits for none."""
    scan_depth: float | None
    """The messages that the entry looks at, if it says so itself."""
    place: int = -1
    """Its place in the scan order."""
    origin: CompiledEntry | None = None
    """The book's entry, if this is the object that stands for it when it is activated from outside."""

    @property
    def is_external(self) -> bool:
        """
        Whether this object came from outside.
        """
        return self.origin is not None

    @cached_property
    def hash(self) -> int:
        """
        The hash by which timed effects find their entry again: it changes with any field.

        An object from outside keeps the hash of the book's entry, whatever was changed.
        """
        return self.origin.hash if self.origin else js.cyrb53(js.stringify(self.fields))

    @property
    def fields(self) -> dict[str, object]:
        """
        The object that is hashed: uid, world, the file's other fields, decorators and content.
        """
        decorators, content = split_decorators(_content(self.raw, self.world))
        fields = {"uid": MISSING, "world": self.world, **self.raw, "decorators": list(decorators), "content": content}
        return {name: value for name, value in fields.items() if value is not MISSING}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 (a JSON value)
        return self.raw.get(name, MISSING)

    def flag(self, name: str) -> bool:
        """
        Tell whether the field *name* counts as true.
        """
        return truthy(self[name])

    def or_default(self, name: str, default: object) -> Any:  # noqa: ANN401 (a JSON value)
        """
        Return the field *name*, or *default* where it is null or missing (`??`).
        """
        value = self[name]
        return default if value is None or value is MISSING else value

    @cached_property
    def disabled(self) -> bool:
        """
        Whether the entry is switched off.
        """
        return js.equals_true(self["disable"])

    @cached_property
    def is_free(self) -> bool:
        """
        Whether nothing that the entry says about itself can keep it out of a scan: no switch, filter or delay.
        """
        chosen = self["characterFilter"]
        lists = [self["triggers"], *(chosen.values() if isinstance(chosen, dict) else ())]
        return not (
            self.disabled or truthy(self["delay"]) or any(isinstance(held, list | str) and held for held in lists)
        )

    @cached_property
    def sources(self) -> tuple[int, ...]:
        """
        The numbers of the extra texts that the entry scans.
        """
        return tuple(number for number, name in enumerate(SOURCES) if self.flag(name))

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """
        The inclusion groups that the entry is in.

        Raises ScriptError for a group that is not text.
        """
        group = self["group"]
        if not truthy(group):
            return ()
        if not isinstance(group, str):
            raise ScriptError(f"entry {self.identity}: group is {js.text(group)!r}, not text")
        pieces = _after_comma(group.split(","))
        return tuple(piece for piece in pieces if piece)

    @property
    def uses_secondary_keys(self) -> bool:
        """
        Whether the secondary keys decide.
        """
        return self.flag("selective") and bool(self.secondary_keys)


def _after_comma(pieces: Sequence[str]) -> Iterable[str]:
    """
    Take the white space after each comma off, as JavaScript's split at a comma and space does.
    """
    yield pieces[0]
    for piece in pieces[1:]:
        yield piece.lstrip(js.WHITESPACE)


def compile_entry(raw: Mapping[str, Any], world: str) -> CompiledEntry:
    """
    Return the entry *raw* of the book *world*.

    Raises ScriptError for a content that is neither text nor counts as false.
    """
    decorators, content = split_decorators(_content(raw, world))
    return _compiled(raw, raw.get("world", world), decorators, content)


def override(entry: CompiledEntry, changes: Mapping[str, Any]) -> CompiledEntry:
    """
    Return the object that stands for *entry* when it is activated from outside with *changes*.
    """
    fields: dict[str, Any] = {**entry.fields, "hash": entry.hash, **changes}
    made = _compiled(fields, fields["world"], fields["decorators"], fields["content"])
    made.origin = entry
    return made


def _compiled(raw: Mapping[str, Any], world: object, decorators: Iterable[str], content: object) -> CompiledEntry:
    keys, secondary, uid = raw.get("key"), raw.get("keysecondary"), member(raw, "uid")
    return CompiledEntry(
        raw=raw,
        uid=uid,
        world=js.text(world),
        identity=f"{js.text(world)}.{js.text(uid)}",
        content=js.text(content),
        decorators=tuple(decorators),
        keys=keys if isinstance(keys, list) else None,
        secondary_keys=secondary if isinstance(secondary, list) else (),
        order=js.number(member(raw, "order")),
        level=level if truthy(level := raw.get("delayUntilRecursion")) else 0,
        scan_depth=None if (depth := raw.get("scanDepth")) is None else js.number(depth),
    )


def _content(raw: Mapping[str, Any], world: str) -> str:
    content = member(raw, "content")
    if not truthy(content):
        return ""
    if not isinstance(content, str):
        raise ScriptError(f"entry {world}.{js.text(member(raw, 'uid'))}: content is not text")
    return content


def split_decorators(content: str) -> tuple[tuple[str, ...], str]:
    """
    Return the decorators that SillyTavern knows at the head of *content*, and the content below the head.

    A line `@@@name` stands in for the line above it where that one is not known. A content of nothing but
    decorator lines keeps them.
    """
    if not content.startswith("@@"):
        return (), content
    known: list[str] = []
    may_fall_back = False
    lines = content.split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("@@"):
            return tuple(known), "\n".join(lines[number:])
        if line.startswith("@@@"):
            if not may_fall_back:
                continue
            line = line[1:]  # noqa: PLW2901 (the line as it counts)
        if line.startswith((ACTIVATE, DONT_ACTIVATE)):
            known.append(line)
            may_fall_back = False
        else:
            may_fall_back = True
    return tuple(known), content


def sorted_by_order(entries: Iterable[CompiledEntry]) -> list[CompiledEntry]:
    """
    Return *entries* by order, highest first; ties, and orders that are no numbers, stay as they stand.
    """
    held = list(entries)
    if not any(math.isnan(entry.order) for entry in held):
        return sorted(held, key=lambda entry: -entry.order)
    # A comparison with NaN says "equal", which is no order; Python and V8 sort by the same algorithm.
    return sorted(held, key=cmp_to_key(_compare_orders))


def _compare_orders(one: CompiledEntry, other: CompiledEntry) -> int:
    difference = other.order - one.order
    return 0 if math.isnan(difference) else int(math.copysign(1, difference)) if difference else 0
