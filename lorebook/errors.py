"""
Every exception that lorebook raises on purpose.

    LorebookError
    ├── InputError         what the caller said cannot be used
    │   └── UnknownNameError   no such ruleset, rule, format, kind
    ├── DataError          what a file holds cannot be used
    │   ├── RecordError    a rule's record
    │   ├── RulesetError   a folder of records, its ruleset.toml or the glossary
    │   ├── DocumentError  a source document that is to be imported
    │   └── FormatError    a lorebook or card file
    ├── StorageError       the disk refuses: permissions, space
    └── RetrievalError     the index or a model cannot answer
        ├── ModelError     a model cannot be loaded or does not fit the index
        └── UnreachableError   the server that holds the vectors does not answer

An edge (command line, service) turns one into one line; nothing else catches the base class.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self


class LorebookError(Exception):
    """
    The base of all errors a user can meet: what is wrong, where, and what to do.
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(what, where, hint)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" ({self.hint})" if self.hint else ""
        return " ".join(f"{place}{self.what}{advice}".split())


class InputError(LorebookError):
    """
    What the caller said does not fit or cannot be read.
    """


class UnknownNameError(InputError):
    """
    The caller named something that does not exist.
    """

    @classmethod
    def among(cls, kind: str, name: str, known: Iterable[str], *, where: str = "", hint: str = "") -> Self:
        """
        Return the error that no *kind* is called *name*, with the nearest of the *known* names, if one is near.

        *hint* says where all of them are told; without one they are listed.
        """
        names = list(known)
        near = _nearest(name, names)
        meant = [f"did you mean {near}?"] if near else []
        told = hint or f"there are: {', '.join(names) or 'none yet'}"
        return cls(f"no {kind} {name!r}", where=where, hint=" ".join((*meant, told)))


def _nearest(name: str, known: Iterable[str]) -> str | None:
    """
    Return the one of the *known* names that is meant by *name*; a ruleset before a slash makes no rules alike.
    """
    from difflib import get_close_matches  # noqa: PLC0415 (only for the mistaken)

    head = name[: name.rfind("/") + 1]
    tail = name.removeprefix(head)
    # Numbers that look alike are no slips of the finger.
    if not any(map(str.isalpha, tail)):
        return None
    beside = [each.removeprefix(head) for each in known if each.startswith(head)]
    near = get_close_matches(tail, beside, n=1) or [each for each in beside if each.startswith(tail)]
    return head + near[0] if near else None


class DataError(LorebookError):
    """
    A file was read, and what it holds cannot be used.
    """


class RecordError(DataError):
    """
    A rule's record breaks its schema.
    """


class RulesetError(DataError):
    """
    A ruleset's folder, its ruleset.toml or the glossary is not what it should be.
    """


class DocumentError(DataError):
    """
    A source document cannot be read as the kind it is said to be.
    """


class FormatError(DataError):
    """
    A lorebook or card file cannot be read as, or a book written as, a format.
    """


class StorageError(LorebookError):
    """
    The disk refuses to read or write.
    """


class RetrievalError(LorebookError):
    """
    The index cannot answer.
    """


class ModelError(RetrievalError):
    """
    An embedding model cannot be loaded, or does not fit the index.
    """


class UnreachableError(RetrievalError):
    """
    A server that holds vectors does not answer; what it holds may be whole.
    """
