"""
What is special about a Chroma server: its address, its token, its absence, and that many share it.
"""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from lorebook.errors import InputError, RetrievalError, UnreachableError
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.condition import State
from lorebook.retrieval.index import Index
from lorebook.retrieval.ingredients import Places
from lorebook.retrieval.manifest import complete
from lorebook.retrieval.space import Space
from lorebook.retrieval.stores import Row, Shelf
from lorebook.retrieval.stores import server as servers
from lorebook.retrieval.stores.address import Address
from lorebook.retrieval.stores.server import ServerHome
from tests.conftest import Command
from tests.peers.chroma import ChromaServer, behind_tls
from tests.retrieval.test_index import OPEN, fingerprints, found
from tests.retrieval.worlds import CHESS, GO, HashedWords, rule, ruleset

SECRET = "s3cret-t0ken"  # noqa: S105
SHELF = Shelf(Space("model", 3), "content")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[ChromaServer]:
    """A server that a test may kill."""
    with ChromaServer(tmp_path / "served") as server:
        yield server


def home(server: ChromaServer) -> ServerHome:
    return ServerHome(Address.parse(server.address))


def index_at(folder: Path, address: str, model: HashedWords | None = None) -> Index:
    folder.mkdir(exist_ok=True)
    (folder / "recipe.toml").write_text(OPEN)
    places = Places(folder / "recipe.toml", folder / "glossary.yaml", folder / "store")
    return Index(places, Choices(store=address), embedder=lambda _: model or HashedWords())


# Addresses


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("chroma://127.0.0.1:8000", Address("127.0.0.1", 8000, tls=False)),
        ("chroma://vectors.example/", Address("vectors.example", 8000, tls=False)),
        ("chromas://vectors.example", Address("vectors.example", 443, tls=True)),
        ("chromas://vectors.example:8443", Address("vectors.example", 8443, tls=True)),
        (" chroma://[::1]:8000 ", Address("::1", 8000, tls=False)),
    ],
)
def test_addresses_are_read_and_written(text: str, address: Address) -> None:
    assert Address.parse(text) == address
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "localhost:8000",
        "http://localhost:8000",
        "chroma://",
        "chroma://a:0",
        "chroma://a:70000",
        "chroma://a:8000/b",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no address of a Chroma server"):
        Address.parse(text)


def test_a_secret_in_an_address_is_refused_and_not_shown() -> None:
    with pytest.raises(InputError) as caught:
        Address.parse(f"chroma://me:{SECRET}@vectors.example:8000")
    assert SECRET not in str(caught.value)
    assert "LOREBOOK_STORE_TOKEN" in str(caught.value)


# Servers that are not there, or are something else


class Strange(BaseHTTPRequestHandler):
    """
    A server that answers every request with one status, and remembers what it was sent.
    """

    status = 200
    seen: list[dict[str, str]] = []

    def do_GET(self) -> None:
        self.seen.append(dict(self.headers))
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def strange() -> Iterator[tuple[type[Strange], str]]:
    handler = type("Handler", (Strange,), {"seen": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield handler, f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (200, "no Chroma server"),
        (404, "no Chroma server"),
        (401, "refuses us"),
        (403, "refuses us"),
        (502, "not ready"),
    ],
)
def test_what_answers_and_is_no_chroma_is_told(strange: tuple[type[Strange], str], status: int, said: str) -> None:
    handler, where = strange
    handler.status = status
    with pytest.raises(UnreachableError, match=said) as caught:
        ServerHome(Address.parse(f"chroma://{where}")).open(SHELF)
    assert str(caught.value).startswith(f"chroma://{where}: ")


def test_the_token_is_sent_and_never_shown(
    strange: tuple[type[Strange], str], monkeypatch: pytest.MonkeyPatch, lorebook: Command
) -> None:
    handler, where = strange
    handler.status = 401
    monkeypatch.setenv("LOREBOOK_STORE_TOKEN", SECRET)
    done = lorebook("index", "--store", f"chroma://{where}", "--check")
    with pytest.raises(UnreachableError) as caught:
        ServerHome(Address.parse(f"chroma://{where}")).open(SHELF)
    assert handler.seen[-1]["Authorization"] == f"Bearer {SECRET}"
    assert handler.seen[-1]["X-Chroma-Token"] == SECRET
    assert SECRET not in done.out + done.err + repr(caught.value)


