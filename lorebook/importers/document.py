"""
A source document as importers see it: numbered lines of text, and nothing that is not text.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from functools import cached_property

from lorebook.errors import DocumentError
from lorebook.importers.encoding import decode
from lorebook.importers.pages import Pages, is_pdf, read_pages
from lorebook.records import MOST_NAME_BYTES, Language, Span
from lorebook.ruleset import split_lines
from lorebook.scripts import language_of, unspaced_share

MOST_BYTES = 64 * 2**20
"""The largest document that is read, in bytes; a printed rulebook has less than a hundredth of it."""

MOST_LINES = 2_000_000
"""The most lines of a document: each costs some 200 bytes of memory while the document is read."""

# Zero-width spaces and joiners, marks of direction, byte order marks.
_UNSEEN = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


@dataclass(frozen=True, slots=True)
class TextLine:
    """
    One line that is not blank: its number, counted from 1, and its text without white space at the ends.
    """

    number: int
    text: str


@dataclass(frozen=True)
class Document:
    """
    The text of a document, line by line.
    """

    name: str
    """The name under which its text is kept, and which rules cite."""
    lines: tuple[str, ...]
    sha256: str = ""
    file: str = ""
    """The name of the file that it was read from."""
    kept: bytes = b""
    """What is kept of it beside the rules: UTF-8 text with the lines above."""
    encoding: str | None = None
    """The encoding that its text was in, where that is not UTF-8."""
    pages: Pages | None = None
    """What a document of pages shows beside its text."""

    @classmethod
    def from_text(cls, text: str, *, name: str = "") -> Document:
        """
        Return the document that holds *text*.

        Raises DocumentError for text without a single visible character, or of too many lines.
        """
        lines = tuple(split_lines(text.removeprefix("\ufeff")))
        if not any(map(_stripped, lines)):
            raise DocumentError("the document is empty", where=name)
        if len(lines) > MOST_LINES:
            what = f"the document has {len(lines):,} lines; the limit is {MOST_LINES:,}"
            raise DocumentError(what, where=name, hint="split it")
        return cls(name, lines)

    @classmethod
    def from_bytes(cls, data: bytes, *, name: str) -> Document:
        """
        Return the document in *data*, a text or a PDF; its name is *name* as records can hold it.

        Raises DocumentError for what is empty, too large or neither.
        """
        name = _recordable(name)
        if len(data) > MOST_BYTES:
            size = f"{len(data) / 2**20:.0f} MiB"
            raise DocumentError(f"the document has {size}; the limit is {MOST_BYTES // 2**20} MiB", where=name)
        digest = hashlib.sha256(data).hexdigest()
        if is_pdf(data):
            text, pages = read_pages(data, where=name)
            # Rules cite lines, and a PDF has none: its text is kept in its place.
            found = cls.from_text(text, name=_recordable(f"{_cut(name, MOST_NAME_BYTES - 4)}.txt"))
            return replace(found, sha256=digest, file=name, kept=text.encode(), pages=pages)
        text, encoding = decode(data, where=name)
        found = cls.from_text(text, name=name)
        return replace(found, sha256=digest, file=name, kept=text.encode() if encoding else data, encoding=encoding)

    @property
    def suffix(self) -> str:
        """
        The ending of the file's name, in lower case and without its dot.
        """
        return self.file.rpartition(".")[2].lower() if "." in self.file else ""

    @cached_property
    def spoken(self) -> tuple[TextLine, ...]:
        """
        The lines that are not blank.
        """
        stripped = ((number, _stripped(line)) for number, line in enumerate(self.lines, 1))
        return tuple(TextLine(number, text) for number, text in stripped if text)

    @cached_property
    def blocks(self) -> tuple[tuple[TextLine, ...], ...]:
        """
        The lines that are not blank, in runs that blank lines part.
        """
        runs: list[list[TextLine]] = []
        for line in self.spoken:
            if runs and runs[-1][-1].number == line.number - 1:
                runs[-1].append(line)
            else:
                runs.append([line])
        return tuple(map(tuple, runs))

    @cached_property
    def han_share(self) -> float:
        """
        The share of Han characters among the letters, from 0 to 1.
        """
        return unspaced_share("\n".join(line.text for line in self.spoken))

    @property
    def language(self) -> Language:
        """
        The language of most of the text: `zh` or `en`.
        """
        return language_of("\n".join(line.text for line in self.spoken))


def _stripped(line: str) -> str:
    """Return *line* without white space at its ends, and without what is copied along and never seen."""
    plain = line.strip()
    return plain.strip(_UNSEEN).strip() if plain[:1] in _UNSEEN or plain[-1:] in _UNSEEN else plain


def _recordable(file_name: str) -> str:
    """
    Return *file_name* as a `FileName`: disks allow line breaks, bytes that are no UTF-8 and other things in names.
    """
    name = re.sub("[\ud800-\udfff]", "\ufffd", file_name)
    name = re.sub(r"[/\\]", "-", re.sub(r"[\x00-\x1f\x7f]", " ", name))
    name = _cut(name, MOST_NAME_BYTES).strip()
    return "document" if name in ("", ".", "..") else name


def _cut(name: str, most: int) -> str:
    return name.encode()[:most].decode(errors="ignore")


def spans(numbers: list[int]) -> tuple[Span, ...]:
    """
    Return the sorted spans that hold exactly the lines *numbers*.
    """
    runs: list[Span] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1].last == number - 1:
            runs[-1] = Span(runs[-1].first, number)
        else:
            runs.append(Span(number, number))
    return tuple(runs)
