"""
The picture of a card, drawn from a ruleset's name and titles alone.

Everything is drawn here, in code and with fonts that lie beside it: no picture of a game or its publisher is in it.
The rulesets that we ship have scenes of their own, made by `python -m lorebook.formats.cover`.
"""

from __future__ import annotations

from lorebook.ruleset import COVER, Ruleset

SIZE = (400, 600)
"""Pixels of a cover, across and down."""

# What is written where there is no title, and the name that the kind of such covers goes with.
_UNTITLED, _ANY = "Lorebook", "book"


def cover_for(ruleset: Ruleset) -> bytes:
    """
    Return the cover of *ruleset* as PNG: the one in its folder, or else a drawn one.
    """
    path = ruleset.folder / COVER if ruleset.folder else None
    return path.read_bytes() if path and path.is_file() else draw_cover(ruleset)


def draw_cover(ruleset: Ruleset) -> bytes:
    """
    Draw the cover of *ruleset*; the same ruleset gives the same bytes with the same Pillow and numpy.
    """
    # Pillow and numpy are needed for drawing only.
    from lorebook.formats.cover import drawing, plate, press  # noqa: PLC0415

    return press.press(drawing.kind_of(ruleset.name)).printed(plate.words_of(ruleset))


def draw_title(title: str) -> bytes:
    """
    Draw the cover of a book or character of which no more than its *title* is known; all of them are of one kind.
    """
    from lorebook.formats.cover import drawing, lettering, plate, press  # noqa: PLC0415 (as above)

    words = plate.Words(lettering.legible(title) or _UNTITLED)
    return press.press(drawing.kind_of(_ANY)).printed(words)
