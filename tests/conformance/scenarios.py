"""
Random scenarios of World Info, in the vectors' form, with five to ten features each.

The same name makes the same scenario. Some are chains: the chat goes on, with the timed effects of the turn before.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from tests.conformance.draft import Draft, Entry, message
from tests.conformance.features import COMMON, FEATURES, RARE
from tests.conformance.late import LATE
from tests.conformance.wording import MACROS, NAMES, Wording

SETTINGS = {
    "world_info_depth": 2,
    "world_info_min_activations": 0,
    "world_info_min_activations_depth_max": 0,
    "world_info_budget": 25,
    "world_info_budget_cap": 0,
    "world_info_include_names": True,
    "world_info_recursive": False,
    "world_info_overflow_alert": False,
    "world_info_case_sensitive": False,
    "world_info_match_whole_words": False,
    "world_info_use_group_scoring": False,
    "world_info_character_strategy": 1,
    "world_info_max_recursion_steps": 0,
}
_SOURCES = (
    "personaDescription characterDescription characterPersonality characterDepthPrompt scenario creatorNotes".split()
)
_BOOKS = ("House Rules", "Second", "规则", "book.with.dots", "5")
# What a short editor writes; what SillyTavern's writes; what a person writes by hand.
_LEAN: Entry = json.loads("""{
    "keysecondary": [], "comment": "", "constant": false, "selective": true, "selectiveLogic": 0, "order": 100,
    "position": 0, "disable": false, "probability": 100, "useProbability": true, "depth": 4
}""")
_FULL: Entry = _LEAN | json.loads("""{
    "vectorized": false, "addMemo": false, "excludeRecursion": false, "preventRecursion": false, "displayIndex": 0,
    "delayUntilRecursion": 0, "ignoreBudget": false, "outletName": "", "group": "", "groupOverride": false,
    "groupWeight": 100, "scanDepth": null, "caseSensitive": null, "matchWholeWords": null, "useGroupScoring": null,
    "automationId": "", "role": 0, "sticky": null, "cooldown": null, "delay": null, "triggers": [],
    "characterFilter": {"isExclude": false, "names": [], "tags": []}, "matchPersonaDescription": false,
    "matchCharacterDescription": false, "matchCharacterPersonality": false, "matchCharacterDepthPrompt": false,
    "matchScenario": false, "matchCreatorNotes": false
}""")
_BARE: tuple[Entry, ...] = ({"position": 0}, {"position": 0, "order": 100}, {})


class Scenario:
    """A scenario and, if it is a chain, what happens to its chat in the turns after the first."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._rng = Random(name)  # noqa: S311 (no secret)
        self._words = Wording(self._rng)
        self.features = self._chosen()
        self.given = self._made()
        is_chain = self._rng.random() < (0.6 if {"timed", "given_state"} & set(self.features) else 0.1)
        self._left = self._rng.randint(1, 4) if is_chain else 0

    def _chosen(self) -> list[str]:
        count = self._rng.randint(5, 10)
        chosen = [self._rng.choice(COMMON if self._rng.random() < 0.85 else RARE) for _ in range(count)]
        return chosen + [name for name, (_, share) in LATE.items() if self._rng.random() < share]

    def _made(self) -> dict[str, Any]:
        draft = Draft(self._rng, self._words, _plain(self._rng, self._words))
        for name in self.features:
            (FEATURES.get(name) or LATE[name][0])(draft)
        if not draft.given["character"]:
            # They do not count then; the harness would give them to a character without a name.
            draft.given["active"]["characterExtra"] = []
        # A scenario is JSON: no list is in two places, and two halves of a character are one.
        made: dict[str, Any] = json.loads(json.dumps(draft.given))
        return made

    def go_on(self, timed_state: Mapping[str, Any] | None) -> bool:
        """Make the next turn, with *timed_state* as the last one left it; False where there is none."""
        if not self._left:
            return False
        self._left -= 1
        self.given = copy.deepcopy(self.given) | {"timedState": timed_state, "trigger": "normal"}
        self.given["rng"] = _draws(self._rng)
        steps = (self._grow, self._grow, self._grow, self._grow_fast, self._dry, self._swipe, self._delete, self._edit)
        self._rng.choice(steps)()
        return True

    def _grow(self) -> None:
        self.given["chat"].insert(0, message(self._rng, self._words))

    def _grow_fast(self) -> None:
        for _ in range(self._rng.randint(2, 3)):
            self._grow()

    def _dry(self) -> None:
        self._grow()
        self.given["dryRun"] = not self.given["dryRun"]

    def _swipe(self) -> None:
        self.given["trigger"] = "swipe"

    def _delete(self) -> None:
        del self.given["chat"][: self._rng.randint(1, 2)]

    def _edit(self) -> None:
        self._grow()
        held = [book["entries"] for book in self.given["books"].values() if isinstance(book["entries"], dict)]
        entries = [entry for slots in held for entry in slots.values() if isinstance(entry, dict)]
        if entries:
            self._rng.choice(entries)["comment"] = "edited"


def scenarios(seed: str, count: int) -> Iterator[Scenario]:
    """Yield *count* scenarios."""
    for number in range(count):
        yield Scenario(f"{seed}-{number}")


def _draws(rng: Random) -> list[float]:
    return [rng.choice((round(rng.random(), 4), 0.0, 0.9999)) for _ in range(rng.randint(0, 14))]


def _plain(rng: Random, words: Wording) -> dict[str, Any]:
    books = {name: {"entries": _entries(rng, words)} for name in rng.sample(_BOOKS, rng.choice((1, 1, 2, 3)))}
    return {
        "books": books,
        "active": {"global": list(books), "character": None, "characterExtra": [], "chat": None, "persona": None},
        "settings": SETTINGS | {"world_info_depth": rng.choice((1, 2, 3, 5, 8))},
        "chat": [message(rng, words) for _ in range(rng.randint(0, 14))],
        "maxContext": rng.choice((400, 4096, 8192)),
        "trigger": "normal",
        "dryRun": False,
        "scanData": dict.fromkeys(_SOURCES, ""),
        "character": None,
        "macros": MACROS | {"user": rng.choice(NAMES)},
        "injections": [],
        "authorsNote": None,
        "timedState": None,
        "externalActivations": [],
        "rng": _draws(rng),
    }


def _entries(rng: Random, words: Wording) -> dict[str, Entry]:
    style = rng.choice((_FULL, _LEAN, _LEAN, _BARE))
    return {
        str(uid): _entry(uid, rng, words) | (rng.choice(style) if isinstance(style, tuple) else style)
        for uid in range(rng.randint(2, 8))
    }


def _entry(uid: int, rng: Random, words: Wording) -> Entry:
    keys = [words.key() for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    about = f"{keys[0]}: " if rng.random() < 0.7 else ""
    more = "Long words. " * rng.choice((0, 0, 1, 4))
    return {"uid": uid, "key": keys, "content": f"{about}{words.sentence()} {more}"}
