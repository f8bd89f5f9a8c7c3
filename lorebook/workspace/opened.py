"""
The calls on a workspace. The command line and the service are two spellings of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from lorebook import atomic
from lorebook.book import Book
from lorebook.errors import UnknownNameError
from lorebook.formats import Export
from lorebook.matching.chat import parse_messages, read_chat
from lorebook.progress import Progress
from lorebook.retrieval.building import BuildReport
from lorebook.retrieval.choices import Choices
from lorebook.retrieval.condition import Condition
from lorebook.retrieval.evaluation import Report
from lorebook.ruleset import Ruleset
from lorebook.workspace import canonical, exporting, importing, linking, location
from lorebook.workspace.asking import ask
from lorebook.workspace.exporting import export_language
from lorebook.workspace.files import refuse_existing
from lorebook.workspace.fileviews import ExportView, StaleFile
from lorebook.workspace.library import Library
from lorebook.workspace.matching import MatchOptions, book_from_file, book_from_json, match_chat
from lorebook.workspace.searching import Searching
from lorebook.workspace.views import Answer, Comparison, ImportView, MatchResult, RulesetView


class Workspace(Library):
    """
    A folder of rulesets, their index and their exports.
    """

    def __init__(self, root: Path, choices: Choices | None = None) -> None:
        super().__init__(root)
        self._choices = choices or Choices()

    @classmethod
    def open(cls, wanted: Path | None = None, choices: Choices | None = None) -> Self:
        """
        Open the workspace *wanted*, else the one around the current folder, else the shipped one.

        *choices* overrule its recipe. Raises InputError when *wanted* is not a workspace.
        """
        return cls(location.find(wanted), choices)

    # Rules

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
        force: bool = False,
        progress: Progress | None = None,
    ) -> list[ImportView]:
        """
        Read *files* into rulesets of the workspace *wanted*, which is made when it is missing.

        With *replace* rulesets that are there are replaced; one that was changed by hand only with *force*, too.
        Nothing is written unless every file can be read. Raises InputError or DocumentError, naming the file.
        """
        root = wanted.resolve() if wanted else location.around(hint="name one with --workspace DIR, made if missing")
        words = importing.GlossaryWords.of(root)
        read = importing.read_documents(files, words=words, kind=kind, name=name, progress=progress)
        importing.refuse_taken(root, read, replace=replace, force=force)
        location.init(root)
        return [importing.save(root, item) for item in read]

    def rewrite(self, name: str | None = None) -> list[str]:
        """
        Write the records and manifest of the ruleset *name*, of every one without a name, in canonical form.

        Returns the files that were not, as paths below `rules/`. Raises UnknownNameError for a ruleset that is not
        there, StorageError when the disk refuses.
        """
        chosen = [self.ruleset(name)] if name else self.rulesets.values()
        return [file for ruleset in chosen for file in canonical.rewrite(self.rules_folder, ruleset)]

    def write_schema(self, *, check: bool = False) -> bool:
        """
        Write the JSON Schema of a record; with *check* only tell whether it is current.
        """
        return canonical.write_schema(self.rules_folder, check=check)

    def link(self, one: str, other: str, *, remove: bool = False) -> linking.LinkView:
        """
        Say in the records of the rules *one* and *other* that they decide the same point otherwise, or no longer do.

        Raises InputError for rules that cannot be linked, RecordError for a record that cannot be changed.
        """
        vars(self).pop("rulesets", None)  # read before the link
        return linking.unlink(self, one, other) if remove else linking.link(self, one, other)

    def link_faults(self) -> list[linking.LinkFault]:
        """
        Return the links that only one side says, that stay in one ruleset, or that lead nowhere.
        """
        return linking.faults(self.rulesets.values())

    # Retrieval

    @cached_property
    def searching(self) -> Searching:
        """
        The index of the workspace and what is done with it.
        """
        return Searching(self.root, lambda: self.folders, self._choices)

    def ask(
        self,
        question: str,
        *,
        rulesets: Sequence[str] | None = None,
        languages: Sequence[str] | None = None,
        limit: int = 5,
        prefer: str | None = None,
        progress: Progress | None = None,
    ) -> Answer:
        """
        Return the rules that answer *question*, best first, *limit* at most, and where rulesets disagree on it.

        Rules of the ruleset *prefer* come before others that answer about as well, and decide where they disagree.

        Raises UnknownNameError for a ruleset that is not there, RetrievalError when the index cannot answer.
        """
        return ask(
            question,
            self,
            self.searching,
            rulesets=rulesets,
            languages=languages,
            limit=limit,
            prefer=prefer,
            progress=progress,
        )

    def compare(
        self,
        one: str,
        other: str,
        *,
        topic: str | None = None,
        language: str | None = None,
        limit: int | None = None,
        progress: Progress | None = None,
    ) -> Comparison:
        """
        Say where the rulesets *one* and *other* differ, at most *limit* rules of each kind.

        *topic*, a question or a term, restricts it to the rules that it finds, and is answered in its language, unless
        *language* says another. Raises UnknownNameError for a ruleset or language that is not there, InputError for a
        ruleset that is compared with itself.
        """
        from lorebook.workspace.comparing import compare, found_by  # noqa: PLC0415 (brings numpy)

        left, right = self.ruleset(one), self.ruleset(other)
        found = found_by(topic, self.searching, (one, other), progress=progress) if topic else None
        nearness, said = self.searching.nearness(progress), self.disagreements
        return compare(left, right, nearness, disagreements=said, topic=found, language=language, limit=limit)

    def index_staleness(self, *, vectors: bool = False) -> str | None:
        """
        Say why the index (with *vectors*, the vectors kept beside the rules) is not current, None when it is.
        """
        return self.searching.vectors_staleness() if vectors else self.searching.staleness()

    def index_condition(self) -> Condition:
        """
        Say in which condition the index is, after looking at every part of it.
        """
        return self.searching.examined()

    def build_index(
        self, *, rebuild: bool = False, keep_vectors: bool = False, progress: Progress | None = None
    ) -> BuildReport:
        """
        Make the index fit the rules; with *rebuild* from nothing, with *keep_vectors* into the repository too.
        """
        return self.searching.build(rebuild=rebuild, keep_vectors=keep_vectors, progress=progress)

    def evaluate(self, queries: Path, *, documents: Path | None = None, progress: Progress | None = None) -> Report:
        """
        Run judged *queries*; *documents* is where source texts are that the workspace does not keep.

        Raises InputError or DataError, naming the file and line, for queries that cannot be read.
        """
        return self.searching.evaluate(queries, documents=documents, progress=progress)

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
        messages = read_chat(chat, where=where)
        return match_chat(self.searching, messages, self._named_book(book), options, progress=progress)

    def match_messages(
        self, messages: Sequence[dict[str, Any]], book: str | dict[str, Any], *, options: MatchOptions | None = None
    ) -> MatchResult:
        """
        Match *messages*, oldest first, against *book*: a ruleset's name, or a lorebook or card as parsed JSON.

        Raises InputError or FormatError for what cannot be read.
        """
        chat = parse_messages(messages, where="messages")
        chosen = self.ruleset(book) if isinstance(book, str) else book_from_json(book)
        return match_chat(self.searching, chat, chosen, options)

    def _named_book(self, name: str) -> Ruleset | Book:
        if name in self.folders:
            return self.ruleset(name)
        path = Path(name)
        if not location.is_file(path):
            raise UnknownNameError.among("ruleset and no file", name, self.folders)
        return book_from_file(path)

    # Exports

    @property
    def exports_folder(self) -> Path:
        """
        The folder of the ready-made exports.
        """
        return self.root / location.EXPORTS

    def export(self, ruleset: str, format_name: str, language: str = "both") -> Export:
        """
        Return *ruleset* as a file of the format *format_name*, with what the format could not hold.

        Raises UnknownNameError for a ruleset, format or language that is not there.
        """
        return exporting.export_ruleset(self.ruleset(ruleset), format_name, export_language(language))

    def export_file(
        self,
        ruleset: str,
        format_name: str,
        language: str = "both",
        output: Path | None = None,
        *,
        force: bool = False,
    ) -> ExportView:
        """
        Write *ruleset* to *output*, by default a file named after it in the current folder; its folder is made.

        Raises UnknownNameError as `export` does, InputError for a file that is there and may not be overwritten by
        *force*, StorageError when the disk refuses.
        """
        chosen = self.ruleset(ruleset)
        told = exporting.told_in(chosen, export_language(language))
        export = exporting.export_ruleset(chosen, format_name, told)
        path = output or Path(exporting.file_name(ruleset, format_name, told))
        if location.is_dir(path):
            path = path / exporting.file_name(ruleset, format_name, told)
        refuse_existing(path, force=force)
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
