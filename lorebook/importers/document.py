"""
A source document as importers see it: numbered lines of text, and nothing that is not text.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property

from lorebook.errors import DocumentError
from lorebook.records import MOST_NAME_BYTES, Language, Span
from lorebook.ruleset import split_lines
from lorebook.scripts import language_of, unspaced_share

MOST_BYTES = 64 * 2**20
"""The largest document that is read, in bytes; a printed rulebook has less than a hundredth of it."""


@dataclass(frozen=True)
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
    lines: tuple[str, ...]
    sha256: str = ""

    @classmethod
    def from_text(cls, text: str, *, name: str = "") -> Document:
        """
        Return the document that holds *text*.

        Raises DocumentError for text without a single visible character.
        """
        lines = tuple(split_lines(text.removeprefix("\ufeff")))
        if not any(line.strip() for line in lines):
            raise DocumentError("the document is empty", where=name)
        return cls(name, lines)

    @classmethod
    def from_bytes(cls, data: bytes, *, name: str) -> Document:
        """
        Return the document in *data*, which must be UTF-8; its name is *name* as records can hold it.

        Raises DocumentError for what is empty, too large or not text.
        """
        name = _recordable(name)
        if len(data) > MOST_BYTES:
            size = f"{len(data) / 2**20:.0f} MiB"
            raise DocumentError(f"the document has {size}; the limit is {MOST_BYTES // 2**20} MiB", where=name)
        if b"\0" in data:
            raise DocumentError("the file is binary, not text", where=name, hint="save it as UTF-8 text")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise DocumentError(f"line {line} is not UTF-8 text", where=name, hint="save it as UTF-8") from error
        return cls(name, cls.from_text(text, name=name).lines, hashlib.sha256(data).hexdigest())

    @cached_property
    def spoken(self) -> tuple[TextLine, ...]:
        """
        The lines that are not blank.
        """
        stripped = ((number, line.strip()) for number, line in enumerate(self.lines, 1))
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


def _recordable(file_name: str) -> str:
    """
    Return *file_name* as a `FileName`: disks allow line breaks, bytes that are no UTF-8 and other things in names.
    """
    name = re.sub("[\ud800-\udfff]", "\ufffd", file_name)
    name = re.sub(r"[/\\]", "-", re.sub(r"[\x00-\x1f\x7f]", " ", name))
    name = name.encode()[:MOST_NAME_BYTES].decode(errors="ignore").strip()
    return "document" if name in ("", ".", "..") else name


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
