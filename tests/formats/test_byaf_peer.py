"""
A real SillyTavern makes of an archive of Backyard's what it was written from.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, export
from tests.formats.files import PICTURE
from tests.peers import sillytavern
from tests.peers.server import Server

pytestmark = pytest.mark.slow

CARD = Card(
    name="Mira Vell",
    description="{{char}} keeps the archive. 潮",
    scenario="A flooded library.",
    first_mes="Mind the step, {{user}}.",
    alternate_greetings=("Still here?", "Hush, {{user}}."),
    mes_example="<START>\n{{user}}: Deep?\n{{char}}: Enough.\n<START>\n{{user}}: Bye.",
    system_prompt="Stay {{char}}.",
)
ENTRIES = (
    Entry(uid=0, keys=("salt gate", "盐门"), content="{{user}} opens it.\n门开了。"),
    Entry(uid=1, keys=("tide",), content="Low."),
)


def test_sillytavern_reads_a_new_archive_as_it_is_meant(tmp_path: Path) -> None:
    if reason := sillytavern.missing():
        pytest.skip(reason)
    written = export(FORMATS["byaf"], Content(Book(name="", entries=ENTRIES), CARD, {OWN_PICTURE: PICTURE}))
    assert not written.losses
    with Server(tmp_path) as server:
        data = server.get_character(server.import_character("mira.byaf", written.data))["data"]
    for name in ("name", "description", "scenario", "first_mes", "mes_example", "system_prompt"):
        assert data[name] == getattr(CARD, name)
    assert data["alternate_greetings"] == list(CARD.alternate_greetings)
    found = [(tuple(entry["keys"]), entry["content"]) for entry in data["character_book"]["entries"]]
    assert found == [(entry.keys, entry.content) for entry in ENTRIES]
