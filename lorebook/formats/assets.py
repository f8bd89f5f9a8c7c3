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
from lorebook.formats.containers.member_names import MemberNames
from lorebook.formats.containers.parts import Parts
from lorebook.formats.format import Content

_CHUNK = "chara-ext-asset_:"
_MEMBER = re.compile(r"embedd?ed://(.+)", re.DOTALL | re.IGNORECASE)
_IN_CHUNK = re.compile(r"__asset:(\d+)")
_MAIN = "main"
"""The name of the icon that stands for the card (specification V3)."""
_PNG = b"\x89PNG\r\n\x1a\n"
_PIXELS = b"IDAT"
"""The kind of a PNG's chunks without which nothing is shown."""
_FOLDERS = {
    "images": ("png", "jpg", "jpeg", "webp", "avif", "gif"),
    "audio": ("mp3", "wav", "ogg", "flac"),
    "video": ("mp4", "webm", "mov"),
    "fonts": ("ttf", "otf", "woff", "woff2"),
    "code": ("js", "lua"),
}
_PNG_MODES = ("1", "L", "LA", "P", "RGB", "RGBA", "I", "I;16")
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


def in_members(content: Content, parts: Mapping[str, bytes], card: str = "") -> Parts:
    """
    Return the files of *content*'s assets that are members of an archive; *card* may be in a folder with them.
    """
    found: dict[str, Callable[[], bytes]] = {}
    names = MemberNames(parts, card)
    for asset in content.card.assets if content.card else ():
        named = _MEMBER.fullmatch(asset.uri)
        if named and (member := names.find(named[1])) is not None:
            found[asset.uri] = partial(parts.__getitem__, member)
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
    Return *content* with its files named as chunks of a picture, and the chunks; its main icon is the picture itself.
    """
    parts: dict[str, bytes] = {}

    def put(asset: Asset, data: bytes) -> str:
        if _is_main(asset):
            return OWN_PICTURE
        number = len(parts)
        parts[f"{_CHUNK}{number}"] = base64.b64encode(data)
        return f"__asset:{number}"

    return _moved(content, put, own=False), parts


def main_picture(content: Content, *, whole: bool = False) -> bytes | None:
    """
    Return the picture of the character as PNG, where the card brings one along.

    Raises FormatError where it is no picture, or, with *whole*, where not all of its pixels can be read.
    """
    data = main_icon(content)
    if data is None or (data.startswith(_PNG) and not whole and _PIXELS in data):
        return data
    return _as_png(data)


def main_icon(content: Content) -> bytes | None:
    """
    Return the file that stands for the character, as it is.
    """
    icons = [asset for asset in content.card.assets if asset.kind == "icon"] if content.card else []
    there = [asset for asset in icons if asset.uri in content.files]
    main = next((asset.uri for asset in there if asset.name == _MAIN), OWN_PICTURE)
    return content.files.get(main) or next((content.files[asset.uri] for asset in there), None)


def missing(content: Content) -> list[str]:
    """
    Return the URIs of *content*'s assets that should be in its file and are not.
    """
    uris = [asset.uri for asset in content.card.assets] if content.card else []
    return [uri for uri in uris if uri not in content.files and (_MEMBER.fullmatch(uri) or _IN_CHUNK.fullmatch(uri))]


def _moved(content: Content, put: Callable[[Asset, bytes], str], *, own: bool) -> Content:
    """
    Return *content* with a new URI for every file that it has; *own* also moves the picture that the file itself was.
    """
    card = content.needed_card
    assets = card.assets
    if own and OWN_PICTURE in content.files:
        gone = missing(content)
        assets = tuple(
            replace(asset, uri=OWN_PICTURE) if _is_main(asset) and asset.uri in gone else asset for asset in assets
        )
        assets = _with_picture(assets, content.files[OWN_PICTURE])
    moving = {asset.uri for asset in assets} & set(content.files) - (set() if own else {OWN_PICTURE})
    moved = tuple(
        replace(asset, uri=put(asset, content.files[asset.uri])) if asset.uri in moving else asset for asset in assets
    )
    return replace(content, card=replace(card, assets=moved))


def _with_picture(assets: tuple[Asset, ...], picture: bytes) -> tuple[Asset, ...]:
    """
    Return *assets* with the *picture* that the file itself was among them; the card has one main icon.
    """
    ending = "png" if picture.startswith(_PNG) else "jpeg"
    if any(asset.uri == OWN_PICTURE for asset in assets):
        return tuple(replace(asset, ext=ending) if asset.uri == OWN_PICTURE else asset for asset in assets)
    name = "cover" if any(map(_is_main, assets)) else _MAIN
    return (Asset("icon", OWN_PICTURE, name, ending), *assets)


def _is_main(asset: Asset) -> bool:
    return (asset.kind, asset.name) == ("icon", _MAIN)


def _path(asset: Asset) -> str:
    folder = next((name for name, endings in _FOLDERS.items() if asset.ext.lower() in endings), "other")
    name = _UNFIT.sub("_", asset.name).strip("._") or "unnamed"
    kind = _UNFIT.sub("_", asset.kind).strip("._") or "other"
    ending = _UNFIT.sub("_", asset.ext).strip("._") or "bin"
    return f"assets/{kind}/{folder}/{name}.{ending}"


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
            shown = picture if picture.mode in _PNG_MODES else picture.convert("RGB")
            shown.save(target, "PNG")
    except UnidentifiedImageError as error:
        # Pillow says which Python object it is.
        raise FormatError("the main icon is no picture that can be shown: damaged, or of an unknown kind") from error
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise FormatError(f"the main icon is no picture that can be shown: {error}") from error
    return target.getvalue()
