"""Card V3's decorators: what a head says, and what it does to an entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lorebook.book import Book, Entry
from lorebook.matching.activation import Activation, State
from lorebook.matching.chat import Message
from lorebook.matching.decorators import Ignored, read_head
from lorebook.matching.engine import CompiledBook, match
from lorebook.matching.presets import Preset
from lorebook.matching.reasons import VectorHit
from lorebook.matching.settings import MatchSettings
from lorebook.prompt import insert, render
from lorebook.records import EntrySettings, Position, Role

FIRED_BEFORE = State(matched=("book.0",))


def chat(*texts: str) -> tuple[Message, ...]:
    """Messages in turn, the user's first."""
    return tuple(Message(role=(Role.USER, Role.ASSISTANT)[n % 2], content=text) for n, text in enumerate(texts))


def entry(uid: int, *keys: str, content: str = "A rule.", **settings: Any) -> Entry:
    return Entry(uid=uid, name=f"entry {uid}", keys=keys, content=content, settings=EntrySettings(**settings))


def book(*entries: Entry, **fields: Any) -> Book:
    return Book(name="test", entries=entries, **fields)


def fired(activation: Activation) -> list[int]:
    return [item.uid for item in activation.entries]


def why_not(activation: Activation) -> str:
    (held,) = activation.held_back
    return str(held.obstacle)


@dataclass(frozen=True)
class Case:
    """One entry with the key `dragon` under a head, and the chat it meets."""

    head: str
    texts: tuple[str, ...] = ("dragon",)
    settings: dict[str, Any] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    """What the caller hands over beside the chat."""

    def run(self) -> Activation:
        made = book(entry(0, "dragon", content=f"{self.head}\nA rule.", **self.settings))
        return match(chat(*self.texts), made, **self.given)


COMES_IN = [
    Case("@@activate", ("nothing",)),
    Case("@@activate\n@@dont_activate", ("nothing",)),
    Case("@@dont_activate\n@@activate", ("nothing",)),
    Case("@@activate\n@@activate_only_after 9", ("nothing",)),
    Case("@@activate\n@@exclude_keys dragon"),
    Case("@@activate\n@@dont_activate_after_match", given={"state": FIRED_BEFORE}),
    Case("@@activate_only_after 1", ("x", "y", "dragon")),
    Case("@@activate_only_after 0"),
    Case("@@activate_only_after -3"),
    Case("@@activate_only_every 2", ("x", "y", "x", "y", "dragon")),
    Case("@@activate_only_every 2"),
    Case("@@keep_activate_after_match"),
    Case("@@keep_activate_after_match", ("nothing",), given={"state": FIRED_BEFORE}),
    Case("@@keep_activate_after_match\n@@activate_only_after 9", ("nothing",), given={"state": FIRED_BEFORE}),
    Case("@@dont_activate_after_match"),
    Case("@@is_greeting 1", given={"greeting": 1}),
    Case("@@is_greeting 1"),
    Case("@@is_user_icon cloak", given={"user_icon": "cloak"}),
    Case("@@is_user_icon cloak"),
    Case("@@scan_depth 5", ("dragon", "x", "x", "x", "x")),
    Case("@@additional_keys ice, fire", ("dragon fire",)),
    Case("@@additional_keys ice, fire\n@@additional_keys sea", ("dragon fire", "the sea")),
    Case("@@additional_keys /\\d{1,2} heads/i", ("a dragon of 7 Heads",)),
    Case("@@exclude_keys ice", ("dragon fire",)),
    Case("@@exclude_keys ice\n@@scan_depth 1", ("ice", "dragon")),
    Case("@@exclude_keys ice\n@@exclude_keys fire", ("dragon fire",)),
    Case("@@exclude_keys_all ice, fire", ("dragon fire",)),
    Case("@@match_partial_word", ("dragonfly",)),
    Case("@@match_partial_word\n@@match_full_word", ("dragonfly",)),
    Case("@@probability 100", settings={"probability": 0}),
    Case("@@instruct_scan_depth 0"),
    Case("@@unheard_of 4"),
]

