"""
The family that reads documents: one importer a kind, found by what the document holds.
"""

from __future__ import annotations

import re

from pydantic import ValidationError

from lorebook.errors import DocumentError, InputError
from lorebook.importers.assembly import assemble
from lorebook.importers.bbcode import BbcodeImporter
from lorebook.importers.document import MOST_BYTES, Document
from lorebook.importers.draft import Action, Detection, Imported, Importer, ImportReport, Notice
from lorebook.importers.flat_chinese import FlatChineseImporter
from lorebook.importers.html import HtmlImporter
from lorebook.importers.keywords import Words
from lorebook.importers.listed import ListedImporter, is_json, lorebook_refused
from lorebook.importers.listing import ListingImporter
from lorebook.importers.markdown import MarkdownImporter
from lorebook.importers.numbered import NumberedImporter
from lorebook.importers.outline import OutlineImporter
from lorebook.importers.pdf import PdfImporter
from lorebook.importers.plain import PlainImporter
from lorebook.importers.restructured import RestructuredImporter
from lorebook.progress import Progress
from lorebook.records import MOST_RULESET_BYTES, SLUG

__all__ = [
    "IMPORTERS",
    "MOST_BYTES",
    "Action",
    "Detection",
    "ImportReport",
    "Imported",
    "Importer",
    "Notice",
    "Words",
    "detect",
    "import_document",
]

_ALL: tuple[Importer, ...] = (
    ListingImporter(),
    OutlineImporter(),
    FlatChineseImporter(),
    BbcodeImporter(),
    MarkdownImporter(),
    HtmlImporter(),
    RestructuredImporter(),
    NumberedImporter(),
    PdfImporter(),
    ListedImporter(),
    PlainImporter(),
)
IMPORTERS: dict[str, Importer] = {importer.kind: importer for importer in _ALL}
"""Every importer by the name of its kind; `plain` reads any text and is the last resort."""


def detect(text: str) -> Detection:
    """
    Return the kind of document that *text* is, and why.

    Raises DocumentError for text without a visible character.
    """
    return _detect(Document.from_text(text))


def import_document(
    data: bytes,
    *,
    file_name: str,
    ruleset: str,
    kind: str | None = None,
    words: Words | None = None,
    progress: Progress | None = None,
) -> Imported:
    """
    Read the document *data* as rules of *ruleset*; *kind* overrules what its content says, *words* knows the games'.

    Raises DocumentError for what cannot be read as text or as *kind*, and InputError for a name that
    cannot be used.
    """
    if not re.fullmatch(SLUG, ruleset) or ruleset != ruleset.lower():
        raise InputError(f"{ruleset!r} cannot name a ruleset", hint="lower-case words joined by hyphens")
    if len(ruleset.encode()) > MOST_RULESET_BYTES:
        raise InputError(f"a ruleset's name has at most {MOST_RULESET_BYTES} bytes", hint="give it a shorter name")
    if kind is not None and kind not in IMPORTERS:
        raise InputError(f"no kind of document {kind!r}", hint=f"one of {', '.join(IMPORTERS)}")
    document = Document.from_bytes(data, name=file_name)
    detection = _forced(document, kind) if kind else _detect(document)
    reading = IMPORTERS[detection.kind].read(document)
    if not reading.drafts:
        raise DocumentError(f"no rule found in it as {detection.kind}", where=document.file)
    try:
        return assemble(reading, document, detection, ruleset=ruleset, words=words, progress=progress)
    except ValidationError as error:
        # A document of a kind that no one thought of: a rule came out of it that is no rule.
        fault = error.errors()[0]
        what = f"a rule without {'.'.join(map(str, fault['loc']))} came out of it, read as {detection.kind}"
        raise DocumentError(what, where=file_name, hint="try another kind with --as") from error


def _detect(document: Document) -> Detection:
    found = [detection for importer in IMPORTERS.values() if (detection := importer.detect(document))]
    best = max(found, key=lambda detection: detection.score)
    if best.kind != ListedImporter.kind and document.pages is None and is_json(document):
        raise lorebook_refused(document)
    return best


def _forced(document: Document, kind: str) -> Detection:
    importer = IMPORTERS[kind]
    detection = importer.detect(document)
    if detection is None:
        raise DocumentError(
            f"this is not {importer.needs}", where=document.file, hint="without a kind, its content decides"
        )
    return detection
