"""
Cards for the bulk benchmark: any number of them with different contents, and single ones of any size.
"""

from __future__ import annotations

import io
import random
from dataclasses import replace
from math import isqrt
from pathlib import Path

import numpy as np
from PIL import Image

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, export
from lorebook.formats.card import Asset
from lorebook.formats.cover import draw_title
from lorebook.records import EntrySettings, Position

KINDS = ("card-v3", "png", "charx")
"""The formats of the files, in turn."""

_ENTRIES = (4, 24)
_PICTURES = 8
_ASSET = 8 * 2**20
_SYLLABLES = "ar bel cim dor fen gul hast ir jun kel lom mir nev or pran quet ris sul tam ur vel wex yl zan".split()
_SIGNS = "晨雾潭岭鸦烛帆盐铃桥霜穗砂塔井犬炉舟莲矛"


def write_cards(folder: Path, count: int) -> int:
    """
    Write so many cards into *folder* and return their bytes.
    """
    pictures = [draw_title(f"Picture {number}") for number in range(_PICTURES)]
    size = 0
    for number in range(count):
        form = FORMATS[KINDS[number % len(KINDS)]]
        files = {OWN_PICTURE: pictures[number % _PICTURES]} if form.shows_picture else {}
        data = export(form, Content(book(number), card(number), files)).data
        (folder / f"card {number:05}{form.suffix}").write_bytes(data)
        size += len(data)
    return size


def book(number: int, entries: int | None = None) -> Book:
    """
    Return a book that no other *number* gives.
    """
    draw = random.Random(number)  # noqa: S311 (no secrets)
    many = entries or draw.randint(*_ENTRIES)
    return Book(name=_word(draw), entries=tuple(_entry(uid, draw) for uid in range(many)))


def card(number: int) -> Card:
    """
    Return a character that no other *number* gives, every other one Chinese.
    """
    draw = random.Random(-number - 1)  # noqa: S311 (no secrets)
    name = _signs(draw, 3) if number % 2 else f"{_word(draw).title()} {_word(draw).title()}"
    return Card(
        name=name,
        description=_text(draw, 40),
        personality=_text(draw, 12),
        first_mes=_text(draw, 25),
        creator=_word(draw),
        tags=(_word(draw), _signs(draw, 2)),
    )


def large_card(kind: str, size: int) -> Content:
    """
    Return a card that is about *size* bytes large as *kind*, in which pictures do not pack.
    """
    plain = Content(book(0, 200), card(0))
    if kind == "png":
        return replace(plain, files={OWN_PICTURE: noise_picture(size)})
    uris = [f"embeded://assets/other/images/{number}.png" for number in range(max(1, size // _ASSET))]
    files = {uri: noise_picture(size // len(uris)) for uri in uris}
    assets = tuple(Asset("x-scene", uri, f"scene {number}", "png") for number, uri in enumerate(uris))
    return replace(plain, card=replace(card(0), assets=assets), files=files)


def noise_picture(size: int) -> bytes:
    """
    Return a square PNG of about *size* bytes.
    """
    pixels = isqrt(size // 3)
    file = io.BytesIO()
    noise = np.random.default_rng(pixels).bytes(3 * pixels * pixels)
    Image.frombytes("RGB", (pixels, pixels), noise).save(file, "PNG", compress_level=0)
    return file.getvalue()


def _entry(uid: int, draw: random.Random) -> Entry:
    settings = EntrySettings(
        position=draw.choice((Position.BEFORE_CHAR, Position.AFTER_CHAR)),
        insertion_order=draw.randint(1, 200),
        constant=draw.random() < 0.1,
    )
    keys = (_word(draw), _signs(draw, draw.randint(2, 4)), f"{_word(draw)} {_word(draw)}")
    return Entry(uid=uid, name=_word(draw), keys=keys, content=_text(draw, draw.randint(15, 90)), settings=settings)


def _text(draw: random.Random, words: int) -> str:
    parts = [_word(draw) if draw.random() < 0.7 else _signs(draw, draw.randint(2, 8)) for _ in range(words)]
    return f"{' '.join(parts).capitalize()}."


def _word(draw: random.Random) -> str:
    return "".join(draw.choices(_SYLLABLES, k=draw.randint(1, 4)))


def _signs(draw: random.Random, count: int) -> str:
    return "".join(draw.choices(_SIGNS, k=count))
