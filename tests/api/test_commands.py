"""What every command has in common: its key, its version, and that a refusal leaves nothing behind."""

from __future__ import annotations

import pytest
from django.test import Client

from cardroom.floor.models import StoredAnswer
from tests.cast import Cast, new_key, written

from .client import Caller, Hand

pytestmark = pytest.mark.postgresql


def test_a_command_without_a_key_is_refused_and_told_what_to_send(floor: Caller, cast: Cast) -> None:
    before = written()
    reply = floor.post(_rounds(cast), {"bank_wager_cents": 20000}, headers={"If-Match": '"1"'})
    assert (reply.status, reply.code, reply.path) == (400, "idempotency_key_required", "Idempotency-Key")
    assert "Idempotency-Key" in reply.said["error"]["message"]
    assert written() == before


@pytest.mark.parametrize("key", ["", " ", "with blank", "x" * 81, "naïve", "tab\there"])
def test_a_malformed_key_is_refused(floor: Caller, cast: Cast, key: str) -> None:
    headers = {"If-Match": '"1"', "Idempotency-Key": key}
    reply = floor.post(_rounds(cast), {"bank_wager_cents": 20000}, headers=headers)
    assert (reply.status, reply.code) == (400, "bad_idempotency_key")


def test_a_command_without_a_version_is_refused_with_428(floor: Caller, cast: Cast) -> None:
    before = written()
    reply = floor.post(_rounds(cast), {"bank_wager_cents": 20000}, headers={"Idempotency-Key": new_key()})
    assert (reply.status, reply.code, reply.path) == (428, "if_match_required", "If-Match")
    assert written() == before


@pytest.mark.parametrize(
    "version", ["", "*", "12", 'W/"12"', '"twelve"', '"-1"', '"1", "2"', '"' + "9" * 40 + '"', '"\u0661"']
)
def test_a_malformed_version_is_refused(floor: Caller, cast: Cast, version: str) -> None:
    headers = {"If-Match": version, "Idempotency-Key": new_key()}
    reply = floor.post(_rounds(cast), {"bank_wager_cents": 20000}, headers=headers)
    assert (reply.status, reply.code, reply.path) == (400, "bad_if_match", "If-Match")


def test_a_repeated_command_gets_the_same_answer_and_happens_once(dealer: Caller, running: Cast) -> None:
    version = dealer.version(f"tables/{running.table.pk}")
    first = dealer.post(_rounds(running), {"bank_wager_cents": 20000}, version=version, key="again")
    assert first.status == 200
    after = written()
    # The version is an old one by now, as it is when an answer got lost on its way.
    second = dealer.post(_rounds(running), {"bank_wager_cents": 20000}, version=version, key="again")
    assert (second.status, second.said, second.headers["ETag"]) == (200, first.said, first.headers["ETag"])
    assert written() == after


def test_the_same_command_in_other_words_is_the_same_command(dealer: Caller, running: Cast) -> None:
    """A default that is written out, and keys in another order, change nothing."""
    version = dealer.version(f"tables/{running.table.pk}")
    first = dealer.post(_rounds(running), {"bank_wager_cents": 20000}, version=version, key="again")
    body = {"repeat_bets": False, "bank_wager_cents": 20000}
    second = dealer.post(_rounds(running), body, version=version, key="again")
    assert (second.status, second.said) == (200, first.said)


def test_a_key_used_for_another_body_is_refused(dealer: Caller, running: Cast) -> None:
    assert dealer.post(_rounds(running), {"bank_wager_cents": 20000}, key="once").status == 200
    before = written()
    reply = dealer.post(_rounds(running), {"bank_wager_cents": 30000}, key="once")
    assert (reply.status, reply.code) == (422, "key_reused")
    assert written() == before


