"""
Our engine answers what SillyTavern's own engine answers, whatever it is asked.

    LOREBOOK_PEER_SEED=NAME     the scenarios of an earlier run again
    LOREBOOK_PEER_COUNT=20000   more of them, or fewer
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.minimise import minimised
from tests.conformance.oracle import Peer
from tests.conformance.scenarios import Scenario, scenarios
from tests.conformance.vectors import COMPARED, run
from tests.peers import harness

# A release is judged by scenarios that anyone can run again; `LOREBOOK_PEER_SEED=fresh` makes new ones.
SEED = os.environ.get("LOREBOOK_PEER_SEED", "18ecd31e6a55dcef")
SEED = f"{time.time_ns():x}" if SEED == "fresh" else SEED
COUNT = int(os.environ.get("LOREBOOK_PEER_COUNT", "2500"))
_BATCH = 50

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(harness.missing()), reason=harness.missing() or "all is here"),
]


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    with Peer() as peer:
        yield peer


def test_no_scenario_tells_the_engines_apart(peer: Peer, tmp_path: Path) -> None:
    print(f"LOREBOOK_PEER_SEED={SEED} LOREBOOK_PEER_COUNT={COUNT}")
    turns, waiting = 0, list(scenarios(SEED, COUNT))
    while waiting:
        batch, waiting = waiting[:_BATCH], waiting[_BATCH:]
        for scenario, answered in zip(batch, peer.ask([scenario.given for scenario in batch]), strict=True):
            if differences(scenario.given, answered):
                pytest.fail(_report(peer, scenario, tmp_path))
            turns += "refused" not in answered
            if "refused" not in answered and scenario.go_on(answered["timedState"]):
                waiting.append(scenario)
    print(f"{turns} turns of {COUNT} scenarios")
    assert turns >= COUNT * 0.99


def differences(given: Mapping[str, Any], answered: Mapping[str, Any]) -> list[str]:
    """Return the names of the members in which our answer to *given* differs from what the peer *answered*."""
    if "refused" in answered:
        return []
    ours = _ours(given)
    compared = ("error",) if answered["error"] else COMPARED
    return [name for name in compared if _plain(ours.get(name)) != _plain(answered[name])]


def _ours(given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        # As the peer gets it: two halves of a character that come to stand side by side are one character in JSON.
        return run(json.loads(json.dumps(given)))
    except Exception as error:  # noqa: BLE001 (a crash is a difference, too)
        return {"error": f"ours crashes: {error!r}"}


def _plain(value: object) -> str:
    """Return *value* as JSON that tells true from 1, but not 1.0 from 1."""
    return json.dumps(json.loads(json.dumps(value), parse_float=_whole), sort_keys=True)


def _whole(number: str) -> float:
    return int(float(number)) if float(number).is_integer() else float(number)


def _report(peer: Peer, scenario: Scenario, folder: Path) -> str:
    """Make the *scenario* small, save it, and say what differs."""
    small = minimised(scenario.given, lambda given: bool(differences(given, peer.ask([given])[0])))
    theirs, ours = peer.ask([small])[0], _ours(small)
    file = folder / f"{scenario.name}.json"
    file.write_text(json.dumps({"input": small, "expected": theirs}), encoding="utf-8")
    told = [
        f"{name}: theirs {json.dumps(theirs[name])}, ours {json.dumps(ours.get(name))}"
        for name in differences(small, theirs)
    ]
    return "\n".join((f"{scenario.name} ({', '.join(scenario.features)}), saved as {file}", json.dumps(small), *told))
