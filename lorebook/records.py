"""
The record of one ruling, and what it is made of.

A `Rule` says one thing in one or more languages. One wording is the original (the language of the
document that it restates); the others are translations. All models are frozen and refuse unknown
fields: a misspelt key in a hand-written record is an error, never silently dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, NamedTuple, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    ValidationError,
    model_validator,
)

from lorebook.faultwords import in_words, nearest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

# Word characters of any script, in parts joined by single hyphens or dots: `hand-limit`, `通常召唤`,
# `702.19b`. Lower case, so that ids that differ are never one file on a case-blind disk.
SLUG = r"[^\W_]+(?:[-.][^\W_]+)*"
_RULE_ID = re.compile(rf"(?P<ruleset>{SLUG})/(?P<slug>{SLUG})")
# Of a rule's name, in UTF-8: file systems allow 255, and `.yaml` follows. Of a ruleset's, what is made
# from it (a hidden name while it is replaced, the names of its exports) needs more room.
MOST_SLUG_BYTES, MOST_RULESET_BYTES = 240, 100
_LANGUAGE = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"

Language: TypeAlias = Annotated[str, StringConstraints(pattern=_LANGUAGE)]
"""A BCP 47 tag, such as `en` or `zh`."""

Line: TypeAlias = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(?:[^\n\r]*\S)?$")]
"""One line of text, without white space at its ends."""

Prose: TypeAlias = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(?:[\s\S]*\S)?$")]
"""Text of one or more paragraphs, without white space at its ends."""

# The two spellings of a line, as pydantic keeps them apart; the place of a fault is the field, however it is spelt.
_FOR_ALL, _FOR_EACH = "in all languages", "by language"


def _spelling(value: object) -> str:
    return _FOR_EACH if isinstance(value, dict) else _FOR_ALL


Told: TypeAlias = Annotated[
    Annotated[Line, Tag(_FOR_ALL)] | Annotated[dict[Language, Line], Field(min_length=1), Tag(_FOR_EACH)],
    Discriminator(_spelling),
]
"""A line that readers see: one for all languages, or one for each, that of the original first."""


def told(text: Told, language: str) -> str:
    """
    Return *text* in *language*, or in its first language where it has none in that one.
    """
    return text if isinstance(text, str) else text.get(language) or next(iter(text.values()))


MOST_NAME_BYTES = 200
"""Of a kept document's name; the file systems in use allow 255."""


def _check_file_name(name: str) -> str:
    if name in (".", "..") or len(name.encode()) > MOST_NAME_BYTES:
        raise ValueError(f"a document is named by one file name of at most {MOST_NAME_BYTES} bytes")
    return name


FileName: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, pattern=r"^[^\s/\\\x00](?:[^\n\r/\\\x00]*[^\s/\\\x00])?$"),
    AfterValidator(_check_file_name),
]
"""A file's name without a folder, so that a record can name nothing outside its ruleset."""


def is_rule_id(text: str) -> bool:
    """
    Tell whether *text* has the form of a rule's id.
    """
    is_short = all(len(part.encode("utf-8", "replace")) <= MOST_SLUG_BYTES for part in text.split("/"))
    return is_short and bool(_RULE_ID.fullmatch(text)) and text == text.lower()


def _check_rule_id(value: object) -> object:
    if isinstance(value, str) and not is_rule_id(value):
        raise ValueError(
            "an id is `ruleset/slug`: lower-case words joined by single hyphens or dots, at most 240 bytes each"
        )
    return value


RuleId: TypeAlias = Annotated[str, BeforeValidator(_check_rule_id)]
"""`ruleset/slug`, stable over edits of everything else."""


