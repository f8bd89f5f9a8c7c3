"""
The keys that importers propose, each measured by what it does in a chat: judged queries are asked of them alone.

    python -m tests.benchmarks.keys [DOCUMENT…] [--json]

The four source documents are imported as they are; every query is a chat of one message, matched against the books of
the documents that it asks and that are in its language, with no budget and nothing found by meaning. Shown is, for
all queries, for those of each language and for each document: how many of those that have an answer there fire one
(recall), how many of the entries that fire are judged right (precision), how many fire a query, also where nothing
answers it. Each is told for our preset and for SillyTavern's, where most of such keys end.

Of each document, which keeps the keys that it lists: how many keys an entry has, and how many of a hundred entries a
paragraph of XQuAD fires, which is about no game. With DOCUMENT the keys of its rules are printed instead, to be read
with an author's eye. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from lorebook.matching.presets import Preset
from lorebook.records import Rule
from lorebook.retrieval.evaluation import Sources, read_queries
from lorebook.retrieval.judging import JudgedQuery
from lorebook.scripts import language_of
from lorebook.workspace import Workspace
from lorebook.workspace.matching import MatchOptions
from tests.benchmarks.retrieval_corpora import read_corpus
from tests.benchmarks.retrieval_judged import QUERIES, SEEDS
from tests.conftest import SHARED

XQUAD = SHARED / "retrieval" / "xquad"
_NO_BUDGET = 10**9


@dataclass(frozen=True)
class Asked:
    """
    What one query fired, and what it should have.
    """

    language: str
    books: frozenset[str]
    fired: frozenset[str]
    answers: frozenset[str]
    """Rules that hold a judged quote which answers it."""
    right: frozenset[str]
    """Rules that hold any judged quote."""
    is_hopeless: bool
    """Whether no rule of any document answers it."""

    def within(self, *books: str) -> Asked:
        """
        Return what is so of the rules of *books* alone.
        """
        fired, answers, right = (
            frozenset(rule for rule in rules if rule.partition("/")[0] in books)
            for rules in (self.fired, self.answers, self.right)
        )
        return Asked(self.language, frozenset(books), fired, answers, right, self.is_hopeless)


@dataclass(frozen=True)
class Firing:
    """
    What the keys do to some queries.
    """

    preset: str
    queries: str
    n: int
    recall: float
    precision: float
    fired: float
    """Entries a query."""
    fired_unanswerable: float
    """Entries a query that no rule answers."""


@dataclass(frozen=True)
class Held:
    """
    How many keys the entries of a ruleset have.
    """

    ruleset: str
    entries: int
    keys: float
    """A mean over the entries."""
    without: int
    """Entries without a key."""
    astray: float
    """Of a hundred entries, those that a paragraph about something else fires."""


def imported(folder: Path, documents: Sequence[Path]) -> Workspace:
    """
    Return a workspace in the empty *folder* with the *documents*, as the command imports them.
    """
    Workspace.import_documents(documents, folder / "workspace")
    return Workspace.open(folder / "workspace")


def firings(workspace: Workspace, queries: Sequence[JudgedQuery]) -> Iterator[Firing]:
    """
    Yield what the keys of *workspace* do to *queries*, by preset, language and document.
    """
    for preset in Preset:
        asked = list(_ask(workspace, queries, preset))
        yield firing_of(preset, "all", asked)
        for language in sorted({each.language for each in asked}):
            yield firing_of(preset, language, [each for each in asked if each.language == language])
        for book in workspace.rulesets:
            yield firing_of(preset, book, [each.within(book) for each in asked if book in each.books])


def held(workspace: Workspace) -> Iterator[Held]:
    """
    Yield how many keys the entries of each ruleset have, and how many entries fire where they should not.
    """
    for name, ruleset in workspace.rulesets.items():
        counts = [len(rule.wording().keys) for rule in ruleset.rules]
        spoken = ruleset.manifest.languages[0]
        texts = list(read_corpus(XQUAD / f"{spoken}-{spoken}").paragraphs.values())
        fired = sum(1 for text in texts for _ in _fired(workspace, text, [name], _options(Preset.LOREBOOK)))
        astray = 100 * fired / len(texts) / len(counts)
        yield Held(name, len(counts), fmean(counts), counts.count(0), astray)


def _options(preset: Preset) -> MatchOptions:
    return MatchOptions(preset=preset, language="both", token_budget=_NO_BUDGET, recursive=False, vector_limit=0)


def _ask(workspace: Workspace, queries: Sequence[JudgedQuery], preset: Preset) -> Iterator[Asked]:
    """Yield what each query fires in the rulesets of its own language; in another no key can stand in it."""
    sources = Sources(queries, workspace.rulesets.values(), SEEDS)
    judge = sources.judge()
    spoken = {name: ruleset.manifest.languages[0] for name, ruleset in workspace.rulesets.items()}
    for query in queries:
        language = language_of(query.query)
        books = frozenset(name for name in sources.filter_of(query) if spoken[name] == language)
        if not books:
            continue
        holding = [(quote.grade, judge.holders(quote)) for quote in query.quotes]
        right = frozenset[str]().union(*(holders for _, holders in holding))
        best = frozenset[str]().union(*(holders for grade, holders in holding if grade > 1))
        fired = frozenset(_fired(workspace, query.query, sorted(books), _options(preset)))
        yield Asked(language, books, fired, best or right, right, not query.quotes)


def _fired(workspace: Workspace, text: str, books: Iterable[str], options: MatchOptions) -> Iterator[str]:
    chat = [{"role": "user", "content": text}]
    for book in books:
        result = workspace.match_messages(chat, book, options=options)
        yield from (entry.rule for entry in result.activation.entries if entry.rule)


def firing_of(preset: Preset, queries: str, asked: Sequence[Asked]) -> Firing:
    """
    Return what the keys do to the *queries* that were *asked*.
    """
    answerable = [here for each in asked if (here := each.within(*each.books)).answers]
    hopeless = [len(each.fired) for each in asked if each.is_hopeless]
    fired = sum(len(each.fired) for each in answerable)
    return Firing(
        preset=preset.value,
        queries=queries,
        n=len(answerable),
        recall=fmean(bool(each.fired & each.answers) for each in answerable),
        precision=sum(len(each.fired & each.right) for each in answerable) / max(1, fired),
        fired=fired / len(answerable),
        fired_unanswerable=fmean(hopeless) if hopeless else 0.0,
    )


def show(firing: Sequence[Firing], holding: Sequence[Held]) -> None:
    """
    Print a line each.
    """
    print(f"{'preset':13}{'queries':14}{'n':>5}{'recall':>9}{'precision':>11}{'fired':>8}{'unanswerable':>14}")
    for each in firing:
        print(
            f"{each.preset:13}{each.queries[:12]:14}{each.n:>5}{each.recall:>9.3f}{each.precision:>11.3f}"
            f"{each.fired:>8.2f}{each.fired_unanswerable:>14.2f}"
        )
    print(f"\n{'ruleset':28}{'entries':>8}{'keys':>7}{'without':>9}{'astray':>8}")
    for row in holding:
        print(f"{row.ruleset[:27]:28}{row.entries:>8}{row.keys:>7.2f}{row.without:>9}{row.astray:>8.2f}")


def show_keys(rules: Iterable[Rule]) -> None:
    """
    Print the keys of each of *rules* under its title.
    """
    for rule in rules:
        print(f"{' > '.join(rule.wording().section)} | {rule.wording().title}\n    {'; '.join(rule.wording().keys)}")


def main() -> int:
    """
    Run it and print what came of it.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.keys", description=__doc__)
    parser.add_argument("documents", nargs="*", type=Path, help="print the keys of their rules instead")
    parser.add_argument("--json", action="store_true", help="print the last line only")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        workspace = imported(Path(folder), given.documents or sorted(SEEDS.glob("*.txt")))
        if given.documents:
            for ruleset in workspace.rulesets.values():
                show_keys(ruleset.rules)
            return 0
        firing, holding = list(firings(workspace, read_queries(QUERIES))), list(held(workspace))
    if not given.json:
        show(firing, holding)
    print(json.dumps({"firing": [asdict(each) for each in firing], "held": [asdict(each) for each in holding]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
