"""
From the bytes of a part to its JSON: what is base64 is found at once, however long what is none goes on.
"""

from __future__ import annotations

import base64
import json

import pytest

from lorebook.errors import FormatError
from lorebook.formats import open_document
from lorebook.formats.notes import Notes
from lorebook.formats.payload import unpack
from tests.formats.files import PICTURE

_LONG = 5_000_000


@pytest.mark.parametrize(
    "data",
    [
        b"x" + b" " * _LONG + b"!",
        b"x" * _LONG + b"\n!",
        b"x" + b"=" * _LONG + b"!",
        b"x=" + b" " * _LONG + b"!",
        b" " * _LONG + b"-: !",
        b"x:" + b" " * _LONG,
        b" " * _LONG + PICTURE,
        b" " * _LONG + b"o\0\1\0\0\0",
        b"RIFF" + b" " * _LONG,
        b"PK\5\6" + b" " * _LONG,
        b'{"a": "' + b" " * _LONG,
        b'{"a"' + b" " * _LONG + b"!",
        b'{"a": 1' + b" " * _LONG + b"!",
        b"[" + b" " * _LONG,
    ],
    ids=[
        *("spaces", "letters", "equal signs", "behind an equal sign", "before a name", "behind a name"),
        *("before a picture", "before a module", "RIFF", "the end of an archive"),
        *("an open text", "behind a key", "behind a number", "an open list"),
    ],
)
def test_a_long_run_of_one_sign_is_refused_at_once(data: bytes) -> None:
    with pytest.raises(FormatError):
        open_document(data, file_name="x.json")


@pytest.mark.parametrize("ending", ["", "=", "\n", " \n=\n", "==  "])
@pytest.mark.parametrize("width", [4, 76])
def test_base64_in_lines_is_read_with_any_ending(ending: str, width: int) -> None:
    whole = base64.b64encode(json.dumps({"name": "Mira"}).encode()).decode().rstrip("=")
    lines = "\n".join(whole[place : place + width] for place in range(0, len(whole), width))
    read = unpack(f"{lines}{ending}".encode(), Notes(), "chara", base64_=True)
    assert (read.json.value, read.packed) == ({"name": "Mira"}, True)
