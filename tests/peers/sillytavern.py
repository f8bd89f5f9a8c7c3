"""
SillyTavern's program: where it lies, and how it comes there.

It comes from npm, once, into a folder of the user's cache. It is AGPL: it is run as a peer, and nothing of it is part
of this repository.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

RELEASE = "1.19.0"
# Not in XDG_CACHE_HOME, which tests point at a folder of their own: this is to outlive them.
PROGRAM = Path.home() / ".cache" / "lorebook-tests" / f"sillytavern-{RELEASE}"
_TIMEOUT = 300
"""Seconds after which an installation is given up."""


def missing() -> str:
    """
    Say what is not here that the program needs; nothing if all is.
    """
    if shutil.which("node") is None:
        return "node is not installed"
    return "" if PROGRAM.is_dir() or shutil.which("npm") else "npm is not installed"


def program() -> Path:
    """
    Return where the program lies; install it if it has not been (430 MB, half a minute).
    """
    if not PROGRAM.is_dir():
        partial = PROGRAM.with_name(f"{PROGRAM.name}.{os.getpid()}")
        partial.mkdir(parents=True)
        words = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(partial)]
        done = subprocess.run([*words, f"sillytavern@{RELEASE}"], check=False, capture_output=True, timeout=_TIMEOUT)
        assert done.returncode == 0, f"npm could not install SillyTavern: {done.stderr.decode()}"
        try:
            partial.rename(PROGRAM)
        except OSError:  # another run was faster
            shutil.rmtree(partial)
    return PROGRAM / "node_modules" / "sillytavern"
