"""
Chroma, embedded: a folder of its own, one collection a vector space and language.

Rows that a new index needs are added beside the old ones, and the old ones are removed after it is in place.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from lorebook.errors import RetrievalError, StorageError
from lorebook.retrieval.space import Space
from lorebook.retrieval.stores import Shelf
from lorebook.retrieval.stores.chroma import ChromaStore, Place

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

_SQL_VARIABLES = 5_000
_HINT = "`lorebook index` rebuilds it"


class FolderHome:
    """
    Stores in a folder, which only this index uses.
    """

    address = ""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def reach(self) -> None:
        """
        A folder is always there.
        """

    def open(self, shelf: Shelf) -> ChromaStore:
        """
        Open the collections of the shelf's space.

        Raises StorageError when the folder cannot be written and RetrievalError when what is in it is damaged.
        """
        where = str(self._folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise RetrievalError("the vector store is no folder", where=where, hint=_HINT) from error
        except OSError as error:
            raise StorageError(f"cannot write: {error.strerror}", where=where) from error

        def told(_: BaseException, reason: str) -> RetrievalError:
            return RetrievalError(f"the vector store fails: {reason}", where=where, hint=_HINT)

        return ChromaStore(Place(where, self._connect, _let_go, _SQL_VARIABLES, told), _name(shelf.space))

    def discard(self, shelf: Shelf) -> None:
        """
        Remove the folder: where one collection is damaged, all may be.
        """
        del shelf
        if self._folder.is_dir():
            shutil.rmtree(self._folder, ignore_errors=True)
        else:
            self._folder.unlink(missing_ok=True)

    def sweep(self) -> None:
        """
        Nothing is left over: rows that an index no longer needs are removed when it is built.
        """

    def _connect(self) -> ClientAPI:
        import chromadb  # noqa: PLC0415 (0.7 s)
        from chromadb.config import Settings  # noqa: PLC0415

        return chromadb.PersistentClient(str(self._folder), settings=Settings(anonymized_telemetry=False))


def _name(space: Space) -> str:
    """
    Two models may share a name's beginning and Chroma allows no long names: the digest tells them apart.
    """
    return f"passages-{hashlib.sha256(space.title.encode()).hexdigest()[:12]}"


def _let_go(client: ClientAPI) -> None:
    client.close()
