"""
What breaks a record is said in our words: the place, what is wrong, and the field that may be meant.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lorebook.errors import RecordError
from lorebook.ruleset import read_rule

WORDING = "wordings: {en: {title: A, text: B}}"
HEAD = "id: game/rule\norder: 0\noriginal: en\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{HEAD}wordings: {{en: {{title: A, text: B, keyz: []}}}}",
         "wordings.en.keyz: there is no such field, did you mean keys?"),
        (f"{HEAD}{WORDING}\nsettings: {{constat: true}}",
         "settings.constat: there is no such field, did you mean constant?"),
        (f"{HEAD}{WORDING}\nsee_als: []", "see_als: there is no such field, did you mean see_also?"),
        (f"{HEAD}{WORDING}\nqqq: []", "qqq: there is no such field"),
        (f"id: game/rule\norder: 0\noriginal: fr\n{WORDING}",
         "the original language is 'fr', but there is no such wording"),
        (f"id: game/rule\noriginal: en\n{WORDING}", "order: is missing"),
        (f"{HEAD}wordings: {{}}", "wordings: is empty"),
        (f"{HEAD}wordings: {{en: {{title: 7, text: B}}}}", "wordings.en.title: is no text"),
        (f"{HEAD}wordings: {{en: {{title: 'A ', text: B}}}}",
         "wordings.en.title: begins or ends with white space, or has more lines than one"),
        (f"{HEAD}wordings: {{en: {{title: A, text: B, keys: a}}}}", "wordings.en.keys: is no list"),
        (f"id: game/rule\norder: -1\noriginal: en\n{WORDING}", "order: is less than 0"),
        (f"id: game/rule\norder: first\noriginal: en\n{WORDING}", "order: is no whole number"),
        (f"{HEAD}{WORDING}\nsettings: {{probability: 101}}", "settings.probability: is more than 100"),
        (f"{HEAD}{WORDING}\nsettings: {{enabled: maybe}}", "settings.enabled: is neither true nor false"),
        (f"{HEAD}{WORDING}\nsource: {{document: d, lines: [[3, 2]]}}",
         "source.lines.0: lines 3 to 2 run backwards; source.lines: is empty"),
    ],
)  # fmt: skip
def test_a_fault_is_said_in_our_words(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "rules" / "game" / "rule.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(RecordError) as caught:
        read_rule(path)
    assert str(caught.value) == f"rules/game/rule.yaml: {says}"
