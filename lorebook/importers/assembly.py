"""
From a reading to a ruleset: ids, order, keys, repeated passages, the manifest and the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from lorebook.importers.document import Document, spans
from lorebook.importers.draft import Action, Detection, Draft, Imported, ImportReport, Notice, Reading
from lorebook.importers.keys import propose, unique
from lorebook.importers.naming import Slugs
from lorebook.records import Rule, Source, Span, Wording
from lorebook.ruleset import Document as DocumentEntry
from lorebook.ruleset import Manifest, Ruleset

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the lines done and the lines in all."""


def assemble(
    reading: Reading, document: Document, detection: Detection, *, ruleset: str, progress: Progress | None
) -> Imported:
    """
    Turn *reading* into the ruleset named *ruleset* and the report on how it was made.
    """
    drafts = list(_without_repeats(reading))
    rules = list(_rules(drafts, document, ruleset, progress))
    report = _report(reading, detection, len(rules), len(document.lines))
    return Imported(Ruleset(ruleset, _manifest(reading, document, ruleset), rules), report)


def _without_repeats(reading: Reading) -> Iterator[Draft]:
    """Yield each draft once; a passage printed again cites both places."""
    first: dict[tuple[object, ...], Draft] = {}
    again: dict[tuple[object, ...], list[tuple[int, ...]]] = {}
    for draft in reading.drafts:
        said = _said(draft)
        if said in first:
            again.setdefault(said, []).append(draft.lines)
        else:
            first[said] = draft
    for said, places in again.items():
        numbers = [*first[said].lines, *chain.from_iterable(places)]
        what = f"the passage “{first[said].title}” is printed again; one rule cites every place"
        reading.note(Action.MERGED, numbers, what)
    for said, draft in first.items():
        yield replace(draft, again=tuple(again.get(said, ())))


def _said(draft: Draft) -> tuple[object, ...]:
    text = " ".join(draft.text.split())
    return (draft.section, draft.number, draft.title, text, draft.examples, draft.keys, draft.settings)


def _rules(drafts: list[Draft], document: Document, ruleset: str, progress: Progress | None) -> Iterator[Rule]:
    slugs = Slugs()
    total = len(document.lines)
    if progress:
        progress(0, total)
    for order, draft in enumerate(drafts):
        yield _rule(draft, document, f"{ruleset}/{slugs.take(draft.title)}", order)
        if progress:
            progress(max(draft.lines), total)
    if progress:
        progress(total, total)


def _rule(draft: Draft, document: Document, rule_id: str, order: int) -> Rule:
    title = draft.title if draft.named else "".join(draft.section[-1:])
    keys = propose(title, "\n".join([draft.text, *draft.examples])) if draft.keys is None else draft.keys
    wording = Wording(
        title=" ".join(draft.title.split()),
        section=tuple(" ".join(part.split()) for part in draft.section),
        text=draft.text.strip(),
        examples=draft.examples,
        keys=unique([*keys, *draft.more_keys]) if draft.keys is None else draft.keys,
    )
    return Rule(
        id=rule_id,
        number=draft.number,
        order=order,
        original=document.language,
        wordings={document.language: wording},
        settings=draft.settings,
        source=Source(document=document.name, lines=_cited(draft, document)),
    )


def _cited(draft: Draft, document: Document) -> tuple[Span, ...]:
    return tuple(span for lines in (draft.lines, *draft.again) for span in _joined(lines, document))


def _joined(numbers: tuple[int, ...], document: Document) -> tuple[Span, ...]:
    """Return the spans of *numbers*; lines that only blank lines part are one span."""
    joined: list[Span] = []
    for span in spans(list(numbers)):
        between = range(joined[-1].last, span.first - 1) if joined else range(0)
        if joined and not any(document.lines[n].strip() for n in between):
            joined[-1] = Span(joined[-1].first, span.last)
        else:
            joined.append(span)
    return tuple(joined)


def _manifest(reading: Reading, document: Document, ruleset: str) -> Manifest:
    title = reading.title or ruleset
    return Manifest(
        title={document.language: title},
        game=title,
        edition=f"imported from {document.name}",
        languages=(document.language,),
        authority="the imported document",
        licence="unknown: the document states none",
        documents=(
            DocumentEntry(
                name=document.name,
                sha256=document.sha256,
                line_count=len(document.lines),
                set_aside=tuple(sorted(reading.aside, key=lambda item: item.lines)),
            ),
        ),
    )


def _report(reading: Reading, detection: Detection, rules: int, line_count: int) -> ImportReport:
    made = Notice(
        action=Action.MADE,
        lines=(Span(1, line_count),),
        what=f"{rules} {'rule' if rules == 1 else 'rules'}",
    )
    notices = sorted(reading.notices, key=lambda notice: (notice.lines, notice.action))
    counts = Counter(notice.action.value for notice in notices)
    return ImportReport(
        kind=detection.kind,
        reason=detection.reason,
        counts={"rules": rules, **{action: counts[action] for action in Action if counts[action]}},
        notices=tuple(chain([made], notices)),
    )