STAYS_OUT = [
    (Case("@@dont_activate"), "forced off by a decorator"),
    (Case("@@dont_activate", settings={"constant": True}), "forced off by a decorator"),
    (Case("@@dont_activate\n@@keep_activate_after_match", given={"state": FIRED_BEFORE}), "forced off by a decorator"),
    (Case("@@activate", settings={"enabled": False}), "disabled"),
    (Case("@@activate_only_after 2", ("x", "y", "dragon")), "until the assistant has written 2 messages, it has"),
    (Case("@@activate_only_every 2", ("x", "y", "dragon")), "messages is a multiple of 2, it is 1"),
    (Case("@@keep_activate_after_match", ("nothing",)), "none of 1 keys"),
    (Case("@@dont_activate_after_match", given={"state": FIRED_BEFORE}), "has fired once"),
    (Case("@@is_greeting 1", given={"greeting": 0}), "belongs to greeting 1, and 0 is in use"),
    (Case("@@is_user_icon cloak", given={"user_icon": "mask"}), "user icon 'cloak', and 'mask' is in use"),
    (Case("@@scan_depth 1", ("dragon", "x")), "none of 1 keys in the last 1 messages"),
    (Case("@@scan_depth 0"), "none of 1 keys in the last 0 messages"),
    (Case("@@additional_keys ice, fire"), "none of its additional keys (ice, fire)"),
    (Case("@@additional_keys ice", settings={"constant": True}), "none of its additional keys (ice)"),
    (Case("@@additional_keys ice", given={"vector_hits": {0: VectorHit(score=1)}}), "none of its additional keys"),
    (Case("@@additional_keys fire\n@@additional_keys sea", ("dragon fire",)), "none of its additional keys (sea)"),
    (Case("@@exclude_keys ice, fire", ("dragon fire",)), "kept out by fire, of its excluded keys (ice, fire)"),
    (Case("@@exclude_keys ice", ("nothing",)), "none of 1 keys"),
    (Case("@@exclude_keys ice", ("dragon ice",), {"constant": True}), "kept out by ice"),
    (Case("@@exclude_keys_all ice, fire", ("dragon fire and ice",)), "all of its excluded keys (ice, fire)"),
    (Case("@@match_full_word", ("dragonfly",), {"match_whole_words": False}), "none of 1 keys"),
    (Case("@@match_word_boundary", ("dragonfly",), {"match_whole_words": False}), "none of 1 keys"),
    (Case("@@probability 0"), "needed at most 0"),
]  # fmt: skip


@pytest.mark.parametrize("case", COMES_IN, ids=str)
def test_what_comes_in_is_told_without_its_head(case: Case) -> None:
    (told,) = case.run().entries
    assert told.content == "A rule."


@pytest.mark.parametrize(("case", "why"), STAYS_OUT, ids=str)
def test_what_stays_out_says_which_decorator_kept_it_out(case: Case, why: str) -> None:
    assert why in why_not(case.run())


@pytest.mark.parametrize(
    ("head", "position", "depth"),
    [
        ("@@depth 2", Position.AT_DEPTH, 2),
        ("@@depth -1", Position.AT_DEPTH, 0),
        ("@@depth 2\n@@depth 3", Position.AT_DEPTH, 2),
        ("@@depth 2\n@@reverse_depth 0", Position.AT_DEPTH, 2),
        ("@@reverse_depth 1", Position.AT_DEPTH, 2),
        ("@@reverse_depth 99", Position.AT_DEPTH, 0),
        ("@@end", Position.AT_DEPTH, 0),
        ("@@@end", Position.AT_DEPTH, 0),
        ("@@position after_desc", Position.AFTER_CHAR, 4),
        ("@@position before_desc", Position.BEFORE_CHAR, 4),
        ("@@position personality", Position.AFTER_CHAR, 4),
        ("@@position scenario", Position.AFTER_CHAR, 4),
        ("@@depth 2\n@@position after_desc", Position.AFTER_CHAR, 4),
        ("@@position pt_memory", Position.OUTLET, 4),
        ("@@position the_moon", Position.BEFORE_NOTE, 4),
        ("@@instruct_depth 2", Position.BEFORE_NOTE, 4),
        ("@@instruct_depth 200\n@@@depth 2", Position.AT_DEPTH, 2),
    ],
)
def test_where_the_text_goes(head: str, position: Position, depth: int) -> None:
    (told,) = Case(head, ("x", "y", "dragon"), {"position": Position.BEFORE_NOTE}).run().entries
    assert (told.position, told.depth) == (position, depth)
    assert told.outlet == ("pt_memory" if position is Position.OUTLET else None)


