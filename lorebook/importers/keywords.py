"""
Keys proposed from a whole document: what tells one of its rules from the others.

Beside the title and the terms that a rule writes in capitals or quotation marks (see `keys`) these are the words of
the games' glossary, where the caller has one, and the words and runs of words that few other rules have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple, Protocol

from lorebook.importers import chinese
from lorebook.importers.candidates import BEGINNING, candidates
from lorebook.importers.draft import Draft
from lorebook.importers.english import GRAMMAR, STOP, base, singular
from lorebook.importers.keys import unique, written_as_terms
from lorebook.importers.markers import marker_of
from lorebook.importers.rarity import COMMON, FEW, Rarity
from lorebook.importers.titles import Written, keys_of, without_article
from lorebook.importers.vocabulary import rank

MOST_KEYS = 8

_MOST_NAMED, _MOST_RARE, _MOST_RARE_HAN = 3, 3, 4
_CLAUSES = re.compile("[，。；：！？]")


class Words(Protocol):
    """
    What a caller knows of the games' language.
    """

    def terms(self, text: str) -> Sequence[str]:
        """
        Return the terms of the games in *text*, in order, as often as they stand there.
        """
        ...

    def simplified(self, text: str) -> str:
        """
        Return *text* in Simplified Chinese.
        """
        ...


class _Terms(NamedTuple):
    """The terms of one rule, the commonest in it first: those that the caller knows, and those that it marks."""

    named: tuple[str, ...]
    marked: tuple[str, ...]


class Keywords:
    """
    Proposes keys for the drafts of one document.
    """

    def __init__(self, drafts: Sequence[Draft], words: Words | None = None) -> None:
        """
        Count the words of *drafts*.
        """
        self._words = words
        self._most_naming = max(FEW, len(drafts) // 10)
        self._everywhere = max(FEW, len(drafts) // 4)
        self._rarity = Rarity()
        self._found = {id(draft): self._rarity.count(candidates(draft.text, self._simplified)) for draft in drafts}
        self._written = Written(draft.text for draft in drafts)
        self._sharing = Counter(draft.section[-1:] for draft in drafts if not draft.named)
        self._terms = {id(draft): self._terms_in(draft) for draft in drafts if draft.keys is None}
        self._naming = Counter(term for terms in self._terms.values() for term in set(map(same, chain(*terms))))

    def of(self, draft: Draft) -> tuple[str, ...]:
        """
        Return up to eight keys for *draft*, surest first, Traditional Chinese in both spellings.
        """
        headed = self._headed(draft)
        terms = self._terms[id(draft)]
        named, marked = self._few(terms.named), self._few(terms.marked)
        rare = self._rare(draft, taken=[*headed, *named, *marked], once=not headed)
        own = [*named[:_MOST_NAMED], *marked, *rare, *named[_MOST_NAMED:]]
        # A rule's own title comes first; the heading that it shares with others says less than its words.
        first, last = (headed, []) if draft.named else ([], headed)
        room = MOST_KEYS - len(last)
        return self._spelt([*self._distinct([*first, *own])[:room], *last]) or self._at_last(draft)

    def _headed(self, draft: Draft) -> list[str]:
        """Return what the title of *draft* gives; a common word only as it is, and not if it stands everywhere."""
        title = self._title(draft)
        keys = [key for key in keys_of(title, self._written) if self._is_key(key)]
        return [key for key in keys if " " in key or not is_common(key) or self._is_headword(key, title)]

    def _is_headword(self, key: str, title: str) -> bool:
        return key == title and self._rarity.having(base(key.lower())) <= self._everywhere

    def _at_last(self, draft: Draft) -> tuple[str, ...]:
        """Return the keys of a rule that has none of its own: words that many share, else its title as it is."""
        shared = self._spelt(self._rare(draft, taken=(), shared=True))
        return shared or self._spelt([self._title(draft)] if draft.named else [])

    def _title(self, draft: Draft) -> str:
        """Return the title of *draft*, or the heading above it where few other rules stand there; without a number."""
        if draft.named:
            title = draft.title
        else:
            title = "".join(draft.section[-1:]) if self._sharing[draft.section[-1:]] <= FEW else ""
        marker = marker_of(title)
        return marker.rest if marker and marker.rest else title

    def _terms_in(self, draft: Draft) -> _Terms:
        title = self._title(draft)
        known = self._words.terms(f"{title}\n{draft.text[:BEGINNING]}") if self._words else ()
        marked = written_as_terms("\n".join([title, draft.text, *draft.examples])[:BEGINNING])
        named = [term for term, _ in Counter(map(without_article, known)).most_common() if not is_common(term)]
        return _Terms(tuple(filter(self._is_key, named)), tuple(filter(self._is_key, marked)))

    def _few(self, terms: Iterable[str]) -> list[str]:
        """Return those of *terms* that few other rules have too."""
        return [term for term in terms if self._is_few(same(term))]

    def _is_few(self, term: str) -> bool:
        return self._naming[term] <= self._most_naming and self._rarity.having(base(term)) <= self._everywhere

    def _simplified(self, text: str) -> str:
        return self._words.simplified(text) if self._words else text

    @cached_property
    def _simple(self) -> Callable[[str], str]:
        """Return a key in Simplified Chinese; the same ones come up again and again."""
        return lru_cache(maxsize=50_000)(self._simplified)

    def _rare(self, draft: Draft, *, taken: Iterable[str], once: bool = False, shared: bool = False) -> list[str]:
        """Return the words of *draft* that few rules have, and no part of what is *taken*; see `Rarity.weight`."""
        forms, written = self._found[id(draft)]
        known = self._simplified(" ".join(taken).lower())
        weights = {
            form: self._rarity.weight(form, times, once=once, shared=shared)
            for form, times in Counter(forms).items()
            if form not in known
        }
        best = sorted((form for form, weight in weights.items() if weight > 0), key=lambda form: (-weights[form], form))
        spelt = {form: written[forms.index(form)] for form in best}
        # A word is rare by what it is a form of, and may be common itself: `left`.
        telling = (form for form in best if shared or " " in form or rank(spelt[form]) >= COMMON)
        return [spelt[form] for form in _apart(telling)]

    def _distinct(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Return *keys* without those that are the same in Simplified Chinese."""
        found: dict[str, str] = {}
        for key in filter(_has_words, keys):
            found.setdefault(self._simple(key).casefold(), key)
        return tuple(found.values())

    def _spelt(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Return *keys*, those in Traditional Chinese also in Simplified, as chats may be written in either."""
        spelt = [spelling for key in keys for spelling in self._spellings(key)]
        return unique(key for key in spelt if _has_words(key))

    def _spellings(self, key: str) -> tuple[str, ...]:
        simple = self._simple(key) if not key.isascii() else key
        return (key,) if simple == key else (key, simple)

    def _is_key(self, key: str) -> bool:
        """Tell whether *key* is something that a chat would say, and says something by itself."""
        if not chinese.is_chinese(key):
            return _has_words(key) and "- " not in key
        return not _CLAUSES.search(key) and not chinese.says_little(self._simple(key))


def _apart(best: Iterable[str]) -> list[str]:
    """Return the first few of *best* of which none is a part of another."""
    kept: list[str] = []
    for form in best:
        if not any(form in other or other in form for other in kept):
            kept.append(form)
        if len(kept) == (_MOST_RARE_HAN if chinese.is_chinese(form) else _MOST_RARE):
            break
    return kept


@lru_cache(maxsize=50_000)
def _has_words(key: str) -> bool:
    """Tell whether *key* can be a key at all: not a number, not a word of grammar, not a single sign."""
    words = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", key.lower())
    empty = (word in GRAMMAR or (len(word) == 1 and word.isascii()) for word in words)
    return any(map(str.isalpha, key)) and bool(words) and len(key) > 1 and not all(empty)


@lru_cache(maxsize=50_000)
def is_common(key: str) -> bool:
    """
    Return whether *key* is English and has only words of which texts of every subject are full: `turn`, `in play`.
    """
    words = key.lower().split()
    return all(word.isascii() and word.isalpha() and (word in STOP or _is_common(word)) for word in words)


def _is_common(word: str) -> bool:
    return min(rank(word), rank(base(word))) < COMMON


@lru_cache(maxsize=50_000)
def same(term: str) -> str:
    """
    Return what is one for a *term* in capitals and in the plural.
    """
    start, space, last = term.casefold().rpartition(" ")
    return f"{start}{space}{singular(last) if last.isascii() else last}"
