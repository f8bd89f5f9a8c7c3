"""
reStructuredText, as docutils reads it: no file is included, no raw markup passed on, nothing printed.

Directives and roles that docutils does not know (Sphinx has many) keep their text. docutils tells where a block
begins; a block's lines go to where the next begins.
"""

from __future__ import annotations

import re
from itertools import pairwise

from lorebook.errors import DocumentError
from lorebook.importers.document import Document
from lorebook.importers.draft import Detection, Reading
from lorebook.importers.elements import Element
from lorebook.importers.front_matter import note_front, take_facts
from lorebook.importers.restructured_blocks import ADORNMENT, Block, Walk
from lorebook.importers.sections import Sections, is_numbered

MOST_CHARACTERS = 16 * 2**20
"""docutils needs some forty times the text's length in memory, and ten seconds a megabyte."""

_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "halt_level": 5,
    "report_level": 5,
    "warning_stream": False,
    "_disable_config": True,
    "line_length_limit": MOST_CHARACTERS,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "smart_quotes": False,
    "syntax_highlight": "none",
}
_EXPLICIT = re.compile(r"\.\. (?:[\w-]+::|_[^:]+:|\[)")
_OPENING = re.compile(r"(?<![^\s(\[{<\"'/:-])[*`|_]+(?=\S)")
_CLOSING = re.compile(r"(?<=[^\s*`|_])[*`|_]+(?!\w)")
# docutils counts lines by `str.splitlines`, which ends them at these, too.
_BREAK = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")
_OTHERS, _MARKDOWN = ("md", "markdown", "html", "htm"), ("```", "# ", "## ")
_MOST_OPEN, _MOST_ADORNED = 300, 30_000


class RestructuredImporter:
    """
    Reads reStructuredText.
    """

    kind = "restructuredtext"
    needs = "reStructuredText: it has no underlined heading and no directive"

    def detect(self, document: Document) -> Detection | None:
        """
        Return how many underlined headings and explicit marks there are, or None without any.
        """
        lines = document.spoken
        pairs = [
            (above.text, line.text)
            for above, line in pairwise(lines)
            if line.number == above.number + 1 and ADORNMENT.fullmatch(line.text)
        ]
        adorned = [below[0] for above, below in pairs if len(below) >= len(above) and not ADORNMENT.fullmatch(above)]
        explicit = sum(1 for line in lines if _EXPLICIT.match(line.text))
        if not adorned and not explicit:
            return None
        reason = f"{len(adorned)} underlined headings, {explicit} directives and targets"
        own = any(sign not in "=-" for sign in adorned) or (explicit and adorned)
        if document.suffix in ("rst", "rest"):
            return Detection(self.kind, reason, 0.95)
        other = document.suffix in _OTHERS or any(line.text.startswith(_MARKDOWN) for line in lines)
        return Detection(self.kind, reason, 0.87 if own and len(adorned) > 1 and not other else 0.02)

    def read(self, document: Document) -> Reading:
        """
        Read sections and blocks.

        Raises DocumentError for what is too large or too deeply nested for docutils.
        """
        from docutils.core import publish_doctree  # noqa: PLC0415 (every command would wait for it)

        text = _BREAK.sub(" ", "\n".join(document.lines))
        _check(document)
        try:
            tree = publish_doctree(text, settings_overrides=dict(_SETTINGS))
            reading = Reading()
            blocks = list(Walk(reading, document).blocks(tree, 0))
        except RecursionError as error:
            raise DocumentError("the reStructuredText is nested too deeply", where=document.name) from error
        elements = _placed(blocks, document)
        _read_facts(blocks, elements, reading)
        said = [element for element in elements if element.text and element.level >= 0]
        Sections(reading, said, numbered=is_numbered(element.text for element in said)).read()
        reading.put_rest_aside(document, "marks without words")
        first = [element.text for element in said if element.level == 1]
        reading.title = reading.title or (first[0] if len(first) == 1 else None)
        return reading


def _check(document: Document) -> None:
    """Refuse what docutils would take too long for: its time grows with the square of marks that never close."""
    if sum(map(len, document.lines)) > MOST_CHARACTERS:
        what = f"reStructuredText of more than {MOST_CHARACTERS // 2**20} million characters is not read"
        raise DocumentError(what, where=document.name, hint="split it")
    adorned = sum(1 for line in document.spoken if ADORNMENT.fullmatch(line.text))
    if adorned > _MOST_ADORNED:
        what = f"reStructuredText with {adorned:,} lines under headings is not read"
        raise DocumentError(what, where=document.name, hint="split it")
    for block in document.blocks:
        marks = sum(len(_OPENING.findall(line.text)) - len(_CLOSING.findall(line.text)) for line in block)
        if marks > _MOST_OPEN:
            what = f"{marks} marks after line {block[0].number} never close"
            raise DocumentError(what, where=document.name, hint="import it with --as plain")


def _placed(blocks: list[Block], document: Document) -> list[Element]:
    """Return *blocks* with their lines: each goes to where the next begins."""
    starts: list[int] = []
    for block in blocks:
        start = min(max(block.line, *starts[-1:], 1), len(document.lines))
        # Below what looked like a title's upper line, docutils names the empty line behind a paragraph.
        while block.text and start > 1 and not document.lines[start - 1].strip():
            start -= 1
        starts.append(start)
    elements = []
    for block, (start, end) in zip(blocks, pairwise([*starts, len(document.lines) + 1]), strict=True):
        numbers = (n for n in range(start, max(end, start + 1)) if document.lines[n - 1].strip())
        elements.append(
            Element(block.text.strip(), tuple(numbers), block.level, block.tight, tuple(block.anchors),
                    tuple(dict.fromkeys(block.links)), block.numbered, block.term)
        )  # fmt: skip
    return elements


def _read_facts(blocks: list[Block], elements: list[Element], reading: Reading) -> None:
    """Take the fields that the document begins with as what it says of itself."""
    for at, block in enumerate(blocks[:3]):
        if block.facts and take_facts(block.facts, reading):
            note_front(reading, list(elements[at].lines))
            elements[at] = Element("", ())
            return
