"""
Draws the covers of the rulesets that we ship, in the folder `rules/` of the repository.

    python -m lorebook.formats.cover          draw them anew
    python -m lorebook.formats.cover --check  only say which are stale; exit 1 if any is
"""

from __future__ import annotations

import sys
from pathlib import Path

from lorebook.formats.cover.shipped import SCENES, stale_covers, write_covers

_RULES = Path(__file__).parents[3] / "rules"


def main(arguments: list[str], rules: Path = _RULES) -> int:
    """
    Draw or check the covers in the folder *rules*; return the exit code.
    """
    folders = [rules / name for name in SCENES]
    if arguments == ["--check"]:
        stale = [f"{folder.name}/{name}" for folder in folders for name in stale_covers(folder)]
        sys.stdout.writelines(f"stale: {path}\n" for path in stale)
        return int(bool(stale))
    if arguments:
        sys.stderr.write("usage: python -m lorebook.formats.cover [--check]\n")
        return 2
    for folder in folders:
        write_covers(folder)
        sys.stdout.write(f"{folder.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
