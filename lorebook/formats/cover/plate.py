"""
What every cover has besides its picture: the frame, the words and the mark of lorebook.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lorebook.formats.cover import fitting, lettering
from lorebook.formats.cover.canvas import HEIGHT, MIDDLE, WIDTH, Layer, Point, arc, curve
from lorebook.formats.cover.fitting import Block
from lorebook.formats.cover.palette import Colour, Palette
from lorebook.formats.cover.picture import Picture
from lorebook.records import told
from lorebook.ruleset import Ruleset

_LANGUAGES = {"en": "English", "zh": "中文", "ja": "日本語", "de": "Deutsch", "fr": "Français", "es": "Español"}
_MARGIN = 13.0
_NOTCH = 22.0
_ROOM = 324.0
_MARK_ROOM = 62.0


@dataclass(frozen=True)
class Words:
    """
    The words of a cover; any may be empty.
    """

    title: str
    second: str = ""
    game: str = ""
    languages: str = ""


def words_of(ruleset: Ruleset) -> Words:
    """
    Return the words for *ruleset*: its title, in its original language first, as far as our fonts can write it.
    """
    manifest = ruleset.manifest
    order = dict.fromkeys((*manifest.languages, "en", "zh", *manifest.title))
    titles = [title for code in order if (title := lettering.legible(manifest.title.get(code, "")))]
    title = next(iter(titles), "") or lettering.legible(ruleset.name.replace("-", " ").replace("_", " "))
    second = next((other for other in titles[1:] if other != title), "")
    if second.startswith(title):
        # It only adds to the title: the addition is enough.
        second = second.removeprefix(title).strip(" （）()")
    # The small words are English.
    game, edition = (lettering.legible(told(text, "en")) for text in (manifest.game, manifest.edition))
    languages = " / ".join(_LANGUAGES.get(code, code) for code in manifest.languages)
    return Words(title, second, _joined(" ".join(titles), game, edition), lettering.legible(f"Rulings · {languages}"))


def _joined(titles: str, game: str, edition: str) -> str:
    """
    Return the game and its edition, without what the titles say already and without a long edition.
    """
    game, edition = ("" if part.casefold() in titles.casefold() else part for part in (game, edition))
    whole = " · ".join(filter(None, (game, edition)))
    return whole if lettering.width(whole, 11, 0.6) <= _ROOM else game


def title_blocks(words: Words, *, largest: float = 40, second: float = 20, room: float = _ROOM) -> list[Block]:
    """
    Return the title, in its second language too, in the sizes that fit.
    """
    blocks = []
    if words.title:
        most, tall = (2, 80.0) if words.second else (4, 104.0)
        smallest = min(18, largest * 0.7)
        blocks.append(fitting.fit(words.title, room, largest, smallest=smallest, most=most, tall=tall))
    if words.second:
        blocks.append(fitting.fit(words.second, room - 24, second, smallest=12.5, most=2, spread=1.6))
    return blocks


def height_of(blocks: Sequence[Block], gap: float = 7) -> float:
    """
    Return how high *blocks* stand under one another.
    """
    return sum(block.height for block in blocks) + gap * max(0, len(blocks) - 1)


def write_blocks(layer: Layer, blocks: Sequence[Block], middle: float, *, gap: float = 7) -> None:
    """
    Write *blocks* under one another, the whole centred on the height *middle*.
    """
    y = middle - height_of(blocks, gap) / 2
    for block in blocks:
        for line in block.lines:
            y += block.leading
            foot = y - block.leading / 2 + block.size * 0.35
            lettering.write(layer, line, (MIDDLE, foot), block.size, spread=block.spread, face=block.face)
        y += gap


def lay_plate(picture: Picture, words: Words, palette: Palette) -> None:
    """
    Let the foot of a scene sink into the dark, and lay on the frame and *words*.
    """
    sink(picture, palette.edge, 384, 470, 0.92)
    lay_frame(picture, palette)
    lay_words(picture, words, palette)


def lay_words(picture: Picture, words: Words, palette: Palette, *, middle: float = 464, **sizes: float) -> None:
    """
    Lay on the title in bright metal, and below it the game and the languages.
    """
    letters, small = picture.layer(), picture.layer()
    write_blocks(letters, title_blocks(words, **sizes), middle)
    if words.game:
        block = fitting.fit(words.game, _ROOM - 10, 11.5, smallest=10, most=1, spread=0.6)
        lettering.write(small, block.lines[0], (MIDDLE, 533), block.size, spread=block.spread, face=block.face)
    if words.languages:
        lettering.write(small, words.languages, (MIDDLE, 552), 10.5, spread=1.2)
    picture.darken(picture.blur(letters.ink(), 7), 0.55)
    picture.lay_metal(letters.ink(), (palette.metal, palette.bright, palette.bright, (255, 255, 255)), round_by=0.9)
    picture.cast(small.ink(), 0.8, 1)
    picture.lay(small.ink(), palette.bright, 0.95)


def lay_frame(picture: Picture, palette: Palette, *, darkened: float = 0.45) -> None:
    """
    Lay on the frame with cut corners, the margin outside darkened, and the mark in the middle of its foot.
    """
    inside = picture.layer()
    inside.area(outline(0))
    picture.darken(1 - inside.ink(), darkened)
    metal = picture.layer()
    metal.line(outline(0), 2.4, closed=True)
    metal.line(outline(5.5), 0.8, closed=True)
    for x in (_MARGIN + 1, WIDTH - _MARGIN - 1):
        for y in (_MARGIN + 1, HEIGHT - _MARGIN - 1):
            metal.ring((x, y), 8, 1.1)
            metal.area(lozenge((x, y), 4.2))
    _clear_for_mark(metal)
    picture.lay_metal(metal.ink(), (palette.shade, palette.metal, palette.bright), round_by=0.8, shadow=0.7)
    lay_mark(picture, palette.bright)


def _clear_for_mark(metal: Layer) -> None:
    foot = HEIGHT - _MARGIN
    left, right = MIDDLE - _MARK_ROOM, MIDDLE + _MARK_ROOM
    metal.area([(left, foot - 8), (right, foot - 8), (right, foot + 4), (left, foot + 4)], 0)
    for x in (left, right):
        metal.area(lozenge((x, foot - 2.6), 4.6))


def lay_mark(picture: Picture, colour: Colour, foot: float = HEIGHT - _MARGIN) -> None:
    """
    Lay on the mark of lorebook: an open book and the word.
    """
    ink = picture.layer()
    x, y = MIDDLE - 40, foot - 4.4
    for side in (-1, 1):
        top = curve([(x, y - 3.4), (x + side * 4, y - 5.2), (x + side * 8.5, y - 4)], 6)
        foot_line = [(px, py + 8.2) for px, py in top]
        ink.area([*top, *reversed(foot_line)])
        for rise in (2.4, 4.6):
            inner = curve(
                [
                    (x + side * 2, y - 4.1 + rise),
                    (x + side * 4.4, y - 4.9 + rise),
                    (x + side * 7, y - 4.3 + rise),
                ],
                4,
            )
            ink.line(inner, 0.7, 0)
    ink.line([(x, y - 3.4), (x, y + 5)], 0.9, 0)
    lettering.write(ink, "lorebook", (MIDDLE + 13, foot + 0.6), 12.5, spread=1.1)
    picture.cast(ink.ink(), 0.8, 1)
    picture.lay(ink.ink(), colour, 0.95)


def lay_rule(picture: Picture, palette: Palette, y: float, *, reach: float = 128) -> None:
    """
    Lay on a line across, broken by lozenges in its middle.
    """
    metal = picture.layer()
    for side in (-1, 1):
        metal.line([(MIDDLE + side * 17, y), (MIDDLE + side * reach, y)], 1)
        metal.disc((MIDDLE + side * (reach + 4), y), 1.6)
        metal.area(lozenge((MIDDLE + side * 12, y), 3))
    metal.area(lozenge((MIDDLE, y), 6))
    picture.lay_metal(metal.ink(), (palette.shade, palette.metal, palette.bright), round_by=0.8)


def sink(picture: Picture, colour: Colour, top: float, bottom: float, strength: float = 0.9) -> None:
    """
    Let the picture sink into *colour* from the height *top*, fully from *bottom* on: the ground of the words.
    """
    depth = np.clip((picture.y - top) / (bottom - top), 0, 1)
    picture.lay(depth * depth * (3 - 2 * depth), colour, strength)


def lozenge(centre: Point, reach: float) -> list[Point]:
    """
    Return a small square standing on its corner.
    """
    x, y = centre
    return [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]


def outline(inset: float) -> list[Point]:
    """
    Return the frame, *inset* from its outer line, with its corners cut out by quarter circles.
    """
    left, top, right, bottom = _MARGIN, _MARGIN, WIDTH - _MARGIN, HEIGHT - _MARGIN
    radius = _NOTCH + inset
    swing = math.asin(inset / radius) / (2 * math.pi)
    return [
        *arc((left, top), radius, 0.5 - swing, 0.25 + swing),
        *arc((right, top), radius, 0.75 - swing, 0.5 + swing),
        *arc((right, bottom), radius, 1 - swing, 0.75 + swing),
        *arc((left, bottom), radius, 0.25 - swing, swing),
    ]
