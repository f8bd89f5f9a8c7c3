"""
`ask`, `index`, `eval`: commands about retrieval.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lorebook.cli import answering, render
from lorebook.cli.options import (
    JsonOption,
    LanguageFilter,
    ModelOption,
    PreferOption,
    RerankerOption,
    RulesetFilter,
    ServedJsonOption,
    StoreOption,
    WorkspaceOption,
    choices,
    preferred,
)
from lorebook.errors import InputError

if TYPE_CHECKING:
    from lorebook.retrieval.evaluation import Report, RunRow
    from lorebook.retrieval.judging import Record
    from lorebook.workspace import Workspace


def add_commands(app: typer.Typer) -> None:
    """
    Add this module's commands to *app*.
    """
    app.command(epilog='Try: lorebook ask 手牌上限   lorebook ask "piercing damage" -r bfm-v2')(ask)
    app.command(epilog="Try: lorebook index --workspace my-rules")(index)
    app.command("eval", epilog="Try: lorebook eval queries.jsonl --run run.jsonl --records records.jsonl")(evaluate)


def ask(
    question: Annotated[str, typer.Argument(help="A question, a scene or a single term, in English or Chinese.")],
    *,
    ruleset: RulesetFilter = None,
    language: LanguageFilter = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="Rules shown at most.")] = 5,
    prefer: PreferOption = None,
    model: ModelOption = None,
    store: StoreOption = None,
    reranker: RerankerOption = None,
    workspace: WorkspaceOption = None,
    as_json: ServedJsonOption = False,
) -> None:
    """
    Find the rules that answer a question, and say where rulesets disagree on it.

    Exit code 0 also where no rule answers.
    """
    from lorebook.retrieval.question import MAX_QUESTION  # noqa: PLC0415
    from lorebook.workspace import Workspace  # noqa: PLC0415

    if len(question) > MAX_QUESTION:
        what = f"the question has {len(question):,} characters, {MAX_QUESTION:,} at most are taken"
        raise InputError(what, hint="`lorebook match` reads long texts")
    opened = Workspace.open(workspace, choices(model=model, store=store, reranker=reranker))
    render.complain_of_strays(opened.strays)
    with render.progress("Building the index") as progress:
        answer = opened.ask(
            question,
            rulesets=ruleset,
            languages=language,
            limit=limit,
            prefer=preferred(opened, prefer),
            progress=progress,
        )
    if as_json:
        render.as_json(answer)
        return
    answering.show(answer, workspace)


def index(
    *,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Build from nothing, embedding every passage anew.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only say in which condition the index is; exit 1 if not current.")
    ] = False,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="Also write index/vectors/, which repositories keep with their rules.")
    ] = False,
    model: ModelOption = None,
    store: StoreOption = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """
    Build the index of a workspace; passages that did not change are not embedded again.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415

    opened = Workspace.open(workspace, choices(model=model, store=store))
    if check:
        raise typer.Exit(_check(opened, vectors=vectors, as_json=as_json))
    with render.progress("Embedding passages") as progress:
        report = opened.build_index(rebuild=rebuild, keep_vectors=vectors, progress=progress)
    if as_json:
        render.as_json(report)
    else:
        render.line(str(report))


def _check(opened: Workspace, *, vectors: bool, as_json: bool) -> int:
    """
    Say in which condition the index is, or whether the vectors kept beside the rules are theirs.
    """
    from lorebook.retrieval.condition import CURRENT, Condition, State  # noqa: PLC0415

    if vectors:
        why = opened.index_staleness(vectors=True)
        found = Condition(state=State.STALE, why=why) if why else CURRENT
    else:
        found = opened.index_condition()
    if as_json:
        render.as_json({"current": found.is_current, "state": found.state, "why": found.why})
    elif found.is_current:
        render.line("The index is current.")
    else:
        render.line(f"The index is {found.state}: {found.why}. Run `lorebook index`.")
    return 0 if found.is_current else 1


def evaluate(
    queries: Annotated[Path, typer.Argument(help="Judged queries, one JSON object a line.", metavar="QUERIES.jsonl")],
    *,
    documents: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The source documents; default: where the workspace or the queries keep them."
        ),
    ] = None,
    run: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the ranked rules of every query.")] = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every rule and the lines it restates.")
    ] = None,
    model: ModelOption = None,
    store: StoreOption = None,
    reranker: RerankerOption = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """
    Measure retrieval on judged queries: nDCG@10, recall@5, answer@5, MRR@10 by kind, false activation, silence.
    """
    from lorebook.workspace import Workspace  # noqa: PLC0415

    opened = Workspace.open(workspace, choices(model=model, store=store, reranker=reranker))
    with render.progress("Asking") as progress:
        report = opened.evaluate(queries, documents=documents, progress=progress)
    _write_rows(run, report.run)
    _write_rows(records, report.records)
    if as_json:
        render.as_json(report.summary())
    else:
        _show_report(report)


def _write_rows(target: Path | None, rows: Sequence[RunRow | Record]) -> None:
    from lorebook import atomic  # noqa: PLC0415
    from lorebook.retrieval.evaluation import json_lines  # noqa: PLC0415

    if target:
        atomic.write_file(target, json_lines(rows).encode())


def _show_report(report: Report) -> None:
    metrics = ("ndcg@10", "recall@5", "answer@5", "mrr@10")
    rows = [
        [kind, str(int(scores["n"])), *(f"{scores[metric]:.3f}" for metric in metrics)]
        for kind, scores in report.summary().items()
        if isinstance(scores, dict)
    ]
    render.table(("kind", "n", *metrics), rows, numeric=range(1, 6))
    render.line(
        f"unanswerable: false activation {report.false_activation:.2f}; answerable queries without a hit"
        f" {report.silenced:.2f}; judged quotes in no record: {len(report.lost)}"
    )
    for lost in report.lost:
        render.line((f"  {lost.query}: {lost.source}: {lost.quote}", "dim"))
