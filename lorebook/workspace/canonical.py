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


def rewrite(rules: Path, ruleset: Ruleset) -> None:
    """
    Write *ruleset* file by file in canonical form below the folder *rules*.

    Raises StorageError when the disk refuses.
    """
    folder = rules / ruleset.name
    atomic.write_file(folder / MANIFEST, dump_manifest(ruleset.manifest))
    for rule in ruleset.rules:
        atomic.write_file(folder / f"{rule.slug}.yaml", dump_rule(rule))


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
