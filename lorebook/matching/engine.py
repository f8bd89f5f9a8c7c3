"""
A chat and a book -> an activation; a pure function of its arguments.

The scan is World Info's (see `worldinfo`); a preset says whether exactly as SillyTavern makes it or with what
its users miss. Here the caller's terms become the scan's, and what happened becomes an explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from lorebook.book import Book, Entry
from lorebook.errors import FormatError
from lorebook.matching import ecmascript
from lorebook.matching.activation import ActivatedEntry, Activation, HeldBackEntry, State
from lorebook.matching.books import ActiveBooks
from lorebook.matching.chat import Message
from lorebook.matching.compiled import CompiledBooks
from lorebook.matching.decorated import decorated, depth_in
from lorebook.matching.entries import CompiledEntry, ScriptError, sorted_by_order
from lorebook.matching.explain import Explainer
from lorebook.matching.fields import world_info
from lorebook.matching.macros import Macros
from lorebook.matching.presets import PRESETS, Behaviour
from lorebook.matching.reasons import VectorHit
from lorebook.matching.record import Fired, ScanResult
from lorebook.matching.request import Character, Outside, ScanRequest, WorldInfoSettings
from lorebook.matching.settings import MatchSettings
from lorebook.matching.tokens import token_counter
from lorebook.matching.worldinfo import scan
from lorebook.records import Role

# The one book of a match has no file name, so this is the name in its entries' identities.
_WORLD = "book"
# Per cent of the context: a match says its budget in tokens.
_WHOLE = 100


class CompiledBook:
    """
    A book, compiled once and matched against any number of chats.
    """

    def __init__(
        self,
        book: Book,
        settings: MatchSettings | None = None,
        *,
        terms: Collection[str] = (),
        behaviour: Behaviour | None = None,
    ) -> None:
        """
        Compile *book*; what the book says of depth, budget and recursion goes before *settings*.

        *terms* are words that no key may be cut from, beside the book's keys: a glossary's Chinese forms, say (see
        `presets.Behaviour.longest_terms`). *behaviour* is the preset's unless given.
        Decorators at the head of a content (see `decorators`) go before the entry's own settings, if *settings* and
        *behaviour* have them read. Raises FormatError for an entry that no engine can scan.
        """
        self.settings = settings or MatchSettings()
        behaviour = behaviour or PRESETS[self.settings.preset]
        reads_heads = behaviour.reads_decorators and self.settings.decorators
        self.book, heads = decorated(book, is_recursive=self._recurs_in(book)) if reads_heads else (book, {})
        self.heads = {_identity(uid): head for uid, head in heads.items()}
        self.depth = self.settings.scan_depth if book.scan_depth is None else book.scan_depth
        self.budget = self.settings.token_budget if book.token_budget is None else book.token_budget
        self._places = {_identity(entry.uid): place for place, entry in enumerate(book.entries)}
        self.books = self._compiled(behaviour, terms)

    def _recurs_in(self, book: Book) -> bool:
        return self.settings.recursive if book.recursive_scanning is None else book.recursive_scanning

    def _compiled(self, behaviour: Behaviour, terms: Collection[str]) -> CompiledBooks:
        books, active = {_WORLD: world_info(self.book)}, ActiveBooks(globally=(_WORLD,))
        try:
            return CompiledBooks(books, active, self._world_info_settings(), behaviour, self.heads, terms=terms)
        except ScriptError as error:
            raise FormatError(str(error), where=self.book.name) from error

    def _world_info_settings(self) -> WorldInfoSettings:
        return WorldInfoSettings(
            depth=self.depth,
            min_activations=self.settings.min_activations,
            budget=_WHOLE,
            include_names=self.settings.include_names,
            recursive=self._recurs_in(self.book),
            case_sensitive=self.settings.case_sensitive,
            match_whole_words=self.settings.match_whole_words,
        )

    def match(
        self,
        chat: Sequence[Message],
        *,
        vector_hits: Mapping[int, VectorHit] | None = None,
        state: State | None = None,
        macros: Mapping[str, str] | None = None,
        greeting: int | None = None,
        user_icon: str | None = None,
        character: Character | None = None,
    ) -> Activation:
        """
        Return what *chat* (oldest message first) activates, with the *state* to hand in with the next turn.

        *vector_hits* are entries found by meaning, by uid; they matter only where no key matches, and from the
        settings' floor on. *greeting* is the number of the card's greeting in use (0 is the first message) and
        *user_icon* the name of the user's icon; decorators that ask for them let everything through where they are
        not given. *character* is the one that is open, for entries with a character filter.
        A regex key that explodes is stopped and counts as not there. Raises FormatError where an entry stops the scan.
        """
        hits = {_identity(uid): hit for uid, hit in (vector_hits or {}).items()}
        state = state or State()
        request = replace(
            self._request(chat, hits, state, Macros(macros)),
            greeting=greeting,
            user_icon=user_icon,
            character=character,
        )
        with ecmascript.budget() as stopped:
            try:
                result = scan(self.books, request)
            except ScriptError as error:
                raise FormatError(str(error), where=self.book.name) from error
            prefixes = _prefixes(chat, self.settings)
            explainer = Explainer(self.books, request, result, hits, prefixes, stopped, self.settings.vector_floor)
            return self._activation(chat, result, explainer, state)

    def _request(
        self, chat: Sequence[Message], hits: Mapping[str, VectorHit], state: State, macros: Macros
    ) -> ScanRequest:
        draws = Random(self.settings.seed)  # noqa: S311 (a game's draw, no secret)
        known = self.books.by_identity
        near = {name: hit for name, hit in hits.items() if name in known and hit.score >= self.settings.vector_floor}
        return ScanRequest(
            messages=[_spoken(message, self.settings) for message in reversed(chat)],
            max_context=self.budget,
            count_tokens=_counter(self.settings.tokenizer),
            draw=draws.random,
            macros=macros,
            timed_state=state.timed,
            assistant_messages=sum(message.role is Role.ASSISTANT for message in chat),
            matched=frozenset(state.matched),
            outside=[Outside(_WORLD, known[name].uid, score=hit.score) for name, hit in near.items()],
            outside_limit=self.settings.vector_limit,
        )

    def _activation(
        self, chat: Sequence[Message], result: ScanResult, explainer: Explainer, before: State
    ) -> Activation:
        source = {str(entry.uid): entry for entry in self.book.entries}
        fired = self._prompt_order(result, before)
        entries = tuple(self._activated(source[str(one.entry.uid)], one, explainer, len(chat)) for one in fired)
        out = [entry for entry in self._in_book_order() if entry.identity not in result.fired]
        return Activation(
            book=self.book.name,
            entries=entries,
            held_back=tuple(self._held_back(source[str(entry.uid)], entry, explainer) for entry in out),
            messages_scanned=min(self.depth, len(chat)),
            tokens=sum(entry.tokens for entry in entries),
            token_budget=self.budget,
            disabled_prompts=self._disabled_prompts(result),
            state=State(
                timed=result.timed_state,
                injected=tuple(one.entry.identity for one in fired),
                matched=self._matched(result, before),
            ),
        )

    def _disabled_prompts(self, result: ScanResult) -> tuple[str, ...]:
        asked = (head.disable_ui_prompt for identity, head in self.heads.items() if identity in result.fired)
        return tuple(sorted({prompt for prompt in asked if prompt}))

    def _matched(self, result: ScanResult, before: State) -> tuple[str, ...]:
        now = (name for name, head in self.heads.items() if head.is_remembered and name in result.fired)
        return tuple(dict.fromkeys((*before.matched, *now)))

    def _prompt_order(self, result: ScanResult, before: State) -> list[Fired]:
        """
        What fired, in prompt order: the highest insertion order last.

        Ours keeps entries of equal order as they stood in the last turn, new ones behind in the book's order,
        so that the prompt's beginning stays what it was; SillyTavern reverses the order of acceptance.
        """
        by_identity = result.fired
        if not self.books.behaviour.ties_in_reading_order:
            accepted = [fired.entry for fired in by_identity.values()]
            return [by_identity[entry.identity] for entry in reversed(sorted_by_order(accepted))]
        stood = {identity: place for place, identity in enumerate(before.injected)}

        def rank(fired: Fired) -> tuple[float, int, int]:
            entry = fired.entry
            return entry.order, stood.get(entry.identity, len(stood)), self._reading_place(entry)

        return sorted(by_identity.values(), key=rank)

    def _reading_place(self, entry: CompiledEntry) -> int:
        return self._places[entry.identity]

    def _in_book_order(self) -> list[CompiledEntry]:
        return sorted(self.books.entries, key=self._reading_place)

    def _activated(self, entry: Entry, fired: Fired, explainer: Explainer, length: int) -> ActivatedEntry:
        head = self.heads.get(fired.entry.identity)
        from_start = depth_in(head, length) if head else None
        return ActivatedEntry(
            uid=entry.uid,
            name=entry.name,
            rule=entry.rule,
            content=fired.content,
            position=entry.settings.position,
            depth=entry.settings.depth if from_start is None else from_start,
            role=entry.settings.role,
            insertion_order=entry.settings.insertion_order,
            outlet=entry.extensions.get("outlet_name") or None,
            scan_pass=fired.number,
            tokens=_counter(self.settings.tokenizer)(fired.content),
            reasons=explainer.reasons(fired.entry, fired.cause),
            decorators=head.lines if head else (),
        )

    def _held_back(self, entry: Entry, compiled: CompiledEntry, explainer: Explainer) -> HeldBackEntry:
        obstacle, head = explainer.obstacle(compiled), self.heads.get(compiled.identity)
        return HeldBackEntry(
            uid=entry.uid,
            name=entry.name,
            rule=entry.rule,
            obstacle=obstacle,
            reasons=explainer.spoke_for(compiled),
            decorators=head.lines if head else (),
        )


def match(
    chat: Sequence[Message],
    book: Book,
    *,
    settings: MatchSettings | None = None,
    vector_hits: Mapping[int, VectorHit] | None = None,
    state: State | None = None,
    greeting: int | None = None,
    user_icon: str | None = None,
    character: Character | None = None,
) -> Activation:
    """
    Return what *chat* activates in *book*: `CompiledBook(book, settings).match(chat, ...)`.
    """
    return CompiledBook(book, settings).match(
        chat, vector_hits=vector_hits, state=state, greeting=greeting, user_icon=user_icon, character=character
    )


def _identity(uid: int) -> str:
    return f"{_WORLD}.{uid}"


def _spoken(message: Message, settings: MatchSettings) -> str:
    return f"{message.name}: {message.content}" if settings.include_names and message.name else message.content


def _prefixes(chat: Sequence[Message], settings: MatchSettings) -> tuple[int, ...]:
    return tuple(len(_spoken(message, settings)) - len(message.content) for message in reversed(chat))


@lru_cache(maxsize=8)
def _counter(tokenizer: str) -> Callable[[str], int]:
    """
    The tokenizer's counter, which remembers what it has counted: entries come again with every turn.
    """
    return lru_cache(maxsize=16384)(token_counter(tokenizer))
