"""
A card as a picture: the card V2 in a text `chara` and the card V3 in a text `ccv3`.

The texts are base64 of JSON. A reader that knows V3 takes `ccv3` first (specification V3), so reading does, too; of
two texts of one keyword the first counts, as for SillyTavern.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from lorebook.formats import assets, card_v1, card_v2, card_v3
from lorebook.formats.card import OWN_PICTURE
from lorebook.formats.containers.container import Data
from lorebook.formats.containers.parts import Parts
from lorebook.formats.containers.png import PNG
from lorebook.formats.format import Content, Format, Slot

_SCHEMAS = (card_v3.SCHEMA, card_v2.SCHEMA, card_v1.SCHEMA)
_KEYWORDS = ("ccv3", "chara", "ccv3#*", "chara#*", "chara_card_v3", "ccv2", "character", "charactercard", "card")


def _files(content: Content, parts: Mapping[str, bytes], data: Data) -> Mapping[str, bytes]:
    chunks = assets.in_chunks(content, parts)
    readers = {uri: partial(chunks.__getitem__, uri) for uri in chunks}
    return Parts({OWN_PICTURE: partial(_picture, data, tuple(parts))} | readers)


def _picture(data: Data, parts: tuple[str, ...]) -> bytes:
    """
    Return the picture *data* without its texts.
    """
    return b"".join(PNG.without(data[:], parts))


FORMAT = Format(
    name="png",
    title="Character card in a PNG picture",
    suffix=".png",
    container=PNG,
    slots=tuple(Slot(keyword, _SCHEMAS, base64=True) for keyword in _KEYWORDS),
    written={"chara": card_v2.SCHEMA, "ccv3": card_v3.SCHEMA},
    is_card=True,
    shows_picture=True,
    ready_made="everybody: most programs take a card with its lorebook from such a picture",
    pack=assets.into_chunks,
    assets=_files,
)
