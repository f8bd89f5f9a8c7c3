"""
What a shell completes beside commands and options: names of rulesets, rules, formats, presets and their like.

It is asked at every press of a key, so names are taken from where they lie; no record is read and nothing heavy is
imported. Where they cannot be found, nothing is completed: a message would stand in the middle of the user's line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import typer

Offers: TypeAlias = Iterable[str | tuple[str, str]]
"""Names, or names and what is said of them."""


def rulesets(ctx: typer.Context) -> Offers:
    """
    Return the names of the rulesets of the workspace that the line names, or that would be opened.
    """
    return [folder.name for folder in _folders(ctx)]


def rulesets_and_rules(ctx: typer.Context, incomplete: str) -> Offers:
    """
    Return the names of the rulesets, and behind a ruleset's name and a stroke, those of its rules.
    """
    wanted, stroke, _ = incomplete.partition("/")
    if not stroke:
        return rulesets(ctx)
    folder = next((folder for folder in _folders(ctx) if folder.name == wanted), None)
    return [f"{wanted}/{path.stem}" for path in sorted(folder.glob("[!.]*.yaml"))] if folder else []


def books(ctx: typer.Context, incomplete: str) -> Offers:
    """
    Return the names of the rulesets, and the files and folders that begin so.
    """
    return [*rulesets(ctx), *_paths(incomplete)]


def formats() -> Offers:
    """
    Return the formats and what they are.
    """
    from lorebook.formats import LISTED  # noqa: PLC0415

    return [(name, form.title) for name, form in LISTED.items()]


def written_formats() -> Offers:
    """
    Return the formats that can be written, and what they are.
    """
    from lorebook.formats import LISTED  # noqa: PLC0415

    return [(name, form.title) for name, form in LISTED.items() if form.writes]


def kinds() -> Offers:
    """
    Return the kinds of documents that can be imported.
    """
    from lorebook.importers import IMPORTERS  # noqa: PLC0415

    return list(IMPORTERS)


def presets() -> Offers:
    """
    Return the ways to scan.
    """
    from lorebook.matching.presets import Preset  # noqa: PLC0415

    return [preset.value for preset in Preset]


def switches() -> Offers:
    """
    Return the differences between the presets.
    """
    from lorebook.matching.presets import SWITCHES  # noqa: PLC0415

    return list(SWITCHES)


def switched() -> Offers:
    """
    Return what can be said to a switch.
    """
    from lorebook.matching.presets import DIFFERENCES  # noqa: PLC0415

    return [(f"{name}={state}", getattr(each, state)) for name, each in DIFFERENCES.items() for state in ("on", "off")]


def tokenizers() -> Offers:
    """
    Return whose tokens can be counted.
    """
    from lorebook.matching.tokens import TOKENIZERS  # noqa: PLC0415

    return list(TOKENIZERS)


def languages() -> Offers:
    """
    Return the languages of wordings.
    """
    return ["en", "zh"]


def export_languages() -> Offers:
    """
    Return the languages of a book.
    """
    return ["en", "zh", "both"]


def _folders(ctx: typer.Context) -> list[Path]:
    from lorebook.errors import LorebookError  # noqa: PLC0415
    from lorebook.ruleset import MANIFEST  # noqa: PLC0415
    from lorebook.workspace import location  # noqa: PLC0415

    named = ctx.params.get("workspace")
    try:
        root = location.find(Path(named) if named else None)
        return sorted(path.parent for path in (root / location.RULES).glob(f"[!.]*/{MANIFEST}"))
    except (LorebookError, OSError):
        return []


def _paths(incomplete: str) -> Iterator[str]:
    folder, _, name = incomplete.rpartition("/")
    shown = f"{folder}/" if folder or incomplete.startswith("/") else ""
    try:
        found = sorted(Path(shown or ".").expanduser().iterdir())
    except OSError:
        return
    for path in found:
        if path.name.startswith(name) and (name.startswith(".") or not path.name.startswith(".")):
            yield f"{shown}{path.name}{'/' if path.is_dir() else ''}"
