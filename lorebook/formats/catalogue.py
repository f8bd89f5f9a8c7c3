"""
The formats and the containers that there are.
"""

from __future__ import annotations

from lorebook.formats import (
    agnai,
    agnai_character,
    ai_dungeon,
    backyard_png,
    book_v2,
    byaf,
    card_png,
    card_v1,
    card_v2,
    card_v3,
    charx,
    chub,
    exif_card,
    koboldai,
    lorebook_v3,
    novelai,
    novelai_scenario,
    ooba,
    risu_lorebook,
    risu_module,
    voxta,
    world_info,
)
from lorebook.formats.containers.archive import JPEG_ZIP, ZIP
from lorebook.formats.containers.container import Container
from lorebook.formats.containers.exif_pictures import JPEG, WEBP
from lorebook.formats.containers.png import PNG
from lorebook.formats.containers.risum import RISUM
from lorebook.formats.containers.text import TEXT
from lorebook.formats.format import Format

FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        koboldai.FORMAT,
        ai_dungeon.FORMAT,
        novelai_scenario.FORMAT,
        novelai.FORMAT,
        agnai.FORMAT,
        agnai_character.FORMAT,
        world_info.FORMAT,
        lorebook_v3.FORMAT,
        risu_lorebook.FORMAT,
        risu_module.FORMAT,
        card_v3.FORMAT,
        card_v2.FORMAT,
        chub.FORMAT,
        book_v2.FORMAT,
        card_v1.FORMAT,
        ooba.GRADIO_FORMAT,
        ooba.FORMAT,
        card_png.FORMAT,
        novelai.PICTURE,
        exif_card.WEBP_FORMAT,
        exif_card.JPEG_FORMAT,
        charx.FORMAT,
        charx.JPEG_FORMAT,
        risu_module.RISUM_FORMAT,
        backyard_png.FORMAT,
        byaf.FORMAT,
        voxta.FORMAT,
    )
}
"""By name, in the order in which a file is tried: the more telling marks first."""

_LISTED = (
    *(world_info.FORMAT, card_png.FORMAT, card_v3.FORMAT, card_v2.FORMAT, charx.FORMAT, charx.JPEG_FORMAT),
    *(chub.FORMAT, lorebook_v3.FORMAT, book_v2.FORMAT, card_v1.FORMAT),
    *(risu_lorebook.FORMAT, risu_module.RISUM_FORMAT, risu_module.FORMAT),
    *(agnai.FORMAT, agnai_character.FORMAT),
    *(novelai.FORMAT, novelai.PICTURE, novelai_scenario.FORMAT),
    *(ai_dungeon.FORMAT, koboldai.FORMAT),
    *(byaf.FORMAT, backyard_png.FORMAT, voxta.FORMAT),
    *(ooba.FORMAT, ooba.GRADIO_FORMAT, exif_card.WEBP_FORMAT, exif_card.JPEG_FORMAT),
)
LISTED: dict[str, Format] = {form.name: form for form in _LISTED}
"""By name, in the order in which people look for one: what most programs read first, then program by program."""

CONTAINERS: tuple[Container, ...] = (PNG, JPEG_ZIP, ZIP, RISUM, WEBP, JPEG, TEXT)
"""In the order in which a file is tried."""
