"""
A server that the tests start ends with them.
"""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.peers.server import RefusedError, Server
from tests.peers.sillytavern import missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=missing() or "all is here"),
]


def test_a_server_is_gone_when_its_block_fails(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with pytest.raises(RefusedError), server:
        server.import_world("broken.json", b"[")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port))
