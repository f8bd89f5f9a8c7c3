"""
Lines that fit their room: as large as can be, broken where a reader would break them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lorebook.formats.cover import lettering
from lorebook.formats.cover.lettering import Face

# What a cover has room for is asked where its words are measured and where they are written.
_REMEMBERED = 8
# More than fill the most lines of the smallest letters.
_MOST_LETTERS = 400
_ELLIPSIS = "…"
# A line more has to make the letters larger by so much, or the fewer lines are the better ones.
_WORTH_A_LINE = 1.22
# How much wider than need be a line may get for the sake of a better break.
_RAGGED = 1.06
# Where a line may break: at a space and before a bracket; and where that leaves too small letters, between any two
# Chinese characters, but for a mark, which stays with what it closes or opens.
_PHRASES = re.compile(r"\s+|[（《「『“‘【(]?[^\s（《「『“‘【(]+|.", re.DOTALL)
_WORDS = re.compile(
    r"\s+|[（《「『“‘【]*[⺀-鿿豈-﫿][）》」』”’】，。、：；！？…]*|[^\s⺀-鿿豈-﫿（《「『“‘【]+|.",
    re.DOTALL,
)
_TOO_SMALL = 0.6


@dataclass(frozen=True)
class Block:
    """
    Lines of one size that stand together.
    """

    lines: tuple[str, ...]
    face: Face
    size: float
    leading: float
    spread: float = 0

    @property
    def height(self) -> float:
        """
        How much room the lines take from top to foot.
        """
        return len(self.lines) * self.leading


@dataclass(frozen=True)
class _Ruler:
    """
    What text is measured with: a font of size 1, and the space between its letters.
    """

    face: Face
    spread: float

    def width(self, text: str) -> float:
        """
        Return the width of *text*.
        """
        return lettering.width(text, 1, self.spread, face=self.face)


@lru_cache(maxsize=_REMEMBERED)
def fit(
    text: str, room: float, largest: float, *, smallest: float, most: int = 3, tall: float = 999, spread: float = 0
) -> Block:
    """
    Return *text* in up to *most* lines of the largest size that *room* and the height *tall* allow.

    It is cut short where that is too small.
    """
    text = text[:_MOST_LETTERS]
    ruler = _Ruler(lettering.face_of(text), spread / largest)
    leading = 1.32 if ruler.face is Face.SERIF else 1.12
    for words in (_PHRASES.findall(text), _WORDS.findall(text)):
        lines, size = _best(words, most, lambda count: min(largest, tall / count / leading), room, ruler)
        if size >= max(smallest, largest * _TOO_SMALL):
            break
    if size < smallest:
        lines, size = _cut(text, room / smallest, most, ruler), smallest
    return Block(tuple(lines), ruler.face, size, size * leading, spread * size / largest)


def _best(
    words: Sequence[str], most: int, limit: Callable[[int], float], room: float, ruler: _Ruler
) -> tuple[list[str], float]:
    """
    Return *words* in so many lines that they are largest, and their size; *limit* says how large lines may be.
    """
    best: tuple[list[str], float] = ([], 0)
    for count in range(1, most + 1):
        lines = _balanced(words, count, ruler)
        size = min(limit(count), room / max(ruler.width(line) for line in lines))
        if size > best[1] * _WORTH_A_LINE:
            best = lines, size
    return best


def _balanced(words: Sequence[str], count: int, ruler: _Ruler) -> list[str]:
    """
    Return *words* in at most *count* lines, the widest of them as narrow as can be.
    """
    low, high = 0.0, ruler.width("".join(words))
    if count == 1:
        return ["".join(words)]
    for _ in range(14):
        middle = (low + high) / 2
        if len(_wrapped(words, middle, ruler)) <= count:
            high = middle
        else:
            low = middle
    return _wrapped(words, high * _RAGGED, ruler)


def _wrapped(words: Sequence[str], room: float, ruler: _Ruler) -> list[str]:
    """
    Return *words* in lines of *room*, filled from the last one up: a short first line stands better than a short last.
    """
    lines = [""]
    for word in reversed(words):
        longer = word + lines[0]
        if lines[0] and not word.isspace() and ruler.width(longer.strip()) > room:
            lines.insert(0, word)
        else:
            lines[0] = longer
    return [line.strip() for line in lines]


def _cut(text: str, room: float, most: int, ruler: _Ruler) -> list[str]:
    """
    Return the beginning of *text* in *most* lines that fit *room*; words that are too long are broken.
    """
    lines = [""]
    for letter in text:
        if ruler.width(lines[-1] + letter + _ELLIPSIS) <= room:
            lines[-1] += letter
        elif len(lines) == most:
            return [*(line.strip() for line in lines[:-1]), _ended(lines[-1]) + _ELLIPSIS]
        else:
            # The word that does not fit moves on, unless it fills the line.
            head, space, tail = lines[-1].rpartition(" ")
            lines[-1:] = [head, tail + letter] if space and letter != " " else [lines[-1], letter.strip()]
    return [line.strip() for line in lines]


def _ended(line: str) -> str:
    """
    Return the beginning of a line that goes on, without a broken word where that leaves most of it.
    """
    head, _, tail = line.rpartition(" ")
    return (head if len(head) > len(tail) else line).rstrip(" ,;:-（(")
