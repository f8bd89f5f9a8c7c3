"""
What a document says of itself: its title, edition, licence, language; in front matter, or in a header.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lorebook import yamltext
from lorebook.errors import DataError
from lorebook.importers.draft import Action, Reading

_NAMES = {
    "title": "title", "标题": "title", "標題": "title", "name": "title",
    "edition": "edition", "version": "edition", "date": "edition", "版本": "edition",
    "licence": "licence", "license": "licence", "rights": "licence", "许可": "licence", "授权": "licence",
    "lang": "language", "language": "language", "语言": "language",
    "authority": "authority", "author": "authority", "authors": "authority", "publisher": "authority",
    "game": "game", "游戏": "game", "description": "description", "subtitle": "description", "简介": "description",
}  # fmt: skip
_FIRST = ("edition", "licence", "authority")
_LANGUAGE = re.compile(r"(?P<main>[A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})*")
_MOST = 500
MOST_FRONT_LINES = 200


def read_front(text: str, reading: Reading, *, where: str) -> bool:
    """
    Take the facts that the YAML *text* states into *reading*; return whether it was YAML that states any.
    """
    if re.search(r"[&*]\w", text) and len(text) > _MOST * 10:
        return False
    try:
        stated = yamltext.read(text, where=where)
    except DataError:
        return False
    return isinstance(stated, dict) and take_facts(stated, reading)


def take_facts(stated: Mapping[Any, object], reading: Reading) -> bool:
    """
    Take what *stated* says by the usual names into *reading*; return whether there was any.
    """
    found = False
    for key, value in stated.items():
        name = _NAMES.get(str(key).strip().lower())
        fact = plain_fact(value)
        if not name or not fact:
            continue
        found = True
        if name == "title":
            reading.title = reading.title or fact
        elif name == "language":
            if language := language_from(fact):
                reading.facts.setdefault("language", language)
        elif name not in reading.facts or str(key).lower() in _FIRST:
            reading.facts[name] = fact
    return found


def plain_fact(value: object) -> str:
    """
    Return *value* as one line: a text, a number, or a short list of them.
    """
    if isinstance(value, list):
        value = ", ".join(part for each in value[:10] if not isinstance(each, list) and (part := plain_fact(each)))
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return " ".join(str(value).split())[:_MOST].strip()
    return ""


def language_from(tag: str) -> str | None:
    """
    Return the language of a tag such as `en-GB`, without its country or script.
    """
    found = _LANGUAGE.fullmatch(tag.strip())
    return found["main"].lower() if found else None


def note_front(reading: Reading, numbers: list[int]) -> None:
    """
    Keep the lines *numbers* as what the document says of itself.
    """
    reading.put_aside(numbers, "what the document says of itself")
    reading.note(Action.KEPT, numbers, "what the document says of itself, in the ruleset's manifest")
