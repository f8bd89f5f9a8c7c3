"""
Writes the plainest YAML as the library writes it, to the byte, many times faster.

A mapping of words to texts, whole numbers, truths, lists of them, and mappings of the same kind.
"""

from __future__ import annotations

import re

from lorebook.yamltext.scalars import BLOCK_FROM, INDENT, ODD, WIDTH, Doubtful, is_key, spelled

# Where a text stands.
_FLOW, _BLOCK = True, False
_LINE_WITH_TEXT = re.compile(r"\n(?!\n)")


def write(value: object) -> str | None:
    """
    Return *value* as YAML, or None where that takes the library.
    """
    if type(value) is not dict:
        return None
    emitter = _Emitter()
    try:
        emitter.mapping(value, 0)
    except Doubtful:
        return None
    return "".join(emitter.parts)


class _Emitter:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self._written: set[int] = set()

    def mapping(self, fields: dict[object, object], indent: int) -> None:
        self._once(fields)
        if not fields:
            raise Doubtful
        before = " " * indent
        for key, value in fields.items():
            if type(key) is not str or not is_key(key):
                raise Doubtful
            self.parts += (before, key, ":")
            self._value(value, indent + INDENT, indent + len(key) + 1)

    def _value(self, value: object, indent: int, column: int) -> None:
        if type(value) is dict:
            self.parts.append("\n")
            self.mapping(value, indent)
        elif type(value) is not list:
            self._scalar(value, indent, column)
        elif all(type(item) is not str or len(item) < BLOCK_FROM for item in value):
            self.parts.append(" ")
            self._flow(value, indent, column + 1)
            self.parts.append("\n")
        else:
            self._block(value, indent)

    def _block(self, items: list[object], indent: int) -> None:
        self._once(items)
        before = "\n" + " " * indent + "-"
        for item in items:
            self.parts.append(before)
            self._scalar(item, indent + INDENT, indent + 1)
            before = before.lstrip("\n")

    def _scalar(self, value: object, indent: int, column: int) -> None:
        if type(value) is str and (len(value) > BLOCK_FROM or "\n" in value):
            self.parts.append(_literal(value, " " * indent))
        else:
            text, _ = _broken(spelled(value, _BLOCK), indent, column + 1)
            self.parts += (" ", text, "\n")

    def _flow(self, items: list[object], indent: int, column: int) -> int:
        """Write *items* in brackets from *column* on; return the column behind them."""
        self._once(items)
        self.parts.append("[")
        column += 1
        for place, item in enumerate(items):
            column = self._seam(place, indent, column)
            if type(item) is list:
                column = self._flow(item, indent + INDENT, column)
            else:
                text, column = _broken(spelled(item, _FLOW), indent + INDENT, column)
                self.parts.append(text)
        self.parts.append("]")
        return column + 1

    def _seam(self, place: int, indent: int, column: int) -> int:
        comma = "," if place else ""
        if column + len(comma) > WIDTH:
            self.parts.append(f"{comma}\n{' ' * indent}")
            return indent
        if comma:
            self.parts.append(", ")
            return column + 2
        return column

    def _once(self, held: dict[object, object] | list[object]) -> None:
        """The library gives a name to what stands in two places."""
        if id(held) in self._written:
            raise Doubtful
        self._written.add(id(held))


def _literal(text: str, before: str) -> str:
    if text[0] in " \n" or text[-1] in " \n" or " \n" in text or ODD.search(text):
        raise Doubtful
    return f" |-\n{before}" + _LINE_WITH_TEXT.sub("\n" + before, text) + "\n"


def _broken(text: str, indent: int, column: int) -> tuple[str, int]:
    """
    Return *text*, which begins at *column*, broken at the first space behind the width, and the column behind it.
    """
    if column + len(text) <= WIDTH:
        return text, column + len(text)
    if "  " in text:
        raise Doubtful
    first, *words = text.split(" ")
    broken, column = [first], column + len(first)
    for word in words:
        wide = column > WIDTH
        broken += ("\n" + " " * indent if wide else " ", word)
        column = (indent if wide else column + 1) + len(word)
    return "".join(broken), column
