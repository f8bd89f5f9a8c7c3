"""
The canonical text of what lies in `rules/`: records, manifests, and the schema that describes a record.
"""

from __future__ import annotations

import json
from pathlib import Path

from lorebook import atomic
from lorebook.records import Rule
from lorebook.ruleset import MANIFEST, Ruleset, dump_manifest, dump_rule

SCHEMA = "rule.schema.json"


def rewrite(rules: Path, ruleset: Ruleset) -> list[str]:
    """
    Write *ruleset* file by file in canonical form below the folder *rules*; return the files that were not in it.

    Raises StorageError when the disk refuses.
    """
    texts = {f"{ruleset.name}/{rule.slug}.yaml": dump_rule(rule) for rule in ruleset.rules}
    texts[f"{ruleset.name}/{MANIFEST}"] = dump_manifest(ruleset.manifest)
    changed = [name for name, text in texts.items() if (rules / name).read_bytes() != text]
    for name in changed:
        atomic.write_file(rules / name, texts[name])
    return changed


def write_schema(rules: Path, *, check: bool) -> bool:
    """
    Write the JSON Schema of a record into *rules*; with *check* only tell whether it is current.
    """
    text = json.dumps(Rule.model_json_schema(), ensure_ascii=False, indent=2) + "\n"
    path = rules / SCHEMA
    if check:
        return path.is_file() and path.read_bytes() == text.encode()
    atomic.write_file(path, text.encode())
    return True
