"""
What `ask` prints of an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lorebook.cli import render
from lorebook.cli.options import in_workspace, takes_links

if TYPE_CHECKING:
    from lorebook.records import Wording
    from lorebook.workspace.views import Answer, AnswerHit, ConflictView

SHORT = 600
"""Columns of a rule's text that is shown whole: a passage alone may leave out what turns it into its opposite."""
# Rules that disagree on other points than the one that was asked of, as many as are named.
_ELSEWHERE = 3


def show(answer: Answer, workspace: Path | None) -> None:
    """
    Print *answer*, which is of the *workspace* that was named.
    """
    if not answer.hits:
        render.line("No rule answers this.")
    for near in answer.nearest:
        render.line("Nearest, but unsure: ", near.title, ("  " + near.rule, "cyan"), hanging=3)
        render.block("why: " + "; ".join(near.why), indent=3, style="dim")
    told: set[str] = set()
    for number, hit in enumerate(answer.hits, 1):
        _show_hit(number, hit, in_workspace(workspace))
        _show_conflicts(hit, told)
        _show_doubts(hit, in_workspace(workspace) if takes_links(workspace) else None)
        render.line()


def _show_hit(number: int, answer: AnswerHit, where: str) -> None:
    from lorebook.workspace.restating import other_words  # noqa: PLC0415

    rule, hit = answer.rule, answer.hit
    wording = rule.wording(hit.language)
    heading = " > ".join((*_told(wording.section, answer.ruleset_title), wording.title))
    render.line((f"{number}. {heading}", "bold"), ("  " + rule.id, "cyan"), hanging=3)
    _show_text(hit.text, wording)
    if not _is_short(wording):
        render.command(f"the whole rule: lorebook rules {rule.id}{where}", indent=3)
    render.block(" · ".join(_provenance(answer)), indent=3, style="dim")
    render.block("why: " + "; ".join(hit.why()), indent=3, style="dim")
    for line in other_words(answer):
        render.line((f"line {line.number}: {line.text}", "dim"), indent=3, hanging=3)


def _told(section: Sequence[str], title: str) -> Iterator[str]:
    """
    Yield the headings of *section* but for the document's *title*, which is told of every hit anyway.
    """
    return (heading for heading in section if heading.casefold() != title.casefold())


def _is_short(wording: Wording) -> bool:
    from lorebook.retrieval.passages import columns  # noqa: PLC0415

    return columns(wording.text) <= SHORT


def _show_text(passage: str, wording: Wording) -> None:
    """
    Print a short rule whole, with the *passage* that answers in bold, and of a long one the passage.
    """
    if not _is_short(wording):
        render.block(passage, indent=3)
        return
    paragraphs = [line.strip() for line in wording.text.split("\n") if line.strip()]
    answering = passage.split("\n")
    for paragraph in paragraphs:
        render.line(*_marked(paragraph, answering if len(paragraphs) > 1 else ()), indent=3)
    if not any(part in paragraph for part in answering for paragraph in paragraphs):
        # An example answers.
        render.block(passage, indent=3, style="bold")


def _marked(paragraph: str, answering: Sequence[str]) -> list[str | tuple[str, str]]:
    """
    Return *paragraph* in parts, those of it that are *answering* in bold.
    """
    part = next((each for each in answering if each in paragraph), None)
    if part is None:
        return [paragraph]
    before, _, after = paragraph.partition(part)
    return [before, (part, "bold"), after]


def _provenance(answer: AnswerHit) -> list[str]:
    source = f"source {answer.rule.source}" if answer.rule.source else "no source document"
    return [answer.ruleset_title, answer.edition, answer.authority, answer.hit.language, source]


def _show_conflicts(answer: AnswerHit, told: set[str]) -> None:
    elsewhere = []
    for conflict in answer.conflicts:
        if conflict.on_point or conflict.own:
            _show_conflict(answer, conflict, told)
        else:
            elsewhere.append(f"{conflict.title} ({conflict.rule})")
    if elsewhere:
        more = len(elsewhere) - _ELSEWHERE
        named = "; ".join(elsewhere[:_ELSEWHERE]) + (f"; and {more} more" if more > 0 else "")
        render.block(f"on other points of this rule, others disagree: {named}", indent=3, style="dim")


def _show_conflict(answer: AnswerHit, conflict: ConflictView, told: set[str]) -> None:
    """
    The other rule beneath a hit: in full where its passage is not *told* yet, else in one line.
    """
    label = "disagrees"
    if conflict.ruling:
        label = "but" if conflict.ruling == answer.rule.id else "the ruling of your ruleset"
    if conflict.own:
        label += ", on another point of this rule"
    if not conflict.asked:
        label += ", not asked"
    place = f", {conflict.place}. here" if conflict.place else ""
    if conflict.text in told:
        place = ", as above"
    heading = ((f"{label}: ", "yellow"), conflict.title, (f"  {conflict.rule}", "cyan"), place)
    render.line(*heading, indent=3, hanging=3)
    if conflict.own and conflict.own not in told:
        told.add(conflict.own)
        render.block(f"here: {conflict.own}", indent=6)
    if conflict.text and conflict.text not in told:
        told.add(conflict.text)
        render.block(conflict.text, indent=6)
        provenance = (conflict.ruleset_title, conflict.edition, conflict.authority, conflict.language)
        render.block(" · ".join(provenance), indent=6, style="dim")


def _show_doubts(answer: AnswerHit, where: str | None) -> None:
    from lorebook.workspace.linking import command  # noqa: PLC0415

    for doubt in answer.doubts:
        heading = (("may disagree: ", "yellow"), doubt.title, (f"  {doubt.rule}", "cyan"), f", {doubt.place}. here")
        render.line(*heading, f": {doubt.label}", indent=3, hanging=3)
        if where is not None:
            render.block("if they do, this links them:", indent=6, style="dim")
            render.command(command(answer.rule.id, doubt.rule) + where, indent=6)
