"""
A search that mends its index where it is damaged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lorebook.errors import RetrievalError, UnreachableError
from lorebook.progress import Progress
from lorebook.retrieval.hits import Hit
from lorebook.ruleset import Ruleset

if TYPE_CHECKING:
    from lorebook.retrieval.index import Index


def mended(
    search: Callable[[], list[Hit]], index: Index, rulesets: Callable[[], Sequence[Ruleset]], progress: Progress | None
) -> list[Hit]:
    """
    Return what *search* finds in *index*, which is one of *rulesets*; where it fails, mend no more than is needed.

    Another process may have mended it already; what a store has lost is in the vectors kept by content; and a
    store that is damaged otherwise is filled anew from them. A server that does not answer cannot be mended.
    """
    mends = (
        index.close,
        lambda: index.build(rulesets(), progress=progress),
        lambda: index.build(rulesets(), refill=True, progress=progress),
    )
    for mend in mends:
        try:
            return search()
        except UnreachableError:
            raise
        except RetrievalError:
            mend()
    return search()
