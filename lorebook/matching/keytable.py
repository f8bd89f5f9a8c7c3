"""
All keys of a scan order, compiled to be found together.

Plain keys go into automatons (Aho-Corasick), one for keys that mind case and one for those that do not: the
text is read once, however many keys there are. Keys that only the scan can know (with macros) or that look
at the whole scan text (regular expressions, blank ones) are tried one by one; books have few of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from lorebook.matching import ecmascript
from lorebook.matching import javascript as js
from lorebook.matching.automaton import MARK, Automaton, Place
from lorebook.matching.decorators import Head
from lorebook.matching.ecmascript import Expression
from lorebook.matching.entries import CompiledEntry, ScriptError
from lorebook.matching.keystyle import SILLYTAVERN, KeyStyle
from lorebook.matching.macros import has_macro
from lorebook.matching.terms import is_term

# Characters of a key; a longer one would take an automaton much memory, and is looked for by itself as fast.
_LONGEST_LISTED = 1000
# A key with the mark in it reaches over blocks, one with half a surrogate pair is no Unicode text: only the joined
# scan text can tell whether they match.
_UNLISTED = re.compile(f"[{MARK}\ud800-\udfff]")


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
        return self.find_in(self.style.comparable(text, case_sensitive=self.case_sensitive))

    def find_in(self, subject: str) -> int:
        """
        Return where the key first stands in the compared text *subject*, -1 where it does not.
        """
        words = self._words
        if _UNLISTED.search(self.needle):
            # Half a character stands in every character that has that half.
            subject, words = js.units(subject), tuple(map(js.units, words))
        return min((at for word in words if (at := self._find(subject, word)) >= 0), default=-1)

    def end(self, subject: str, start: int) -> int:
        """
        Return where the word ends that stands for the key from *start* of the compared text *subject*.
        """
        end = start + len(next((word for word in self._words if subject.startswith(word, start)), self.needle))
        return self.style.word_end(subject, start, end) if self.bounded else end

    @property
    def _words(self) -> tuple[str, ...]:
        return (self.needle, *self.style.variants(self.needle, bounded=self.bounded))

    def _find(self, subject: str, word: str) -> int:
        at = subject.find(word)
        while at >= 0 and self.bounded and not self.style.is_bounded(subject, at, at + len(word)):
            at = subject.find(word, at + 1)
        return at


Form: TypeAlias = PlainKey | Expression
"""What a key compares with the scan text."""


class Key(NamedTuple):
    """
    A key of an entry: what the file says, and how it is found.
    """

    raw: object
    case_sensitive: bool
    whole_words: bool
    style: KeyStyle
    number: int | None
    """Its number in the table, for a plain key that the automatons find."""
    form: Form | None
    """What any other key compares; None where only the scan can know it, or where it matches nothing."""

    def resolve(self, plain: str) -> Form | None:
        """
        Return what the key compares when its text, macros replaced, is *plain*; None where that matches nothing.
        """
        return form_of(plain, self.style, case_sensitive=self.case_sensitive, whole_words=self.whole_words)


class EntryKeys(NamedTuple):
    """
    The keys of one entry; *listed* says whether the automatons find all its primary keys.
    """

    primary: tuple[Key, ...]
    secondary: tuple[Key, ...]
    listed: bool


def form_of(plain: str, style: KeyStyle, *, case_sensitive: bool, whole_words: bool) -> Form | None:
    """
    Return what a key with the text *plain* compares; None where it matches nothing.
    """
    if not plain:
        return None
    trimmed = js.trim(plain)
    if expression := _expression(trimmed):
        return expression
    key = _plain(trimmed, style, case_sensitive=case_sensitive, whole_words=whole_words)
    return key if key.needle or style.blank_matches else None


def _expression(plain: str) -> Expression | None:
    return ecmascript.parse_key(plain) if plain.startswith("/") else None


def _plain(plain: str, style: KeyStyle, *, case_sensitive: bool, whole_words: bool) -> PlainKey:
    needle = style.needle(plain, case_sensitive=case_sensitive)
    return PlainKey(needle, case_sensitive, style.needs_boundary(needle, whole_words=whole_words), style)


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
        heads: Mapping[str, Head] = MappingProxyType({}),
        terms: Iterable[str] = (),
    ) -> None:
        """
        Compile the keys of *entries* and of their *heads*; the settings hold for entries that do not say otherwise.

        *terms* are no keys; where *style* minds the longest term, they may be it.
        """
        self.style = style
        self._case_sensitive = case_sensitive
        self._whole_words = whole_words
        self._automatons = {sensitive: Automaton(style, case_sensitive=sensitive) for sensitive in (False, True)}
        self._heads = heads
        self.head_keys: dict[int, tuple[tuple[Key, ...], ...]] = {}
        """The lists of keys in the decorators of entries, by the entries' places."""
        # Keys that the automaton of the other kind of case does not hold may be longer terms there.
        self._terms: dict[str, None] = {}
        self.owners: dict[int, Sequence[int]] = {}
        """The places of the entries that have a key as a primary key, by the key's number."""
        self.entries = [self._compile(place, entry) for place, entry in enumerate(entries)]
        further = (*self._terms, *terms)
        for automaton in self._automatons.values():
            automaton.build(further)

    def find(self, blocks: Sequence[str]) -> dict[int, Place]:
        """
        Return the first place in *blocks* of every key that stands there.
        """
        if not any(blocks):
            return {}
        insensitive, sensitive = (automaton.find(blocks) for automaton in self._automatons.values())
        return insensitive | sensitive

    def key(self, entry: CompiledEntry, raw: object) -> Key | None:
        """
        Return the key of *entry* that the file has as *raw*.
        """
        keys = self.entries[entry.place]
        return next((key for key in (*keys.primary, *keys.secondary) if key.raw == raw), None)

    def as_written(self, entry: CompiledEntry, raw: object) -> Form:
        """
        Return what the key *raw* of *entry* compares as the file has it, without macros and trimming.

        Raises ScriptError for a key that is not text.
        """
        if not isinstance(raw, str):
            raise ScriptError(f"a key is {js.text(raw)!r}, not text")
        if expression := _expression(raw):
            return expression
        case_sensitive, whole_words = self._minds(entry)
        return _plain(raw, self.style, case_sensitive=case_sensitive, whole_words=whole_words)

    def _compile(self, place: int, entry: CompiledEntry) -> EntryKeys:
        """
        Return the keys of *entry*, which stands at *place*, after noting whose they are and what its head adds.
        """
        minds = self._minds(entry)
        primary = self._keys(entry.keys or (), *minds)
        secondary = self._keys(entry.secondary_keys if entry.uses_secondary_keys else (), *minds)
        for number in dict.fromkeys(key.number for key in primary if key.number is not None):
            self._own(number, place)
        if self._heads and (head := self._heads.get(entry.identity)) and head.key_lists:
            self.head_keys[place] = tuple(self._keys(keys, *minds) for _, keys in head.key_lists)
        return EntryKeys(primary, secondary, listed=all(key.number is not None for key in primary))

    def _own(self, number: int, place: int) -> None:
        owners = self.owners.get(number)
        if isinstance(owners, list):
            owners.append(place)
        else:
            # Most keys have one owner: a million lists would take a hundred megabytes.
            self.owners[number] = [*owners, place] if owners else (place,)

    def _minds(self, entry: CompiledEntry) -> tuple[bool, bool]:
        """
        Tell whether the keys of *entry* mind case, and whether they are whole words.
        """
        case_sensitive = entry.or_default("caseSensitive", self._case_sensitive)
        return js.truthy(case_sensitive), js.truthy(entry.or_default("matchWholeWords", self._whole_words))

    def _keys(self, raw: Iterable[object], case_sensitive: bool, whole_words: bool) -> tuple[Key, ...]:  # noqa: FBT001
        return tuple(self._key(each, case_sensitive, whole_words) for each in raw)

    def _key(self, raw: object, case_sensitive: bool, whole_words: bool) -> Key:  # noqa: FBT001 (called for each key)
        plain = raw if isinstance(raw, str) else js.text(raw) if js.truthy(raw) else ""
        if has_macro(plain):
            return Key(raw, case_sensitive, whole_words, self.style, None, None)
        form = form_of(plain, self.style, case_sensitive=case_sensitive, whole_words=whole_words)
        if not isinstance(form, PlainKey) or not form.needle or _is_alone(form.needle):
            return Key(raw, case_sensitive, whole_words, self.style, None, form)
        number = self._automatons[case_sensitive].number(form.needle, bounded=form.bounded)
        if self.style.longest_terms and is_term(form.needle):
            self._terms[plain] = None
        return Key(raw, case_sensitive, whole_words, self.style, number, None)


def _is_alone(needle: str) -> bool:
    """
    Tell whether a key is looked for by itself: it is no Unicode text, or longer than an automaton is good for.
    """
    return len(needle) > _LONGEST_LISTED or bool(_UNLISTED.search(needle))
