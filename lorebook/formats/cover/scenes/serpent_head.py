"""
A serpent's head, seen from the side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from lorebook.formats.cover.canvas import Point, Shape, curve, points
from lorebook.formats.cover.picture import Picture
from lorebook.formats.cover.scenes.serpent import Serpent

# The neck ends at 0,0 and the snout at 1,0; y grows downward.
_HORNS = (
    (points(".29,-.3 -.09,-.62 -.62,-.66 -.245,-.555 .03,-.24"), points(".24,-.3 -.13,-.62 -.62,-.66")),
    (points(".45,-.34 .125,-.78 -.4,-1 -.055,-.705 .15,-.28"), points(".39,-.34 .08,-.78 -.4,-1")),
)
_SPIKES = (
    points("-.16,-.23 -.62,-.3 -.08,-.06"),
    points("-.18,-.05 -.62,.06 -.1,.12"),
    points("-.1,.11 -.5,.42 -.02,.28"),
    points(".08,.21 -.2,.68 .16,.38"),
)
_MOUTH = points(".3,.1 .98,.06 .88,.27 .5,.32")
_JAW = points("0,.3 .3,.2 .52,.27 .78,.33 .9,.25 .93,.33 .82,.42 .56,.46 .28,.42 0,.36")
_SKULL = points(
    "-.3,.1 -.24,-.16 -.08,-.33 .1,-.38 .3,-.36 .44,-.37 .58,-.25 .8,-.2 .93,-.19 1.04,-.06 1.02,.07 .9,.06 .7,.1 "
    ".5,.1 .3,.16 .14,.3 -.04,.34 -.2,.28 -.3,.1"
)
_FOREHEAD = points("-.12,-.28 .12,-.35 .42,-.34 .58,-.22 .9,-.16 .99,-.05 .7,-.08 .4,-.14 .1,-.12")
_BROW = points(".16,-.2 .4,-.3 .62,-.14 .44,-.2")
_NOSTRIL = points(".86,-.11 .92,-.15 .96,-.09 .9,-.08")
_EYE = points(".36,-.1 .46,-.19 .6,-.13 .48,-.08")
_UPPER_TEETH = (0.5, 0.63, 0.76, 0.88, 0.97)
_LOWER_TEETH = (0.56, 0.68, 0.8)

_PLACE: Point = (262, 87)
_SIZE, _TILT = 47.0, 0.16


def draw_head(picture: Picture, serpent: Serpent) -> None:
    """
    Draw the head of *serpent*, its snout towards the middle of the card.
    """
    head = picture.shape()
    for horn, ridge in _HORNS:
        head.area(_placed(serpent, curve(horn)), 0.55)
        head.line(_placed(serpent, curve(ridge)), 1.2, 0.98)
    for spike in _SPIKES:
        head.area(_placed(serpent, spike), 0.62)
    _jaws(head, serpent)
    for outline, tone in ((curve(_FOREHEAD), 0.78), (_BROW, 0.96), (curve(_NOSTRIL), 0.1)):
        head.area(_placed(serpent, outline), tone)
    for column in range(5):
        for row in range(3):
            x, y = -0.1 + 0.11 * column + 0.05 * (row % 2), -0.04 + 0.09 * row
            scale = [(x - 0.05, y), (x, y - 0.04), (x + 0.05, y), (x, y + 0.045)]
            head.area(_placed(serpent, scale), 0.64 - 0.07 * row)
    picture.cast(head.cover.ink(), 0.8, 4)
    picture.lay_shape(head, serpent.scales)
    _eye(picture, serpent)


def _jaws(head: Shape, serpent: Serpent) -> None:
    head.area(_placed(serpent, _MOUTH), 0.02)
    head.area(_placed(serpent, curve(_JAW)), 0.42)
    for x in _LOWER_TEETH:
        head.area(_placed(serpent, [(x - 0.04, 0.31), (x + 0.02, 0.17), (x + 0.05, 0.32)]), 1)
    head.area(_placed(serpent, curve(_SKULL)), 0.5)
    for x in _UPPER_TEETH:
        head.area(_placed(serpent, [(x - 0.045, 0.07), (x, 0.2), (x + 0.045, 0.06)]), 1)


def _eye(picture: Picture, serpent: Serpent) -> None:
    eye = picture.layer()
    eye.area(_placed(serpent, _EYE))
    picture.darken(picture.blur(eye.ink(), 1.2), 0.9)
    picture.glow(picture.blur(eye.ink(), 3), serpent.eye, 0.8)
    picture.lay(eye.ink(), serpent.eye)


def _placed(serpent: Serpent, outline: Sequence[Point]) -> list[Point]:
    cos, sin = _SIZE * math.cos(_TILT), _SIZE * math.sin(_TILT)
    return serpent.sided([(_PLACE[0] - x * cos - y * sin, _PLACE[1] + y * cos + x * sin) for x, y in outline])
