"""
All keys of a scan order, compiled to be found together.

Plain keys go into automatons (Aho-Corasick), one for keys that mind case and one for those that do not: the
text is read once, however many keys there are. Keys that only the scan can know (with macros) or that look
at the whole scan text (regular expressions, blank ones) are tried one by one; books have few of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from lorebook.matching import ecmascript
from lorebook.matching import javascript as js
from lorebook.matching.ecmascript import Expression
from lorebook.matching.entries import CompiledEntry, ScriptError
from lorebook.matching.keystyle import SILLYTAVERN, KeyStyle
from lorebook.matching.macros import has_macro

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

MARK = "\x01"
"""Begins every block of the scan text; so no key of a message ever meets the message before it."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class PlainKey(NamedTuple):
    """
    A plain key as it is compared; an empty needle stands in every text.
    """

    needle: str
    case_sensitive: bool
    bounded: bool
    style: KeyStyle

    def find(self, text: str) -> int:
        """
        Return where the key first stands in the compared form of *text*, -1 where it does not.
        """
        subject = self.style.comparable(text, case_sensitive=self.case_sensitive)
        at = subject.find(self.needle)
        while at >= 0 and self.bounded and not self.style.is_bounded(subject, at, at + len(self.needle)):
            at = subject.find(self.needle, at + 1)
        return at


Form: TypeAlias = PlainKey | Expression | None
"""What a key compares: None matches nothing."""


class Key(NamedTuple):
    """
    A key of an entry: what the file says, and what that compares, if it can be known before the scan.
    """

    raw: object
    case_sensitive: bool
    whole_words: bool
    form: Form
    style: KeyStyle
    has_macro: bool
    number: int | None
    """Its place in the table, for a plain key that the automatons find."""

    def resolve(self, plain: str) -> Form:
        """
        Return what the key compares when its text, macros replaced, is *plain*.
        """
        return form_of(plain, self.style, case_sensitive=self.case_sensitive, whole_words=self.whole_words)

    def as_written(self) -> Form:
        """
        Return what the key compares as the file has it, without macros and trimming.

        Raises ScriptError for a key that is not text.
        """
        if not isinstance(self.raw, str):
            raise ScriptError(f"a key is {js.text(self.raw)!r}, not text")
        if expression := ecmascript.parse_key(self.raw):
            return expression
        return _plain(self.raw, self.style, case_sensitive=self.case_sensitive, whole_words=self.whole_words)


@dataclass(frozen=True)
class EntryKeys:
    """
    The keys of one entry; *listed* says whether the automatons find all its primary keys.
    """

    primary: tuple[Key, ...]
    secondary: tuple[Key, ...]
    listed: bool


def form_of(plain: str, style: KeyStyle, *, case_sensitive: bool, whole_words: bool) -> Form:
    """
    Return what a key with the text *plain* compares.
    """
    if not plain:
        return None
    trimmed = js.trim(plain)
    if expression := ecmascript.parse_key(trimmed):
        return expression
    key = _plain(trimmed, style, case_sensitive=case_sensitive, whole_words=whole_words)
    return key if key.needle or style.blank_matches else None


def _plain(plain: str, style: KeyStyle, *, case_sensitive: bool, whole_words: bool) -> PlainKey:
    needle = style.needle(plain, case_sensitive=case_sensitive)
    return PlainKey(needle, case_sensitive, style.needs_boundary(needle, whole_words=whole_words), style)


class Place(NamedTuple):
    """
    Where a key first stands: the block's number and the characters before it.
    """

    block: int
    start: int