@pytest.mark.parametrize("role", Role)
def test_a_text_at_a_depth_is_a_message_of_its_role(role: Role) -> None:
    case = Case(f"@@reverse_depth 1\n@@role {role}", ("x", "y", "dragon"))
    messages = insert(chat(*case.texts), render(case.run()))
    assert [message.content for message in messages] == ["x", "A rule.", "y", "dragon"]
    assert messages[1].role is role


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("@@unheard_of 1", ["@@unheard_of 1 (ignored: unknown)"]),
        ("@@inject_lore tower", ["@@inject_lore tower (ignored: unknown)"]),
        ("@@Depth 1", ["@@Depth 1 (ignored: unknown)"]),
        ("@@depth four", ["@@depth four (ignored: bad value)"]),
        ("@@depth", ["@@depth (ignored: bad value)"]),
        ("@@depth 1, 2", ["@@depth 1, 2 (ignored: bad value)"]),
        (f"@@depth {'9' * 5000}", [f"@@depth {'9' * 5000} (ignored: bad value)"]),
        ("@@activate_only_every 0", ["@@activate_only_every 0 (ignored: bad value)"]),
        ("@@role narrator", ["@@role narrator (ignored: bad value)"]),
        ("@@probability 101", ["@@probability 101 (ignored: bad value)"]),
        ("@@exclude_keys ,", ["@@exclude_keys , (ignored: bad value)"]),
        ("@@activate false", ["@@activate false (ignored: bad value)"]),
        ("@@depth x\n@@depth 1", ["@@depth x (ignored: bad value)", "@@depth 1"]),
        ("@@depth 1\n@@depth 2", ["@@depth 1", "@@depth 2 (ignored: duplicate)"]),
        ("@@depth 1\n@@end", ["@@depth 1", "@@end (ignored: duplicate)"]),
        ("@@depth 1\n@@position scenario", ["@@depth 1 (ignored: superseded)", "@@position scenario"]),
        ("@@depth 1\n@@@depth 2", ["@@depth 1", "@@depth 2 (ignored: not needed)"]),
        ("@@@depth 2", ["@@depth 2 (ignored: not needed)"]),
        ("@@instruct_depth 1\n@@@depth 2\n@@@depth 3",
         ["@@instruct_depth 1 (ignored: no effect)", "@@depth 2", "@@depth 3 (ignored: not needed)"]),
        ("@@\n@@ depth 1", ["@@ (ignored: unknown)", "@@ depth 1 (ignored: unknown)"]),
    ],
)  # fmt: skip
def test_the_head_tells_of_every_line(head: str, told: list[str]) -> None:
    assert [str(line) for line in read_head(f"{head}\nA rule.").lines] == told
    (item,) = Case(head).run().entries
    assert [str(line) for line in item.decorators] == told


def test_what_is_held_back_tells_of_its_head_too() -> None:
    (held,) = Case("@@dont_activate\n@@unheard_of").run().held_back
    assert [line.ignored for line in held.decorators] == [None, Ignored.UNKNOWN]


@pytest.mark.parametrize("length", range(1, 9))
def test_fallbacks_are_tried_one_after_another(length: int) -> None:
    chain = "".join(f"\n@@@new_{number} 1" for number in range(length))
    assert read_head(f"@@newest 1{chain}\n@@@depth 3\n@@@depth 4\nA rule.").depth == 3


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("@@depth 1\nA rule.", "A rule."),
        ("@@depth 1\r\n\r\nA rule.\r\n", "A rule.\r\n"),
        ("\n\n@@depth 1\n\n\nA rule.", "A rule."),
        ("@@depth 1\nA rule.\n@@role user", "A rule.\n@@role user"),
        ("@@depth 1\n\n@@role user", "@@role user"),
        ("@@depth 1\n  A rule.", "  A rule."),
        ("@@depth 1", ""),
        ("A rule.\n@@depth 1", "A rule.\n@@depth 1"),
        ("@ @depth 1", "@ @depth 1"),
    ],
)
def test_a_head_ends_at_the_first_other_line(content: str, told: str) -> None:
    (item,) = match(chat("x"), book(entry(0, constant=True, content=content))).entries
    assert (item.content, read_head(content).content) == (told, told)


