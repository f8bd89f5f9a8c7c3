"""
Links between rules that decide the same point otherwise: made and taken away in both records, and looked over.

A link is said by both sides, but counts where one of them says it. So two files that are written one after the other
need no more: what a crash leaves between them is still a link, `faults` names it, and the same command completes it.
Two processes that change links take turns, for each writes all the links of a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import Field

from lorebook import atomic
from lorebook.errors import DataError, InputError, RecordError, UnknownNameError
from lorebook.records import Frozen, Rule, RuleId
from lorebook.ruleset import Ruleset, dump_rule
from lorebook.workspace.library import Library
from lorebook.yamltext import editing

_FIELD = "conflicts_with"
# The fields that stand behind it in the schema.
_BEHIND = ("authority", "source")


class LinkView(Frozen):
    """
    Two rules that were linked as deciding the same point otherwise, or not any more.
    """

    one: RuleId
    other: RuleId
    linked: bool
    changed: tuple[RuleId, ...] = Field(description="Those whose records were written; none where all was so already.")


class LinkFault(Frozen):
    """
    A link that is not as it should be.
    """

    rule: RuleId
    other: RuleId = Field(description="The rule that it names.")
    what: str = Field(description="What is wrong with the other.")
    command: str = Field(description="What mends it.")


def command(one: str, other: str, *, remove: bool = False) -> str:
    """
    Return the command that links the rules *one* and *other*, or with *remove* takes the link away.
    """
    return f"lorebook link {one} {other}{' --remove' if remove else ''}"


def link(library: Library, one: str, other: str) -> LinkView:
    """
    Write into the records of the rules *one* and *other* that they decide the same point otherwise.

    Raises UnknownNameError for a rule that is not there, InputError for two rules of one ruleset, RecordError for a
    record that cannot be changed, StorageError when the disk refuses.
    """
    with atomic.alone(library.root):
        rules = library.rule(one), library.rule(other)
        if rules[0].ruleset == rules[1].ruleset:
            hint = "a link is between rules of two rulesets"
            raise InputError(f"{one} and {other} are rules of one ruleset", hint=hint)
        changed = [(rule, to) for rule, to in zip(rules, (other, one), strict=True) if to not in rule.conflicts_with]
        for rule, to in changed:
            _write(library, rule, (*rule.conflicts_with, to))
    return LinkView(one=one, other=other, linked=True, changed=tuple(rule.id for rule, _ in changed))


def unlink(library: Library, one: str, other: str) -> LinkView:
    """
    Take the link between the rules *one* and *other* out of both records; one of them may be gone.

    Raises UnknownNameError when a rule is not there and the other does not name it, RecordError for a record that
    cannot be changed, StorageError when the disk refuses.
    """
    with atomic.alone(library.root):
        sides = [(_held(library, rule_id, by=to), to) for rule_id, to in ((one, other), (other, one))]
        changed = [(rule, to) for rule, to in sides if rule and to in rule.conflicts_with]
        for rule, to in changed:
            _write(library, rule, tuple(link for link in rule.conflicts_with if link != to))
    return LinkView(one=one, other=other, linked=False, changed=tuple(rule.id for rule, _ in changed))


def faults(rulesets: Iterable[Ruleset]) -> list[LinkFault]:
    """
    Return the links of *rulesets* that only one side says, that stay in one ruleset, or that lead nowhere.
    """
    rules = {rule.id: rule for ruleset in rulesets for rule in ruleset.rules}
    return [fault for rule in rules.values() for to in rule.conflicts_with for fault in _faults(rule, to, rules)]


def _faults(rule: Rule, to: str, rules: dict[str, Rule]) -> Iterator[LinkFault]:
    mended = (rule.id, to)
    if to not in rules:
        yield LinkFault(rule=rule.id, other=to, what="is not there", command=command(*mended, remove=True))
    elif rules[to].ruleset == rule.ruleset:
        yield LinkFault(rule=rule.id, other=to, what="is of the same ruleset", command=command(*mended, remove=True))
    elif rule.id not in rules[to].conflicts_with:
        yield LinkFault(rule=rule.id, other=to, what="does not say so itself", command=command(*mended))


def _held(library: Library, rule_id: str, *, by: str) -> Rule | None:
    """
    The rule *rule_id*, or None where it is gone and the rule *by* still names it.
    """
    try:
        return library.rule(rule_id)
    except UnknownNameError:
        if rule_id not in library.rule(by).conflicts_with:
            raise
        return None


def _write(library: Library, rule: Rule, links: tuple[str, ...]) -> None:
    path = library.folder(rule.ruleset) / f"{rule.slug}.yaml"
    data = path.read_bytes()
    if data == dump_rule(rule):
        atomic.write_file(path, dump_rule(rule.model_copy(update={_FIELD: links})))
    else:
        atomic.write_file(path, _edited(path, data.decode(), rule, links).encode())


def _edited(path: Path, text: str, rule: Rule, links: tuple[str, ...]) -> str:
    where = f"{path.parent.name}/{path.name}"
    try:
        for gone in dict.fromkeys(each for each in rule.conflicts_with if each not in links):
            text = editing.without_item(text, _FIELD, gone, where=where)
        for new in (each for each in links if each not in rule.conflicts_with):
            text = editing.with_item(text, _FIELD, new, before=_BEHIND, where=where)
    except DataError as error:
        raise RecordError(error.what, where=error.where, hint=error.hint) from error
    return text
