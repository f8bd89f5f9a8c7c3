"""
Macros in keys, contents and injections: `{{user}}`, `{{char}}` and whatever else the caller knows.

Only names that the caller gives are replaced; text that looks like another macro stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorebook.matching.javascript import text, truthy

_OLD_NAMES = {"<user>": "{{user}}", "<bot>": "{{char}}", "<char>": "{{char}}"}
_OLD = re.compile("|".join(_OLD_NAMES), re.IGNORECASE | re.ASCII)
_MACRO = re.compile(r"\{\{[ \t]*(?P<name>[A-Za-z][A-Za-z0-9_]*)[ \t]*\}\}")
_ESCAPED = re.compile(r"\\([{}])")
_SIGNS = re.compile(r"\{\{|\\[{}]|<(?:user|bot|char)>", re.IGNORECASE | re.ASCII)


class Macros:
    """
    The macros of one scan, their names in any case.
    """

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = {name.lower(): value for name, value in (values or {}).items()}

    def substitute(self, value: object) -> str:
        """
        Return *value* as text with its macros replaced, in one pass; what counts as false gives no text.
        """
        plain = text(value) if truthy(value) else ""
        if not has_macro(plain):
            return plain
        plain = _OLD.sub(lambda found: _OLD_NAMES[found.group().lower()], plain)
        plain = _MACRO.sub(lambda found: self._values.get(found["name"].lower(), found.group()), plain)
        return _ESCAPED.sub(r"\1", plain)


def has_macro(plain: str) -> bool:
    """
    Tell whether substitution could change *plain*.
    """
    return bool(_SIGNS.search(plain))