# Over turns


def test_matched_once_on_for_good() -> None:
    compiled = CompiledBook(book(entry(0, "dragon", content="@@keep_activate_after_match\nA rule.")))
    before = compiled.match(chat("nothing"))
    first = compiled.match(chat("dragon"), state=before.state)
    later = compiled.match(chat("nothing"), state=first.state)
    assert [fired(before), fired(first), fired(later)] == [[], [0], [0]]
    assert str(later.entries[0].reasons[0]) == "on for good since it has fired once (@@keep_activate_after_match)"
    assert later.state.matched == first.state.matched == ("book.0",)


def test_matched_once_off_for_good() -> None:
    compiled = CompiledBook(
        book(entry(0, "dragon", content="@@dont_activate_after_match\nA rule."), entry(1, "dragon"))
    )
    first = compiled.match(chat("dragon"))
    later = compiled.match(chat("dragon"), state=first.state)
    assert [fired(first), fired(later)] == [[0, 1], [1]]
    assert later.state.matched == ("book.0",)


def test_what_the_budget_kept_out_has_not_fired() -> None:
    made = book(entry(0, "dragon", content="@@dont_activate_after_match\n" + "word " * 50), token_budget=10)
    assert match(chat("dragon"), made).state.matched == ()


# Budget


def test_ignore_on_max_context_goes_first_even_before_what_recursion_brings_in() -> None:
    entries = (
        entry(0, "dragon", content="@@ignore_on_max_context\none two", insertion_order=900),
        entry(1, "dragon", content="the cave", insertion_order=1),
        entry(2, "cave", content="one two", insertion_order=1),
    )
    plenty = match(chat("dragon"), book(*entries, recursive_scanning=True, token_budget=6))
    assert sorted(fired(plenty)) == [0, 1, 2]
    scarce = match(chat("dragon"), book(*entries, recursive_scanning=True, token_budget=5))
    assert sorted(fired(scarce)) == [1, 2]
    assert scarce.held_back[0].obstacle.model_dump() == {"kind": "budget", "tokens": 2, "left": 1, "budget": 5}


@given(st.lists(st.tuples(st.integers(1, 30), st.booleans()), max_size=8), st.integers(0, 60))
def test_the_budget_holds_and_those_that_go_first_take_nothing_from_the_others(
    sizes: list[tuple[int, bool]], budget: int
) -> None:
    def made(*, with_last: bool) -> Book:
        heads = ["@@ignore_on_max_context\n" if is_last else "" for _, is_last in sizes]
        entries = [
            entry(uid, constant=with_last or not is_last, content=heads[uid] + "word " * size)
            for uid, (size, is_last) in enumerate(sizes)
        ]
        return book(*entries, token_budget=budget)

    result, alone = (match(chat("x"), made(with_last=with_last)) for with_last in (True, False))
    assert result.tokens <= budget
    assert [uid for uid in fired(result) if not sizes[uid][1]] == fired(alone)


def test_priority_claims_the_budget_and_the_order_stays() -> None:
    made = book(
        entry(0, "dragon", content="@@priority 500\none two", insertion_order=1),
        entry(1, "dragon", content="one two", insertion_order=300),
        entry(2, "dragon", content="@@priority 400\none two", insertion_order=200),
        token_budget=4,
    )
    result = match(chat("dragon"), made)
    assert fired(result) == [0, 2]
    assert [item.insertion_order for item in result.entries] == [1, 200]


# Recursion


@pytest.mark.parametrize(
    ("head", "is_recursive", "comes"),
    [
        ("", True, True),
        ("", False, False),
        ("@@recursive\n", False, True),
        ("@@unrecursive\n", True, False),
        ("@@recursive\n@@unrecursive\n", False, True),
    ],
)
def test_whose_text_is_scanned(head: str, *, is_recursive: bool, comes: bool) -> None:
    made = book(
        entry(0, "dragon", content=f"{head}the cave"),
        entry(1, "dragon", content="the sea"),
        entry(2, "cave"),
        entry(3, "sea"),
        recursive_scanning=is_recursive,
    )
    result = match(chat("dragon"), made)
    assert (2 in fired(result)) is comes
    assert (3 in fired(result)) is is_recursive


