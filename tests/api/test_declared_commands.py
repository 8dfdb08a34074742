"""Every command once as it is meant: what it answers, and what stands afterwards."""

from __future__ import annotations

from typing import Any

from cardroom.floor.models import JournalEntry, Shift
from tests.cast import BANK_HAND, HANDS, Cast, sheet
from tests.filing import filed_game

from .client import Caller, Hand, Reply

#: Limits for every wager of the game.
LIMITS = {"pair_plus": [100, 10000], "six_card_bonus": [100, 5000], "tips": [100, 10000]}


def ok(reply: Reply) -> Any:
    """Return what a command that was carried out says; its version is the ETag."""
    assert reply.status == 200, reply.said
    assert reply.headers["ETag"] == f'"{reply.said["version"]}"'
    return reply.said


def test_a_room_opens_for_the_day_and_closes_again(cast: Cast) -> None:
    manager, floor, dealer = Caller(cast, "shift_manager"), Caller(cast, "floor"), Caller(cast, "dealer")
    room, table = f"rooms/{cast.room.pk}", f"tables/{cast.table.pk}"
    opened = ok(manager.post(f"{room}/shifts", {"name": "Day"}))
    assert (opened["room"], opened["version"]) == (cast.room.pk, 1)
    assert manager.get(room).said["shift"]["id"] == opened["shift"]
    settings = {
        "game_id": filed_game(cast.room, options={"coverage": "net"}).pk,
        "schedule_id": cast.schedule(2).pk,
        "wager_limits": LIMITS,
    }
    assert ok(floor.put(f"{table}/settings", settings)) == {"table": cast.table.pk, "version": 1}
    ok(floor.post(f"{table}/open"))
    assert (
        ok(floor.put(f"{table}/down", {"dealer_id": cast.people["dealer"].pk}))["dealer"]
        == cast.people["dealer"].pk
    )
    assert ok(dealer.put(f"{table}/seats/2", {"player_id": cast.players[2].pk}))["seat"] == 2
    assert ok(dealer.post(f"{table}/seats/2/move", {"to_seat": 6}))["seat"] == 6
    ok(dealer.put(f"{table}/seats/2", {"player_id": cast.players[3].pk}))
    ok(dealer.delete(f"{table}/seats/2"))
    state = floor.get(table).said
    assert (state["state"], state["options"], state["schedule"]["number"]) == ("open", {"coverage": "net"}, 2)
    assert state["wager_limits"] == LIMITS
    assert state["dealer"]["id"] == cast.people["dealer"].pk
    assert {seat["seat"]: seat["player"]["name"] for seat in state["seats"] if seat["player"]} == {6: "Bo"}
    ok(floor.delete(f"{table}/down"))
    ok(floor.post(f"{table}/close"))
    ok(manager.post(f"{room}/shifts/{opened['shift']}/close"))
    assert Shift.objects.get().closed_by == cast.people["shift_manager"]


def test_the_bank_goes_round_renews_and_is_given_up(hand: Hand, dealer: Caller) -> None:
    offers = f"{hand.table}/offers"
    hand.play({4: 1000})
    hand.play({4: 1000})
    for seat, answer in ((4, "declined"), (5, "absent"), (6, "declined"), (7, "declined"), (1, "declined")):
        reply = ok(dealer.post(offers, {"seat": seat, "answer": answer}))
        assert (reply["seat"], reply["answer"]) == (seat, answer)
    assert dealer.get(hand.table).said["next"]["seat"] == 2
    ok(dealer.post(offers, {"seat": 2, "answer": "ineligible", "reason": "banned from the bank"}))
    assert dealer.get(hand.table).said["next"]["kind"] == "renew"
    assert ok(dealer.post(f"{hand.table}/turn/renew"))["seat"] == 3
    turn = dealer.get(hand.table).said["turn"]
    assert (turn["seat"], turn["rounds"], turn["renewed"]) == (3, 0, True)
    ok(dealer.post(f"{hand.table}/turn/end", {"reason": "wants to bet"}))
    for seat in (4, 5, 6, 7, 1, 2, 3):
        ok(dealer.post(offers, {"seat": seat, "answer": "declined"}))
    ok(dealer.post(f"{hand.table}/offers/ask-again"))
    assert ok(dealer.post(offers, {"seat": 4, "answer": "accepted"}))["answer"] == "accepted"
    assert dealer.get(hand.table).said["turn"]["seat"] == 4


