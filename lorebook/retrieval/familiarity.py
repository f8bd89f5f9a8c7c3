"""
How far a ruleset is written in the glossary's words.

More than half the letters of a card game's rules name concepts, in either language; of other texts it is a fiftieth.
There a concept is found by chance (a football player, a field of wheat), and what the glossary says leads astray.
"""

from __future__ import annotations

import math
from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING

from lorebook.retrieval.passages import PassageKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook.retrieval.glossary import Glossary
    from lorebook.retrieval.passages import Passage

# As many, spread over a ruleset, tell the share to about 0.02.
_SAMPLE = 200


def familiarity(passages: Iterable[Passage], glossary: Glossary) -> dict[str, float]:
    """
    Return by ruleset the mean share of its passages' letters, from 0 to 1, that name concepts of *glossary*.

    Of a large ruleset only passages at equal distances are read, and never what is merely asked.
    """
    texts: dict[str, list[str]] = defaultdict(list)
    for passage in passages:
        texts[passage.ruleset].append("" if passage.kind is PassageKind.ASKED else passage.text)
    return {ruleset: _share([text for text in told if text], glossary) for ruleset, told in texts.items()}


def _share(texts: list[str], glossary: Glossary) -> float:
    if not texts:
        return 0.0
    return fmean(map(glossary.covered, texts[:: math.ceil(len(texts) / _SAMPLE)]))
