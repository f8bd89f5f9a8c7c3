"""
The files that a card brings along: found in a picture's chunks or an archive's members, and put there.

A card names them by URI: `embeded://path` (the specification's spelling) or `embedded://path` in an archive,
`__asset:N` for RisuAI's chunk `chara-ext-asset_:N` in a picture, `data:` for those that the URI itself holds.
"""

from __future__ import annotations

import base64
import binascii
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from lorebook.errors import FormatError
from lorebook.formats.card import OWN_PICTURE, Asset
from lorebook.formats.containers.parts import Parts
from lorebook.formats.format import Content

_CHUNK = "chara-ext-asset_:"
_MEMBER = re.compile(r"embedd?ed://(.+)", re.DOTALL)
_IN_CHUNK = re.compile(r"__asset:(\d+)")
_PNG = b"\x89PNG\r\n\x1a\n"
_FOLDERS = {
    "images": ("png", "jpg", "jpeg", "webp", "avif", "gif"),
    "audio": ("mp3", "wav", "ogg", "flac"),
    "video": ("mp4", "webm", "mov"),
    "fonts": ("ttf", "otf", "woff", "woff2"),
    "code": ("js", "lua"),
}
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


def in_members(content: Content, parts: Mapping[str, bytes]) -> Parts:
    """
    Return the files of *content*'s assets that are members of an archive.
    """
    found: dict[str, Callable[[], bytes]] = {}
    for asset in content.card.assets if content.card else ():
        named = _MEMBER.fullmatch(asset.uri)
        if named and named[1] in parts:
            found[asset.uri] = partial(parts.__getitem__, named[1])
    return Parts(found)


def in_chunks(content: Content, parts: Mapping[str, bytes]) -> Parts:
    """
    Return the files of *content*'s assets that are chunks of a picture.
    """
    found: dict[str, Callable[[], bytes]] = {}
    for asset in content.card.assets if content.card else ():
        named = _IN_CHUNK.fullmatch(asset.uri)
        for part in (f"{_CHUNK}{named[1]}", f"{_CHUNK[:-1]}{named[1]}") if named else ():
            if part in parts:
                found[asset.uri] = partial(_unpacked, parts, part)
    return Parts(found)


def into_members(content: Content) -> tuple[Content, dict[str, bytes]]:
    """
    Return *content* with its files named as members of an archive, and the members.
    """
    parts: dict[str, bytes] = {}

    def put(asset: Asset, data: bytes) -> str:
        path = _free(_path(asset), parts)
        parts[path] = data
        return f"embeded://{path}"

    return _moved(content, put, own=True), parts


def into_chunks(content: Content) -> tuple[Content, dict[str, bytes]]:
    """
    Return *content* with its files named as chunks of a picture, and the chunks; its main icon is the picture.
    """
    parts: dict[str, bytes] = {}

    def put(asset: Asset, data: bytes) -> str:
        if (asset.kind, asset.name) == ("icon", "main"):
            return OWN_PICTURE
        number = len(parts)
        parts[f"{_CHUNK}{number}"] = base64.b64encode(data)
        return f"__asset:{number}"

    return _moved(content, put, own=False), parts


def main_picture(content: Content) -> bytes | None:
    """
    Return the picture of the character as PNG, where the card brings one along.

    Raises FormatError where it is no picture.
    """
    own = content.files.get(OWN_PICTURE)
    icons = [asset.uri for asset in content.card.assets if asset.kind == "icon"] if content.card else []
    data = own or next((content.files[uri] for uri in icons if uri in content.files), None)
    return data if data is None or data.startswith(_PNG) else _as_png(data)


def _moved(content: Content, put: Callable[[Asset, bytes], str], *, own: bool) -> Content:
    """
    Return *content* with a new URI for every file that it has; *own* also moves the picture that the file itself was.
    """
    card = content.needed_card
    assets = card.assets
    if own and OWN_PICTURE in content.files and all(asset.uri != OWN_PICTURE for asset in assets):
        assets = (Asset("icon", OWN_PICTURE, "main", "png"), *assets)
    moving = {asset.uri for asset in assets} & set(content.files) - (set() if own else {OWN_PICTURE})
    moved = tuple(
        replace(asset, uri=put(asset, content.files[asset.uri])) if asset.uri in moving else asset for asset in assets
    )
    return replace(content, card=replace(card, assets=moved))


def _path(asset: Asset) -> str:
    folder = next((name for name, endings in _FOLDERS.items() if asset.ext.lower() in endings), "other")
    name = _UNFIT.sub("_", asset.name).strip("._") or "unnamed"
    kind = _UNFIT.sub("_", asset.kind).strip("._") or "other"
    return f"assets/{kind}/{folder}/{name}.{_UNFIT.sub('_', asset.ext) or 'bin'}"


def _free(path: str, taken: Mapping[str, bytes]) -> str:
    stem, _, ending = path.rpartition(".")
    number = 1
    while path in taken:
        number += 1
        path = f"{stem}_{number}.{ending}"
    return path


def _unpacked(parts: Mapping[str, bytes], part: str) -> bytes:
    try:
        return base64.b64decode(parts[part], validate=True)
    except binascii.Error as error:
        raise FormatError(f"the asset is not base64: {error}", where=f"`{part}`") from error


def _as_png(data: bytes) -> bytes:
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 (Pillow is needed for foreign pictures only)

    target = io.BytesIO()
    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.save(target, "PNG")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        raise FormatError(f"the main icon is no picture that can be shown: {error}") from error
    return target.getvalue()
