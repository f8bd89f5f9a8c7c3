"""
The persona of Agnai's characters: what they are like, as a text or by attributes, told in one of four ways.

A reader is given what Agnai tells the model. https://github.com/agnaistic/agnai
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TEXT = "text"


def told(persona: object, name: str) -> str:
    """
    Return *persona*, an object of Agnai's, as the description of the character *name*.
    """
    if isinstance(persona, str):
        return persona
    held = persona if isinstance(persona, dict) else {}
    attributes = _attributes(held.get("attributes"))
    kind = held.get("kind")
    if kind == "wpp":
        lines = [f"{trait}({' + '.join(map(_quoted, values))})" for trait, values in attributes.items()]
        return "\n".join((f"[character({_quoted(name)}) {{", *lines, "}]"))
    if kind == "sbf":
        traits = [f"{trait}: {', '.join(map(_quoted, values))}" for trait, values in attributes.items()]
        return f"[ character: {'; '.join((_quoted(name), *traits))} ]"
    if kind == "boostyle":
        return " + ".join((name, *(value for values in attributes.values() for value in values)))
    if kind == "attributes":
        return "\n".join((f"Name: {name}", *(f"{trait}: {', '.join(values)}" for trait, values in attributes.items())))
    return (attributes.get(_TEXT) or [""])[0]


def as_text(description: str) -> dict[str, Any]:
    """
    Return *description* as a persona.
    """
    return {"kind": _TEXT, "attributes": {_TEXT: [description]}}


def _attributes(held: object) -> Mapping[str, list[str]]:
    """
    Return what the attributes *held* have in texts, each a list.
    """
    listed = {trait: values if isinstance(values, list) else [values] for trait, values in _items(held)}
    return {trait: [value for value in values if isinstance(value, str)] for trait, values in listed.items()}


def _items(held: object) -> list[tuple[str, Any]]:
    return list(held.items()) if isinstance(held, dict) else []


def _quoted(text: str) -> str:
    return f'"{text}"'
