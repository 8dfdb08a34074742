"""One step back within a round or a run of offers: a command of its own that names the entry it takes back."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from cardroom.floor.checks.undo import why_not_reopen_bets
from cardroom.floor.commands.bank import offer_answer, turn_renew
from cardroom.floor.commands.rounds import (
    bank_wager_set,
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_void,
)
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.commands.undo import bets_reopen, undo
from cardroom.floor.errors import BadInput, Forbidden, NotNow
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, Offer, Round, Transfer, Turn, Withdrawal
from cardroom.floor.reads.table_state import read_table
from tests.cast import Cast, table_7
from tests.reports.commands import of_table, report


def live() -> Round:
    return Round.objects.get(state__in=["betting", "bets_closed"])


def antes() -> dict[int, int]:
    return {bet["seat"]: bet["wagers"]["ante"] for bet in live().bets}


def text() -> str | None:
    step = read_table(table_7()).step_back
    return None if step is None else step.text


def place(cast: Cast, seat: int, cents: int | None) -> None:
    cast.send(bets_place, positions=[{"seat": seat, "wagers": {} if cents is None else {"ante": cents}}])


def signed(cast: Cast, **more: Any) -> dict[str, Any]:
    return cast.send(undo, **{"reason": "tapped too early", "approver": cast.people["floor"], **more})


def test_wagers_go_back_step_by_step_to_where_betting_opened(running: Cast) -> None:
    running.bet({4: 1000, 5: 2000})
    place(running, 4, 1500)
    place(running, 5, None)
    assert (antes(), text()) == ({4: 1500}, "seat 5's wagers")
    assert running.send(undo)["undone"] == "seat 5's wagers"
    assert (antes(), text()) == ({4: 1500, 5: 2000}, "seat 4's wagers")
    running.send(undo)
    assert (antes(), text()) == ({4: 1000, 5: 2000}, "wagers of seats 4, 5")
    running.send(undo)
    assert (antes(), text()) == ({}, None)
    with pytest.raises(NotNow, match="no step to undo") as refused:
        running.send(undo)
    assert refused.value.code == "nothing_to_undo"


def test_a_step_after_an_undo_is_the_next_to_go_back(running: Cast) -> None:
    running.bet({4: 1000})
    place(running, 5, 700)
    running.send(undo)
    place(running, 6, 900)
    assert text() == "seat 6's wagers"
    running.send(undo)
    assert (antes(), text()) == ({4: 1000}, "seat 4's wagers")


def test_an_undo_is_an_entry_that_names_the_one_it_takes_back(running: Cast) -> None:
    running.bet({4: 1000})
    place(running, 4, 2000)
    placed = JournalEntry.objects.filter(command="bets_place").latest("seq")
    assert placed.data["bets"][0]["wagers"] == {"ante": 2000}
    running.send(undo)
    entry = JournalEntry.objects.get(command="undo")
    assert (entry.data["undoes"], entry.data["command"], entry.actor) == (
        placed.seq,
        "bets_place",
        running.people["dealer"],
    )
    assert entry.data["before"][0]["wagers"] == {"ante": 2000}
    assert entry.data["after"][0]["wagers"] == {"ante": 1000}
    assert list(chain_breaks(table_7())) == []


@pytest.mark.clause("california:fees.5")
def test_no_more_bets_is_taken_back_in_ten_seconds_without_a_signature(running: Cast) -> None:
    running.bet({4: 1000, 5: 2000})
    with pytest.raises(NotNow) as early:
        running.send(bets_reopen)
    assert early.value.code == "bets_open"
    running.send(bets_close, action_seat=5)
    number, fees = live().number, live().fees
    assert running.send(bets_reopen)["command"] == "bets_close"
    round_ = live()
    assert (round_.state, round_.fees, round_.shift, round_.bets_closed_at) == ("betting", [], None, None)
    assert antes() == {4: 1000, 5: 2000}
    moved = list(Transfer.objects.filter(reverses__isnull=True))
    assert sum(transfer.cents for transfer in moved) == sum(fee["cents"] for fee in fees) > 0
    for transfer in moved:
        back = transfer.reversals.get()
        assert (back.source, back.target, back.cents) == (transfer.target, transfer.source, transfer.cents)
    closed = JournalEntry.objects.get(command="bets_close")
    entry = JournalEntry.objects.get(command="undo")
    assert (entry.data["undoes"], entry.data["refunded"], entry.actor) == (
        closed.seq,
        fees,
        running.people["dealer"],
    )
    assert 0 <= entry.data["after_seconds"] <= 10
    assert list(chain_breaks(table_7())) == []
    # It is the last step no more, and the round goes on to its end under the same number.
    with pytest.raises(NotNow) as again:
        running.send(bets_reopen)
    assert again.value.code == "bets_open"
    place(running, 6, 500)
    running.send(bets_close)
    running.send(round_deal)
    running.settle({4: 1000, 5: 2000, 6: 500})
    settled = Round.objects.get()
    assert (settled.state, settled.number) == ("settled", number)


def test_no_more_bets_stands_after_ten_seconds_and_once_a_card_is_out(running: Cast) -> None:
    running.bet({4: 1000})
    running.send(bets_close)
    closed_at = live().bets_closed_at
    assert closed_at is not None
    for seconds, code in ((10, None), (11, "too_late"), (3600, "too_late")):
        state = read_table(table_7(), closed_at + datetime.timedelta(seconds=seconds))
        why = why_not_reopen_bets(state)
        assert (why.code if why else None) == code, seconds
    Round.objects.update(bets_closed_at=closed_at - datetime.timedelta(seconds=11))
    with pytest.raises(NotNow, match="second person") as late:
        running.send(bets_reopen)
    assert late.value.code == "too_late"
    Round.objects.update(bets_closed_at=closed_at)
    running.send(round_deal)
    with pytest.raises(NotNow) as dealt:
        running.send(bets_reopen)
    assert dealt.value.code == "cards_out"
    signed(running)  # the deal was a slip: bets stay closed all the same
    with pytest.raises(NotNow) as stands:
        running.send(bets_reopen)
    assert stands.value.code == "cards_out"
    assert live().state == "bets_closed"
    assert not Transfer.objects.filter(reverses__isnull=False).exists()


def test_repeated_wagers_and_the_banks_wager_go_back(running: Cast) -> None:
    running.play({4: 1000, 5: 2000})
    running.send(round_open, bank_wager_cents=20000, repeat_bets=True)
    running.send(bank_wager_set, bank_wager_cents=30000)
    assert text() == "the player-dealer wager of $300"
    running.send(undo)
    assert live().bank_wager_cents == 20000
    assert text() == "the repeated wagers"
    running.send(undo)
    assert live().bets == []
    assert text() is None, "nobody goes back beyond the opening of the round"


def test_wagers_of_somebody_who_has_left_do_not_come_back(running: Cast) -> None:
    running.bet({4: 1000, 5: 2000})
    place(running, 4, None)
    running.send(player_leave, seat=4)
    with pytest.raises(NotNow, match="Dee no longer sits at seat 4") as refused:
        running.send(undo)
    assert refused.value.code == "cannot_undo"
    assert antes() == {5: 2000}


@pytest.mark.clause("california:dealing.5", "california:fees.5")
def test_no_more_bets_is_taken_back_before_the_first_card_with_a_second_person(running: Cast) -> None:
    running.bet({4: 1000, 5: 2000})
    running.send(bets_close, action_seat=5)
    with pytest.raises(BadInput, match="needs a reason"):
        running.send(undo, approver=running.people["floor"])
    with pytest.raises(BadInput, match="second person's signature"):
        running.send(undo, reason="tapped too early")
    with pytest.raises(Forbidden, match="second person"):
        running.send(undo, "floor", reason="tapped too early", approver=running.people["floor"])
    with pytest.raises(Forbidden, match="approve a correction"):
        signed(running, approver=running.people["compliance"])
    assert signed(running)["command"] == "bets_close"
    round_ = live()
    assert (round_.state, round_.fees, round_.shift, round_.total_table_action_cents) == (
        "betting",
        [],
        None,
        0,
    )
    assert (round_.bets_closed_at, round_.action_seat, round_.bank_fee_band) == (None, None, "")
    dropped = Transfer.objects.filter(reverses__isnull=True)
    assert {t.reversals.get().cents for t in dropped} == {100}
    assert all((t.reversals.get().source, t.reversals.get().target) == (t.target, t.source) for t in dropped)
    entry = JournalEntry.objects.get(command="undo")
    assert (entry.reason, entry.data["approved_by"]["id"]) == ("tapped too early", running.people["floor"].pk)
    # The wagers change, bets close again, and the report ties out: the fees that went back are in no sum.
    place(running, 6, 500)
    running.send(bets_close)
    running.send(round_deal)
    running.settle({4: 1000, 5: 2000, 6: 500})
    made = report(running)
    assert made.typed_figures["differences"] == []
    sums = of_table(made)
    assert (sums["player_fees_cents"], sums["bank_fees_cents"], sums["fees_refunded_cents"]) == (300, 100, 0)
    assert sums["drop_expected_cents"] == 400


def test_a_round_that_was_opened_again_and_voided_leaves_no_fee(running: Cast) -> None:
    running.bet({4: 1000})
    running.send(bets_close)
    signed(running)
    running.send(round_void, reason="device failure", approver=running.people["floor"])
    made = report(running)
    assert made.typed_figures["differences"] == []
    assert of_table(made)["drop_expected_cents"] == 0


def test_a_deal_that_was_tapped_by_mistake_is_taken_back_and_wagers_stay_closed(running: Cast) -> None:
    running.deal({4: 1000})
    assert text() == "the deal"
    with pytest.raises(BadInput, match="needs a reason"):
        running.send(undo)
    signed(running)
    assert live().dealt_at is None
    # A deal was recorded in this round: "no more bets" stands, whoever says that no card was out.
    assert text() is None
    with pytest.raises(NotNow):
        signed(running)
    running.send(round_deal)
    assert live().dealt_at is not None
    assert running.settle({4: 1000})["state"] == "settled"


def test_what_has_ended_is_not_undone(running: Cast) -> None:
    running.play({4: 1000})
    assert text() is None
    with pytest.raises(NotNow, match="is corrected"):
        running.send(undo)


def test_an_answer_recorded_by_mistake_is_withdrawn_and_the_seat_asked_again(cast: Cast) -> None:
    cast.open()
    for seat in (1, 2):
        cast.send(offer_answer, seat=seat, answer="declined")
    assert text() == "seat 2's answer (declined)"
    cast.send(undo)
    assert cast.state().step.seat == 2
    assert text() == "seat 1's answer (declined)"
    assert cast.send(offer_answer, seat=2, answer="accepted")["answer"] == "accepted"
    withdrawn = Withdrawal.objects.get()
    assert (withdrawn.offer.seat, withdrawn.offer.answer, withdrawn.withdrawn_by) == (
        2,
        "declined",
        cast.people["dealer"],
    )
    assert list(Offer.objects.filter(seat=2).order_by("id").values_list("attempt", "answer")) == [
        (0, "declined"),
        (1, "accepted"),
    ]


@pytest.mark.clause("california:type.5")
def test_a_bank_that_never_was_accepted_is_taken_back_and_the_run_of_offers_goes_on(
    running: Cast,
) -> None:
    running.play({4: 1000})
    running.play({4: 1000})
    running.send(offer_answer, seat=4, answer="declined")
    running.send(offer_answer, seat=5, answer="accepted")
    running.send(undo)
    state = read_table(table_7())
    assert state.turn is None
    assert (state.step.kind, state.step.seat) == ("offer", 5)
    assert [offer.seat for offer in state.offers] == [4]
    turn = Turn.objects.get(seat=5)
    assert (turn.ended_why, turn.rounds) == ("mistake", 0)
    assert text() == "seat 4's answer (declined)"
    running.send(offer_answer, seat=5, answer="declined")
    running.send(offer_answer, seat=6, answer="accepted")
    running.play({4: 1000})
    made = report(running)
    assert made.typed_figures["over_limit"] == []
    sums = of_table(made)
    assert sums["turns_begun"] == 2
    assert sums["offers"] == {"accepted": 2, "declined": 4, "absent": 0, "ineligible": 0}
    assert made.typed_figures["differences"] == []


def test_the_last_bank_is_offered_it_again_after_everybody_declined_a_mistaken_acceptance(
    running: Cast,
) -> None:
    running.play({4: 1000})
    running.play({4: 1000})
    running.send(offer_answer, seat=4, answer="accepted")
    running.send(undo)
    for seat in (4, 5, 6, 7, 1, 2):
        assert running.state().step.seat == seat
        running.send(offer_answer, seat=seat, answer="declined")
    assert (running.state().step.kind, running.state().step.seat) == ("offer", 3)


def test_offers_that_led_to_a_new_turn_stand(running: Cast) -> None:
    running.play({4: 1000})
    running.play({4: 1000})
    for seat in (4, 5, 6, 7, 1, 2):
        running.send(offer_answer, seat=seat, answer="declined")
    running.send(turn_renew)
    assert text() is None


def test_an_answer_of_somebody_who_has_left_stands(cast: Cast) -> None:
    cast.open()
    cast.send(offer_answer, seat=1, answer="absent")
    cast.send(player_leave, seat=1)
    with pytest.raises(NotNow, match="Ana no longer sits at seat 1"):
        cast.send(undo)


@pytest.mark.postgresql
def test_the_database_keeps_withdrawals(cast: Cast) -> None:
    cast.open()
    cast.send(offer_answer, seat=1, answer="declined")
    cast.send(undo)
    with pytest.raises(IntegrityError, match="floor_withdrawal"), transaction.atomic():
        Withdrawal.objects.all().delete()
    with pytest.raises(IntegrityError, match="floor_withdrawal"), transaction.atomic():
        Withdrawal.objects.update(withdrawn_at=None)


def test_an_outsider_undoes_nothing(running: Cast) -> None:
    running.bet({4: 1000})
    other = running.people["compliance"]
    with pytest.raises(Forbidden, match="run rounds"):
        running.send(undo, other)
    assert antes() == {4: 1000}
