"""
A book and a card that use all there is: what any other format or program does to a field shows in them.
"""

from __future__ import annotations

import io
from dataclasses import fields
from typing import Any

from PIL import Image

from lorebook.book import Book, Entry
from lorebook.formats import OWN_PICTURE, Card, Content
from lorebook.formats.card import MAIN_ICON
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic

_RICH = {
    "exclude_recursion": True,
    "prevent_recursion": True,
    "delay_until_recursion": 2,
    "display_index": 5,
    "outlet_name": "harbour",
    "group": "tides,moons",
    "group_override": True,
    "group_weight": 30,
    "use_group_scoring": True,
    "scan_depth": 9,
    "automation_id": "bell",
    "vectorized": True,
    "sticky": 1,
    "cooldown": 2,
    "delay": 3,
    "match_persona_description": True,
    "match_character_description": True,
    "match_character_personality": True,
    "match_character_depth_prompt": True,
    "match_scenario": True,
    "match_creator_notes": True,
    "triggers": ["continue", "quiet"],
    "ignore_budget": True,
}
"""Settings that lorebook keeps in `extensions`, none as it is by default."""


def book() -> Book:
    """
    Return a book in which every setting has every value that it can have, or one that is not the default.
    """
    plain = EntrySettings()
    settings = [
        *(plain.model_copy(update={"position": position, "depth": 7}) for position in Position),
        *(
            plain.model_copy(update={"secondary_logic": logic, "secondary_keys": ("a", "b")})
            for logic in SecondaryLogic
        ),
        *(plain.model_copy(update={"role": role, "position": Position.AT_DEPTH}) for role in Role),
        *(plain.model_copy(update={"case_sensitive": flag, "match_whole_words": flag}) for flag in (True, False)),
        EntrySettings(enabled=False, constant=True, probability=12.5, insertion_order=-3),
    ]
    entries = [
        Entry(uid=uid, name=f"Gate {uid}", keys=(f"gate {uid}",), content="@@depth 4\nIt opens.", settings=setting)
        for uid, setting in enumerate(settings)
    ]
    spelt = Entry(uid=40, name="名 \N{DRAGON}", keys=("/ga(te|p)s?/i", "one, two", "门"), content=" 开\r\n\t了。\n")
    more = Entry(uid=41, name="More", keys=("more",), extensions={**_RICH, "novelty": {"deep": [1, None]}})
    return Book(
        name="Archive 档案",
        description="What the tide left.",
        entries=(*entries, spelt, more),
        scan_depth=3,
        token_budget=500,
        recursive_scanning=True,
        extensions={"novelty": {"deep": [1, None]}},
    )


def content() -> Content:
    """
    Return the book in a card of which no field is empty, with a picture.
    """
    picture = io.BytesIO()
    Image.radial_gradient("L").resize((60, 90)).save(picture, "PNG")
    said: dict[str, Any] = {
        **{each.name: f"{each.name} of 潮, {{{{user}}}}" for each in fields(Card) if each.type == "str"},
        **{each.name: ("one", "two, 三") for each in fields(Card) if each.type == "tuple[str, ...]"},
        "name": 'Mira: "Vell"',
        "creator_notes_multilingual": {"en": "Notes.", "zh": "注。"},
        "creation_date": 1_700_000_000,
        "modification_date": 1_800_000_000,
        "assets": (MAIN_ICON,),
        "extensions": {"novelty": {"deep": [1, None]}},
        "fields": {"novelty": {"deep": [1, None]}},
    }
    return Content(book(), Card(**said), {OWN_PICTURE: picture.getvalue()})
