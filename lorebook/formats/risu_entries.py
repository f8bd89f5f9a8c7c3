"""
An entry of RisuAI's, as its lorebooks and modules have them.

RisuAI has fields for keys, order, chance and text. Most of what else World Info says of an entry becomes decorators
above the text, which is what RisuAI does itself with a card of SillyTavern's (see `risu_decorators`). The rest stands
in `extentions` (RisuAI's spelling) under SillyTavern's names: RisuAI keeps that object and hands it on to the cards
that it writes. RisuAI cannot switch an entry off; one that is off has the decorator `@@dont_activate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lorebook.book import Book, Entry
from lorebook.formats import risu_decorators, risu_keys, vocabulary
from lorebook.formats.character_book import spelled
from lorebook.formats.format import Json, Loss, LossKind
from lorebook.formats.settings import numbered
from lorebook.formats.taker import Taker
from lorebook.formats.vocabulary import ALWAYS, LOGICS, OWN, POSITIONS, ROLES
from lorebook.records import EntrySettings, Position, SecondaryLogic

APP = "risuai"
"""Where `extensions` of an entry and a book keep what only RisuAI says."""
FOLDER = "folder"
"""The `mode` of an item that is a folder and no entry."""

_CASE = "risu_case_sensitive"
_VERSION = 2
_MARK = "decorators"
"""Under our name in `extentions`: how many lines above the content are settings."""
_BESIDE = "fields"
"""Under our name there: what stood beside `extensions` in another format's entry and is not understood."""
# What RisuAI takes a missing field for.
_DEFAULTS: Mapping[str, Any] = {"mode": "normal", "bookVersion": _VERSION, "loreCache": None, "folder": None}
_FIELDS = frozenset(
    {
        *("key", "secondkey", "insertorder", "comment", "content", "alwaysActive", "selective", "useRegex"),
        *("activationPercent", "extentions"),
    }
)
"""What is always written from the entry itself."""
_DEPTH, _PLACE = EntrySettings().depth, EntrySettings().position
# Settings without a decorator, by SillyTavern's name for them; RisuAI only keeps them.
_UNREAD = {
    "position": "RisuAI keeps it and puts the text where its lorebook stands",
    "keys": "RisuAI wants flags behind a pattern and no comma in it; it passes over others",
    "extensions": "RisuAI keeps it and does not act on it",
}


def is_entry(item: Json) -> bool:
    """
    Tell an entry from a folder.
    """
    return isinstance(item, dict) and item.get("mode") != FOLDER


def read(take: Taker, uid: int) -> Entry:
    """
    Read an item as the entry *uid*.
    """
    more = Taker(spelled(take.mapping("extentions")), take.at("extentions"), take.notes)
    own = more.inner(OWN)
    fields_beside = take_beside(own)
    head, content = _split(take, own)
    are_patterns = bool(take.flag("useRegex", False))
    keys = risu_keys.read(take, "key", are_patterns=are_patterns)
    settings, inert = _settings(take, more, are_patterns=are_patterns)
    if head is not None:
        settings = settings.model_copy(update=head)
        if settings.secondary_keys:
            inert.pop("secondary_keys", None)
    name = take.text("comment")
    kept = more.rest()
    fields = {name: value for name, value in take.rest().items() if name not in _DEFAULTS or value != _DEFAULTS[name]}
    extensions = vocabulary.keep(kept | ({OWN: own.rest()} if own.rest() else {}), fields=fields_beside, inert=inert)
    return Entry(
        uid=uid,
        name=name,
        keys=keys,
        content=content,
        settings=settings,
        rule=vocabulary.rule_of({OWN: own.rest()}),
        extensions=extensions | ({APP: fields} if fields else {}),
    )


def _split(take: Taker, own: Taker) -> tuple[dict[str, Any] | None, str]:
    """
    Return what the decorators say that are settings, and the content below them.
    """
    content, count = take.text("content"), own.whole(_MARK, 0)
    if count <= 0:
        return None, content
    *lines, rest = content.split("\n", min(count, len(content)))
    head = risu_decorators.read(lines) if len(lines) == count else None
    if head is None:
        take.notes.add(take.at("content"), f"its first {count} lines were settings and are not any more; read as text")
        return None, content
    return head, rest


def _settings(take: Taker, more: Taker, *, are_patterns: bool) -> tuple[EntrySettings, dict[str, Any]]:
    """
    Return what the fields and `extentions` say, and what of it is switched off.

    What decorators say is not taken from `extentions`: RisuAI looks for it in the content alone.
    """
    secondary = risu_keys.read(take, "secondkey", are_patterns=are_patterns)
    used = bool(take.flag("selective", False)) and bool(secondary)
    percent = take.number("activationPercent", None) or ALWAYS
    idle, rolled = more.number("probability", None), bool(more.flag("useProbability", False))
    inert: dict[str, Any] = {} if used or not secondary else {"secondary_keys": list(secondary)}
    if idle is not None and not rolled and percent == ALWAYS:
        inert["probability"] = idle
    logic, position = numbered(more, "selectiveLogic", LOGICS, LOGICS[0]), numbered(more, "position", POSITIONS, _PLACE)
    more.raw("match_whole_words")
    settings = EntrySettings(
        constant=bool(take.flag("alwaysActive", False)),
        secondary_keys=secondary if used else (),
        secondary_logic=LOGICS[0] if used else logic,
        position=_PLACE if position is Position.AT_DEPTH else position,
        depth=max(more.whole("depth", _DEPTH), 0),
        role=numbered(more, "role", ROLES, ROLES[0]),
        insertion_order=take.whole("insertorder", 100),
        probability=min(percent, ALWAYS) if percent > 0 else ALWAYS,
        case_sensitive=more.flag(_CASE, None),
    )
    return settings, inert


