"""
Lines of a source document beside the rule that restates them: an imported rule has their very words.
"""

from __future__ import annotations

import html
import re

from lorebook.folding import fold
from lorebook.workspace.views import AnswerHit, SourceLine

# Tags of HTML and BBCode, and where a link of Markdown leads.
_TAGS = re.compile(r"<[^<>]*>|\[/?\w+(?:=[^\]]*)?\]|(?<=\])\([^()]*\)")


def other_words(answer: AnswerHit) -> list[SourceLine]:
    """
    Return the lines that say something else than the rule, white space, markup and punctuation apart.
    """
    wording = answer.rule.wording(answer.hit.language)
    number = _words(answer.rule.number or "")
    said = _words("\n".join((*wording.section, wording.title, wording.text, *wording.examples)))
    return [line for line in answer.source_lines if not _is_in(_words(line.text), said, number)]


def _is_in(words: str, said: str, number: str) -> bool:
    return words in said or words.removeprefix(number) in said


def _words(text: str) -> str:
    return "".join(filter(str.isalnum, fold(html.unescape(_TAGS.sub("", text)))))
