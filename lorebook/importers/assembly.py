"""
From a reading to a ruleset: ids, order, keys, repeated passages, the manifest and the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from lorebook.errors import DocumentError
from lorebook.importers.document import Document, spans
from lorebook.importers.draft import Action, Detection, Draft, Imported, ImportReport, Notice, Reading
from lorebook.importers.keys import unique
from lorebook.importers.keywords import Keywords, Words
from lorebook.importers.naming import Slugs, number_slug
from lorebook.importers.references import lines_of, links_of
from lorebook.progress import Progress
from lorebook.records import Rule, Source, Span, Wording
from lorebook.ruleset import Document as DocumentEntry
from lorebook.ruleset import Manifest, Ruleset

MOST_RULES = 100_000
"""The most rules that one document may become: each is a file."""

_FEW_NAMED = 3


def assemble(
    reading: Reading,
    document: Document,
    detection: Detection,
    *,
    ruleset: str,
    words: Words | None = None,
    progress: Progress | None = None,
) -> Imported:
    """
    Turn *reading* into the ruleset named *ruleset* and the report on how it was made; *progress* is told in lines.
    """
    drafts = list(_without_repeats(reading))
    if len(drafts) > MOST_RULES:
        what = f"{len(drafts):,} rules came out of it; the limit is {MOST_RULES:,}"
        raise DocumentError(what, where=document.file, hint="split it")
    links, missed = links_of(drafts)
    for said, lines in lines_of(missed).items():
        reading.note(Action.MISSING, lines, f"refers to {said}, which no rule of the document is")
    language = reading.facts.get("language") or document.language
    making = _Making(ruleset, document, language, Keywords(drafts, words))
    rules = list(_rules(drafts, links, making, progress))
    _note_without_keys(rules, reading)
    if document.encoding:
        reading.note(Action.MENDED, [], f"the text was in {document.encoding}; it is kept as UTF-8")
    report = _report(reading, detection, len(rules), len(document.lines))
    return Imported(Ruleset(ruleset, _manifest(reading, document, ruleset, language), rules), report, document.kept)


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


@dataclass(frozen=True)
class _Making:
    """What all rules of one document have in common."""

    ruleset: str
    document: Document
    language: str
    keywords: Keywords


def _rules(drafts: list[Draft], links: list[list[int]], making: _Making, progress: Progress | None) -> Iterator[Rule]:
    ids = _ids(drafts, making.ruleset)
    total = len(making.document.lines)
    if progress:
        progress(0, total)
    done = 0
    for order, draft in enumerate(drafts):
        yield _rule(draft, making, ids[order], order, tuple(ids[place] for place in links[order]))
        done = max(done, *draft.lines)
        if progress:
            progress(done, total)
    if progress:
        progress(total, total)


def _ids(drafts: list[Draft], ruleset: str) -> list[str]:
    """Return an id for each draft; a number names its rule before any title may take the name."""
    slugs = Slugs()
    numbered = [bool(draft.by_number and draft.number) for draft in drafts]
    by_number = {
        place: slugs.take_slug(number_slug(draft.number or "")) for place, draft in enumerate(drafts) if numbered[place]
    }
    return [f"{ruleset}/{by_number.get(place) or slugs.take(draft.title)}" for place, draft in enumerate(drafts)]


def _rule(draft: Draft, making: _Making, rule_id: str, order: int, see_also: tuple[str, ...]) -> Rule:
    wording = Wording(
        title=" ".join(draft.title.split()),
        section=tuple(" ".join(part.split()) for part in draft.section),
        text=draft.text.strip(),
        examples=draft.examples,
        keys=unique([*making.keywords.of(draft), *draft.more_keys]) if draft.keys is None else draft.keys,
    )
    return Rule(
        id=rule_id,
        number=draft.number,
        order=order,
        original=making.language,
        wordings={making.language: wording},
        settings=draft.settings,
        see_also=see_also,
        source=Source(document=making.document.name, lines=_cited(draft, making.document)),
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


def _manifest(reading: Reading, document: Document, ruleset: str, language: str) -> Manifest:
    title = reading.title or ruleset
    facts = _unstated(language, document.file or document.name) | reading.facts
    return Manifest(
        title={language: title},
        game=facts.get("game", title),
        edition=facts["edition"],
        languages=(language,),
        authority=facts["authority"],
        licence=facts["licence"],
        description={language: facts["description"]} if "description" in facts else {},
        documents=(
            DocumentEntry(
                name=document.name,
                sha256=document.sha256,
                line_count=len(document.lines),
                set_aside=tuple(sorted(reading.aside, key=lambda item: item.lines)),
            ),
        ),
    )


def _unstated(language: str, file: str) -> dict[str, str]:
    """What is said of a document that says nothing of itself, in its own language where we write it."""
    if language == "zh":
        return {"edition": f"导入自“{file}”", "authority": "所导入的文档", "licence": "未知（文档没有写明）"}
    return {
        "edition": f"imported from {file}",
        "authority": "the imported document",
        "licence": "unknown: the document states none",
    }


def _note_without_keys(rules: Sequence[Rule], reading: Reading) -> None:
    """Say once which rules no chat activates, for want of a key."""
    without = [rule for rule in rules if not rule.wording().keys and not rule.settings.constant]
    if not without:
        return
    first = without[:_FEW_NAMED]
    lines = [number for rule in first if rule.source for span in rule.source.lines for number in span.numbers()]
    count, them = ("1 rule has", "it") if len(without) == 1 else (f"{len(without)} rules have", "them")
    named = ", ".join(rule.id for rule in first) + (f" and {rest} more" if (rest := len(without) - len(first)) else "")
    reading.note(Action.MISSING, lines, f"{count} no key, so no chat activates {them}: {named}")


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
