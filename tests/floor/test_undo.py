"""One step back within a round or a run of offers: an act of its own that names the entry it takes back."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from cardroom.floor.acts.bank import offer_answer, turn_renew
from cardroom.floor.acts.rounds import (
    bank_wager_set,
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_void,
)
from cardroom.floor.acts.seats import player_leave
from cardroom.floor.acts.undo import bets_reopen, undo
from cardroom.floor.checks import why_not_reopen_bets
from cardroom.floor.errors import BadInput, Forbidden, NotNow
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import JournalEntry, Offer, Round, Table, Transfer, Turn, Withdrawal
from cardroom.floor.reads.views import table_view
from cardroom.people.models import Role
from tests.reports.acts import of_table, report

from .house import House

pytestmark = pytest.mark.postgresql


def live() -> Round:
    return Round.objects.get(state__in=["betting", "dealt"])


def antes() -> dict[int, int]:
    return {bet["seat"]: bet["wagers"]["ante"] for bet in live().bets}


def says() -> str | None:
    step = table_view(Table.objects.get()).step_back
    return None if step is None else step.says


def place(house: House, seat: int, cents: int | None) -> None:
    house.send(bets_place, positions=[{"seat": seat, "wagers": {} if cents is None else {"ante": cents}}])


def signed(house: House, **more: Any) -> dict[str, Any]:
    return house.send(undo, **{"reason": "tapped too early", "approver": house.floor, **more})


def test_wagers_go_back_step_by_step_to_where_betting_opened(open_house: House) -> None:
    house = open_house
    house.bet({4: 1000, 5: 2000})
    place(house, 4, 1500)
    place(house, 5, None)
    assert (antes(), says()) == ({4: 1500}, "seat 5's wagers")
    assert house.send(undo)["undone"] == "seat 5's wagers"
    assert (antes(), says()) == ({4: 1500, 5: 2000}, "seat 4's wagers")
    house.send(undo)
    assert (antes(), says()) == ({4: 1000, 5: 2000}, "wagers of seats 4, 5")
    house.send(undo)
    assert (antes(), says()) == ({}, None)
    with pytest.raises(NotNow, match="no step to take back") as refused:
        house.send(undo)
    assert refused.value.code == "nothing_to_undo"


def test_a_step_after_an_undo_is_the_next_to_go_back(open_house: House) -> None:
    open_house.bet({4: 1000})
    place(open_house, 5, 700)
    open_house.send(undo)
    place(open_house, 6, 900)
    assert says() == "seat 6's wagers"
    open_house.send(undo)
    assert (antes(), says()) == ({4: 1000}, "seat 4's wagers")


def test_an_undo_is_an_entry_that_names_the_one_it_takes_back(open_house: House) -> None:
    open_house.bet({4: 1000})
    place(open_house, 4, 2000)
    placed = JournalEntry.objects.filter(act="bets_place").latest("seq")
    assert placed.data["bets"][0]["wagers"] == {"ante": 2000}
    open_house.send(undo)
    entry = JournalEntry.objects.get(act="undo")
    assert (entry.data["undoes"], entry.data["act"], entry.actor) == (
        placed.seq,
        "bets_place",
        open_house.dealer,
    )
    assert entry.data["before"][0]["wagers"] == {"ante": 2000}
    assert entry.data["after"][0]["wagers"] == {"ante": 1000}
    assert list(chain_breaks(Table.objects.get())) == []


@pytest.mark.clause("california:fees.5")
def test_no_more_bets_is_taken_back_in_ten_seconds_without_a_signature(open_house: House) -> None:
    house = open_house
    house.bet({4: 1000, 5: 2000})
    with pytest.raises(NotNow) as early:
        house.send(bets_reopen)
    assert early.value.code == "bets_open"
    house.send(bets_close, action_seat=5)
    number, fees = live().number, live().fees
    assert house.send(bets_reopen)["act"] == "bets_close"
    round_ = live()
    assert (round_.state, round_.fees, round_.shift, round_.bets_closed_at) == ("betting", [], None, None)
    assert antes() == {4: 1000, 5: 2000}
    moved = list(Transfer.objects.filter(reverses__isnull=True))
    assert sum(transfer.cents for transfer in moved) == sum(fee["cents"] for fee in fees) > 0
    for transfer in moved:
        back = transfer.reversals.get()
        assert (back.source, back.target, back.cents) == (transfer.target, transfer.source, transfer.cents)
    closed = JournalEntry.objects.get(act="bets_close")
    entry = JournalEntry.objects.get(act="undo")
    assert (entry.data["undoes"], entry.data["refunded"], entry.actor) == (closed.seq, fees, house.dealer)
    assert 0 <= entry.data["after_seconds"] <= 10
    assert list(chain_breaks(Table.objects.get())) == []
    # It is the last step no more, and the round goes on to its end under the same number.
    with pytest.raises(NotNow) as again:
        house.send(bets_reopen)
    assert again.value.code == "bets_open"
    place(house, 6, 500)
    house.send(bets_close)
    house.send(round_deal)
    house.settle({4: 1000, 5: 2000, 6: 500})
    settled = Round.objects.get()
    assert (settled.state, settled.number) == ("settled", number)


def test_no_more_bets_stands_after_ten_seconds_and_once_a_card_is_out(open_house: House) -> None:
    house = open_house
    house.bet({4: 1000})
    house.send(bets_close)
    closed_at = live().bets_closed_at
    assert closed_at is not None
    for seconds, code in ((10, None), (11, "too_late"), (3600, "too_late")):
        view = table_view(Table.objects.get(), closed_at + datetime.timedelta(seconds=seconds))
        why = why_not_reopen_bets(view)
        assert (why.code if why else None) == code, seconds
    Round.objects.update(bets_closed_at=closed_at - datetime.timedelta(seconds=11))
    with pytest.raises(NotNow, match="second person") as late:
        house.send(bets_reopen)
    assert late.value.code == "too_late"
    Round.objects.update(bets_closed_at=closed_at)
    house.send(round_deal)
    with pytest.raises(NotNow) as dealt:
        house.send(bets_reopen)
    assert dealt.value.code == "cards_out"
    signed(house)  # the deal was a slip: bets stay closed all the same
    with pytest.raises(NotNow) as stands:
        house.send(bets_reopen)
    assert stands.value.code == "cards_out"
    assert live().state == "dealt"
    assert not Transfer.objects.filter(reverses__isnull=False).exists()


def test_repeated_wagers_and_the_banks_wager_go_back(open_house: House) -> None:
    open_house.play({4: 1000, 5: 2000})
    open_house.send(round_open, bank_wager_cents=20000, repeat_bets=True)
    open_house.send(bank_wager_set, bank_wager_cents=30000)
    assert says() == "the bank's wager of $300"
    open_house.send(undo)
    assert live().bank_wager_cents == 20000
    assert says() == "the repeated wagers"
    open_house.send(undo)
    assert live().bets == []
    assert says() is None, "nobody goes back beyond the opening of the round"


def test_wagers_of_somebody_who_has_left_do_not_come_back(open_house: House) -> None:
    open_house.bet({4: 1000, 5: 2000})
    place(open_house, 4, None)
    open_house.send(player_leave, seat=4)
    with pytest.raises(NotNow, match="Dee no longer sits at seat 4") as refused:
        open_house.send(undo)
    assert refused.value.code == "cannot_undo"
    assert antes() == {5: 2000}


@pytest.mark.clause("california:dealing.5", "california:fees.5")
def test_no_more_bets_is_taken_back_before_the_first_card_with_a_second_person(open_house: House) -> None:
    house = open_house
    house.bet({4: 1000, 5: 2000})
    house.send(bets_close, action_seat=5)
    with pytest.raises(BadInput, match="needs a reason"):
        house.send(undo, approver=house.floor)
    with pytest.raises(BadInput, match="second person's signature"):
        house.send(undo, reason="tapped too early")
    with pytest.raises(Forbidden, match="second person"):
        house.send(undo, house.floor, reason="tapped too early", approver=house.floor)
    with pytest.raises(Forbidden, match="approve a correction"):
        signed(house, approver=house.people[Role.COMPLIANCE])
    assert signed(house)["act"] == "bets_close"
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
    entry = JournalEntry.objects.get(act="undo")
    assert (entry.reason, entry.data["approved_by"]["id"]) == ("tapped too early", house.floor.pk)
    # The wagers change, bets close again, and the report ties out: the fees that went back are in no sum.
    place(house, 6, 500)
    house.send(bets_close)
    house.send(round_deal)
    house.settle({4: 1000, 5: 2000, 6: 500})
    made = report(house)
    assert made.sums["differences"] == []
    sums = of_table(made)
    assert (sums["player_fees_cents"], sums["bank_fees_cents"], sums["fees_refunded_cents"]) == (300, 100, 0)
    assert sums["drop_expected_cents"] == 400


def test_a_round_that_was_opened_again_and_voided_leaves_no_fee(open_house: House) -> None:
    open_house.bet({4: 1000})
    open_house.send(bets_close)
    signed(open_house)
    open_house.send(round_void, reason="device failure", approver=open_house.floor)
    made = report(open_house)
    assert made.sums["differences"] == []
    assert of_table(made)["drop_expected_cents"] == 0


def test_a_deal_that_was_tapped_by_mistake_is_taken_back_and_wagers_stay_closed(open_house: House) -> None:
    house = open_house
    house.deal({4: 1000})
    assert says() == "the deal"
    with pytest.raises(BadInput, match="needs a reason"):
        house.send(undo)
    signed(house)
    assert live().dealt_at is None
    # A deal was recorded in this round: "no more bets" stands, whoever says that no card was out.
    assert says() is None
    with pytest.raises(NotNow):
        signed(house)
    house.send(round_deal)
    assert live().dealt_at is not None
    assert house.settle({4: 1000})["state"] == "settled"


def test_what_has_ended_is_not_undone(open_house: House) -> None:
    open_house.play({4: 1000})
    assert says() is None
    with pytest.raises(NotNow, match="is corrected"):
        open_house.send(undo)


def test_an_answer_recorded_by_mistake_is_withdrawn_and_the_seat_asked_again(house: House) -> None:
    house.open()
    for seat in (1, 2):
        house.send(offer_answer, seat=seat, answer="declined")
    assert says() == "seat 2's answer (declined)"
    house.send(undo)
    assert house.step().seat == 2
    assert says() == "seat 1's answer (declined)"
    assert house.send(offer_answer, seat=2, answer="accepted")["answer"] == "accepted"
    withdrawn = Withdrawal.objects.get()
    assert (withdrawn.offer.seat, withdrawn.offer.answer, withdrawn.withdrawn_by) == (
        2,
        "declined",
        house.dealer,
    )
    assert list(Offer.objects.filter(seat=2).order_by("id").values_list("attempt", "answer")) == [
        (0, "declined"),
        (1, "accepted"),
    ]


@pytest.mark.clause("california:type.5")
def test_a_bank_that_never_was_accepted_is_taken_back_and_the_run_of_offers_goes_on(
    open_house: House,
) -> None:
    house = open_house
    house.play({4: 1000})
    house.play({4: 1000})
    house.send(offer_answer, seat=4, answer="declined")
    house.send(offer_answer, seat=5, answer="accepted")
    house.send(undo)
    view = table_view(Table.objects.get())
    assert view.turn is None
    assert (view.step.kind, view.step.seat) == ("offer", 5)
    assert [offer.seat for offer in view.offers] == [4]
    turn = Turn.objects.get(seat=5)
    assert (turn.ended_why, turn.rounds) == ("mistake", 0)
    assert says() == "seat 4's answer (declined)"
    house.send(offer_answer, seat=5, answer="declined")
    house.send(offer_answer, seat=6, answer="accepted")
    house.play({4: 1000})
    made = report(house)
    assert made.sums["over_limit"] == []
    sums = of_table(made)
    assert sums["turns_begun"] == 2
    assert sums["offers"] == {"accepted": 2, "declined": 4, "absent": 0, "ineligible": 0}
    assert made.sums["differences"] == []


def test_the_last_bank_is_offered_it_again_after_everybody_declined_a_mistaken_acceptance(
    open_house: House,
) -> None:
    house = open_house
    house.play({4: 1000})
    house.play({4: 1000})
    house.send(offer_answer, seat=4, answer="accepted")
    house.send(undo)
    for seat in (4, 5, 6, 7, 1, 2):
        assert house.step().seat == seat
        house.send(offer_answer, seat=seat, answer="declined")
    assert (house.step().kind, house.step().seat) == ("offer", 3)


def test_offers_that_led_to_a_new_turn_stand(open_house: House) -> None:
    house = open_house
    house.play({4: 1000})
    house.play({4: 1000})
    for seat in (4, 5, 6, 7, 1, 2):
        house.send(offer_answer, seat=seat, answer="declined")
    house.send(turn_renew)
    assert says() is None


def test_an_answer_of_somebody_who_has_left_stands(house: House) -> None:
    house.open()
    house.send(offer_answer, seat=1, answer="absent")
    house.send(player_leave, seat=1)
    with pytest.raises(NotNow, match="Ana no longer sits at seat 1"):
        house.send(undo)


def test_the_database_keeps_withdrawals(house: House) -> None:
    house.open()
    house.send(offer_answer, seat=1, answer="declined")
    house.send(undo)
    with pytest.raises(IntegrityError, match="floor_withdrawal"), transaction.atomic():
        Withdrawal.objects.all().delete()
    with pytest.raises(IntegrityError, match="floor_withdrawal"), transaction.atomic():
        Withdrawal.objects.update(withdrawn_at=None)


def test_an_outsider_undoes_nothing(open_house: House) -> None:
    open_house.bet({4: 1000})
    other = open_house.people[Role.COMPLIANCE]
    with pytest.raises(Forbidden, match="run rounds"):
        open_house.send(undo, other)
    assert antes() == {4: 1000}
