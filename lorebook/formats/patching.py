"""
A changed content in the words of the source: only what changed is written anew.

A schema writes the content as it was read and as it should be; where the two differ, and only there, the source's
value is replaced. So fields that nobody understands, the writer's own spellings and the order of everything stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from lorebook.formats.format import Content, Json, Place, Schema

_MISSING = object()


_Item: TypeAlias = tuple[tuple[Place, str | int] | None, Any]
"""An entry in JSON, and where it is: what holds it and its name there; None for a new one."""


def patched(schema: Schema, source: Json, before: Content, after: Content, *, strict: bool = False) -> Json:
    """
    Return *source*, which says *before*, with as little changed as says *after*.
    """
    old, new = schema.write(before, strict), schema.write(after, strict)
    if not schema.entries_at(source) or not schema.entries_at(old) or not schema.entries_at(new):
        return merged(source, old, new)
    items = _matched(schema, (source, old, new), before, after)
    hollow = [_hollowed(value, schema.entries_at(value)) for value in (source, old, new)]
    return _filled(schema, source, merged(*hollow), items)


def merged(source: Json, old: Json, new: Json) -> Json:
    """
    Return *source* with what differs between *old* and *new* as *new* has it.
    """
    if same(old, new):
        return source
    if not (isinstance(source, dict) and isinstance(old, dict) and isinstance(new, dict)):
        return new
    result = {name: value for name, value in source.items() if name in new or name not in old}
    for name, value in new.items():
        was = old.get(name, _MISSING)
        if was is _MISSING or not same(was, value):
            result[name] = merged(source.get(name, _MISSING), was, value)
    return result


def same(one: object, other: object) -> bool:
    """
    Say whether two JSON values are the same: true is not 1.

    They are the same however their numbers are spelt: whether a text may stay is `exactjson.aligning`'s question.
    """
    pairs = [(one, other)]
    while pairs:  # not by recursion: values may be deep
        one, other = pairs.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            pairs.extend((one[name], other[name]) for name in one)
        elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
            if len(one) != len(other):
                return False
            pairs.extend(zip(one, other, strict=True))
        elif isinstance(one, bool) != isinstance(other, bool) or one != other:
            return False
    return True


def _matched(schema: Schema, values: tuple[Json, Json, Json], before: Content, after: Content) -> list[_Item]:
    """
    Return the entries of *after* as the source should have them, each with where it is there now.
    """
    was = before.book.entries if before.book else ()
    now = after.book.entries if after.book else ()
    there, olds, news = (list(_items(schema, value)) for value in values)
    known = {entry.uid: n for n, entry in enumerate(was)} if len(there) == len(olds) == len(was) else {}
    result: list[_Item] = []
    for entry, (_, item) in zip(now, news, strict=True):
        n = known.pop(entry.uid, None)
        if n is None:
            result.append((None, item))
        else:
            place, own = there[n]
            result.append((place, merged(own, olds[n][1], item)))
    return result


def _items(schema: Schema, value: Json) -> Iterator[tuple[tuple[Place, str | int], Any]]:
    for holder in schema.entries_at(value):
        for name, item in _named(_at(value, holder)):
            if schema.is_entry(item):
                yield (holder, name), item


def _named(held: Json) -> list[tuple[str | int, Any]]:
    return list(held.items()) if isinstance(held, dict) else list(enumerate(held))


def _at(value: Json, place: Place) -> Json:
    for step in place:
        value = value[step]
    return value


def _put(value: Json, place: Place, item: Json) -> Json:
    """
    Return *value* with *item* at *place*; what is not on the way there is shared, not copied.
    """
    if not place:
        return item
    copy: Json = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = _put(copy[place[0]], place[1:], item)
    return copy


def _hollowed(value: Json, holders: tuple[Place, ...]) -> Json:
    for holder in holders:
        value = _put(value, holder, None)
    return value


def _filled(
    schema: Schema,
    source: Json,
    hollow: Json,
    items: list[_Item],
) -> Json:
    """
    Return *hollow* with the *items* in their holders: known ones where they were, new ones after them.
    """
    holders = schema.entries_at(source)
    for holder in holders:
        held = _at(source, holder)
        mine = [(place[1] if place else None, item) for place, item in items if (place or (holders[-1],))[0] == holder]
        fill: Any = _filled_object if isinstance(held, dict) else _filled_list
        hollow = _put(hollow, holder, fill(schema, held, mine))
    return hollow


def _filled_list(schema: Schema, held: list[Any], mine: list[tuple[str | int | None, Any]]) -> list[Any]:
    known = [name for name, _ in mine if isinstance(name, int)]
    others = [(n, item) for n, item in enumerate(held) if not schema.is_entry(item)]
    if known != sorted(known):
        return [item for _, item in others] + [item for _, item in mine]
    result: list[Any] = []
    for name, item in mine:
        while isinstance(name, int) and others and others[0][0] < name:
            result.append(others.pop(0)[1])
        result.append(item)
    return result + [item for _, item in others]


def _filled_object(schema: Schema, held: dict[str, Any], mine: list[tuple[str | int | None, Any]]) -> dict[str, Any]:
    # An object has no order: its members stay where they are.
    known = {name: item for name, item in mine if name is not None}
    there = {name: item for name, item in held.items() if name in known or not schema.is_entry(item)}
    result = {name: known.get(name, item) for name, item in there.items()}
    used = max((int(name) for name in held if name.isdecimal() and name.isascii()), default=-1)
    for number, item in enumerate((item for name, item in mine if name is None), used + 1):
        result[str(number)] = item
    return result
