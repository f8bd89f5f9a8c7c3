"""
The table of contents of a document: what it lists stands again further below, and is no rule here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lorebook.importers.elements import Element
from lorebook.importers.markers import Marker, has_leader, is_title, marker_of, without_leader

_CONTENTS = re.compile(r"(?:table\s+of\s+)?contents|目\s*[录錄次]", re.IGNORECASE)
_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_PAGE = re.compile(r"\s+\d{1,4}$")
_SPACE = re.compile(r"\s+")
_FEW = 3


def is_contents(title: str) -> bool:
    """
    Tell whether *title* is that of a table of contents.
    """
    return _CONTENTS.fullmatch(title.strip().rstrip(":：")) is not None


def find_contents(elements: Sequence[Element], markers: Sequence[Marker | None], *, numbered: bool) -> set[int]:
    """
    Return the places of the *elements* that are a table of contents, with its own heading.

    In a *numbered* document that is a run of headings that stand again further below; in any other, and in a list, it
    is named so, or each of its lines is a link to a heading below, or leads to its page by dots.
    """
    found = _listed_again(elements, markers) if numbered else set()
    found |= _linked(elements)
    return found | {at - 1 for at in found if at and is_contents(elements[at - 1].text)}


def _listed_again(elements: Sequence[Element], markers: Sequence[Marker | None]) -> set[int]:
    listed: dict[int, tuple[tuple[str, ...], str]] = {}
    for at, element in enumerate(elements):
        marker = markers[at]
        if has_leader(element.text) or (marker.is_title if marker else is_title(element.text)):
            listed[at] = (marker.parts if marker else (), _squeezed(without_leader(element.text)))
    last = {entry: at for at, entry in listed.items()}
    for at, (parts, _) in listed.items():
        # A page may stand behind a title without dots between.
        bare = (parts, _squeezed(_PAGE.sub("", elements[at].text)))
        if last.get(bare, 0) > at:
            listed[at] = bare
    again = {at for at, entry in listed.items() if last[entry] > at or has_leader(elements[at].text)}
    return {at for at in again if any({at + n, at + n + 1, at + n + 2} <= again for n in (-2, -1, 0))}


def _linked(elements: Sequence[Element]) -> set[int]:
    last = {name: at for at, element in enumerate(elements) if element.level for name in _names(element.text)}
    found: set[int] = set()
    run: list[int] = []
    named = False
    for at, element in enumerate(elements):
        if not element.level and _is_linked(element, last, at, named=named):
            run.append(at)
            continue
        if named or sum(elements[place].text.count("\n") + 1 for place in run) >= _FEW:
            found.update(run)
        run, named = [], bool(element.level) and is_contents(element.text)
    return found


def _is_linked(element: Element, last: dict[str, int], at: int, *, named: bool) -> bool:
    """Tell whether every line of *element* is a heading's name and, where nothing is *named* so, leads down to it."""
    rows = element.text.split("\n")
    if not (named or len(rows) <= len(element.links) or all(map(has_leader, rows))):
        return False
    below = (max((last.get(name, -1) for name in _names(without_leader(row))), default=-1) for row in rows)
    return min(below) > (-1 if named else at)


def _names(text: str) -> Iterator[str]:
    """Yield what a heading may be called in a list: with its number or without, and with the mark of its item."""
    for name in (text, _MARK.sub("", text, count=1)):
        yield _squeezed(name)
        if (marker := marker_of(name.strip())) and marker.rest:
            yield _squeezed(marker.rest)


def _squeezed(text: str) -> str:
    return _SPACE.sub("", text).casefold()
