"""A round's way: states, money and refusals (rulings 13, 40 to 44)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Sum

from cardroom.floor.commands.bank import offer_answer, turn_end
from cardroom.floor.commands.rounds import (
    bank_wager_set,
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_settle,
    round_void,
)
from cardroom.floor.commands.seats import player_leave, player_move
from cardroom.floor.commands.tables import table_close, table_set
from cardroom.floor.errors import BadInput, FloorError, Forbidden, NotNow
from cardroom.floor.models import JournalEntry, Round, Shift, StoredAnswer, Table, Transfer
from cardroom.people.models import Staff
from cardroom.people.names import named
from cardroom.rooms.models import Room
from tests.cast import BANK_HAND, HANDS, JACK_HIGH, Cast
from tests.filing import table_settings


def moved(kind: str, **where: Any) -> int:
    return Transfer.objects.filter(kind=kind, **where).aggregate(cents=Sum("cents"))["cents"] or 0


def everything() -> tuple[Any, ...]:
    """What a refused command must leave as it was."""
    return (
        list(Table.objects.order_by("pk").values()),
        list(Round.objects.order_by("pk").values()),
        Transfer.objects.count(),
        JournalEntry.objects.count(),
        StoredAnswer.objects.count(),
    )


def refused(
    cast: Cast, code: str, command: Any, actor: str | Staff = "dealer", /, **arguments: Any
) -> FloorError:
    """Give a command that must be refused with `code`, and see that it left nothing behind."""
    before = everything()
    with pytest.raises(FloorError) as caught:
        cast.send(command, actor, **arguments)
    assert caught.value.code == code
    assert everything() == before
    return caught.value


@pytest.mark.postgresql
@pytest.mark.clause("california:fees.5")
def test_fees_are_quoted_and_dropped_when_bets_close(running: Cast) -> None:
    running.bet({4: 5000, 5: 5050})
    assert Transfer.objects.count() == 0
    running.send(bets_close)
    round_ = Round.objects.get()
    assert round_.state == "bets_closed"
    assert (round_.total_table_action_cents, round_.player_fees_cents, round_.bank_fee_cents) == (
        10050,
        200,
        100,
    )
    assert moved("fee", target="drop") == 300
    dropped = Transfer.objects.filter(kind="fee").values_list("source", "seat", "player", "cents")
    assert sorted(dropped) == [
        ("bank", round_.bank_seat, round_.bank_player_id, 100),
        *(("seat", seat, running.players[seat].pk, 100) for seat in (4, 5)),
    ]
    assert (round_.schedule_version, round_.schedule.number) == (1, 1)
    assert round_.bank_fee_band == "$5 - $100"


def test_the_upper_band_begins_at_its_lower_bound(running: Cast) -> None:
    running.bet({4: 5000, 5: 5100})
    running.send(bets_close)
    round_ = Round.objects.get()
    assert (round_.bank_fee_cents, round_.bank_fee_band) == (200, "$101+")


@pytest.mark.postgresql
def test_a_settled_round_moves_what_its_lines_say(running: Cast) -> None:
    answer = running.play({4: 1000, 5: 2000, 2: 1500}, hands={4: JACK_HIGH})
    round_ = Round.objects.get()
    lines = answer["settlement"]["lines"]
    assert round_.state == "settled"
    assert moved("take") == sum(line["taken"] for line in lines) == round_.taken_cents > 0
    assert moved("pay") == sum(line["paid"] for line in lines) == round_.paid_cents > 0
    assert answer["settlement"]["drop"] == moved("fee")
    assert round_.turn.rounds == round_.turn_round == 1


@pytest.mark.postgresql
def test_a_tip_that_wins_goes_to_the_tip_box_whole(running: Cast) -> None:
    running.send(round_open, bank_wager_cents=20000)
    running.send(bets_place, positions=[{"seat": 2, "wagers": {"ante": 1000}, "tips": {"ante": 200}}])
    running.send(bets_close)
    running.send(round_deal)
    position = {"seat": 2, "hand": HANDS[2], "decision": "play", "tips": {"play": 100}}
    running.send(round_settle, bank_hand=BANK_HAND, positions=[position])
    assert moved("tip", source="seat", target="tips") == 300
    assert moved("pay", source="bank", target="tips") == 300
    assert Round.objects.get().tips_cents == 600


@pytest.mark.clause("california:type.4")
def test_what_the_bank_does_not_cover_goes_back(running: Cast) -> None:
    running.play({2: 1500, 4: 1000}, wager=2000, hands={4: JACK_HIGH})
    round_ = Round.objects.get()
    assert round_.exhausted
    # Settled from seat 4: its jack-high hand loses ante and play ($10 each), which uses the wager of $20 up.
    assert (round_.taken_cents, round_.paid_cents, round_.uncovered_cents) == (2000, 0, 3000)


@pytest.mark.clause("california:type.5")
def test_after_two_rounds_the_bank_must_be_offered(running: Cast) -> None:
    running.play({4: 1000})
    running.play({4: 1000})
    error = refused(running, "offer_due", round_open, bank_wager_cents=20000)
    assert "seat 4" in error.message
    refused(running, "offer_due_elsewhere", offer_answer, seat=5, answer="accepted")
    running.bank_to(5)
    assert running.play({4: 1000})["state"] == "settled"


def test_a_void_round_does_not_count_towards_the_turn(running: Cast) -> None:
    running.play({4: 1000})
    running.deal({4: 1000})
    running.send(round_void, reason="device failure", approver=running.people["shift_manager"])
    assert running.state().step.kind == "keep"
    running.play({4: 1000})
    assert running.state().step.kind == "offer"


def test_no_round_without_a_bank_that_was_offered_it(cast: Cast) -> None:
    cast.open()
    refused(cast, "no_bank", round_open, bank_wager_cents=20000)
    sheet = {
        "rulebook": "california",
        "bank": {"seat": 3, "wager": 20000},
        "bank_hand": BANK_HAND,
        "positions": [{"seat": 4, "hand": HANDS[4], "wagers": {"ante": 1000}, "decision": "play"}],
    }
    refused(cast, "no_bank", round_record, sheet=sheet)
    cast.bank_to(4)
    sheet["positions"][0]["seat"] = 5
    refused(cast, "bank_not_offered", round_record, sheet=sheet)


@pytest.mark.clause("california:dealing.5.3")
def test_a_bet_after_no_more_bets_is_refused(running: Cast) -> None:
    running.bet({4: 1000})
    running.send(bets_close)
    refused(running, "bets_closed", bets_place, positions=[{"seat": 5, "wagers": {"ante": 1000}}])
    refused(running, "bets_closed", bank_wager_set, bank_wager_cents=500)
    refused(running, "bets_closed", bets_close)


def test_a_round_at_a_closed_table_is_refused(running: Cast) -> None:
    running.send(table_close, "floor")
    refused(running, "table_closed", round_open, "floor", bank_wager_cents=20000)


@pytest.mark.parametrize(
    ("bets", "code", "path"),
    [
        ([{"seat": 4, "wagers": {"ante": 499}}], "outside_table_limits", "positions[0].wagers.ante"),
        ([{"seat": 4, "wagers": {"ante": 10001}}], "outside_table_limits", "positions[0].wagers.ante"),
        ([{"seat": 3, "wagers": {"ante": 1000}}], "bank_has_wagers", "positions[0].seat"),
        ([{"seat": 9, "wagers": {"ante": 1000}}], "seat_empty", "positions[0].seat"),
        ([{"seat": 4, "wagers": {"pair_plus": 1000}}], "wager_needs_ante", "positions[0].wagers.pair_plus"),
        ([{"seat": 4, "wagers": {"ante": 0}}], "bad_amount", "positions[0].wagers.ante"),
        ([{"seat": 4, "wagers": {"ante": 10**13}}], "bad_amount", "positions[0].wagers.ante"),
        ([{"seat": 4, "wagers": {"cover_all": 100}}], "wager_not_offered", "positions[0].wagers.cover_all"),
        ([{"seat": 4, "wagers": {}, "tips": {"ante": 100}}], "no_wager", "positions[0].wagers"),
        (
            [{"seat": 5, "wagers": {}}, {"seat": 4, "wagers": {"ante": 1000}, "tips": {"play": 100}}],
            "tip_needs_wager",
            "positions[1].tips.play",
        ),
    ],
)
def test_a_bad_wager_names_its_place(running: Cast, bets: list[Any], code: str, path: str) -> None:
    running.send(round_open, bank_wager_cents=20000)
    assert refused(running, code, bets_place, positions=bets).path == path


def test_wagers_outside_the_tables_own_limits_are_refused(running: Cast) -> None:
    schedule = running.room.feeschedule_versions.get(number=1)
    limits = {"pair_plus": [100, 5000]}
    settings = table_settings(running.room, schedule_id=schedule.pk, wager_limits=limits)
    running.send(table_set, "floor", **settings)
    running.send(round_open, bank_wager_cents=20000)
    bets = [{"seat": 4, "wagers": {"ante": 1000, "pair_plus": 5001}}]
    assert (
        refused(running, "outside_table_limits", bets_place, positions=bets).path
        == "positions[0].wagers.pair_plus"
    )


@pytest.mark.postgresql
@pytest.mark.clause("california:fees.6")
def test_what_is_played_and_charged_changes_between_rounds_only(running: Cast) -> None:
    running.bet({4: 1000})
    settings = table_settings(running.room, options={"coverage": "net"})
    refused(running, "round_live", table_set, "floor", **settings)


def test_a_live_seat_cannot_be_vacated(running: Cast) -> None:
    running.bet({4: 1000})
    refused(running, "seat_live", player_leave, seat=4)
    refused(running, "seat_live", player_leave, seat=3)
    running.send(player_leave, seat=7)


@pytest.mark.clause("california:dealing.5", "california:fees.5")
def test_cards_come_after_the_drop(running: Cast) -> None:
    running.bet({4: 1000})
    refused(running, "bets_open", round_deal)
    running.send(bets_close)
    positions = [{"seat": 4, "hand": HANDS[4], "decision": "play"}]
    refused(running, "not_dealt", round_settle, bank_hand=BANK_HAND, positions=positions)


@pytest.mark.parametrize(
    ("bank_hand", "positions", "code"),
    [
        ("Kh 7d", [{"seat": 4, "hand": HANDS[4], "decision": "play"}], "hand_size"),
        (BANK_HAND, [{"seat": 4, "hand": "Js 10h 5c", "decision": "play"}], "bad_card"),
        (BANK_HAND, [{"seat": 4, "hand": "Kh 8h 5c", "decision": "play"}], "duplicate_card"),
        (BANK_HAND, [{"seat": 4, "hand": HANDS[4]}], "decision_required"),
        (BANK_HAND, [{"seat": 4, "hand": HANDS[4], "decision": "surrender"}], "decision_not_allowed"),
        (BANK_HAND, [], "missing_key"),
        (BANK_HAND, [{"seat": 5, "hand": HANDS[5], "decision": "play"}], "bad_seat"),
    ],
)
def test_a_bad_hand_or_decision_leaves_the_round_as_it_was(
    running: Cast, bank_hand: str, positions: list[Any], code: str
) -> None:
    running.deal({4: 1000})
    refused(running, code, round_settle, bank_hand=bank_hand, positions=positions)
    assert running.settle({4: 1000})["state"] == "settled"


def test_a_whole_sheet_comes_to_the_same_as_its_steps(running: Cast) -> None:
    by_steps = running.play({4: 1000, 2: 1500})
    sheet = Round.objects.get().sheet
    recorded = running.send(round_record, sheet=sheet)
    assert recorded["settlement"] == by_steps["settlement"]
    assert Round.objects.get(pk=recorded["round"]).bets == Round.objects.get(pk=by_steps["round"]).bets
    first, second = (
        list(
            Transfer.objects.filter(round=pk)
            .order_by("id")
            .values_list("kind", "source", "target", "seat", "cents")
        )
        for pk in (by_steps["round"], recorded["round"])
    )
    assert first == second


def test_a_sheet_that_does_not_fit_the_table_is_refused(running: Cast) -> None:
    running.play({4: 1000})
    sheet = Round.objects.get().sheet
    position = sheet["positions"][0]
    refused(running, "options_differ", round_record, sheet={**sheet, "options": {"coverage": "net"}})
    high = {**sheet, "positions": [{**position, "wagers": {"ante": 5000}}], "options": {"fee_schedule": 2}}
    assert refused(running, "options_differ", round_record, sheet=high).path == "options.fee_schedule"
    stranger = {**sheet, "positions": [{**position, "player": "Zoe"}]}
    assert refused(running, "player_not_at_seat", round_record, sheet=stranger).path == "positions[0].player"
    unknown = {**sheet, "positions": [{**position, "hand": "Xx 2c 3d"}]}
    assert refused(running, "bad_card", round_record, sheet=unknown).path == "positions[0].hand"


def test_a_repeated_settlement_is_answered_alike_from_the_rounds_own_row(running: Cast) -> None:
    running.deal({4: 1000})
    given = running.meta()
    record: dict[str, Any] = {
        "bank_hand": BANK_HAND,
        "positions": [{"seat": 4, "hand": HANDS[4], "decision": "play"}],
    }
    first = round_settle(given, running.table.pk, **record)
    assert "settlement" not in StoredAnswer.objects.get(key=given.key).answer
    assert round_settle(given, running.table.pk, **record) == first
    assert first["settlement"] == named(Round.objects.get().settlement)


def test_bets_are_repeated_for_those_who_still_sit_there(running: Cast) -> None:
    running.play({4: 1000, 5: 2000})
    running.send(player_leave, seat=5)
    running.send(round_open, bank_wager_cents=20000, repeat_bets=True)
    assert [(bet["seat"], bet["wagers"]) for bet in Round.objects.first().bets] == [(4, {"ante": 1000})]


def test_rounds_of_a_table_are_numbered_without_gaps(running: Cast) -> None:
    running.play({4: 1000})
    running.bet({4: 1000})
    running.send(round_void, reason="wrong deal", approver=running.people["floor"])
    running.play({4: 1000})
    assert sorted(Round.objects.values_list("number", flat=True)) == [1, 2, 3]


class TestVoid:
    @pytest.mark.postgresql
    def test_before_the_deal_the_floor_approves_and_the_fees_go_back(self, running: Cast) -> None:
        Room.objects.filter(pk=running.room.pk).update(fees_on_void="keep")
        running.bet({4: 1000})
        running.send(bets_close)
        running.send(round_void, reason="a player's objection", approver=running.people["floor"])
        round_ = Round.objects.get()
        assert (round_.state, round_.refunded_cents) == ("void", 200)
        assert moved("fee") == moved("fee_refund") == 200

    def test_after_the_deal_it_takes_a_shift_manager(self, running: Cast) -> None:
        running.deal({4: 1000})
        refused(
            running, "approver_may_not", round_void, reason="exposed card", approver=running.people["floor"]
        )
        running.send(round_void, reason="exposed card", approver=running.people["shift_manager"])
        assert Round.objects.get().void_approved_by == running.people["shift_manager"]

    @pytest.mark.parametrize(("setting", "back"), [("refund", 200), ("keep", 0)])
    def test_after_the_deal_the_rooms_setting_decides_on_the_fees(
        self, running: Cast, setting: str, back: int
    ) -> None:
        Room.objects.filter(pk=running.room.pk).update(fees_on_void=setting)
        running.deal({4: 1000})
        running.send(round_void, reason="device failure", approver=running.people["shift_manager"])
        assert moved("fee_refund") == Round.objects.get().refunded_cents == back

    def test_nobody_approves_their_own_void(self, running: Cast) -> None:
        running.bet({4: 1000})
        floor = running.people["floor"]
        refused(running, "second_person_required", round_void, floor, reason="wrong deal", approver=floor)

    def test_a_stranger_approves_nothing(self, running: Cast) -> None:
        running.bet({4: 1000})
        stranger = running.people["rival_shift_manager"]
        refused(running, "approver_may_not", round_void, reason="wrong deal", approver=stranger)

    @pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
    def test_a_reason_is_asked_for(self, running: Cast, reason: str) -> None:
        running.bet({4: 1000})
        refused(running, "reason_required", round_void, reason=reason, approver=running.people["floor"])

    def test_a_settled_round_is_never_voided(self, running: Cast) -> None:
        running.play({4: 1000})
        refused(running, "no_round", round_void, reason="too late", approver=running.people["shift_manager"])


class TestBank:
    @pytest.mark.clause("california:winners.4.3")
    def test_the_house_may_not_bank(self, cast: Cast) -> None:
        cast.players[1].staff = cast.people["support"]
        cast.players[1].save()
        cast.open()
        refused(cast, "staff_cannot_bank", offer_answer, seat=1, answer="accepted")
        refused(cast, "reason_required", offer_answer, seat=1, answer="ineligible")
        cast.send(offer_answer, seat=1, answer="ineligible", reason="works here")
        assert cast.state().step.seat == 2

    def test_leaving_the_bank_ends_the_turn_and_the_offers_go_on_clockwise(self, running: Cast) -> None:
        running.play({4: 1000})
        running.send(turn_end)
        assert (running.state().step.kind, running.state().step.seat) == ("offer", 4)

    def test_who_gives_the_bank_up_and_moves_on_is_asked_last(self, cast: Cast) -> None:
        cast.open(seats=(1, 2, 3))
        cast.bank_to(3)
        cast.play({1: 1000})
        cast.play({1: 1000})
        cast.send(player_move, seat=3, to_seat=4)
        asked = []
        while cast.state().step.kind == "offer":
            asked.append(cast.state().step.seat)
            cast.send(offer_answer, seat=asked[-1], answer="declined")
        assert asked == [1, 2, 4]

    @pytest.mark.clause("california:type.5")
    def test_when_all_decline_the_last_bank_may_take_a_new_turn(self, running: Cast) -> None:
        from cardroom.floor.commands.bank import turn_renew

        running.play({4: 1000})
        running.play({4: 1000})
        refused(running, "not_all_declined", turn_renew)
        for seat in (4, 5, 6, 7, 1, 2):
            assert running.state().step.seat == seat
            running.send(offer_answer, seat=seat, answer="declined")
        assert running.state().step.kind == "renew"
        running.send(turn_renew)
        assert running.play({4: 1000})["state"] == "settled"
        renewed = Round.objects.first().turn
        assert (renewed.renewed, renewed.rounds, renewed.seat) == (True, 1, 3)


def test_a_dealer_works_at_the_table_of_the_open_down_only(running: Cast) -> None:
    from cardroom.floor.commands.seats import down_end

    running.send(down_end, "floor")
    with pytest.raises(Forbidden) as caught:
        running.send(round_open, bank_wager_cents=20000)
    assert caught.value.code == "not_your_table"


def test_errors_are_told_apart_by_kind() -> None:
    assert (NotNow.status, BadInput("x", "y").status, Forbidden.status) == (409, 422, 403)


class TestScheduleInForce:
    """Fees come from a schedule in force on the gaming day: a table does not go on with one that was superseded."""

    def test_a_table_on_a_closed_schedule_opens_no_round(self, running: Cast) -> None:
        close_schedule(running)
        error = refused(running, "schedule_not_in_force", round_open, bank_wager_cents=20000)
        assert "gaming day" in error.message

    def test_bets_do_not_close_on_a_schedule_that_ended_since_they_opened(self, running: Cast) -> None:
        running.bet({4: 1000})
        close_schedule(running)
        refused(running, "schedule_not_in_force", bets_close)
        running.send(round_void, reason="the schedule ended", approver=running.people["floor"])

    def test_a_table_is_not_set_to_one(self, running: Cast) -> None:
        closed = close_schedule(running)
        settings = table_settings(running.room, schedule_id=closed)
        refused(running, "schedule_not_in_force", table_set, "floor", **settings)


def close_schedule(cast: Cast) -> int:
    """Withdraw schedule 1 as of the gaming day of the open shift; return its id."""
    schedule = cast.room.feeschedule_versions.get(number=1)
    day = Shift.objects.get(closed_at__isnull=True).gaming_day
    type(schedule).objects.filter(pk=schedule.pk).update(status="withdrawn", effective_to=day)
    return schedule.pk
