"""
Where keys stand: a place in the scan text becomes the words of a message, as they are spelt there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lorebook.matching import javascript as js
from lorebook.matching.ecmascript import search
from lorebook.matching.keytable import EntryKeys, Key, PlainKey
from lorebook.matching.reasons import KeyHit, Scanned
from lorebook.matching.record import Pass
from lorebook.matching.scan import Scan, View, Where

_SCANNED = {"source": Scanned.SOURCE, "injection": Scanned.INJECTION, "text": Scanned.ANYWHERE}

_Compared: TypeAlias = tuple[str, Sequence[int] | None]
"""A block as it is compared, and where its characters come from; None where they stand where they stood."""


@dataclass(frozen=True)
class KeyHits:
    """
    Tells where the keys of one scan stand.
    """

    scan: Scan
    passes: Sequence[Pass]
    messages: Sequence[str]
    """As the request has them, newest first."""
    prefixes: Sequence[int]
    """The characters before each message's content in what was scanned, newest first: its speaker's name."""
    _blocks: dict[tuple[str, bool], _Compared] = field(default_factory=dict, init=False)

    def of(self, keys: EntryKeys, view: View) -> Iterator[KeyHit]:
        """
        Yield those of an entry's *keys* that stand in what it sees, primary ones first.
        """
        for key in keys.primary:
            if where := self.scan.find(key, view):
                yield self._hit(key, where)
        for key in keys.secondary:
            if where := self.scan.find(key, view):
                yield self._hit(key, where).model_copy(update={"kind": "secondary_key"})

    def _hit(self, key: Key, where: Where) -> KeyHit:
        name = js.text(key.raw)
        if where.kind == "message":
            return self._message_hit(key, name, where)
        if where.kind == "recursion":
            return KeyHit(key=name, scanned=Scanned.ENTRY, fed_by=self._feeder(key, where))
        return KeyHit(key=name, scanned=_SCANNED[where.kind])

    def _message_hit(self, key: Key, name: str, where: Where) -> KeyHit:
        shown = self.scan.messages[where.block]
        first, last = self._span(key, shown, where)
        raw = self.messages[where.block]
        moved = len(raw) - len(raw.lstrip(js.WHITESPACE)) - self.prefixes[where.block]
        return KeyHit(
            key=name,
            message=len(self.messages) - 1 - where.block,
            start=max(0, first + moved),
            end=max(0, last + moved),
            text=shown[first:last],
        )

    def _feeder(self, key: Key, where: Where) -> str | None:
        """
        The uid of the entry in whose text *key* stands.
        """
        fed = [this.fed for this in self.passes if this.fed][where.block]
        first, _ = self._span(key, self.scan.recursion[where.block], where)
        for identity, content in fed:
            if first <= len(content):
                return uid_in(identity)
            first -= len(content) + 1
        return None

    def _span(self, key: Key, shown: str, where: Where) -> tuple[int, int]:
        """
        The characters of the block *shown* that *key* matched: the first, and the one after the last.
        """
        form = self.scan.form(key)
        if isinstance(form, PlainKey):
            compared, places = self._compared(form, shown)
            end = form.end(compared, where.start)
            return (where.start, end) if places is None else _shown_span(shown, places, where.start, end)
        span = search(shown, form) if form else None
        return _characters(shown, *span) if span else (0, 0)

    def _compared(self, form: PlainKey, shown: str) -> _Compared:
        known = self._blocks.get((shown, form.case_sensitive))
        if known is None:
            compared = form.style.comparable(shown, case_sensitive=form.case_sensitive)
            known = compared, form.style.places(shown, case_sensitive=form.case_sensitive)
            self._blocks[shown, form.case_sensitive] = known
        return known


def uid_in(identity: str) -> str:
    """
    Return the uid in *identity*: a match has one book, whose name says nothing.
    """
    return identity.partition(".")[2]


def _shown_span(shown: str, places: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """
    Turn characters of a compared text into those of *shown*; what came from one character matched all of it.
    """
    while end < len(places) - 1 and places[end] == places[end - 1]:
        end += 1
    # White space that the compared text has not is no part of a key.
    return places[start], places[start] + len(shown[places[start] : places[end]].rstrip())


def _characters(text: str, start: int, end: int) -> tuple[int, int]:
    """
    Turn places in UTF-16 code units, as JavaScript counts, into places in characters.
    """
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) == 2 * len(text):
        return start, end
    first, last = (len(units[: 2 * place].decode("utf-16-le", "surrogatepass")) for place in (start, end))
    return first, last
