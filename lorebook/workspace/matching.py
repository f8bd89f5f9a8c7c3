"""
A match as the edges ask for it: which book, in which language, with what found by meaning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from lorebook.book import Book, ExportLanguage, from_ruleset
from lorebook.errors import UnknownNameError
from lorebook.folding import fold
from lorebook.formats import exactjson, read_book
from lorebook.matching.activation import State
from lorebook.matching.chat import Message
from lorebook.matching.engine import CompiledBook
from lorebook.matching.presets import PRESETS, SWITCHES, Behaviour, Preset
from lorebook.matching.request import Character
from lorebook.matching.settings import MatchSettings
from lorebook.matching.tokens import token_counter
from lorebook.progress import Progress
from lorebook.prompt import render
from lorebook.reading import read_file
from lorebook.records import Frozen
from lorebook.ruleset import Ruleset
from lorebook.scripts import language_of, unspaced_share
from lorebook.workspace.exporting import export_language
from lorebook.workspace.meaning import by_meaning
from lorebook.workspace.searching import Searching
from lorebook.workspace.views import MatchResult

MAX_BOOK_BYTES = 256 * 1024 * 1024
# What a model embeds at once; of a long window the newest text says best what the scene is about.
_QUERY_CHARACTERS = 1500


class MatchOptions(Frozen):
    """
    What the caller of a match may choose; what is left out is the book's or the engine's to say.
    """

    preset: Preset = Field(default=Preset.LOREBOOK, description="Ours, or SillyTavern's exactly.")
    language: str | None = Field(
        default=None, description="Of a ruleset's texts: en, zh or both; else the chat's, where they have it."
    )
    token_budget: int | None = Field(
        default=None, ge=0, description="Tokens that all entries may take together; the command line's --budget."
    )
    scan_depth: int | None = Field(default=None, ge=0, le=1000)
    recursive: bool | None = Field(default=None, description="Whether the texts of entries that fire are scanned too.")
    vector_limit: int = Field(default=3, ge=0, le=100, description="Entries that may come in by meaning alone.")
    vector_floor: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="The least score of those; else the recipe's, below which nothing answers.",
    )
    tokenizer: str = "o200k_base"
    seed: int = 0
    decorators: bool | None = Field(default=None, description="Whether Card V3's decorators in contents count.")
    greeting: int | None = Field(default=None, ge=0, description="The greeting in use, 0 being the first message.")
    user_icon: str | None = Field(default=None, description="The user icon that is chosen.")
    character: str | None = Field(
        default=None,
        min_length=1,
        description="The character that is open, as entries' character filters name it: its picture's file name "
        "without the ending.",
    )
    tags: tuple[str, ...] | None = Field(default=None, description="The character's tags, for entries' tag filters.")
    switches: dict[str, bool] = Field(
        default={}, description="Differences of the presets by name, switched on or off by themselves."
    )
    state: State | None = Field(default=None, description="`activation.state` of the chat's last turn.")

    def settings(self) -> MatchSettings:
        """
        Return the engine's settings.

        Raises UnknownNameError for a tokenizer that is not there.
        """
        token_counter(self.tokenizer)
        names = ("recursive", "decorators", "vector_limit", "vector_floor", "tokenizer", "seed")
        chosen = {name: value for name in names if (value := getattr(self, name)) is not None}
        return MatchSettings.of_preset(self.preset).model_copy(update=chosen)

    def behaviour(self) -> Behaviour:
        """
        Return what the preset decides, with the differences that were switched.

        Raises UnknownNameError for a difference that is not there.
        """
        for name in self.switches:
            if name not in SWITCHES:
                raise UnknownNameError.among("switch", name, SWITCHES)
        return replace(PRESETS[self.preset], **self.switches)

    def open_character(self) -> Character | None:
        """
        Return the character that is open, None where neither its name nor its tags are told.
        """
        return None if self.character is None and self.tags is None else Character(self.character, self.tags)

    def applied_to(self, book: Book) -> Book:
        """
        Return *book* with the depth, budget and recursion that the caller chose over its own.
        """
        chosen = {
            "token_budget": self.token_budget,
            "scan_depth": self.scan_depth,
            "recursive_scanning": self.recursive,
        }
        return book.model_copy(update={name: value for name, value in chosen.items() if value is not None})


def checked_preset(wanted: str) -> Preset:
    """
    Return *wanted* as a preset.

    Raises UnknownNameError for one that is not there.
    """
    try:
        return Preset(wanted)
    except ValueError as error:
        raise UnknownNameError.among("preset", wanted, Preset) from error


def told_book(chosen: Ruleset | Book, chat: Sequence[Message], language: str | None) -> Book:
    """
    Return *chosen* as a book; a ruleset is told in *language*, else, where it has it, in that of the newest messages.

    Raises InputError for a *language* in which not all rules are worded.
    """
    if isinstance(chosen, Book):
        return chosen
    if language:
        return from_ruleset(chosen, export_language(language), all_keys=True)
    spoken = language_of(" ".join(message.content for message in chat[-4:]))
    return from_ruleset(chosen, ExportLanguage(spoken), all_keys=True, or_original=True)


def scene(chat: Sequence[Message], settings: MatchSettings, book: Book) -> str:
    """
    Return the scanned messages as the text whose meaning is looked up.
    """
    depth = settings.scan_depth if book.scan_depth is None else book.scan_depth
    newest = chat[-depth:] if depth else ()
    return "\n".join(message.content for message in newest)[-_QUERY_CHARACTERS:].strip()


def book_from_file(path: Path) -> Book:
    """
    Read the lorebook or card file *path*.

    Raises InputError when it cannot be read and FormatError when it is no book.
    """
    data = read_file(path, limit=MAX_BOOK_BYTES, hint="name a lorebook or card file")
    return read_book(data, file_name=path.name)


def book_from_json(plain: dict[str, Any]) -> Book:
    """
    Read a lorebook or card given as parsed JSON.

    Raises FormatError when it is no book.
    """
    return read_book(exactjson.dump(plain, indent=None).encode(), file_name="book")


def match_chat(
    searching: Searching,
    chat: Sequence[Message],
    chosen: Ruleset | Book,
    options: MatchOptions | None,
    *,
    progress: Progress | None = None,
) -> MatchResult:
    """
    Return what *chat* activates in *chosen*, with what *searching* finds there by meaning.
    """
    options = options or MatchOptions()
    settings = options.settings()
    book = options.applied_to(told_book(chosen, chat, options.language))
    text = scene(chat, settings, book) if options.vector_limit else None
    meaning = by_meaning(searching, text, chosen, book, progress=progress)
    if options.vector_floor is None:
        settings = settings.model_copy(update={"vector_floor": meaning.floor})
    behaviour = options.behaviour()
    is_cut = behaviour.longest_terms and any(unspaced_share(message.content) for message in chat)
    terms = _crossing(searching.chinese_terms, book) if is_cut else ()
    activation = CompiledBook(book, settings, terms=terms, behaviour=behaviour).match(
        chat,
        vector_hits=meaning.hits,
        state=options.state,
        greeting=options.greeting,
        user_icon=options.user_icon,
        character=options.open_character(),
    )
    return MatchResult(activation=activation, prompt=render(activation), vectors=meaning.said)


def _crossing(terms: Collection[str], book: Book) -> list[str]:
    """
    Return those of the glossary's *terms* that hold no key of *book*: who gives 召唤 as a key means 通常召唤 too.

    Only a longer key of the book itself says that the shorter one is not meant there.
    """
    keys = {fold(key) for entry in book.entries for key in (*entry.keys, *entry.settings.secondary_keys)}
    return [term for term in terms if keys.isdisjoint(_parts(term))]


def _parts(term: str) -> Iterator[str]:
    """
    Yield what stands in *term* and is shorter.
    """
    for length in range(1, len(term)):
        yield from (term[start : start + length] for start in range(len(term) - length + 1))
