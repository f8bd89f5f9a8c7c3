"""
Keys proposed from a whole document: what tells one of its rules from the others.

Beside the title and the terms that a rule writes in capitals or quotation marks (see `keys`) these are the words of
the games' glossary, where the caller has one, and the words and pairs of words that few other rules have.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from lorebook.importers.draft import Draft
from lorebook.importers.keys import propose, unique
from lorebook.importers.markers import marker_of
from lorebook.scripts import HAN

MOST_KEYS = 8

_MOST_NAMED, _MOST_RARE, _MOST_SHARING = 3, 3, 12
# A rule's subject is in its beginning.
_BEGINNING = 3000
_WORD = re.compile(rf"[A-Za-z][A-Za-z'’-]{{2,30}}|[{HAN}]{{2,40}}")
_SEAM = re.compile(
    "(?:放入|放进|送去|返回|回到|加入|丢弃|支付|选择|指定|宣言|受到|造成|获得|失去|视为|作为|成为|变成|需要|之后|以外|以上|以下|开始|结束|"
    "[的了在是和與与将將把被从從对對由当當若可以不能每一个個张張其该該此到为為有或及并並而也都就则則时時后後前中上下内外所使用进進行這这那因如果"
    "候要会會没沒各任何其他她它你我们們只需须須至少最多二两兩三四五六七八九十])+"
)
_HAN = re.compile(f"[{HAN}]")
_LONGEST_HAN, _LONGEST_FORMED = 8, 3
_GRAMMAR = frozenset(
    "a about after all an and any are as at be been before being both but by can could did do does each either for "
    "from had has have how i if in into is it its may me might must my no nor not of off on once one only or our out "
    "over per shall should so some such than that the their them then there these they this those three to two under "
    "until up was we were what when where which while who whom whose why will with within would you your".split()
)
_STOP = _GRAMMAR | frozenset(
    "a about above after again against all also although always an and another any anyone anything are as at be became "
    "because become becomes been before begin begins being below between both but by can cannot case cases cause "
    "certain chapter could did different do does doing done down during each either else end ends even event every "
    "example examples except first following follows for from further gets give given gives goes going had has have "
    "having here how however if in instead into is it its itself just last least less like made make makes making may "
    "means might more most must near need needs neither never next no none nor normal not nothing now number of off on "
    "once one ones only onto or order other others otherwise our out over own part parts per place placed places "
    "possible put puts rather rule rules said same second section see set several shall should simply since so some "
    "something still such take taken takes than that the their them then there these they thing things third this "
    "those though three through thus time times to together too two under unless until up upon use used uses using "
    "usually very was way ways we well were what when whenever where whether which while who whole whose why will with "
    "within without would yes yet you your yours yourself player players".split()
)


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


class _Candidate(NamedTuple):
    """A word or pair of words by its compared form, and how it is written."""

    form: str
    written: str


class Keywords:
    """
    Proposes keys for the drafts of one document.
    """

    def __init__(self, drafts: Sequence[Draft], words: Words | None = None) -> None:
        """
        Count the words of *drafts*.
        """
        self._words = words
        self._count = max(1, len(drafts))
        self._rules: Counter[str] = Counter()
        self._written: Counter[str] = Counter()
        for draft in drafts:
            forms = [found.form for found in _candidates(draft.text)]
            self._written.update(forms)
            self._rules.update(set(forms))
        self._plurals = {word for draft in drafts for word in re.findall(r"[a-z]{3,30}s\b", draft.text.lower())}
        self._sharing = Counter(draft.section[-1:] for draft in drafts if not draft.named)
        self._terms = {id(draft): self._terms_in(draft) for draft in drafts if draft.keys is None}
        self._naming = Counter(term for terms in self._terms.values() for term in {term.casefold() for term in terms})

    def of(self, draft: Draft) -> tuple[str, ...]:
        """
        Return up to eight keys for *draft*, surest first.
        """
        title = self._title(draft)
        text = "\n".join([draft.text, *draft.examples])[:_BEGINNING]
        sure = [key for key in propose(title, text) if _is_key(key)]
        named = self._named(draft)
        forms = list(self._forms(title)) if title in sure else []
        rare = self._rare(draft.text, taken=[*sure, *named], once=not sure)
        keys = [*sure[:1], *forms, *named[:_MOST_NAMED], *sure[1:], *rare, *named[_MOST_NAMED:]]
        return self._without_repeats(keys)[:MOST_KEYS]

    def _title(self, draft: Draft) -> str:
        """Return the title of *draft*, or the heading above it where few other rules stand there; without a number."""
        if draft.named:
            title = draft.title
        else:
            title = "".join(draft.section[-1:]) if self._sharing[draft.section[-1:]] <= _MOST_SHARING else ""
        marker = marker_of(title)
        return marker.rest if marker and marker.rest else title

    def _terms_in(self, draft: Draft) -> tuple[str, ...]:
        return tuple(self._words.terms(f"{self._title(draft)}\n{draft.text[:_BEGINNING]}")) if self._words else ()

    def _named(self, draft: Draft) -> list[str]:
        """Return the terms of *draft* that not every other rule names too, the commonest in it first."""
        most = max(_MOST_RARE, self._count // 5)
        found = Counter(self._terms[id(draft)]).most_common()
        return [term for term, _ in found if self._naming[term.casefold()] <= most and _is_key(term)]

    def _rare(self, text: str, *, taken: Iterable[str], once: bool) -> list[str]:
        """Return the words of *text* that few rules have, and no part of what is *taken*; *once*: also of one place."""
        found: Counter[str] = Counter()
        written: dict[str, str] = {}
        for candidate in _candidates(text):
            found[candidate.form] += 1
            written.setdefault(candidate.form, candidate.written)
        known = " ".join(taken).lower()
        weights = {
            form: self._weight(form, times, once=once)
            for form, times in found.items()
            if form not in known and (once or self._written[form] > 1)
        }
        best = sorted((form for form, weight in weights.items() if weight > 0), key=lambda form: (-weights[form], form))
        kept: list[str] = []
        for form in best:
            if not any(form in other or other in form for other in kept):
                kept.append(form)
            if len(kept) == _MOST_RARE:
                break
        return [written[form] for form in kept]

    def _weight(self, form: str, times: int, *, once: bool) -> float:
        """The usual product of how often here and how seldom elsewhere; what only one rule says once is chance."""
        rules = self._rules[form]
        several = " " in form or _HAN.match(form) is not None
        if several and rules == 1 and times == 1 and self._count > _MOST_RARE and not once:
            return 0.0
        if rules > max(2, self._count // 10):
            return 0.0
        return (1 + math.log(times)) * math.log(1 + self._count / rules) * (1.5 if several else 1.0)

    def _forms(self, title: str) -> Iterator[str]:
        """Yield a short title in the other number, and with spaces for hyphens; a plural only where one is written."""
        words = title.split()
        if not title.isascii() or not words or len(words) > _LONGEST_FORMED or not words[-1].isalpha():
            return
        last = words[-1]
        single, several = _singular(last), _plural(last)
        if single != last and words[0].lower() not in _GRAMMAR:
            yield " ".join([*words[:-1], single])
        elif several.lower() in self._plurals:
            yield " ".join([*words[:-1], several])
        if "-" in title:
            yield title.replace("-", " ")

    def _without_repeats(self, keys: Iterable[str]) -> tuple[str, ...]:
        spelt = [spelling for key in keys for spelling in self._spellings(key)]
        return unique(key for key in spelt if _is_key(key))

    def _spellings(self, key: str) -> tuple[str, ...]:
        simple = self._words.simplified(key) if self._words and _HAN.search(key) else key
        return (key,) if simple == key else (key, simple)


def _is_key(key: str) -> bool:
    """Tell whether *key* can be a key at all: not a number, not a word of grammar, not a single sign."""
    words = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", key.lower())
    empty = (word in _GRAMMAR or (len(word) == 1 and word.isascii()) for word in words)
    return any(map(str.isalpha, key)) and bool(words) and len(key) > 1 and not all(empty)


def _candidates(text: str) -> Iterator[_Candidate]:
    before: tuple[str, int] | None = None
    for found in _WORD.finditer(text, 0, _BEGINNING):
        word = found.group().strip("-'’")
        if not word.isascii() and _HAN.match(word):
            yield from (_Candidate(part, part) for part in _SEAM.split(word) if 2 <= len(part) <= _LONGEST_HAN)  # noqa: PLR2004
            before = None
            continue
        small = word.lower()
        if small in _STOP or "'" in small or "’" in small:
            before = None
            continue
        if len(small) > 3:  # noqa: PLR2004 (a shorter word says little by itself)
            yield _Candidate(_singular(small), small)
        if before and text[before[1] : found.start()] == " ":
            yield _Candidate(f"{before[0]} {_singular(small)}", f"{before[0]} {small}")
        before = (small, found.end())


@lru_cache(maxsize=50_000)
def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is", "as", "os")):  # noqa: PLR2004
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes")) else word[:-1]


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "sh", "ch", "x", "z")) else f"{word}s"
