"""
A Chroma server, which several processes and workspaces share.

Every content has collections of its own, named by its space and the ids of its passages, so that workspaces
do not mix, builders of the same content help each other, and nobody removes what another reads. A collection
that no process has used for two weeks is removed by the next build; it can always be made again.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from lorebook.errors import InputError, RetrievalError, UnreachableError
from lorebook.retrieval.stores import Row, Shelf
from lorebook.retrieval.stores.address import TOKEN, Address
from lorebook.retrieval.stores.chroma import ChromaStore, Place, languages_of, speaking

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

    from lorebook.retrieval.embedders import Vectors

_PREFIX = "lorebook-"
_USED = "lorebook_used"
_FORGOTTEN = 14 * 24 * 3600
# A collection's use is noted this often.
_NOTED = 3600
# The server takes bodies of 40 MB; a thousand of the longest vectors are a quarter of that.
_BATCH = 1_000
_GREETING, _PATIENCE = 5.0, 60.0


class ServerHome:
    """
    Stores on a Chroma server.
    """

    def __init__(self, address: Address) -> None:
        self.address = str(address)
        self._at = address
        self._headers = _headers()
        self._place = Place(self.address, self._connect, _let_go, _BATCH, self._told)

    def reach(self) -> None:
        """
        Ask the server for a sign of life, since Chroma's own client has no patience but an endless one.

        Raises UnreachableError when there is none.
        """
        import httpx  # noqa: PLC0415 (Chroma brings it)

        try:
            answer = httpx.get(
                f"{self._at.url}/api/v2/heartbeat", headers=self._headers, timeout=_GREETING, verify=self._at.tls
            )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            reason = str(error).strip().split("\n")[0] or type(error).__name__
            raise self._told(error, reason) from error
        if answer.status_code in {401, 403}:
            raise self._unreachable("the Chroma server refuses us", f"{TOKEN} holds the token that is sent")
        if answer.is_server_error:
            raise self._unreachable(f"the Chroma server is not ready (status {answer.status_code})", "try again")
        if not answer.is_success or "heartbeat" not in answer.text:
            what = f"what answers there is no Chroma server (status {answer.status_code})"
            raise self._unreachable(what, "`chroma run` starts one")

    def open(self, shelf: Shelf) -> ChromaStore:
        """
        Open or create the collection of *shelf*.

        Raises UnreachableError when the server does not answer.
        """
        return LeasedStore(self._place, _name(shelf))

    def discard(self, shelf: Shelf) -> None:
        """
        Remove the collections of *shelf*.
        """
        name = _name(shelf)
        with self._client() as client:
            for language in languages_of(client, name):
                _delete(client, f"{name}.{language}")

    def sweep(self) -> None:
        """
        Remove the collections that nobody has used for two weeks.
        """
        oldest = time.time() - _FORGOTTEN
        with self._client() as client:
            for found in client.list_collections():
                if found.name.startswith(_PREFIX) and (found.metadata or {}).get(_USED, oldest) < oldest:
                    _delete(client, found.name)

    @contextmanager
    def _client(self) -> Iterator[ClientAPI]:
        with speaking(self._place):
            client = self._connect()
            try:
                yield client
            finally:
                _let_go(client)

    def _connect(self) -> ClientAPI:
        import chromadb  # noqa: PLC0415 (0.7 s)
        from chromadb.config import Settings  # noqa: PLC0415

        self.reach()
        client = chromadb.HttpClient(
            host=self._at.url,
            port=self._at.port,
            ssl=self._at.tls,
            headers=dict(self._headers),
            # Without TLS there is no certificate to check, and none need be loaded for it, which takes time.
            settings=Settings(anonymized_telemetry=False, chroma_server_ssl_verify=None if self._at.tls else False),
        )
        # Chroma waits for ever, which a server that hangs would make us do, too.
        client._server._session.timeout = _PATIENCE  # noqa: SLF001
        return client

    def _told(self, error: BaseException, reason: str) -> RetrievalError:
        import httpx  # noqa: PLC0415 (Chroma brings it)

        # Chroma says "could not connect" by an error of its own, in whose context the true one is.
        if any(isinstance(each, httpx.HTTPError | httpx.InvalidURL | OSError) for each in (error, error.__context__)):
            hint = "start it with `chroma run`, or leave --store out"
            return self._unreachable(f"the Chroma server does not answer: {reason}", hint)
        return RetrievalError(
            f"the Chroma server fails: {reason}", where=self.address, hint="`lorebook index` mends the index"
        )

    def _unreachable(self, what: str, hint: str) -> UnreachableError:
        return UnreachableError(what, where=self.address, hint=hint)


class LeasedStore(ChromaStore):
    """
    Collections that say when they were last used.
    """

    def __init__(self, place: Place, name: str) -> None:
        super().__init__(place, name)
        self._noted = 0.0
        self._note()

    def add(self, rows: Sequence[Row], vectors: Vectors) -> None:
        """
        Add *rows*; a row that is there already stays.
        """
        super().add(rows, vectors)
        self._noted = 0.0
        self._note()

    def nearest(
        self, vector: Vectors, *, limit: int, language: str, rulesets: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """
        Return ids and cosine similarities of at most *limit* rows in *language*, the nearest to *vector* first.
        """
        self._note()
        return super().nearest(vector, limit=limit, language=language, rulesets=rulesets)

    def _note(self) -> None:
        now = time.time()
        if now - self._noted > _NOTED:
            with speaking(self._place):
                for collection in self._collections.values():
                    collection.modify(metadata={_USED: int(now)})
            self._noted = now


def _name(shelf: Shelf) -> str:
    digest = hashlib.sha256(f"{shelf.space.title}\n{shelf.content}".encode()).hexdigest()
    return f"{_PREFIX}{digest[:32]}"


def _headers() -> dict[str, str]:
    """
    Carry the token both as proxies want it and as Chroma's cloud does.
    """
    token = os.environ.get(TOKEN, "").strip()
    if not token.isascii() or not token.isprintable():
        raise InputError(f"{TOKEN} holds characters that no token has")
    return {"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {}


def _let_go(client: ClientAPI) -> None:
    # Chroma's client and the one inside it, which it made to look for its database, leave their connections open.
    for part in (client, client._admin_client):  # noqa: SLF001
        part._server._session.close()  # noqa: SLF001
    client.close()


def _delete(client: ClientAPI, name: str) -> None:
    from chromadb.errors import NotFoundError  # noqa: PLC0415 (0.7 s)

    with suppress(NotFoundError):  # another process was quicker
        client.delete_collection(name)
