"""
The rules that a question cites: who asks for `702.19b`, `第四条（二）` or `ygo-classic/hand-limit` wants that rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from lorebook.records import MOST_SLUG_BYTES, SLUG
from lorebook.retrieval.cited import MOST, cited_in
from lorebook.rulenumbers import HAN_CHAIN, Number, NumberIndex, read_number
from lorebook.scripts import UNSPACED

_HEADING = re.compile(
    rf"{HAN_CHAIN}|(?:chapter|part|article|section|appendix)\s(?:\d[\d.]{{0,8}}|[ivxlc]{{1,7}}|[a-z])(?!\w)",
    re.IGNORECASE,
)
_SLUG = re.compile(SLUG)
_BEGINS = re.compile(rf"(?<![^\W{UNSPACED}])(?<![-/.])|(?=[{UNSPACED}])")
_ENDS = re.compile(rf"(?![^\W{UNSPACED}]|[-.][^\W_])")
_AROUND = " \t\r\n\"'`“”‘’「」『』《》.,:;?!，。：；？！"


class CitationIndex:
    """
    From numbers and ids to the rules that have them, by the rules' places.
    """

    def __init__(
        self, numbers: Iterable[str | None], ids: Sequence[str] = (), sections: Iterable[Sequence[str]] = ()
    ) -> None:
        """
        Index all rules in their order: their *numbers*, their *ids*, and the headings above them.
        """
        self._spelt = list(numbers)
        self._ids = ids
        self._numbers = NumberIndex()
        self._ends: defaultdict[Number, list[int]] = defaultdict(list)
        for place, spelt in enumerate(self._spelt):
            number = read_number(spelt) if spelt else None
            if number:
                self._numbers.add(number, place)
                self._ends[number.after(len(number.parts) - 1)].append(place)
        for place, section in enumerate(sections):
            for heading in filter(None, map(_heading, section)):
                self._numbers.add_heading(heading, place)
        self._named = {rule: place for place, rule in enumerate(ids)}
        self._rulesets = {rule.partition("/")[0] for rule in ids}
        self._slugs: defaultdict[str, list[int]] = defaultdict(list)
        for place, rule in enumerate(ids):
            self._slugs[rule.partition("/")[2]].append(place)

    def find(self, query: str, among: Callable[[int], bool] = lambda _: True) -> dict[int, str]:
        """
        Return the places of the rules that *query* cites, of those *among* which it asks; the one that is cited
        first is first, each with its number, or the id, as it is written.
        """
        plain = unicodedata.normalize("NFKC", query)
        found = {place: self._ids[place] for place in self._by_name(plain.lower(), among) if among(place)}
        for rule in found.values():
            for name in (rule, rule.partition("/")[2]):
                plain = re.sub(re.escape(name), " ", plain, flags=re.IGNORECASE)
        for number in cited_in(plain):
            places = self._ends.get(number, ()) if number.is_inner else self._numbers.find(number)
            for place in filter(among, places):
                found.setdefault(place, self._spelt[place] or self._ids[place])
        return found

    def _by_name(self, text: str, among: Callable[[int], bool]) -> Iterator[int]:
        """Yield the places of the rules whose ids stand in *text*, or of the only one of whose id it is the end."""
        for slash in [match.start() for match in re.finditer("/", text)][:MOST]:
            yield from self._around(text, slash)
        # A slug of one word is a word like any other.
        alone = text.strip(_AROUND)
        places = [place for place in self._slugs.get(alone, ()) if among(place)] if "-" in alone else []
        if len(places) == 1:
            yield from places

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


@lru_cache(maxsize=4096)
def _heading(title: str) -> Number | None:
    found = _HEADING.match(title)
    return read_number(found[0]) if found else None
