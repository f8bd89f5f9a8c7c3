"""
Ids and times for files that must have them: made from what is there, so that the same content gives the same bytes.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from lorebook.formats.card import Card
from lorebook.formats.taker import Taker

_OURS = uuid.uuid5(uuid.NAMESPACE_URL, "https://pypi.org/project/lorebook")
UNKNOWN = "1970-01-01T00:00:00Z"
"""A time for a file that must have one, where none is known."""


def make_id(*words: str) -> str:
    """
    Return the id that *words* always get.
    """
    return id_in(_OURS, "\n".join(words))


def id_in(namespace: uuid.UUID, text: str) -> str:
    """
    Return the id that *text* always gets in *namespace*; half a surrogate pair counts as a question mark.
    """
    return str(uuid.uuid5(namespace, text.encode(errors="replace").decode()))


def take_seconds(take: Taker, name: str) -> int | None:
    """
    Take a time of ISO 8601 as Unix time; None where it is missing, no time, or one that means that none is known.
    """
    text = take.text(name)
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        take.notes.add(take.at(name), f"is the text {text[:30]!r} and no time; read as if it were missing")
        return None
    moment = found if found.tzinfo else found.replace(tzinfo=UTC)
    # .NET writes the first day of the year 1 where it knows none, others the first second of Unix time.
    seconds = int((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
    return seconds if seconds > 0 else None


def moment(seconds: int | None, unknown: str = UNKNOWN) -> str:
    """
    Return Unix time as ISO 8601; *unknown* where there is none, or one that no calendar has.
    """
    if not seconds or seconds < 0:
        return unknown
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return unknown


def take_dates(take: Taker) -> tuple[int | None, int | None]:
    """
    Take when a character was created and modified; never modified where the two are the same.
    """
    created, modified = take_seconds(take, "createdAt"), take_seconds(take, "updatedAt")
    return created, None if modified == created else modified


def dates(card: Card) -> dict[str, str]:
    """
    Return when *card* was created and modified, in the fields that `take_dates` takes.
    """
    created = moment(card.creation_date)
    return {"createdAt": created, "updatedAt": moment(card.modification_date, created)}