@pytest.mark.parametrize("token", ["two\nlines", "gehéim"])
def test_a_token_that_no_header_can_hold_is_refused(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREBOOK_STORE_TOKEN", token)
    with pytest.raises(InputError, match="LOREBOOK_STORE_TOKEN") as caught:
        ServerHome(Address.parse("chroma://127.0.0.1:1"))
    assert token not in str(caught.value)


def test_a_real_server_takes_a_request_with_a_token(chroma: ChromaServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREBOOK_STORE_TOKEN", SECRET)
    store = home(chroma).open(SHELF)
    assert store.count() == 0
    store.close()


def test_tls_is_spoken_where_it_is_asked_for(strange: tuple[type[Strange], str]) -> None:
    with pytest.raises(UnreachableError, match=r"(?i)ssl|tls|record"):
        ServerHome(Address.parse(f"chromas://{strange[1]}")).open(SHELF)


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_over_tls_a_certificate_is_checked(
    chroma: ChromaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with behind_tls(chroma, tmp_path) as (address, certificate):
        tls = ServerHome(Address.parse(address))
        with pytest.raises(UnreachableError, match=r"(?i)certificate"):
            tls.open(SHELF)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        store = tls.open(Shelf(SHELF.space, "over TLS"))
        store.add([Row("a", "chess", "en")], np.asarray([[0, 1, 0]], dtype=np.float32))
        store.close()
    store = home(chroma).open(Shelf(SHELF.space, "over TLS"))
    assert store.ids() == {"a"}
    store.close()


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "_GREETING", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(UnreachableError, match="does not answer"):
        ServerHome(Address("127.0.0.1", silent.getsockname()[1], tls=False)).open(SHELF)


def test_an_absent_server_is_one_clear_sentence(lorebook: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"chroma://127.0.0.1:{taken.getsockname()[1]}"
    done = lorebook("ask", "hand limit", "--store", address)
    assert done.code == 1
    assert done.out == ""
    assert done.err.startswith(f"lorebook: {address}: the Chroma server does not answer: ")
    assert done.err.count("\n") == 1


# Servers that go and come back


def test_a_server_that_goes_and_comes_back_costs_no_index(own: ChromaServer, tmp_path: Path) -> None:
    index = index_at(tmp_path / "world", own.address)
    index.build([CHESS, GO])
    assert found(index, "castling rook")[0] == "chess/castling"
    own.kill()
    with pytest.raises(UnreachableError):
        index.search("castling rook")
    model = HashedWords()
    with pytest.raises(UnreachableError):
        index_at(tmp_path / "new", own.address, model).build([CHESS, GO])
    assert model.embedded == []
    assert index.staleness(fingerprints(CHESS, GO)) is None
    assert index.examined(fingerprints(CHESS, GO)).state is State.UNREACHABLE
    with own:
        assert found(index, "castling rook")[0] == "chess/castling"
        assert index.examined(fingerprints(CHESS, GO)).state is State.CURRENT
        index.close()


def test_a_server_that_lost_everything_is_filled_again_without_the_model(chroma: ChromaServer, tmp_path: Path) -> None:
    index = index_at(tmp_path / "world", chroma.address)
    index.build([CHESS, GO])
    assert found(index, "castling rook")
    index.made_of.home.discard(Shelf(index.made_of.space, complete(index.places.store).content))
    with pytest.raises(RetrievalError):
        index.search("castling rook")
    assert index.examined(fingerprints(CHESS, GO)).state is State.CORRUPT
    report = index.build([CHESS, GO])
    assert (report.embedded, report.added) == (0, report.passages)
    assert found(index, "castling rook")[0] == "chess/castling"
    index.close()


# Sharing


def test_workspaces_on_one_server_do_not_mix(chroma: ChromaServer, tmp_path: Path) -> None:
    other = ruleset("chess", rule("chess/castling", "Castling\nIn this house nobody castles.", order=0))
    mine, theirs = (index_at(tmp_path / name, chroma.address) for name in ("mine", "theirs"))
    mine.build([CHESS, GO])
    theirs.build([other])
    assert mine.search("castling rook")[0].text.startswith("The king moves two squares")
    assert theirs.search("castling rook")[0].text == "In this house nobody castles."
    assert found(theirs, "a stone without liberty") == ["chess/castling"]
    theirs.discard()
    assert mine.search("castling rook")[0].text.startswith("The king moves two squares")
    mine.close()


def test_equal_workspaces_share_what_is_stored(chroma: ChromaServer, tmp_path: Path) -> None:
    chess = ruleset("chess", *CHESS.rules[:2])
    first, second = (index_at(tmp_path / name, chroma.address) for name in ("first", "second"))
    assert first.build([chess]).added > 0
    assert second.build([chess]).added == 0
    assert first.search("pawn moves") == second.search("pawn moves")
    first.build([CHESS])
    assert second.search("pawn moves")[0].rule == "chess/pawn"
    first.close()
    second.close()


def test_what_nobody_used_for_long_is_swept(chroma: ChromaServer, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = Shelf(SHELF.space, "old"), Shelf(SHELF.space, "new")
    for shelf, now in ((old, time.time() - 15 * 24 * 3600), (new, time.time())):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        store = home(chroma).open(shelf)
        store.add([Row("a", "chess", "en")], np.asarray([[0, 1, 0]], dtype=np.float32))
        store.close()
    home(chroma).sweep()
    counts = []
    for shelf in (old, new):
        store = home(chroma).open(shelf)
        counts.append(store.count())
        store.close()
    assert counts == [0, 1]


def test_a_reader_notes_its_use_once_an_hour(chroma: ChromaServer, monkeypatch: pytest.MonkeyPatch) -> None:
    store = home(chroma).open(Shelf(SHELF.space, "noted"))
    store.add([Row("a", "chess", "en")], np.asarray([[0, 1, 0]], dtype=np.float32))

    def noted_after(seconds: float) -> int:
        later = time.time() + seconds
        with monkeypatch.context() as patched:
            patched.setattr(time, "time", lambda: later)
            store.nearest(np.asarray([0, 1, 0], dtype=np.float32), limit=1, language="en")
        return int(store._collections["en"].metadata["lorebook_used"])

    at_first = noted_after(0)
    assert noted_after(60) == at_first
    assert noted_after(3700) > at_first + 3600
    store.close()
