"""
Lorebook and card files over HTTP: what the command line answers, and one clear sentence for what is wrong.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from lorebook.book import Book, Entry
from lorebook.formats import FORMATS, OWN_PICTURE, Card, Content, export, open_document
from lorebook.service import create_app
from lorebook.workspace import Workspace
from tests.conftest import Command
from tests.formats.files import PICTURE

BOOK = Book(name="Archive", entries=(Entry(uid=0, name="Gate", keys=("salt gate",), content="It opens."),))
WORLD = export(FORMATS["world-info"], Content(BOOK)).data
PNG_ALONE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """The service without a network, over the shipped rules."""
    with TestClient(create_app(Workspace.open())) as served:
        yield served


def test_inspect_answers_what_the_command_line_answers(client: TestClient, lorebook: Command, tmp_path: Path) -> None:
    path = tmp_path / "mira.png"
    path.write_bytes(export(FORMATS["png"], Content(BOOK, Card(name="Mira"), {OWN_PICTURE: PICTURE})).data)
    answered = client.post("/v1/inspect", params={"file": str(path)}, content=path.read_bytes()).json()
    assert answered == json.loads(lorebook("inspect", path, "--json").out)
    assert (answered["format"], answered["character"], answered["assets"]) == ("png", "Mira", 1)


def test_convert_answers_what_the_command_line_answers(client: TestClient, lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "world.json").write_bytes(WORLD)
    answered = client.post("/v1/convert", params={"to": "card-v3", "file": "world.json"}, content=WORLD).json()
    command = ("convert", tmp_path / "world.json", tmp_path / "out.json", "--to", "card-v3", "--json")
    told = json.loads(lorebook(*command).out)
    assert answered["view"] == told | {"source": "world.json", "path": "world.json"}
    assert base64.b64decode(answered["data"]) == (tmp_path / "out.json").read_bytes()


def test_a_conversion_and_back_is_the_file(client: TestClient) -> None:
    there = client.post("/v1/convert", params={"to": "charx"}, content=WORLD).json()
    back = client.post("/v1/convert", params={"to": "world-info"}, content=base64.b64decode(there["data"])).json()
    assert base64.b64decode(back["data"]) == WORLD
    assert (there["view"]["origin"], back["view"]["origin"]) == ("kept", "restored")
    without = client.post("/v1/convert", params={"to": "charx", "origin": "false"}, content=WORLD).json()
    assert without["view"]["origin"] == "left out"


def test_a_conversion_keeps_to_the_letter_when_asked(client: TestClient) -> None:
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Mira", "odd": 1}}
    for strict in (False, True):
        params = {"to": "card-v3", "strict_spec": str(strict).lower(), "origin": "false"}
        answered = client.post("/v1/convert", params=params, content=json.dumps(card).encode()).json()
        assert ("odd" in json.loads(base64.b64decode(answered["data"]))["data"]) is not strict
        assert [loss["field"] for loss in answered["view"]["losses"]] == (["card.fields.odd"] if strict else [])


def test_formats_answers_what_the_command_line_answers(client: TestClient, lorebook: Command) -> None:
    answered = client.get("/v1/formats").json()
    assert answered == json.loads(lorebook("formats", "--json").out)
    assert answered[0]["name"] == "world-info"
    assert len(answered) == len(FORMATS)


@pytest.mark.parametrize(
    ("request_", "body", "status", "says"),
    [
        ("inspect", b"", 422, "file: the file is empty"),
        ("inspect?file=a.json", b"Once upon a time", 422, "a.json: not JSON: line 1, column 1"),
        ("inspect", b'{"a": 1}', 422, "no lorebook and no card"),
        ("inspect?from=tarot", WORLD, 404, "no format 'tarot'"),
        ("inspect?from=png", WORLD, 422, "the file can be read as: SillyTavern World Info"),
        ("convert", WORLD, 422, "query.to"),
        ("convert?to=tarot", WORLD, 404, "no format 'tarot'"),
        ("convert?to=ooba", WORLD, 422, "is only read"),
        ("convert?to=card-v2", PNG_ALONE, 422, "the picture is cut off"),
        ("convert?to=world-info", b'{"spec": "chara_card_v2", "data": {"name": "M"}}', 422, "no lorebook in it"),
        ("convert?to=card-v2&origin=perhaps", WORLD, 422, "query.origin"),
    ],
)
def test_wrong_files_get_one_clear_sentence(
    client: TestClient, request_: str, body: bytes, status: int, says: str
) -> None:
    response = client.post(f"/v1/{request_}", content=body)
    assert response.status_code == status
    assert says in response.json()["detail"]
    assert "\n" not in response.json()["detail"]


def test_the_documented_file_is_one(client: TestClient) -> None:
    for path, params in (("/v1/inspect", {}), ("/v1/convert", {"to": "card-v3"})):
        operation = client.get("/openapi.json").json()["paths"][path]["post"]
        example = operation["requestBody"]["content"]["application/octet-stream"]["example"]
        assert open_document(example.encode(), file_name="x").form.name == "world-info"
        assert client.post(path, params=params, content=example.encode()).status_code == 200
        assert all(parameter["description"] for parameter in operation["parameters"])


def test_a_client_that_goes_away_while_it_sends_is_no_failure(client: TestClient) -> None:
    first: MutableMapping[str, Any] = {"type": "http.request", "body": b"{", "more_body": True}
    messages = iter([first, {"type": "http.disconnect"}])
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return next(messages)

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/v1/inspect", "query_string": b"", "headers": []}

    async def serve() -> None:
        await client.app(scope, receive, send)

    asyncio.run(serve())
    assert sent[0]["status"] == 400
