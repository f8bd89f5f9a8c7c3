"""
What must come out of the four source documents, stated against the documents themselves.
"""

from __future__ import annotations

import re

import pytest

from lorebook.importers import Action
from lorebook.records import Position, Rule, Span
from lorebook.ruleset import split_lines
from tests.importers.seeds import lines_of, seed, seed_path


def lines_with(number: str, pattern: str) -> list[str]:
    return [line.strip() for line in split_lines(seed_path(number).read_text("utf-8")) if re.search(pattern, line)]


def titled(number: str, title: str) -> list[Rule]:
    return [rule for rule in seed(number).ruleset.rules if rule.wording().title.lower() == title.lower()]


def at_line(number: str, line: int) -> Rule:
    (rule,) = {rule.id: rule for rule in seed(number).ruleset.rules if line in lines_of(rule)}.values()
    return rule


def noticed(number: str, action: Action) -> list[int]:
    found = [notice for notice in seed(number).report.notices if notice.action is action]
    return sorted({line for notice in found for span in notice.lines for line in span.numbers()})


class TestListing:
    def test_has_24_entries_in_order_with_their_numbers_and_titles(self) -> None:
        headings = lines_with("000", r"^\d+\. #\d+")
        rules = seed("000").ruleset.rules
        assert [f"{rule.number}. #{rule.number}{rule.wording().title}" for rule in rules] == headings
        assert len(rules) == 24
        assert [rule.order for rule in rules] == list(range(24))

    def test_keeps_every_key_exactly(self) -> None:
        listed = [line.removeprefix("Keys: ") for line in lines_with("000", r"^\s+Keys: ")]
        assert [", ".join(rule.wording().keys) for rule in seed("000").ruleset.rules] == listed

    def test_keeps_the_settings(self) -> None:
        settings = lines_with("000", r"·.*%$")
        for rule, line in zip(seed("000").ruleset.rules, settings, strict=True):
            state, position, order, probability = line.split(" · ")
            assert (rule.settings.constant, rule.settings.enabled) == (state == "Always on", True)
            assert (position, rule.settings.position) == ("Before character", Position.BEFORE_CHAR)
            assert order == f"Order {rule.settings.insertion_order}"
            assert probability == f"{rule.settings.probability:g}%"

    def test_keeps_the_text_word_for_word(self) -> None:
        lines = [line.strip() for line in split_lines(seed_path("000").read_text("utf-8"))]
        for rule in seed("000").ruleset.rules:
            told = [line for line in rule.wording().text.split("\n") if line]
            stated = [lines[n - 1] for n in lines_of(rule) if lines[n - 1]]
            # Above the text stand heading, keys and settings.
            assert told == stated[3:]

    def test_keeps_the_file_list_as_provenance(self) -> None:
        (document,) = seed("000").ruleset.manifest.documents
        assert any(item.text.startswith("Showing 24 of 24\n4 files\n") for item in document.set_aside)
        assert not any("Download" in rule.wording().text for rule in seed("000").ruleset.rules)


class TestOutline:
    @pytest.mark.parametrize(
        ("title", "section", "number"),
        [
            ("Main Phase 1", (), "C"),
            ("Set or Summon Monster Cards", ("Main Phase 1",), "C.I"),
            ("Normal Summon", ("Main Phase 1", "Set or Summon Monster Cards"), "C.I.a"),
            ("Tribute Summon", ("Main Phase 1", "Set or Summon Monster Cards", "Normal Summon"), None),
            ("Flip Summon", ("Main Phase 1", "Set or Summon Monster Cards"), "C.I.b"),
            ("Summary", ("Main Phase 1", "Set or Play Spell & Trap Cards"), None),
            ("Replay Rules", ("Battle Phase", "Battle Step"), None),
            ("Main Phase 2", (), "E"),
        ],
    )
    def test_recovers_the_section_tree(self, title: str, section: tuple[str, ...], number: str | None) -> None:
        rules = titled("002", title)
        assert {rule.wording().section for rule in rules} == {section}
        assert {rule.number for rule in rules} == {number}

    def test_cites_both_places_of_the_passage_printed_twice(self) -> None:
        (rule,) = titled("002", "Set or Play Spell & Trap Cards")
        assert rule.source
        assert rule.source.lines == (Span(57, 61), Span(63, 65))
        assert noticed("002", Action.MERGED) == [57, 59, 61, 63, 65]

    @pytest.mark.parametrize("line", [132, 138, 144, 154, 160, 166])
    def test_keeps_a_damage_case_with_its_heading(self, line: int) -> None:
        rule = at_line("002", line)
        results, damage = rule.wording().text.split("\n\n")
        assert results.startswith("Attack Results:")
        assert damage.startswith("Damage:")
        assert line - 2 in lines_of(rule)
        assert rule.wording().section[:3] == ("Battle Phase", "Damage Step", "DETERMINING DAMAGE")

    def test_makes_a_term_with_its_explanation_a_rule(self) -> None:
        assert at_line("002", 92).wording().title == "Start step"
        assert at_line("002", 92).wording().section == ("Battle Phase", "Quick Guide")

    def test_gives_the_replay_rule_its_example(self) -> None:
        (rule,) = titled("002", "Replay Rules")
        assert len(rule.wording().examples) == 1


