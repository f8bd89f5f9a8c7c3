"""
Members that cards spell otherwise than archives.
"""

from __future__ import annotations

import pytest

from lorebook.formats.containers.member_names import MemberNames

_FOUND = {
    "as it is": ("assets/a.png", "assets/a.png"),
    "backslashes in the archive": ("assets\\a.png", "assets/a.png"),
    "backslashes in the card": ("assets/a.png", "assets\\a.png"),
    "from the top": ("assets/a.png", "/assets//a.png"),
    "from here": ("./assets/a.png", "assets/./a.png"),
    "in another case": ("Assets/A.PNG", "assets/a.png"),
    "with percents": ("assets/my icon.png", "assets/my%20icon.png"),
    "in a folder": ("Mira/assets/a.png", "assets/a.png"),
    "UTF-8 that is not said": ("开心.png".encode().decode("cp437"), "开心.png"),
    "GBK": ("开心.png".encode("gbk").decode("cp437"), "开心.png"),
    "Korean": ("행복.png".encode("cp949").decode("cp437"), "행복.png"),
    "Japanese": ("嬉しい.png".encode("cp932").decode("cp437"), "嬉しい.png"),
}


@pytest.mark.parametrize(("name", "path"), _FOUND.values(), ids=_FOUND)
def test_a_member_is_found(name: str, path: str) -> None:
    card = "Mira/card.json" if name.startswith("Mira/") else "card.json"
    assert MemberNames([card, "b/other.png", name], "card.json").find(path) == name


def test_the_exact_name_comes_first() -> None:
    assert MemberNames(["A.png", "a.png", "x/a.png", "x/card.json"], "card.json").find("a.png") == "a.png"
    assert MemberNames(["A.png", "x/a.png", "x/card.json"], "card.json").find("a.png") == "A.png"


@pytest.mark.parametrize(
    ("names", "path"),
    [
        (["A.png", "a.PNG"], "a.png"),
        (["x/a.png", "y/card.json"], "a.png"),
        (["x/a.png", "x/card.json", "card.json"], "a.png"),
        (["x/a.png", "x/card.json", "y/a.png", "y/card.json"], "a.png"),
        (["x/a.png", "x/my card.json"], "a.png"),
        (["xa.png"], "a.png"),
        (["a.png"], ""),
        ([], "a.png"),
    ],
    ids=[
        *("two of one spelling", "not beside the card", "a card at the top", "two cards", "another card"),
        *("the end of a name", "no name", "none"),
    ],
)
def test_what_is_not_certain_is_not_taken(names: list[str], path: str) -> None:
    assert MemberNames(names, "card.json").find(path) is None
