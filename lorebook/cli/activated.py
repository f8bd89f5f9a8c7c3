"""
What a chat activates, printed: the entries that fire, the prompt, what was left out, and why.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lorebook.cli import render
from lorebook.errors import UnknownNameError

if TYPE_CHECKING:
    from lorebook.matching.activation import ActivatedEntry, Activation, HeldBackEntry
    from lorebook.workspace.views import MatchResult


def show(result: MatchResult, *, why: str | None, everything: bool, as_json: bool) -> None:
    """
    Print *result*, or of it the entry that *why* means by uid, rule id or name; with *everything* silent entries, too.

    Raises UnknownNameError for an entry that is not there.
    """
    if why is not None:
        entry = _entry(result.activation, why)
        render.as_json(entry) if as_json else _show_why(entry)
    elif as_json:
        render.as_json(result)
    else:
        _show_match(result, everything=everything)


def _entry(activation: Activation, wanted: str) -> ActivatedEntry | HeldBackEntry:
    known: list[ActivatedEntry | HeldBackEntry] = [*activation.entries, *activation.held_back]
    found = next((entry for entry in known if wanted in {str(entry.uid), entry.rule, entry.name}), None)
    if found is None:
        names = [name for entry in known for name in (entry.name, entry.rule) if name]
        hint = "--all lists uids and names"
        raise UnknownNameError.among("entry", wanted, names, where=activation.book, hint=hint)
    return found


def _show_why(entry: ActivatedEntry | HeldBackEntry) -> None:
    obstacle = getattr(entry, "obstacle", None)
    fate = "left out" if obstacle else "fires"
    render.line((f"{entry.uid}: {entry.name or entry.rule or 'entry'}", "bold"), f" {fate}")
    if obstacle:
        render.line(("  held back: ", "red"), str(obstacle))
    for reason in entry.reasons:
        render.line(("  speaks for it: ", "green"), str(reason))
    if not obstacle:
        render.block(json.dumps(entry.model_dump(mode="json", exclude={"reasons", "content"}), ensure_ascii=False))


def _show_match(result: MatchResult, *, everything: bool) -> None:
    activation = result.activation
    render.line(
        (f"{activation.book}: {render.counted(len(activation.entries), 'entry fires', 'entries fire')}", "bold"),
        f", {activation.tokens} of {activation.token_budget} tokens,"
        f" {render.counted(activation.messages_scanned, 'message', 'messages')} scanned; {result.vectors}",
    )
    rows = [
        [str(entry.uid), entry.name, entry.position.value, str(entry.tokens), "; ".join(map(str, entry.reasons))]
        for entry in activation.entries
    ]
    if rows:
        render.table(("uid", "entry", "position", "tokens", "why"), rows, numeric=[0, 3])
    for position, text in result.prompt.positions.items():
        _show_text(f"prompt, {position}", text)
    for name, text in result.prompt.outlets.items():
        _show_text(f"prompt, outlet {name}", text)
    for injection in result.prompt.injections:
        _show_text(f"prompt, at depth {injection.depth} as {injection.role}", injection.text)
    render.line()
    _show_held_back(activation.held_back, everything=everything)


def _show_text(heading: str, text: str) -> None:
    render.line()
    render.line((f"── {heading} ──", "bold"))
    render.block(text, indent=0)


def _show_held_back(held_back: Sequence[HeldBackEntry], *, everything: bool) -> None:
    from lorebook.matching.obstacles import NoKey, VectorFloor  # noqa: PLC0415

    told = [entry for entry in held_back if everything or not isinstance(entry.obstacle, NoKey | VectorFloor)]
    silent = len(held_back) - len(told)
    far = (
        " and the chat is not near enough in meaning"
        if any(isinstance(entry.obstacle, VectorFloor) for entry in held_back)
        else ""
    )
    tail = f", {silent} of them because no key stands in the chat{far} (--all lists them)" if silent else ""
    render.line((f"Left out: {len(held_back)}", "bold"), tail)
    if told:
        rows = [[str(entry.uid), entry.name, str(entry.obstacle)] for entry in told]
        render.table(("uid", "entry", "why not"), rows, numeric=[0])
