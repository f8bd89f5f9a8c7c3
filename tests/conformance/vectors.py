"""
Vectors of World Info activation: one scenario in, what SillyTavern's engine answered out.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lorebook.matching import javascript as js
from lorebook.matching.books import ActiveBooks
from lorebook.matching.compiled import CompiledBooks
from lorebook.matching.entries import ScriptError, sorted_by_order
from lorebook.matching.macros import Macros
from lorebook.matching.record import ScanResult
from lorebook.matching.request import Character, Outside, ScanRequest, WorldInfoSettings
from lorebook.matching.worldinfo import scan
from tests.conformance.placing import merged_note, place

SOURCES = (
    "personaDescription",
    "characterDescription",
    "characterPersonality",
    "characterDepthPrompt",
    "scenario",
    "creatorNotes",
)
COMPARED = (
    "error",
    "activated",
    "activationOrder",
    "worldInfoBefore",
    "worldInfoAfter",
    "ANBefore",
    "ANAfter",
    "authorsNote",
    "EMEntries",
    "WIDepthEntries",
    "outletEntries",
    "timedState",
    "rngUsed",
    "overflowed",
    "overflowAlerts",
)


class Draws:
    """The given random numbers, then one half for ever."""

    def __init__(self, numbers: list[float]) -> None:
        self._numbers: Iterator[float] = iter(numbers)
        self.used = 0

    def __call__(self) -> float:
        self.used += 1
        return next(self._numbers, 0.5)


def count_tokens(text: str) -> int:
    """Count as the vectors do: a token is four bytes of UTF-8."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / 4)


def settings_of(plain: Mapping[str, Any]) -> WorldInfoSettings:
    return WorldInfoSettings(**{name.removeprefix("world_info_"): value for name, value in plain.items()})


def run(given: Mapping[str, Any]) -> dict[str, Any]:
    """Run the scenario *given* through our engine and return the answer in the vectors' form."""
    draws = Draws(given["rng"])
    request = _request(given, draws)
    try:
        result = scan(_compiled(given), request)
    except ScriptError:
        return {"error": "TypeError", "rngUsed": draws.used}
    return _answer(given, result) | {"rngUsed": draws.used}


def _compiled(given: Mapping[str, Any]) -> CompiledBooks:
    settings, active = settings_of(given["settings"]), given["active"]
    extra = [*([active["character"]] if active["character"] else []), *active["characterExtra"]]
    chosen = ActiveBooks(
        globally=active["global"],
        character=extra if given["character"] else [],
        chat=active["chat"],
        persona=active["persona"],
    )
    try:
        return CompiledBooks(given["books"], chosen, settings)
    except ScriptError:
        # SillyTavern swallows what goes wrong while it collects entries, and scans none.
        return CompiledBooks({}, chosen, settings)


def _request(given: Mapping[str, Any], draws: Draws) -> ScanRequest:
    names = js.truthy(given["settings"]["world_info_include_names"])
    note = _note(given)
    injections = [item["value"] for item in given["injections"] if item["scan"] and item.get("filter") is not False]
    character = given["character"]
    return ScanRequest(
        messages=[f"{item['name']}: {item['mes']}" if names else item["mes"] for item in given["chat"]],
        max_context=given["maxContext"],
        count_tokens=count_tokens,
        draw=draws,
        macros=Macros(given["macros"]),
        trigger=given["trigger"],
        dry_run=given["dryRun"],
        sources=[given["scanData"].get(name, "") for name in SOURCES],
        injections=[*injections, *([note["text"]] if note["scan"] else [])],
        character=Character(_stem(character["avatar"]), character["tags"]) if character else None,
        timed_state=given["timedState"],
        outside=[
            Outside(item["world"], item["uid"], item.get("override") or {}) for item in given["externalActivations"]
        ],
    )


def _note(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return given["authorsNote"] or {"text": "", "scan": False, "addPrompt": False}


def _stem(file_name: str) -> str:
    return re.sub(r"\.[^/.]+\Z", "", file_name)


def _answer(given: Mapping[str, Any], result: ScanResult) -> dict[str, Any]:
    placed = place((fired.entry, fired.content) for fired in result.fired.values())
    entries = [fired.entry for fired in result.fired.values()]
    alerts, note = given["settings"]["world_info_overflow_alert"], _note(given)
    return {
        "error": None,
        "activated": [_reference(entry) for entry in reversed(sorted_by_order(entries))],
        "activationOrder": [_reference(entry) for entry in entries],
        "worldInfoBefore": "\n".join(placed.before),
        "worldInfoAfter": "\n".join(placed.after),
        "ANBefore": placed.note_top,
        "ANAfter": placed.note_bottom,
        "authorsNote": merged_note(placed, note["text"]) if note["addPrompt"] and result.budget is not None else None,
        "EMEntries": [{"position": position, "content": content} for position, content in placed.examples],
        "WIDepthEntries": [{"depth": g.depth, "role": g.role, "entries": g.entries} for g in placed.at_depth],
        "outletEntries": placed.outlets,
        "timedState": result.timed_state,
        "overflowed": result.overflowed,
        "overflowAlerts": int(result.overflowed and js.truthy(alerts)),
    }


def _reference(entry: Any) -> dict[str, Any]:
    return {"world": entry.world, "uid": None if entry.uid is js.MISSING else entry.uid}


def differences(answered: Mapping[str, Any], expected: Mapping[str, Any]) -> list[str]:
    """Return the names of the compared members that differ."""
    if expected["error"]:
        return [] if answered["error"] == expected["error"] else ["error"]
    return [name for name in COMPARED if answered.get(name) != expected[name]]


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the vectors of a file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)
