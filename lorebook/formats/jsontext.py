"""
JSON as lorebooks need it: what a file says exactly or a clear error, and the same value always as the same bytes.

Python's reader alone would accept `NaN`, turn 1E400 into infinity and pass half of a surrogate pair on, none of
which could be written again as JSON in UTF-8.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from lorebook.errors import FormatError

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(data: bytes) -> Any:  # noqa: ANN401 (JSON is any value)
    """
    Return the JSON value in *data*, in UTF-8 or, as its first bytes tell, UTF-16 or UTF-32.

    Half a surrogate pair becomes U+FFFD, as in every JavaScript program that writes UTF-8 (WHATWG Encoding).
    Raises FormatError, naming line and column, for anything that is not JSON.
    """
    try:
        text = data.decode(json.detect_encoding(data)).rstrip("\0")
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
        return _mend(value) if "\\u" in text else value
    except UnicodeDecodeError as error:
        raise FormatError(f"not text: byte {error.start} is not {error.encoding}") from error
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise FormatError("not readable as JSON: nested too deeply") from error
    except ValueError as error:
        raise FormatError(f"not JSON: {error}") from error


def peek(data: bytes) -> dict[str, Any] | None:
    """
    Return the JSON object in *data*, or None where there is something else.
    """
    try:
        value = parse(data)
    except FormatError:
        return None
    return value if isinstance(value, dict) else None


def dump(value: object, *, indent: int | None = 2) -> bytes:
    """
    Return *value* as JSON in UTF-8 with a line end; keys stay in their order, None for *indent* is compact.

    Raises FormatError when a number is infinite or not a number, or the value is nested too deeply.
    """
    separators = (",", ":") if indent is None else (",", ": ")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    except ValueError as error:
        raise FormatError(f"JSON cannot hold it: {error}") from error
    except RecursionError as error:
        raise FormatError("JSON cannot hold it: nested too deeply") from error
    return _LONE_SURROGATE.sub("\ufffd", text).encode() + b"\n"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits} is out of range")
    return number


def _mend(value: object) -> object:
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mend(item) for item in value]
    if isinstance(value, dict):
        return {_mend(key): _mend(item) for key, item in value.items()}
    return value
