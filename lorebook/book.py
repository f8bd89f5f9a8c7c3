"""
The neutral lorebook: what every format is read into and written from, and what a chat is matched against.

The vocabulary is that of World Info and character cards. Settings that lorebook does not know travel
along untouched in `extensions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from lorebook.errors import InputError
from lorebook.records import EntrySettings, Frozen, Rule, Wording
from lorebook.ruleset import Ruleset

CARD_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "excludeRecursion": "exclude_recursion",
        "preventRecursion": "prevent_recursion",
        "delayUntilRecursion": "delay_until_recursion",
        "displayIndex": "display_index",
        "outletName": "outlet_name",
        "group": "group",
        "groupOverride": "group_override",
        "groupWeight": "group_weight",
        "useGroupScoring": "use_group_scoring",
        "scanDepth": "scan_depth",
        "automationId": "automation_id",
        "vectorized": "vectorized",
        "sticky": "sticky",
        "cooldown": "cooldown",
        "delay": "delay",
        "matchPersonaDescription": "match_persona_description",
        "matchCharacterDescription": "match_character_description",
        "matchCharacterPersonality": "match_character_personality",
        "matchCharacterDepthPrompt": "match_character_depth_prompt",
        "matchScenario": "match_scenario",
        "matchCreatorNotes": "match_creator_notes",
        "triggers": "triggers",
        "ignoreBudget": "ignore_budget",
    }
)
"""Settings of an entry: World Info's name, and the name in the `extensions` of a card's entry."""


class ExportLanguage(StrEnum):
    """
    Which wordings of a rule become an entry's content and keys.
    """

    EN = "en"
    ZH = "zh"
    BOTH = "both"


class Entry(Frozen):
    """
    One text of a lorebook and the conditions under which it enters the prompt.
    """

    uid: int
    name: str = ""
    keys: tuple[str, ...] = ()
    content: str = ""
    settings: EntrySettings = EntrySettings()
    rule: str | None = None
    """The id of the rule that this entry says, where it says one."""
    extensions: dict[str, Any] = {}
    """Fields of the file that lorebook does not interpret, as they were read."""


class Book(Frozen):
    """
    A lorebook: entries in file order, and how they are scanned.
    """

    name: str
    description: str = ""
    entries: tuple[Entry, ...] = ()
    scan_depth: int | None = None
    """Messages looked at, counted from the newest; None leaves it to the engine's settings."""
    token_budget: int | None = None
    recursive_scanning: bool | None = None
    extensions: dict[str, Any] = {}


def from_ruleset(
    ruleset: Ruleset,
    language: ExportLanguage = ExportLanguage.BOTH,
    *,
    all_keys: bool = False,
    or_original: bool = False,
) -> Book:
    """
    Return the book of *ruleset*'s rules in *language*, an entry a rule, in reading order.

    With *all_keys* an entry has the keys of every language: whoever writes in Chinese may still be told in English.
    With *or_original* a rule that has no wording in *language* is told as it was written; else InputError is raised,
    with the languages that all rules have.
    """
    if not or_original:
        _refuse_missing(ruleset, language)
    manifest = ruleset.manifest
    spoken = manifest.languages[0] if language is ExportLanguage.BOTH else language.value
    title = manifest.title.get(spoken, manifest.title[manifest.languages[0]])
    entries = tuple(_entry(rule, uid, language, all_keys=all_keys) for uid, rule in enumerate(ruleset.rules))
    return Book(name=title, description=manifest.description.get(spoken, ""), entries=entries)


def _refuse_missing(ruleset: Ruleset, language: ExportLanguage) -> None:
    if language is ExportLanguage.BOTH:
        return
    missing = sum(language.value not in rule.wordings for rule in ruleset.rules)
    if missing:
        total = len(ruleset.rules)
        what = "no rule has a wording" if missing == total else f"{missing} of {total} rules have no wording"
        whole = [code for code in ExportLanguage if all(code.value in rule.wordings for rule in ruleset.rules)]
        hint = " or ".join(f"-l {code}" for code in (*whole, ExportLanguage.BOTH))
        raise InputError(f"{what} in {language.value!r}", where=ruleset.name, hint=f"take {hint}")


def _entry(rule: Rule, uid: int, language: ExportLanguage, *, all_keys: bool) -> Entry:
    """
    Return *rule* as the entry *uid*; in both languages the original stands first.
    """
    told = list(_wordings(rule, language))
    keyed = list(_wordings(rule, ExportLanguage.BOTH)) if all_keys else told
    return Entry(
        uid=uid,
        name=" / ".join(dict.fromkeys(wording.title for wording in told)),
        keys=tuple(dict.fromkeys(key for wording in keyed for key in wording.keys)),
        content="\n\n".join(content(wording) for wording in told),
        settings=rule.settings,
        rule=rule.id,
    )


def content(wording: Wording) -> str:
    """
    Return what a prompt is told of *wording*: title, text and examples.

    A title that is only how the text begins, as importers make them, is not told twice.
    """
    examples = "".join(f"\n- {example}" for example in wording.examples)
    heading = "" if wording.text.startswith(wording.title.removesuffix("…")) else f"{wording.title}\n"
    return f"{heading}{wording.text}{examples}"


def _wordings(rule: Rule, language: ExportLanguage) -> Iterable[Wording]:
    if language is ExportLanguage.BOTH:
        rest = sorted(set(rule.wordings) - {rule.original})
        return [rule.wordings[code] for code in [rule.original, *rest]]
    return [rule.wording(language.value)]
