"""
What is wrong with a field, in words that need no knowledge of the library that checks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_WORDS = {
    "extra_forbidden": "there is no such field",
    "missing": "is missing",
    "string_type": "is no text",
    "string_too_short": "is empty",
    "too_short": "has less than {min_length}",
    "too_long": "has more than {max_length}",
    "string_too_long": "is longer than {max_length} characters",
    "int_type": "is no whole number",
    "int_parsing": "is no whole number",
    "int_from_float": "is no whole number",
    "float_type": "is no number",
    "float_parsing": "is no number",
    "bool_type": "is neither true nor false",
    "bool_parsing": "is neither true nor false",
    "list_type": "is no list",
    "tuple_type": "is no list",
    "dict_type": "is no mapping of names to values",
    "model_type": "is no mapping of names to values",
    "model_attributes_type": "is no mapping of names to values",
    "enum": "is none of {expected}",
    "literal_error": "is none of {expected}",
    "greater_than_equal": "is less than {ge:g}",
    "greater_than": "is not more than {gt:g}",
    "less_than_equal": "is more than {le:g}",
    "less_than": "is not less than {lt:g}",
    "value_error": "{error}",
    "json_invalid": "is no JSON: {error}",
}
# Of the texts whose white space is checked.
_TRIMMED = r"^\S"


def in_words(fault: ErrorDetails | Mapping[str, Any]) -> str:
    """
    Return what *fault*, one of pydantic's, says of its field; in its own words where there are no better ones.
    """
    context = fault.get("ctx") or {}
    if fault["type"] == "string_pattern_mismatch" and context.get("pattern", "").startswith(_TRIMMED):
        return "begins or ends with white space, or has more lines than one"
    if fault["type"] == "too_short" and context.get("min_length") == 1:
        return "is empty"
    words = _WORDS.get(fault["type"])
    return words.format_map(context) if words else str(fault["msg"])


def nearest(fault: ErrorDetails, model: type[BaseModel] | None) -> str:
    """
    Return the question whether a field of *model* is meant by the unknown one of *fault*; empty for another fault.
    """
    if fault["type"] != "extra_forbidden" or model is None:
        return ""
    from difflib import get_close_matches  # noqa: PLC0415 (only for the mistaken)

    near = get_close_matches(str(fault["loc"][-1]), _fields_at(model, fault["loc"][:-1]), n=1)
    return f", did you mean {near[0]}?" if near else ""


def _fields_at(model: type[BaseModel], place: Sequence[int | str]) -> list[str]:
    """Return the fields of what *model* has at *place*; indices and the keys of mappings lead no deeper."""
    for part in place:
        if field := model.model_fields.get(str(part)):
            model = next(_models_in(field.annotation), model)
    return list(model.model_fields)


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)
