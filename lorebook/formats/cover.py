"""
The picture of a card.
"""

from __future__ import annotations

import io

from lorebook.ruleset import COVER, Ruleset

SIZE = (400, 600)


def cover_for(ruleset: Ruleset) -> bytes:
    """
    Return the cover of *ruleset* as PNG: the one in its folder, or else a drawn one.
    """
    path = ruleset.folder / COVER if ruleset.folder else None
    return path.read_bytes() if path and path.is_file() else draw_cover(ruleset)


def draw_cover(ruleset: Ruleset) -> bytes:
    """
    Draw the cover of *ruleset*; the same ruleset gives the same bytes on the same machine.
    """
    from PIL import Image

    picture = Image.new("RGB", SIZE, "navy")
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()
