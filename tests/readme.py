"""
The console blocks of both READMEs hold real output: this runs their commands and writes what they print.
The table of formats is made from the registry, between the markers `<!-- formats -->`.

    python -m tests.readme          rewrite the blocks
    python -m tests.readme --check  only say which are stale; exit 1 if any is
    python -m tests.readme --section "Licence"  only that section of the README that has it
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.readme_formats import refreshed_tables

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
READMES = (README, ROOT / "README.zh.md")
_BLOCK = re.compile(r"```console\n(?P<body>.*?)```", re.DOTALL)
# A command that would not end, or that would install something, is shown but not run.
_HOME = "/home/you"
_NOT_RUN = ("make ", "lorebook serve", "pip ", "git ")


def refreshed(text: str, section: str | None = None) -> str:
    """Return the README, or only its *section*, with the table and the output of every command as they are now."""
    if section is not None:
        start = text.index(f"## {section}\n")
        end = text.find("\n## ", start) % (len(text) + 1)
        return text[:start] + refreshed(text[start:end]) + text[end:]
    text = refreshed_tables(text)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "tests" / "demo", folder, dirs_exist_ok=True)
        return _BLOCK.sub(lambda block: f"```console\n{_refreshed_block(block['body'], Path(folder))}```", text)


def _refreshed_block(body: str, folder: Path) -> str:
    commands = re.findall(r"^\$ (.+)$", body, re.MULTILINE)
    if any(command.startswith(_NOT_RUN) for command in commands):
        return body
    return "\n".join(f"$ {command}\n{_output(command, folder)}" for command in commands)


def _output(command: str, folder: Path) -> str:
    bin_folder = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "LOREBOOK_WORKSPACE": str(ROOT),
        "NO_COLOR": "1",
        "COLUMNS": "80",
    }
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    if done.returncode:
        raise SystemExit(f"`{command}` failed: {done.stderr}")
    told = done.stdout.replace(str(folder.resolve()), _HOME)
    return "".join(line.rstrip() + "\n" for line in told.rstrip().splitlines())


def main() -> int:
    """Rewrite the READMEs, or with --check compare them."""
    section = sys.argv[sys.argv.index("--section") + 1] if "--section" in sys.argv else None
    stale = 0
    for path in READMES:
        old = path.read_text("utf-8")
        if section is not None and f"## {section}\n" not in old:
            continue
        new = refreshed(old, section)
        if "--check" not in sys.argv:
            path.write_text(new, "utf-8")
        elif new != old:
            stale += 1
            print(f"{path.name} is stale. Run `python -m tests.readme`.")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