def write(entry: Entry, *, folders: bool = False) -> dict[str, Any]:
    """
    Return *entry* as RisuAI has it; with *folders* it may be a folder.
    """
    are_patterns = risu_keys.are_patterns(entry.keys)
    entry = _fitting(entry, are_patterns=are_patterns)
    has, head = entry.settings, risu_decorators.lines(entry.settings)
    listed = has.secondary_logic is not SecondaryLogic.AND_ANY
    secondary, _ = vocabulary.secondary(entry)
    app = own_fields(entry.extensions)
    if app.get("mode") == FOLDER and not folders:
        del app["mode"]
    own = {
        "key": ", ".join(entry.keys),
        "secondkey": ", ".join(secondary) if not (listed and has.secondary_keys) else "",
        "insertorder": has.insertion_order,
        "comment": entry.name,
        "content": "\n".join([*head, entry.content]),
        "mode": "normal",
        "alwaysActive": has.constant,
        "selective": bool(has.secondary_keys) and not listed,
        "useRegex": are_patterns,
    }
    extentions = _extentions(entry, len(head))
    # RisuAI acts on the chance of an entry of its first version only: it makes a decorator of it.
    rolled = 0 < has.probability < ALWAYS
    percent = {"activationPercent": vocabulary.plain(has.probability)} if rolled else {"bookVersion": _VERSION}
    kept = {name: value for name, value in app.items() if name in _DEFAULTS or name not in _FIELDS}
    return own | percent | ({"extentions": extentions} if extentions else {}) | kept


def own_fields(extensions: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return what the *extensions* of an entry or book keep for RisuAI alone.
    """
    found = extensions.get(APP)
    return dict(found) if isinstance(found, dict) else {}


def _fitting(entry: Entry, *, are_patterns: bool) -> Entry:
    """
    Return *entry* without the keys that cannot be said.
    """
    has = entry.settings
    idle = vocabulary.inert(entry).get("secondary_keys", ())
    keys, secondary = entry.keys, has.secondary_keys
    if are_patterns:
        keys, secondary = (tuple(risu_keys.as_pattern(key, has) for key in group) for group in (keys, secondary))
    in_list = has.secondary_logic is not SecondaryLogic.AND_ANY
    fit = risu_keys.one_by_one(secondary) if in_list else risu_keys.fitting(secondary, are_patterns=are_patterns)
    own = entry.extensions.get(OWN, {})
    inert = {
        **own.get("inert", {}),
        **({"secondary_keys": risu_keys.fitting(idle, are_patterns=are_patterns)} if idle else {}),
    }
    extensions = entry.extensions | ({OWN: {**own, "inert": inert}} if inert else {})
    return entry.model_copy(
        update={
            "keys": risu_keys.fitting(keys, are_patterns=are_patterns),
            "settings": has.model_copy(update={"secondary_keys": fit}),
            "extensions": extensions,
        }
    )


def _extentions(entry: Entry, head: int) -> dict[str, Any]:
    has = entry.settings
    at_depth = has.position is Position.AT_DEPTH
    idle = vocabulary.inert(entry).get("probability") if has.probability == ALWAYS else None
    found = {
        _CASE: has.case_sensitive,
        "position": POSITIONS.index(has.position) if _is_foreign(has.position) else None,
        "depth": has.depth if not at_depth and has.depth != _DEPTH else None,
        "role": ROLES.index(has.role) if not at_depth and has.role is not ROLES[0] else None,
        "selectiveLogic": LOGICS.index(has.secondary_logic) if not has.secondary_keys else 0,
        "probability": idle,
        "useProbability": False if idle is not None else None,
    }
    said = {
        name: value for name, value in found.items() if value is not None and (name, value) != ("selectiveLogic", 0)
    }
    kept = vocabulary.written(entry)
    own = kept.pop(OWN, {}) | ({_MARK: head} if head else {}) | beside(entry)
    away = {APP, *found}
    kept = {name: value for name, value in kept.items() if name not in away}
    return kept | said | ({OWN: own} if own else {})


def take_beside(own: Taker) -> dict[str, Any]:
    """
    Take what `beside` wrote among our *own* fields.
    """
    return own.mapping(_BESIDE) if _BESIDE in own else {}


def beside(item: Book | Entry) -> dict[str, Any]:
    """
    Return what stood beside the `extensions` of *item*, under the name by which it goes along.
    """
    fields = vocabulary.fields(item)
    return {_BESIDE: fields} if fields else {}


def _is_foreign(position: Position) -> bool:
    return position not in (_PLACE, Position.AT_DEPTH)


def remarks(entries: Iterable[Entry]) -> Iterator[Loss]:
    """
    Yield what RisuAI keeps without acting on it.
    """
    for entry in entries:
        idle = set(entry.extensions) - {APP, OWN}
        found = {
            "keys": any(risu_keys.is_passed_over(key) for key in entry.keys),
            "position": _is_foreign(entry.settings.position),
            **{f"extensions.{name}": not says_nothing(name, entry.extensions[name]) for name in sorted(idle)},
        }
        for name, there in found.items():
            if there:
                yield Loss(entry.uid, name, _UNREAD[name.partition(".")[0]], LossKind.UNREAD)


def says_nothing(name: str, value: object) -> bool:
    """
    Tell whether the setting *name* of an entry's `extensions` means with *value* what a missing one means.
    """
    return value in vocabulary.SAYS_NOTHING.get(name, ())
