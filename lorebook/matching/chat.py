"""
A chat, as frontends send and save it.

Read are a JSON list of messages in the form of chat completion APIs (bare or under `messages`) and the
JSONL that SillyTavern saves, whose first line is a header and whose system lines are hidden from the model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field, ValidationError

from lorebook.errors import InputError
from lorebook.records import Frozen, Role, faults

MAX_CHAT_BYTES = 64 * 1024 * 1024
_ADVICE = "a chat is a JSON list of {role, content} or SillyTavern's JSONL"


class Message(Frozen):
    """
    One message of a chat.
    """

    role: Role
    content: str
    name: str | None = Field(default=None, description="Who speaks, where the frontend says so.")


def read_chat(data: bytes, *, where: str) -> tuple[Message, ...]:
    """
    Return the messages of the chat *data*, oldest first.

    Raises InputError, naming *where* and the message, for anything that is not a chat.
    """
    if len(data) > MAX_CHAT_BYTES:
        raise InputError(f"larger than {MAX_CHAT_BYTES // 1024**2} MiB", where=where, hint="cut off old messages")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text (byte {error.start})", where=where, hint=_ADVICE) from error
    if not text.strip():
        raise InputError("is empty", where=where, hint=_ADVICE)
    return parse_messages(_parse(text, where), where=where)


def parse_messages(raw: Iterable[object], *, where: str) -> tuple[Message, ...]:
    """
    Return *raw* messages (plain mappings) as Message objects; hidden SillyTavern lines are left out.

    Raises InputError, naming *where*, the message's number and the field that is wrong.
    """
    found: list[Message] = []
    for number, item in enumerate(raw, 1):
        plain = _from_sillytavern(item) if isinstance(item, dict) and "mes" in item else item
        if plain is None:
            continue
        try:
            found.append(Message.model_validate(_known_fields(plain)))
        except ValidationError as error:
            fault = faults(error, whole="message")[0]
            raise InputError(f"message {number}, {fault}", where=where, hint=_ADVICE) from error
    return tuple(found)


def _parse(text: str, where: str) -> list[object]:
    try:
        value = json.loads(text)
    except ValueError:
        return _parse_lines(text, where)
    except RecursionError as error:
        raise InputError("nested too deeply", where=where, hint=_ADVICE) from error
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        return list(value["messages"])
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and _is_header(value):
        return []
    raise InputError("is JSON, but not a chat", where=where, hint=_ADVICE)


def _parse_lines(text: str, where: str) -> list[object]:
    found: list[object] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"line {number} is not JSON", where=where, hint=_ADVICE) from error
        if not (number == 1 and isinstance(value, dict) and _is_header(value)):
            found.append(value)
    return found


def _is_header(value: Mapping[str, Any]) -> bool:
    return "mes" not in value and ("user_name" in value or "chat_metadata" in value)


def _from_sillytavern(item: Mapping[str, Any]) -> dict[str, object] | None:
    if item.get("is_system"):
        return None
    role = Role.USER if item.get("is_user") else Role.ASSISTANT
    return {"role": role, "content": item["mes"], "name": item.get("name")}


def _known_fields(plain: object) -> object:
    """
    Drop what APIs put beside a message (ids, tool calls) and join a content given in parts.
    """
    if not isinstance(plain, dict):
        return plain
    known = {field: plain[field] for field in Message.model_fields if field in plain}
    content = known.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        known["content"] = "\n".join(part for part in parts if isinstance(part, str))
    elif content is None and "content" in known:
        known["content"] = ""
    return known
