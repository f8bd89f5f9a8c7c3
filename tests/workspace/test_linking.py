"""
Links between rules that decide the same point otherwise: said by both records, and nothing else in them changes.
"""

from __future__ import annotations

import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lorebook import atomic
from lorebook.errors import InputError, RecordError, UnknownNameError
from lorebook.ruleset import dump_rule
from lorebook.workspace import Workspace, linking, location
from lorebook.workspace.linking import LinkFault, LinkView
from tests.retrieval.worlds import rule, ruleset

HAND, SIZE = "inn/hand", "guild/hand-size"
BY_HAND = """\
# The landlord's own words.
order:    0
id: inn/hand   # never changes
original: en
wordings: {en: {title: "Hand limit", text: 'Six cards.', keys: [hand]}}
see_also:
    - inn/beer    # thirsty?

# Nobody else says so.
authority: The landlord
"""


@pytest.fixture
def tables(tmp_path: Path) -> Workspace:
    """A workspace of two rulesets, one of whose records was written by hand."""
    location.init(tmp_path)
    beer = rule("inn/beer", "Beer\nWhoever spills it pays.", order=1)
    ruleset("inn", rule(HAND, "Hand limit\nSix cards."), beer).save(tmp_path / "rules" / "inn")
    ruleset("guild", rule(SIZE, "Limit of the hand\nSeven cards.")).save(tmp_path / "rules" / "guild")
    (tmp_path / "rules" / "inn" / "hand.yaml").write_text(BY_HAND)
    return Workspace.open(tmp_path)


def records(workspace: Workspace) -> dict[str, str]:
    return {f"{path.parent.name}/{path.stem}": path.read_text() for path in workspace.rules_folder.glob("*/*.yaml")}


def test_both_records_say_so_and_nothing_else_changes(tables: Workspace) -> None:
    before = records(tables)
    assert tables.link(HAND, SIZE) == LinkView(one=HAND, other=SIZE, linked=True, changed=(HAND, SIZE))
    after = records(tables)
    assert after.pop(HAND) == BY_HAND.replace("\n# Nobody", "\nconflicts_with: [guild/hand-size]\n# Nobody")
    assert after.pop(SIZE) == dump_rule(tables.rule(SIZE)).decode()
    assert tables.rule(SIZE).conflicts_with == (HAND,)
    assert after == {rule_id: text for rule_id, text in before.items() if rule_id in after}


def test_a_link_stands_before_an_authority_by_language(tables: Workspace) -> None:
    authority = "authority:\n  en: The landlord\n  zh: 老板   # himself\n"
    path = tables.rules_folder / "inn" / "hand.yaml"
    path.write_text(BY_HAND.replace("authority: The landlord\n", authority), "utf-8")
    tables.link(HAND, SIZE)
    assert path.read_text("utf-8").endswith(f"conflicts_with: [guild/hand-size]\n# Nobody else says so.\n{authority}")
    assert tables.rule(HAND).authority == {"en": "The landlord", "zh": "老板"}


@pytest.mark.parametrize("again", [(HAND, SIZE), (SIZE, HAND)], ids=["as before", "the other way round"])
def test_what_is_linked_already_is_left_alone(tables: Workspace, again: tuple[str, str]) -> None:
    tables.link(HAND, SIZE)
    before = records(tables)
    assert tables.link(*again).changed == ()
    assert records(tables) == before


def test_a_link_that_is_taken_away_leaves_the_records_as_they_were(tables: Workspace) -> None:
    before = records(tables)
    tables.link(HAND, SIZE)
    assert tables.link(SIZE, HAND, remove=True) == LinkView(one=SIZE, other=HAND, linked=False, changed=(SIZE, HAND))
    assert records(tables) == before
    assert tables.link(HAND, SIZE, remove=True).changed == ()


def test_a_workspace_that_has_read_its_rules_reads_them_again(tables: Workspace) -> None:
    assert not tables.compare("inn", "guild").counts["conflict"]
    assert tables.rulesets
    tables.link(HAND, SIZE)
    assert tables.compare("inn", "guild").counts["conflict"] == 1
    tables.link(HAND, SIZE, remove=True)
    assert not tables.compare("inn", "guild").counts["conflict"]


