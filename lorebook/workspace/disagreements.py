"""
Which paragraphs of two linked rules disagree, where `rules/disagreements.yaml` says it.

Rules of several paragraphs are linked as wholes, and no likeness of texts tells which of their paragraphs are meant:
those that agree are often more alike. So what was read by people is written down, once for all languages, since a
translation has the paragraphs of its original.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeAlias

from pydantic import RootModel, ValidationError

from lorebook import yamltext
from lorebook.errors import DataError, RulesetError
from lorebook.records import Line, Rule, RuleId, faults

FILE = "disagreements.yaml"
_SIDES = 2

Words: TypeAlias = Line | tuple[Line, ...]


class _Listed(RootModel[tuple[dict[RuleId, Words], ...]]):
    """
    What the file holds: for two rules each, the words that the paragraphs begin with.
    """


class Said(NamedTuple):
    """
    Two paragraphs that disagree.
    """

    one: str
    other: str


class Disagreements:
    """
    The paragraphs that disagree, by the ids of their rules.
    """

    def __init__(self, listed: Sequence[Mapping[str, Words]]) -> None:
        self._listed: dict[frozenset[str], list[Mapping[str, Words]]] = {}
        for sides in listed:
            self._listed.setdefault(frozenset(sides), []).append(sides)

    @classmethod
    def load(cls, path: Path) -> Disagreements:
        """
        Read the file *path*; one that is not there or empty names none.

        Raises RulesetError for a file that cannot be used.
        """
        try:
            seen = path.stat()
        except FileNotFoundError:
            return cls(())
        except OSError as error:
            raise _unreadable(error, f"{path.parent.name}/{path.name}") from error
        return _load(path, seen.st_mtime_ns, seen.st_size)

    @property
    def pairs(self) -> frozenset[frozenset[str]]:
        """
        The pairs of rules that are named.
        """
        return frozenset(self._listed)

    def between(self, one: Rule, other: Rule, languages: tuple[str, str]) -> list[Said]:
        """
        Return the paragraphs of *one* and *other* that disagree, in the language of either; none if nothing is known.
        """
        found = []
        for sides in self._listed.get(frozenset((one.id, other.id)), ()):
            ones, others = (
                [*_paragraphs(rule, sides[rule.id], language)]
                for rule, language in zip((one, other), languages, strict=True)
            )
            found += [Said(*pair) for pair in product(ones, others)]
        return found


def shows(passage: str, paragraph: str) -> bool:
    """
    Tell whether *passage* shows *paragraph*: short paragraphs are joined to passages, long ones cut.
    """
    return paragraph in passage or passage in paragraph


@lru_cache(maxsize=8)
def _load(path: Path, changed: int, size: int) -> Disagreements:
    del changed, size
    where = f"{path.parent.name}/{path.name}"
    try:
        plain = yamltext.read(path.read_text("utf-8"), where=where)
        listed = _Listed.model_validate(() if plain is None else plain).root
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(error, where) from error
    except ValidationError as error:
        raise RulesetError(faults(error)[0], where=where) from error
    except DataError as error:
        raise RulesetError(error.what, where=where) from error
    for sides in listed:
        if len(sides) != _SIDES:
            names = ", ".join(sides) or "none"
            raise RulesetError(f"two rules disagree, but {len(sides)} are named: {names}", where=where)
    return Disagreements(listed)


def _unreadable(error: Exception, where: str) -> RulesetError:
    return RulesetError(f"cannot be read: {error}", where=where)


def _paragraphs(rule: Rule, words: Words, language: str) -> Iterator[str]:
    """
    Yield the paragraphs of *rule* in *language* that begin with *words*, whichever of its languages these are in.
    """
    held = {code: [*wording.text.split("\n"), *wording.examples] for code, wording in rule.wordings.items()}
    for start in (words,) if isinstance(words, str) else words:
        for lines in held.values():
            places = [at for at, line in enumerate(lines) if line.startswith(start)]
            if places and len(lines) == len(held[language]):
                yield held[language][places[0]]
                break
