"""
How the items of a list are counted: `3.`, `c.`, `III.`.
"""

from __future__ import annotations

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LETTERS = 26
_MOST_ROMAN = 4000


def counted(count: int, style: str) -> str:
    """
    Return *count* in *style*: `1`, `a`, `A`, `i` or `I`, as HTML names them; as a number where the style has no sign.
    """
    if style in ("a", "A") and 0 < count <= _LETTERS:
        return chr(ord(style) + count - 1)
    if style in ("i", "I") and 0 < count < _MOST_ROMAN:
        return _roman(count).upper() if style == "I" else _roman(count)
    return str(count)


def _roman(value: int) -> str:
    text = ""
    for size, letters in _ROMAN:
        text += letters * (value // size)
        value %= size
    return text