def test_no_recursive_search_looks_at_the_chat_alone() -> None:
    made = book(
        entry(0, "dragon", content="the cave"),
        entry(1, "cave", content="@@no_recursive_search\nA rule."),
        recursive_scanning=True,
    )
    assert fired(match(chat("dragon"), made)) == [0]
    assert sorted(fired(match(chat("dragon", "cave"), made))) == [0, 1]


# What the frontend is told


def test_prompts_that_entries_which_fire_ask_to_leave_out() -> None:
    made = book(
        entry(0, "dragon", content="@@disable_ui_prompt system_prompt\nA rule."),
        entry(1, "cave", content="@@disable_ui_prompt post_history_instructions\nA rule."),
        entry(2, "dragon", content="@@disable_ui_prompt jailbreak\nA rule."),
    )
    assert match(chat("dragon"), made).disabled_prompts == ("system_prompt",)


def test_a_named_place_is_told() -> None:
    (told,) = Case("@@position personality").run().entries
    assert [(line.name, line.value) for line in told.decorators] == [("position", "personality")]


# The switch


@pytest.mark.parametrize(
    "settings", [MatchSettings(preset=Preset.SILLYTAVERN), MatchSettings(decorators=False)], ids=["preset", "setting"]
)
def test_where_they_are_not_read_two_decorators_count_and_the_rest_is_text(settings: MatchSettings) -> None:
    made = book(
        entry(0, content="@@activate\nA rule."),
        entry(1, "dragon", content="@@dont_activate\nA rule."),
        entry(2, "dragon", content="@@depth 2\nA rule.", position=Position.AFTER_CHAR),
        entry(3, "dragon", content="@@depth 2"),
    )
    result = match(chat("dragon"), made, settings=settings)
    told = {item.uid: (item.content, item.position) for item in result.entries}
    assert told == {
        0: ("A rule.", Position.BEFORE_CHAR),
        2: ("A rule.", Position.AFTER_CHAR),
        3: ("@@depth 2", Position.BEFORE_CHAR),
    }
    assert str(result.held_back[0].obstacle) == "forced off by a decorator"
    assert not any(item.decorators for item in result.entries)
    assert not any(item.decorators for item in result.held_back)


# Laws

TEXT = st.text(st.sampled_from("@@@\n\r ,/\\aet{}7-") | st.characters(), max_size=60)
NAMES = (
    "activate activate_only_after activate_only_every additional_keys depth disable_ui_prompt end exclude_keys"
    " instruct_depth is_greeting is_user_icon keep_activate_after_match position priority probability recursive"
    " reverse_depth role scan_depth unheard_of"
).split()
LINES = st.builds(
    "{}{} {}\n".format, st.sampled_from(["@@", "@@@"]), st.sampled_from(NAMES), st.sampled_from(["", "3", "a,b"]) | TEXT
)


@given(TEXT)
@example("")
@example("\n")
def test_a_content_without_decorators_is_unchanged(content: str) -> None:
    head = read_head(f"A{content}")
    assert (head.content, head.lines, head.key_lists) == (f"A{content}", (), ())


@given(st.lists(LINES).map("".join), TEXT)
def test_any_text_is_read_and_every_line_of_the_head_is_told(lines: str, rest: str) -> None:
    content = lines + rest
    head = read_head(content)
    assert content.endswith(head.content)
    assert len(head.lines) <= content.count("\n") + 1
    assert head == read_head(content)


@given(st.lists(LINES, max_size=6).map("".join), st.sampled_from(["dragon", "a b 3", ""]), st.integers(0, 4))
def test_every_entry_has_one_fate_whatever_its_head(lines: str, text: str, count: int) -> None:
    made = book(entry(0, "dragon", content=f"{lines}A rule."), entry(1, constant=True), recursive_scanning=True)
    result = match(chat(*[text] * count), made, greeting=1, user_icon="a")
    assert sorted([*fired(result), *(item.uid for item in result.held_back)]) == [0, 1]
    assert all(str(item.obstacle) for item in result.held_back)
    assert result == match(chat(*[text] * count), made, greeting=1, user_icon="a")
