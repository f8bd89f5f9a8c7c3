"""
What the wording of a hardly punctuated paragraph says about its place: titles, lead-ins, lists of kinds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lorebook.importers.markup import Piece

_FULL_STOP = re.compile(r"[.!?;:,]['\")]?$")
_SENTENCE_END = re.compile(r"[.!?]['\")]?$")
_PUNCTUATION = ".,:;!?()'’\""
_MOST_WORDS = 4
_LONGEST_NAME = 30
_OPENERS = "if|once|when|while|after|before|there|this|these|that|note|any|some|in|during|as|for|and|or|you"
_GLOSSED = re.compile(
    rf"(?:the )?(?!(?:{_OPENERS})\b)(?P<term>[A-Za-z][\w'’-]*(?: [\w'’-]+){{0,3}}) ?\(", re.IGNORECASE
)
# `Counter Cards No cards can …`: a term and the sentence about it, with nothing in between.
_FUSED = re.compile(
    rf"(?!(?:{_OPENERS}) )(?P<term>[A-Za-z][\w-]+(?: [\w-]+){{1,3}}?)"
    r" (?=(?:These|This|They|Their|Its?|No|All|You|When|If|Any|The|An?) )"
)
_KIND = re.compile(r"(?P<term>[A-Z][\w-]+(?: [A-Z][\w-]+)*)(?=[:,]? )")
_KINDS = re.compile(r"\b(?:types?|kinds?|sorts?)\b[^.!?]{0,24}$", re.IGNORECASE)
_TURN = re.compile(r"(?:now then|so then|ok(?:ay)?,? so|next up)\b,?\s*", re.IGNORECASE)
_UNFINISHED = re.compile(r"\b(?:your|the|a|an|of|with|are|is|my|and|or|got)$", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:there the|the|your)\s+(?:[\w-]+\s+){0,7}?(?:zones?|pile|deck|reserve)\b", re.IGNORECASE)
_PLACE_NAME = re.compile(r"(?:.*\b(?:of|the|your|\d+)\s+)?(?P<name>.+)", re.IGNORECASE | re.DOTALL)
_EXAMPLE = re.compile(r"(?:examples?|for example)\s?\d*\s?:", re.IGNORECASE)
_MANY_PLACES = 4


@dataclass(frozen=True)
class Names:
    """
    The names that a document's lists give, and the name above each.
    """

    above: dict[str, str | None]

    def opening(self, text: str) -> str | None:
        """
        Return the name that *text* opens with (`In the draw phase …`) or that its first sentence leads to.
        """
        leading = re.match(r"(?:(?:in|during|at) ?)?(?:the )?(?P<rest>.*)", text, re.IGNORECASE | re.DOTALL)
        rest = leading["rest"] if leading else text
        first = re.split(r"[.!?]\s", text, maxsplit=1)[0] + "."
        led = re.search(
            r"\b(?:enters|proceeds to|resulting in) (?:the )?(?P<rest>.*)", first, re.IGNORECASE | re.DOTALL
        )
        return self._at_start(rest) or (self._at_start(led["rest"], clipped=True) if led else None)

    def _at_start(self, text: str, *, clipped: bool = False) -> str | None:
        words = text.lower().split(maxsplit=_MOST_WORDS)[:_MOST_WORDS]
        for count in range(len(words), 0, -1):
            name = self._spoken.get(" ".join(words[:count]).rstrip(_PUNCTUATION))
            if name:
                return name
        return self._clipped.get(words[0][:-1]) if clipped and words and words[0][-1] in ".," else None

    @cached_property
    def _spoken(self) -> dict[str, str]:
        return {" ".join(name.lower().split()): name for name in reversed(self.above)}

    @cached_property
    def _clipped(self) -> dict[str, str]:
        return {name.lower().split()[0]: name for name in reversed(self.above) if " " in name}


def names(pieces: Sequence[Piece]) -> Names:
    """
    Return the names that the lists among *pieces* give.
    """
    intros: dict[str, str | None] = {}
    intro: str | None = None
    for piece in pieces:
        if piece.opens_list and piece.text:
            intro = piece.text
            if _is_name(intro):
                intros.setdefault(intro, None)
        elif piece.is_item and _is_name(piece.text):
            intros.setdefault(piece.text, intro)
    listed = Names(intros)
    return Names(
        {name: above and (above if _is_name(above) else listed.opening(above)) for name, above in intros.items()}
    )


def _is_name(text: str) -> bool:
    return (
        bool(text) and len(text) <= _LONGEST_NAME and len(text.split()) <= _MOST_WORDS and not _FULL_STOP.search(text)
    )


def own_title(text: str, *, begins_block: bool) -> str | None:
    """
    Return the term that *text* begins with and explains, or None.

    A remark in parentheses marks a term only where a block begins; further down it is one in a list of lines.
    """
    found = (_GLOSSED.match(text) if begins_block else None) or _FUSED.match(text)
    return found["term"] if found else None


def kind_title(text: str) -> str | None:
    """
    Return the term that an item in a list of kinds is about.
    """
    found = _KIND.match(text)
    return found["term"] if found else None


def announces_kinds(text: str) -> bool:
    """
    Return whether *text* ends by announcing types or kinds of something.
    """
    return _KINDS.search(text.rstrip(" :")) is not None


def turn(text: str) -> str | None:
    """
    Return *text* without the words with which its writer turns to a new subject, or None without such words.
    """
    found = _TURN.match(text)
    return text[found.end() :] if found else None


def ends(text: str) -> bool:
    """
    Return whether *text* ends as a sentence does.
    """
    return _SENTENCE_END.search(text) is not None


def is_example(text: str) -> bool:
    """
    Return whether *text* says that it is an example.
    """
    return _EXAMPLE.match(text) is not None


def breaks_off(text: str) -> bool:
    """
    Return whether *text* stops at a word that wants another, as before a list.
    """
    return _UNFINISHED.search(text) is not None


def is_heading(piece: Piece, before: Piece | None, after: Piece | None) -> bool:
    """
    Return whether *piece* is a short line over a longer one.

    In a list it must come first or after an empty item: forum lists use these to part their sections.
    """
    if not _is_name(piece.text) or piece.opens_list or after is None or after.block != piece.block:
        return False
    longer = len(after.text.split()) >= max(6, 2 * len(piece.text.split()))
    first = before is None or before.block != piece.block or not before.text
    return longer and first and after.depth == piece.depth


def places(text: str) -> list[tuple[str, str]]:
    """
    Return the name and the words of each place when *text* lists many in one breath, else nothing.

    Remarks in parentheses belong to the place before them.
    """
    outside = re.sub(r"\([^()]*\)", lambda remark: "(" * len(remark.group()), text)
    found = list(_PLACE.finditer(outside))
    parts: list[tuple[str, str]] = []
    for at, place in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        words = text[place.start() if parts else 0 : end].strip()
        name_match = _PLACE_NAME.fullmatch(place.group())
        name = name_match["name"] if name_match else place.group()
        if parts and parts[-1][0] == name:
            parts[-1] = (name, f"{parts[-1][1]} {words}")
        else:
            parts.append((name, words))
    return parts if len(parts) >= _MANY_PLACES else []
