"""
The calls on a workspace. The command line and the service are two spellings of these.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeAlias

from lorebook import atomic
from lorebook.book import Book, from_ruleset
from lorebook.errors import UnknownNameError
from lorebook.formats import Export
from lorebook.matching.activation import VectorHit
from lorebook.matching.chat import Message, parse_messages, read_chat
from lorebook.matching.engine import match
from lorebook.prompt import render
from lorebook.records import Rule
from lorebook.retrieval.hits import Hit
from lorebook.ruleset import MANIFEST, Ruleset, dump_manifest, dump_rule, split_lines
from lorebook.workspace import exporting, importing, location
from lorebook.workspace.matching import (
    MatchOptions,
    book_from_file,
    book_from_json,
    export_language,
    scene,
    told_language,
)
from lorebook.workspace.searching import Searching
from lorebook.workspace.views import (
    Answer,
    AnswerHit,
    ExportView,
    ImportView,
    MatchResult,
    RulesetView,
    SourceLine,
    StaleFile,
)

Progress: TypeAlias = Callable[[int, int], None]
"""Told how much is done of how much."""

_SCHEMA = "rule.schema.json"


class Workspace:
    """
    A folder of rulesets, their index and their exports.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def open(cls, wanted: Path | None = None) -> Self:
        """
        Open the workspace *wanted*, else the one around the current folder, else the shipped one.

        Raises InputError when *wanted* is not a workspace.
        """
        return cls(location.find(wanted))

    # Rules

    @property
    def rules_folder(self) -> Path:
        """
        The folder of the rulesets.
        """
        return self.root / location.RULES

    @property
    def exports_folder(self) -> Path:
        """
        The folder of the ready-made exports.
        """
        return self.root / location.EXPORTS

    @cached_property
    def rulesets(self) -> dict[str, Ruleset]:
        """
        The rulesets by name, read when first asked for.

        Raises RulesetError or RecordError for a folder that breaks the schema.
        """
        for name in atomic.retired_names(self.rules_folder):
            atomic.recover_folder(self.rules_folder / name)
        folders = sorted(path.parent for path in self.rules_folder.glob(f"[!.]*/{MANIFEST}"))
        return {folder.name: Ruleset.load(folder) for folder in folders}

    def ruleset(self, name: str) -> Ruleset:
        """
        Return the ruleset *name*.

        Raises UnknownNameError when there is none.
        """
        if name not in self.rulesets:
            have = ", ".join(self.rulesets) or "none yet"
            raise UnknownNameError(f"no ruleset {name!r}", where=str(self.root), hint=f"there are: {have}")
        return self.rulesets[name]

    def rule(self, rule_id: str) -> Rule:
        """
        Return the rule *rule_id*, `ruleset/slug`.

        Raises UnknownNameError when there is none.
        """
        return self.ruleset(rule_id.partition("/")[0]).rule(rule_id)

    def ruleset_views(self) -> list[RulesetView]:
        """
        Return what there is to say of each ruleset.
        """
        return [RulesetView.of(ruleset) for ruleset in self.rulesets.values()]

    @classmethod
    def import_documents(
        cls,
        files: Sequence[Path],
        wanted: Path | None = None,
        *,
        kind: str | None = None,
        name: str | None = None,
        replace: bool = False,
        progress: Progress | None = None,
    ) -> list[ImportView]:
        """
        Read *files* into rulesets of the workspace *wanted*, which is made when it is missing.

        Nothing is written unless every file can be read. Raises InputError or DocumentError, naming the file.
        """
        read = importing.read_documents(files, kind=kind, name=name, progress=progress)
        root = wanted.resolve() if wanted else location.find(None)
        importing.refuse_taken(root, read, replace=replace)
        location.init(root)
        return [importing.save(root, item) for item in read]

    def rewrite(self) -> int:
        """
        Write every record and manifest in canonical form; return how many rulesets there are.
        """
        for ruleset in self.rulesets.values():
            folder = self.rules_folder / ruleset.name
            atomic.write_file(folder / MANIFEST, dump_manifest(ruleset.manifest))
            for rule in ruleset.rules:
                atomic.write_file(folder / f"{rule.slug}.yaml", dump_rule(rule))
        return len(self.rulesets)

    def write_schema(self, *, check: bool = False) -> bool:
        """
        Write the JSON Schema of a record; with *check* only tell whether it is current.
        """
        text = json.dumps(Rule.model_json_schema(), ensure_ascii=False, indent=2) + "\n"
        path = self.rules_folder / _SCHEMA
        if check:
            return path.is_file() and path.read_text("utf-8") == text
        atomic.write_file(path, text.encode())
        return True

    # Retrieval

    @cached_property
    def searching(self) -> Searching:
        """
        The index of the workspace and what is done with it.
        """
        return Searching(self.root, self.rulesets)

    def ask(
        self,
        question: str,
        *,
        rulesets: Sequence[str] | None = None,
        languages: Sequence[str] | None = None,
        limit: int = 5,
        progress: Progress | None = None,
    ) -> Answer:
        """
        Return the rules that answer *question*, best first, *limit* at most.

        Raises UnknownNameError for a ruleset that is not there, RetrievalError when the index cannot answer.
        """
        wanted = frozenset(self.ruleset(name).name for name in rulesets) if rulesets else None
        hits = self.searching.search(
            question, rulesets=wanted, languages=frozenset(languages) if languages else None, limit=limit, progress=progress
        )
        return Answer(question=question, hits=tuple(self._answer_hit(hit) for hit in hits))

    def _answer_hit(self, hit: Hit) -> AnswerHit:
        ruleset = self.ruleset(hit.rule.partition("/")[0])
        rule, manifest = ruleset.rule(hit.rule), ruleset.manifest
        return AnswerHit(
            rule=rule,
            ruleset_title=manifest.title.get(hit.language) or next(iter(manifest.title.values())),
            edition=manifest.edition,
            authority=rule.authority or manifest.authority,
            hit=hit,
            source_lines=_source_lines(ruleset, rule),
        )

    # Books

    def match(
        self,
        chat: bytes,
        book: str,
        *,
        where: str = "chat",
        options: MatchOptions | None = None,
        progress: Progress | None = None,
    ) -> MatchResult:
        """
        Match the chat *chat* (a file's content) against *book*: a ruleset's name, or a lorebook or card file.

        Raises InputError or FormatError, naming what cannot be read.
        """
        return self._match(read_chat(chat, where=where), self._named_book(book), options or MatchOptions(), progress)

    def match_messages(
        self, messages: Sequence[dict[str, Any]], book: str | dict[str, Any], *, options: MatchOptions | None = None
    ) -> MatchResult:
        """
        Match *messages*, oldest first, against *book*: a ruleset's name, or a lorebook or card as parsed JSON.

        Raises InputError or FormatError for what cannot be read.
        """
        chat = parse_messages(messages, where="messages")
        chosen = self.ruleset(book) if isinstance(book, str) else book_from_json(book)
        return self._match(chat, chosen, options or MatchOptions(), None)

    def _named_book(self, name: str) -> Ruleset | Book:
        if name in self.rulesets:
            return self.rulesets[name]
        path = Path(name)
        if not path.is_file():
            have = ", ".join(self.rulesets) or "none"
            raise UnknownNameError(f"no ruleset and no file {name!r}", hint=f"rulesets here: {have}")
        return book_from_file(path)

    def _match(
        self, chat: Sequence[Message], chosen: Ruleset | Book, options: MatchOptions, progress: Progress | None
    ) -> MatchResult:
        settings = options.settings()
        book = chosen
        if isinstance(chosen, Ruleset):
            book = from_ruleset(chosen, told_language(chat, options.language), all_keys=True)
        book = options.applied_to(book)
        depth = settings.scan_depth if book.scan_depth is None else book.scan_depth
        text = scene(chat, depth) if options.vector_limit else ""
        hits, said = self._by_meaning(text, chosen, book, progress)
        activation = match(chat, book, settings=settings, vector_hits=hits)
        return MatchResult(activation=activation, prompt=render(activation), vectors=said)

    # Exports

    def export(self, ruleset: str, format_name: str, language: str = "both") -> Export:
        """
        Return *ruleset* as a file of the format *format_name*, with what the format could not hold.

        Raises UnknownNameError for a ruleset, format or language that is not there.
        """
        return exporting.export_ruleset(self.ruleset(ruleset), format_name, export_language(language))

    def export_file(
        self, ruleset: str, format_name: str, language: str = "both", output: Path | None = None
    ) -> ExportView:
        """
        Write *ruleset* to *output*, by default a file named after it in the current folder.

        Raises UnknownNameError as `export` does, StorageError when the disk refuses.
        """
        export, told = self.export(ruleset, format_name, language), export_language(language)
        path = output or Path(exporting.file_name(ruleset, format_name, told))
        if path.is_dir():
            path = path / exporting.file_name(ruleset, format_name, told)
        atomic.write_file(path, export.data)
        return exporting.view(str(path), ruleset, format_name, told, export)

    def export_all(self, *, progress: Progress | None = None) -> list[ExportView]:
        """
        Write every ruleset in every format and language into `exports/`.
        """
        return exporting.write_all(self.exports_folder, self.rulesets.values(), progress=progress)

    def stale_exports(self) -> list[StaleFile]:
        """
        Return the files of `exports/` that are not what would be written now.
        """
        return exporting.stale_files(self.exports_folder, self.rulesets.values())


def _source_lines(ruleset: Ruleset, rule: Rule) -> tuple[SourceLine, ...]:
    text = ruleset.source_text(rule.source.document) if rule.source else None
    if not rule.source or text is None:
        return ()
    lines = split_lines(text)
    numbers = [number for span in rule.source.lines for number in span.numbers() if number <= len(lines)]
    return tuple(SourceLine(number=number, text=lines[number - 1]) for number in numbers if lines[number - 1].strip())
