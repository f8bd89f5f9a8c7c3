"""
Cards in the Exif comment of a WebP or JPEG picture, as TavernAI and its followers saved them.

The JSON stands in the comment as it is or in base64; old files list its bytes as decimals, which the container undoes.
SillyTavern gave such pictures up for PNG, so they are read and not written.
"""

from __future__ import annotations

from collections.abc import Mapping

from lorebook.formats import card_v1, card_v2, card_v3
from lorebook.formats.card import OWN_PICTURE
from lorebook.formats.containers.container import Container, Data
from lorebook.formats.containers.exif_pictures import COMMENT_PART, JPEG, WEBP
from lorebook.formats.containers.parts import Parts
from lorebook.formats.format import Content, Format, Slot

_SCHEMAS = (card_v3.SCHEMA, card_v2.SCHEMA, card_v1.SCHEMA)


def _files(_content: Content, _parts: Mapping[str, bytes], data: Data) -> Mapping[str, bytes]:
    return Parts({OWN_PICTURE: lambda: data[:]})


def _format(name: str, title: str, suffix: str, container: Container) -> Format:
    return Format(
        name=name,
        title=title,
        suffix=suffix,
        container=container,
        slots=tuple(Slot(part, _SCHEMAS, base64=True, plain_too=True) for part in (COMMENT_PART, f"{COMMENT_PART}#*")),
        read_only="chat programs look for cards in PNG pictures",
        is_card=True,
        shows_picture=True,
        assets=_files,
    )


WEBP_FORMAT = _format("webp", "Character card in a WebP picture", ".webp", WEBP)
JPEG_FORMAT = _format("jpeg", "Character card in a JPEG picture", ".jpg", JPEG)