def test_wagers_are_placed_changed_and_withdrawn_until_no_more_bets(hand: Hand, dealer: Caller) -> None:
    hand.open(20000)
    bets = f"{hand.table}/rounds/current/bets"
    ok(
        dealer.put(
            bets,
            {"positions": [{"seat": 4, "wagers": {"ante": 1000, "pair_plus": 500}, "tips": {"ante": 100}}]},
        )
    )
    ok(
        dealer.put(
            bets, {"positions": [{"seat": 5, "wagers": {"ante": 700}}, {"seat": 6, "wagers": {"ante": 800}}]}
        )
    )
    ok(dealer.put(bets, {"positions": [{"seat": 5, "wagers": {}}, {"seat": 6, "wagers": {"ante": 900}}]}))
    ok(dealer.put(f"{hand.table}/rounds/current/bank-wager", {"bank_wager_cents": 30000}))
    live = dealer.get(hand.table).said["round"]
    assert live["bank"] == {"seat": 3, "wager": 30000}
    assert live["bets"] == [
        {"seat": 4, "player": "Dee", "wagers": {"ante": 1000, "pair_plus": 500}, "tips": {"ante": 100}},
        {"seat": 6, "player": "Fay", "wagers": {"ante": 900}, "tips": {}},
    ]
    answer = ok(dealer.post(f"{hand.table}/rounds/current/close-bets", {"action_seat": 6}))
    assert [fee["payer"] for fee in answer["fees"]] == ["Dee", "Fay", "bank"]
    ok(dealer.post(f"{hand.table}/rounds/current/deal"))
    results = [
        {"seat": 4, "hand": HANDS[4], "decision": "play", "tips": {"play": 100}},
        {"seat": 6, "hand": HANDS[6], "decision": "fold"},
    ]
    settled = ok(
        dealer.post(f"{hand.table}/rounds/current/settle", {"bank_hand": BANK_HAND, "positions": results})
    )
    lines = settled["settlement"]["lines"]
    assert [(line["seat"], line["for"], line["wager"], line["outcome"]) for line in lines] == [
        (6, "player", "ante", "forfeit"),
        (4, "player", "ante", "win"),
        (4, "player", "play", "win"),
        (4, "player", "pair_plus", "win"),
        (4, "dealer", "ante", "win"),
        (4, "dealer", "play", "win"),
    ]
    assert settled["settlement"]["tokes"] == 400


def test_the_last_wagers_are_placed_again_on_request(hand: Hand, dealer: Caller) -> None:
    hand.play({4: 1000, 5: 1500})
    ok(dealer.post(f"{hand.table}/rounds", {"bank_wager_cents": 20000, "repeat_bets": True}))
    bets = dealer.get(hand.table).said["round"]["bets"]
    assert {bet["seat"]: bet["wagers"] for bet in bets} == {4: {"ante": 1000}, 5: {"ante": 1500}}


def test_a_whole_sheet_comes_to_what_the_steps_come_to(hand: Hand, dealer: Caller) -> None:
    stepped = hand.play({4: 1000, 6: 2000}).said
    recorded = ok(dealer.post(f"{hand.table}/rounds/record", sheet({4: 1000, 6: 2000})))
    assert recorded["settlement"] == stepped["settlement"]
    assert (stepped["number"], recorded["number"]) == (1, 2)
    one, other = (dealer.get(f"rounds/{answer['round']}").said for answer in (stepped, recorded))
    assert (one["source"], other["source"]) == ("steps", "record")
    for key in ("sheet", "fees", "total_table_action_cents", "drop_cents", "settlement"):
        assert one[key] == other[key], key
    assert _moved(one) == _moved(other)
    commands = JournalEntry.objects.order_by("seq").values_list("command", flat=True)
    assert [command for command in commands if command.startswith("round")] == [
        "round_open",
        "round_deal",
        "round_settle",
    ] * 2


def test_the_engine_settles_a_sheet_of_any_rulebook_and_records_nothing(cast: Cast) -> None:
    outsider = Caller(cast, "outsider")
    answer = outsider.post("settle", sheet({4: 1000}), headers={}).said
    assert answer["net"] == {"Dee": 2000}
    site = {
        "rulebook": "massachusetts",
        "bank_hand": BANK_HAND,
        "positions": [{"seat": 4, "hand": HANDS[4], "wagers": {"ante": 1000}, "decision": "play"}],
    }
    assert outsider.post("settle", site, headers={}).said["bank"] is None
    refused = outsider.post("settle", {**site, "bank_hand": "Kh 7d 1c"}, headers={})
    assert (refused.status, refused.code, refused.path) == (422, "bad_card", "bank_hand")
    unknown = outsider.post("settle", {**site, "colour": 1}, headers={})
    assert (unknown.status, unknown.code, unknown.path) == (400, "unknown_key", "colour")
    assert not JournalEntry.objects.exists()


def _moved(record: Any) -> list[tuple[Any, ...]]:
    keys = ("kind", "source", "target", "seat", "player", "wager", "line", "cents")
    return [tuple(transfer[key] for key in keys) for transfer in record["transfers"]]
