"""
The pictures in Backyard's archive: members beside the character, each with a label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lorebook.formats.card import MAIN_ICON, OWN_PICTURE, Asset, Card
from lorebook.formats.format import Content
from lorebook.formats.notes import step
from lorebook.formats.taker import Taker

_ENDINGS = ("png", "jpg", "jpeg", "webp", "gif")
_PATH = re.compile(rf"images/[^/]+\.({'|'.join(_ENDINGS)})")
_UNFIT = re.compile(r"[^A-Za-z0-9_-]+")
_MAIN = "main"


def read_images(take: Taker, character: str) -> tuple[tuple[Asset, ...], dict[str, str]]:
    """
    Take the pictures of the character in the member *character*; also return their labels, as far as no name says them.
    """
    held = take.raw("images")
    found: list[Asset] = []
    labels: dict[str, str] = {}
    for number, item in enumerate(held if isinstance(held, list) else ()):
        if isinstance(item, dict):
            image = Taker(item, step(take.at("images"), number), take.notes)
            path, label = image.text("path"), image.text("label")
            stem, _, ending = path.rpartition("/")[2].rpartition(".")
            name = label or stem if found else _MAIN
            found.append(Asset("icon", _uri(character, path), name, ending))
            labels |= {path: label} if label != name else {}
    return tuple(found), labels


def write_images(card: Card, character: str, labels: Mapping[str, Any]) -> list[dict[str, str]]:
    """
    Return the assets of *card* that are pictures beside the member *character*.
    """
    folder = _uri(character, "")
    paths = [(asset.uri.removeprefix(folder), asset.name) for asset in card.assets if asset.uri.startswith(folder)]
    return [{"path": path, "label": str(labels.get(path, name))} for path, name in paths if _PATH.fullmatch(path)]


def into_members(content: Content, character: str) -> tuple[Content, Mapping[str, bytes]]:
    """
    Return *content* with its icons named as members beside the member *character*, the main one first, and the members.
    """
    card = content.needed_card
    assets = card.assets
    if OWN_PICTURE in content.files and all(asset.uri != OWN_PICTURE for asset in assets):
        assets = (MAIN_ICON, *assets)
    parts: dict[str, bytes] = {}
    moved = []
    for asset in sorted(assets, key=lambda item: (item.kind, item.name) != ("icon", _MAIN)):
        if asset.kind == "icon" and asset.uri in content.files and asset.ext.lower() in _ENDINGS:
            path = _free(character, asset, parts)
            parts[_beside(character, path)] = content.files[asset.uri]
            moved.append(replace(asset, uri=_uri(character, path)))
        else:
            moved.append(asset)
    return replace(content, card=replace(card, assets=tuple(moved))), parts


def _free(character: str, asset: Asset, taken: Mapping[str, bytes]) -> str:
    name = _UNFIT.sub("_", asset.name).strip("_") or "picture"
    tries = (f"images/{name}{number or ''}.{asset.ext.lower()}" for number in range(len(taken) + 1))
    return next(path for path in tries if _beside(character, path) not in taken)


def _beside(character: str, path: str) -> str:
    return f"{character.rpartition('/')[0]}/{path}"


def _uri(character: str, path: str) -> str:
    return f"embeded://{_beside(character, path)}"
