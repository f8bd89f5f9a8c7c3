"""
What `inspect` and `convert` print of a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook.cli import render
from lorebook.cli.render import counted

if TYPE_CHECKING:
    from pydantic import BaseModel

    from lorebook.workspace.fileviews import ConversionView, InspectView

SHOWN = 12
"""Notes, losses or payloads of one file that are shown."""
WAY_BACK = {
    "kept": "restores the original, which is stored inside",
    "restored": "this is the original again, with what was changed since",
    "no room": "does not restore the original: the format has no place for it",
    "too large": "does not restore the original: it is too large to be stored inside",
    "left out": "does not restore the original: it is left out",
}
"""What there is to say of the way back, by `ConversionView.origin`."""


def line(view: BaseModel) -> None:
    """
    Print the line that one of many files gets.
    """
    from lorebook.workspace.fileviews import ConversionView, FileFailure, InspectView  # noqa: PLC0415

    if isinstance(view, FileFailure):
        render.complain(view.error)
    elif isinstance(view, InspectView):
        book = (
            "no book" if view.book is None else f"{counted(view.entries, 'entry', 'entries')}, {view.tokens:,} tokens"
        )
        render.line((view.path, "bold"), f": {view.format}, {book}{_noted(len(view.notes))}", hanging=2)
    elif isinstance(view, ConversionView):
        render.line(
            (view.path, "bold"),
            f": from {view.source_format}, {counted(len(view.losses), 'loss', 'losses')}{_noted(len(view.notes))}"
            f"{'' if leads_back(view) else ', no way back'}",
            hanging=2,
        )


def leads_back(view: ConversionView) -> bool:
    """
    Tell whether converting the file back restores the original.
    """
    return view.origin in ("kept", "restored")


def _noted(count: int) -> str:
    return f", {counted(count, 'note', 'notes')}" if count else ""


def inspected(view: InspectView) -> None:
    """
    Print what a file is and what is in it.
    """
    render.line((view.path, "bold"), f": {view.title} ({view.format}), {view.size:,} bytes", hanging=2)
    render.line(f"  known by: {view.reason}", hanging=4)
    if view.character is not None:
        by = f" by {view.creator}" if view.creator else ""
        render.line(
            f"  character: {view.character}{by}{f', version {view.version}' if view.version else ''}", hanging=4
        )
    if view.book is None:
        render.line("  no lorebook in it")
    else:
        render.line(f"  lorebook: {view.book or '(without a name)'}")
        off = view.entries - view.enabled
        counts = f"{view.constant} constant, {off} off), {view.keys:,} keys, {view.tokens:,} tokens"
        render.line(f"  {counted(view.entries, 'entry', 'entries')} ({counts}")
    if len(view.payloads) > 1:
        names = [payload.part for payload in view.payloads[:SHOWN]]
        more = f", … {len(view.payloads):,} in all" if len(view.payloads) > SHOWN else ""
        render.line(f"  payloads: {', '.join(names)}{more}; the first counts", hanging=4)
    if view.origin:
        render.line(f"  converted from: {view.origin}; the original is stored inside", hanging=4)
    for note in view.notes[:SHOWN]:
        told = f"{note.where}: {note.what}" if note.where else note.what
        render.line(("  note: ", "yellow"), told, hanging=4)
    if len(view.notes) > SHOWN:
        render.line(f"  … {len(view.notes)} notes in all; --json has them")


def converted(view: ConversionView) -> None:
    """
    Print what a file was converted to, and what it does not hold.
    """
    render.line((view.path, "bold"), f": {view.format}, from {view.source_format}, {view.size:,} bytes", hanging=2)
    render.line(f"  way back: {WAY_BACK[view.origin]}", hanging=4)
    render.line(f"  mended or interpreted: {len(view.notes) or 'nothing'}")
    render.line(f"  what the format does not hold: {len(view.losses) or 'nothing'}")
    for line in render.losses(view.losses, SHOWN, "--report or --json has them"):
        render.line((f"    {line}", "dim"), hanging=6)
