"""
The family that reads documents: one importer a kind, found by what the document holds.
"""

from __future__ import annotations

import json
import re

from pydantic import ValidationError

from lorebook.errors import DocumentError, InputError
from lorebook.importers.assembly import Progress, assemble
from lorebook.importers.bbcode import BbcodeImporter
from lorebook.importers.document import MOST_BYTES, Document
from lorebook.importers.draft import Action, Detection, Imported, Importer, ImportReport, Notice
from lorebook.importers.flat_chinese import FlatChineseImporter
from lorebook.importers.listing import ListingImporter
from lorebook.importers.outline import OutlineImporter
from lorebook.importers.plain import PlainImporter
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
    "detect",
    "import_document",
]

_ALL: tuple[Importer, ...] = (
    ListingImporter(),
    OutlineImporter(),
    FlatChineseImporter(),
    BbcodeImporter(),
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
    progress: Progress | None = None,
) -> Imported:
    """
    Read the document *data* as rules of *ruleset*; *kind* overrules what its content says.

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
        raise DocumentError(f"no rule found in it as {detection.kind}", where=document.name)
    try:
        return assemble(reading, document, detection, ruleset=ruleset, progress=progress)
    except ValidationError as error:
        # A document of a kind that no one thought of: a rule came out of it that is no rule.
        fault = error.errors()[0]
        what = f"a rule without {'.'.join(map(str, fault['loc']))} came out of it, read as {detection.kind}"
        raise DocumentError(what, where=file_name, hint="try another kind with --as") from error


def _detect(document: Document) -> Detection:
    if _is_json(document):
        hint = "`lorebook match --book` and `lorebook export` are for lorebook files"
        raise DocumentError("is JSON, not a document with rules", where=document.name, hint=hint)
    found = [importer.detect(document) for importer in IMPORTERS.values()]
    return max((detection for detection in found if detection), key=lambda detection: detection.score)


def _forced(document: Document, kind: str) -> Detection:
    importer = IMPORTERS[kind]
    detection = importer.detect(document)
    if detection is None:
        raise DocumentError(
            f"this is not {importer.needs}", where=document.name, hint="without a kind, its content decides"
        )
    return detection


def _is_json(document: Document) -> bool:
    text = "\n".join(line.text for line in document.spoken)
    if not text.startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
