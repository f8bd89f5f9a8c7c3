"""
PDFs: headings by size, paragraphs joined, words mended, running heads dropped; and those that are refused.
"""

from __future__ import annotations

import pytest

from lorebook.errors import DocumentError
from lorebook.importers import Imported, import_document
from lorebook.ruleset import decode, split_lines
from tests.importers.pdfs import Set, pdf


def read(*pages: list[Set], name: str = "rules.pdf") -> Imported:
    return import_document(pdf(pages), file_name=name, ruleset="rules")


PAGE = [
    Set("Herring Wars", 24, bold=True),
    Set("Nets", 16, bold=True, below=40),
    Set("Every player takes four lan-"),
    Set("terns and puts them face-"),
    Set("down; a face-down net is"),
    Set("no net."),
    Set("The next paragraph says more.", below=30),
]


def test_sizes_make_headings_and_wrapped_lines_are_joined() -> None:
    imported = read(PAGE)
    (rule,) = imported.ruleset.rules
    assert rule.wording().section == ("Herring Wars",)
    assert rule.wording().title == "Nets"
    assert rule.wording().text == (
        "Every player takes four lanterns and puts them face-down; a face-down net is no net.\n\n"
        "The next paragraph says more."
    )
    assert imported.ruleset.manifest.title == {"en": "Herring Wars"}


def test_its_text_is_kept_with_the_pages_and_rules_cite_lines_of_it() -> None:
    imported = read(PAGE, [Set("Boats", 16, bold=True), Set("A boat has a sail.")])
    (document,) = imported.ruleset.manifest.documents
    lines = split_lines(decode(imported.kept))
    assert document.name == "rules.pdf.txt"
    assert [line for line in lines if line.startswith("[page")] == ["[page 1]", "[page 2]"]
    boats = imported.ruleset.rules[-1]
    assert boats.source
    assert [lines[n - 1] for span in boats.source.lines for n in span.numbers()] == ["Boats", "A boat has a sail."]


def test_what_every_page_repeats_is_dropped() -> None:
    pages = [
        [
            Set("Herring Wars, second edition"),
            Set(f"Rule text of page {n} that stays.", below=40),
            Set(f"{n}", below=500),
        ]
        for n in range(1, 6)
    ]
    texts = " ".join(rule.wording().text for rule in read(*pages).ruleset.rules)
    assert "second edition" not in texts
    assert all(f"page {n} that stays" in texts for n in range(1, 6))


def test_numbers_make_rules_in_a_pdf_too() -> None:
    page = [Set("7. Combat", 16, bold=True), Set("7.1 Attack first, see rule 7.2."), Set("7.2 Then defend with"),
            Set("all you have."), Set("7.2a Or run.")]  # fmt: skip
    rules = read(page).ruleset.rules
    assert [rule.number for rule in rules] == ["7.1", "7.2", "7.2a"]
    assert rules[1].wording().text == "Then defend with all you have."
    assert rules[0].see_also == ("rules/7.2",)


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [Set("Nets", 16, bold=True), Set("A net holds five al-"), Set("ways, or none.")]
    right = [Set("Boats", 16, bold=True, below=-28, left=320), Set("A boat has", left=320), Set("a sail.", left=320)]
    nets, boats = read([Set("Herring Wars", 24), *left, *right]).ruleset.rules
    assert (nets.wording().title, nets.wording().text) == ("Nets", "A net holds five always, or none.")
    assert (boats.wording().title, boats.wording().text) == ("Boats", "A boat has a sail.")


def test_ligatures_and_soft_hyphens_are_letters() -> None:
    # In the encoding of Helvetica, these are the ligatures fi and fl.
    (rule,) = read([Set("Every boat may \xaend four"), Set("\xafoating nets of \xaesh.")]).ruleset.rules
    assert rule.wording().text == "Every boat may find four floating nets of fish."
    # In that of the bold one, soft hyphens.
    (rule,) = read(
        [Set("Every boat may float al\xad", bold=True), Set("ways and every\xadwhere.", bold=True)]
    ).ruleset.rules
    assert rule.wording().text == "Every boat may float always and everywhere."


def test_a_table_of_contents_led_by_dots_is_none_of_the_rules() -> None:
    contents = [
        Set("Herring Wars", 24),
        Set("Nets ........ 2", below=40),
        Set("Boats . . . . 2"),
        Set("Selling .... 2"),
    ]
    named = ("Nets", "Boats", "Selling")
    page = [line for name in named for line in (Set(name, 16, bold=True), Set(f"{name} are for everyone."))]
    assert [rule.wording().text for rule in read(contents, page).ruleset.rules] == [
        f"{n} are for everyone." for n in named
    ]
    prices = [Set("Prices", 16, bold=True), Set("Cod ........ 2"), Set("Herring .... 3"), Set("Crab ....... 4")]
    assert "Herring .... 3" in read(prices).ruleset.rules[0].wording().text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (pdf([[]]), "pictures of pages and no text"),
        (b"%PDF-1.4\nnothing else", "cannot be read"),
        (pdf([PAGE])[:300], "cannot be read|no text"),
        (
            pdf([PAGE], trailer="/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 "
                f"/O <{'41' * 32}> /U <{'42' * 32}> >> /ID [<{'43' * 16}> <{'43' * 16}>]"),
            "locked by a password",
        ),
    ],
    ids=["scanned", "damaged", "cut", "encrypted"],
)  # fmt: skip
def test_what_holds_no_text_is_refused_in_one_sentence(data: bytes, words: str) -> None:
    with pytest.raises(DocumentError, match=words) as caught:
        import_document(data, file_name="rules.pdf", ruleset="rules")
    assert str(caught.value).startswith("rules.pdf: ")
    assert "\n" not in str(caught.value)
