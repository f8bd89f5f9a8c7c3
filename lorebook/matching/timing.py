"""
Timed effects: sticky entries stay on, cooldown keeps them off, for so many messages.

The state is SillyTavern's `timedWorldInfo`: under `sticky` and `cooldown`, by identity, the entry's hash and
the chat lengths at which the effect began and ends. It comes in with a scan and goes out changed; delay
needs no state.
"""

from __future__ import annotations

import copy
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from lorebook.matching import javascript as js
from lorebook.matching.entries import CompiledEntry

STICKY, COOLDOWN = "sticky", "cooldown"
TimedState: TypeAlias = dict[str, dict[str, Any]]
"""`timedWorldInfo`: the kind of effect, then the identity."""


class TimedEffects:
    """
    The effects of one scan.
    """

    def __init__(
        self, state: Mapping[str, Any] | None, entries: Sequence[CompiledEntry], *, length: int, dry: bool
    ) -> None:
        """
        Check the effects in *state* against a chat of *length* messages; a *dry* run looks at none.
        """
        self._length = length
        self._dry = dry
        self._entries = entries
        self.state = _well_formed(state)
        # The hashes of entries with an effect, by identity.
        self._active: dict[str, defaultdict[str, set[str]]] = {STICKY: defaultdict(set), COOLDOWN: defaultdict(set)}
        if not dry and any(self.state[kind] for kind in (STICKY, COOLDOWN)):
            self._check()

    @property
    def has_sticky(self) -> bool:
        """
        Whether any entry stays on from an earlier scan.
        """
        return bool(self._active[STICKY])

    def is_sticky(self, entry: CompiledEntry) -> bool:
        """
        Tell whether *entry* stays on from an earlier scan.
        """
        return self._is_active(STICKY, entry)

    def is_cooling(self, entry: CompiledEntry) -> bool:
        """
        Tell whether *entry* is kept off by an earlier scan.
        """
        return self._is_active(COOLDOWN, entry)

    def _is_active(self, kind: str, entry: CompiledEntry) -> bool:
        hashes = self._active[kind].get(entry.identity)
        return hashes is not None and str(entry.hash) in hashes

    def is_delayed(self, entry: CompiledEntry) -> bool:
        """
        Tell whether the chat is too short for *entry*.
        """
        delay = (entry.origin or entry)["delay"]
        return js.truthy(delay) and self._length < js.number(delay)

    def until(self, kind: str, entry: CompiledEntry) -> object:
        """
        Return the chat length at which the effect *kind* of *entry* ends, None where none is known.
        """
        return self.state[kind].get(entry.identity, {}).get("end")

    def begin(self, accepted: Iterable[CompiledEntry]) -> None:
        """
        Start the effects of *accepted* entries; one that runs already is never prolonged.
        """
        if self._dry:
            return
        for entry in accepted:
            for kind in (STICKY, COOLDOWN):
                if js.truthy(entry[kind]) and entry.identity not in self.state[kind]:
                    self.state[kind][entry.identity] = self._effect(entry, kind, protected=False)
        for effects in self.state.values():
            _say_null(effects)

    def _effect(self, entry: CompiledEntry, kind: str, *, protected: bool) -> dict[str, Any]:
        end = js.number(entry[kind]) + self._length
        end = int(end) if end.is_integer() else end
        return {"hash": entry.hash, "start": self._length, "end": end, "protected": protected}

    def _check(self) -> None:
        by_name: defaultdict[str, list[CompiledEntry]] = defaultdict(list)
        for entry in self._entries:
            by_name[entry.identity].append(entry)
        for kind in (STICKY, COOLDOWN):
            for name, effect in list(self.state[kind].items()):
                # A list is an object, too: one without any of these members.
                members = effect if isinstance(effect, Mapping) else {}
                self._check_one(kind, name, members, self._meant(by_name[name], js.text(js.member(members, "hash"))))

    def _meant(self, namesakes: Iterable[CompiledEntry], hashed: str) -> CompiledEntry | None:
        """
        The entry with the hash *hashed*: nearly always one of the *namesakes*, for names are part of what is hashed.
        """
        found = next((entry for entry in namesakes if str(entry.hash) == hashed), None)
        return found or self._by_hash.get(hashed)

    @cached_property
    def _by_hash(self) -> dict[str, CompiledEntry]:
        # Hashing a large book takes seconds.
        return {str(entry.hash): entry for entry in reversed(self._entries)}

    def _check_one(self, kind: str, name: str, effect: Mapping[str, Any], entry: CompiledEntry | None) -> None:
        """
        Forget an effect that has ended, that deleted messages undid, or that its *entry* has no more; else it acts.
        """
        start, end = js.number(js.member(effect, "start")), js.number(js.member(effect, "end"))
        has_ended = self._length >= end
        if self._length <= start and not js.truthy(js.member(effect, "protected")):
            del self.state[kind][name]
        elif entry is None:
            if has_ended:
                del self.state[kind][name]
        elif not js.truthy(entry[kind]):
            del self.state[kind][name]
        elif has_ended:
            del self.state[kind][name]
            if kind == STICKY:
                self._cool_down(entry)
        else:
            self._active[kind][entry.identity].add(str(entry.hash))

    def _cool_down(self, entry: CompiledEntry) -> None:
        """
        Begin the cooldown of an entry whose stickiness has just ended; deleting messages does not undo it.
        """
        if js.truthy(entry[COOLDOWN]):
            self.state[COOLDOWN][entry.identity] = self._effect(entry, COOLDOWN, protected=True)
            self._active[COOLDOWN][entry.identity].add(str(entry.hash))


def _say_null(effects: Mapping[str, Any]) -> None:
    """
    Put null for an end that is no number or infinite, as JSON does: from then on it counts as 0.
    """
    for effect in effects.values():
        if isinstance(effect, dict) and isinstance(effect.get("end"), float) and not math.isfinite(effect["end"]):
            effect["end"] = None


def _well_formed(state: Mapping[str, Any] | None) -> TimedState:
    """
    Return a copy of *state* with both maps, without members that are no objects.
    """
    given = state if isinstance(state, Mapping) else {}
    made: TimedState = {**copy.deepcopy(dict(given)), STICKY: {}, COOLDOWN: {}}
    for kind in (STICKY, COOLDOWN):
        held = given.get(kind)
        if isinstance(held, Mapping):
            made[kind] = {
                name: copy.copy(effect) for name, effect in held.items() if isinstance(effect, Mapping | list)
            }
    return made
