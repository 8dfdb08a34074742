"""What a body may say, and how strictly it is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.cast import Cast, new_key, sheet, written

from .client import Caller, Hand


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({"bank_wager_cents": "1000"}, "wrong_type", "bank_wager_cents"),
        ({"bank_wager_cents": True}, "wrong_type", "bank_wager_cents"),
        ({"bank_wager_cents": 1000.0}, "wrong_type", "bank_wager_cents"),
        ({"bank_wager_cents": [1000]}, "wrong_type", "bank_wager_cents"),
        ({"bank_wager_cents": {"cents": 1}}, "wrong_type", "bank_wager_cents"),
        ({"bank_wager_cents": 10**12 + 1}, "out_of_range", "bank_wager_cents"),
        ({"bank_wager_cents": 10**400}, "out_of_range", "bank_wager_cents"),
        ({"bank_wager_cents": 1000, "repeat_bets": "yes"}, "wrong_type", "repeat_bets"),
        ({"bank_wager_cents": 1000, "repeat_bets": 1}, "wrong_type", "repeat_bets"),
        ({"bank_wager_cents": 1000, "wager": 1}, "unknown_key", "wager"),
        ([], "wrong_type", ""),
        ("text", "wrong_type", ""),
        (7, "wrong_type", ""),
    ],
)
def test_a_body_of_another_form_is_refused_with_the_place(
    floor: Caller, cast: Cast, body: Any, code: str, path: str
) -> None:
    before = written()
    reply = floor.post(f"tables/{cast.table.pk}/rounds", body)
    assert (reply.status, reply.code, reply.path) == (400, code, path)
    assert written() == before


@pytest.mark.parametrize(("body", "code"), [({}, "missing_key"), ({"bank_wager_cents": None}, "wrong_type")])
def test_what_a_body_must_say_is_missed_with_the_place(
    floor: Caller, cast: Cast, body: dict[str, Any], code: str
) -> None:
    reply = floor.send("PUT", f"tables/{cast.table.pk}/rounds/current/bank-wager", body)
    assert (reply.status, reply.code, reply.path) == (400, code, "bank_wager_cents")


@pytest.mark.parametrize("body", [{}, {"bank_wager_cents": None}])
def test_a_player_who_banks_puts_up_a_wager(hand: Hand, dealer: Caller, body: dict[str, Any]) -> None:
    reply = dealer.post(f"{hand.table}/rounds", body)
    assert (reply.status, reply.code, reply.path) == (422, "bank_required", "bank_wager_cents")


@pytest.mark.parametrize(
    ("positions", "code", "path"),
    [
        ([], "empty", "positions"),
        ({"seat": 4}, "wrong_type", "positions"),
        ([7], "wrong_type", "positions[0]"),
        ([{"seat": 4}], "missing_key", "positions[0].wagers"),
        ([{"seat": "4", "wagers": {}}], "wrong_type", "positions[0].seat"),
        ([{"seat": 0, "wagers": {}}], "out_of_range", "positions[0].seat"),
        ([{"seat": 4, "wagers": []}], "wrong_type", "positions[0].wagers"),
        ([{"seat": 4, "wagers": {"ante": "10"}}], "wrong_type", "positions[0].wagers.ante"),
        ([{"seat": 4, "wagers": {"ante": 10.5}}], "wrong_type", "positions[0].wagers.ante"),
        (
            [
                {"seat": 4, "wagers": {"ante": 500}},
                {"seat": 5, "wagers": {"ante": 500}, "tips": {"ante": False}},
            ],
            "wrong_type",
            "positions[1].tips.ante",
        ),
        ([{"seat": 4, "wagers": {"ante": 500}, "player": "Dee"}], "unknown_key", "positions[0].player"),
    ],
)
def test_wagers_of_another_form_are_refused_with_the_place(
    hand: Hand, dealer: Caller, positions: Any, code: str, path: str
) -> None:
    hand.open()
    before = written()
    reply = dealer.put(f"{hand.table}/rounds/current/bets", {"positions": positions})
    assert (reply.status, reply.code, reply.path) == (400, code, path)
    assert written() == before


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"",
        b"{'bank_wager_cents': 1}",
        b'{"bank_wager_cents": NaN}',
        b'{"bank_wager_cents": Infinity}',
        b'{"bank_wager_cents": -Infinity}',
        b'{"bank_wager_cents": 1e999}',
        b'{"bank_wager_cents": 1, "bank_wager_cents": 2}',
        b'\xef\xbb\xbf{"bank_wager_cents": 1}',
        b'{"bank_wager_cents": "\xff"}',
        b'{"bank_wager_cents": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b"[" * 50 + b"]" * 50,
    ],
)
def test_a_body_that_is_no_proper_json_is_refused(floor: Caller, cast: Cast, raw: bytes) -> None:
    before = written()
    reply = floor.send("PUT", f"tables/{cast.table.pk}/rounds/current/bank-wager", raw)
    expected = ("missing_key", "bank_wager_cents") if raw == b"" else ("bad_json", "")
    assert (reply.status, reply.code, reply.path) == (400, *expected)
    assert written() == before


@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud800", "line\nbreak", "\x1b[31m", "a\x85b"])
def test_text_with_control_characters_is_refused(floor: Caller, cast: Cast, text: str) -> None:
    before = written()
    reply = floor.post(f"tables/{cast.table.pk}/turn/end", {"reason": text})
    assert (reply.status, reply.code, reply.path) == (400, "bad_text", "reason")
    assert written() == before


@pytest.mark.parametrize("text", ["\0", "\ud800"])
def test_text_that_cannot_be_stored_is_refused_in_sheets_too(
    dealer: Caller, running: Cast, text: str
) -> None:
    document = sheet({4: 1000})
    document["positions"][0]["player"] = text
    reply = dealer.post(f"tables/{running.table.pk}/rounds/record", document)
    assert (reply.status, reply.code, reply.path) == (400, "bad_text", "positions[0].player")
    reply = dealer.post("settle", document, headers={})
    assert (reply.status, reply.code) == (400, "bad_text")


def test_a_command_without_a_body_takes_none(running: Cast) -> None:
    path = f"tables/{running.table.pk}/down"
    floor = Caller(running, "floor")
    assert floor.delete(path, {"dealer": 1}).code == "unknown_key"
    assert floor.delete(path, []).code == "wrong_type"
    assert floor.delete(path, {}).status == 200


def test_a_body_that_is_no_json_by_its_own_word_is_refused(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.people["dealer"])
    headers = {"If-Match": '"1"', "Idempotency-Key": new_key()}
    address = f"/api/tables/{cast.table.pk}/rounds"
    for media, body in (
        ("text/plain", "hello"),
        ("application/x-www-form-urlencoded", "bank_wager_cents=1000"),
        (
            "multipart/form-data; boundary=x",
            '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
        ),
    ):
        response = client.generic("POST", address, body, content_type=media, headers=headers)
        assert response.status_code == 415, media
        assert response.json()["error"]["code"] == "unsupported_media_type"


def test_a_body_beyond_the_limit_is_refused(floor: Caller, cast: Cast, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    body = json.dumps({"reason": "x" * 100}).encode()
    reply = floor.post(f"tables/{cast.table.pk}/turn/end", body)
    assert (reply.status, reply.code) == (413, "too_large")


@pytest.mark.parametrize(
    "address",
    [
        "tables/0",
        "tables/01",
        "tables/-1",
        "tables/x",
        "tables/1.5",
        f"tables/{'9' * 30}",
        "tables",
        "nothing/here",
        "rooms/",
    ],
)
def test_an_address_that_is_none_is_told_in_the_same_shape(floor: Caller, address: str) -> None:
    response = floor.client.get(f"/api/{address}")
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "not_found"


def test_a_method_that_is_none_is_told_in_the_same_shape(floor: Caller, cast: Cast) -> None:
    for method in ("PATCH", "DELETE", "OPTIONS", "TRACE"):
        response = floor.client.generic(method, f"/api/tables/{cast.table.pk}")
        assert response.status_code == 405
        assert response.json()["error"]["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    ("query", "code", "path"),
    [
        ("limit=x", "wrong_type", "limit"),
        ("limit=0", "out_of_range", "limit"),
        ("limit=201", "out_of_range", "limit"),
        ("limit=1.0", "wrong_type", "limit"),
        ("before=" + "9" * 30, "wrong_type", "before"),
        ("before=", "wrong_type", "before"),
        ("state=lost", "unknown_choice", "state"),
        ("gaming_day=yesterday", "wrong_type", "gaming_day"),
        ("gaming_day=2026-02-30", "wrong_type", "gaming_day"),
        ("shift=%00", "wrong_type", "shift"),
        ("page=2", "unknown_key", "page"),
    ],
)
def test_a_query_of_another_form_is_refused(
    floor: Caller, cast: Cast, query: str, code: str, path: str
) -> None:
    reply = floor.get(f"tables/{cast.table.pk}/rounds?{query}")
    assert (reply.status, reply.code, reply.path) == (400, code, path)
