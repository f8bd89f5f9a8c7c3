"""
The rulesets of a workspace: where they are, and reading them.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from lorebook import atomic
from lorebook.errors import UnknownNameError
from lorebook.records import Rule, is_rule_id
from lorebook.ruleset import MANIFEST, Ruleset, read_manifest, read_rule
from lorebook.workspace import location
from lorebook.workspace.disagreements import FILE as DISAGREEMENTS
from lorebook.workspace.disagreements import Disagreements


class Library:
    """
    A folder whose `rules/` holds rulesets.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def rules_folder(self) -> Path:
        """
        The folder of the rulesets.
        """
        return self.root / location.RULES

    @property
    def folders(self) -> dict[str, Path]:
        """
        The folders of the rulesets by name, as they are now; a replacement that a crash cut short is undone first.
        """
        for name in atomic.retired_names(self.rules_folder):
            atomic.recover_folder(self.rules_folder / name)
        found = sorted(path.parent for path in self.rules_folder.glob(f"[!.]*/{MANIFEST}"))
        return {folder.name: folder for folder in found}

    @property
    def strays(self) -> list[str]:
        """
        The folders in `rules/` that hold records but are no rulesets, for want of a `ruleset.toml`.
        """
        held = {path.parent.name for path in self.rules_folder.glob("[!.]*/[!.]*.yaml")}
        return sorted(held - set(self.folders))

    @cached_property
    def rulesets(self) -> dict[str, Ruleset]:
        """
        The rulesets by name, read when first asked for.

        Raises RulesetError or RecordError for a folder that breaks the schema.
        """
        return {name: Ruleset.load(folder) for name, folder in self.folders.items()}

    def folder(self, name: str) -> Path:
        """
        Return the folder of the ruleset *name*.

        Raises UnknownNameError when there is none.
        """
        folders = self.folders
        if name not in folders:
            raise UnknownNameError.among("ruleset", name, folders, where=location.named(self.root))
        return folders[name]

    def ruleset(self, name: str) -> Ruleset:
        """
        Return the ruleset *name*.

        Raises UnknownNameError when there is none.
        """
        folder = self.folder(name)
        return self.__dict__.get("rulesets", {}).get(name) or Ruleset.load(folder)

    def rule(self, rule_id: str) -> Rule:
        """
        Return the rule *rule_id*, `ruleset/slug`, reading no other.

        Raises UnknownNameError when there is none.
        """
        name, _, slug = rule_id.partition("/")
        folder = self.folder(name)
        path = folder / f"{slug}.yaml"
        if not is_rule_id(rule_id) or not location.is_file(path):
            known = (f"{name}/{each.stem}" for each in sorted(folder.glob("[!.]*.yaml")))
            listed = f"`lorebook rules {name}{location.option_if_needed(self.root)}` lists them"
            raise UnknownNameError.among("rule", rule_id, known, hint=listed)
        return read_rule(path)

    @property
    def disagreements(self) -> Disagreements:
        """
        Which paragraphs of linked rules disagree, as far as it is written down.
        """
        return Disagreements.load(self.rules_folder / DISAGREEMENTS)

    def languages(self) -> set[str]:
        """
        Return the languages of all rulesets.
        """
        return {code for folder in self.folders.values() for code in read_manifest(folder).languages}
