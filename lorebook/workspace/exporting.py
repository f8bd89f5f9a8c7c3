"""
The folder `exports/`: every ruleset in every language and in the formats that somebody wants ready-made, and a manifest
that says what was made from what.

Files are byte-stable: the same rules give the same bytes, so `--check` compares what lies there with what
would be written now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from lorebook import atomic
from lorebook.book import ExportLanguage, from_ruleset
from lorebook.errors import UnknownNameError
from lorebook.formats import LISTED, OWN_PICTURE, Content, Export, card_for, cover_for, export, find_format
from lorebook.progress import Progress
from lorebook.ruleset import Ruleset
from lorebook.workspace import location
from lorebook.workspace.fileviews import ExportView, LossView, StaleFile

MANIFEST = "manifest.json"


def export_language(wanted: str) -> ExportLanguage:
    """
    Return *wanted* as a language of exports.

    Raises UnknownNameError for anything but en, zh and both.
    """
    try:
        return ExportLanguage(wanted)
    except ValueError as error:
        raise UnknownNameError.among("language", wanted, ExportLanguage) from error


def told_in(ruleset: Ruleset, language: ExportLanguage) -> ExportLanguage:
    """
    Return the language that an export of *ruleset* in *language* is in: in both of one there is only that one.
    """
    worded = {code for rule in ruleset.rules for code in rule.wordings}
    only = next((code for code in ExportLanguage if worded == {code.value}), None)
    return only if only and language is ExportLanguage.BOTH else language


def export_ruleset(ruleset: Ruleset, format_name: str, language: ExportLanguage) -> Export:
    """
    Return *ruleset* as a file of the format *format_name*.

    Raises UnknownNameError for an unknown format and InputError for a language that the rules are not written in.
    """
    form = find_format(format_name, to_write=True)
    language = told_in(ruleset, language)
    book = from_ruleset(ruleset, language)
    if not form.is_card:
        return export(form, Content(book))
    files = {OWN_PICTURE: cover_for(ruleset)} if form.shows_picture or form.pack else {}
    return export(form, Content(book, card_for(ruleset, language), files))


def file_name(ruleset: str, format_name: str, language: ExportLanguage) -> str:
    """
    Return the name of the file for *ruleset* in *format_name* and *language*.
    """
    suffix = LISTED[format_name].suffix
    kind = "" if suffix == f".{format_name}" else f".{format_name}"
    return f"{ruleset}.{language}{kind}{suffix}"


def view(path: str, ruleset: str, format_name: str, language: ExportLanguage, export: Export) -> ExportView:
    """
    Return what there is to say of *export*, written to *path*.
    """
    return ExportView(
        path=path,
        ruleset=ruleset,
        format=format_name,
        language=language.value,
        sha256=hashlib.sha256(export.data).hexdigest(),
        size=len(export.data),
        losses=tuple(LossView(**asdict(loss)) for loss in export.losses),
    )


def write_all(folder: Path, rulesets: Iterable[Ruleset], *, progress: Progress | None = None) -> list[ExportView]:
    """
    Write every export into *folder* and take away files of its manifest that are no longer made.

    Raises StorageError when the disk refuses.
    """
    rulesets = list(rulesets)
    total, views = _count(rulesets), list[ExportView]()
    old = _listed(folder)
    for done, (made, data) in enumerate(_made(rulesets), 1):
        atomic.write_file(folder / made.path, data)
        views.append(made)
        if progress:
            progress(done, total)
    _take_away(folder / gone for gone in old - {made.path for made in views})
    atomic.write_file(folder / MANIFEST, _dump_manifest(rulesets, views))
    return views


def _take_away(files: Iterable[Path]) -> None:
    for path in files:
        if not location.is_file(path):
            continue
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise atomic.refusal(path, error) from error


def stale_files(folder: Path, rulesets: Iterable[Ruleset]) -> list[StaleFile]:
    """
    Return the files of *folder* that differ from what would be written now.
    """
    rulesets = list(rulesets)
    views, stale = list[ExportView](), list[StaleFile]()
    for made, data in _made(rulesets):
        views.append(made)
        stale.extend(_difference(folder, made.path, data))
    stale.extend(_difference(folder, MANIFEST, _dump_manifest(rulesets, views)))
    expected = {made.path for made in views} | {MANIFEST}
    # What is hidden is not ours: a desktop's file, or one that is just being written.
    present = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }
    stale.extend(StaleFile(path=path, why="is not made any more") for path in sorted(present - expected))
    return stale


def _difference(folder: Path, path: str, data: bytes) -> Iterator[StaleFile]:
    if not (folder / path).is_file():
        yield StaleFile(path=path, why="is missing")
    elif (folder / path).read_bytes() != data:
        yield StaleFile(path=path, why="differs")


def _languages(ruleset: Ruleset) -> list[ExportLanguage]:
    """
    Return the languages in which all of *ruleset* can be exported; `both` where it has more than one.
    """
    spoken = [
        language
        for language in (ExportLanguage.EN, ExportLanguage.ZH)
        if all(language.value in rule.wordings for rule in ruleset.rules)
    ]
    return [*spoken, ExportLanguage.BOTH] if len(spoken) != 1 else spoken


def _exported() -> list[str]:
    return [name for name, form in LISTED.items() if form.ready_made]


def _count(rulesets: list[Ruleset]) -> int:
    return sum(len(_languages(ruleset)) * len(_exported()) for ruleset in rulesets)


def _made(rulesets: list[Ruleset]) -> Iterator[tuple[ExportView, bytes]]:
    for ruleset in rulesets:
        for format_name in _exported():
            for language in _languages(ruleset):
                export = export_ruleset(ruleset, format_name, language)
                path = f"{ruleset.name}/{file_name(ruleset.name, format_name, language)}"
                yield view(path, ruleset.name, format_name, language, export), export.data


def _dump_manifest(rulesets: list[Ruleset], views: list[ExportView]) -> bytes:
    plain = {
        "rulesets": {ruleset.name: ruleset.digest for ruleset in rulesets},
        "files": [made.model_dump(mode="json", exclude={"losses"}) for made in views],
    }
    return (json.dumps(plain, ensure_ascii=False, indent=1) + "\n").encode()


def _listed(folder: Path) -> set[str]:
    """
    Return the files that the manifest in *folder* lists; none where there is no readable manifest.
    """
    try:
        plain = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return set()
    files = plain.get("files") if isinstance(plain, dict) else None
    listed = files if isinstance(files, list) else []
    return {item["path"] for item in listed if isinstance(item, dict) and _is_inside(item.get("path"))}


def _is_inside(path: object) -> bool:
    return isinstance(path, str) and not Path(path).is_absolute() and ".." not in Path(path).parts
