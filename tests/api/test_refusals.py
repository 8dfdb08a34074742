"""What a table refuses: each refusal names what and why with its status, and leaves nothing half written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardroom.floor.commands.seats import player_leave
from cardroom.floor.commands.tables import table_close, table_set
from cardroom.floor.models import Round
from tests.cast import Cast, sheet, written
from tests.filing import table_settings

from .client import Caller, Hand, Reply


def refused(
    caller: Caller, method: str, path: str, body: Any, *, status: int, code: str, path_named: str = ""
) -> Reply:
    """Give a command that must be refused, and see that it left nothing behind."""
    before = written()
    reply = caller.send(method, path, body)
    assert (reply.status, reply.code, reply.path) == (status, code, path_named), reply.said
    assert len(reply.said["error"]["message"]) > 10
    assert written() == before
    return reply


def test_an_unknown_card_is_refused_and_the_round_stays_as_it_was(hand: Hand, dealer: Caller) -> None:
    hand.open()
    hand.bet({4: 1000, 5: 1000})
    hand.close_bets()
    hand.deal()
    results = [
        {"seat": 4, "hand": "Js Jh 5c", "decision": "play"},
        {"seat": 5, "hand": "As Qc 1d", "decision": "play"},
    ]
    path = f"{hand.table}/rounds/current/settle"
    body = {"bank_hand": "Kh 7d 4c", "positions": results}
    refused(dealer, "POST", path, body, status=422, code="bad_card", path_named="positions[1].hand")
    results[1]["hand"] = "Js Qc Td"
    refused(dealer, "POST", path, body, status=422, code="duplicate_card", path_named="positions[1].hand")
    results[1]["hand"] = "As Qc"
    refused(dealer, "POST", path, body, status=422, code="hand_size", path_named="positions[1].hand")
    results[1] = {"seat": 5, "hand": "As Qc Td"}
    refused(
        dealer, "POST", path, body, status=422, code="decision_required", path_named="positions[1].decision"
    )
    results[1] = {"seat": 5, "hand": "As Qc Td", "decision": "surrender"}
    refused(
        dealer,
        "POST",
        path,
        body,
        status=422,
        code="decision_not_allowed",
        path_named="positions[1].decision",
    )
    results[1] = {"seat": 6, "hand": "As Qc Td", "decision": "play"}
    refused(dealer, "POST", path, body, status=422, code="bad_seat", path_named="positions[1].seat")
    del results[1]
    refused(dealer, "POST", path, body, status=400, code="missing_key", path_named="positions[1]")
    hand.settle([4, 5])


def test_a_bet_after_no_more_bets_is_refused(hand: Hand, dealer: Caller) -> None:
    hand.open()
    hand.bet({4: 1000})
    hand.close_bets()
    bets = {"positions": [{"seat": 4, "wagers": {"ante": 2000}}]}
    refused(dealer, "PUT", f"{hand.table}/rounds/current/bets", bets, status=409, code="bets_closed")
    more = {"bank_wager_cents": 50000}
    refused(dealer, "PUT", f"{hand.table}/rounds/current/bank-wager", more, status=409, code="bets_closed")
    refused(dealer, "POST", f"{hand.table}/rounds/current/close-bets", {}, status=409, code="bets_closed")


def test_nothing_is_played_at_a_closed_table(running: Cast) -> None:
    running.send(table_close, "floor")
    floor = Caller(running, "floor")
    table = f"tables/{running.table.pk}"
    refused(floor, "POST", f"{table}/rounds", {"bank_wager_cents": 1000}, status=409, code="table_closed")
    refused(floor, "POST", f"{table}/rounds/record", sheet({4: 1000}), status=409, code="table_closed")
    refused(
        floor,
        "PUT",
        f"{table}/seats/1",
        {"player_id": running.players[1].pk},
        status=409,
        code="table_closed",
    )
    refused(
        floor, "POST", f"{table}/offers", {"seat": 1, "answer": "accepted"}, status=409, code="table_closed"
    )
    refused(floor, "POST", f"{table}/close", None, status=409, code="table_closed")


def test_a_bank_with_no_offer_behind_it_is_refused(hand: Hand, dealer: Caller, running: Cast) -> None:
    record = f"{hand.table}/rounds/record"
    refused(dealer, "POST", record, sheet({4: 1000}, bank=5), status=409, code="bank_not_offered")
    ended = dealer.post(f"{hand.table}/turn/end", {"reason": "wants to bet"})
    assert ended.status == 200
    refused(dealer, "POST", f"{hand.table}/rounds", {"bank_wager_cents": 1000}, status=409, code="no_bank")
    refused(dealer, "POST", record, sheet({4: 1000}), status=409, code="no_bank")


def test_a_third_round_in_a_row_waits_for_the_offers(hand: Hand, dealer: Caller) -> None:
    hand.play({4: 1000})
    hand.play({4: 1000})
    refused(dealer, "POST", f"{hand.table}/rounds", {"bank_wager_cents": 1000}, status=409, code="offer_due")
    refused(dealer, "POST", f"{hand.table}/rounds/record", sheet({4: 1000}), status=409, code="offer_due")
    refused(dealer, "POST", f"{hand.table}/turn/renew", None, status=409, code="not_all_declined")
    passed_over = {"seat": 6, "answer": "accepted"}
    refused(dealer, "POST", f"{hand.table}/offers", passed_over, status=409, code="offer_due_elsewhere")


def test_steps_out_of_order_are_refused(hand: Hand, dealer: Caller) -> None:
    current = f"{hand.table}/rounds/current"
    results = {"bank_hand": "Kh 7d 4c", "positions": [{"seat": 4, "hand": "Js Jh 5c", "decision": "play"}]}
    bets = {"positions": [{"seat": 4, "wagers": {"ante": 1000}}]}
    refused(dealer, "PUT", f"{current}/bets", bets, status=409, code="no_round")
    refused(dealer, "POST", f"{current}/deal", None, status=409, code="no_round")
    refused(dealer, "POST", f"{current}/settle", results, status=409, code="no_round")
    hand.open()
    refused(dealer, "POST", f"{hand.table}/rounds", {"bank_wager_cents": 1000}, status=409, code="round_live")
    refused(dealer, "POST", f"{hand.table}/rounds/record", sheet({4: 1000}), status=409, code="round_live")
    refused(dealer, "POST", f"{current}/close-bets", {}, status=409, code="no_wager")
    hand.bet({4: 1000})
    refused(dealer, "POST", f"{current}/deal", None, status=409, code="bets_open")
    refused(dealer, "POST", f"{current}/settle", results, status=409, code="bets_open")
    hand.close_bets()
    refused(dealer, "POST", f"{current}/settle", results, status=409, code="not_dealt")
    hand.deal()
    refused(dealer, "POST", f"{current}/deal", None, status=409, code="cards_dealt")


@pytest.mark.parametrize(
    ("position", "code", "path"),
    [
        ({"seat": 4, "wagers": {"ante": 0}}, "bad_amount", "positions[0].wagers.ante"),
        ({"seat": 4, "wagers": {"ante": -500}}, "bad_amount", "positions[0].wagers.ante"),
        ({"seat": 4, "wagers": {"ante": 499}}, "outside_table_limits", "positions[0].wagers.ante"),
        ({"seat": 4, "wagers": {"ante": 10001}}, "outside_table_limits", "positions[0].wagers.ante"),
        ({"seat": 4, "wagers": {"pair_plus": 500}}, "wager_needs_ante", "positions[0].wagers.pair_plus"),
        (
            {"seat": 4, "wagers": {"ante": 500, "bad_beat": 500}},
            "wager_not_offered",
            "positions[0].wagers.bad_beat",
        ),
        (
            {"seat": 4, "wagers": {"ante": 500}, "tips": {"pair_plus": 100}},
            "tip_needs_wager",
            "positions[0].tips.pair_plus",
        ),
        (
            {"seat": 4, "wagers": {"ante": 500}, "tips": {"play": 100}},
            "tip_needs_wager",
            "positions[0].tips.play",
        ),
        ({"seat": 3, "wagers": {"ante": 500}}, "bank_has_wagers", "positions[0].seat"),
        ({"seat": 8, "wagers": {"ante": 500}}, "seat_empty", "positions[0].seat"),
    ],
)
def test_a_wager_that_the_rules_do_not_allow_refuses_them_all(
    hand: Hand, dealer: Caller, position: Any, code: str, path: str
) -> None:
    hand.open()
    hand.bet({5: 1000})
    bets = {"positions": [{"seat": 6, "wagers": {"ante": 700}}, position]}
    named = path.replace("positions[0]", "positions[1]")
    refused(dealer, "PUT", f"{hand.table}/rounds/current/bets", bets, status=422, code=code, path_named=named)
    assert [bet["seat"] for bet in Round.objects.get().bets] == [5]


@pytest.mark.parametrize(
    ("key", "code", "status"), [("play", "unknown_key", 400), ("antes", "unknown_key", 400)]
)
def test_a_wager_that_is_none_is_refused(
    hand: Hand, dealer: Caller, key: str, code: str, status: int
) -> None:
    hand.open()
    bets = {"positions": [{"seat": 4, "wagers": {"ante": 500, key: 500}}]}
    path = f"positions[0].wagers.{key}"
    refused(
        dealer, "PUT", f"{hand.table}/rounds/current/bets", bets, status=status, code=code, path_named=path
    )


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"rulebook": "massachusetts"}, (422, "bank_not_allowed", "bank")),
        ({"rulebook": "lowball"}, (422, "unknown_rulebook", "rulebook")),
        ({"bank": None}, (400, "wrong_type", "bank")),
        ({"bank": {"seat": 3, "wager": 0}}, (422, "bad_amount", "bank.wager")),
        ({"bank": {"seat": 3, "wager": 10**12 + 1}}, (422, "bad_amount", "bank.wager")),
        ({"bank": {"seat": 9, "wager": 100}}, (422, "bad_seat", "bank.seat")),
        ({"bank_hand": "Kh Kh 4c"}, (422, "duplicate_card", "bank_hand")),
        ({"positions": []}, (422, "no_wager", "positions")),
        ({"seat": 4}, (400, "unknown_key", "seat")),
        ({"options": {"coverage": "net"}}, (422, "options_differ", "options.coverage")),
        ({"options": {"fee_schedule": 2}}, (422, "options_differ", "options.fee_schedule")),
        ({"options": {"colour": "red"}}, (422, "unknown_option", "options.colour")),
    ],
)
def test_a_sheet_that_does_not_fit_is_refused_whole(
    dealer: Caller, running: Cast, change: dict[str, Any], refusal: tuple[int, str, str]
) -> None:
    status, code, path = refusal
    body = {**sheet({4: 6000}), **change}
    record = f"tables/{running.table.pk}/rounds/record"
    refused(dealer, "POST", record, body, status=status, code=code, path_named=path)


def test_a_sheet_of_people_who_sit_elsewhere_is_refused(dealer: Caller, running: Cast) -> None:
    record = f"tables/{running.table.pk}/rounds/record"
    body = sheet({4: 1000, 5: 1000})
    body["positions"][1]["player"] = "Dee"
    before = written()
    reply = dealer.post(record, body)
    assert (reply.status, reply.path.startswith("positions[1]")) == (422, True), reply.said
    assert written() == before
    body["positions"][1]["player"] = "Nobody here"
    named = "positions[1].player"
    refused(dealer, "POST", record, body, status=422, code="player_not_at_seat", path_named=named)
    running.send(player_leave, "dealer", seat=5)
    body["positions"][1].pop("player")
    refused(dealer, "POST", record, body, status=422, code="player_not_at_seat", path_named=named)


def test_a_sheet_that_is_no_sheet_is_refused(dealer: Caller, running: Cast) -> None:
    record = f"tables/{running.table.pk}/rounds/record"
    bodies: tuple[Any, ...] = ([], "sheet", 7, json.dumps(sheet({4: 1000})))
    for body in bodies:
        refused(dealer, "POST", record, body, status=400, code="wrong_type")
    refused(dealer, "POST", record, {}, status=400, code="missing_key", path_named="rulebook")


def test_a_bad_sheet_far_in_leaves_no_round_behind(dealer: Caller, running: Cast) -> None:
    """The ante is outside the schedule's limits, which is seen only after the round was opened inside the command."""
    record = f"tables/{running.table.pk}/rounds/record"
    named = "positions[1].wagers.ante"
    refused(
        dealer,
        "POST",
        record,
        sheet({4: 1000, 5: 100}),
        status=422,
        code="outside_table_limits",
        path_named=named,
    )
    assert not Round.objects.exists()


