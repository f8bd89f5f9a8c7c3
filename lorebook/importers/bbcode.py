"""
A game written up in a forum's BBCode: hardly punctuated, with lists for structure and few headings.

What a rule is about is taken from what the document itself lists (`Draw Phase`, `Damage Step`): a paragraph
that opens with a listed name is a rule of that name. The wording stays as it is, slips of spelling included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from lorebook.importers import cues, spelling
from lorebook.importers.document import Document
from lorebook.importers.draft import Action, Detection, Draft, Reading
from lorebook.importers.keys import propose
from lorebook.importers.markup import TAG, Piece, pieces
from lorebook.importers.passages import Writer
from lorebook.importers.promises import note_promises

_SURELY = 4
_TITLE_WORDS = 10
_BRACKETED = re.compile(r"\[[^\[\]]*\]")


class BbcodeImporter:
    """
    Reads BBCode, well formed or not.
    """

    kind = "bbcode"
    needs = "BBCode: there is no tag such as [list] or [*] in it"

    def detect(self, document: Document) -> Detection | None:
        """
        Return the number of tags, or None without any.
        """
        tags = sum(sum(1 for _ in TAG.finditer(line.text)) for line in document.spoken)
        return Detection(self.kind, f"{tags} BBCode tags", 0.9 if tags >= _SURELY else 0.2) if tags else None

    def read(self, document: Document) -> Reading:
        """
        Read paragraphs and list items, and say what is promised and missing.
        """
        reading = Reading()
        found = pieces(document)
        found = found[_read_front(found, reading) :]
        note_promises(found, reading)
        writer = Writer(reading, cues.names(found))
        for before, piece, after in zip([None, *found], found, [*found[1:], None], strict=False):
            if piece.text or not piece.is_item:
                writer.write(piece, before, after)
        writer.close()
        _add_spellings(reading)
        return reading


def _read_front(found: list[Piece], reading: Reading) -> int:
    """Read the title and a signature in brackets that stand alone before the text; return how many lines they are."""
    front: list[Piece] = []
    for piece, after in pairwise(found):
        alone = after.block != piece.block and piece.depth == 0
        titled = not front and len(piece.text.split()) <= _TITLE_WORDS and not re.search(r"[.!?:,]$", piece.text)
        if not piece.text or not alone or not (titled or _BRACKETED.fullmatch(piece.text)):
            break
        front.append(piece)
    if front:
        reading.title = front[0].text
        lines = [piece.line for piece in front]
        reading.set_aside(lines, "title of the document")
        reading.note(Action.KEPT, [line.number for line in lines], "title of the document")
    return len(front)


def _add_spellings(reading: Reading) -> None:
    """Give each rule the keys that its misspelt words stand for, and say which words they are."""
    spellings = spelling.find(text for draft in reading.drafts for text in (draft.title, draft.text))
    where: dict[str, list[int]] = {}
    for at, draft in enumerate(reading.drafts):
        keys = propose(draft.title, draft.text) if draft.named else ()
        corrected = (spellings.correct(key) for key in keys)
        words = spellings.keys_for(draft.text)
        more = [key for key in corrected if key not in keys]
        reading.drafts[at] = replace(draft, more_keys=(*more, *words))
        for word in _misspelt(draft, spellings):
            where.setdefault(word, []).extend(draft.lines)
    for word, lines in sorted(where.items()):
        what = f"“{word}” is kept; the rule is also found as “{spellings.meant[word]}”"
        reading.note(Action.KEPT, lines, what)


def _misspelt(draft: Draft, spellings: spelling.Spellings) -> Iterator[str]:
    yield from sorted({word for word in re.findall(r"[a-z]+", draft.text.lower()) if word in spellings.meant})
