"""
Covers: drawn alike every time, apart from one another, legible for any title, and of a size that cards can bear.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lorebook.formats import cover_for, draw_cover
from lorebook.formats.cover import (
    SIZE,
    __main__,
    draw_title,
    drawing,
    emblems,
    fitting,
    lettering,
    plate,
    press,
    shipped,
)
from lorebook.formats.cover.emblems import EMBLEMS, Emblem
from lorebook.formats.cover.picture import MOST_BYTES
from lorebook.records import Told
from lorebook.ruleset import COVER, LARGE_COVER, MANIFEST, Manifest, Ruleset

_RULES = Path(__file__).parents[2] / "rules"
_SHIPPED = sorted(path.parent for path in _RULES.glob("*/ruleset.toml"))
# A scene drawn small differs from one made small by less than this in every square; other words differ by more.
_DRAWN_SMALL = 0.1
# The colours of a cover are chosen for a sample of words, those of a picture for itself.
_PUT_TOGETHER = 0.03


def ruleset(
    name: str,
    titles: dict[str, str] | None = None,
    *,
    folder: Path | None = None,
    languages: tuple[str, ...] = ("en",),
    game: Told = "Chess",
    edition: Told = "2023",
) -> Ruleset:
    manifest = Manifest(
        title=titles or {"en": "Chess"},
        game=game,
        edition=edition,
        languages=languages,
        authority="FIDE",
        licence="CC0-1.0",
    )
    return Ruleset(name, manifest, [], folder)


def pixels(data: bytes, size: tuple[int, int] = SIZE) -> bytes:
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.format == "PNG"
        assert picture.size == size
        return picture.convert("RGB").tobytes()


def test_a_cover_is_drawn_alike_every_time_and_is_small() -> None:
    first = draw_cover(ruleset("chess"))
    assert first == draw_cover(ruleset("chess"))
    assert len(first) < MOST_BYTES
    assert len(set(pixels(first))) > 100
    assert SIZE == (400, 600)


def test_names_and_titles_make_covers_differ() -> None:
    drawn = [
        draw_cover(ruleset("chess")),
        draw_cover(ruleset("shogi")),
        draw_cover(ruleset("chess", {"en": "Chess960"})),
    ]
    assert len({pixels(data) for data in drawn}) == len(drawn)


_WORDS = {
    "all": plate.Words("W" * 16, "名字名字名字名字", "A game · 2023", "Rulings · English"),
    "a short title": plate.Words("Mira"),
    "a title of four lines": plate.Words("The Long and Rather Sad Story of Mira Vell, Who Kept the Gate for Years"),
    "none": plate.Words(""),
}


@pytest.mark.parametrize("words", _WORDS.values(), ids=_WORDS)
def test_a_cover_that_is_put_together_shows_what_is_drawn_as_a_whole(words: plate.Words) -> None:
    kind = drawing.kind_of("go")
    whole = drawing.draw(kind)
    drawing.lay_words(whole, words, kind)
    assert shipped.difference(press.press(kind).printed(words), whole.png()) < _PUT_TOGETHER


def test_a_cover_is_alike_whatever_was_printed_before_it() -> None:
    kind = drawing.kind_of("go")
    used = press.Press(kind)
    used.printed(plate.Words("Something else", "其他"))
    words = plate.Words("Go")
    assert used.printed(words) == press.Press(kind).printed(words)


def test_a_character_has_its_name_on_its_cover_or_at_least_ours() -> None:
    named, other = draw_title("Mira\n Vell"), draw_title("Mira")
    assert named == draw_title("Mira Vell")
    assert pixels(named) != pixels(other)
    assert draw_title("قواعد") == draw_title("") == draw_title("Lorebook")


@pytest.mark.parametrize("emblem", EMBLEMS, ids=lambda emblem: emblem.__name__)
@pytest.mark.parametrize("parts", [5, 6, 7, 8, 9])
def test_an_emblem_stays_within_its_radius(emblem: Emblem, parts: int) -> None:
    sheets = emblems.Sheets.blank()
    emblem(sheets, (200, 300), 100, parts)
    left, top, right, bottom = sheets.metal.image.reduce(sheets.metal.scale).getbbox() or (0, 0, 0, 0)
    assert left >= 99
    assert right <= 301
    assert top >= 199
    assert bottom <= 401
    assert bottom - top > 120


TITLES = {
    "very long": {"en": "A Very Long Title of Many Words About the Rules of a Game" + " That Nobody Plays" * 9},
    "one long word": {"en": "W" * 60},
    "Chinese": {"zh": "三国杀标准版与军争篇及风林火山扩展包的官方规则问答合集"},
    "emoji alone": {"en": "🎲🎲"},
    "right to left": {"ar": "قواعد الشطرنج"},
    "a mark alone": {"en": "!"},
}


@pytest.mark.parametrize("titles", TITLES.values(), ids=TITLES)
def test_any_title_gives_a_cover(titles: dict[str, str]) -> None:
    languages = tuple(titles)
    data = draw_cover(ruleset("chess", titles, languages=languages))
    pixels(data)
    assert len(data) < MOST_BYTES


WORDS = {
    "both languages, the original first": (
        ruleset("go", {"en": "Go", "zh": "围棋"}, languages=("zh", "en")),
        plate.Words("围棋", "Go", "Chess · 2023", "Rulings · 中文 / English"),
    ),
    "what the second title repeats is left out": (
        ruleset("go", {"en": "Go", "zh": "Go（围棋）"}, languages=("en", "zh")),
        plate.Words("Go", "围棋", "Chess · 2023", "Rulings · English / 中文"),
    ),
    "a game that the title names is not named again": (
        ruleset("chess", {"en": "Chess for All"}),
        plate.Words("Chess for All", "", "2023", "Rulings · English"),
    ),
    "the small words are English where they are there": (
        ruleset("go", {"zh": "围棋"}, game={"zh": "围棋", "en": "Go"}, edition={"zh": "草稿"}),
        plate.Words("围棋", "", "Go · 草稿", "Rulings · English"),
    ),
    "a long edition is left out": (
        ruleset("go", {"en": "Go"}, edition="of the year in which so much was written that it fills no line of a card"),
        plate.Words("Go", "", "Chess", "Rulings · English"),
    ),
    "emoji are left out": (
        ruleset("dice", {"en": "🎲 Dice & Dragons 🐉"}, game="🎲", edition="1️⃣"),
        plate.Words("Dice & Dragons", "", "1", "Rulings · English"),
    ),
    "a title that no font of ours can write gives way to another": (
        ruleset("shatranj", {"ar": "شطرنج", "en": "Shatranj"}, languages=("ar", "en")),
        plate.Words("Shatranj", "", "Chess · 2023", "Rulings · ar / English"),
    ),
    "and where there is none, to the name": (
        ruleset("old-shatranj", {"ar": "شطرنج"}, languages=("ar",)),
        plate.Words("old shatranj", "", "Chess · 2023", "Rulings · ar"),
    ),
}


@pytest.mark.parametrize(("rules", "words"), WORDS.values(), ids=WORDS)
def test_words_of_a_cover(rules: Ruleset, words: plate.Words) -> None:
    assert plate.words_of(rules) == words


LEGIBLE = {
    "Latin": ("Échecs & Dames, 2e édition", "Échecs & Dames, 2e édition"),
    "Simplified and Traditional": ("游戏王 遊戲王", "游戏王 遊戲王"),
    "Cyrillic, kana": ("Шахматы しょうぎ", "Шахматы しょうぎ"),
    "letters in two parts": ("Café", "Café"),
    "emoji of several parts": ("Cards 👩‍👩‍👧 ♠️", "Cards"),
    "Hebrew": ("שחמט", ""),
    "Arabic among Latin": ("Chess شطرنج", ""),
    "blank": (" \t ", ""),
}


@pytest.mark.parametrize(("text", "kept"), LEGIBLE.values(), ids=LEGIBLE)
def test_what_can_be_written_is_kept(text: str, kept: str) -> None:
    assert lettering.legible(text) == kept


@given(st.text(st.sampled_from("ab W游戏（）(!…— é"), min_size=1, max_size=70), st.integers(1, 4))
def test_lines_fit_their_room_and_hold_the_text_or_end_in_an_ellipsis(raw: str, most: int) -> None:
    text = lettering.legible(raw)
    if not text:
        return
    block = fitting.fit(text, 200, 40, smallest=14, most=most, spread=1)
    assert 1 <= len(block.lines) <= most
    assert 14 <= block.size <= 40
    assert all(lettering.width(line, block.size, block.spread, face=block.face) <= 200.5 for line in block.lines)
    written, whole = "".join(block.lines).replace(" ", ""), text.replace(" ", "")
    assert written == whole or (written.endswith("…") and whole.startswith(written[:-1]))


BREAKS = {
    "one line where it is large enough": ("Chess", ("Chess",)),
    "a short first line before a short last": ("Yu-Gi-Oh! Classic Rulebook", ("Yu-Gi-Oh!", "Classic Rulebook")),
    "before a bracket, not within a Chinese word": ("中国围棋规则（试行本）", ("中国围棋规则", "（试行本）")),
}


@pytest.mark.parametrize(("text", "lines"), BREAKS.values(), ids=BREAKS)
def test_lines_break_where_a_reader_would_break_them(text: str, lines: tuple[str, ...]) -> None:
    assert fitting.fit(text, 324, 40, smallest=18).lines == lines


def test_a_cover_in_the_folder_is_taken_as_it_is_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "chess"
    assert cover_for(ruleset("chess", folder=folder)) == draw_cover(ruleset("chess"))
    folder.mkdir()
    for name in (COVER, LARGE_COVER):
        (folder / name).write_bytes(f"my own {name}".encode())
    ruleset("chess").save(folder)
    assert (folder / MANIFEST).is_file()
    assert cover_for(ruleset("chess", folder=folder)) == b"my own cover.png"
    assert (folder / LARGE_COVER).read_bytes() == b"my own cover-large.png"


def test_every_shipped_ruleset_has_a_scene() -> None:
    assert sorted(shipped.SCENES) == [folder.name for folder in _SHIPPED]


@pytest.mark.parametrize("folder", _SHIPPED, ids=lambda folder: folder.name)
def test_a_shipped_cover_lies_there_in_both_sizes_and_shows_its_scene(folder: Path) -> None:
    small, large = (folder / COVER).read_bytes(), (folder / LARGE_COVER).read_bytes()
    pixels(small)
    pixels(large, (800, 1200))
    assert max(len(small), len(large)) < MOST_BYTES
    drawn = shipped.draw_scene(folder, 1).png()
    assert shipped.difference(small, drawn) < _DRAWN_SMALL, "`python -m lorebook.formats.cover` repairs it"


def test_another_title_makes_a_kept_cover_stale(tmp_path: Path) -> None:
    folder = tmp_path / "bfm-v2"
    folder.mkdir()
    text = (_RULES / "bfm-v2" / MANIFEST).read_text("utf-8")
    (folder / MANIFEST).write_text(text.replace('"Battle Monsters V2"', '"Battle Monsters V3"'), "utf-8")
    drawn = shipped.draw_scene(folder, 1).png()
    assert shipped.difference((_RULES / "bfm-v2" / COVER).read_bytes(), drawn) > _DRAWN_SMALL


def test_pictures_of_other_sizes_are_no_likeness() -> None:
    folder = _RULES / "bfm-v2"
    assert shipped.difference((folder / COVER).read_bytes(), (folder / LARGE_COVER).read_bytes()) == 1


@pytest.mark.slow
def test_the_shipped_covers_are_what_would_be_drawn_now(capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["--check"]) == 0, "`python -m lorebook.formats.cover` repairs it"
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_covers_that_are_missing_are_named_and_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(__main__, "SCENES", {"ygo-classic": shipped.SCENES["ygo-classic"]})
    (tmp_path / "ygo-classic").mkdir()
    shutil.copy(_RULES / "ygo-classic" / MANIFEST, tmp_path / "ygo-classic")
    assert __main__.main(["--check"], tmp_path) == 1
    assert capsys.readouterr().out == "stale: ygo-classic/cover.png\nstale: ygo-classic/cover-large.png\n"
    assert __main__.main([], tmp_path) == 0
    assert __main__.main(["--check"], tmp_path) == 0


def test_an_unknown_option_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["--what"]) == 2
    assert "usage" in capsys.readouterr().err