class TestFlatChinese:
    def test_quotation_marks_are_in_pairs_everywhere(self) -> None:
        for rule in seed("003").ruleset.rules:
            for text in (rule.wording().text, *rule.wording().examples, rule.wording().title):
                assert text.count("“") == text.count("”"), rule.id

    def test_says_which_marks_it_mended(self) -> None:
        assert noticed("003", Action.MENDED) == [57, 133, 169, 181, 183, 185, 233, 271, 291, 357]
        assert "“○○降临”指的是" in at_line("003", 57).wording().text
        assert "“过浅的墓穴”等部分卡的效果" in at_line("003", 183).wording().text

    def test_drops_what_a_script_left(self) -> None:
        assert noticed("003", Action.DROPPED) == [231, 269]
        assert not any("undefined" in rule.wording().text for rule in seed("003").ruleset.rules)

    def test_says_which_lists_are_announced_and_missing(self) -> None:
        assert noticed("003", Action.MISSING) == [239, 289, 357, 371]

    def test_gives_every_example_to_the_rule_before_it(self) -> None:
        document = seed_path("003").read_text("utf-8")
        examples = [example for rule in seed("003").ruleset.rules for example in rule.wording().examples]
        assert len(examples) == document.count("例：")
        assert not any("例：" in rule.wording().text for rule in seed("003").ruleset.rules)
        assert at_line("003", 97) == at_line("003", 95)

    @pytest.mark.parametrize(
        ("line", "topic"),
        [(1, "种族"), (31, "通常怪兽"), (99, "协调"), (137, "通常召唤"), (213, "反转召唤"), (241, "表侧攻击表示"),
         (291, "衍生物"), (327, "诱发效果"), (365, "其他效果")],
    )  # fmt: skip
    def test_recovers_headings_and_topics(self, line: int, topic: str) -> None:
        assert at_line("003", line).wording().title == topic

    def test_groups_at_most_three_paragraphs(self) -> None:
        assert max(rule.wording().text.count("\n\n") for rule in seed("003").ruleset.rules) < 3


class TestBbcode:
    @pytest.mark.parametrize(
        "name",
        ["Mana Phase", "Draw Phase", "Recovery Phase", "Start Phase", "First Phase", "Battle Phase", "Second Phase",
         "End Phase", "Start Step", "Battle Step", "Damage Step", "End Step"],
    )  # fmt: skip
    def test_has_a_rule_for_every_phase_and_step(self, name: str) -> None:
        assert titled("004", name)

    @pytest.mark.parametrize("name", ["regular", "sp", "Ritual", "Fusion", "Retlag", "Zerfaust", "Duobbos", "Icon"])
    def test_has_a_rule_for_every_type_of_monster(self, name: str) -> None:
        assert len(titled("004", f"{name} monsters")) == 1

    @pytest.mark.parametrize("name", ["monster zones", "void zone", "discard pile", "terra deck", "mana reserve"])
    def test_has_a_rule_for_every_zone(self, name: str) -> None:
        (rule,) = titled("004", name)
        assert rule.wording().section == ("the field",)

    def test_has_a_rule_for_every_type_of_spell(self) -> None:
        kinds = {
            rule.wording().title for rule in seed("004").ruleset.rules if rule.wording().section[:1] == ("spell cards",)
        }
        assert kinds == {
            f"{kind} Spell" for kind in ("Normal", "Continuous", "Equip", "Quick-Play", "Ritual", "Fusion")
        }

    @pytest.mark.parametrize(
        ("line", "written", "meant"),
        [(31, "Zerfaust", "zirfaust"), (23, "Zirfaust", "zerfaust"), (73, "Tatics", "tactics"),
         (29, "explantion", "explanation"), (5, "pase", "phase"), (123, "anthor", "another")],
    )  # fmt: skip
    def test_is_found_by_both_spellings(self, line: int, written: str, meant: str) -> None:
        rule = at_line("004", line)
        assert written in rule.wording().text
        assert meant in " ".join(rule.wording().keys).lower()

    def test_reports_what_is_promised_and_missing(self) -> None:
        promised, empty, cut_off = {19, 29, 31, 33, 35}, {69, 191, 202, 205, 208}, {83, 108, 150, 201}
        assert set(noticed("004", Action.MISSING)) == promised | empty | cut_off

    def test_leaves_no_tag_in_a_text(self) -> None:
        texts = [rule.wording().text for rule in seed("004").ruleset.rules]
        assert not [text for text in texts if re.search(r"\[/?(list|i)\]|\[\*\]", text)]
        assert any("chained to the activation of effects" in text for text in texts)
