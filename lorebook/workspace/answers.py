"""
A hit of the index becomes what a reader needs to trust it: the whole rule, whose rule it is, the lines it restates.
"""

from __future__ import annotations

from pathlib import Path

from lorebook.records import Rule, told
from lorebook.retrieval.hits import Hit, Near
from lorebook.ruleset import read_manifest, read_rule, source_text, split_lines
from lorebook.workspace.views import AnswerHit, SourceLine


def answer_hit(folder: Path, hit: Hit) -> AnswerHit:
    """
    Return *hit* with its rule, read from the ruleset in *folder*.
    """
    manifest = read_manifest(folder)
    rule = _rule(folder, hit)
    return AnswerHit(
        rule=_shown(rule, hit.language),
        ruleset_title=told(manifest.title, hit.language),
        edition=told(manifest.edition, hit.language),
        authority=told(rule.authority or manifest.authority, hit.language),
        hit=hit,
        source_lines=_source_lines(folder, rule),
    )


def near(folder: Path, hit: Hit) -> Near:
    """
    Return *hit*, which is no answer, with the title of its rule in the ruleset in *folder*.
    """
    wording = _rule(folder, hit).wording(hit.language)
    return Near(
        rule=hit.rule, title=" > ".join((*wording.section, wording.title)), score=hit.score, why=tuple(hit.why())
    )


def _rule(folder: Path, hit: Hit) -> Rule:
    return read_rule(folder / f"{hit.rule.partition('/')[2]}.yaml")


def _shown(rule: Rule, language: str) -> Rule:
    """
    Return *rule* without what is only searched, and with its authority in *language*.
    """
    wordings = {code: wording.model_copy(update={"asked": ()}) for code, wording in rule.wordings.items()}
    authority = rule.authority and told(rule.authority, language)
    return rule.model_copy(update={"wordings": wordings, "authority": authority})


def _source_lines(folder: Path, rule: Rule) -> tuple[SourceLine, ...]:
    text = source_text(folder, rule.source.document) if rule.source else None
    if not rule.source or text is None:
        return ()
    lines = split_lines(text)
    numbers = [n for span in rule.source.lines for n in range(span.first, min(span.last, len(lines)) + 1)]
    return tuple(SourceLine(number=number, text=lines[number - 1]) for number in numbers if lines[number - 1].strip())
