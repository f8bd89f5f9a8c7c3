"""
What was changed by hand since an import: beside the records lie the digests of what the import wrote.

Links to rules of other rulesets are no part of it: they are made later, and a new import keeps them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from lorebook.errors import InputError, RecordError
from lorebook.ruleset import MANIFEST, Ruleset, dump_manifest, dump_rule, read_rule

DIGESTS = "imported.sha256"
"""A line for each file that an import wrote: its sha256, two spaces and its name, as `sha256sum` writes them."""

_NAMED = 3


def digests(ruleset: Ruleset) -> bytes:
    """
    Return what DIGESTS holds of *ruleset*, as an import has made it.
    """
    texts = {f"{rule.slug}.yaml": dump_rule(rule.model_copy(update={"conflicts_with": ()})) for rule in ruleset.rules}
    texts[MANIFEST] = dump_manifest(ruleset.manifest)
    return "".join(f"{_digest(text)}  {name}\n" for name, text in texts.items()).encode()


def edited(folder: Path) -> tuple[str, ...]:
    """
    Return the names of the files of the ruleset in *folder* that were written or changed since its import.

    Nothing where no digests are kept: what was imported before they were, or never. Raises InputError for digests that
    cannot be read.
    """
    path = folder / DIGESTS
    if not path.is_file():
        return ()
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=f"{folder.name}/{DIGESTS}") from error
    written = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    return tuple(name for name in _names(folder) if not _is_as_written(folder / name, written.get(name)))


def refuse_edited(folder: Path) -> None:
    """
    Raise InputError, naming what is lost, when the ruleset in *folder* was changed by hand since its import.
    """
    if not (found := edited(folder)):
        return
    names = [f"{folder.name}/{name.removesuffix('.yaml')}" for name in found]
    more = f" and {rest} more" if (rest := len(names) - _NAMED) > 0 else ""
    what = f"changed by hand since the import, and lost with a new one: {', '.join(names[:_NAMED])}{more}"
    hint = "--replace --force gives the changes up, --name imports beside them"
    raise InputError(what, where=str(folder), hint=hint)


def _names(folder: Path) -> Iterator[str]:
    yield MANIFEST
    yield from sorted(path.name for path in folder.glob("[!.]*.yaml"))


def _is_as_written(path: Path, digest: str | None) -> bool:
    """Tell whether *path* holds the text of that *digest*, whatever ends its lines; links are looked past."""
    text = path.read_bytes().replace(b"\r\n", b"\n") if path.is_file() else b""
    is_same = _digest(text) == digest
    if is_same or b"conflicts_with" not in text:
        return is_same
    try:
        return _digest(dump_rule(read_rule(path).model_copy(update={"conflicts_with": ()}))) == digest
    except RecordError:
        return False


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
