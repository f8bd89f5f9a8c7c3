"""
Named ways to scan: SillyTavern's, exactly, and ours, which mends what its users complain of.

Every difference is a field of `Behaviour`, so each can be switched by itself; each is told with an example.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property

from lorebook.matching.keystyle import SILLYTAVERN, KeyStyle, LorebookStyle

_TOLD = "told"


class Preset(StrEnum):
    """
    The name of a way to scan.
    """

    LOREBOOK = "lorebook"
    SILLYTAVERN = "sillytavern"


@dataclass(frozen=True)
class Difference:
    """
    What a switch changes: what is done when it is on, with an example, and what SillyTavern does, when it is off.
    """

    on: str
    off: str


def _switch(on: str, off: str) -> bool:
    return field(default=False, metadata={_TOLD: Difference(on, off)})


@dataclass(frozen=True)
class Behaviour:
    """
    What a preset decides: the differences from SillyTavern, each on or off; `DIFFERENCES` tells of each.
    """

    folds_spelling: bool = _switch(
        "Width, script, typographic signs, accents that come and go with case, thousands' commas and the tones of emoji"
        " make no difference: the key `通常召唤` stands in `通常召喚`, `LP` in `ＬＰ`, `1,000` in `1000`.",
        "Only upper and lower case make no difference.",
    )
    joins_gaps: bool = _switch(
        "Any white space, hyphen or underscore between words is like any other, and none counts beside Chinese"
        " characters: the key `face-down` stands in `face down`, `送去GY` in `送去 GY`, `마법 카드` in `마법카드`.",
        "A key stands only as it is written.",
    )
    knows_scripts: bool = _switch(
        "Words end where they do in their script, around keys of several words too: the key `draw step` does not stand"
        " in `withdraw steps`, nor `ét` in `été`, `용` in `사용`, 👩 in 👩‍🚀, `5` in `2.5`.",
        "Only ASCII letters, digits and underscores continue a word, and only around keys without spaces.",
    )
    counts_plurals: bool = _switch(
        "The English plural of a key is the key, where whole words are asked for: `dragon` stands in `dragons`,"
        " `ability` in `abilities`, `witch` in `witches`.",
        "A plural is another word.",
    )
    longest_terms: bool = _switch(
        "Of terms that lie in or cross each other in Chinese, Japanese or Korean, only the longest counts, where whole"
        " words are asked for: with the keys `召唤` and `通常召唤`, only the latter stands in `我要通常召唤`, and"
        " `卡通` does not stand in `这张卡通常召唤`. Terms are all keys and those that the caller gives; keys with"
        " macros stand anywhere.",
        "Every key counts wherever its characters stand.",
    )
    ignores_blank_keys: bool = _switch(
        "A key of white space alone, such as an editor leaves behind, matches nothing.",
        "It matches every chat.",
    )
    messages_apart: bool = _switch(
        "A regular expression sees one message at a time: `/^draw/` matches a message that begins so.",
        "It sees all messages as one text that begins with a mark, so that `^` matches nowhere and `.*` with the flag"
        " `s` over messages.",
    )
    scores_matches: bool = _switch(
        "Group scoring counts the keys that match: `{{user}}` counts where the user's name stands.",
        "It counts keys as they are written, without macros: `{{user}}` counts where the text has `{{user}}` in it.",
    )
    loses_once: bool = _switch(
        "An entry that has lost in one inclusion group takes no part in its others: of two entries that are both in the"
        " groups `a` and `b`, one stays.",
        "It takes part in each, and when it loses again, the last of all candidates goes in its place: neither stays.",
    )
    skips_over_budget: bool = _switch(
        "What does not fit the budget is passed over and smaller entries still come in: of entries of 30, 80 and 20"
        " tokens, a budget of 60 takes the first and the last.",
        "The first that does not fit ends it.",
    )
    claims_by_score: bool = _switch(
        "Among entries of equal order, the best supported one claims the budget first: one whose key stands in the"
        " newest message before one named three messages ago.",
        "The order of the scan decides.",
    )
    keys_before_outside: bool = _switch(
        "A key that matches counts even where the entry is activated from outside too: an entry named in the chat is"
        " none of the three that may come in by meaning alone.",
        "What comes from outside goes before, and its keys are not looked at.",
    )
    only_fired_feed: bool = _switch(
        "Recursion reads what fired: an entry that the budget shut out names no others.",
        "It reads what matched, whether it fits the budget or not.",
    )
    ties_in_reading_order: bool = _switch(
        "Entries of equal order stand as in the book, those of the last turn first: `a`, `b`, `c` come as `a b c`, and"
        " `b` coming in a turn later as `a c b`, so that the prompt's beginning stays.",
        "They come as `c b a`.",
    )
    reads_decorators: bool = _switch(
        "Character Card V3's decorators count: `@@depth 4` above a content puts it four messages from the end.",
        "`@@activate` and `@@dont_activate` alone count.",
    )

    @cached_property
    def key_style(self) -> KeyStyle:
        """
        How keys are compared with texts.
        """
        ours = LorebookStyle(
            spells=self.folds_spelling,
            joins=self.joins_gaps,
            knows_scripts=self.knows_scripts,
            plurals=self.counts_plurals,
            longest_terms=self.longest_terms,
            blank_matches=not self.ignores_blank_keys,
            anchors_at_messages=self.messages_apart,
        )
        return SILLYTAVERN if ours == _NOTHING_OURS else ours


_NOTHING_OURS = LorebookStyle(
    spells=False,
    joins=False,
    knows_scripts=False,
    plurals=False,
    longest_terms=False,
    blank_matches=True,
    anchors_at_messages=False,
)

DIFFERENCES: dict[str, Difference] = {each.name: each.metadata[_TOLD] for each in fields(Behaviour)}
"""What is told of each difference, by its name."""

SWITCHES = tuple(DIFFERENCES)
"""The names of all differences."""

PRESETS = {
    Preset.SILLYTAVERN: Behaviour(),
    Preset.LOREBOOK: Behaviour(**dict.fromkeys(SWITCHES, True)),
}
