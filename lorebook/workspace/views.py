"""
What the edges show of rules and chats: the same objects become the command line's tables, its JSON and the service's
answers. What is shown of files is in `fileviews`.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from lorebook.importers import ImportReport
from lorebook.matching.activation import Activation
from lorebook.prompt import Prompt
from lorebook.records import Frozen, Language, Line, Rule, RuleId, told
from lorebook.retrieval.hits import Hit, Near
from lorebook.ruleset import Manifest, Ruleset
from lorebook.workspace.contrasts import Contrast


class ManifestView(Manifest):
    """
    What `ruleset.toml` says, each line in the ruleset's original language.
    """

    game: Line
    edition: Line
    authority: Line
    licence: Line

    @classmethod
    def of(cls, manifest: Manifest) -> ManifestView:
        """
        Return the view of *manifest*.
        """
        lines = ("game", "edition", "authority", "licence")
        said = {name: told(getattr(manifest, name), manifest.languages[0]) for name in lines}
        return cls.model_validate({**dict(manifest), **said})


class RulesetView(Frozen):
    """
    A ruleset, without its rules.
    """

    name: str
    manifest: ManifestView
    rules: int
    digest: str = Field(description="sha256 of the canonical text of everything in it.")

    @classmethod
    def of(cls, ruleset: Ruleset) -> RulesetView:
        """
        Return the view of *ruleset*.
        """
        manifest = ManifestView.of(ruleset.manifest)
        return cls(name=ruleset.name, manifest=manifest, rules=len(ruleset.rules), digest=ruleset.digest)


class SourceLine(Frozen):
    """
    A line of a source document that a rule restates.
    """

    number: int
    text: str


class ConflictView(Frozen):
    """
    A rule of another ruleset that decides the point of a hit otherwise.
    """

    rule: RuleId
    ruleset_title: str
    edition: str
    authority: str
    language: Language
    title: str
    text: str | None = Field(
        description="What it says on the point; null where it is a hit that shows it, was not asked, or where neither "
        "the passage that answers is on the point nor `own` is."
    )
    own: str | None = Field(
        default=None, description="What the hit's rule says on the point, where its passage that answers does not."
    )
    place: int | None = Field(description="Its place among the hits, from 1; null where it is none of them.")
    asked: bool = Field(description="Whether its ruleset is among those that were asked.")
    on_point: bool = Field(description="False where the hit's rule has several points, and they disagree on another.")
    ruling: RuleId | None = Field(description="The side of the preferred ruleset; null where neither is.")


class DoubtView(Frozen):
    """
    A hit of another ruleset that may decide the point of a hit otherwise: no link says so, but their words differ.
    """

    rule: RuleId
    title: str
    place: int = Field(description="Its place among the hits, from 1.")
    label: str = Field(description="The plainest of the contrasts in words, such as `numbers differ: 6 / 7`.")
    contrasts: tuple[Contrast, ...]


class AnswerHit(Frozen):
    """
    A rule that answers, with what a reader needs to trust it.
    """

    rule: Rule = Field(description="Without its `asked`, which is for searching.")
    ruleset_title: str
    edition: str
    authority: str
    hit: Hit
    source_lines: tuple[SourceLine, ...] = Field(default=(), description="Where the workspace keeps the document.")
    conflicts: tuple[ConflictView, ...] = Field(
        default=(), description="Where rulesets disagree on the point; each pair of rules once, at its first hit."
    )
    doubts: tuple[DoubtView, ...] = Field(default=(), description="Where they may; each pair once, at its first hit.")


class Answer(Frozen):
    """
    The rules that answer a question, best first.
    """

    question: str
    prefer: str | None = Field(default=None, description="The ruleset that was preferred.")
    hits: tuple[AnswerHit, ...]
    nearest: tuple[Near, ...] = Field(default=(), description="Where there is no hit: what comes nearest, unsure.")


class Verdict(StrEnum):
    """
    How two rules on one point stand to each other.
    """

    CONFLICT = "conflict"
    """They say so themselves."""
    DIFFERENT = "different"
    """A sign of a difference was found in their words: of numbers, of how often, of what is allowed."""
    REWORDED = "reworded"
    """They are nearly the same text, or of two editions of one book; whether they mean the same was not found out."""
    ALIKE = "alike"
    """No sign of a difference was found; that is no proof that there is none."""
    SAME = "same"
    """They say the same, word for word."""


class StatementView(Frozen):
    """
    What a rule says on a point.
    """

    rule: RuleId
    title: str
    language: Language
    text: str = Field(description="The passage, not the whole rule; empty where only the other rule has such a one.")


class PairView(Frozen):
    """
    Two rules on one point.
    """

    verdict: Verdict
    label: str = Field(description="The verdict in words, such as `conflict (linked)` or `numbers differ: 6 / 7`.")
    one: StatementView
    other: StatementView
    contrasts: tuple[Contrast, ...] = Field(default=(), description="Signs of a difference, the plainest first.")
    nearness: float = Field(description="How far the passages' likeness stands out, in standard deviations.")
    link: str | None = Field(default=None, description="The command that links them; null where none is due.")


class OnlyView(Frozen):
    """
    A rule without a counterpart in the other ruleset.
    """

    rule: RuleId
    title: str
    nearest: RuleId | None = Field(description="A rule that touches the same point but answers to another rule better.")


class Comparison(Frozen):
    """
    Where two rulesets differ, agree and stand alone.
    """

    one: str
    other: str
    one_title: str
    other_title: str
    topic: str | None = None
    pairs: tuple[PairView, ...]
    only_one: tuple[OnlyView, ...]
    only_other: tuple[OnlyView, ...]
    counts: dict[str, int] = Field(description="How many there are of each, before a limit.")


class MatchResult(Frozen):
    """
    What a chat activates in a book, and the prompt text that results.
    """

    activation: Activation
    prompt: Prompt
    vectors: str = Field(description="Whether meaning was looked at, and if not, why.")


class ImportView(Frozen):
    """
    A document that became a ruleset.
    """

    file: str
    folder: str = Field(description="Where the rules were written.")
    ruleset: RulesetView
    report: ImportReport
    removed: tuple[str, ...] = Field(default=(), description="Records that the replaced ruleset had beside these.")
