"""
Which version a card with `data` is of: by its `spec`, or else by what is left of its marks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lorebook.formats.format import Json
from lorebook.formats.taker import kind

V2, V3 = 2, 3
_CARD = "chara_card_v"
_V1, _V2, _V3 = (f"{_CARD}{number}" for number in (1, 2, 3))
_V3_ONLY = ("group_only_greetings", "creator_notes_multilingual", "nickname", "assets")
_TELLING = ("description", "personality", "scenario", "first_mes", "mes_example")


class Version(NamedTuple):
    """
    A version, and what tells it.
    """

    number: int
    reason: str


def version(raw: Json) -> Version | None:
    """
    Return the version of the card *raw*; None where it is none. A newer one than V3 is V3.

    A V2 or V3 by its `spec` is one whatever its `data` are, but for a card in a card.
    """
    if not isinstance(raw, dict):
        return None
    spec = raw.get("spec")
    said = spec.strip().lower() if isinstance(spec, str) else ""
    data = raw["data"] if isinstance(raw.get("data"), dict) else None
    if data and "name" not in data and isinstance(data.get("data"), dict):
        return None
    if said in (_V2, _V3) or (said.startswith(_CARD) and data is not None):
        return Version(V2 if said in (_V1, _V2) else V3, f"its `spec` is {said}")
    if data is None:
        return None
    # A book in an envelope has a name, too.
    if "name" not in data or "entries" in data or (said and not any(name in data for name in _TELLING)):
        return None
    why = f"its `spec` is {kind(spec)}, which nobody knows" if said else "it has no `spec`"
    return _by_marks(raw, data, why)


def _by_marks(raw: dict[str, Any], data: dict[str, Any], why: str) -> Version:
    number = _number(raw.get("spec_version"))
    telling = next((name for name in _V3_ONLY if name in data), None)
    if number is not None and number >= V2:
        return Version(min(int(number), V3), f"{why}, but `spec_version` is {kind(raw['spec_version'])}")
    if telling:
        return Version(V3, f"{why}, but `data.{telling}`, as V3 has")
    return Version(V2, f"{why}, but `data` with a `name`, as cards have")


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None
