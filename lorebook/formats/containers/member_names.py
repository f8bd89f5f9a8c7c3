"""
Names of an archive's members as cards spell them: not always as the archive does.

Packers for Windows write backslashes and names in the system's encoding, which zip takes for CP437; who packs the
folder and not what is in it has the folder before every name; cards have URIs with `%20` or `./` in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from urllib.parse import unquote

_ENCODINGS = ("utf-8", "gb18030", "cp949", "cp932", "big5")


class MemberNames:
    """
    The names of an archive's members, among them the card's, from which others count.
    """

    def __init__(self, names: Iterable[str], card: str) -> None:
        self._names = frozenset(names)
        self._card = _plain(card)

    def find(self, path: str) -> str | None:
        """
        Return the member that *path* means: of this name, or the only one that is near enough; None where none is.
        """
        if path in self._names:
            return path
        for wanted in (_plain(path), _plain(unquote(path))):
            near = self._near.get(wanted) or self._near.get(f"{self._folder}{wanted}") or set()
            if len(near) == 1:
                return next(iter(near))
        return None

    @cached_property
    def _folder(self) -> str:
        """
        The folder of the only member called as the card, with a slash behind it; empty where it is at the top.
        """
        found = {known.removesuffix(self._card) for known in self._near if f"/{known}".endswith(f"/{self._card}")}
        return next(iter(found)) if len(found) == 1 else ""

    @cached_property
    def _near(self) -> dict[str, set[str]]:
        near: dict[str, set[str]] = {}
        for name in self._names:
            for spelt in _spellings(name):
                near.setdefault(_plain(spelt), set()).add(name)
        return near


def _spellings(name: str) -> Iterator[str]:
    yield name
    if name.isascii():
        return
    for encoding in _ENCODINGS:
        try:
            yield name.encode("cp437").decode(encoding)
        except UnicodeError:
            continue


def _plain(path: str) -> str:
    """
    Return *path* with slashes, from the top, in one case.
    """
    steps = path.replace("\\", "/").split("/")
    return "/".join(step for step in steps if step not in ("", ".")).casefold()