def test_a_key_used_for_another_command_is_refused(hand: Hand, dealer: Caller, running: Cast) -> None:
    assert dealer.post(_rounds(running), {"bank_wager_cents": 20000}, key="once").status == 200
    reply = dealer.put(f"{_rounds(running)}/current/bank-wager", {"bank_wager_cents": 20000}, key="once")
    assert (reply.status, reply.code) == (422, "key_reused")


def test_a_key_is_its_owners_own(dealer: Caller, running: Cast) -> None:
    """Somebody else's command under the same key is a command of its own."""
    assert dealer.post(_rounds(running), {"bank_wager_cents": 20000}, key="mine").status == 200
    floor = Caller(running, "floor")
    reply = floor.put(f"{_rounds(running)}/current/bank-wager", {"bank_wager_cents": 30000}, key="mine")
    assert reply.status == 200


def test_a_refused_command_leaves_its_key_free(dealer: Caller, running: Cast) -> None:
    assert dealer.post(_rounds(running), {"bank_wager_cents": 0}, key="retry").status == 422
    assert not StoredAnswer.objects.filter(key="retry").exists()
    assert dealer.post(_rounds(running), {"bank_wager_cents": 20000}, key="retry").status == 200


def test_a_stale_command_is_answered_with_the_present_state(
    hand: Hand, dealer: Caller, running: Cast
) -> None:
    hand.open()
    stale = dealer.version(f"tables/{running.table.pk}") - 1
    before = written()
    reply = dealer.put(f"{_rounds(running)}/current/bank-wager", {"bank_wager_cents": 100}, version=stale)
    assert (reply.status, reply.code) == (412, "stale")
    present = dealer.get(f"tables/{running.table.pk}")
    assert reply.said["state"] == present.said
    assert reply.headers["ETag"] == present.headers["ETag"]
    assert written() == before


def test_of_two_tablets_that_close_the_same_bets_the_second_is_told(
    hand: Hand, dealer: Caller, running: Cast
) -> None:
    hand.open()
    hand.bet({4: 1000})
    seen = dealer.version(f"tables/{running.table.pk}")
    floor = Caller(running, "floor")
    first = dealer.post(f"{_rounds(running)}/current/close-bets", {}, version=seen)
    assert first.status == 200
    before = written()
    second = floor.post(f"{_rounds(running)}/current/close-bets", {}, version=seen)
    assert (second.status, second.code) == (412, "stale")
    assert second.said["state"]["round"]["state"] == "bets_closed"
    assert written() == before


def test_a_stale_command_on_a_room_is_answered_with_its_version(cast: Cast) -> None:
    manager = Caller(cast, "shift_manager")
    reply = manager.post(f"rooms/{cast.room.pk}/shifts", {"name": "Day"}, version=5)
    assert (reply.status, reply.code) == (412, "stale")
    assert reply.said["state"] == {"room": cast.room.pk, "version": 0}


def test_nobody_signed_in_is_asked_to_sign_in(cast: Cast) -> None:
    before = written()
    reply = Caller(cast, None).post(_rounds(cast), {"bank_wager_cents": 20000})
    assert (reply.status, reply.code) == (401, "not_signed_in")
    assert reply.headers["WWW-Authenticate"].startswith("Bearer")
    assert written() == before


def test_a_command_from_another_site_is_refused(cast: Cast) -> None:
    """A browser that is signed in sends its cookie along with anything; without the CSRF token that is not enough."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.people["floor"])
    before = written()
    response = browser.post(
        f"/api/{_rounds(cast)}",
        {"bank_wager_cents": 20000},
        content_type="application/json",
        headers={"If-Match": '"1"', "Idempotency-Key": new_key()},
    )
    assert (response.status_code, response.json()["error"]["code"]) == (403, "csrf_failed")
    assert written() == before


def test_an_account_that_was_closed_is_nobody(floor: Caller, cast: Cast) -> None:
    cast.people["floor"].is_active = False
    cast.people["floor"].save()
    assert floor.get(f"tables/{cast.table.pk}").status == 401


def _rounds(cast: Cast) -> str:
    return f"tables/{cast.table.pk}/rounds"
