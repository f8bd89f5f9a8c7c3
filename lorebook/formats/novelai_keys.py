r"""
The keys of NovelAI: words, `/patterns/flags`, and `a & b`, which wants both.

World Info wants both by secondary keys. Where all keys of an entry share them, `a & b` is the key `a` with the
secondary key `b`; beside keys of another kind it becomes one pattern that looks ahead for each part. NovelAI looks
for words whole and in any case (https://docs.novelai.net/text/lorebook.html), so such a pattern does, too.
"""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

from lorebook.records import SecondaryLogic

_REGEX = re.compile(r"/(?P<pattern>(?:[^\\/]|\\.)+)/(?P<flags>[a-z]*)", re.DOTALL)
_AND = re.compile(r"\s&\s")
_SPECIAL = re.compile(r"[\\^$.*+?()\[\]{}|/]")
_ESCAPED = re.compile(r"\\x26|\\(.)", re.DOTALL)
_OPEN_AND = re.compile(r"(\\[^&])|\\?&", re.DOTALL)
_WORD_CHARACTER = re.compile(r"[A-Za-z0-9_]")
_HEAD, _AHEAD, _END = "/^", r"(?=[\s\S]*", "/i"


class Keys(NamedTuple):
    """
    The keys of an entry, as World Info has them.
    """

    keys: tuple[str, ...]
    secondary: tuple[str, ...] = ()
    logic: SecondaryLogic = SecondaryLogic.AND_ANY


def read(keys: tuple[str, ...]) -> Keys:
    """
    Return NovelAI's *keys* as World Info has them.

    Parts that no single pattern can look for (they differ in case) stay one key, which World Info takes literally.
    """
    wanted = [_parts(key) for key in keys]
    found = _factored(wanted) if wanted and all(len(parts) > 1 for parts in wanted) else None
    return found or Keys(tuple(_one(key, parts) for key, parts in zip(keys, wanted, strict=True)))


def write(keys: Keys) -> list[str]:
    """
    Return the *keys* of World Info as NovelAI's; secondary keys that forbid are left out.
    """
    if keys.secondary and keys.logic is SecondaryLogic.AND_ALL:
        return [_joined((key, *keys.secondary)) for key in keys.keys if key]
    if keys.secondary and keys.logic is SecondaryLogic.AND_ANY:
        return [_joined(pair) for pair in product(filter(None, keys.keys), keys.secondary)]
    alone = [_alone(key) for key in keys.keys]
    # Were all of them `a & b`, they would be read as keys with secondary keys.
    return [_plain(key) for key in keys.keys] if read(tuple(alone)).secondary else alone


def _factored(wanted: list[tuple[str, ...]]) -> Keys | None:
    """
    Return the keys of which all, or every pair of one and another, are *wanted*.
    """
    heads, tails = [parts[0] for parts in wanted], [parts[1:] for parts in wanted]
    if any(not _is_line(part) for tail in tails for part in tail):
        return None
    if all(tail == tails[0] for tail in tails):
        # Of one key all is the same as any, which is what World Info says of its own accord.
        logic = SecondaryLogic.AND_ALL if len(tails[0]) > 1 else SecondaryLogic.AND_ANY
        return Keys(tuple(heads), tails[0], logic)
    firsts, seconds = dict.fromkeys(heads), dict.fromkeys(part for tail in tails for part in tail)
    # Pairs are counted first: a few distinct keys make a great many of them.
    if len(firsts) * len(seconds) == len(wanted) and list(product(firsts, seconds)) == wanted:
        return Keys(tuple(firsts), tuple(seconds), SecondaryLogic.AND_ANY)
    return None


def _one(key: str, parts: tuple[str, ...]) -> str:
    if len(parts) > 1:
        return _combined(parts) if _can_combine(parts) else key
    word = _word(key)
    return word if word is not None and _alone(word) == key else key


def _alone(key: str) -> str:
    parts = _uncombined(key)
    return _joined(parts) if parts else _plain(key)


def _plain(key: str) -> str:
    """
    Return *key* as NovelAI takes it for what it is: a word with ` & ` in it as a pattern.
    """
    parts = _parts(key)
    return _pattern(key) if len(parts) > 1 and _can_combine(parts) else key


def _joined(parts: tuple[str, ...]) -> str:
    return " & ".join(map(_part, parts))


def _parts(key: str) -> tuple[str, ...]:
    """
    Return what `a & b` wants, part by part; the key itself where it is no such key.
    """
    if _REGEX.fullmatch(key):
        return (key,)
    parts = tuple(part.strip() for part in _AND.split(key))
    whole = len(parts) > 1 and all(_REGEX.fullmatch(part) or _is_simple(part) for part in parts)
    return tuple(map(_unpart, parts)) if whole else (key,)


def _part(key: str) -> str:
    """
    Return *key* as it can stand in `a & b`.
    """
    if _REGEX.fullmatch(key):
        return _OPEN_AND.sub(lambda found: found[1] or r"\x26", key) if _AND.search(key) else key
    return key if _is_simple(key) else _pattern(key)


def _unpart(part: str) -> str:
    word = _word(part)
    return word if word is not None and _part(word) == part else part


def _is_simple(key: str) -> bool:
    return bool(key) and key == key.strip() and not _AND.search(f" {key} ")


def _is_line(key: str) -> bool:
    return key == " ".join(key.splitlines()).strip()


def _pattern(word: str) -> str:
    """
    Return the pattern that finds what NovelAI finds for *word*: its ends are those of words where they are letters.
    """
    escaped = _SPECIAL.sub(r"\\\g<0>", word).replace("&", r"\x26")
    first, last = (r"\b" if _WORD_CHARACTER.match(end) else "" for end in (word[0], word[-1]))
    return f"/{first}{escaped}{last}{_END}"


def _word(pattern: str) -> str | None:
    """
    Return the word whose `_pattern` is *pattern*.
    """
    if not _REGEX.fullmatch(pattern) or not pattern.endswith(_END):
        return None
    inner = pattern[1 : -len(_END)].removeprefix(r"\b")
    inner = inner.removesuffix(r"\b")
    word = _ESCAPED.sub(lambda found: found[1] or "&", inner)
    return word if word and _pattern(word) == pattern else None


def _can_combine(parts: tuple[str, ...]) -> bool:
    return all(part.endswith(_END) for part in parts if _REGEX.fullmatch(part))


def _combined(parts: tuple[str, ...]) -> str:
    """
    Return the pattern that matches where all *parts* are found.
    """
    return _HEAD + "".join(f"{_AHEAD}{_source(part)})" for part in parts) + _END


def _source(part: str) -> str:
    found = _REGEX.fullmatch(part)
    return f"(?:{found['pattern']})" if found else _pattern(part)[1 : -len(_END)]


def _uncombined(key: str) -> tuple[str, ...]:
    """
    Return the parts of which *key* is the `_combined`; none where it is not.
    """
    start, end = _HEAD + _AHEAD, ")" + _END
    if not key.startswith(start) or not key.endswith(end):
        return ()
    parts = tuple(map(_sought, key[len(start) : -len(end)].split(")" + _AHEAD)))
    if not all(parts) or len(parts) == 1 or _combined(parts) != key:
        return ()
    return parts if _parts(_joined(parts)) == parts else ()


def _sought(source: str) -> str:
    if source.startswith("(?:") and source.endswith(")"):
        return f"/{source[3:-1]}{_END}"
    return _word(f"/{source}{_END}") or ""
