"""
Taking typed values out of a JSON object; what was not taken is what the reader does not know.

Files from many tools are read here, so null counts as missing and a number may be written as text. Anything
further off is an error that names the place, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn, TypeVar

from lorebook.errors import FormatError

_Default = TypeVar("_Default")

MOST = 2**53
"""The largest number that every JSON reader takes exactly (RFC 8259, section 6), and far more than any setting."""
_SHOWN = 30


class Taker:
    """
    One JSON object being read.
    """

    def __init__(self, raw: object, where: str) -> None:
        """
        Raise FormatError when *raw*, found at *where*, is no object.
        """
        if not isinstance(raw, dict):
            raise FormatError(f"{where} is {kind(raw)}, not an object")
        self.where = where
        self._left: dict[str, Any] = dict(raw)

    def __contains__(self, name: str) -> bool:
        """
        Say whether *name* is there, perhaps as null, and not yet taken.
        """
        return name in self._left

    def raw(self, name: str) -> Any:  # noqa: ANN401 (JSON is any value)
        """
        Take *name* as it is.
        """
        return self._left.pop(name, None)

    def peek(self, name: str) -> Any:  # noqa: ANN401 (JSON is any value)
        """
        Return *name* as it is and leave it there.
        """
        return self._left.get(name)

    def text(self, name: str, default: str = "") -> str:
        """
        Take a text; a number is taken as its digits.
        """
        value = self.raw(name)
        if value is None:
            return default
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        return value if isinstance(value, str) else self._refuse(name, value, "a text")

    def flag(self, name: str, default: _Default) -> bool | _Default:
        """
        Take true or false; 1 and 0 are such, too.
        """
        value = self.raw(name)
        if value is None:
            return default
        return bool(value) if value in (True, False) else self._refuse(name, value, "true or false")

    def number(self, name: str, default: _Default) -> float | _Default:
        """
        Take a number no further from 0 than `MOST`, or text that is one.
        """
        value = self.raw(name)
        if value is None or value == "":
            return default
        if isinstance(value, str):
            value = _number(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._refuse(name, value, "a number")
        if not -MOST <= value <= MOST:
            self._refuse(name, value, f"a number between {-MOST} and {MOST}")
        return value

    def whole(self, name: str, default: _Default) -> int | _Default:
        """
        Take a whole number, or text that is one.
        """
        value = self._left.get(name)
        number = self.number(name, None)
        if number is None:
            return default
        return int(number) if number == int(number) else self._refuse(name, value, "a whole number")

    def texts(self, name: str) -> tuple[str, ...]:
        """
        Take a list of texts; null in it is left out.
        """
        value = self.raw(name)
        if value is None:
            return ()
        if not isinstance(value, list):
            self._refuse(name, value, "a list")
        return tuple(self._texts(name, value))

    def _texts(self, name: str, items: list[object]) -> Iterator[str]:
        for place, item in enumerate(items, 1):
            if item is not None:
                yield Taker({f"{name}, item {place}": item}, self.where).text(f"{name}, item {place}")

    def mapping(self, name: str) -> dict[str, Any]:
        """
        Take an object; a missing one is empty.
        """
        value = self.raw(name)
        if value is None:
            return {}
        return dict(value) if isinstance(value, dict) else self._refuse(name, value, "an object")

    def rest(self) -> dict[str, Any]:
        """
        Return everything that was not taken.
        """
        return dict(self._left)

    def _refuse(self, name: str, value: object, wanted: str) -> NoReturn:
        raise FormatError(f"{self.where}: {name} is {kind(value)}, not {wanted}")


def kind(value: object) -> str:
    """
    Return what JSON calls *value*, with the value itself where that is short.
    """
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "null"
    if isinstance(value, str):
        return f"the text {value[:_SHOWN]!r}"
    said = str(value).lower()
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"


def _number(text: str) -> float | str:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text
