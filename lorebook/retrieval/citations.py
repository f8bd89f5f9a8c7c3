"""
The rules that a question cites: who asks for `702.19b`, `第四条（二）` or `ygo-classic/hand-limit` wants that rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

from lorebook.records import MOST_SLUG_BYTES, SLUG
from lorebook.retrieval.cited import MOST, cited_in
from lorebook.rulenumbers import HAN_CHAIN, Number, NumberIndex, read_number
from lorebook.scripts import UNSPACED

_HEADING = re.compile(
    rf"{HAN_CHAIN}|(?:chapter|part|article|section|appendix)\s(?:\d[\d.]{{0,8}}|[ivxlc]{{1,7}}|[a-z])(?!\w)",
    re.IGNORECASE,
)
_Name = TypeVar("_Name")
_SLUG = re.compile(SLUG)
_BEGINS = re.compile(rf"(?<![^\W{UNSPACED}])(?<![-/.])|(?=[{UNSPACED}])")
_ENDS = re.compile(rf"(?![^\W{UNSPACED}]|[-.][^\W_])")
_AROUND = " \t\r\n\"'`“”‘’「」『』《》.,:;?!，。：；？！"


class CitationIndex:
    """
    From numbers and ids to the rules that have them, by the rules' places; made when the first question cites any.
    """

    def __init__(
        self, numbers: Iterable[str | None], ids: Sequence[str] = (), sections: Iterable[Sequence[str]] = ()
    ) -> None:
        """
        Index all rules in their order: their *numbers*, their *ids*, and the headings above them.
        """
        self._spelt = list(numbers)
        self._ids = ids
        self._sections = list(sections)

    @cached_property
    def _read(self) -> list[tuple[int, Number]]:
        read = ((place, read_number(spelt)) for place, spelt in enumerate(self._spelt) if spelt)
        return [(place, number) for place, number in read if number]

    @cached_property
    def _numbers(self) -> NumberIndex:
        index = NumberIndex()
        for place, number in self._read:
            index.add(number, place)
        for place, section in enumerate(self._sections):
            for heading in filter(None, map(_heading, section)):
                index.add_heading(heading, place)
        return index

    @cached_property
    def _ends(self) -> Mapping[Number, list[int]]:
        return _grouped((number.after(len(number.parts) - 1), place) for place, number in self._read)

    @cached_property
    def _named(self) -> dict[str, int]:
        return {rule: place for place, rule in enumerate(self._ids)}

    @cached_property
    def _rulesets(self) -> set[str]:
        return {rule.partition("/")[0] for rule in self._ids}

    @cached_property
    def _slugs(self) -> Mapping[str, list[int]]:
        return _grouped((rule.partition("/")[2], place) for place, rule in enumerate(self._ids))

    def find(self, query: str, among: Callable[[int], bool] = lambda _: True) -> dict[int, str]:
        """
        Return the places of the rules that *query* cites, of those *among* which it asks; the one that is cited
        first is first, each with its number, or the id, as it is written.
        """
        plain = unicodedata.normalize("NFKC", query)
        alone = self._only(plain.lower().strip(_AROUND), among)
        if alone is not None:
            return {alone: self._ids[alone]}
        found = {place: self._ids[place] for place in self._by_id(plain.lower()) if among(place)}
        for rule in found.values():
            plain = re.sub(re.escape(rule), " ", plain, flags=re.IGNORECASE)
        for number in cited_in(plain):
            places = self._ends.get(number, ()) if number.is_inner else self._numbers.find(number)
            for place in filter(among, places):
                found.setdefault(place, self._spelt[place] or self._ids[place])
        return found

    def _only(self, slug: str, among: Callable[[int], bool]) -> int | None:
        """Return the place of the only rule with *slug*; one of a single word is a word like any other."""
        places = [place for place in self._slugs.get(slug, ()) if among(place)] if "-" in slug else []
        return places[0] if len(places) == 1 else None

    def _by_id(self, text: str) -> Iterator[int]:
        """Yield the places of the rules whose ids stand in *text*."""
        for slash in [match.start() for match in re.finditer("/", text)][:MOST]:
            yield from self._around(text, slash)

    def _around(self, text: str, slash: int) -> Iterator[int]:
        """Yield the place of the rule whose id stands around the *slash* in *text*: of several, the longest."""
        slug = _SLUG.match(text, slash + 1, slash + 1 + MOST_SLUG_BYTES)
        for ruleset in self._rulesets if slug else ():
            start = slash - len(ruleset)
            if not (start >= 0 and text.startswith(f"{ruleset}/", start) and _BEGINS.match(text, start)):
                continue
            ends = (end for end in range(slug.end() if slug else 0, slash + 1, -1) if _ENDS.match(text, end))
            places = (self._named.get(text[start:end]) for end in ends)
            yield from [place for place in places if place is not None][:1]


def _grouped(places: Iterable[tuple[_Name, int]]) -> Mapping[_Name, list[int]]:
    found: defaultdict[_Name, list[int]] = defaultdict(list)
    for name, place in places:
        found[name].append(place)
    return found


@lru_cache(maxsize=4096)
def _heading(title: str) -> Number | None:
    found = _HEADING.match(title)
    return read_number(found[0]) if found else None
