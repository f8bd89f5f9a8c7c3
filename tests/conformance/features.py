"""
Features of World Info, each a change to a random scenario.

A feature sets the fields, settings and surroundings that let it show, on some of the entries; what several
features at once come to is left to chance. Those that look at what the others have made are in `late`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.conformance.draft import Choices, Draft, Feature, message

YES, NO, MAYBE = (True,), (False,), (True, True, False)

# Share of the entries that get the fields, and the fields' values.
_PLAIN: dict[str, tuple[tuple[float, Choices], ...]] = {
    "constants": ((0.3, {"constant": (True, True, True, 1, "false", False)}),),
    "disabled": ((0.2, {"disable": (True, True, 1, "1", "true", 2, None, [1])}),),
    "own_depths": ((0.4, {"scanDepth": (0, 1, 2, 3, 5, -1, 1000, 1001, 2.7, "3", None)}),),
    "orders": ((0.9, {"order": (100, 100, 50, 50, 10, 0, -5, 99.5, "50", 100, 200)}),),
    "delays": ((0.4, {"delay": (1, 2, 4, 6, 9, 0, None, "3")}),),
    "timed": (
        (0.4, {"sticky": (1, 2, 3, 5, None, 0, "2")}),
        (0.4, {"cooldown": (1, 2, 3, 5, None, 0, "2")}),
    ),
    "probability": (
        (0.6, {"probability": (0, 1, 30, 50, 70, 99.5, 100, "100", "50", None), "useProbability": (*YES, *MAYBE)}),
    ),
    "places": (
        (0.7, {"position": (0, 0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 8, -1, "0", None)}),
        (0.7, {"role": (0, 0, 1, 2, None), "depth": (4, 4, 0, 2, None, "4")}),
        (0.4, {"outletName": ("rules", "rules", "Lore", " rules", "", None, "规则")}),
    ),
    "contents": (
        (0.2, {"content": ("", "{{blank}}", " ", "\n", None, "@@", "🔥\ud83d")}),
        (0.2, {"content": ("{{user}} has the {{deck}}", "\\{x\\} <char>", "{{none}} {{twice}}")}),
    ),
    "groups": (
        (0.4, {"group": ("camp", "camp", "camp, tide", "tide", "camp ,tide", "camp,camp", "camp,\u3000tide")}),
        (0.3, {"group": ("camp", "7", "7,3", "10,camp", ", tide", "阵营")}),
        (0.4, {"groupWeight": (100, 1, 0, 50, 10.5, None, "50", -60, 300)}),
    ),
    "group_priorities": (
        (0.6, {"group": ("camp", "camp", "tide", "camp, tide")}),
        (0.3, {"groupOverride": MAYBE}),
    ),
    "own_names": (
        (0.2, {"world": ("Elsewhere", "Second")}),
        (0.2, {"extensions": ({"a": [1, None, "é\u2028\x7f"]},), "decorators": (["@@activate"],), "hash": (1, "x")}),
    ),
    "throwing": ((0.1, {"group": ("constructor", "toString", "camp, __proto__", 5, ["camp"], True)}),),
}


def secondary_keys(draft: Draft) -> None:
    for entry in draft.some(0.5):
        entry["keysecondary"] = [draft.words.key() for _ in range(draft.rng.randint(0, 3))]
        entry["selective"] = draft.rng.random() < 0.9
        entry["selectiveLogic"] = draft.rng.choice((0, 1, 2, 3))


def case_and_words(draft: Draft) -> None:
    draft.set(case_sensitive=(True, False), match_whole_words=MAYBE)
    draft.put(0.4, {"caseSensitive": (True, False, None), "matchWholeWords": (True, False, None)})


def parts_of_words(draft: Draft) -> None:
    _add_keys(draft, draft.words.part)


def regex_keys(draft: Draft) -> None:
    _add_keys(draft, draft.words.regex)


def macro_keys(draft: Draft) -> None:
    _add_keys(draft, draft.words.macro_key)
    for sent in draft.given["chat"]:
        if draft.rng.random() < 0.3:
            sent["mes"] += draft.rng.choice((" Ines", " 阿岚?", "(tap)", "{x}", "C++", " the wyrm wyrm"))


def odd_keys(draft: Draft) -> None:
    _add_keys(draft, draft.words.odd_key, share=0.2)


def _add_keys(draft: Draft, key: Callable[[], object], *, share: float = 0.4) -> None:
    for entry in draft.some(share):
        name = draft.rng.choice(("key", "key", "keysecondary"))
        held = entry.get(name)
        added = [key() for _ in range(draft.rng.randint(1, 3))]
        entry[name] = added if draft.rng.random() < 0.5 or not isinstance(held, list) else [*held, *added]


def decorators(draft: Draft) -> None:
    known = ("@@activate", "@@dont_activate", "@@activate ", "@@@activate")
    heads = (*known, "@@later", "@@later\n@@@activate", "@@a\n@@@b\n@@@dont_activate")
    for entry in draft.some(0.3):
        body = draft.rng.choice(("\n", "\n", "\n", "", "\r\n", "\n\n")) + str(entry.get("content") or "")
        entry["content"] = draft.rng.choice(heads) + body


def character(draft: Draft) -> None:
    avatar = draft.rng.choice(("ines.v2.png", "ines.v2", ".png", "a.b/c"))
    ines = {"name": "Ines", "avatar": avatar, "tags": ["t1", "t2"]}
    draft.given["character"] = draft.rng.choice((None, ines, {"name": "阿岚", "avatar": "阿岚.png", "tags": None}))
    for entry in draft.some(0.5):
        names = draft.rng.sample(("ines.v2", "Ines.v2", "阿岚", "ines.v2.png"), draft.rng.randint(0, 2))
        tags = draft.rng.sample(("t1", "t2", "t3"), draft.rng.randint(0, 2))
        entry["characterFilter"] = {"isExclude": draft.rng.random() < 0.5, "names": names, "tags": tags}
    draft.put(0.02, {"characterFilter": ({"names": "the ines.v2", "tags": "t1"}, {"tags": "t2, t3", "isExclude": 1})})


def triggers(draft: Draft) -> None:
    draft.given["trigger"] = draft.rng.choice(("normal", "continue", "impersonate", "swipe", "regenerate", "quiet"))
    wanted: tuple[object, ...] = (
        ["normal"],
        ["swipe", "quiet"],
        ["continue", "impersonate", "normal"],
        [],
        ["Normal"],
        "normal",
    )
    draft.put(0.4, {"triggers": wanted})


def recursion(draft: Draft) -> None:
    draft.set(recursive=(*YES, *YES, *MAYBE), max_recursion_steps=(0, 0, 0, 1, 2, 3))
    draft.put(0.3, {"excludeRecursion": (True, False), "preventRecursion": (True, False, False)})
    for entry in draft.some(0.6):
        entry["content"] = f"{entry.get('content') or ''} {draft.words.sentence()}"


def recursion_levels(draft: Draft) -> None:
    draft.set(recursive=MAYBE)
    draft.put(0.4, {"delayUntilRecursion": (True, 1, 1, 2, 2, 3, 10, "1", "2", "10", 0, False)})


def least_activations(draft: Draft) -> None:
    draft.set(min_activations=(1, 2, 3, 5, 8), min_activations_depth_max=(0, 0, 2, 4, 9), depth=(0, 1, 1, 2))


def sources(draft: Draft) -> None:
    for name in list(draft.given["scanData"]):
        draft.given["scanData"][name] = draft.rng.choice((draft.mention(), "", "\n a \n"))
        draft.put(0.2, {f"match{name[0].upper()}{name[1:]}": MAYBE})


def injections(draft: Draft) -> None:
    held = draft.given["injections"]
    for _ in range(draft.rng.randint(1, 4)):
        value = draft.rng.choice((draft.mention(), "{{user}} and {{deck}}", "{{blank}}", " x\n"))
        made = {"key": f"memory_{len(held)}", "value": value, "scan": draft.rng.random() < 0.8}
        held.append(made | draft.rng.choice(({}, {}, {"filter": True}, {"filter": False})))


def note(draft: Draft) -> None:
    text = draft.rng.choice((draft.mention(), "", "\n{{user}}\n", "\n"))
    draft.given["authorsNote"] = {"text": text, "scan": draft.rng.random() < 0.6, "addPrompt": draft.rng.random() < 0.7}
    draft.put(0.4, {"position": (2, 3)})


def budget(draft: Draft) -> None:
    draft.given["maxContext"] = draft.rng.choice((30, 60, 100, 150, 200, 333, 1000))
    draft.set(budget=(10, 25, 33, 50, 100, 0, 1, 120), budget_cap=(0, 0, 0, 5, 12, 30, 40, 5000, 10.5))
    draft.set(overflow_alert=(True, False))
    draft.put(0.2, {"ignoreBudget": MAYBE})


def group_scores(draft: Draft) -> None:
    draft.set(use_group_scoring=(True, False))
    draft.put(0.6, {"group": ("camp", "camp", "tide", "camp,tide")})
    draft.put(0.5, {"useGroupScoring": (*MAYBE, None)})
    for entry in draft.some(0.5):
        entry["key"] = [draft.words.key() for _ in range(draft.rng.randint(0, 4))]


def attachments(draft: Draft) -> None:
    active, names = draft.given["active"], [*draft.books, "Nowhere"]
    active["global"] = draft.rng.choices(names, k=draft.rng.randint(0, 3))
    active["character"] = draft.rng.choice([None, *names])
    active["characterExtra"] = draft.rng.choices(names, k=draft.rng.randint(0, 2))
    active["chat"], active["persona"] = draft.rng.choice([None, *names]), draft.rng.choice([None, *names])
    draft.given["character"] = draft.rng.choice((None, {"name": "Bram", "avatar": "bram.png", "tags": []}))
    draft.set(character_strategy=(0, 1, 2, 7))


def slots(draft: Draft) -> None:
    for book in draft.books.values():
        names = ["01", "-1", "4.5", "x", *map(str, range(20))]
        draft.rng.shuffle(names)
        book["entries"] = dict(zip(names, book["entries"].values(), strict=False))
    draft.put(0.3, {"uid": (0, 1, 2, None, "1", "x")})


def dry_run(draft: Draft) -> None:
    draft.given["dryRun"] = True


def long_chat(draft: Draft) -> None:
    count = draft.rng.choice((12, 30, 60))
    draft.given["chat"] += [message(draft.rng, draft.words) for _ in range(count)]
    draft.set(depth=(5, 20, 50))


def no_names(draft: Draft) -> None:
    draft.set(include_names=NO)
    for sent in draft.given["chat"]:
        if draft.rng.random() < 0.15:
            sent["mes"] = draft.rng.choice(("", " ", "\n"))
    if draft.rng.random() < 0.3:
        draft.put(0.1, {"key": (["/\\x01$/"], ["/\\n\\x01\\n/"])})


def missing_fields(draft: Draft) -> None:
    for entry in draft.some(0.4):
        for name in draft.rng.sample(list(entry), min(len(entry), draft.rng.randint(1, 4))):
            if name not in {"uid", "key"} or draft.rng.random() < 0.2:
                del entry[name]


def _put_all(parts: tuple[tuple[float, Choices], ...], draft: Draft) -> None:
    for share, choices in parts:
        draft.put(share, choices)


_MADE: tuple[Feature, ...] = (
    *(
        secondary_keys,
        case_and_words,
        parts_of_words,
        regex_keys,
        macro_keys,
        odd_keys,
        decorators,
        character,
        triggers,
    ),
    *(recursion, recursion_levels, least_activations, sources, injections, note, budget, group_scores, attachments),
    *(slots, dry_run, long_chat, no_names, missing_fields),
)
FEATURES: dict[str, Feature] = {name: partial(_put_all, parts) for name, parts in _PLAIN.items()}
FEATURES |= {feature.__name__: feature for feature in _MADE}
RARE = ("disabled", "odd_keys", "slots", "dry_run", "long_chat", "missing_fields", "own_names", "throwing")
COMMON = (*(name for name in FEATURES if name not in RARE), "recursion", "budget", "places", "timed")