class _Automaton:
    """
    Keys of one kind of case, and who wants which.
    """

    def __init__(self, style: KeyStyle, *, case_sensitive: bool) -> None:
        self._style = style
        self.case_sensitive = case_sensitive
        self._needles: dict[str, int] = {}
        self._wanted: list[list[tuple[int, bool]]] = []
        self._built: AhoCorasick | None = None

    def add(self, needle: str, number: int, *, bounded: bool) -> None:
        at = self._needles.setdefault(needle, len(self._needles))
        if at == len(self._wanted):
            self._wanted.append([])
        self._wanted[at].append((number, bounded))
        self._built = None

    def places(self, blocks: Sequence[str]) -> Iterator[tuple[int, Place]]:
        """
        Yield the keys that stand in *blocks*, each with every place, in the order of places' ends.
        """
        if not self._needles:
            return
        compared = [self._style.comparable(block, case_sensitive=self.case_sensitive) for block in blocks]
        text, starts = _joined(compared)
        for pattern, start, end in self._searcher().find_matches_as_indexes(_searchable(text), overlapping=True):
            for number, bounded in self._wanted[pattern]:
                if not bounded or self._style.is_bounded(text, start, end):
                    block = bisect_right(starts, start) - 1
                    yield number, Place(block, start - starts[block])

    def _searcher(self) -> AhoCorasick:
        if self._built is None:
            from ahocorasick_rs import AhoCorasick  # noqa: PLC0415 (a compiled library)

            self._built = AhoCorasick(list(self._needles))
        return self._built


class KeyTable:
    """
    The keys of all entries of a scan order.
    """

    def __init__(
        self,
        entries: Iterable[CompiledEntry],
        *,
        case_sensitive: object,
        whole_words: object,
        style: KeyStyle = SILLYTAVERN,
    ) -> None:
        """
        Compile the keys of *entries*; the settings hold for entries that do not say otherwise.
        """
        self.style = style
        self._case_sensitive = case_sensitive
        self._whole_words = whole_words
        self._numbers: dict[PlainKey, int] = {}
        self._automatons = {sensitive: _Automaton(style, case_sensitive=sensitive) for sensitive in (False, True)}
        self.owners: list[list[int]] = []
        """The places of the entries that have a key as a primary key, by the key's number."""
        self.entries = [self._compile(place, entry) for place, entry in enumerate(entries)]

    def find(self, blocks: Sequence[str]) -> dict[int, Place]:
        """
        Return the first place in *blocks* of every key that stands there.
        """
        found: dict[int, Place] = {}
        for automaton in self._automatons.values():
            for number, place in automaton.places(blocks):
                if number not in found or place < found[number]:
                    found[number] = place
        return found

    def _compile(self, place: int, entry: CompiledEntry) -> EntryKeys:
        primary = tuple(self.key(entry, raw) for raw in entry.keys or ())
        secondary = tuple(self.key(entry, raw) for raw in entry.secondary_keys) if entry.uses_secondary_keys else ()
        for number in {key.number for key in primary if key.number is not None}:
            self.owners[number].append(place)
        return EntryKeys(primary, secondary, listed=all(key.number is not None for key in primary))

    def key(self, entry: CompiledEntry, raw: object) -> Key:
        """
        Return *raw* as a key of *entry*, with its number if the automatons can find it.
        """
        case_sensitive = js.truthy(entry.or_default("caseSensitive", self._case_sensitive))
        whole_words = js.truthy(entry.or_default("matchWholeWords", self._whole_words))
        plain = js.text(raw) if js.truthy(raw) else ""
        if has_macro(plain):
            return Key(raw, case_sensitive, whole_words, None, self.style, has_macro=True, number=None)
        form = form_of(plain, self.style, case_sensitive=case_sensitive, whole_words=whole_words)
        return Key(raw, case_sensitive, whole_words, form, self.style, has_macro=False, number=self._number(form))

    def _number(self, form: Form) -> int | None:
        # A key with the mark in it reaches over blocks, one with half a surrogate pair is no Unicode text: only
        # the joined scan text can tell whether they match.
        if not isinstance(form, PlainKey) or not form.needle or MARK in form.needle or _SURROGATE.search(form.needle):
            return None
        number = self._numbers.setdefault(form, len(self._numbers))
        if number == len(self.owners):
            self.owners.append([])
            self._automatons[form.case_sensitive].add(form.needle, number, bounded=form.bounded)
        return number


def _joined(blocks: Sequence[str]) -> tuple[str, list[int]]:
    """
    Return *blocks* as one text, mark and line break between them, and where each begins.
    """
    starts, at = [], 0
    for block in blocks:
        starts.append(at)
        at += len(block) + 2
    return f"\n{MARK}".join(blocks), starts


def _searchable(text: str) -> str:
    """
    Put replacement characters for surrogates without a partner, which the automaton's library refuses.
    """
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
