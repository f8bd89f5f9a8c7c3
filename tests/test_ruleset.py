"""
What a ruleset's folder promises across saves.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import RulesetError
from lorebook.records import Rule, Span, Wording
from lorebook.ruleset import (
    COVER,
    MANIFEST,
    Document,
    Manifest,
    Ruleset,
    SetAside,
    dump_manifest,
    read_manifest,
    source_text,
)

_AS_IT_WAS = """\
game = "Chess"
edition = "2023"
languages = ["zh", "en"]
authority = "FIDE"
licence = "CC0-1.0"

[title]
en = "Chess"
zh = "国际象棋"
"""
_BY_LANGUAGE = """\
languages = ["zh", "en"]
licence = "CC0-1.0"

[title]
en = "Chess"
zh = "国际象棋"

[game]
zh = "国际象棋"
en = "Chess"

[edition]
en = "draft"
zh = "草稿"

[authority]
zh = "国际棋联"
"""
_MANIFEST = Manifest(
    title={"en": "Chess"},
    game="Chess",
    edition="2023",
    languages=("en",),
    authority="FIDE",
    licence="CC0-1.0",
)


def _ruleset(*slugs: str) -> Ruleset:
    wordings = {"en": Wording(title="A rule", text="The side to move moves.")}
    rules = [Rule(id=f"chess/{slug}", order=n, original="en", wordings=wordings) for n, slug in enumerate(slugs)]
    return Ruleset("chess", _MANIFEST, rules)


def test_a_save_keeps_the_cover_and_the_documents_and_drops_rules_that_are_gone(tmp_path: Path) -> None:
    folder = tmp_path / "chess"
    _ruleset("castling", "check").save(folder, sources={"fide.txt": b"Laws", "notes.txt": b"old"})
    (folder / COVER).write_bytes(b"a picture")
    _ruleset("check").save(folder, sources={"notes.txt": b"new"})
    kept = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert set(kept) == {"ruleset.toml", "check.yaml", COVER, "source/fide.txt", "source/notes.txt"}
    assert kept[COVER] == b"a picture"
    assert kept["source/fide.txt"] == b"Laws"
    assert kept["source/notes.txt"] == b"new"


def test_a_save_does_not_take_the_cover_of_another_folder(tmp_path: Path) -> None:
    ruleset = _ruleset("check")
    ruleset.save(tmp_path / "chess")
    (tmp_path / "chess" / COVER).write_bytes(b"a picture")
    Ruleset.load(tmp_path / "chess").save(tmp_path / "elsewhere" / "chess")
    assert not (tmp_path / "elsewhere" / "chess" / COVER).exists()


def test_only_what_lies_in_the_ruleset_is_a_kept_document(tmp_path: Path) -> None:
    folder = tmp_path / "chess"
    _ruleset("check").save(folder, sources={"fide.txt": b"Laws"})
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    (folder / "source" / "link.txt").symlink_to(secret)
    assert source_text(folder, "fide.txt") == "Laws"
    for name in (str(secret), "../../secret.txt", "../ruleset.toml", "link.txt", "none.txt"):
        assert source_text(folder, name) is None, name
    with pytest.raises(RulesetError, match="chess: a kept document cannot be read"):
        source_text(folder, "a" * 300)


def test_a_source_folder_that_leads_elsewhere_keeps_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "chess"
    _ruleset("check").save(folder)
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "secret.txt").write_text("secret")
    (folder / "source").symlink_to(tmp_path / "private")
    assert source_text(folder, "secret.txt") is None


def test_a_manifest_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ruleset.toml").write_text("a = " + "[" * 5000)
    with pytest.raises(RulesetError, match="nested too deeply"):
        read_manifest(tmp_path)


def test_a_manifest_of_many_headings_is_written_as_the_library_writes_it() -> None:
    aside = SetAside(lines=tuple(Span(3 * n + 1, 3 * n + 2) for n in range(200)), why="headings", text="One\nTwo")
    document = Document(name="rules.txt", sha256="0" * 64, line_count=600, set_aside=(aside, aside))
    manifest = _MANIFEST.model_copy(update={"documents": (document,)})
    text = dump_manifest(manifest)
    assert text == tomlkit.dumps(manifest.model_dump(mode="json", exclude_defaults=True)).encode()
    assert Manifest.model_validate(tomllib.loads(text.decode())) == manifest


@pytest.mark.parametrize("text", [_AS_IT_WAS, _BY_LANGUAGE], ids=["for all languages", "by language"])
def test_a_manifest_is_written_back_as_it_was(text: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(text, "utf-8")
    assert dump_manifest(read_manifest(tmp_path)).decode() == text


_LINES = st.text("gG 游戏=\"'#.\\", min_size=1).map(str.strip).filter(bool)
_TOLD = _LINES | st.dictionaries(st.sampled_from(["en", "zh", "zh-Hant"]), _LINES, min_size=1)


@given(st.fixed_dictionaries(dict.fromkeys(("game", "edition", "authority", "licence"), _TOLD)))
def test_each_line_of_a_manifest_may_be_one_or_one_by_language(lines: dict[str, str | dict[str, str]]) -> None:
    manifest = Manifest.model_validate(dict(_MANIFEST) | lines)
    again = tomllib.loads(dump_manifest(manifest).decode())
    assert {name: again[name] for name in lines} == lines
    assert Manifest.model_validate(again) == manifest


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("edition = 2023", "chess/ruleset.toml: edition: "),
        ("edition = {}", "chess/ruleset.toml: edition: "),
        ("edition.zh = 2023", "chess/ruleset.toml: edition.zh: "),
    ],
    ids=["no text", "no language", "no text in a language"],
)
def test_what_is_no_line_is_refused_by_its_place(line: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "chess").mkdir()
    (tmp_path / "chess" / MANIFEST).write_text(_AS_IT_WAS.replace('edition = "2023"', line), "utf-8")
    with pytest.raises(RulesetError, match=f"^{says}"):
        read_manifest(tmp_path / "chess")
