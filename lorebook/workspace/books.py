"""
A book of any origin as a ruleset, so that its meaning can be searched like that of rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lorebook.book import Book, Entry
from lorebook.records import Rule, Wording
from lorebook.ruleset import Manifest, Ruleset
from lorebook.scripts import language_of

NAME = "book"


class BookRuleset(NamedTuple):
    """
    The entries that say something as rules, and the uid of the entry behind each rule's id.
    """

    ruleset: Ruleset
    uids: Mapping[str, int]


def as_ruleset(book: Book) -> BookRuleset:
    """
    Return *book* as a ruleset; entries without content or switched off are left out.
    """
    said = [(n, entry) for n, entry in enumerate(book.entries) if entry.settings.enabled and entry.content.strip()]
    rules = [_rule(n, entry) for n, entry in said]
    languages = tuple(sorted({rule.original for rule in rules})) or ("en",)
    title = {language: _line(book.name) or "Lorebook" for language in languages}
    manifest = Manifest(
        title=title, game="any", edition="any", languages=languages, authority="the lorebook", licence="unknown"
    )
    uids = {rule.id: entry.uid for rule, (_, entry) in zip(rules, said, strict=True)}
    return BookRuleset(Ruleset(NAME, manifest, rules), uids)


def _rule(number: int, entry: Entry) -> Rule:
    language = language_of(entry.content)
    keys = tuple(dict.fromkeys(filter(None, map(_line, entry.keys))))
    title = _line(entry.name) or (keys[0] if keys else f"Entry {number + 1}")
    wording = Wording(title=title, text=entry.content.strip(), keys=keys)
    return Rule(id=f"{NAME}/{number}", order=number, original=language, wordings={language: wording})


def _line(text: str) -> str:
    return " ".join(text.split())
