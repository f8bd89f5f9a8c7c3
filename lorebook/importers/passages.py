"""
From pieces of BBCode to drafts: what belongs into one rule, and what starts the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lorebook.importers import cues
from lorebook.importers.draft import Action, Draft, Reading
from lorebook.importers.markers import marker_of
from lorebook.importers.markup import Piece
from lorebook.importers.naming import title_from

# Characters. Lines of one block go together further than blocks do, of which only notes without a full stop
# join; a long item stands for itself.
_MOST_IN_BLOCK = 1000
_MOST_OVER_BLOCKS = 500
_SHORT_LINE = 130
_LONG_ITEM = 300
_FEW_WORDS = 3
# A list stays in one piece with the sentence that opens it, up to here.
_MOST_IN_LIST = 3000


@dataclass
class _Passage:
    title: str
    section: tuple[str, ...]
    named: bool
    number: str | None = field(default=None, kw_only=True)
    pieces: list[Piece] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    markup: list[Piece] = field(default_factory=list)
    """Lines of tags only since the last text; inside the rule when more of it follows."""

    def add(self, piece: Piece) -> None:
        self.lines += [blank.line.number for blank in self.markup] + [piece.line.number]
        self.markup = []
        self.pieces.append(piece)

    @property
    def size(self) -> int:
        return sum(len(piece.text) for piece in self.pieces)

    def text(self) -> str:
        bullets = sum(piece.is_item for piece in self.pieces) > 1
        written = ""
        for before, piece in zip([None, *self.pieces], self.pieces, strict=False):
            written += _joint(before, piece) if before else ""
            bullet = piece.is_item and (bullets or before is not None)
            written += f"{'  ' * (piece.depth - 1)}- {piece.text}" if bullet else piece.text
        return written

    def split_list(self) -> _Passage | None:
        """Take the list at the end, and the sentence that opens it, out as a passage of the same name."""
        opening = max((at for at, piece in enumerate(self.pieces) if piece.opens_list), default=0)
        if not opening:
            return None
        rest = _Passage(self.title, self.section, self.named, self.pieces[opening:], markup=self.markup)
        moved = self.lines.index(self.pieces[opening].line.number)
        rest.lines, self.lines = self.lines[moved:], self.lines[:moved]
        self.pieces, self.markup = self.pieces[:opening], []
        return rest


def _joint(before: Piece, piece: Piece) -> str:
    short = len(before.text) <= _SHORT_LINE and len(piece.text) <= _SHORT_LINE
    listed = piece.is_item or piece.opens_list
    return "\n" if before.block == piece.block and (short or listed) else "\n\n"


def _goes_on_list(piece: Piece, before: Piece | None) -> bool:
    """Return whether *piece* is a short line that opens the next part of a list, as a phase with its steps."""
    after_list = before is not None and before.block == piece.block and not before.text
    return after_list and piece.opens_list and len(piece.text.split()) <= _FEW_WORDS


class Writer:
    """
    Takes the pieces in order and leaves drafts in the reading.
    """

    def __init__(self, reading: Reading, names: cues.Names) -> None:
        self._reading = reading
        self._names = names
        self._passage: _Passage | None = None
        self._heading: Piece | None = None
        self._chapter: Piece | None = None
        """The last heading that is set as one, and holds what follows up to the next."""
        self._untold: list[Piece] = []
        """Headings and lead-ins that no rule has taken yet."""
        self._lead: list[Piece] = []
        self._list_lead: Piece | None = None
        self._before: _Passage | None = None
        self._last_block = -1
        self._kinds = False
        self._aside: list[Piece] = []

    def write(self, piece: Piece, before: Piece | None, after: Piece | None) -> None:
        """
        Take the next *piece*, which stands between *before* and *after*.
        """
        if not piece.text:
            self._take_markup(piece)
            return
        self._place(piece, before, after)
        self._last_block = piece.block

    def _place(self, piece: Piece, before: Piece | None, after: Piece | None) -> None:
        if self._heading and self._heading.block != piece.block:
            self._heading = None
        if not piece.depth:
            self._list_lead = None
        if piece.is_bold and after is not None and not cues.ends(piece.text):
            self._open_chapter(piece)
        elif cues.is_heading(piece, before, after):
            self._open_heading(piece)
        elif cues.breaks_off(piece.text) and len(piece.text) <= _SHORT_LINE // 2 and not piece.depth:
            self._flush()
            self._lead.append(piece)
        elif places := cues.places(piece.text):
            self._write_places(piece, places)
        elif piece.is_item:
            self._write_item(piece, before)
        else:
            self._write_text(piece, before, after)

    def close(self) -> None:
        """
        Write what is still open.
        """
        self._flush()
        self._keep([*self._lead, *self._untold])
        self._reading.drop([piece.line for piece in self._aside], "lines of tags only")

    def _keep(self, headings: list[Piece]) -> None:
        for piece in headings:
            self._reading.set_aside([piece.line], "heading")
            self._reading.note(Action.KEPT, [piece.line.number], "a heading without text below it")

    def _take_markup(self, piece: Piece) -> None:
        if self._passage:
            self._passage.markup.append(piece)
        else:
            self._aside.append(piece)
        self._kinds = False

    def _open_heading(self, piece: Piece) -> None:
        self._flush()
        self._kinds = False
        self._list_lead = None
        self._heading = piece
        self._untold.append(piece)

    def _open_chapter(self, piece: Piece) -> None:
        self._flush()
        if self._chapter and self._chapter in self._untold:
            self._untold.remove(self._chapter)
            self._keep([self._chapter])
        self._open_heading(piece)
        self._heading, self._chapter = None, piece

    def _write_places(self, piece: Piece, places: list[tuple[str, str]]) -> None:
        for name, words in places:
            self._start(piece, name, named=True, text=words)
        self._flush()

    def _write_item(self, piece: Piece, before: Piece | None) -> None:
        if before and before.is_item and not before.text:
            self._kinds = False
        if self._kinds:
            self._start(piece, cues.kind_title(piece.text) or title_from(piece.text), named=True)
        elif len(piece.text) > _LONG_ITEM and not self._heading:
            title = cues.own_title(piece.text, begins_block=False)
            self._start(piece, title or title_from(piece.text), named=title is not None)
        elif self._passage and self._takes_item(piece):
            self._passage.add(piece)
        else:
            self._start_text(piece)

    def _takes_item(self, piece: Piece) -> bool:
        passage = self._passage
        if passage and not self._fits(piece) and passage.size > _MOST_IN_BLOCK - len(piece.text):
            listed = passage.split_list()
            if listed:
                self._flush()
                self._passage = listed
            return listed is not None or passage.size <= _MOST_IN_LIST
        return self._fits(piece)

    def _write_text(self, piece: Piece, before: Piece | None, after: Piece | None) -> None:
        announces = cues.announces_kinds(piece.text) and after is not None and after.is_item and bool(after.text)
        alone = after is not None and after.is_item and len(after.text) > _LONG_ITEM
        if (announces or (alone and piece.opens_list)) and len(piece.text) <= _SHORT_LINE // 2:
            self._flush()
            self._untold.append(piece)
            self._list_lead = piece
        elif self._passage and _goes_on_list(piece, before):
            self._passage.add(piece)
        else:
            self._start_or_go_on(piece)
        self._kinds = announces

    def _start_or_go_on(self, piece: Piece) -> None:
        name = self._names.opening(piece.text)
        begins = self._last_block != piece.block
        title = name or cues.own_title(piece.text, begins_block=begins)
        turned = cues.turn(piece.text)
        goes_on = self._passage and title in (None, self._passage.title) and turned is None and self._fits(piece)
        if self._passage and (goes_on or cues.is_example(piece.text)):
            self._passage.add(piece)
        elif title:
            self._start(piece, title, named=True, above=self._names.above.get(name) if name else None)
        elif turned:
            self._start(piece, title_from(turned), named=False)
        else:
            self._start_text(piece)

    def _start_text(self, piece: Piece) -> None:
        if self._heading and self._heading in self._untold:
            self._start(piece, self._heading.text, named=True)
        elif self._chapter and self._chapter in self._untold:
            self._start(piece, self._chapter.text, named=True)
            marker = marker_of(self._chapter.text)
            if self._passage and marker and marker.rest:
                self._passage.title, self._passage.number = marker.rest, marker.number
        else:
            self._start(piece, title_from(piece.text), named=False, above=self._named_before(piece))

    def _named_before(self, piece: Piece) -> str | None:
        """Return the name of the rule just before in the same block: a paragraph without a name belongs to it."""
        before = self._passage or self._before
        if piece.depth or not before or not before.named or before.pieces[0].is_item:
            return None
        return before.title if before.pieces[-1].block == piece.block else None

    def _start(self, piece: Piece, title: str, *, named: bool, above: str | None = None, text: str = "") -> None:
        self._flush()
        heading = self._heading.text if self._heading and self._heading.text != title else above
        lead = self._list_lead.text.rstrip(": ") if self._list_lead else None
        chapter = self._chapter.text if self._chapter and self._chapter.text not in (title, heading) else None
        section = tuple(part for part in (chapter, heading, lead) if part)
        self._passage = _Passage(title, section, named)
        self._passage.lines = [untold.line.number for untold in self._untold]
        self._untold = []
        for said in self._lead:
            self._passage.add(said)
        self._lead = []
        self._passage.add(piece if not text else Piece(piece.line, text, block=piece.block))

    def _fits(self, piece: Piece) -> bool:
        passage = self._passage
        if passage is None or (passage.pieces[-1].depth and not piece.depth and self._alone(passage)):
            return False
        size = passage.size + len(piece.text)
        if passage.pieces[-1].block == piece.block:
            return size <= _MOST_IN_BLOCK
        short = all(len(line.text) <= _SHORT_LINE and not cues.ends(line.text) for line in [*passage.pieces, piece])
        return short and not passage.named and size <= _MOST_OVER_BLOCKS

    @staticmethod
    def _alone(passage: _Passage) -> bool:
        return passage.pieces[0].is_item

    def _flush(self) -> None:
        if not self._passage:
            return
        passage, self._passage = self._passage, None
        self._before = passage
        self._aside += passage.markup
        self._reading.drafts.append(
            Draft(
                passage.title,
                passage.text(),
                tuple(passage.lines),
                passage.section,
                number=passage.number,
                named=passage.named,
                by_number=True,
            )
        )
