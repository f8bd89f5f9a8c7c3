"""
What a document promises and does not hold: parts put off, sentences that stop, list items without text.
"""

from __future__ import annotations

import re

from lorebook.importers.draft import Action, Reading
from lorebook.importers.markup import Piece

_LATER = re.compile(
    r"(?:[\w'’-]+ ){0,6}"
    r"(?:later(?: down the road| on)?|coming soon|to be (?:announced|added|continued|explained)|tba|tbd)\b",
    re.IGNORECASE,
)
_PUTS_OFF = re.compile(r"(?:be|happens?|comes?|follows?) later|more on|soon|to be|\btb[ad]\b|explain", re.IGNORECASE)
_STOPS = re.compile(r"[,\\]$|\b(?:and|or|the|a|an|of|to|with|if)$", re.IGNORECASE)


def note_promises(found: list[Piece], reading: Reading) -> None:
    """
    Add a notice for each part among the pieces *found* that is announced or begun and not there.
    """
    for piece in found:
        for later in _LATER.finditer(piece.text):
            if _PUTS_OFF.search(later.group()):
                about = " ".join(piece.text.split()[:2])
                what = f"{about}: “{later.group()}” is promised and does not follow"
                reading.note(Action.MISSING, [piece.line.number], what)
        if _STOPS.search(piece.text) and len(piece.text.split()) > 5:  # noqa: PLR2004 (a lead-in, not a sentence)
            what = f"the sentence breaks off after “{' '.join(piece.text.split()[-6:])}”"
            reading.note(Action.MISSING, [piece.line.number], what)
    empty = [piece.line for piece in found if piece.is_item and not piece.text]
    if empty:
        reading.set_aside(empty, "list items without text")
        reading.note(Action.MISSING, [line.number for line in empty], "list items without text")
