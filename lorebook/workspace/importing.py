"""
Documents into a workspace: read all, then write all.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

from lorebook.errors import DocumentError, InputError, RecordError
from lorebook.folding import fold
from lorebook.importers import MOST_BYTES, ImportReport, Words, import_document
from lorebook.progress import Progress
from lorebook.reading import read_file
from lorebook.records import MOST_RULESET_BYTES
from lorebook.retrieval.glossary import Glossary
from lorebook.ruleset import MANIFEST, Ruleset, read_rule
from lorebook.workspace import edits, location
from lorebook.workspace.views import ImportView, RulesetView

_STDIO = Path("-")


class ReadDocument(NamedTuple):
    """
    A document that has been read, but not yet written; *data* is what is kept of it.
    """

    path: Path
    data: bytes
    ruleset: Ruleset
    report: ImportReport


class GlossaryWords:
    """
    What a glossary knows of the games' language, for the keys that importers propose.
    """

    def __init__(self, glossary: Glossary) -> None:
        self._glossary = glossary

    @classmethod
    def of(cls, root: Path) -> Self:
        """
        Return the words of the glossary of the workspace *root*, else of the shipped one.

        Raises RulesetError for a glossary that cannot be read.
        """
        places = (each / location.RULES / "glossary.yaml" for each in (root, location.shipped()))
        return cls(next((Glossary.load(path) for path in places if path.is_file()), Glossary(())))

    def terms(self, text: str) -> Sequence[str]:
        """
        Return the terms in *text* as it writes them.
        """
        return [" ".join(mention.surface.split()).removesuffix("'s") for mention in self._glossary.find(text)]

    def simplified(self, text: str) -> str:
        """
        Return *text* in Simplified Chinese.
        """
        return fold(text, keep_case=True)


def read_documents(
    files: Sequence[Path],
    *,
    words: Words | None = None,
    kind: str | None = None,
    name: str | None = None,
    progress: Progress | None = None,
) -> list[ReadDocument]:
    """
    Read every one of *files*.

    Raises InputError or DocumentError, naming the file.
    """
    if name is not None and len(files) > 1:
        raise InputError("one name cannot name several rulesets", hint="leave --name out, or import one file at a time")
    names = [name or name_from(path) for path in files]
    if twice := next((each for each in names if names.count(each) > 1), None):
        raise InputError(f"two of the files would become the ruleset {twice!r}", hint="import them apart, with --name")
    return [_read(path, ruleset, kind, words, progress) for path, ruleset in zip(files, names, strict=True)]


def _read(path: Path, name: str, kind: str | None, words: Words | None, progress: Progress | None) -> ReadDocument:
    _refuse_no_file(path)
    data = read_file(path, limit=MOST_BYTES, hint="name a document of at most 64 MiB")
    try:
        imported = import_document(data, file_name=path.name, ruleset=name, kind=kind, words=words, progress=progress)
    except DocumentError as error:
        raise DocumentError(error.what, where=error.where or path.name, hint=error.hint) from error
    return ReadDocument(path, imported.kept, imported.ruleset, imported.report)


def _refuse_no_file(path: Path) -> None:
    if path == _STDIO and not location.is_file(path):
        hint = "write it into a file: rules cite their document by its name"
        raise InputError("a document is not read from standard input", where="-", hint=hint)
    if location.is_dir(path):
        raise InputError("a folder, not a document", where=str(path), hint="name the documents in it")


def name_from(path: Path) -> str:
    """
    Return the name of the ruleset that the document *path* becomes: the words of its stem, lower-cased.
    """
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", path.stem).lower())
    short = "-".join(words)[:60].encode()[:MOST_RULESET_BYTES].decode(errors="ignore")
    return short.strip("-") or "rules"


def refuse_taken(root: Path, documents: Sequence[ReadDocument], *, replace: bool, force: bool = False) -> None:
    """
    Raise InputError when a ruleset is there already and is not to be replaced; with what was changed in it by hand,
    only by *force*.
    """
    for document in documents:
        name = document.ruleset.name
        folder = root / location.RULES / name
        if replace and not force:
            edits.refuse_edited(folder)
        if not replace and (folder / MANIFEST).exists():
            hint = "--replace replaces it, --name gives another name"
            raise InputError(f"the ruleset {name!r} is there already", where=str(root), hint=hint)


def save(root: Path, document: ReadDocument) -> ImportView:
    """
    Write the rules of *document*, and the document beside them, into the workspace *root*.

    A rule that was there before keeps its links to rules of other rulesets: they are no part of the document.
    Raises StorageError when the disk refuses.
    """
    folder = root / location.RULES / document.ruleset.name
    ruleset = _with_links(document.ruleset, folder)
    gone = _not_made_again(folder, ruleset)
    kept = {entry.name: document.data for entry in ruleset.manifest.documents}
    ruleset.save(folder, sources=kept, beside={edits.DIGESTS: edits.digests(document.ruleset)})
    file = os.fsencode(document.path).decode(errors="replace")
    view = RulesetView.of(ruleset)
    return ImportView(file=file, folder=str(folder), ruleset=view, report=document.report, removed=gone)


def _with_links(ruleset: Ruleset, folder: Path) -> Ruleset:
    """
    Return *ruleset* with the links that its rules have in *folder*.
    """
    held = {rule.id: _links(folder / f"{rule.slug}.yaml") for rule in ruleset.rules} if folder.is_dir() else {}
    if not any(held.values()):
        return ruleset
    rules = [rule.model_copy(update={"conflicts_with": held[rule.id]}) for rule in ruleset.rules]
    return Ruleset(ruleset.name, ruleset.manifest, rules)


def _links(path: Path) -> tuple[str, ...]:
    if not path.is_file() or b"conflicts_with" not in path.read_bytes():
        return ()
    try:
        return read_rule(path).conflicts_with
    except RecordError:
        # A ruleset that is broken can be replaced as well; what its records would link to is not known.
        return ()


def _not_made_again(folder: Path, ruleset: Ruleset) -> tuple[str, ...]:
    """
    Return the records in *folder* that replacing it by *ruleset* takes away: those of the old document, or by hand.
    """
    new = {rule.slug for rule in ruleset.rules}
    return tuple(sorted(path.stem for path in folder.glob("[!.]*.yaml") if path.stem not in new))
