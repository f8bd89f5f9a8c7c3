"""
The text of a PDF, page by page, with the size of the letters of each line.

Every page begins with a line that names it, so that whoever looks up a cited line finds the printed page.
"""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lorebook.errors import DocumentError

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MOST_PAGES = 5000
# What a page draws is counted: pages may call one another's pieces until no machine could finish them.
_MOST_STEPS = 20_000_000
_MOST_CHARACTERS = 32 * 2**20
_FEW_LETTERS = 4
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_SOFT_HYPHEN = re.compile(r"\u00ad\s*$")
_BOLD = ("bold", "black", "heavy", "semibold")


@dataclass(frozen=True)
class Line:
    """
    How one line of a page is set.
    """

    size: float
    bold: bool = False
    above: float = 0.0
    """How far below the line before it, in its own size; 0 where it is not below."""


@dataclass(frozen=True)
class Pages:
    """
    How each line of the document is set, by its number; the lines that name pages are not among them.
    """

    lines: dict[int, Line]
    title: str | None = None
    count: int = 0


def is_pdf(data: bytes) -> bool:
    """
    Tell whether *data* is a PDF: readers allow some bytes before its mark.
    """
    return b"%PDF-" in data[:1024]


def page_line(number: int) -> str:
    """
    Return the line that begins page *number*.
    """
    return f"[page {number}]"


def read_pages(data: bytes, *, where: str) -> tuple[str, Pages]:
    """
    Return the text of the PDF in *data*, and how it is set.

    Raises DocumentError for a PDF that is damaged, locked, too large or without text.
    """
    from pypdf import PdfReader  # noqa: PLC0415 (a tenth of a second, which only a PDF has to pay)

    with _silent("pypdf"):
        try:
            reader = PdfReader(io.BytesIO(data))
            _check(reader, where)
            return _gathered(reader, where)
        except DocumentError:
            raise
        except Exception as error:  # a damaged file makes pypdf raise whatever its parts do
            what = f"the PDF cannot be read: {' '.join(str(error).split()) or type(error).__name__}"
            raise DocumentError(what, where=where, hint="save it anew, or import its text") from error


def _check(reader: PdfReader, where: str) -> None:
    if reader.is_encrypted and not reader.decrypt(""):
        raise DocumentError("the PDF is locked by a password", where=where, hint="save it without one")
    count = len(reader.pages)
    if count > MOST_PAGES:
        raise DocumentError(f"the PDF has {count:,} pages; the limit is {MOST_PAGES:,}", where=where, hint="split it")


def _gathered(reader: PdfReader, where: str) -> tuple[str, Pages]:
    taken = _Taken(where)
    count = 0
    for count, page in enumerate(reader.pages, 1):
        taken.add(page_line(count))
        taken.read(page)
    if taken.letters < _FEW_LETTERS * max(1, count):
        what = "the PDF holds pictures of pages and no text"
        raise DocumentError(what, where=where, hint="run a text recognition over it first")
    title = reader.metadata.title if reader.metadata else None
    return "\n".join(taken.text) + "\n", Pages(taken.lines, title and " ".join(str(title).split()), count)


@dataclass(frozen=True, slots=True)
class _Run:
    """A piece of a page's text: how high its letters are and how far above the page's foot it stands."""

    text: str
    size: float
    place: float
    bold: bool = False


class _Taken:
    """The lines taken from pages so far."""

    def __init__(self, where: str) -> None:
        self.text: list[str] = []
        self.lines: dict[int, Line] = {}
        self.letters = 0
        self._where = where
        self._steps = 0
        self._characters = 0

    def add(self, line: str) -> None:
        self.text.append(line)

    def read(self, page: PageObject) -> None:
        runs: list[_Run] = []

        def keep(text: str, cm: Any, tm: Any, font: Any, size: Any) -> None:  # noqa: ANN401 (pypdf's signature)
            if text:
                runs.append(_Run(text, _height(cm, tm, size), float(tm[5] * cm[3] + cm[5]), bold=_is_bold(font)))

        page.extract_text(visitor_text=keep, visitor_operand_before=self._count)
        self._characters += sum(len(run.text) for run in runs)
        if self._characters > _MOST_CHARACTERS:
            self._refuse()
        for line, setting in _lines(runs):
            self.add(line)
            if line:
                self.letters += len(line)
                self.lines[len(self.text)] = setting

    def _count(self, *_: object) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            self._refuse()

    def _refuse(self) -> None:
        raise DocumentError("the PDF draws too much to be a document", where=self._where)


def _height(cm: Any, tm: Any, size: Any) -> float:  # noqa: ANN401 (pypdf's matrices)
    return round(abs(float(size) * (tm[3] or tm[1] or 1) * (cm[3] or cm[1] or 1)) * 2) / 2


def _is_bold(font: Any) -> bool:  # noqa: ANN401 (pypdf's dictionary)
    name = str(font.get("/BaseFont", "")) if font else ""
    return any(word in name.lower() for word in _BOLD)


def _lines(runs: list[_Run]) -> Iterator[tuple[str, Line]]:
    """Yield the lines that *runs* make up, each set as most of its letters are."""
    text: list[str] = []
    sizes: Counter[tuple[float, bool]] = Counter()
    before = place = None
    for run in [*runs, _Run("\n", 0.0, 0.0)]:
        first, *others = run.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").split("\n")
        for at, part in enumerate([first, *others]):
            if at:
                ((size, bold), _), *_ = sizes.most_common(1) or [((0.0, False), 0)]
                gap = (before - place) / size if before is not None and place is not None and size else 0.0
                yield _plain("".join(text)), Line(size, bold, max(0.0, round(gap, 2)))
                before, place = (before if place is None else place), None
                text, sizes = [], Counter()
            if part.strip():
                sizes[run.size, run.bold] += len(part.strip())
                place = run.place if place is None else place
            text.append(part)


def _plain(line: str) -> str:
    """Return *line* with one space where there are several, letters for ligatures, and nothing that has no encoding."""
    plain = _LIGATURE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), line)
    # A soft hyphen is seen at the end of a line only.
    said = _SOFT_HYPHEN.sub("-", plain).replace("\u00ad", "")
    return " ".join(said.encode("utf-8", "replace").decode().split())


@contextmanager
def _silent(name: str) -> Iterator[None]:
    """Keep what the library *name* logs to itself: what is wrong with a file is told once, as an error."""
    logger = logging.getLogger(name)
    before = logger.disabled, logger.propagate, logger.level
    logger.propagate, logger.level = False, logging.CRITICAL + 1
    try:
        yield
    finally:
        logger.disabled, logger.propagate, logger.level = before
