"""Chats as frontends send and save them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lorebook.errors import InputError
from lorebook.matching.chat import Message, read_chat
from lorebook.records import Role

HEADER = {"user_name": "Ann", "character_name": "Judge", "chat_metadata": {}}


def lines(*items: object) -> bytes:
    return "\n".join(json.dumps(item, ensure_ascii=False) for item in items).encode()


def test_a_list_of_messages() -> None:
    data = lines(
        [{"role": "user", "content": "你好", "id": 7}, {"role": "assistant", "content": "Hi", "name": "Judge"}]
    )
    assert read_chat(data, where="chat") == (
        Message(role=Role.USER, content="你好"),
        Message(role=Role.ASSISTANT, content="Hi", name="Judge"),
    )


def test_messages_of_an_api_request() -> None:
    parts = [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "x"}}]
    data = lines(
        {"model": "m", "messages": [{"role": "user", "content": parts}, {"role": "assistant", "content": None}]}
    )
    assert [message.content for message in read_chat(data, where="chat")] == ["look", ""]


def test_sillytavern_lines_without_header_and_hidden_ones() -> None:
    data = lines(
        HEADER,
        {"name": "Ann", "is_user": True, "mes": "I Set a monster"},
        {"name": "System", "is_user": False, "is_system": True, "mes": "hidden"},
        {"name": "Judge", "is_user": False, "mes": "Fine."},
    )
    assert [(m.role, m.name, m.content) for m in read_chat(b"\xef\xbb\xbf" + data + b"\n", where="chat")] == [
        (Role.USER, "Ann", "I Set a monster"),
        (Role.ASSISTANT, "Judge", "Fine."),
    ]


def test_a_chat_that_has_only_its_header_is_empty() -> None:
    assert read_chat(lines(HEADER), where="chat") == ()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "chat: is empty"),
        (b"\xff\xfe\x00", "chat: not UTF-8 text (byte 0)"),
        (b"42", "chat: is JSON, but not a chat"),
        (b'{"a": 1}', "chat: is JSON, but not a chat"),
        (b"hello", "chat: line 1 is not JSON"),
        (b'[{"role": "user"}]', "chat: message 1, content: is missing"),
        (b'[{"role": "wizard", "content": ""}]', "chat: message 1, role"),
        (b"[3]", "chat: message 1, message"),
        (b"[" * 100_000, "chat: nested too deeply"),
    ],
)
def test_anything_else_is_one_clear_line(data: bytes, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_chat(data, where="chat")
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


@given(st.binary() | st.text().map(str.encode))
def test_arbitrary_bytes_are_a_chat_or_an_input_error(data: bytes) -> None:
    try:
        read_chat(data, where="chat")
    except InputError as error:
        assert str(error).startswith("chat: ")
