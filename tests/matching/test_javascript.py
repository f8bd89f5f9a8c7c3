"""
Values that a book may hold where others are meant: they are what a browser takes them for.
"""

from __future__ import annotations

import math

import pytest

from lorebook.book import Book, Entry
from lorebook.matching import javascript as js
from lorebook.matching.activation import State
from lorebook.matching.chat import Message
from lorebook.matching.engine import match
from lorebook.records import Role

HUGE = 10**400


@pytest.mark.parametrize(
    ("value", "number", "text"),
    [
        (HUGE, math.inf, "Infinity"),
        (-HUGE, -math.inf, "-Infinity"),
        (2**53 + 1, 2.0**53, "9007199254740992"),
        (10**20, 1e20, "100000000000000000000"),
        (10**21, 1e21, "1e+21"),
    ],
    ids=["too large", "too small", "between two", "long", "with an exponent"],
)
def test_an_integer_is_the_double_that_is_nearest(value: int, number: float, text: str) -> None:
    assert (js.number(value), js.text(value)) == (number, text)


def test_a_hexadecimal_number_may_be_as_long() -> None:
    assert js.number("0x" + "f" * 400) == math.inf


def test_digits_without_end_are_a_name_like_any_other() -> None:
    assert js.property_order(["9" * 5000, "a", "1"]) == ["1", "9" * 5000, "a"]


@pytest.mark.parametrize(
    "field", ["sticky", "cooldown", "delay", "group_weight", "scan_depth", "delay_until_recursion"]
)
def test_no_number_of_an_entry_stops_the_scan(field: str) -> None:
    odd = Entry(uid=0, keys=("dragon",), content="x", extensions={field: HUGE, "group": "a"})
    plain = Entry(uid=1, keys=("dragon",), content="y", extensions={"group": "a"})
    found = match([Message(role=Role.USER, content="dragon")], Book(name="test", entries=(odd, plain)))
    assert len(found.entries) == 1


def test_nor_does_one_of_the_state() -> None:
    state = State(timed={"sticky": {"book.0": {"hash": HUGE, "start": 1, "end": HUGE}}})
    book = Book(name="test", entries=(Entry(uid=0, keys=("dragon",), content="x"),))
    found = match([Message(role=Role.USER, content="dragon")], book, state=state)
    assert [item.uid for item in found.entries] == [0]


@pytest.mark.parametrize(
    ("name", "said"), [(5, "5"), ("left", "left"), (True, "true"), (0, None), ("", None)], ids=repr
)
def test_an_outlet_is_named_by_any_value_as_by_its_text(name: object, said: str | None) -> None:
    entry = Entry(uid=0, keys=("dragon",), content="x", extensions={"outlet_name": name})
    found = match([Message(role=Role.USER, content="dragon")], Book(name="test", entries=(entry,)))
    assert [item.outlet for item in found.entries] == [said]


@pytest.mark.parametrize("field", ["sticky", "cooldown"])
def test_an_effect_without_end_is_the_same_once_it_was_stored(field: str) -> None:
    entry = Entry(uid=0, keys=("dragon",), content="x", extensions={field: HUGE})
    state = match([Message(role=Role.USER, content="dragon")], Book(name="test", entries=(entry,))).state
    assert State.model_validate_json(state.model_dump_json()) == state
