"""
The laws that every shipped ruleset keeps: form, both languages, own words, and nothing of the document left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lorebook.book import ExportLanguage
from lorebook.formats import card_for
from lorebook.records import Rule
from lorebook.ruleset import MANIFEST, Ruleset, dump_manifest, dump_rule, split_lines

RULES = Path(__file__).parents[2] / "rules"
SEEDS = Path(__file__).parents[3] / "shared" / "seeds"
FOLDERS = sorted(path.parent for path in RULES.glob(f"*/{MANIFEST}"))
WORD_RUN, HAN_RUN = 10, 20

each_ruleset = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)


@pytest.fixture
def ruleset(folder: Path) -> Ruleset:
    return Ruleset.load(folder)


def prose(rule: Rule) -> Iterator[tuple[str, str]]:
    for language, wording in rule.wordings.items():
        for text in (wording.title, wording.text, *wording.examples):
            yield language, text


def word_runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9]+(?:'[a-z]+)?", text.lower().replace("’", "'"))
    return {tuple(words[at : at + WORD_RUN]) for at in range(len(words) - WORD_RUN + 1)}


def han_runs(text: str) -> set[str]:
    """Runs of Chinese text; punctuation and spaces between characters do not break a run."""
    letters = re.sub(r"[^\w]|_", "", text)
    runs = (letters[at : at + HAN_RUN] for at in range(len(letters) - HAN_RUN + 1))
    return {run for run in runs if len(re.findall(r"[\u3400-\u9fff]", run)) >= HAN_RUN - 6}


@each_ruleset
def test_files_are_canonical(folder: Path, ruleset: Ruleset) -> None:
    stale = [rule.id for rule in ruleset.rules if (folder / f"{rule.slug}.yaml").read_bytes() != dump_rule(rule)]
    if (folder / MANIFEST).read_bytes() != dump_manifest(ruleset.manifest):
        stale.append(MANIFEST)
    assert not stale, "not in canonical form; `lorebook rules --rewrite` repairs it"


@each_ruleset
def test_every_rule_is_in_both_languages_with_keys(ruleset: Ruleset) -> None:
    short = [
        rule.id
        for rule in ruleset.rules
        if set(rule.wordings) != {"en", "zh"} or not all(wording.keys for wording in rule.wordings.values())
    ]
    assert not short


@each_ruleset
def test_the_notes_of_the_chinese_card_are_chinese_but_for_names(ruleset: Ruleset) -> None:
    notes = card_for(ruleset, ExportLanguage.ZH).creator_notes
    assert set(re.findall(r"[A-Za-z][A-Za-z0-9]*", notes)) <= {"OCG", "V2", "Mutegannu", "Ekrats", "MIT"}


@each_ruleset
def test_what_readers_are_told_by_language_is_told_in_both(ruleset: Ruleset) -> None:
    manifest = ruleset.manifest
    lines = [manifest.game, manifest.edition, manifest.authority, manifest.licence]
    lines += [rule.authority for rule in ruleset.rules if rule.authority]
    by_language = [line for line in lines if not isinstance(line, str)]
    assert by_language
    assert all(set(line) == {"en", "zh"} for line in by_language)


@each_ruleset
def test_translations_keep_their_shape(ruleset: Ruleset) -> None:
    uneven = [
        rule.id
        for rule in ruleset.rules
        if len({(len(w.examples), len(w.section)) for w in rule.wordings.values()}) > 1
    ]
    assert not uneven


@each_ruleset
def test_links_lead_somewhere(ruleset: Ruleset) -> None:
    known = {rule.id for folder in FOLDERS for rule in Ruleset.load(folder).rules}
    linked = {target for rule in ruleset.rules for target in (*rule.see_also, *rule.conflicts_with)}
    assert not linked - known


def test_conflicts_are_seen_from_both_sides_and_between_rulesets() -> None:
    rules = {rule.id: rule for folder in FOLDERS for rule in Ruleset.load(folder).rules}
    pairs = {(rule.id, other) for rule in rules.values() for other in rule.conflicts_with}
    assert pairs, "the shipped rulesets contradict each other in places, and say where"
    one_sided = {pair for pair in pairs if pair[::-1] not in pairs}
    at_home = {(one, other) for one, other in pairs if rules[one].ruleset == other.partition("/")[0]}
    repeated = [rule.id for rule in rules.values() if len(set(rule.conflicts_with)) < len(rule.conflicts_with)]
    assert not one_sided
    assert not at_home
    assert not repeated


@each_ruleset
def test_own_words(ruleset: Ruleset) -> None:
    if not SEEDS.is_dir():
        pytest.skip("the source documents are not here")
    document = "\n".join(path.read_text("utf-8") for path in sorted(SEEDS.glob("*.txt")))
    words, han = word_runs(document), han_runs(document)
    shared = [
        (rule.id, " ".join(run) if isinstance(run, tuple) else run)
        for rule in ruleset.rules
        for _, text in prose(rule)
        for run in (*(word_runs(text) & words), *(han_runs(text) & han))
    ]
    assert not shared


@each_ruleset
def test_every_line_is_restated_or_set_aside_with_a_reason(ruleset: Ruleset) -> None:
    if not SEEDS.is_dir():
        pytest.skip("the source documents are not here")
    for document in ruleset.manifest.documents:
        lines = split_lines((SEEDS / document.name).read_text("utf-8"))
        spoken = {n for n, line in enumerate(lines, 1) if line.strip()}
        cited = {
            n
            for rule in ruleset.rules
            if rule.source and rule.source.document == document.name
            for span in rule.source.lines
            for n in span.numbers()
        }
        aside = {n for item in document.set_aside for span in item.lines for n in span.numbers()}
        missing = {n: lines[n - 1][:60] for n in sorted(spoken - cited - aside)}
        assert not missing
        assert max(cited | aside) <= document.line_count == len(lines)