@pytest.mark.parametrize(
    ("change", "status", "code", "path"),
    [
        ({"game_id": 999999}, 422, "unknown_game", "game_id"),
        ({"game_id": None}, 400, "wrong_type", "game_id"),
        ({"rulebook": "california"}, 400, "unknown_key", "rulebook"),
        ({"options": {"coverage": "net"}}, 400, "unknown_key", "options"),
        ({"rotation": "every_hour"}, 400, "unknown_key", "rotation"),
        ({"rake": None}, 400, "unknown_key", "rake"),
        ({"schedule_id": None}, 422, "schedule_missing", "schedule_id"),
        ({"schedule_id": 999999}, 422, "unknown_schedule", "schedule_id"),
        ({"schedule_id": "1"}, 400, "wrong_type", "schedule_id"),
        ({"wager_limits": {"pair_plus": [500, 100]}}, 422, "bad_limits", "wager_limits.pair_plus"),
        ({"wager_limits": {"pair_plus": [500]}}, 400, "too_short", "wager_limits.pair_plus"),
        ({"wager_limits": {"pair_plus": [True, 500]}}, 400, "wrong_type", "wager_limits.pair_plus[0]"),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    running: Cast, change: dict[str, Any], status: int, code: str, path: str
) -> None:
    body = {
        "game_id": running.game.pk,
        "schedule_id": running.schedule(2).pk,
        "wager_limits": {"pair_plus": [100, 500]},
        **change,
    }
    floor = Caller(running, "floor")
    settings = f"tables/{running.table.pk}/settings"
    refused(floor, "PUT", settings, body, status=status, code=code, path_named=path)


def test_settings_change_between_rounds_only(hand: Hand, running: Cast) -> None:
    hand.open()
    body = {"game_id": running.game.pk, "schedule_id": running.schedule(2).pk}
    floor = Caller(running, "floor")
    refused(floor, "PUT", f"{hand.table}/settings", body, status=409, code="round_live")
    refused(floor, "POST", f"{hand.table}/close", None, status=409, code="round_live")
    refused(floor, "POST", f"{hand.table}/turn/end", {}, status=409, code="round_live")
    refused(
        floor,
        "POST",
        f"{hand.table}/offers",
        {"seat": 4, "answer": "declined"},
        status=409,
        code="round_live",
    )


def test_a_tables_own_limits_hold(hand: Hand, dealer: Caller, running: Cast) -> None:
    running.send(
        table_set,
        "floor",
        **table_settings(
            running.room,
            rulebook="california",
            options={},
            schedule_id=running.schedule(1).pk,
            wager_limits={"pair_plus": [200, 300]},
        ),
    )
    hand.open()
    bets = {"positions": [{"seat": 4, "wagers": {"ante": 500, "pair_plus": 400}}]}
    named = "positions[0].wagers.pair_plus"
    refused(
        dealer,
        "PUT",
        f"{hand.table}/rounds/current/bets",
        bets,
        status=422,
        code="outside_table_limits",
        path_named=named,
    )


def test_seats_that_are_taken_empty_or_live_are_told_so(hand: Hand, dealer: Caller, running: Cast) -> None:
    seats = f"{hand.table}/seats"
    someone = {"player_id": running.waiting[0].pk}
    refused(dealer, "PUT", f"{seats}/5", someone, status=409, code="seat_taken")
    refused(dealer, "PUT", f"{seats}/8", someone, status=409, code="bad_seat")
    refused(
        dealer,
        "PUT",
        f"{seats}/5",
        {"player_id": 999999},
        status=422,
        code="unknown_player",
        path_named="player_id",
    )
    refused(dealer, "POST", f"{seats}/5/move", {"to_seat": 6}, status=409, code="seat_taken")
    hand.open()
    hand.bet({4: 1000})
    refused(dealer, "DELETE", f"{seats}/4", None, status=409, code="seat_live")
    refused(dealer, "POST", f"{seats}/3/move", {"to_seat": 7}, status=409, code="seat_live")
    assert dealer.delete(f"{seats}/5").status == 200
    refused(dealer, "DELETE", f"{seats}/5", None, status=409, code="seat_empty")
    refused(
        dealer, "PUT", f"{seats}/5", {"player_id": running.players[4].pk}, status=409, code="player_elsewhere"
    )


def test_the_house_may_not_bank(dealer: Caller, running: Cast) -> None:
    table = f"tables/{running.table.pk}"
    assert dealer.delete(f"{table}/seats/4").status == 200
    assert dealer.put(f"{table}/seats/4", {"player_id": running.waiting[-1].pk}).status == 200
    assert dealer.post(f"{table}/turn/end", {}).status == 200
    offer = {"seat": 4, "answer": "accepted"}
    refused(dealer, "POST", f"{table}/offers", offer, status=409, code="staff_cannot_bank")
    why_missing = {"seat": 4, "answer": "ineligible"}
    refused(
        dealer,
        "POST",
        f"{table}/offers",
        why_missing,
        status=422,
        code="reason_required",
        path_named="reason",
    )
    fields = {"seat": 4, "answer": "ineligible", "reason": "works for the house"}
    assert dealer.post(f"{table}/offers", fields).status == 200


def test_a_shift_is_opened_and_closed_once(cast: Cast) -> None:
    manager = Caller(cast, "shift_manager")
    shifts = f"rooms/{cast.room.pk}/shifts"
    opened = manager.post(shifts, {"name": "Day"})
    assert opened.status == 200
    refused(manager, "POST", shifts, {"name": "Swing"}, status=409, code="shift_open")
    close = f"{shifts}/{opened.said['shift']}/close"
    assert manager.post(close).status == 200
    refused(manager, "POST", close, None, status=409, code="shift_closed")
    refused(manager, "POST", shifts, {"name": "Day"}, status=409, code="shift_exists")
    refused(manager, "POST", f"{shifts}/999999/close", None, status=409, code="no_shift")
    refused(manager, "POST", shifts, {"name": "  "}, status=400, code="empty", path_named="name")
    refused(manager, "POST", shifts, {"name": "x" * 21}, status=400, code="too_long", path_named="name")
    refused(Caller(cast, "floor"), "POST", f"tables/{cast.table.pk}/open", None, status=409, code="no_shift")
