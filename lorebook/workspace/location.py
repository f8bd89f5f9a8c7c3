"""
Where workspaces are.

A workspace is a folder with `rules/`, `index/` and `exports/`. The one that ships with lorebook lies in
the package when it was installed from a wheel, and is the checkout itself when it runs from one.
"""

from __future__ import annotations

import re
import shlex
from importlib.resources import files
from pathlib import Path

import lorebook
from lorebook import atomic
from lorebook.errors import InputError, StorageError
from lorebook.ruleset import MANIFEST

RULES, INDEX, EXPORTS = "rules", "index", "exports"


def is_file(path: Path) -> bool:
    """
    Tell whether *path* is a file; a name that no file can have (one too long, say) is none.
    """
    try:
        return path.is_file()
    except OSError:
        return False


def is_dir(path: Path) -> bool:
    """
    Tell whether *path* is a folder; a name that no folder can have is none.
    """
    try:
        return path.is_dir()
    except OSError:
        return False


def shipped() -> Path:
    """
    Return the workspace that ships with lorebook.

    Raises StorageError when the installation lacks it.
    """
    inside = Path(str(files(lorebook).joinpath("_data")))
    beside = Path(lorebook.__file__).resolve().parents[1]
    for root in (inside, beside):
        if is_workspace(root):
            return root
    raise StorageError("the shipped rules are missing", where=str(inside), hint="reinstall lorebook")


def is_workspace(folder: Path) -> bool:
    """
    Tell whether *folder* has what only a workspace has; of one without rules a copy by git keeps no folder.
    """
    rules = folder / RULES
    return is_dir(rules) and (is_dir(folder / INDEX) or any(rules.glob(f"[!.]*/{MANIFEST}")))


def find(wanted: Path | None) -> Path:
    """
    Return the workspace *wanted*, else the one around the current folder, else the shipped one.

    Raises InputError when *wanted* is not a workspace.
    """
    if wanted is not None:
        if is_file(wanted):
            raise InputError("not a workspace, but a file", where=str(wanted), hint="name a workspace's folder")
        if not is_workspace(wanted):
            raise _no_workspace(wanted)
        return wanted.resolve()
    return _around() or shipped()


def _no_workspace(folder: Path) -> InputError:
    if is_dir(folder):
        hint = f"`lorebook init {_typed(folder)}` makes it one"
        return InputError("not a workspace, which has rules/ and index/ in it", where=str(folder), hint=hint)
    hint = f"check the path; `lorebook init {_typed(folder)}` makes a new one"
    return InputError("not a workspace: there is no such folder", where=str(folder), hint=hint)


def named(root: Path) -> str:
    """
    Return what the workspace *root* is called in a message.
    """
    return "the shipped rules" if root == shipped() else str(root)


def option(folder: Path) -> str:
    """
    Return the option that names the workspace *folder*, as one would type it behind a command.
    """
    return f" --workspace {_typed(folder)}"


def option_if_needed(root: Path) -> str:
    """
    Return the option that names the workspace *root*, empty where a command takes it of itself.
    """
    if root == find(None):
        return ""
    here = Path.cwd()
    return option(root.relative_to(here) if root.is_relative_to(here) else root)


def _typed(folder: Path) -> str:
    # The quotes that shlex puts around every letter beyond ASCII are not needed.
    plain = re.fullmatch(r"[\w./+:@-]+", str(folder))
    return str(folder) if plain else shlex.quote(str(folder))


def around(*, hint: str = "name one with --workspace DIR") -> Path:
    """
    Return the workspace around the current folder; the shipped one is nobody's to write into.

    Raises InputError with the *hint* when there is none.
    """
    found = _around()
    if found is None:
        raise InputError("no workspace around this folder", hint=hint)
    return found


def is_around() -> bool:
    """
    Tell whether there is a workspace around the current folder.
    """
    return _around() is not None


def _around() -> Path | None:
    try:
        here = Path.cwd().resolve()
    except FileNotFoundError:
        # The current folder has been removed under us.
        return None
    return next((folder for folder in (here, *here.parents) if is_workspace(folder)), None)


def init(folder: Path) -> bool:
    """
    Make *folder* a workspace, creating what is missing; return whether anything was.

    Raises StorageError when the disk refuses, InputError when *folder* is a file.
    """
    if is_file(folder):
        raise InputError("is a file, not a folder", where=str(folder), hint="name another folder")
    missing = [name for name in (RULES, INDEX, EXPORTS) if not is_dir(folder / name)]
    for name in missing:
        try:
            (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise atomic.refusal(folder / name, error) from error
    return bool(missing)
