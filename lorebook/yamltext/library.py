"""
All of YAML, by PyYAML: the errors that say what is wrong where, and the canonical text that `emitter` equals.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import yaml

from lorebook.errors import DataError
from lorebook.yamltext.scalars import BLOCK_FROM, WIDTH

# YAML reads these as line breaks and would change them outside double quotes.
_ODD_BREAK = re.compile("[\r\x85\u2028\u2029]")


class _Loader(yaml.CSafeLoader):
    # ruff: noqa: FBT001, FBT002 (the signatures that follow are PyYAML's)
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                line = key_node.start_mark.line + 1
                raise yaml.MarkedYAMLError(problem=f"line {line}: the key {key!r} stands twice")
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


# A number such as 2024-02-30 is text here: records have no dates, and not every such text is one.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag != "tag:yaml.org,2002:timestamp"]
    for first, known in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        # Indent list items under their key, as people write them.
        super().increase_indent(flow, False)


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None
    if _ODD_BREAK.search(text):
        style = '"'
    elif "\n" in text or len(text) > BLOCK_FROM:
        style = "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_list(dumper: yaml.SafeDumper, items: list[object]) -> yaml.SequenceNode:
    longest = max((len(item) for item in items if isinstance(item, str)), default=0)
    short = longest < BLOCK_FROM and not any(isinstance(item, dict) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(list, _represent_list)


def read(text: str, *, where: str) -> object:
    """
    Return what the YAML document *text* says, as plain Python values.

    Raises DataError, naming *where* and the line, for anything that is not one YAML document of plain values.
    """
    try:
        return yaml.load(text, _Loader)  # noqa: S506 (a subclass of the safe loader)
    except yaml.YAMLError as error:
        raise DataError(f"not readable as YAML: {_explain(error)}", where=where) from error
    except RecursionError as error:
        raise DataError("not readable as YAML: nested too deeply", where=where) from error
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        # PyYAML's constructors let these through for a value that its tag or its place does not allow.
        raise DataError(f"not readable as YAML: a value is not what it should be: {error}", where=where) from error


def write(value: object) -> str:
    """
    Return *value* (plain Python values) as canonical YAML: equal values give equal text.
    """
    return yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDTH)


def _explain(error: yaml.YAMLError) -> str:
    problem = getattr(error, "problem", None) or str(error)
    mark = getattr(error, "problem_mark", None)
    return f"line {mark.line + 1}: {problem}" if mark else str(problem)