@pytest.mark.parametrize("remove", [False, True], ids=["link", "remove"])
def test_links_of_one_record_that_are_made_at_once_lose_none(tables: Workspace, *, remove: bool) -> None:
    many = [f"guild/rule-{number}" for number in range(12)]
    ruleset("guild", *(rule(each, "Limit\nSeven cards.") for each in many)).save(tables.rules_folder / "guild")
    for each in many if remove else ():
        tables.link(HAND, each)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda each: Workspace.open(tables.root).link(HAND, each, remove=remove), many))
    assert {*tables.rule(HAND).conflicts_with} == {*(() if remove else many)}
    assert tables.link_faults() == []


@pytest.fixture
def one_sided(tables: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The workspace after a crash between the two records."""
    write = atomic.write_file
    written: list[Path] = []

    def once(path: Path, *data: bytes) -> None:
        if written:
            raise KeyboardInterrupt
        written.append(path)
        write(path, *data)

    with monkeypatch.context() as patched:
        patched.setattr(atomic, "write_file", once)
        with pytest.raises(KeyboardInterrupt):
            tables.link(HAND, SIZE)
    return tables


def test_a_crash_between_the_records_leaves_a_link_that_is_named_and_mended(one_sided: Workspace) -> None:
    assert one_sided.compare("inn", "guild").counts["conflict"] == 1
    (fault,) = one_sided.link_faults()
    assert fault == LinkFault(
        rule=HAND, other=SIZE, what="does not say so itself", command=f"lorebook link {HAND} {SIZE}"
    )
    assert one_sided.link(*shlex.split(fault.command)[2:]).changed == (SIZE,)
    assert one_sided.link_faults() == []
    assert one_sided.rule(SIZE).conflicts_with == (HAND,)


def test_half_a_link_can_be_taken_away(one_sided: Workspace) -> None:
    assert one_sided.link(HAND, SIZE, remove=True).changed == (HAND,)
    assert (records(one_sided)[HAND], one_sided.link_faults()) == (BY_HAND, [])


def test_a_link_that_leads_nowhere_is_named_and_mended(tables: Workspace) -> None:
    tables.link(HAND, SIZE)
    (tables.rules_folder / "guild" / "hand-size.yaml").unlink()
    (fault,) = Workspace.open(tables.root).link_faults()
    assert (fault.what, fault.command) == ("is not there", f"lorebook link {HAND} {SIZE} --remove")
    assert tables.link(HAND, SIZE, remove=True).changed == (HAND,)
    assert records(tables)[HAND] == BY_HAND


def test_a_link_within_a_ruleset_is_named_and_mended(tables: Workspace) -> None:
    path = tables.rules_folder / "inn" / "beer.yaml"
    before = path.read_text()
    path.write_text(before + "conflicts_with: [inn/hand]\n")
    (fault,) = tables.link_faults()
    assert (fault.what, fault.command) == ("is of the same ruleset", f"lorebook link inn/beer {HAND} --remove")
    tables.link("inn/beer", HAND, remove=True)
    assert path.read_text() == before


@pytest.mark.parametrize("remove", [False, True], ids=["link", "remove"])
@pytest.mark.parametrize(
    "rules",
    [(HAND, "guild/hand"), ("guild/hand", HAND), ("castle/hand", HAND), ("inn", SIZE), (HAND, "inn/../guild")],
    ids=str,
)
def test_rules_must_be_there(tables: Workspace, rules: tuple[str, str], *, remove: bool) -> None:
    before = records(tables)
    with pytest.raises(UnknownNameError):
        tables.link(*rules, remove=remove)
    assert records(tables) == before


def test_rules_of_one_ruleset_are_not_linked(tables: Workspace) -> None:
    with pytest.raises(InputError, match="of one ruleset"):
        tables.link(HAND, "inn/beer")


def test_a_record_that_cannot_be_changed_in_place_is_named(tables: Workspace) -> None:
    path = tables.rules_folder / "inn" / "hand.yaml"
    path.write_text(
        BY_HAND.replace("see_also:", "conflicts_with: &links [guild/gone]\nsee_also: *links\nx:").split("x:")[0]
    )
    before = path.read_text()
    with pytest.raises(RecordError, match=r"^inn/hand\.yaml: "):
        tables.link(HAND, SIZE)
    assert path.read_text() == before
    assert tables.rule(SIZE).conflicts_with == ()


def test_the_command_is_the_one_that_is_typed() -> None:
    assert linking.command(HAND, SIZE, remove=True) == "lorebook link inn/hand guild/hand-size --remove"