class Frozen(BaseModel):
    """
    The base of our own models: immutable, and strict about unknown fields.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")


class Position(StrEnum):
    """
    Where an entry's text goes in the prompt, in World Info's eight places.
    """

    BEFORE_CHAR = "before_char"
    AFTER_CHAR = "after_char"
    BEFORE_NOTE = "before_note"
    AFTER_NOTE = "after_note"
    AT_DEPTH = "at_depth"
    BEFORE_EXAMPLES = "before_examples"
    AFTER_EXAMPLES = "after_examples"
    OUTLET = "outlet"


class SecondaryLogic(StrEnum):
    """
    What the secondary keys must do once a primary key has matched.
    """

    AND_ANY = "and_any"
    NOT_ALL = "not_all"
    NOT_ANY = "not_any"
    AND_ALL = "and_all"


class Role(StrEnum):
    """
    Who speaks a message.
    """

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class EntrySettings(Frozen):
    """
    How a rule behaves as a lorebook entry; the vocabulary is World Info's.
    """

    enabled: bool = True
    constant: bool = False
    secondary_keys: tuple[Line, ...] = ()
    secondary_logic: SecondaryLogic = SecondaryLogic.AND_ANY
    position: Position = Position.BEFORE_CHAR
    depth: int = Field(default=4, ge=0, description="Messages from the end, for `at_depth`.")
    role: Role = Role.SYSTEM
    insertion_order: int = Field(default=100, description="Higher stands nearer to the chat.")
    probability: float = Field(default=100, ge=0, le=100, description="Per cent.")
    case_sensitive: bool | None = None
    match_whole_words: bool | None = None


class Wording(Frozen):
    """
    A rule in one language.
    """

    title: Line
    section: tuple[Line, ...] = Field(default=(), description="Headings above the rule, outermost first.")
    text: Prose
    examples: tuple[Prose, ...] = ()
    keys: tuple[Line, ...] = Field(default=(), description="What players write when they mean this rule.")
    asked: tuple[Line, ...] = Field(
        default=(), description="Questions, and scenes at the table, that this rule settles: searched, never shown."
    )


class Span(NamedTuple):
    """
    Lines *first* to *last* of a document, counted from 1, both included.
    """

    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]

    def numbers(self) -> range:
        """
        Return the line numbers of the span.
        """
        return range(self.first, self.last + 1)

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def _check_order(span: Span) -> Span:
    if span.last < span.first:
        raise ValueError(f"lines {span.first} to {span.last} run backwards")
    return span


LineSpan: TypeAlias = Annotated[Span, AfterValidator(_check_order)]
"""A span, written `[first, last]`."""


class Source(Frozen):
    """
    The lines of a document that a rule restates; a passage printed twice is cited twice.
    """

    document: FileName
    lines: tuple[LineSpan, ...] = Field(min_length=1)

    def __str__(self) -> str:
        return f"{self.document}:{','.join(map(str, self.lines))}"


class Rule(Frozen):
    """
    One ruling of one ruleset.
    """

    id: RuleId
    number: Line | None = Field(default=None, description="The document's own number, such as `C.I.a`.")
    order: int = Field(ge=0, description="Place in the ruleset's reading order.")
    original: Language = Field(description="The language of the document; the other wordings translate it.")
    wordings: dict[Language, Wording] = Field(min_length=1)
    settings: EntrySettings = EntrySettings()
    see_also: tuple[RuleId, ...] = ()
    conflicts_with: tuple[RuleId, ...] = Field(
        default=(), description="Rules of other rulesets that decide the same point otherwise."
    )
    authority: Told | None = Field(
        default=None,
        description="Who says so, where it is not the ruleset's own authority: in all languages, or by language.",
    )
    source: Source | None = Field(default=None, description="None for a rule that no document states.")

    @model_validator(mode="after")
    def _has_original(self) -> Self:
        if self.original not in self.wordings:
            raise ValueError(f"the original language is {self.original!r}, but there is no such wording")
        return self

    @property
    def ruleset(self) -> str:
        """
        The name of the ruleset: the part of the id before the slash.
        """
        return self.id.partition("/")[0]

    @property
    def slug(self) -> str:
        """
        The name within the ruleset: the part of the id after the slash.
        """
        return self.id.partition("/")[2]

    def wording(self, language: str | None = None) -> Wording:
        """
        Return the wording in *language*, or the original where there is none.
        """
        return self.wordings.get(language or self.original, self.wordings[self.original])


def faults(error: ValidationError, *, whole: str = "the whole") -> list[str]:
    """
    Say field by field what breaks a schema, such as `keys.0: is no text`.

    *whole* names what was checked, for what is wrong with no field of it.
    """
    model = next((each for each in _models(Frozen) if each.__name__ == error.title), None)
    return [_fault(fault, model, whole) for fault in error.errors()]


def _models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in model.__subclasses__():
        yield each
        yield from _models(each)


def _fault(fault: ErrorDetails, model: type[BaseModel] | None, whole: str) -> str:
    place, words = _place(fault["loc"]), in_words(fault) + nearest(fault, model)
    return words if fault["type"] == "value_error" and not place else f"{place or whole}: {words}"


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location if part not in (_FOR_ALL, _FOR_EACH))
