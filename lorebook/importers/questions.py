"""
Questions and answers, as rulebooks have them at their end: a question with what follows it is a rule.
"""

from __future__ import annotations

import re

from lorebook.importers.naming import title_from

_ASKS = re.compile(
    r"(?:Q(?:uestion)?\s?\d{0,3}\s?[.:：、)）]|[【\[（(]?[问問](?:[题題])?\s?\d{0,3}[】\])）]?\s?[:：、]|[【\[]?[问問]\d{0,3}[】\]])"
    r"\s*(?P<asked>\S.*)"
)
_ANSWERS = re.compile(
    r"(?:A(?:nswer)?\s?\d{0,3}\s?[.:：、)）]|[【\[（(]?答(?:案)?\s?\d{0,3}[】\])）]?\s?[:：、]|[【\[]答\d{0,3}[】\]])"
)


def question_in(text: str) -> str | None:
    """
    Return the question that *text* begins with, as a title, or None.
    """
    found = _ASKS.match(text)
    return title_from(found["asked"]) if found else None


def is_answer(text: str) -> bool:
    """
    Tell whether *text* says that it is an answer.
    """
    return _ANSWERS.match(text) is not None
