"""
From headings, numbers and pieces of text to drafts of rules.

Text belongs to the innermost heading or number above it. A number of its own makes a rule, however short; paragraphs
under a heading are one rule while they are short together, and no piece of text is ever parted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from lorebook.importers.contents import find_contents
from lorebook.importers.draft import Action, Draft, Reading
from lorebook.importers.elements import ITEM, Element, closed_up
from lorebook.importers.markers import BRACKETED, STRONG, Marker, Rank, marker_of
from lorebook.importers.naming import title_from
from lorebook.importers.numbertree import BARE, NumberTree, Opened
from lorebook.importers.questions import question_in

MOST_LEVELS = 12
"""Headings further inside count as of this level."""

_MOST_TOGETHER = 900
_MOST_NUMBERED = 4000
_FEW_NUMBERS = 3
_LEADS = re.compile(r".{1,78}[^:：][:：]")
_EXAMPLE = re.compile(r"(?:Examples?|For example|例如?|示例)\s*\d*\s*[:：]\s*(?P<text>\S[\s\S]*)", re.IGNORECASE)


def is_numbered(texts: Iterable[str]) -> bool:
    """
    Tell whether *texts* are numbered as rules are: a few begin with numbers that lists do not have.
    """
    strong = (marker for text in texts if (marker := marker_of(text)) and marker.rank in STRONG)
    return sum(1 for _, _ in zip(range(_FEW_NUMBERS), strong, strict=False)) == _FEW_NUMBERS


@dataclass
class _Rule:
    """A rule while its text is gathered."""

    opened: Opened | None
    text: list[str] = field(default_factory=list)
    title: str | None = None
    """Its own, where it is a question with its answer or a term with its meaning."""
    named: bool = False
    lines: list[int] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    size: int = 0


@dataclass(frozen=True)
class _Heading:
    """A heading, and the headings that it stands in."""

    opened: Opened
    element: Element
    path: tuple[str, ...]


class Sections:
    """
    Reads elements into *reading*; *numbered* says whether numbers make rules.
    """

    def __init__(self, reading: Reading, elements: Sequence[Element], *, numbered: bool) -> None:
        self._reading = reading
        self._elements = elements
        self._markers = [marker_of(element.text) for element in elements]
        self._numbered = numbered
        self._tree = NumberTree()
        self._rule: _Rule | None = None
        self._untold: list[_Heading] = []
        """Open headings under which no rule has been read yet, outermost first."""
        self._anchors: list[str] = []
        self._headings: list[Element] = []
        self._contents: list[Element] = []

    def read(self) -> Reading:
        """
        Read all elements.
        """
        contents = find_contents(self._elements, self._markers, numbered=self._numbered)
        self._tree = NumberTree(self._repeated(contents))
        for at, (element, after) in enumerate(zip_longest(self._elements, self._markers[1:])):
            marker = self._markers[at] if element.numbered else None
            if at in contents:
                self._contents.append(element)
            elif element.level:
                self._open_heading(element, marker)
            else:
                self._add(element, marker if self._numbered else None, after, listed=self._is_listed(at))
        self._flush()
        self._tell(0)
        self._set_aside(self._headings, "headings", Action.KEPT, "headings, as the sections of the rules below them")
        what = "the table of contents"
        self._set_aside(self._contents, what, Action.DROPPED, what)
        return self._reading

    def _repeated(self, contents: set[int]) -> set[str]:
        """Return the numbers of sections that are counted anew: in each chapter or article there is a `Section 1`."""
        markers = (marker for at, marker in enumerate(self._markers) if marker and at not in contents)
        counts = Counter(marker.number for marker in markers if marker.rank is Rank.SECTION)
        return {number for number, count in counts.items() if count > 1}

    def _open_heading(self, element: Element, marker: Marker | None) -> None:
        self._flush()
        level = element.level if element.level == BARE else min(element.level, MOST_LEVELS)
        # A heading that is nothing but a number names its rule by the number alone.
        title = closed_up(element.text) if marker is None or marker.rest or not _has_number(marker) else None
        opened = self._tree.heading(title, level, marker if marker and (marker.rest or title is None) else None)
        self._opened(opened, element)

    def _opened(self, opened: Opened, element: Element) -> None:
        self._tell_closed()
        self._untold.append(_Heading(opened, element, self._tree.path_to(opened)))
        self._anchors += element.anchors

    def _add(self, element: Element, marker: Marker | None, after: Marker | None, *, listed: bool) -> None:
        if marker and marker.rest and self._tree.fits(marker, tight=element.tight, after=after):
            self._flush()
            self._open_number(element, marker, listed=listed)
            return
        example = _EXAMPLE.fullmatch(element.text)
        if example and self._rule and self._rule.text:
            self._rule.examples.append(example["text"].strip())
            self._take(element)
        elif title := self._begins(element):
            self._flush()
            self._start(element, element.text, None, title)
        elif self._rule and self._goes_on(element):
            self._rule.text.append(("\n" if element.tight else "\n\n") + element.text)
            self._take(element)
        else:
            self._flush()
            self._start(element, element.text, self._tree.open[-1] if self._tree.open else None)

    def _open_number(self, element: Element, marker: Marker, *, listed: bool) -> None:
        """Open a numbered heading or rule; with a list under it, a short line is both: the list goes on with it."""
        titled = marker.is_title and marker.rank not in BRACKETED
        opened = self._tree.rule(closed_up(element.text) if titled else None, marker, fresh=bool(self._untold))
        if titled and not listed:
            self._opened(opened, element)
            return
        opened.lead = marker.rest.rstrip(":：") if _LEADS.fullmatch(marker.rest) else None
        self._tell_closed()
        self._start(element, marker.rest, opened)

    def _is_listed(self, at: int) -> bool:
        """Tell whether a list without rules' numbers follows the element at *at* on the next line."""
        after = self._elements[at + 1 : at + 2]
        return bool(after) and after[0].tight and not after[0].level and ITEM.match(after[0].text) is not None

    def _begins(self, element: Element) -> str | None:
        """Return the term or question that *element* begins to speak of, if it does."""
        defined = self._rule is not None and self._rule.named and self._rule.title == element.term
        return None if defined else element.term or question_in(element.text)

    def _goes_on(self, element: Element) -> bool:
        rule = self._rule
        if rule is not None and rule.named and rule.title != element.term:
            return False
        if rule is None or (rule.opened is None and not rule.title):
            return rule is not None and element.tight and rule.size < _MOST_TOGETHER
        most = _MOST_NUMBERED if rule.opened and rule.opened.title is None else _MOST_TOGETHER
        return rule.size + len(element.text) <= most

    def _start(self, element: Element, text: str, opened: Opened | None, title: str | None = None) -> None:
        self._rule = _Rule(opened, [text], title, bool(element.term), anchors=self._anchors)
        self._anchors = []
        if self._untold and opened is self._untold[-1].opened:
            self._rule.lines += self._untold.pop().element.lines
        self._rule.heads += self._keep_untold()
        self._take(element)

    def _keep_untold(self) -> list[str]:
        """Keep the open headings as headings only; return their numbers."""
        self._headings += [heading.element for heading in self._untold]
        numbers = [heading.opened.number for heading in self._untold if heading.opened.number]
        self._untold = []
        return numbers

    def _take(self, element: Element) -> None:
        rule = self._rule
        if rule is not None:
            rule.lines += element.lines
            rule.anchors += element.anchors
            rule.links += element.links
            rule.size += len(element.text)

    def _flush(self) -> None:
        if self._rule:
            self._draft(self._rule)
        self._rule = None

    def _draft(self, rule: _Rule) -> None:
        opened = rule.opened
        text = "".join(rule.text).strip()
        titled = opened is not None and opened.title is not None
        title = rule.title or (_own_title(opened) if titled else title_from(text))
        self._reading.drafts.append(
            Draft(
                title=title,
                text=text,
                lines=tuple(rule.lines),
                section=self._tree.path_to(opened),
                examples=tuple(rule.examples),
                number=opened.number if opened else None,
                named=titled or rule.named,
                by_number=True,
                heads=tuple(rule.heads),
                anchors=tuple(rule.anchors),
                links=tuple(rule.links),
            )
        )

    def _tell_closed(self) -> None:
        """Tell of headings that closed before any rule was read under them."""
        still = next((at for at, heading in enumerate(self._untold) if heading.opened not in self._tree.open), None)
        if still is not None:
            self._tell(still)

    def _tell(self, start: int) -> None:
        """Make a rule of the innermost heading that nothing follows, if it is numbered; others are only headings."""
        if start >= len(self._untold):
            return
        *above, last = self._untold
        if not (self._numbered and last.opened.number):
            self._headings += [heading.element for heading in self._untold[start:]]
            self._untold = self._untold[:start]
            return
        self._untold = above
        heads, anchors = self._keep_untold(), [*self._anchors, *last.element.anchors]
        self._anchors = []
        title = _own_title(last.opened) or last.element.text
        self._reading.drafts.append(
            Draft(
                title=title,
                text=title,
                lines=last.element.lines,
                section=last.path,
                number=last.opened.number,
                by_number=True,
                heads=tuple(heads),
                anchors=tuple(anchors),
                links=last.element.links,
            )
        )

    def _set_aside(self, elements: list[Element], why: str, action: Action, what: str) -> None:
        if elements:
            numbers = [line for element in elements for line in element.lines]
            self._reading.put_aside(numbers, why, "\n".join(element.text for element in elements))
            self._reading.note(action, numbers, what)


def _has_number(marker: Marker) -> bool:
    return marker.rank in STRONG or marker.rank is Rank.DOT


def _own_title(opened: Opened | None) -> str:
    """Return the heading without its number."""
    if opened is None or opened.title is None:
        return ""
    marker = opened.marker
    return closed_up(marker.rest.rstrip(".") or marker.rest) if marker and marker.rest else opened.title
