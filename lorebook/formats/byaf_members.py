"""
Which members of Backyard's archive are the character and its scenarios, and what a new file calls them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from lorebook.formats import identity
from lorebook.formats.format import Json
from lorebook.formats.notes import Notes

MANIFEST = "manifest.json"
CHARACTERS = "characters/*/character.json"
SCENARIOS = "scenarios/*.json"

_CHARACTER = re.compile(r"characters/(?!\.{1,2}/)[^/\\\0]+/character\.json")
_SCENARIO = re.compile(r"scenarios/[^/\\\0]+\.json")
_FOLDER = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Members:
    """
    The members by name; without a character the archive is none of Backyard's.
    """

    character: str | None
    scenarios: tuple[str, ...]

    def note_others(self, raw: Json, notes: Notes) -> None:
        """
        Note the characters and scenarios in *raw* that do not count.
        """
        counting = set(self.scenarios)
        for name in raw:
            if _CHARACTER.fullmatch(name) and name != self.character:
                notes.add(f"`{name}`", f"is another character; the one in `{self.character}` counts")
            if _SCENARIO.fullmatch(name) and name not in counting:
                notes.add(f"`{name}`", "is a scenario that the manifest does not name; left out")
        for name in (*_listed(raw, "characters"), *_listed(raw, "scenarios")):
            if not isinstance(raw.get(name), dict):
                notes.add(f"`{MANIFEST}`", f"names `{name}`, which is not there or cannot be read")


def found(raw: Json) -> Members:
    """
    Return the members that count in *raw*: those that the manifest names, else those whose names are right.
    """
    if not isinstance(raw, dict):
        return Members(None, ())
    characters, scenarios = (
        [name for name in _listed(raw, kind) if pattern.fullmatch(name) and isinstance(raw.get(name), dict)]
        or [name for name, value in raw.items() if pattern.fullmatch(str(name)) and isinstance(value, dict)]
        for kind, pattern in (("characters", _CHARACTER), ("scenarios", _SCENARIO))
    )
    return Members(characters[0] if characters else None, tuple(dict.fromkeys(scenarios)))


def wanted(own_id: str, count: int, paths: object) -> Members:
    """
    Return the members of a character with *count* scenarios; *paths* are those that the file it came from had.
    """
    known = [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else []
    characters = [path for path in known if _CHARACTER.fullmatch(path)]
    folder = own_id if _FOLDER.fullmatch(own_id) else identity.make_id(own_id)
    scenarios = list(dict.fromkeys(path for path in known if _SCENARIO.fullmatch(path)))[:count]
    used = set(scenarios)
    free = (path for n in range(1, 2 * count + 2) if (path := f"scenarios/scenario{n}.json") not in used)
    added = [next(free) for _ in range(count - len(scenarios))]
    return Members((characters or [f"characters/{folder}/character.json"])[0], (*scenarios, *added))


def unusual(own_id: str, members: Members) -> list[str]:
    """
    Return as many of the paths of *members*, none if possible, as `wanted` needs to know them all.
    """
    paths = [str(members.character), *members.scenarios]
    counts = range(len(paths) + 1)
    enough = bisect_left(counts, True, key=lambda n: wanted(own_id, len(members.scenarios), paths[:n]) == members)
    return paths[:enough]


def _listed(raw: Json, kind: str) -> Iterator[str]:
    manifest = raw.get(MANIFEST)
    held = manifest.get(kind) if isinstance(manifest, dict) else None
    yield from (name for name in held if isinstance(name, str)) if isinstance(held, list) else ()
