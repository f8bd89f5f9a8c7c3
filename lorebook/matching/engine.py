"""
A chat and a book -> an activation; a pure function of its arguments.

Entries are tried in the order in which they may claim the budget: constants, then what a key named, then
what was found by meaning; within each, higher insertion order first, ties in the book's order. What does
not fit is skipped and smaller entries behind it still come in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from lorebook.book import Book, Entry
from lorebook.matching.activation import (
    ActivatedEntry,
    Activation,
    Constant,
    Disabled,
    HeldBackEntry,
    KeyHit,
    NoKey,
    Obstacle,
    OverBudget,
    Reason,
    RollFailed,
    SecondaryFailed,
    VectorHit,
    VectorLimit,
)
from lorebook.matching.chat import Message
from lorebook.matching.keys import Folded, compile_key
from lorebook.matching.settings import MatchSettings
from lorebook.matching.tokens import token_counter
from lorebook.records import SecondaryLogic


class _Candidate(NamedTuple):
    entry: Entry
    reasons: tuple[Reason, ...]
    obstacle: Obstacle | None = None


class _Scan:
    """
    The messages within the scan depth, newest first, ready to be searched.
    """

    def __init__(self, chat: Sequence[Message], depth: int, settings: MatchSettings) -> None:
        first = max(0, len(chat) - depth)
        self.messages = [(index, Folded(chat[index].content)) for index in reversed(range(first, len(chat)))]
        self._settings = settings

    def hits(self, entry: Entry, keys: Iterable[str], *, secondary: bool = False) -> list[KeyHit]:
        """
        Return for each of *keys* that is found its newest place.
        """
        found = (self._hit(entry, key, secondary=secondary) for key in keys)
        return [hit for hit in found if hit]

    def _hit(self, entry: Entry, key: str, *, secondary: bool) -> KeyHit | None:
        case, whole = entry.settings.case_sensitive, entry.settings.match_whole_words
        find = compile_key(
            key,
            case_sensitive=self._settings.case_sensitive if case is None else case,
            whole_words=self._settings.match_whole_words if whole is None else whole,
        )
        for index, text in self.messages:
            if place := find(text):
                spelt = text.text[place.start : place.end]
                kind = "secondary_key" if secondary else "key"
                return KeyHit(kind=kind, key=key, message=index, start=place.start, end=place.end, text=spelt)
        return None


def match(
    chat: Sequence[Message],
    book: Book,
    *,
    settings: MatchSettings | None = None,
    vector_hits: Mapping[int, VectorHit] | None = None,
) -> Activation:
    """
    Return what *chat* (oldest message first) activates in *book*.

    *vector_hits* are entries found by meaning, by uid; they matter only where no key matches.
    """
    settings = settings or MatchSettings()
    depth = settings.scan_depth if book.scan_depth is None else book.scan_depth
    budget = settings.token_budget if book.token_budget is None else book.token_budget
    scan = _Scan(chat, depth, settings)
    by_key = [_judge(entry, scan) for entry in book.entries]
    candidates = _add_vector_hits(by_key, vector_hits or {}, settings.vector_limit)
    rolled = _roll(candidates, Random(settings.seed))  # noqa: S311 (a game's draw, no secret)
    decided = _spend(rolled, budget, settings.tokenizer)
    return _report(book, decided, scan, budget, settings.tokenizer)


def _judge(entry: Entry, scan: _Scan) -> _Candidate:
    if not entry.settings.enabled:
        return _Candidate(entry, (), Disabled())
    if entry.settings.constant:
        return _Candidate(entry, (Constant(), *scan.hits(entry, entry.keys)))
    primary = scan.hits(entry, entry.keys)
    if not primary:
        return _Candidate(entry, (), NoKey(keys=len(entry.keys), messages=len(scan.messages)))
    secondary = scan.hits(entry, entry.settings.secondary_keys, secondary=True)
    return _Candidate(entry, (*primary, *secondary), _secondary_obstacle(entry, secondary))


def _secondary_obstacle(entry: Entry, hits: Sequence[KeyHit]) -> SecondaryFailed | None:
    keys, logic = entry.settings.secondary_keys, entry.settings.secondary_logic
    matched = tuple(hit.key for hit in hits)
    unmatched = tuple(key for key in keys if key not in matched)
    passes = {
        SecondaryLogic.AND_ANY: bool(matched),
        SecondaryLogic.NOT_ALL: bool(unmatched),
        SecondaryLogic.NOT_ANY: not matched,
        SecondaryLogic.AND_ALL: not unmatched,
    }
    if not keys or passes[logic]:
        return None
    return SecondaryFailed(logic=logic, matched=matched, unmatched=unmatched)


def _add_vector_hits(candidates: Sequence[_Candidate], hits: Mapping[int, VectorHit], limit: int) -> list[_Candidate]:
    missed = [c.entry.uid for c in candidates if isinstance(c.obstacle, NoKey) and c.entry.uid in hits]
    nearest = set(sorted(missed, key=lambda uid: -hits[uid].score)[:limit])
    return [
        _with_vector_hit(candidate, hits[candidate.entry.uid], candidate.entry.uid in nearest, limit)
        if candidate.entry.uid in missed
        else candidate
        for candidate in candidates
    ]


def _with_vector_hit(candidate: _Candidate, hit: VectorHit, is_near: bool, limit: int) -> _Candidate:  # noqa: FBT001
    obstacle = None if is_near else VectorLimit(score=hit.score, limit=limit)
    return candidate._replace(reasons=(hit,), obstacle=obstacle)


def _roll(candidates: Iterable[_Candidate], draws: Random) -> list[_Candidate]:
    return [_rolled(candidate, draws) for candidate in candidates]


def _rolled(candidate: _Candidate, draws: Random) -> _Candidate:
    probability = candidate.entry.settings.probability
    if candidate.obstacle or probability >= 100:  # noqa: PLR2004 (per cent)
        return candidate
    rolled = draws.random() * 100
    return (
        candidate
        if rolled <= probability
        else candidate._replace(obstacle=RollFailed(rolled=rolled, probability=probability))
    )


def _claim(candidate: _Candidate) -> tuple[int, float, int]:
    """
    Sort key: who may claim the budget first.
    """
    first = candidate.reasons[0]
    rank = {"constant": 0, "key": 1}.get(first.kind, 2)
    nearness = first.score if isinstance(first, VectorHit) else 0.0
    return rank, -nearness, -candidate.entry.settings.insertion_order


def _spend(candidates: Sequence[_Candidate], budget: int, tokenizer: str) -> list[_Candidate]:
    count = token_counter(tokenizer)
    left, refused = budget, dict[int, OverBudget]()
    firing = [(place, candidate) for place, candidate in enumerate(candidates) if not candidate.obstacle]
    for place, candidate in sorted(firing, key=lambda pair: _claim(pair[1])):
        tokens = count(candidate.entry.content)
        if tokens > left:
            refused[place] = OverBudget(tokens=tokens, left=left, budget=budget)
        else:
            left -= tokens
    return [
        candidate._replace(obstacle=refused[place]) if place in refused else candidate
        for place, candidate in enumerate(candidates)
    ]


def _report(book: Book, decided: Sequence[_Candidate], scan: _Scan, budget: int, tokenizer: str) -> Activation:
    count = token_counter(tokenizer)
    fired = [candidate for candidate in decided if not candidate.obstacle]
    # World Info puts the highest order last, nearest to the chat; ties keep the book's order.
    fired.sort(key=lambda candidate: candidate.entry.settings.insertion_order)
    entries = tuple(_activated(candidate, count(candidate.entry.content)) for candidate in fired)
    return Activation(
        book=book.name,
        entries=entries,
        held_back=tuple(_held_back(candidate, candidate.obstacle) for candidate in decided if candidate.obstacle),
        messages_scanned=len(scan.messages),
        tokens=sum(entry.tokens for entry in entries),
        token_budget=budget,
    )


def _activated(candidate: _Candidate, tokens: int) -> ActivatedEntry:
    entry = candidate.entry
    return ActivatedEntry(
        uid=entry.uid,
        name=entry.name,
        rule=entry.rule,
        content=entry.content,
        position=entry.settings.position,
        depth=entry.settings.depth,
        role=entry.settings.role,
        insertion_order=entry.settings.insertion_order,
        tokens=tokens,
        reasons=candidate.reasons,
    )


def _held_back(candidate: _Candidate, obstacle: Obstacle) -> HeldBackEntry:
    entry = candidate.entry
    return HeldBackEntry(uid=entry.uid, name=entry.name, rule=entry.rule, obstacle=obstacle, reasons=candidate.reasons)
