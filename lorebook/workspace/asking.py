"""
A question put to a workspace: its answers, where rulesets disagree on them, and what is near where nothing answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from lorebook.errors import InputError, UnknownNameError
from lorebook.progress import Progress
from lorebook.workspace.answers import near
from lorebook.workspace.conflicts import LOOKED_AT, Conflicts, preferred_first
from lorebook.workspace.doubts import with_doubts
from lorebook.workspace.library import Library
from lorebook.workspace.searching import Searching
from lorebook.workspace.views import Answer


def ask(
    question: str,
    library: Library,
    searching: Searching,
    *,
    rulesets: Sequence[str] | None,
    languages: Sequence[str] | None,
    limit: int,
    prefer: str | None,
    progress: Progress | None,
) -> Answer:
    """
    Answer *question* from *library*, whose index *searching* has; see `Workspace.ask`.
    """
    if not question.strip():
        raise InputError("the question is empty", hint="ask in English or Chinese, or name a term")
    wanted = frozenset(library.folder(name).name for name in rulesets) if rulesets else None
    preferred = library.folder(prefer).name if prefer else None
    spoken = _spoken(languages, library)
    seen = max(limit, LOOKED_AT) if preferred else limit
    hits = searching.search(question, rulesets=wanted, languages=spoken, limit=seen, progress=progress)
    folders = library.folders
    conflicts = Conflicts(folders, searching, library.disagreements, asked=wanted, prefer=preferred)
    answers = with_doubts(conflicts.beneath(preferred_first(hits, preferred)[:limit]), searching)
    unsure = [] if hits else searching.index.nearest(question, rulesets=wanted, languages=spoken)
    nearest = tuple(near(folders[hit.ruleset], hit) for hit in unsure)
    return Answer(question=question, prefer=preferred, hits=answers, nearest=nearest)


def _spoken(languages: Sequence[str] | None, library: Library) -> frozenset[str] | None:
    if not languages:
        return None
    spoken = frozenset(languages)
    if not spoken & (known := library.languages()):
        raise UnknownNameError(f"no rule in {', '.join(sorted(spoken))}", hint=f"there are {', '.join(sorted(known))}")
    return spoken
