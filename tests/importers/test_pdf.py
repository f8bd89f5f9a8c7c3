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
