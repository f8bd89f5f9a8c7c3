"""
What is scanned: messages, extra texts, injections and what recursion adds; and which keys stand there.

Every block begins with a mark. An entry sees the newest messages up to its depth, the extra texts that it
asks for, all injections and, in recursion, the texts of entries that fired before. Keys are found once for
each block, when the block first matters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from lorebook.matching import ecmascript
from lorebook.matching import javascript as js
from lorebook.matching.automaton import MARK, Place
from lorebook.matching.ecmascript import Expression
from lorebook.matching.entries import CompiledEntry
from lorebook.matching.keytable import Form, Key, KeyTable, PlainKey
from lorebook.matching.literals import rules_out
from lorebook.matching.macros import Macros

DEEPEST = 1000
"""Messages that are looked at, at the most."""

_JOIN = f"\n{MARK}"


BlockKind: TypeAlias = Literal["message", "source", "injection", "recursion", "text"]
"""Of which kind a block is; `text` is the whole, for a key that stands in no block by itself."""


class Where(NamedTuple):
    """
    A key's place in the scan text: the kind of block, the block's number, the characters before the key.
    """

    kind: BlockKind
    block: int
    start: int


class View(NamedTuple):
    """
    The part of the scan text that an entry sees.
    """

    depth: int
    sources: tuple[int, ...]
    recursion: int
    """How many recursion texts are seen."""


class Scan:
    """
    The scan text of one scan, and what has been found in it so far.
    """

    def __init__(
        self,
        table: KeyTable,
        messages: Sequence[str],
        *,
        sources: Sequence[str],
        injections: Sequence[str],
        macros: Macros,
    ) -> None:
        """
        Scan *messages*, newest first, with names if they are to be scanned, with *sources* and *injections*.
        """
        self._table = table
        self._macros = macros
        self.messages = [js.trim(message) for message in _without_empty_end(list(messages[:DEEPEST]))]
        self.sources = sources
        self.injections = injections
        self.recursion: list[str] = []
        self._messages_found: dict[int, Where] = {}
        self._scanned = 0
        self._sources_found: dict[tuple[int, int], Where] = {}
        self._injections_found = _places("injection", table.find(injections), 0)
        self._recursion_found: dict[int, list[Where]] = {}
        # By view, and by what was made of the text.
        self._texts: dict[tuple[View, str], str] = {}
        self._resolved: dict[int, Form | None] = {}
        self._tried: dict[tuple[Form, View], Where | None] = {}
        self._touched: set[int] = set(self._injections_found)
        self._find_in_sources()

    def _find_in_sources(self) -> None:
        for number, source in enumerate(self.sources):
            for key, place in self._table.find([source]).items():
                self._sources_found[number, key] = Where("source", number, place.start)
                self._touched.add(key)

    def newly_touched(self) -> set[int]:
        """
        Return the keys that have been found anywhere since this was last asked.
        """
        touched, self._touched = self._touched, set()
        return touched

    def deepen(self, depth: int) -> None:
        """
        Find the keys of the newest *depth* messages that have not been looked at.
        """
        depth = min(depth, len(self.messages))
        if depth > self._scanned:
            found = self._table.find(self.messages[self._scanned : depth])
            for key, where in _places("message", found, self._scanned).items():
                self._messages_found.setdefault(key, where)
            self._touched.update(found)
            self._scanned = depth

    def feed(self, text: str) -> None:
        """
        Add *text* to what recursion passes scan.
        """
        for key, place in self._table.find([text]).items():
            where = Where("recursion", len(self.recursion), place.start)
            self._recursion_found.setdefault(key, []).append(where)
            self._touched.add(key)
        self.recursion.append(text)
        # Most views are of the newest pass: the texts of older ones would only take memory.
        self._texts.clear()

    def find(self, key: Key, view: View) -> Where | None:
        """
        Return where *key* matches what *view* shows, None where it does not.
        """
        if key.number is not None:
            return self._find_listed(key.number, view) if view.depth >= 0 else None
        form = self.form(key)
        return self._try(form, view) if form is not None else None

    def form(self, key: Key) -> Form | None:
        """
        Return what *key* compares, its macros replaced; None where that matches nothing.
        """
        if key.form:
            return key.form
        if id(key) not in self._resolved:
            self._resolved[id(key)] = key.resolve(self._macros.substitute(key.raw))
        return self._resolved[id(key)]

    def _find_listed(self, key: int, view: View) -> Where | None:
        where = self._messages_found.get(key)
        if where and where.block < view.depth:
            return where
        for source in view.sources:
            if found := self._sources_found.get((source, key)):
                return found
        if where := self._injections_found.get(key):
            return where
        fed = self._recursion_found.get(key)
        return fed[0] if fed and fed[0].block < view.recursion else None

    def _try(self, form: Form, view: View) -> Where | None:
        if (form, view) not in self._tried:
            self._tried[form, view] = self._search(form, view)
        return self._tried[form, view]

    def _search(self, form: Form, view: View) -> Where | None:
        sees_messages_alone = isinstance(form, Expression) and self._table.style.anchors_at_messages
        if not self._may_match(form, view) or (not sees_messages_alone and not self.holds(form, view)):
            return None
        # Where it stands is only to explain: in the first block that has it by itself, if there is one.
        for kind, number, text in self.blocks(view):
            if (start := start_of(form, text)) is not None:
                return Where(kind, number, start)
        return None if self._table.style.anchors_at_messages else Where("text", 0, 0)

    def _may_match(self, form: Form, view: View) -> bool:
        if isinstance(form, PlainKey):
            return True
        return not rules_out(form, self.text(view), self._spelt(view, "lower case", str.lower))

    def holds(self, form: Form, view: View) -> bool:
        """
        Tell whether *form* matches the scan text that *view* shows, as one.
        """
        if not isinstance(form, PlainKey):
            return start_of(form, self.text(view)) is not None
        spell = partial(form.style.comparable, case_sensitive=form.case_sensitive)
        return form.find_in(self._spelt(view, f"compared, case {form.case_sensitive}", spell)) >= 0

    def blocks(self, view: View) -> Iterator[tuple[BlockKind, int, str]]:
        """
        Yield the blocks that *view* shows: kind, number, text.
        """
        if view.depth < 0:
            return
        yield from (("message", number, text) for number, text in enumerate(self.messages[: view.depth]))
        yield from (("source", number, self.sources[number]) for number in view.sources)
        yield from (("injection", number, text) for number, text in enumerate(self.injections))
        yield from (("recursion", number, text) for number, text in enumerate(self.recursion[: view.recursion]))

    def text(self, view: View) -> str:
        """
        Return the scan text that *view* shows, as one.
        """
        if (view, "") not in self._texts:
            self._texts[view, ""] = self._text(view)
        return self._texts[view, ""]

    def _spelt(self, view: View, spelling: str, spell: Callable[[str], str]) -> str:
        if (view, spelling) not in self._texts:
            self._texts[view, spelling] = spell(self.text(view))
        return self._texts[view, spelling]

    def _text(self, view: View) -> str:
        if view.depth < 0:
            return ""
        extra = [self.sources[source] for source in view.sources if self.sources[source]]
        parts = [_JOIN.join(self.messages[: view.depth]), *extra]
        more = (self.injections, self.recursion[: view.recursion])
        parts.extend(_JOIN.join(texts) for texts in more if texts)
        return MARK + _JOIN.join(parts)

    def view(self, entry: CompiledEntry, depth: float, *, with_recursion: bool) -> View:
        """
        Return what *entry* sees when it looks at *depth* messages.
        """
        return View(depth_of(depth), entry.sources, len(self.recursion) if with_recursion else 0)


def depth_of(depth: float) -> int:
    """
    Return the whole number of messages that *depth* means; -1 for none at all, which blanks the scan text.
    """
    if math.isnan(depth):
        return 0
    return -1 if depth <= 0 else int(min(depth, DEEPEST))


def start_of(form: Form, text: str) -> int | None:
    """
    Return where *form* first matches *text*, None where it does not.

    Places are in characters of the compared text, those of an expression in UTF-16 units.
    """
    if isinstance(form, PlainKey):
        at = form.find(text)
        return at if at >= 0 else None
    span = ecmascript.search(text, form)
    return span[0] if span else None


def _places(kind: BlockKind, found: Mapping[int, Place], offset: int) -> dict[int, Where]:
    return {key: Where(kind, place.block + offset, place.start) for key, place in found.items()}


def _without_empty_end(messages: list[str]) -> list[str]:
    while messages and not messages[-1]:
        messages.pop()
    return messages


def injected(values: Iterable[str], macros: Macros) -> list[str]:
    """
    Return the *values* of injections with macros replaced; those that come out empty are left out.
    """
    return [value for value in map(macros.substitute, values) if value]
