"""
Keys proposed from a whole document: what tells one of its rules from the others.

Beside the title and the terms that a rule writes in capitals or quotation marks (see `keys`) these are the words of
the games' glossary, where the caller has one, and the words and runs of words that few other rules have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Protocol

from lorebook.importers import chinese
from lorebook.importers.candidates import BEGINNING, candidates
from lorebook.importers.draft import Draft
from lorebook.importers.english import GRAMMAR, plural, singular
from lorebook.importers.keys import propose, unique
from lorebook.importers.markers import marker_of
from lorebook.importers.rarity import FEW, Rarity

MOST_KEYS = 8

_MOST_NAMED, _MOST_RARE, _MOST_RARE_HAN = 3, 3, 4
_LONGEST_FORMED = 3
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
        self._rarity = Rarity()
        self._found = {id(draft): self._rarity.count(candidates(draft.text, self._simplified)) for draft in drafts}
        self._plurals = {word for draft in drafts for word in re.findall(r"[a-z]{3,30}s\b", draft.text.lower())}
        self._sharing = Counter(draft.section[-1:] for draft in drafts if not draft.named)
        self._terms = {id(draft): self._terms_in(draft) for draft in drafts if draft.keys is None}
        self._naming = Counter(term for terms in self._terms.values() for term in {term.casefold() for term in terms})

    def of(self, draft: Draft) -> tuple[str, ...]:
        """
        Return up to eight keys for *draft*, surest first, Traditional Chinese in both spellings.
        """
        title = self._title(draft)
        text = "\n".join([draft.text, *draft.examples])[:BEGINNING]
        sure = [key for key in propose(title, text) if self._is_key(key)]
        headed = [title, *self._forms(title)] if title in sure else []
        named = self._named(draft)
        rare = self._rare(draft, taken=[*sure, *named], once=not sure)
        own = [*named[:_MOST_NAMED], *(key for key in sure if key != title), *rare, *named[_MOST_NAMED:]]
        # A rule's own title comes first; the heading that it shares with others says less than its words.
        first, last = (headed, []) if draft.named else ([], headed)
        room = MOST_KEYS - len(last)
        return self._spelt([*self._distinct([*first, *own])[:room], *last]) or self._at_last(draft)

    def _at_last(self, draft: Draft) -> tuple[str, ...]:
        """Return the keys of a rule that has none of its own: words that many share, else its title as it is."""
        shared = self._spelt(self._rare(draft, taken=(), once=True, shared=True))
        return shared or self._spelt([self._title(draft)] if draft.named else [])

    def _title(self, draft: Draft) -> str:
        """Return the title of *draft*, or the heading above it where few other rules stand there; without a number."""
        if draft.named:
            title = draft.title
        else:
            title = "".join(draft.section[-1:]) if self._sharing[draft.section[-1:]] <= FEW else ""
        marker = marker_of(title)
        return marker.rest if marker and marker.rest else title

    def _terms_in(self, draft: Draft) -> tuple[str, ...]:
        return tuple(self._words.terms(f"{self._title(draft)}\n{draft.text[:BEGINNING]}")) if self._words else ()

    def _named(self, draft: Draft) -> list[str]:
        """Return the terms of *draft* that few other rules name too, the commonest in it first."""
        found = Counter(self._terms[id(draft)]).most_common()
        return [term for term, _ in found if self._naming[term.casefold()] <= self._most_naming and self._is_key(term)]

    def _simplified(self, text: str) -> str:
        return self._words.simplified(text) if self._words else text

    @cached_property
    def _simple(self) -> Callable[[str], str]:
        """Return a key in Simplified Chinese; the same ones come up again and again."""
        return lru_cache(maxsize=50_000)(self._simplified)

    def _rare(self, draft: Draft, *, taken: Iterable[str], once: bool, shared: bool = False) -> list[str]:
        """Return the words of *draft* that few rules have, and no part of what is *taken*; see `Rarity.weight`."""
        forms, written = self._found[id(draft)]
        known = self._simplified(" ".join(taken).lower())
        weights = {
            form: self._rarity.weight(form, times, once=once, shared=shared)
            for form, times in Counter(forms).items()
            if form not in known
        }
        best = sorted((form for form, weight in weights.items() if weight > 0), key=lambda form: (-weights[form], form))
        return [written[forms.index(form)] for form in _apart(best)]

    def _forms(self, title: str) -> Iterator[str]:
        """Yield a short title in the other number, and with spaces for hyphens; a plural only where one is written."""
        words = title.split()
        if not title.isascii() or not words or len(words) > _LONGEST_FORMED or not words[-1].isalpha():
            return
        last = words[-1]
        single, several = singular(last), plural(last)
        if single != last and words[0].lower() not in GRAMMAR:
            yield " ".join([*words[:-1], single])
        elif several.lower() in self._plurals:
            yield " ".join([*words[:-1], several])
        if "-" in title:
            yield title.replace("-", " ")

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
            return _has_words(key)
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
