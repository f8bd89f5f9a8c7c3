"""
CHARX: an archive with the card V3 in `card.json` and its files beside it; also behind a JPEG picture.

RisuAI puts the lorebook a second time into a member `module.risum` and takes it from there, so a change of the book is
made in both; a new archive has no such member. https://github.com/kwaroran/character-card-spec-v3
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from lorebook.formats import assets, card_v1, card_v2, card_v3, risu_module
from lorebook.formats.card import OWN_PICTURE
from lorebook.formats.containers.archive import JPEG_ZIP, ZIP
from lorebook.formats.containers.container import Container, Data
from lorebook.formats.containers.parts import Parts
from lorebook.formats.containers.risum import MODULE, RISUM
from lorebook.formats.containers.zip_directory import read_directory
from lorebook.formats.format import Content, Format, Slot
from lorebook.formats.notes import Notes

_CARD = "card.json"
_IN_ANY_CASE = "[Cc][Aa][Rr][Dd].[Jj][Ss][Oo][Nn]"
_MODULE = "module.risum"
_SCHEMAS = (card_v3.SCHEMA, card_v2.SCHEMA, card_v1.SCHEMA)
_COPY = (risu_module.FOLLOWED,)
# Astray are those of who packs the folder and not what is in it, or by hand. The card counts before the copy.
_SLOTS = (
    Slot(_CARD, _SCHEMAS),
    *(Slot(part, _SCHEMAS, astray=True) for part in (f"*/{_CARD}", f"*\\{_CARD}", _IN_ANY_CASE)),
    Slot(_MODULE, _COPY, inside=RISUM, inner=MODULE, follows=True),
    Slot(f"*/{_MODULE}", _COPY, inside=RISUM, inner=MODULE, follows=True, astray=True),
)


def _files(content: Content, parts: Mapping[str, bytes], data: Data) -> Mapping[str, bytes]:
    members = assets.in_members(content, parts, _CARD)
    readers = {uri: partial(members.__getitem__, uri) for uri in members}
    icons = [asset.uri for asset in content.card.assets if asset.kind == "icon"] if content.card else []
    # Where the archive has the icon itself, the JPEG in front is only a smaller copy of it.
    if JPEG_ZIP.claims(data) and not any(uri in members for uri in icons):
        readers[OWN_PICTURE] = partial(_picture, data)
    return Parts(readers)


def _picture(data: Data) -> bytes:
    """
    Return the picture in front of the archive *data*.
    """
    return data[: read_directory(data, Notes()).base]


def _format(name: str, title: str, suffix: str, container: Container) -> Format:
    return Format(
        name=name,
        title=title,
        suffix=suffix,
        container=container,
        slots=_SLOTS,
        written={_CARD: card_v3.SCHEMA},
        is_card=True,
        shows_picture=container is JPEG_ZIP,
        recodes_picture=container is JPEG_ZIP,
        pack=assets.into_members,
        assets=_files,
    )


FORMAT = replace(
    _format("charx", "Character card V3 in a CHARX archive", ".charx", ZIP),
    ready_made="RisuAI and other programs of V3, whose archive brings the picture along",
)
JPEG_FORMAT = _format("charx-jpeg", "CHARX archive behind a JPEG picture", ".jpg", JPEG_ZIP)
