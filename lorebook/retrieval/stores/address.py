"""
How a Chroma server is named.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Self

from lorebook.errors import InputError

TOKEN = "LOREBOOK_STORE_TOKEN"  # noqa: S105 (the name of a variable, not what is in it)

_ADDRESS = re.compile(r"(?P<scheme>chromas?)://(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:/@?#\[\]]+)(?::(?P<port>\d{1,5}))?/?")
_HIGHEST_PORT = 65_535


class Address(NamedTuple):
    """
    Where a Chroma server listens.
    """

    host: str
    port: int
    tls: bool

    @classmethod
    def parse(cls, text: str) -> Self:
        """
        Read `chroma://host:port` or, for TLS, `chromas://host:port`.

        Raises InputError for anything else.
        """
        found = _ADDRESS.fullmatch(text.strip())
        tls = bool(found) and text.strip().startswith("chromas")
        port = int((found and found["port"]) or (443 if tls else 8000))
        if not found or not 0 < port <= _HIGHEST_PORT:
            # What somebody put before an @ is a secret, and not shown.
            shown = re.sub(r"//.*@", "//…@", text)
            hint = f"chroma://HOST:PORT, or chromas://HOST:PORT for TLS; a token goes into {TOKEN}"
            raise InputError(f"{shown!r} is no address of a Chroma server", hint=hint)
        return cls(found["host"].strip("[]"), port, tls)

    def __str__(self) -> str:
        return f"{'chromas' if self.tls else 'chroma'}://{self._netloc}"

    @property
    def url(self) -> str:
        """
        The address as HTTP has it.
        """
        return f"{'https' if self.tls else 'http'}://{self._netloc}"

    @property
    def _netloc(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
