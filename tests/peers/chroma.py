"""
A real Chroma server on a free loopback port.
"""

from __future__ import annotations

import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import httpx


class ChromaServer:
    """
    `chroma run`, as an operator would start it; it can be killed and started again with what it holds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """
        What `--store` takes.
        """
        return f"chroma://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        program = Path(sys.executable).with_name("chroma")
        where = ["--path", str(self._folder), "--host", "127.0.0.1", "--port", str(self.port)]
        self._process = subprocess.Popen(
            [str(program), "run", *where], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None, "chroma run ended"
            assert time.monotonic() < deadline, "chroma run does not answer"
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """
        End it at once, as a crash would.
        """
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/api/v2/heartbeat", timeout=1).is_success
        except httpx.HTTPError:
            return False


@contextmanager
def behind_tls(server: ChromaServer, folder: Path) -> Iterator[tuple[str, Path]]:
    """
    Yield the address of a proxy that speaks TLS before *server*, and the certificate that it shows.
    """
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *files]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with _Proxy(("127.0.0.1", 0), server.port, context) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"chromas://127.0.0.1:{proxy.server_address[1]}", certificate
        proxy.shutdown()


class _Proxy(socketserver.ThreadingTCPServer):
    """
    Takes TLS off a connection and hands on what is in it.
    """

    daemon_threads = True

    def __init__(self, address: tuple[str, int], port: int, context: ssl.SSLContext) -> None:
        super().__init__(address, _Connection)
        self.port = port
        self.context = context


class _Connection(socketserver.BaseRequestHandler):
    server: _Proxy

    def handle(self) -> None:
        """
        Carry bytes both ways until one side has no more; who does not trust the certificate leaves at once.
        """
        with (
            suppress(OSError),
            self.server.context.wrap_socket(self.request, server_side=True) as near,
            socket.create_connection(("127.0.0.1", self.server.port)) as far,
        ):
            back = threading.Thread(target=_carry, args=(far, near), daemon=True)
            back.start()
            _carry(near, far)
            back.join()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
