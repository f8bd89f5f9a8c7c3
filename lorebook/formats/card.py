"""
The card around a book: everything that a character card holds besides its lorebook.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from lorebook.book import ExportLanguage
from lorebook.formats.persona import PERSONAS, Persona
from lorebook.records import told
from lorebook.ruleset import Ruleset

_CREATOR = "lorebook"
_DIGITS = 8


@dataclass(frozen=True)
class Asset:
    """
    A picture, sound or other file that a card names.
    """

    kind: str
    """`icon`, `background`, `emotion`, …; the specification's `type`."""
    uri: str
    """Where it is: the web, in the file itself (`embeded://…`), in the URI (`data:`) or the file's own picture."""
    name: str
    ext: str


OWN_PICTURE = "ccdefault:"
"""The URI by which a card names the picture that the file itself is (specification V3)."""
MAIN_ICON = Asset("icon", OWN_PICTURE, "main", "png")
"""The one asset of a card that names none."""


@dataclass(frozen=True)
class Card:
    """
    A character, in the fields of the V2 and V3 specifications.
    """

    name: str
    description: str = ""
    personality: str = ""
    scenario: str = ""
    first_mes: str = ""
    mes_example: str = ""
    creator_notes: str = ""
    creator_notes_multilingual: Mapping[str, str] = field(default_factory=dict)
    system_prompt: str = ""
    post_history_instructions: str = ""
    alternate_greetings: tuple[str, ...] = ()
    group_only_greetings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    creator: str = ""
    character_version: str = ""
    nickname: str = ""
    source: tuple[str, ...] = ()
    creation_date: int | None = None
    """Unix time, seconds; None or 0 where it is not known."""
    modification_date: int | None = None
    assets: tuple[Asset, ...] = ()
    extensions: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What stood beside these fields and is not understood."""


def card_for(ruleset: Ruleset, language: ExportLanguage = ExportLanguage.BOTH) -> Card:
    """
    Return the card of a judge who rules by *ruleset*, speaking *language*; in both, the original stands first.

    The version is the state of the rules: the first digits of their digest.
    """
    codes = _languages(ruleset, language)
    spoken = {code: _fill(PERSONAS[code], ruleset, code) for code in codes}
    return Card(
        name=_joined(spoken, "name", " / "),
        description=_joined(spoken, "description", "\n\n"),
        personality=_joined(spoken, "personality", "\n"),
        scenario=_joined(spoken, "scenario", "\n"),
        first_mes=_joined(spoken, "first_mes", "\n\n"),
        mes_example=_joined(spoken, "mes_example", "\n"),
        creator_notes=_joined(spoken, "creator_notes", "\n\n"),
        creator_notes_multilingual={code: persona.creator_notes for code, persona in spoken.items()},
        tags=_tags(ruleset, spoken),
        character_version=ruleset.digest[:_DIGITS],
        nickname=_joined(spoken, "nickname", " / "),
        creator=_CREATOR,
    )


def _tags(ruleset: Ruleset, spoken: Mapping[str, Persona]) -> tuple[str, ...]:
    games = [told(ruleset.manifest.game, code) for code in spoken]
    return tuple(dict.fromkeys((*games, *(tag for persona in spoken.values() for tag in persona.tags))))


def _languages(ruleset: Ruleset, language: ExportLanguage) -> list[str]:
    if language is not ExportLanguage.BOTH:
        return [language.value]
    codes = [code for code in ruleset.manifest.languages if code in PERSONAS]
    return codes or [next(iter(PERSONAS))]


def _fill(persona: Persona, ruleset: Ruleset, code: str) -> Persona:
    manifest = ruleset.manifest
    known = {
        "title": manifest.title.get(code, manifest.title.get(manifest.languages[0], ruleset.name)),
        "game": told(manifest.game, code),
        "edition": told(manifest.edition, code),
        "authority": told(manifest.authority, code),
        "about": manifest.description.get(code, ""),
        "licence": told(manifest.licence, code),
        "count": len(ruleset.rules),
    }
    texts = {item.name: getattr(persona, item.name) for item in fields(persona) if item.name != "tags"}
    return replace(persona, **{name: text.format(**known).replace("  ", " ") for name, text in texts.items()})


def _joined(spoken: Mapping[str, Persona], name: str, by: str) -> str:
    return by.join(getattr(persona, name) for persona in spoken.values())
