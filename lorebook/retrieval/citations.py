"""
The numbers of rules that a question cites: who asks for `702.19b`, `rule 2` or `第三条` wants that rule.

A number in several parts is a citation wherever it stands; a single one only where it is written as one, since
`2 cards` cites nothing. Where no rule has the number, the rules below it are meant: `702.19` is `702.19a` and on.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

from lorebook.rulenumbers import DIGITS, parts_of
from lorebook.scripts import UNSPACED

_CALLED = r"rules?|sections?|articles?|chapters?|paragraphs?|items?|nos?\.|numbers?|part|clause|cr|§{1,2}|#"
_LATIN = rf"(?<![^\W{UNSPACED}])(?<!\d[.,])"
_TAIL = r"(?:[.]?\((?:[a-z]{1,5}|\d{1,4})\)|\.[a-z]{1,5}(?![a-z])|\.\d{1,5})"
_NUMBER = rf"\d{{1,5}}{_TAIL}{{0,8}}[a-z]?(?![^\W{UNSPACED}])"
_HAN_NUMBER = rf"(?:\d{{1,5}}|[{DIGITS}]{{1,8}})"
_CITED = re.compile(
    rf"(?:(?<!\w)(?:{_CALLED})|规则|條文|条文|規則)\s{{0,3}}(?P<called>[a-z]{{1,4}}(?:\.[a-z]{{1,4}}){{1,8}}|{_NUMBER})"
    rf"|(?P<han>(?:第\s?{_HAN_NUMBER}\s?[章节節编編部篇]\s?){{0,3}}第?\s?{_HAN_NUMBER}\s?[条條款项項])"
    rf"|(?P<chapter>第\s?{_HAN_NUMBER}\s?[章节節])"
    rf"|(?:规则|規則)第?(?P<rule>[{DIGITS}]{{1,8}})"
    rf"|\A\s*(?P<alone>\d{{1,4}})\.(?=\s|\Z)"
    rf"|{_LATIN}(?P<bare>{_NUMBER})"
    rf"|{_LATIN}(?P<lettered>[A-Z](?:\.[A-Za-z]{{1,5}}){{1,8}})(?![^\W{UNSPACED}])",
    re.IGNORECASE,
)
_MOST = 20


class CitationIndex:
    """
    From numbers to the rules that have them, by the rules' places.
    """

    def __init__(self, owners: Mapping[str, Sequence[int]], spelt: Sequence[str | None]) -> None:
        """
        Keep *owners*: the places of the rules by the parts of their number; *spelt*: each rule's number.
        """
        self._owners = owners
        self.spelt = spelt

    @classmethod
    def build(cls, numbers: Iterable[str | None]) -> Self:
        """
        Index the *numbers* of all rules, in their order.
        """
        spelt = list(numbers)
        owners: defaultdict[str, list[int]] = defaultdict(list)
        below: defaultdict[str, list[int]] = defaultdict(list)
        for place, number in enumerate(spelt):
            parts = parts_of(number) if number else ()
            if parts:
                owners[".".join(parts)].append(place)
            for end in range(1, len(parts)):
                below[".".join(parts[:end])].append(place)
        return cls({**below, **owners}, spelt)

    def find(self, query: str) -> dict[int, str]:
        """
        Return the places of the rules that *query* cites, each with its number as its document writes it.
        """
        found = (place for cited in _citations(query) for place in self._owners.get(cited, ()))
        return {place: self.spelt[place] or "" for place in found}


def _citations(query: str) -> Iterator[str]:
    """Yield the numbers that *query* cites, as their parts joined by dots."""
    plain = unicodedata.normalize("NFKC", query)
    for count, match in enumerate(_CITED.finditer(plain)):
        if count == _MOST:
            return
        parts = parts_of(match[match.lastgroup or 0])
        if parts and (match.lastgroup not in ("bare", "lettered") or len(parts) > 1):
            yield ".".join(parts)
