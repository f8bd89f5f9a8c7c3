"""What a regular expression is said to need, it needs: nothing that the engine matches is ever ruled out."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lorebook.matching.ecmascript import Expression, parse_key, search
from lorebook.matching.literals import needs, rules_out

CASES = {
    # Runs end where a character may be missing or may come again.
    "/dragons?/": ("dragon",),
    "/drag+on/": ("drag",),
    "/colou*r/": ("colo",),
    "/(?:drag)?on/": ("on",),
    # One way through it is enough, so every way has its text.
    "/dragon|wyrm/": ("dragon", "wyrm"),
    r"/\b(?:dragon|wyrm)s?\b/": ("dragon", "wyrm"),
    r"/the (?<what>red|blue) dragon/": (" dragon",),
    "/dragon|/": None,
    # Classes, assertions and lookarounds are passed over.
    r"/[dD]ragon\.$/": ("ragon.",),
    "/(?<!not )(?=a)dragon/": ("dragon",),
    r"/[\]]rag[^]on/": ("rag",),
    # The flag `i`: what has no case, and ASCII in lower case.
    "/DRAGON/i": ("dragon",),
    "/召唤(?:龙|兽)/i": ("召唤",),
    "/straße/i": ("stra",),
    # Not read here, so nothing is claimed.
    "/dragon/iu": None,
    r"/\u0064ragon/": None,
    "/a{2}dragon/": None,
    r"/(.)\1dragon/": None,
    r"/\w+/": None,
}


@pytest.mark.parametrize(("key", "needed"), CASES.items(), ids=CASES)
def test_what_is_needed(key: str, needed: tuple[str, ...] | None) -> None:
    expression = parse_key(key)
    assert expression
    assert needs(expression) == needed


SYNTAX = (
    r". ^ $ | ( ) [ ] * + ? { } / (?: (?= (?! (?<n> [^ \b \d \. \\ \n \u0061 \x61 \1 {2} +? *? a|b (a|bk) [ab]".split()
)
PIECES = st.sampled_from([*SYNTAX, *"abkKsSßſ\u212aİıé召😀 ", "\ud83d"])
PATTERNS = st.lists(PIECES, min_size=1, max_size=8).map("".join)
TEXTS = st.text(st.sampled_from("abkKsSßſ\u212aİıé😀召.n\\{}2 \n"), max_size=12)


@settings(max_examples=1500, deadline=None)
@given(PATTERNS, st.sampled_from(["", "i", "u", "iu", "s", "m", "y", "gi"]), TEXTS)
@example("a|", "", "")
@example("(a)|\u212a", "i", "k")
def test_nothing_that_matches_is_ruled_out(pattern: str, flags: str, text: str) -> None:
    expression = parse_key(f"/{pattern}/{flags}")
    if expression and rules_out(expression, text, text.lower()):
        assert search(text, expression) is None


def test_a_pattern_nested_without_end_needs_nothing() -> None:
    assert needs(Expression("(" * 5_000 + "a" + ")" * 5_000, "")) is None
