"""
A ruleset: a folder `rules/<name>/` with `ruleset.toml` and one YAML file a rule.

The text form is canonical (the same rules always give the same bytes), so a changed rule is a changed
file and nothing else. `source/` may hold the document that the rules were imported from; it is kept to
show the lines that a rule restates and is never needed to read the rules.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tomllib
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Self, TypeVar

import tomlkit
from pydantic import BaseModel, Field, ValidationError

from lorebook import atomic, yamltext
from lorebook.errors import DataError, RecordError, RulesetError, UnknownNameError
from lorebook.records import FileName, Frozen, Language, Line, LineSpan, Rule, Told, faults

MANIFEST = "ruleset.toml"
COVER = "cover.png"
LARGE_COVER = "cover-large.png"
_SOURCE_FOLDER = "source"

# A record that breaks its schema in more places is told by the first ones.
_MOST_FAULTS = 3

Model = TypeVar("Model", bound=BaseModel)


class SetAside(Frozen):
    """
    Lines of the document that no rule restates, and why: headings, page furniture, provenance.
    """

    lines: tuple[LineSpan, ...] = Field(min_length=1)
    why: Line
    text: str = ""


class Document(Frozen):
    """
    The source document: its file name, what it was when it was read, and what was left out of the rules.
    """

    name: FileName
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    line_count: int = Field(ge=1)
    set_aside: tuple[SetAside, ...] = ()


class Manifest(Frozen):
    """
    What `ruleset.toml` says of all the rules together; what is one text and no table is meant in every language.
    """

    title: dict[Language, Line] = Field(min_length=1)
    game: Told
    edition: Told
    languages: tuple[Language, ...] = Field(min_length=1, description="The original first.")
    authority: Told
    licence: Told
    description: dict[Language, Line] = {}
    documents: tuple[Document, ...] = ()


class Ruleset:
    """
    The rules of one game as one authority states them, in reading order.
    """

    def __init__(self, name: str, manifest: Manifest, rules: Iterable[Rule], folder: Path | None = None) -> None:
        """
        Check and keep *rules*; *folder* is where they were read from.

        Raises RulesetError for a repeated id or a rule that names another ruleset.
        """
        self.name = name
        self.manifest = manifest
        self.folder = folder
        self.rules = tuple(sorted(rules, key=lambda rule: (rule.order, rule.id)))
        self._by_id = {rule.id: rule for rule in self.rules}
        self._check()

    def _check(self) -> None:
        if len(self._by_id) != len(self.rules):
            twice = next(rule.id for n, rule in enumerate(self.rules) if rule in self.rules[:n] or self._repeats(rule))
            raise RulesetError(f"the id {twice} stands twice", where=self.name)
        for rule in self.rules:
            if rule.ruleset != self.name:
                raise RulesetError(f"the rule {rule.id} belongs to another ruleset", where=self.name)

    def _repeats(self, rule: Rule) -> bool:
        return sum(other.id == rule.id for other in self.rules) > 1

    @classmethod
    def load(cls, folder: Path) -> Self:
        """
        Read the ruleset in *folder*.

        Raises RulesetError or RecordError, naming the file and the field that is wrong.
        """
        manifest = read_manifest(folder)
        rules = [read_rule(path) for path in sorted(folder.glob("[!.]*.yaml"))]
        return cls(folder.name, manifest, rules, folder)

    def save(
        self, folder: Path, *, sources: Mapping[str, bytes] | None = None, beside: Mapping[str, bytes] | None = None
    ) -> None:
        """
        Write the ruleset as *folder*, all or nothing; *sources* are documents to keep, by file name, and *beside*
        what else lies with the records.

        Of a ruleset that stood there before, the covers and the kept documents stay: no record holds them.
        Raises StorageError when the disk refuses.
        """

        def fill(staged: Path) -> None:
            _carry_over(folder, staged)
            (staged / MANIFEST).write_bytes(self._manifest_text)
            for rule, text in zip(self.rules, self._texts, strict=True):
                (staged / f"{rule.slug}.yaml").write_bytes(text)
            for name, data in (sources or {}).items():
                (staged / _SOURCE_FOLDER).mkdir(exist_ok=True)
                (staged / _SOURCE_FOLDER / name).write_bytes(data)
            for name, data in (beside or {}).items():
                (staged / name).write_bytes(data)

        atomic.write_folder(folder, fill)

    def rule(self, rule_id: str) -> Rule:
        """
        Return the rule with *rule_id*.

        Raises UnknownNameError when there is none.
        """
        if rule_id not in self._by_id:
            raise UnknownNameError(
                f"no rule {rule_id!r}", where=self.name, hint=f"`lorebook rules {self.name}` lists them"
            )
        return self._by_id[rule_id]

    @cached_property
    def digest(self) -> str:
        """
        The sha256 of the canonical text of everything in the ruleset, as hexadecimal digits.
        """
        total = hashlib.sha256(self._manifest_text)
        for text in self._texts:
            total.update(hashlib.sha256(text).digest())
        return total.hexdigest()

    @cached_property
    def _manifest_text(self) -> bytes:
        return dump_manifest(self.manifest)

    @cached_property
    def _texts(self) -> tuple[bytes, ...]:
        """
        The canonical text of every rule: written and digested, made once.
        """
        return tuple(map(dump_rule, self.rules))

    def source_text(self, document: str) -> str | None:
        """
        Return the text of the kept source *document*, or None where it was not kept.
        """
        return source_text(self.folder, document) if self.folder else None


def source_text(folder: Path, document: str) -> str | None:
    """
    Return the text of the *document* that the ruleset in *folder* keeps, or None where it keeps none.

    What lies outside the ruleset is not kept by it, whatever a name or a link in it says. Raises RulesetError for a
    document that cannot be read.
    """
    home = (folder / _SOURCE_FOLDER).resolve()
    try:
        path = (home / document).resolve()
        kept = path.is_relative_to(home) and path.is_relative_to(folder.resolve()) and path.is_file()
        return decode(path.read_bytes()) if kept else None
    except (OSError, ValueError, RuntimeError) as error:
        # RuntimeError: links in a circle.
        raise RulesetError(f"a kept document cannot be read: {error}", where=folder.name) from error


def _carry_over(old: Path, new: Path) -> None:
    for name in (COVER, LARGE_COVER):
        if (old / name).is_file():
            shutil.copyfile(old / name, new / name)
    if (old / _SOURCE_FOLDER).is_dir():
        shutil.copytree(old / _SOURCE_FOLDER, new / _SOURCE_FOLDER)


def decode(data: bytes) -> str:
    """
    Return the text of a UTF-8 document, its byte order mark taken off and undecodable bytes marked.
    """
    return data.decode("utf-8-sig", errors="replace")


def split_lines(text: str) -> list[str]:
    """
    Return the lines of *text* without their ends; line n of a span is element n - 1.

    Only LF, CR LF and CR end a line: `str.splitlines` would also break at U+2028 and form feeds.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def dump_rule(rule: Rule) -> bytes:
    """
    Return the canonical text of *rule*: fields in the schema's order, defaults left out, the original language first.
    """
    plain = rule.model_dump(mode="json", exclude_defaults=True)
    for name in ("wordings", "authority"):
        if isinstance(by_language := plain.get(name), dict):
            languages = sorted(by_language, key=lambda language: (language != rule.original, language))
            plain[name] = {language: by_language[language] for language in languages}
    return yamltext.write(plain).encode()


