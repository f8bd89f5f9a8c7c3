"""A real server, asked over a real socket."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import Command

CHAT = [{"role": "user", "content": "I Tribute Summon my level 7 monster.", "name": "Kai"}]


@pytest.fixture(scope="module")
def server() -> Iterator[httpx.Client]:
    """The service over the shipped rules, on a free port."""
    command = [sys.executable, "-c", "from lorebook.cli import main; main()", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = re.search(r"on (http://127\.0\.0\.1:\d+)", process.stdout.readline())
        assert address
        with httpx.Client(base_url=address[1], timeout=60) as client:
            for _ in range(100):
                try:
                    client.get("/healthz")
                    break
                except httpx.ConnectError:
                    continue
            yield client
        process.terminate()


def test_health(server: httpx.Client) -> None:
    health = server.get("/healthz").json()
    assert health["status"] == "ok"
    assert health["rulesets"] == 4


def test_ask_answers_what_the_command_line_answers(server: httpx.Client, lorebook: Command) -> None:
    answered = server.post("/v1/ask", json={"question": "手牌上限", "limit": 4}).json()
    assert answered == json.loads(lorebook("ask", "手牌上限", "--limit", "4", "--json").out)
    assert len(answered["hits"]) == 4


def test_a_preferred_ruleset_rules_as_on_the_command_line(server: httpx.Client, lorebook: Command) -> None:
    answered = server.post("/v1/ask", json={"question": "手牌上限", "prefer": "mutegannu-ekrats"}).json()
    assert answered == json.loads(lorebook("ask", "手牌上限", "--prefer", "mutegannu-ekrats", "--json").out)
    assert answered["hits"][0]["rule"]["id"] == "mutegannu-ekrats/hand-limit"
    rulings = {conflict["ruling"] for conflict in answered["hits"][0]["conflicts"]}
    assert rulings == {"mutegannu-ekrats/hand-limit"}


def test_compare_answers_what_the_command_line_answers(server: httpx.Client, lorebook: Command) -> None:
    body = {"one": "ygo-classic", "other": "mutegannu-ekrats", "topic": "hand limit", "limit": 2}
    answered = server.post("/v1/compare", json=body).json()
    words = ("compare", "ygo-classic", "mutegannu-ekrats", "--topic", "hand limit", "--limit", "2", "--json")
    assert answered == json.loads(lorebook(*words).out)
    assert answered["pairs"][0]["label"] == "conflict (linked); numbers differ: 6 / 7"


def test_match_answers_what_the_command_line_answers(server: httpx.Client, lorebook: Command, tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text(json.dumps(CHAT))
    answered = server.post("/v1/match", json={"messages": CHAT, "book": "bfm-v2", "token_budget": 900}).json()
    command = ("match", "--book", "bfm-v2", "--budget", "900", "--chat", tmp_path / "chat.json", "--json")
    assert answered == json.loads(lorebook(*command).out)
    assert all(entry["reasons"] for entry in answered["activation"]["entries"])


def test_match_takes_an_inline_book(server: httpx.Client) -> None:
    entry = {"keys": ["level 7"], "content": "Big.", "position": "before_char", "insertion_order": 1}
    entries = [{**entry, "extensions": {}, "enabled": True}]
    answered = server.post("/v1/match", json={"messages": CHAT, "book": {"entries": entries}}).json()
    assert answered["prompt"]["positions"] == {"before_char": "Big."}


def test_match_is_told_who_the_character_is(server: httpx.Client) -> None:
    entry = {"uid": 0, "key": ["level 7"], "content": "Big.", "characterFilter": {"names": ["Mira"], "tags": ["sea"]}}
    body = {"messages": CHAT, "book": {"entries": {"0": entry}}, "vector_limit": 0}
    kept_out = server.post("/v1/match", json=body).json()["activation"]["held_back"][0]["obstacle"]
    assert (kept_out["by"], kept_out["listed"], kept_out["found"]) == ("character", ["Mira"], [])
    answered = server.post("/v1/match", json={**body, "character": "Mira", "tags": ["sea"]}).json()
    assert answered["prompt"]["positions"] == {"before_char": "Big."}


def test_rules_and_rulesets(server: httpx.Client) -> None:
    names = [ruleset["name"] for ruleset in server.get("/v1/rulesets").json()]
    assert names == ["bfm-v2", "mutegannu-ekrats", "ocg-zh", "ygo-classic"]
    rule = server.get("/v1/rules/bfm-v2/life-points").json()
    assert rule["settings"]["constant"] is True


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("/v1/ask", {"question": ""}, 422, "body.question"),
        ("/v1/ask", {"question": "x", "rulesets": ["chess"]}, 404, "no ruleset 'chess'"),
        ("/v1/ask", {"question": "x", "colour": "red"}, 422, "body.colour"),
        ("/v1/ask", {"question": "x", "prefer": "chess"}, 404, "no ruleset 'chess'"),
        ("/v1/compare", {"one": "bfm-v2", "other": "chess"}, 404, "no ruleset 'chess'"),
        ("/v1/compare", {"one": "bfm-v2", "other": "bfm-v2"}, 422, "compared with itself"),
        ("/v1/compare", {"one": "bfm-v2", "other": "ocg-zh", "topic": ""}, 422, "body.topic"),
        ("/v1/match", {"messages": CHAT, "book": "chess"}, 404, "no ruleset 'chess'"),
        ("/v1/match", {"messages": CHAT, "book": {"a": 1}}, 422, "no lorebook"),
        ("/v1/match", {"messages": [{"role": "user"}], "book": "bfm-v2"}, 422, "message 1, content"),
        ("/v1/match", {"messages": CHAT, "book": "bfm-v2", "language": "fr"}, 404, "no language 'fr'"),
        ("/v1/match", {"messages": CHAT, "book": "bfm-v2", "vector_floor": 2}, 422, "body.vector_floor"),
        ("/v1/match", {"messages": "hi", "book": "bfm-v2"}, 422, "body.messages: is no list"),
        ("/v1/ask", {"question": "hand", "limits": 3}, 422, "body.limits: there is no such field"),
        ("/v1/ask", {}, 422, "body.question: is missing"),
    ],
)
def test_wrong_requests_get_one_clear_sentence(
    server: httpx.Client, path: str, body: object, status: int, says: str
) -> None:
    response = server.post(path, json=body)
    assert response.status_code == status
    assert says in response.json()["detail"]


def test_a_body_that_is_no_json_is_said_to_be_none(server: httpx.Client) -> None:
    response = server.post("/v1/ask", content=b"{x", headers={"content-type": "application/json"})
    assert response.status_code == 422
    assert response.json()["detail"].startswith("the body is no JSON: ")
    assert response.json()["detail"].endswith(" (character 1)")


@pytest.mark.parametrize("headers", [{}, {"content-type": "text/plain"}], ids=["unsaid", "text"])
def test_a_body_that_is_not_said_to_be_json_is_told_the_header(server: httpx.Client, headers: dict[str, str]) -> None:
    response = server.post("/v1/ask", content=b'{"question": "hand limit"}', headers=headers)
    assert response.status_code == 422
    assert "`content-type: application/json`" in response.json()["detail"]


def test_unknown_rules_are_not_found(server: httpx.Client) -> None:
    assert server.get("/v1/rules/bfm-v2/castling").status_code == 404
    assert server.get("/v1/rules/..%2f..%2fetc/passwd").status_code == 404


@pytest.mark.parametrize(
    ("asked", "status", "error", "says"),
    [
        ("GET /", 404, "NotFound", "there is no GET /; /docs lists what is served"),
        ("GET /v1/ask", 405, "MethodNotAllowed", "GET /v1/ask is not taken, but POST; /docs shows how"),
        ("POST /v1/rulesets", 405, "MethodNotAllowed", "POST /v1/rulesets is not taken, but GET; /docs shows how"),
    ],
)
def test_what_is_not_served_is_answered_in_the_same_shape(
    server: httpx.Client, asked: str, status: int, error: str, says: str
) -> None:
    response = server.request(*asked.split())
    assert (response.status_code, response.json()) == (status, {"error": error, "detail": says})
    assert ("allow" in response.headers) == (status == 405)


def test_a_body_over_the_limit_is_refused(server: httpx.Client) -> None:
    response = server.post("/v1/ask", content=b"x" * (17 * 1024 * 1024))
    assert response.status_code == 413


def test_documentation_has_examples_for_every_request(server: httpx.Client) -> None:
    schema = server.get("/openapi.json").json()
    requests = {"/v1/ask": "AskRequest", "/v1/compare": "CompareRequest", "/v1/match": "MatchRequest"}
    taken = {"/v1/inspect": {}, "/v1/convert": {"to": "card-v3"}}  # the file itself is their body
    read = {"/v1/formats", "/v1/rules/{ruleset}/{slug}", "/v1/rulesets", "/healthz"}
    assert set(schema["paths"]) == requests.keys() | taken.keys() | read
    for path, name in requests.items():
        for example in schema["components"]["schemas"][name]["examples"]:
            assert server.post(path, json=example).status_code == 200
    for path, asked in taken.items():
        (body,) = schema["paths"][path]["post"]["requestBody"]["content"].values()
        assert server.post(path, params=asked, content=body["example"].encode()).status_code == 200
