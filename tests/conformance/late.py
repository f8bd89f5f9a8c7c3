"""
Features that look at what the others have made: state and outside activations that fit the entries, and oddities.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lorebook.matching.entries import ScriptError, compile_entry
from tests.conformance.draft import Draft, Entry, Feature

_ODD_VALUES: tuple[object, ...] = (
    *(None, None, True, False, 0, 1, 2, -1, 0.5, 1.5, 100, 1e21, 1e-7),
    *("", "0", "1", "2", "10", "100", " 3 ", "true", "abc", "0x1", "1e1"),
    *([], [1], ["normal"], ["2"], {}, {"names": ["Ines"]}, {"names": "ines", "tags": "t1"}),
)
_FIELDS = """
    uid key keysecondary selective selectiveLogic content comment constant disable order position depth role outletName
    probability useProbability group groupOverride groupWeight useGroupScoring scanDepth caseSensitive matchWholeWords
    excludeRecursion preventRecursion delayUntilRecursion sticky cooldown delay ignoreBudget matchScenario
    characterFilter triggers
""".split()


def odd_types(draft: Draft) -> None:
    for entry in draft.some(0.2):
        name, value = draft.rng.choice(_FIELDS), draft.rng.choice(_ODD_VALUES)
        # Such a content empties the scan, and nothing else shows.
        if name != "content" or not value or draft.rng.random() < 0.2:
            entry[name] = value


def odd_settings(draft: Draft) -> None:
    name = draft.rng.choice(list(draft.settings))
    # With a depth that is no number, the search for more entries to activate never ends.
    odd = "2" if name == "world_info_depth" else "abc"
    draft.settings[name] = draft.rng.choice((None, True, False, "", "0", "1", "3", "10", 2.5, -1, odd))


def given_state(draft: Draft) -> None:
    state: dict[str, Any] = {"sticky": {}, "cooldown": {}}
    length = len(draft.given["chat"])
    for book, entry in _sound(draft):
        if draft.rng.random() < 0.6:
            continue
        kind = draft.rng.choice(("sticky", "sticky", "cooldown"))
        entry.setdefault(kind, draft.rng.choice((1, 2, 3)))
        made = compile_entry(entry, book)
        state[kind][made.identity] = {
            "hash": draft.rng.choice((made.hash, made.hash, made.hash, str(made.hash), 5)),
            "start": length + draft.rng.randint(-3, 1),
            "end": length + draft.rng.randint(-1, 3),
            "protected": draft.rng.random() < 0.3,
        }
    draft.given["timedState"] = state


def bad_state(draft: Draft) -> None:
    given_state(draft)
    state, rng = draft.given["timedState"], draft.rng
    for effects in state.values():
        for name, effect in effects.items():
            if rng.random() < 0.3:
                effects[name] = rng.choice((None, "x", 5, True, [], [1], {}, "", 0))
            elif rng.random() < 0.5:
                effect[rng.choice(list(effect))] = rng.choice((None, "3", "x", 0, True, 2.5, "", [4]))
    if rng.random() < 0.5:
        state |= rng.choice(({"sticky": "bad"}, {"cooldown": None}, {"delay": {"x": 1}}))


def outside(draft: Draft) -> None:
    active = draft.given["active"]
    names = {*active["global"], active["chat"], active["persona"]}
    held = [(book, entry) for book, entry in _sound(draft) if book in names and "world" not in entry and "uid" in entry]
    for book, entry in draft.rng.sample(held, min(len(held), draft.rng.randint(1, 3))):
        changed = {"override": _override(draft)} if draft.rng.random() < 0.6 else {}
        draft.given["externalActivations"].append({"world": book, "uid": entry["uid"], **changed})


def _override(draft: Draft) -> Entry:
    choices: dict[str, tuple[object, ...]] = {
        "content": ("Sent in.", "{{user}} sent this", draft.words.sentence(), ""),
        "position": (0, 1, 4, 7),
        "order": (77, 100, 1),
        "group": ("camp", "", "tide"),
        "probability": (0, 40, 100),
        "useProbability": (True, False),
        "ignoreBudget": (True, False),
        "preventRecursion": (True, False),
        "sticky": (2, None),
        "cooldown": (2, 0),
        "key": ([draft.words.key()],),
        "disable": (True,),
        "delay": (50,),
        "useGroupScoring": (True,),
    }
    return {name: draft.rng.choice(choices[name]) for name in draft.rng.sample(list(choices), draft.rng.randint(1, 5))}


def odd_books(draft: Draft) -> None:
    book = draft.rng.choice(list(draft.books.values()))
    if draft.rng.random() < 0.3:
        book["entries"] = draft.rng.choice((None, [], list(book["entries"].values()), 5, "ab"))
        return
    slot = draft.rng.choice(list(book["entries"]))
    book["entries"][slot] = draft.rng.choice((None, 5, True, "ab", ["x", "y"], {}, []))


def _sound(draft: Draft) -> Iterator[tuple[str, Entry]]:
    """Yield books' names and entries, without those that would empty the scan."""
    for book, held in draft.books.items():
        for entry in held["entries"].values():
            try:
                compile_entry(entry, book)
            except ScriptError:
                continue
            yield book, entry


LATE: dict[str, tuple[Feature, float]] = {
    "odd_types": (odd_types, 0.15),
    "odd_settings": (odd_settings, 0.1),
    "given_state": (given_state, 0.2),
    "bad_state": (bad_state, 0.1),
    "outside": (outside, 0.1),
    "odd_books": (odd_books, 0.02),
}
"""How often each comes, and in which order."""