def read_rule(path: Path) -> Rule:
    """
    Read one rule's file.

    Raises RecordError, naming the field, when it breaks the schema or its file name is not its slug.
    """
    where = _where(path)
    try:
        plain = yamltext.read(path.read_text("utf-8"), where=where)
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"cannot be read: {error}", where=where) from error
    except DataError as error:
        raise RecordError(error.what, where=where) from error
    rule = _validate(Rule, plain, RecordError, where)
    if rule.slug != path.stem:
        raise RecordError(f"holds the rule {rule.id}", where=where, hint=f"rename it to {rule.slug}.yaml")
    return rule


def dump_manifest(manifest: Manifest) -> bytes:
    """
    Return the canonical text of a `ruleset.toml`.
    """
    plain = manifest.model_dump(mode="json", exclude_defaults=True)
    for document in plain.get("documents", ()):
        for item in document.get("set_aside", ()):
            # The library builds a list item by item and looks at all of it each time: minutes for a long book.
            item["lines"] = tomlkit.value(json.dumps(item["lines"]))
    return tomlkit.dumps(plain).encode()


def read_manifest(folder: Path) -> Manifest:
    """
    Read what the ruleset in *folder* says of all its rules.

    Raises RulesetError, naming the field, when it breaks the schema or is not there.
    """
    path = folder / MANIFEST
    where = _where(path)
    try:
        plain = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise RulesetError(f"there is no {MANIFEST}", where=path.parent.name) from error
    except (OSError, ValueError) as error:
        raise RulesetError(f"not readable as TOML: {error}", where=where) from error
    except RecursionError as error:
        raise RulesetError("not readable as TOML: nested too deeply", where=where) from error
    return _validate(Manifest, plain, RulesetError, where)


def _where(path: Path) -> str:
    """Return how an error names the file *path* of a ruleset: from `rules/` on, where it lies there."""
    *_, above, ruleset, name = ("", *path.parts)
    return f"rules/{ruleset}/{name}" if above == "rules" else f"{ruleset}/{name}"


def _validate(model: type[Model], plain: object, failure: type[DataError], where: str) -> Model:
    try:
        return model.model_validate(plain)
    except ValidationError as error:
        said = faults(error)
        more = f"; and {len(said) - _MOST_FAULTS} more" if len(said) > _MOST_FAULTS else ""
        raise failure("; ".join(said[:_MOST_FAULTS]) + more, where=where) from error
