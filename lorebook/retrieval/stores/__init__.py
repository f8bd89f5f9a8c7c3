"""
Vector stores behind one protocol: Chroma in a folder or on a server, and an exact one in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lorebook.retrieval.stores.address import Address

if TYPE_CHECKING:
    from lorebook.retrieval.embedders import Vectors
    from lorebook.retrieval.space import Space


class Row(NamedTuple):
    """
    What a store knows of a vector; an id never changes its vector.
    """

    id: str
    ruleset: str
    language: str


class Store(Protocol):
    """
    Vectors of one space, searched by cosine similarity among the rulesets and the language that are asked for.
    """

    def count(self) -> int:
        """
        Return the number of all rows.
        """

    def ids(self) -> set[str]:
        """
        Return the ids of all rows.
        """

    def add(self, rows: Sequence[Row], vectors: Vectors) -> None:
        """
        Add *rows*; a row that is there already stays.
        """

    def remove(self, ids: Collection[str]) -> None:
        """
        Remove the rows with *ids*; an unknown id is no error.
        """

    def nearest(
        self, vector: Vectors, *, limit: int, language: str, rulesets: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """
        Return ids and cosine similarities of at most *limit* rows in *language*, the nearest to *vector* first.

        None for *rulesets* means all of them; none at all finds nothing.
        """

    def close(self) -> None:
        """
        Let go of files and connections.
        """


class Shelf(NamedTuple):
    """
    Which vectors: those of one space, for the passages whose ids have the sha256 *content*.
    """

    space: Space
    content: str


class Home(Protocol):
    """
    Where stores are.
    """

    @property
    def address(self) -> str:
        """
        What an index remembers of where its vectors are, without secrets; empty for its own folder.
        """

    def reach(self) -> None:
        """
        Find out before long work whether a store can be opened at all.

        Raises UnreachableError when it cannot.
        """

    def open(self, shelf: Shelf) -> Store:
        """
        Open the store of *shelf*, an empty one where there is none.
        """

    def discard(self, shelf: Shelf) -> None:
        """
        Remove the store of *shelf*, damaged or not.
        """

    def sweep(self) -> None:
        """
        Remove the stores that nobody has used for long.
        """


def open_home(address: str | None, folder: Path) -> Home:
    """
    Return the Chroma server at *address*, None for *folder*.

    Raises InputError for what is no address.
    """
    if address:
        from lorebook.retrieval.stores.server import ServerHome  # noqa: PLC0415 (brings numpy)

        return ServerHome(Address.parse(address))
    from lorebook.retrieval.stores.folder import FolderHome  # noqa: PLC0415 (brings numpy)

    return FolderHome(folder)
