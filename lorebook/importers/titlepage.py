"""
What stands above the rules of a plain text: its title, and the lines that say which edition it is.
"""

from __future__ import annotations

import re
from itertools import islice

from lorebook.importers.contents import is_contents
from lorebook.importers.document import Document, TextLine
from lorebook.importers.draft import Action, Reading
from lorebook.importers.front_matter import note_front
from lorebook.importers.markers import is_title, marker_of
from lorebook.importers.wrapping import Wrapping, ends

_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DATED = rf"(?:v(?:er(?:sion)?)?\.?\s?)?\d[\d.,/ -]*[a-z]?(?:{_MONTH}\s[\d, ]+)?|{_MONTH}\s[\d, ]+"
_HAN_DATE = r"\d{4}\s?[年./-]\s?\d{1,2}\s?[月./-](?:\s?\d{1,2}\s?日?)?"
_EDITION = re.compile(
    r"(?:(?:last |first )?(?:updated?|revised|revision|modified|effective|published|issued|released?|version|ver\.?"
    rf"|edition|date)(?: date| (?:of|as of|on|from|since))*\s*[:：]?\s*(?:{_DATED})"
    rf"|v\.?\s?\d[\d.]*[a-z]?(?:,?\s(?:{_DATED}))?"
    r"|(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|revised)\sedition"
    rf"|(?:最[后近]|首次)?(?:更新|修[订訂]|修正|[发發]布|公布|施行|生效|版本|日期)(?:日期|[时時][间間]|[号號])?\s*[:：]?\s*v?\d.{{0,20}}"
    rf"|{_HAN_DATE}.{{0,12}}(?:[发發]布|公布|通[过過]|修[订訂]|修正|施行|更新|版)"
    r"|第?[一二三四五六七八九十\d.]{1,6}\s?版(?:本)?)",
    re.IGNORECASE,
)
_BRACKETS = "()（）[]【】"
_MOST_LINES = 6
# A longer line is text, above which a short one is a title.
_LONG = 60


def is_edition(text: str) -> bool:
    """
    Tell whether *text* says no more than which edition it stands in, or of which day.
    """
    return _EDITION.fullmatch(text.strip(_BRACKETS).strip()) is not None


def read_title_page(document: Document, reading: Reading) -> int:
    """
    Read the title and the edition; return how many of the spoken lines they take.

    A line that stands alone above a paragraph is the title, too, but also the heading of that paragraph.
    """
    title, lines = document.spoken[0], document.spoken
    if not is_title(title.text) or marker_of(title.text) or is_contents(title.text):
        return 0
    editions = [line for line in islice(lines, 1, _MOST_LINES) if is_edition(line.text)]
    count = len(editions)
    if list(lines[1 : count + 1]) != editions or len(lines) == count + 1:
        return 0
    if not _stands_above(document, lines[count + 1], dated=count > 0):
        if _is_alone(document, title) and not marker_of(lines[1].text):
            reading.title = title.text
        return 0
    reading.title = title.text
    reading.set_aside([title], "title of the document")
    reading.note(Action.KEPT, [title.number], "title of the document")
    if editions:
        reading.facts["edition"] = ", ".join(line.text.strip(_BRACKETS) for line in editions)
        note_front(reading, [line.number for line in editions])
    return count + 1


def _stands_above(document: Document, after: TextLine, *, dated: bool) -> bool:
    """Tell whether what precedes the line *after* is a title page: of it, and not only of the rules below it."""
    marker = marker_of(after.text)
    begins = any(block[0] is after for block in document.blocks[:_MOST_LINES])
    if not marker and _is_right_above(document, after):
        return True
    if not marker:
        return begins and (dated or (is_title(after.text) and _is_alone(document, after)))
    if begins:
        return dated or marker.is_title
    return marker.value == 1 and bool(marker.rest) and not any(map(_is_headed, document.blocks[1:]))


def _is_right_above(document: Document, text: TextLine) -> bool:
    """Tell whether the first line stands right above a paragraph that opens the document, and numbers come below."""
    title, (opening, *others) = document.spoken[0], document.blocks
    if opening[1:2] != (text,) or len(text.text) <= _LONG or not others or not marker_of(others[0][0].text):
        return False
    whole = ends(opening[-1].text) and not any(marker_of(line.text) for line in opening)
    return whole and not Wrapping.of(document).goes_on(title, text)


def _is_alone(document: Document, line: TextLine) -> bool:
    return any(block == (line,) for block in document.blocks[:_MOST_LINES])


def _is_headed(block: tuple[TextLine, ...]) -> bool:
    """Tell whether a heading without a number stands right above a number."""
    first, *others = block[:2]
    return bool(others) and not marker_of(first.text) and is_title(first.text) and marker_of(others[0].text) is not None
