"""
The text of a line of Markdown without its marks, and the names that its links point to.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lorebook.importers.elements import join_lines

if TYPE_CHECKING:
    from markdown_it.token import Token

_ID = re.compile(r"""<(?:a|span|div|h[1-6]|p)\s[^>]{0,200}?\b(?:id|name)\s*=\s*["']?([^"'\s>]{1,200})""", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_ATTRIBUTES = re.compile(r"\s*\{:?(?P<all>\s*[#.][^{}]{1,200})\}\s*$")
_OWN_ID = re.compile(r"(?<!\S)#(\S+)")


@dataclass
class Inline:
    """
    What one run of text says.
    """

    text: str = ""
    links: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    is_pictured: bool = False
    """Whether there is a picture in it, for which its words stand."""


def read_inline(tokens: Sequence[Token]) -> Inline:
    """
    Return what *tokens* say, wrapped lines joined.
    """
    found = Inline()
    lines: list[list[str]] = [[]]
    hard: list[str] = []
    for token in tokens:
        if token.type in ("text", "code_inline", "text_special"):
            lines[-1].append(token.content)
        elif token.type == "softbreak":
            lines.append([])
        elif token.type == "hardbreak" or (token.type == "html_inline" and _BREAK.fullmatch(token.content)):
            hard.append(_joined(lines))
            lines = [[]]
        elif token.type == "html_inline":
            found.anchors += ids_in(token.content)
        elif token.type == "image":
            found.is_pictured = True
            lines[-1].append(read_inline(token.children or ()).text)
        elif token.type == "link_open" and (name := target_of(str(token.attrGet("href") or ""))):
            found.links.append(name)
    found.text = "\n".join(line for line in [*hard, _joined(lines)] if line)
    return found


def _joined(lines: list[list[str]]) -> str:
    return join_lines([text for line in lines if (text := "".join(line).strip())])


def ids_in(html: str) -> list[str]:
    """
    Return the names that tags in *html* give to their place.
    """
    return _ID.findall(html)


def target_of(href: str) -> str | None:
    """
    Return the name in this document that *href* points to, or None.
    """
    return unquote(href[1:]) if href.startswith("#") and len(href) > 1 else None


def split_id(title: str) -> tuple[str, list[str]]:
    """
    Return a heading without the `{#name .style}` behind it, and the names by which links may call it.
    """
    given = _ATTRIBUTES.search(title)
    own = _OWN_ID.search(given["all"]) if given else None
    plain = title[: given.start()] if given else title
    words = re.sub(r"[^\w\- ]", "", unicodedata.normalize("NFC", plain).strip().lower())
    return plain, [*([own[1]] if own else []), words.replace(" ", "-")]
