"""
What the plainest YAML is: which texts stand as they are, which in quotation marks, and which keys a mapping may have.
"""

from __future__ import annotations

import re
from functools import lru_cache

from yaml.resolver import Resolver

WIDTH = 110
"""The column after which a line is broken: a list of keys stays readable, a changed key is a small diff."""

BLOCK_FROM = 80
"""A text longer than this is a literal block."""

INDENT = 2

ODD = re.compile("[^\n -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010fffe]")
"""What YAML escapes or takes for a line break of its own (YAML 1.1, 5.1 and 5.4)."""

# Indicators (YAML 1.1, 5.3): what a text may not begin with, and what it may not hold, outside quotation marks.
_BEGINS = r"[#,\[\]{}&*!|>'\"%@`]|-(?: |\Z)|---|\.\.\."
_IN_BLOCK = re.compile(rf"\A(?:{_BEGINS}|[?:](?: |\Z))|:(?: |\Z)| #")
_IN_FLOW = re.compile(rf"\A(?:{_BEGINS})|[,?\[\]{{}}:]| #")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}")
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
# Of the words that are no texts, `false` is the longest (YAML 1.1, bool and null).
_LONGEST_WORD = 5
_TRUTH = {"true": True, "false": False}


class Doubtful(Exception):  # noqa: N818 (no error: the library knows)
    """
    This is not the plainest YAML; raised and caught in this package.
    """


def is_resolved(text: str) -> bool:
    """
    Tell whether *text*, without quotation marks, may be something other than a text: a number, a truth, nothing.
    """
    if len(text) > _LONGEST_WORD and text[0].isalpha():
        return False
    for _, pattern in Resolver.yaml_implicit_resolvers.get(text[0], ()):  # noqa: SIM110 (half the time of `any`)
        if pattern.match(text):
            return True
    return False


@lru_cache(maxsize=1000)
def is_key(text: str) -> bool:
    """
    Tell whether *text* is a mapping's key in any place and without quotation marks.
    """
    return _KEY.fullmatch(text) is not None and not is_resolved(text)


def is_bare(text: str, flow: bool) -> bool:  # noqa: FBT001 (called for each text)
    """
    Tell whether the line *text* needs no quotation marks: in a list in brackets (*flow*) or outside.
    """
    return not (_IN_FLOW if flow else _IN_BLOCK).search(text)


@lru_cache(maxsize=4000)
def value_of(text: str, flow: bool) -> str | int:  # noqa: FBT001 (called for each text)
    """
    Return what *text* says, which stands without quotation marks.

    Raises Doubtful where that takes more to know.
    """
    if not text or text[0] == " " or text[-1] == " " or not is_bare(text, flow):
        raise Doubtful
    if not is_resolved(text):
        return text
    if text in _TRUTH:
        return _TRUTH[text]
    if not _WHOLE.fullmatch(text):
        raise Doubtful
    return int(text)


def spelled(value: object, flow: bool) -> str:  # noqa: FBT001 (called for each text)
    """
    Return *value*, a line of text or a number, as it is written.

    Raises Doubtful for what has to be escaped, as a line break, and for any other value.
    """
    if type(value) is str:
        return _spelled_text(value, flow)
    if type(value) is bool or type(value) is int:
        return str(value).lower()
    raise Doubtful


@lru_cache(maxsize=4000)
def _spelled_text(text: str, flow: bool) -> str:  # noqa: FBT001 (see above)
    if not text or text[0] == " " or text[-1] == " " or "\n" in text or ODD.search(text):
        raise Doubtful
    if is_bare(text, flow) and not is_resolved(text):
        return text
    return "'" + text.replace("'", "''") + "'"
