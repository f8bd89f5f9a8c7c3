"""
Books and cards of any kind, for laws that hold for all of them.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from lorebook.book import CARD_NAMES, Book, Entry
from lorebook.formats import OWN_PICTURE, Card, Content, Format
from lorebook.formats.card import Asset
from lorebook.formats.taker import MOST
from lorebook.formats.vocabulary import OWN, SETTINGS_IN_EXTENSIONS
from lorebook.records import EntrySettings, Position, Role, SecondaryLogic
from tests.formats.files import PICTURE

# Names that one format or another has a meaning for, and some that none has.
_TELLING = [
    *CARD_NAMES,
    *CARD_NAMES.values(),
    *SETTINGS_IN_EXTENSIONS,
    *("enabled", "order", "keys", "key", "priority", "characterFilter", "entry_id", "originalData", "weight"),
    *("name", "id", "use_regex", "extensions"),
]
_KEYS = ["salt gate", "盐门", "/ga(te|p)s?/i", "/门\\/户/u", "C++", "one, two", " gate ", "a & b", "-gate", "ga*e", '"']

# Texts that are all UTF-8 taken for Latin-1 are read as UTF-8: none of these begins as such does.
_signs = st.characters(codec="utf-8", exclude_characters=[chr(code) for code in range(0xC2, 0xF5)])
texts = st.text(_signs, max_size=8)
lines = st.text(
    st.characters(exclude_categories=("C", "Z"), exclude_characters=[chr(code) for code in range(0xC2, 0xF5)]),
    min_size=1,
    max_size=8,
)
prose = texts | st.sampled_from(
    ["Opens.\r\nOr not.\n", "门开了。", '"quoted" \\ /slashed/', "{{char}} <b>&amp;</b>", "\t"]
)
keys = texts | st.sampled_from(_KEYS)
whole = st.integers(-MOST, MOST)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
names = st.one_of(st.sampled_from(_TELLING), st.text(_signs, max_size=4)).filter(lambda name: name != OWN)
objects = st.dictionaries(names, values, max_size=4)


@st.composite
def entry_settings(draw: st.DrawFn) -> EntrySettings:
    return EntrySettings(
        enabled=draw(st.booleans()),
        constant=draw(st.booleans()),
        secondary_keys=tuple(draw(st.lists(lines, max_size=3))),
        secondary_logic=draw(st.sampled_from(SecondaryLogic)),
        position=draw(st.sampled_from(Position)),
        depth=draw(st.integers(0, 99)),
        role=draw(st.sampled_from(Role)),
        insertion_order=draw(whole),
        probability=draw(st.just(100.0) | st.floats(0, 100)),
        case_sensitive=draw(st.none() | st.booleans()),
        match_whole_words=draw(st.none() | st.booleans()),
    )


@st.composite
def entries(draw: st.DrawFn, uid: int) -> Entry:
    chosen = draw(entry_settings())
    inert: dict[str, Any] = {}
    if not chosen.secondary_keys and draw(st.booleans()):
        inert["secondary_keys"] = draw(st.lists(lines, min_size=1, max_size=2))
    if chosen.probability == 100 and draw(st.booleans()):
        inert["probability"] = draw(st.integers(0, 99))
    return Entry(
        uid=uid,
        name=draw(texts),
        keys=tuple(draw(st.lists(keys, max_size=3))),
        content=draw(prose),
        settings=chosen,
        rule=draw(st.none() | st.just("chess/castling")),
        extensions=extended(draw(objects), fields=draw(objects), inert=inert),
    )


@st.composite
def books(draw: st.DrawFn, *, least: int = 0, distinct: bool = True) -> Book:
    uids = draw(st.lists(st.integers(0, 9) | whole, min_size=least, max_size=4, unique=distinct))
    return Book(
        name=draw(texts),
        description=draw(texts),
        entries=tuple(draw(entries(uid)) for uid in uids),
        scan_depth=draw(st.none() | whole),
        token_budget=draw(st.none() | whole),
        recursive_scanning=draw(st.none() | st.booleans()),
        extensions=extended(draw(objects), fields=draw(objects)),
    )


_lists = st.lists(texts, max_size=3).map(tuple)
_dates = st.none() | st.integers(-(10**10), 10**10)
cards = st.builds(
    Card,
    name=texts,
    description=prose,
    personality=texts,
    scenario=texts,
    first_mes=prose,
    mes_example=texts,
    creator_notes=texts,
    creator_notes_multilingual=st.dictionaries(st.sampled_from(["en", "zh", "de"]), texts, max_size=2),
    system_prompt=texts,
    post_history_instructions=texts,
    alternate_greetings=_lists,
    group_only_greetings=_lists,
    tags=_lists,
    creator=texts,
    character_version=texts,
    nickname=texts,
    source=_lists,
    creation_date=_dates,
    modification_date=_dates,
    assets=st.lists(st.builds(Asset, texts, texts, texts, texts), max_size=2).map(tuple),
    extensions=objects,
    fields=st.dictionaries(st.text(_signs, max_size=4), values, max_size=3),
)


def extended(known: dict[str, Any], **kept: dict[str, Any]) -> dict[str, Any]:
    """
    Return *known* as the extensions of an entry or book, with what else is *kept* there.
    """
    own = {name: value for name, value in kept.items() if value}
    return known | ({OWN: own} if own else {})


def contents(form: Format, *, least: int = 0, distinct: bool = True) -> st.SearchStrategy[Content]:
    """
    Return what may be written as *form*; with entries, at *least* so many.
    """
    some_books: st.SearchStrategy[Book | None] = books(least=least, distinct=distinct)
    if form.is_card and not least:
        some_books |= st.none()
    files = {OWN_PICTURE: PICTURE}
    return st.builds(Content, some_books, st.none() | cards, st.just(files)).filter(
        lambda content: content.book is not None or content.card is not None
    )
