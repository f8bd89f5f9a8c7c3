"""
The one way to load a sentence-transformers model: from this machine, unless a download is allowed.

Importing the library takes seconds and brings torch, so it is imported when a model is loaded.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Literal

from lorebook.errors import ModelError

_DOWNLOAD = "LOREBOOK_DOWNLOAD"
_SAMPLE = 65_536


def load_model(kind: Literal["SentenceTransformer", "CrossEncoder"], model: str) -> Any:  # noqa: ANN401 (untyped library)
    """
    Load *model*, the name of a cached model (with LOREBOOK_DOWNLOAD=1, of any) or its folder.

    Raises ModelError when the library or the model cannot be loaded.
    """
    try:
        import sentence_transformers  # noqa: PLC0415
    except ImportError as error:
        hint = "pip install sentence-transformers"
        raise ModelError("sentence-transformers is not installed", where=model, hint=hint) from error
    offline = os.environ.get(_DOWNLOAD) != "1"
    try:
        return getattr(sentence_transformers, kind)(model, device="cpu", local_files_only=offline)
    except Exception as error:  # the library passes on whatever torch, a hub client or a parser raises
        hint = f"give the name of a {kind} model or a folder that holds one"
        hint += f"; {_DOWNLOAD}=1 downloads a model that is not on this machine" if offline else ""
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise ModelError(f"the model does not load: {reason}", where=model, hint=hint) from error


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
