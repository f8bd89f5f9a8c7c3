"""
One library that reads and writes cards, in a process of its own: jobs come in as lines of JSON, answers go out so.

    python formats_worker.py LIBRARY

A job has `source`, `target` and `seconds`, for which it is done again and again (0: once); its answer has `error` and
the `milliseconds` of each time, the processor's, which other programs disturb little. Each library is used as its own
command line uses it: PNG stays PNG with the picture that was there, JSON stays JSON. Nothing of lorebook's is imported
for the others.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

Act = Callable[[Path, Path], object]

_PNG = b"\x89PNG\r\n\x1a\n"


def lorebook() -> Act:
    """
    Return ours: what was read is written as it is.
    """
    from lorebook.workspace.files import open_file  # noqa: PLC0415

    return lambda source, target: target.write_bytes(open_file(source).write().data)


def lorebook_edit() -> Act:
    """
    Return ours with another text in the first entry.
    """
    from lorebook.workspace.files import open_file  # noqa: PLC0415
    from tests.benchmarks.bulk_child import changed  # noqa: PLC0415

    def act(source: Path, target: Path) -> None:
        document = open_file(source)
        target.write_bytes(document.write(changed(document)).data)

    return act


def tavern_card() -> Act:
    """
    Return tavern-card.
    """
    peer = import_module("tavern_card")

    def act(source: Path, target: Path) -> None:
        data = source.read_bytes()
        if data.startswith(_PNG):
            target.write_bytes(peer.write_png_card(peer.parse_png_card(data), data))
        else:
            card = peer.parse_card(data.decode())
            target.write_text(json.dumps(card, ensure_ascii=False, indent=2), encoding="utf-8")

    return act


def aichar() -> Act:
    """
    Return aichar, in its form for all applications.
    """
    peer = import_module("aichar")

    def act(source: Path, target: Path) -> None:
        if source.suffix == ".png":
            character = peer.load_character_card_file(str(source))
            character.image_path = str(source)
            character.export_neutral_card_file(str(target))
        elif source.suffix in (".yaml", ".yml"):
            peer.load_character_yaml_file(str(source)).export_neutral_yaml_file(str(target))
        else:
            peer.load_character_json_file(str(source)).export_neutral_json_file(str(target))

    return act


def card_forge() -> Act:
    """
    Return card-forge; it says what failed by printing it.
    """
    helper, models = import_module("forge.helper"), import_module("forge.models")

    def act(source: Path, target: Path) -> None:
        if source.suffix == ".png":
            card = helper.extract_card_data(source)
            if card is None:
                raise ValueError("no card was extracted")
            helper.embed_card_data(card.model_dump_json(indent=2), source, target, legacy=True)
            if not target.is_file():
                raise ValueError("no card was embedded")
            return
        card = _validated(source.read_text(encoding="utf-8"), helper, models)
        target.write_text(card.model_dump_json(indent=2), encoding="utf-8")

    return act


def _validated(text: str, helper: Any, models: Any) -> Any:
    """
    Return a V3 card or else a V2 card made one, as card-forge reads those in a PNG.
    """
    try:
        return models.CharacterCardV3.model_validate_json(text)
    except ValueError:
        return helper.upgrade_v2_to_v3(models.CharacterCardV2.model_validate_json(text))


LIBRARIES: Mapping[str, Callable[[], Act]] = {
    "lorebook": lorebook,
    "lorebook, edited": lorebook_edit,
    "tavern-card": tavern_card,
    "aichar": aichar,
    "card-forge": card_forge,
}


def answer(act: Act, job: Mapping[str, Any]) -> dict[str, Any]:
    """
    Do *job* and say how long each time took, or what went wrong.
    """
    source, target = Path(job["source"]), Path(job["target"])
    times: list[float] = []
    until = time.perf_counter() + job["seconds"]
    while not times or time.perf_counter() < until:
        target.unlink(missing_ok=True)
        began = time.process_time()
        try:
            act(source, target)
        except BaseException as error:  # noqa: BLE001 (a panic in Rust is no Exception)
            return {"error": f"{type(error).__name__}: {error}"[:300], "milliseconds": []}
        times.append((time.process_time() - began) * 1000)
    return {"error": None, "milliseconds": times}


def main(library: str) -> None:
    """
    Answer the jobs that come in.
    """
    # What the libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    act = LIBRARIES[library]()
    for line in sys.stdin:
        print(json.dumps(answer(act, json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
