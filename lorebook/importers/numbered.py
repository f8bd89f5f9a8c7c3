"""
A numbered rulebook as plain text: every rule begins with its number, at the beginning of a line.

    702. Keyword Abilities
    702.19. Trample
    702.19a Trample is a static ability that …

Wrapped lines are joined. A line that goes on with a sentence and only happens to begin with a number is no rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from lorebook.importers.document import Document, TextLine
from lorebook.importers.draft import Detection, Reading
from lorebook.importers.elements import ITEM, Element, join_lines
from lorebook.importers.markers import BRACKETED, STRONG, Marker, Rank, is_title, marker_of
from lorebook.importers.numbertree import BARE
from lorebook.importers.questions import is_answer, question_in
from lorebook.importers.sections import Sections
from lorebook.importers.titlepage import read_title_page
from lorebook.importers.wrapping import Wrapping, begins_small, ends, is_left_open

_EXAMPLE = re.compile(r"(?:Examples?|For example|例如?|示例)\s*\d*\s*[:：]", re.IGNORECASE)
_DRAWN = re.compile(r"(?:[-*_=~#]\s*){3,}")
_GLOSSARY = re.compile(r"(?:glossary|definitions|terms)(?: of terms)?|术语(?:表|解释)?|術語表?", re.IGNORECASE)
_PARTS = re.compile(r"总\s?则|總\s?則|分\s?则|附\s?[则則录錄件]|[前序引]\s?言|[后後]\s?[记記]")
_LETTERED = re.compile(r"(?:[a-z]|[ivx]{2,4})[.)]\s+\S")
_REFERS = re.compile(
    r"(?:\b(?:rules?|sections?|paragraphs?|clauses?|items?|see)|[见見条條款项項])\s?[\d.]*$", re.IGNORECASE
)
_LEADS_TO_ITEM = re.compile(r"[.!?:;,](?:\s(?:and|or))?$", re.IGNORECASE)
_SHORT, _SHORTEST = 60, 30
_FEW, _MANY = 3, 5
_SHARE, _DENSE = 0.25, 0.8
_THIN = 20
_COUNTED = frozenset({Rank.DOT, Rank.SECTION, *STRONG})


class NumberedImporter:
    """
    Reads a text whose rules are numbered; every number is kept.
    """

    kind = "numbered"
    needs = "a numbered text: none of its lines begins with a number such as 1.2, § 3, 第三条 or 一、"

    def detect(self, document: Document) -> Detection | None:
        """
        Return how many lines begin with numbers, and of which kind.
        """
        markers = [marker for line in document.spoken if (marker := marker_of(line.text))]
        strong = sum(1 for marker in markers if marker.rank in STRONG)
        counted = sum(1 for marker in markers if marker.rank in _COUNTED)
        if not counted:
            return None
        share = counted / len(document.blocks)
        reason = f"{counted} numbered lines"
        if strong >= _FEW and share >= _SHARE:
            return Detection(self.kind, reason, 0.84)
        if articles := _articles(document):
            return Detection(self.kind, f"{articles} articles one after the other", 0.8)
        if _is_counted(document) or (strong and _is_dense(document, markers)):
            return Detection(self.kind, f"{reason}, counted from the first line on", 0.8)
        rising = _rising(document)
        if rising >= _MANY:
            return Detection(self.kind, f"{rising} paragraphs numbered one after the other", 0.5)
        return Detection(self.kind, reason, 0.45 if counted >= _FEW and share >= 2 * _SHARE else 0.04)

    def read(self, document: Document) -> Reading:
        """
        Read numbered headings and rules, and the text between them.
        """
        reading = Reading()
        elements = list(_elements(document, reading))
        return Sections(reading, elements, numbered=True).read()


def _rising(document: Document) -> int:
    """Return how far paragraphs are numbered one after the other."""
    last = -1
    for block in document.blocks:
        marker = marker_of(block[0].text)
        if marker and marker.rank is Rank.DOT and marker.value in (last + 1, last + 2 if last < 0 else 0):
            last = marker.value
    return last


def _is_dense(document: Document, markers: Sequence[Marker]) -> bool:
    """Tell whether nearly all lines have numbers, of more than one rank."""
    several = len({marker.rank for marker in markers}) > 1 and len(markers) > _FEW
    return several and len(markers) >= _DENSE * len(document.spoken)


def _articles(document: Document) -> int:
    """Return how many lines begin with articles, where they follow each other and few other lines stand between."""
    markers = (marker for line in document.spoken if (marker := marker_of(line.text)))
    values = [marker.value for marker in markers if marker.rank is Rank.ARTICLE and marker.rest]
    in_order = sum(other == one + 1 for one, other in pairwise(values))
    dense = len(values) * _THIN >= len(document.spoken)
    return len(values) if dense and in_order and 2 * in_order >= len(values) else 0


def _is_counted(document: Document) -> bool:
    """Tell whether lines are counted from the first one, or the one below a title, to the end, without a new start."""
    lines = document.spoken
    numbered = [(at, marker) for at, line in enumerate(lines) if (marker := marker_of(line.text)) and marker.rest]
    counted = [marker.value for _, marker in numbered if marker.rank is Rank.DOT]
    if len(counted) < 2 or counted != [*range(1, len(counted) + 1)]:  # noqa: PLR2004 (one number counts nothing)
        return False
    first, marker = numbered[0]
    listed = sum(1 for line in lines if ITEM.match(line.text))
    return first <= 1 and marker.rank is Rank.DOT and (len(numbered) + listed) * _FEW >= len(lines)


def _elements(document: Document, reading: Reading) -> Iterator[Element]:
    drawn: list[TextLine] = []
    wrapping = Wrapping.of(document)
    in_glossary = False
    front = read_title_page(document, reading)
    above = document.spoken[front - 1].number if front else 0
    for block in document.blocks:
        lines = [line for line in block if not _DRAWN.fullmatch(line.text) and line.number > above]
        drawn += [line for line in block if _DRAWN.fullmatch(line.text)]
        at = next((at for at, line in enumerate(lines) if _GLOSSARY.fullmatch(line.text)), None)
        if at is not None:
            yield from parted(lines[:at], wrapping)
            yield Element(lines[at].text, (lines[at].number,), level=1)
            yield from _entries(lines[at + 1 :], wrapping)
            in_glossary = True
        elif len(lines) == 1 and _is_heading(lines[0]):
            in_glossary = False
            yield Element(lines[0].text, (lines[0].number,), level=BARE)
        elif in_glossary and lines and _is_heading(lines[0]):
            yield from _entries(lines, wrapping)
        else:
            yield from parted(lines, wrapping)
    reading.drop(drawn, "a line that only draws")


def _is_heading(line: TextLine) -> bool:
    return is_title(line.text) and marker_of(line.text) is None


def _entries(lines: Sequence[TextLine], wrapping: Wrapping) -> Iterator[Element]:
    """Yield terms, and what stands on the lines below each: what it means, which may be counted and is no rule."""
    terms = [at for at in range(len(lines)) if _is_term(lines, at)]
    yield from (replace(element, numbered=False) for element in parted(lines[: (terms or [len(lines)])[0]], wrapping))
    for at, after in pairwise([*terms, len(lines)]):
        yield Element(lines[at].text, (lines[at].number,), level=BARE)
        yield from (replace(element, numbered=False) for element in parted(lines[at + 1 : after], wrapping))


def _is_term(lines: Sequence[TextLine], at: int) -> bool:
    """Tell whether a line is a term: the first of its block, or a short line between two sentences."""
    if at + 1 == len(lines) or not _is_heading(lines[at]):
        return False
    short = len(lines[at].text) <= _SHORTEST
    return at == 0 or (short and ends(lines[at - 1].text) and ends(lines[at + 1].text))


def parted(lines: Sequence[TextLine], wrapping: Wrapping) -> Iterator[Element]:
    """
    Yield the pieces of the block *lines*: a piece begins with a number, an example, the point of a list or a paragraph.
    """
    carried = _carried(lines, wrapping)
    piece: list[TextLine] = []
    for at, line in enumerate(lines):
        heads = _heads(lines, at)
        breaks = at not in carried and piece and (begins(line.text, piece[-1].text) or wrapping.parts(piece[-1], line))
        if piece and (heads or breaks):
            yield _joined(piece, tight=piece[0] is not lines[0])
            piece = []
        if heads:
            yield Element(line.text, (line.number,), level=BARE)
        else:
            piece.append(line)
    if piece:
        yield _joined(piece, tight=piece[0] is not lines[0])


def _carried(lines: Sequence[TextLine], wrapping: Wrapping) -> frozenset[int]:
    """
    Return the places of the lines that go on with a number's line although that may be a heading.

    Of the articles `第…条` in a block, where one is wrapped, all are.
    """
    under = [at for at in range(1, len(lines)) if _is_under_title(lines[at].text, lines[at - 1].text)]
    going = [at for at in under if wrapping.goes_on(lines[at - 1], lines[at])]
    articles = [at for at in under if lines[at - 1].text.startswith("第")]
    return frozenset([*going, *articles] if set(going) & set(articles) else going)


def _is_under_title(text: str, before: str) -> bool:
    above = marker_of(before)
    titled = above is not None and above.is_title
    return titled and not (marker_of(text) or ITEM.match(text) or _EXAMPLE.match(text))


def _heads(lines: Sequence[TextLine], at: int) -> bool:
    """
    Tell whether a line is a heading without blank lines around it: after a whole sentence, above a number, or by its
    name alone, as `附则` is.
    """
    if not 0 < at < len(lines) - 1:
        return False
    before, text, after = (line.text for line in lines[at - 1 : at + 2])
    if _PARTS.fullmatch(text):
        return True
    if len(text) > _SHORTEST or not is_title(text) or marker_of(text) or begins_small(text) or ITEM.match(text):
        return False
    marker = marker_of(after)
    numbered = marker is not None and marker.rest != "" and not begins_small(marker.rest)
    return numbered and ends(before)


def begins(text: str, before: str) -> bool:
    """
    Tell whether a rule, an example or an item of a list begins with the line *text*, which follows the line *before*.
    """
    if _EXAMPLE.match(text) or ITEM.match(text) or question_in(text) or is_answer(text):
        return True
    if _LETTERED.match(text) and _LEADS_TO_ITEM.search(before):
        return True
    marker, above = marker_of(text), marker_of(before)
    if marker and marker.rest and above is None and is_title(before) and len(before) <= _SHORTEST:
        return not begins_small(marker.rest)
    titled = above is not None and above.is_title and len(above.rest) <= _SHORT
    if not (marker and marker.rest):
        return titled and not begins_small(text) and not is_left_open(before)
    inner = above and marker.rank in BRACKETED and not (is_left_open(before) or _REFERS.search(before))
    if above and (inner or _follows(marker, above)):
        return True
    return ends(before) or (titled and not begins_small(marker.rest))


def _follows(marker: Marker, above: Marker) -> bool:
    return above.parts[:-1] == marker.parts[:-1] and marker.value == above.value + 1 > 1


def _joined(lines: Sequence[TextLine], *, tight: bool) -> Element:
    return Element(join_lines([line.text for line in lines]), tuple(line.number for line in lines), tight=tight)
