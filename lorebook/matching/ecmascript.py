r"""
JavaScript regular expressions, run by a real ECMAScript engine.

Books are written for SillyTavern, whose regex keys V8 compiles: look-behind, `\d` for ASCII digits only, UTF-16
code units without the flag `u`. QuickJS implements the same standard, takes a fifth of a millisecond to start,
and stops a pattern that explodes (catastrophic backtracking) when its time is up.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lorebook.errors import InputError

if TYPE_CHECKING:
    from quickjs import Context

TIME_LIMIT = 1.0
"""Seconds that one search may take."""
BUDGET = 3.0
"""Seconds that all searches of one scan may take together."""

_KEY = re.compile(r"/(?P<pattern>.+)/(?P<flags>[gimsuy]*)", re.DOTALL)
_UNESCAPED_SLASH = re.compile(r"(?:^|(?<!\\))/")
_MEMORY_LIMIT = 256 * 1024 * 1024
# Seconds, as the engine counts them: a budget that is used up still lets a fast pattern match; -1 sets no limit.
_SHORTEST, _UNLIMITED = 0.001, -1
# Everything crosses over as ASCII JSON: it alone carries surrogates without a partner.
# Flags for a group and one name for two groups are of ECMAScript 2025: the engine that World Info's behaviour was
# taken from (V8 in Node 20) does not know them, and a pattern that does not compile is a plain key.
_PROGRAM = r"""
const known = new Map();
function compiled(pattern, flags) {
    const key = flags + "/" + pattern;
    if (known.size > 1000) known.clear();
    if (!known.has(key)) known.set(key, new RegExp(pattern, flags));
    const expression = known.get(key);
    expression.lastIndex = 0;
    return expression;
}
function isTooNew(pattern) {
    const bare = pattern.replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, "");
    const names = [...bare.matchAll(/\(\?<([^=!>][^>]*)>/g)].map((found) => found[1]);
    return /\(\?[ims-]+:/.test(bare) || new Set(names).size < names.length;
}
function compiles(asked) {
    const [pattern, flags] = JSON.parse(asked);
    try { new RegExp(pattern, flags); return !isTooNew(pattern); } catch (error) { return false; }
}
function search(asked) {
    const [text, pattern, flags] = JSON.parse(asked);
    const found = compiled(pattern, flags).exec(text);
    return JSON.stringify(found && [found.index, found.index + found[0].length]);
}
"""


class Expression(NamedTuple):
    """
    A regular expression: its source and flags.
    """

    pattern: str
    flags: str


class _Engine(threading.local):
    """
    A context a thread, made when a thread first needs one.
    """

    context: Context | None = None
    left: float = math.inf
    """Seconds that are left of a budget."""
    stopped: set[Expression] | None = None
    """Within a budget: the expressions that were stopped, which match nothing any more."""

    def get(self) -> Context:
        if self.context is None:
            import quickjs  # noqa: PLC0415 (few books have regex keys)

            self.context = quickjs.Context()
            self.context.set_memory_limit(_MEMORY_LIMIT)
            self.context.eval(_PROGRAM)
        return self.context

    def search(self, text: str, expression: Expression) -> tuple[int, int] | None:
        """
        Return where *expression* first matches *text*; the engine raises JSException when the time is up.
        """
        context = self.get()
        context.set_time_limit(max(min(TIME_LIMIT, self.left), _SHORTEST))
        began = time.monotonic()
        try:
            found = json.loads(context.get("search")(json.dumps([text, *expression])))
        finally:
            self.left -= time.monotonic() - began
            context.set_time_limit(_UNLIMITED)
        return (found[0], found[1]) if found else None


_ENGINE = _Engine()


@lru_cache(maxsize=65536)
def parse_key(key: str) -> Expression | None:
    """
    Return the expression of a key `/pattern/flags`, or None for a plain key.

    A slash within the pattern must be escaped; a pattern that does not compile makes the key plain.
    """
    found = _KEY.fullmatch(key)
    if not found or _UNESCAPED_SLASH.search(found["pattern"]):
        return None
    # SillyTavern takes the escape off the first slash, and off no other: `\\\/` becomes `\\/`.
    expression = Expression(found["pattern"].replace("\\/", "/", 1), found["flags"])
    return expression if _ENGINE.get().get("compiles")(json.dumps(expression)) else None


@contextmanager
def budget(seconds: float = BUDGET) -> Iterator[AbstractSet[Expression]]:
    """
    Let all searches of this thread take *seconds* together, as long as the context lasts.

    An expression that takes too long is stopped, is among those yielded, and matches nothing from then on.
    """
    _ENGINE.left, _ENGINE.stopped = seconds, set()
    try:
        yield _ENGINE.stopped
    finally:
        _ENGINE.left, _ENGINE.stopped = math.inf, None


def search(text: str, expression: Expression) -> tuple[int, int] | None:
    """
    Return where *expression* first matches *text*, in UTF-16 code units, or None.

    Raises InputError when it takes longer than TIME_LIMIT; within a budget it is noted instead.
    """
    stopped = _ENGINE.stopped
    if stopped and expression in stopped:
        return None
    import quickjs  # noqa: PLC0415 (few books have regex keys)

    try:
        return _ENGINE.search(text, expression)
    except quickjs.JSException as error:
        if stopped is not None:
            stopped.add(expression)
            return None
        pattern = f"/{expression.pattern[:80]}/"
        raise InputError(f"the regex key {pattern} takes too long", hint="make it match in one way only") from error
