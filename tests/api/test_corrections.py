"""Taking a step back and correcting a settled round at the API: signed by a second person, and on record."""

from __future__ import annotations

from typing import Any

from cardroom.floor.models import Round
from tests.cast import PIN, Cast, new_key, written_but_wrong_pins

from .client import Caller, Hand


def signature(who: str, pin: str = PIN) -> dict[str, str]:
    return {"username": who, "pin": pin}


def corrected(hand: Hand, fields: dict[str, Any], approver: str = "floor", **more: Any) -> Any:
    body = {
        "bank_wager_cents": 20000,
        "bank_hand": "Kh 7d 4c",
        "positions": [
            {"seat": 4, "wagers": {"ante": 1000}, "hand": "Js 8h 5c", "decision": "play"},
        ],
        "reason": "seat 4 held no pair",
        "approver": signature(approver),
        **fields,
    }
    round_ = Round.objects.latest("pk")
    return hand.caller.post(f"{hand.table}/rounds/{round_.pk}/correct", body, **more)


def test_a_round_is_corrected_and_both_records_say_so(hand: Hand) -> None:
    old = hand.play({4: 1000}).said["round"]
    before = hand.caller.get(hand.table).said["version"]
    key = new_key()
    reply = corrected(hand, {}, key=key)
    assert reply.status == 200, reply.said
    answer = reply.said
    assert (answer["corrects"], answer["revision"], answer["version"]) == (old, 1, before)
    assert {row["account"]: row["cents"] for row in answer["moved"]} == {"seat": -4000, "bank": 4000}
    again = hand.caller.post(f"{hand.table}/rounds/{old}/correct", {}, key=new_key())
    assert again.status == 400
    was, now = (hand.caller.get(f"rounds/{pk}").said for pk in (old, answer["round"]))
    assert (was["revision"], was["corrects"], was["correction"]) == (0, None, answer["round"])
    assert (now["revision"], now["corrects"], now["correction"], now["number"]) == (
        1,
        old,
        None,
        was["number"],
    )
    assert (now["correction_reason"], now["corrected_by"]) == (
        "seat 4 held no pair", str(hand.caller.cast.people["dealer"]),
    )  # fmt: skip
    taken_back = {row["reverses"] for row in now["transfers"]} - {None}
    assert taken_back == {row["id"] for row in was["transfers"] if row["kind"] != "fee"}
    rows = hand.caller.get(f"{hand.table}/rounds").said["results"]
    assert [(row["number"], row["revision"]) for row in rows] == [(1, 1), (1, 0)]


def test_a_correction_is_given_twice_under_one_key_and_made_once(hand: Hand) -> None:
    old = hand.play({4: 1000}).said["round"]
    body = {
        "bank_wager_cents": 20000,
        "bank_hand": "Kh 7d 4c",
        "positions": [{"seat": 4, "wagers": {"ante": 1000}, "hand": "Js 8h 5c", "decision": "play"}],
        "reason": "misread",
        "approver": signature("floor"),
    }
    key = new_key()
    first, second = (hand.caller.post(f"{hand.table}/rounds/{old}/correct", body, key=key) for _ in range(2))
    assert first.said == second.said
    other = hand.caller.post(f"{hand.table}/rounds/{old}/correct", body)
    assert (other.status, other.code) == (409, "corrected_before")


def test_it_takes_a_second_person_who_may(hand: Hand) -> None:
    hand.play({4: 1000})
    before = written_but_wrong_pins()
    for approver, code in (("dealer", "second_person_required"), ("compliance", "approver_may_not")):
        reply = corrected(hand, {}, approver)
        assert (reply.status, reply.code) == (403, code), reply.said
    reply = corrected(hand, {"approver": signature("floor", "123")})
    assert (reply.status, reply.code) == (403, "approver_not_known")
    assert written_but_wrong_pins() == before


def test_what_differs_in_nothing_or_cannot_be_is_refused_with_its_place(hand: Hand) -> None:
    hand.play({4: 1000})
    same = corrected(
        hand,
        {"positions": [{"seat": 4, "wagers": {"ante": 1000}, "hand": "Js Jh 5c", "decision": "play"}]},
    )
    assert (same.status, same.code) == (422, "nothing_corrected")
    short = corrected(
        hand, {"positions": [{"seat": 4, "wagers": {"ante": 1000}, "hand": "Js 8h", "decision": "play"}]}
    )
    assert (short.status, short.path) == (422, "positions[0].hand")
    drop = corrected(hand, {"drop": "somewhere"})
    assert (drop.status, drop.path) == (400, "drop")


def test_a_step_is_taken_back_and_no_more_bets_with_a_signature(hand: Hand) -> None:
    hand.open()
    hand.bet({4: 1000})
    hand.bet({4: 1500})
    undone = hand.caller.post(f"{hand.table}/undo", {}).said
    assert (undone["command"], undone["undone"]) == ("bets_place", "seat 4's wagers")
    assert hand.caller.get(hand.table).said["round"]["bets"][0]["wagers"] == {"ante": 1000}
    hand.close_bets()
    alone = hand.caller.post(f"{hand.table}/undo", {"reason": "too early"})
    assert (alone.status, alone.code) == (422, "approver_required")
    body = {"reason": "too early", "approver": signature("floor")}
    assert hand.caller.post(f"{hand.table}/undo", body).said["command"] == "bets_close"
    assert hand.caller.get(hand.table).said["round"]["state"] == "betting"
    assert hand.caller.get(hand.table).said["why_not"]["undo"] is None


def test_a_withdrawn_answer_stays_on_the_list_of_offers(running: Cast) -> None:
    hand = Hand(Caller(running, "dealer"))
    hand.play({4: 1000})
    hand.play({4: 1000})
    hand.caller.post(f"{hand.table}/offers", {"seat": 4, "answer": "declined"})
    assert hand.caller.post(f"{hand.table}/undo", {}).status == 200
    latest = hand.caller.get(f"{hand.table}/offers").said["results"][0]
    assert (latest["seat"], latest["withdrawn_by"]) == (4, str(running.people["dealer"]))
    assert hand.caller.get(hand.table).said["next"]["seat"] == 4


def test_a_table_that_records_fees_is_set_and_its_round_finished(hand: Hand) -> None:
    cast = hand.caller.cast
    settings = {"game_id": cast.game.pk, "schedule_id": cast.schedule(1).pk, "recording": "fees"}
    assert Caller(cast, "floor").put(f"{hand.table}/settings", settings).status == 200
    hand.open()
    hand.bet({4: 1000})
    hand.close_bets()
    hand.deal()
    reply = hand.caller.post(f"{hand.table}/rounds/current/finish")
    assert (reply.status, reply.said["state"]) == (200, "settled")
    record = hand.caller.get(f"rounds/{reply.said['round']}").said
    assert (record["recording"], record["sheet"], record["settlement"]) == ("fees", None, None)
