"""
A real SillyTavern server on a port of this machine, asked through its own HTTP endpoints.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import httpx

from tests.peers.sillytavern import program

_PATIENCE = 180
"""Seconds for the start: the first one compiles the page's libraries."""
_OFFLINE = {
    "SILLYTAVERN_SKIPCONTENTCHECK": "true",
    # Else the start looks up names of hosts.
    "SILLYTAVERN_WHITELISTDOCKERHOSTS": "false",
}


class RefusedError(Exception):
    """
    The server did not take what it was given.
    """


class Server:
    """
    A server with an empty data folder, running while its block does.
    """

    def __init__(self, folder: Path) -> None:
        """
        Keep everything that the server writes in *folder*.
        """
        self._folder = folder
        self._log = folder / "log.txt"
        self.port = _free_port()
        # No proxy of the environment: everything stays on this machine.
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", trust_env=False, timeout=60)

    def __enter__(self) -> Self:
        words = {
            "--port": self.port,
            "--dataRoot": self._folder / "data",
            "--configPath": self._folder / "config.yaml",
            "--browserLaunchEnabled": "false",
            "--listen": "false",
        }
        line = [str(word) for pair in words.items() for word in pair]
        place = program()
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                ["node", "server.js", *line],
                cwd=place,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | _OFFLINE,
            )
        try:
            self._client.headers["x-csrf-token"] = self._token()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def import_character(self, file_name: str, data: bytes) -> str:
        """
        Import a card, its kind told by the name's ending; return the name of the picture that stands for it.
        """
        form = {"file_type": file_name.rpartition(".")[2]}
        answer = self._send("/api/characters/import", data=form, files={"avatar": (file_name, data)}).json()
        if "file_name" not in answer:
            raise RefusedError(f"{file_name}: {answer}")
        return f"{answer['file_name']}.png"

    def create_character(self, name: str, *, world: str) -> str:
        """
        Make a character that is linked to *world*, as the page's form does; return the name of its picture.
        """
        return self._send("/api/characters/create", json={"ch_name": name, "world": world}).text

    def list_characters(self) -> list[dict[str, Any]]:
        """
        Return all characters.
        """
        listed: list[dict[str, Any]] = self._send("/api/characters/all", json={}).json()
        return listed

    def get_character(self, picture: str) -> dict[str, Any]:
        """
        Return the card of the character *picture*.
        """
        card: dict[str, Any] = self._send("/api/characters/get", json={"avatar_url": picture}).json()
        return card

    def export_character(self, picture: str, form: Literal["png", "json"]) -> bytes:
        """
        Return the file that the character *picture* is exported as.
        """
        return self._send("/api/characters/export", json={"avatar_url": picture, "format": form}).content

    def import_world(self, file_name: str, data: bytes, *, converted: str | None = None) -> str:
        """
        Import World Info, or what the page *converted* a file into; return the world's name.
        """
        form = {} if converted is None else {"convertedData": converted}
        return str(self._send("/api/worldinfo/import", data=form, files={"avatar": (file_name, data)}).json()["name"])

    def save_world(self, name: str, world: Mapping[str, Any]) -> None:
        """
        Save *world*, as the page does after an edit.
        """
        self._send("/api/worldinfo/edit", json={"name": name, "data": world})

    def get_world(self, name: str) -> dict[str, Any]:
        """
        Return the world *name*.
        """
        world: dict[str, Any] = self._send("/api/worldinfo/get", json={"name": name}).json()
        return world

    def stored_world(self, name: str) -> bytes:
        """
        Return the file in which the server keeps the world *name*.
        """
        return (self._folder / "data" / "default-user" / "worlds" / f"{name}.json").read_bytes()

    def _send(self, path: str, **content: Any) -> httpx.Response:
        response = self._client.post(path, **content)
        if response.is_error:
            raise RefusedError(f"{path}: {response.status_code} {response.text}")
        return response

    def _token(self) -> str:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            try:
                return str(self._client.get("/csrf-token").raise_for_status().json()["token"])
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError(f"SillyTavern does not answer:\n{self._log.read_text(errors='replace')[-2000:]}")

    def _stop(self) -> None:
        self._client.close()
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
