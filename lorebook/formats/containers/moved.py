r"""
An archive whose members all stand elsewhere than they should, seen as if they did not.

Who packs the folder and not what is in it has the folder before every name, and `./` stands there where it was packed
by `zip -r x .`; old packers for Windows write `\` between the steps of a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from lorebook.formats.containers.container import Opened, Segments
from lorebook.formats.containers.parts import Parts

_DEEPEST = 3
"""Folders around everything."""
_JUNK = ("__MACOSX", ".DS_Store", "desktop.ini", "Thumbs.db")
"""What systems put into archives of their own accord."""


@dataclass(frozen=True)
class Moved:
    """
    An archive without the *folder* around its members, and with slashes in their names.
    """

    opened: Opened
    folder: str
    has_backslashes: bool

    @cached_property
    def parts(self) -> Mapping[str, bytes]:
        """
        The members by the names that they should have.
        """
        names = {self._right(name): name for name in self.opened.parts if name.startswith(self.folder)}
        return Parts({right: partial(self.opened.parts.__getitem__, name) for right, name in names.items()})

    def replaced(self, parts: Mapping[str, bytes]) -> Segments:
        """
        Return the archive with *parts* where its members stand.
        """
        return self.opened.replaced({self._own(name): data for name, data in parts.items()})

    @property
    def what(self) -> str:
        """
        What is the matter.
        """
        told = [f"its members are in the folder `{self.folder}`"] if self.folder else []
        told += ["there are backslashes in the names of its members"] if self.has_backslashes else []
        return f"{' and '.join(told)}, where other programs may not find them; read as if they were in their place"

    def _right(self, name: str) -> str:
        rest = name.removeprefix(self.folder)
        return rest.replace("\\", "/") if self.has_backslashes else rest

    def _own(self, name: str) -> str:
        return self.folder + (name.replace("/", "\\") if self.has_backslashes else name)


def views(opened: Opened) -> Iterator[Moved]:
    """
    Yield *opened* without one, two or three folders around everything, if there are any.
    """
    names = [name for name in opened.parts if not any(junk in name for junk in _JUNK)]
    has_backslashes = any("\\" in name for name in names) and not any("/" in name for name in names)
    step = "\\" if has_backslashes else "/"
    if has_backslashes:
        yield Moved(opened, "", has_backslashes)
    folder = ""
    for _ in range(_DEEPEST):
        heads = {name.removeprefix(folder).rpartition(step)[0].partition(step)[0] for name in names}
        if len(heads) != 1 or heads == {""}:
            return
        folder += f"{heads.pop()}{step}"
        yield Moved(opened, folder, has_backslashes)
