"""
A story or a chat beside a lorebook or a character goes into no other file, and a conversion says so.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook.formats import FORMATS, Document, Loss, convert, open_document
from lorebook.formats.format import Json

_WHY = "it is no part of a lorebook or a character"
_SAVE: dict[str, Any] = {"gamestarted": True, "prompt": "", "memory": " ", "authorsnote": "", "actions": []}
_ENTRY = {"key": "gate", "content": "Opens."}
_UNITED = {
    "worldinfo_v2": {"entries": {"0": _ENTRY}},
    "prompt": "Dusk.",
    "actions": {"action_count": -1, "actions": {}},
}
_CARDS = [{"keys": "gate", "value": "Opens."}]
_STORY = {"storyContainerVersion": 1, "content": {"lorebook": {"entries": []}, "document": "AAAA"}}


def _text(value: Json) -> Document:
    return open_document(json.dumps(value).encode(), file_name="file")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({**_SAVE, "worldinfo": [_ENTRY]}, None),
        ({**_SAVE, "worldinfo": [_ENTRY], "prompt": "Dusk.", "actions": ["Dawn."]}, "prompt, actions"),
        (_UNITED, "prompt"),
        ({"storyCards": _CARDS, "title": "Tides", "prompt": "Dusk.", "memory": None}, "prompt"),
        (_CARDS, None),
        (_STORY, "document"),
    ],
    ids=["a new save", "a save", "a save of United", "a scenario of AI Dungeon", "cards alone", "a story of NovelAI"],
)
@pytest.mark.parametrize("name", ["world-info", "card-v3"])
def test_a_story_is_named_where_there_is_one(value: Json, told: str | None, name: str) -> None:
    if value is _STORY and name == "world-info":
        value = {**_STORY, "content": {**_STORY["content"], "lorebook": {"entries": [{"text": "Opens."}]}}}
    losses = [loss for loss in convert(_text(value), FORMATS[name]).losses if loss.field == "story"]
    assert losses == ([Loss(None, "story", f"{_WHY}: {told}")] if told else [])


def test_a_story_that_is_deep_is_looked_at_to_its_end() -> None:
    deep: Json = "Dusk."
    for _ in range(400):
        deep = [deep]
    losses = convert(_text({**_SAVE, "worldinfo": [_ENTRY], "actions": deep}), FORMATS["world-info"]).losses
    assert [loss.why for loss in losses if loss.field == "story"] == [f"{_WHY}: actions"]
