"""What happens in a round and is written down: irregularities with what follows, a recut, the bank's card."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from cardroom.floor.acts.corrections import round_correct
from cardroom.floor.acts.incidents import bank_card_show, irregularity_report, recut_order
from cardroom.floor.acts.rounds import (
    bank_wager_set,
    bets_close,
    bets_place,
    round_deal,
    round_finish,
    round_record,
    round_settle,
    round_void,
)
from cardroom.floor.acts.undo import undo
from cardroom.floor.checks import why_nots
from cardroom.floor.models import JournalEntry, Procedure, Round, Table
from cardroom.floor.reads.records import round_record as round_record_state
from cardroom.floor.reads.state import round_state
from cardroom.rooms.models import Room
from games.irregularities import irregularity_ids, what_follows
from games.table_conduct import ROUND_VOID, load_conduct

from .conduct import prompted, refused, round_closed, under, view_of
from .house import BANK_HAND, HANDS, House
from .test_corrections import as_recorded

clause = pytest.mark.clause
CALIFORNIA = load_conduct("california")


@pytest.mark.parametrize("irregularity", irregularity_ids(CALIFORNIA))
def test_the_answer_says_what_the_rules_make_follow(open_house: House, irregularity: str) -> None:
    open_house.deal({4: 1000})
    said = open_house.send(irregularity_report, irregularity=irregularity, note="at seat 4")
    wanted = what_follows(CALIFORNIA, irregularity)
    assert said["follows"] == {
        "round": wanted.round,
        "cards": wanted.cards,
        "void_reason": wanted.void_reason,
        "says": wanted.reason,
        "clause": wanted.clause,
    }
    [kept] = Procedure.objects.filter(kind="irregularity")
    assert (kept.subject, kept.number, kept.reason, kept.round_fate) == (
        irregularity,
        1,
        "at seat 4",
        wanted.round,
    )
    assert ("void" in prompted(open_house)) == (wanted.round == ROUND_VOID)
    entry = JournalEntry.objects.get(act="procedure_irregularity")
    assert entry.data["clause"] == wanted.clause


def test_one_card_face_up_plays_on_and_a_second_one_voids_the_round(open_house: House) -> None:
    house = under(open_house, "massachusetts")
    round_closed(house)
    house.send(round_deal)
    first = house.send(irregularity_report, irregularity="card_face_up")
    assert (first["times"], first["follows"]["cards"]) == (1, "set_aside")
    assert "void" not in prompted(house)
    second = house.send(irregularity_report, irregularity="card_face_up")
    assert (second["times"], second["follows"]["void_reason"]) == (2, "cards_face_up")
    prompt = prompted(house)["void"]
    assert (prompt.act, prompt.clause) == ("round_void", "massachusetts:14(a).2")
    assert refused(house, round_void, reason="cards", approver=house.dealer) == "second_person_required"
    house.send(round_void, reason="More than one card found face up", approver=house.manager)
    assert prompted(house).keys() <= {"decks", "inspection"}


VOIDING = [
    each for each in irregularity_ids(CALIFORNIA) if what_follows(CALIFORNIA, each).round == ROUND_VOID
]


@pytest.mark.parametrize("irregularity", VOIDING)
def test_a_round_that_an_irregularity_voids_is_not_settled(open_house: House, irregularity: str) -> None:
    open_house.deal({4: 1000})
    open_house.send(irregularity_report, irregularity=irregularity)
    assert prompted(open_house)["void"].blocks
    hands = [{"seat": 4, "hand": HANDS[4], "decision": "play"}]
    before = Round.objects.get()
    assert refused(open_house, round_settle, bank_hand=BANK_HAND, positions=hands) == "void_due"
    assert refused(open_house, bank_card_show, card="Kh") == "void_due"
    after = Round.objects.get()
    assert (after.state, after.sheet) == (before.state, None) == ("dealt", None)
    open_house.send(round_void, reason="wrong cards", approver=open_house.manager)
    assert Round.objects.get().state == "void"


def test_it_blocks_wagers_no_more_bets_and_the_deal_as_well(open_house: House) -> None:
    house = open_house
    house.bet({4: 1000})
    house.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert refused(house, bets_place, positions=[{"seat": 5, "wagers": {"ante": 1000}}]) == "void_due"
    assert refused(house, bank_wager_set, bank_wager_cents=30000) == "void_due"
    assert refused(house, bets_close) == "void_due"
    house.send(round_void, reason="wrong cards", approver=house.floor)
    house.bet({4: 1000})
    house.send(bets_close)
    house.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert refused(house, round_deal) == "void_due"
    assert refused(house, recut_order, house.floor, reason="showed") == "void_due"
    # The button is greyed by the same answer.
    assert why_nots(view_of(house))["round_deal"].code == "void_due"
    assert why_nots(view_of(house))["round_void"] is None


def test_a_round_settled_by_eye_is_blocked_too(open_house: House) -> None:
    Table.objects.update(recording="fees")
    open_house.deal({4: 1000})
    open_house.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert refused(open_house, round_finish) == "void_due"


def test_one_card_face_up_blocks_nothing_and_the_second_one_does(open_house: House) -> None:
    open_house.deal({4: 1000})
    open_house.send(irregularity_report, irregularity="card_face_up")
    assert "void" not in prompted(open_house)
    open_house.send(irregularity_report, irregularity="card_face_up")
    hands = [{"seat": 4, "hand": HANDS[4], "decision": "play"}]
    assert refused(open_house, round_settle, bank_hand=BANK_HAND, positions=hands) == "void_due"


def test_an_entry_by_mistake_is_undone_by_two_people_and_the_round_goes_on(open_house: House) -> None:
    house = open_house
    house.deal({4: 1000})
    house.send(irregularity_report, irregularity="wrong_number_of_cards")
    step = view_of(house).step_back
    assert step is not None and step.signed
    assert refused(house, undo) == "reason_required"
    assert refused(house, undo, reason="stray touch") == "approver_required"
    assert refused(house, undo, reason="stray touch", approver=house.dealer) == "second_person_required"
    house.send(undo, reason="stray touch", approver=house.floor)
    entry, withdrawn = Procedure.objects.filter(kind__in=["irregularity", "withdrawn"]).order_by("id")
    assert withdrawn.withdraws == entry
    assert (withdrawn.reason, withdrawn.recorded_by, withdrawn.ordered_by) == (
        "stray touch",
        house.dealer,
        house.floor,
    )
    assert "void" not in prompted(house)
    # The deal is the last step again, and a second entry counts from one.
    assert view_of(house).step_back.act == "round_deal"
    house.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert Procedure.objects.filter(kind="irregularity").latest("id").number == 1
    house.send(undo, reason="again", approver=house.floor)
    house.settle({4: 1000})
    assert Round.objects.get().state == "settled"


def test_the_database_lets_an_irregularity_be_withdrawn_once(open_house: House) -> None:
    open_house.deal({4: 1000})
    open_house.send(irregularity_report, irregularity="wrong_number_of_cards")
    open_house.send(undo, reason="stray touch", approver=open_house.floor)
    again = Procedure.objects.get(kind="withdrawn")
    again.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save(force_insert=True)
    unnamed = Procedure.objects.get(kind="irregularity")
    unnamed.pk, unnamed.kind = None, "withdrawn"
    with pytest.raises(IntegrityError), transaction.atomic():
        unnamed.save(force_insert=True)


def test_an_exposed_card_is_noted_in_south_dakota_and_a_misdealt_hand_voids(open_house: House) -> None:
    house = under(open_house, "south_dakota")
    round_closed(house)
    house.send(round_deal)
    assert house.send(irregularity_report, irregularity="bank_card_exposed")["follows"]["round"] == "stands"
    assert "void" not in prompted(house)
    assert house.send(irregularity_report, irregularity="wrong_number_of_cards")["follows"]["round"] == "void"
    assert prompted(house)["void"].clause == "south_dakota:(5)"


def test_a_jammed_shuffler_reshuffles_and_the_round_stands(open_house: House) -> None:
    house = under(open_house, "massachusetts")
    round_closed(house)
    follows = house.send(irregularity_report, irregularity="shuffler_failed")["follows"]
    assert (follows["round"], follows["cards"]) == ("stands", "reshuffle")
    assert prompted(house)["reshuffle"].clause == "massachusetts:14(e)"


def test_an_irregularity_is_one_that_the_rules_know_in_a_round_that_is_on(open_house: House) -> None:
    assert refused(open_house, irregularity_report, irregularity="card_face_up") == "no_round"
    open_house.bet({4: 1000})
    assert refused(open_house, irregularity_report, irregularity="earthquake") == "unknown_irregularity"
    assert refused(open_house, irregularity_report, irregularity="card_face_up", times=0) == "bad_times"


def test_a_recut_is_a_supervisors_for_a_reason_before_the_first_card(open_house: House) -> None:
    house = under(open_house, "massachusetts")
    assert refused(house, recut_order, house.floor, reason="a card showed") == "bets_open"
    round_closed(house)
    assert refused(house, recut_order, reason="a card showed") == "supervisor_required"
    assert refused(house, recut_order, house.floor, reason=" ") == "reason_required"
    house.send(recut_order, reason="a card showed", approver=house.floor)
    [kept] = Procedure.objects.filter(kind="recut")
    assert (kept.recorded_by, kept.ordered_by, kept.clause) == (
        house.dealer,
        house.floor,
        "massachusetts:5(d)",
    )
    assert prompted(house)["recut"].says == "The deck is cut again, by order of Floor of Alder Creek."
    house.send(round_deal)
    assert refused(house, recut_order, house.floor, reason="late") == "cards_dealt"


def hands(*seats: int) -> list[dict[str, Any]]:
    return [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in seats]


@clause("california:dealing.8.2")
def test_the_shown_card_is_recorded_after_the_deal_as_a_fact_of_the_round(open_house: House) -> None:
    house = open_house
    house.bet({4: 1000})
    assert refused(house, bank_card_show, card="kh") == "not_dealt"
    house.send(bets_close)
    house.send(round_deal)
    prompt = prompted(house)["bank_card"]
    assert (prompt.act, prompt.clause, prompt.blocks) == ("bank_card_show", "california:dealing.8.2", False)
    assert refused(house, bank_card_show, card="1x") == "bad_card"
    house.send(bank_card_show, card="KH")
    assert Round.objects.get().shown_card == "Kh"
    assert "bank_card" not in prompted(house)
    assert refused(house, bank_card_show, card="kh") == "card_is_up"
    house.settle({4: 1000})
    round_ = Round.objects.get()
    assert (round_.shown_card, "shown_card" in round_.sheet) == ("Kh", False)
    assert round_record_state(round_)["shown_card"] == "Kh"
    assert JournalEntry.objects.get(act="round_settle").data["shown_card"] == "Kh"


def test_a_round_is_not_settled_unless_the_shown_card_is_one_of_the_banks_three(open_house: House) -> None:
    house = open_house
    house.deal({4: 1000})
    house.send(bank_card_show, card="9c")
    assert refused(house, round_settle, bank_hand=BANK_HAND, positions=hands(4)) == "shown_card_differs"
    assert Round.objects.get().state == "dealt"
    # The entry was wrong: it is recorded anew, and both stay on record.
    assert house.send(bank_card_show, card="7d")["before"] == "9c"
    house.settle({4: 1000})
    assert [made.subject for made in Procedure.objects.filter(kind="bank_card").order_by("id")] == [
        "9c",
        "7d",
    ]


def test_a_round_goes_on_without_it_and_it_may_come_with_the_settlement(open_house: House) -> None:
    house = open_house
    house.deal({4: 1000})
    wrong = {"bank_hand": BANK_HAND, "positions": hands(4), "shown_card": "9c"}
    assert refused(house, round_settle, **wrong) == "shown_card_differs"
    assert not Procedure.objects.filter(kind="bank_card").exists()
    house.send(round_settle, **wrong | {"shown_card": "4C"})
    assert Round.objects.get().shown_card == "4c"
    house.play({4: 1000})
    assert Round.objects.latest("id").shown_card == ""


def test_a_whole_sheet_brings_its_shown_card_beside_it(open_house: House) -> None:
    house = open_house
    position = {**hands(4)[0], "wagers": {"ante": 1000}}
    sheet: dict[str, Any] = {"rulebook": "california", "bank_hand": BANK_HAND}
    sheet |= {"bank": {"seat": 3, "wager": 20000}, "positions": [position]}
    assert refused(house, round_record, sheet=sheet, shown_card="9c") == "shown_card_differs"
    assert refused(house, round_record, sheet=sheet, shown_card="9x") == "bad_card"
    assert refused(house, round_record, sheet={**sheet, "shown_card": "Kh"}) == "unknown_key"
    assert not Round.objects.exists()
    house.send(round_record, sheet=sheet, shown_card="Kh")
    assert Round.objects.get().shown_card == "Kh"
    assert Procedure.objects.get(kind="bank_card").round == Round.objects.get()


def test_a_correction_keeps_mends_or_takes_the_shown_card_off(open_house: House) -> None:
    house = open_house
    house.deal({4: 1000})
    house.send(bank_card_show, card="Kh")
    house.settle({4: 1000})
    said = as_recorded(Round.objects.get())
    signed = {"reason": "misread", "approver": house.floor}
    assert refused(house, round_correct, **said, **signed) == "nothing_corrected"
    other = {**said, "bank_hand": "Qh 7d 4c"}
    assert refused(house, round_correct, **other, **signed) == "shown_card_differs"
    house.send(round_correct, **other, **signed, shown_card="qh")
    first, second = Round.objects.order_by("revision")
    assert (first.shown_card, second.shown_card) == ("Kh", "Qh")
    entry = JournalEntry.objects.get(act="round_correct")
    assert (entry.data["before"]["shown_card"], entry.data["after"]["shown_card"]) == ("Kh", "Qh")
    again = as_recorded(second)
    house.send(round_correct, **again, **signed, shown_card="")
    assert Round.objects.latest("revision").shown_card == ""


def test_a_room_may_leave_it_unrecorded(open_house: House) -> None:
    house = open_house
    Room.objects.update(records_shown_card=False)
    house.deal({4: 1000})
    assert refused(house, bank_card_show, card="Kh") == "shown_card_off"
    assert prompted(house)["bank_card"].says == (
        "Turn up the player-dealer's bottom card before the players decide."
    )
    house.settle({4: 1000})


def test_the_database_takes_no_shown_card_that_is_none(open_house: House) -> None:
    open_house.deal({4: 1000})
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.update(shown_card="1x")


@clause("california:dealing.11.2")
def test_decisions_are_asked_from_the_banks_left_wherever_settling_starts(open_house: House) -> None:
    house = open_house
    house.bet({1: 1000, 2: 1000, 5: 1000, 7: 1000})
    house.send(bets_close, action_seat=7)
    state = round_state(Round.objects.get())
    assert (state["action_seat"], state["decision_order"]) == (7, [5, 7, 1, 2])


def test_no_card_of_the_bank_is_turned_up_where_the_rules_do_not_say_so(open_house: House) -> None:
    house = under(open_house, "designated_player")
    round_closed(house)
    house.send(round_deal)
    assert "bank_card" not in prompted(house)
    assert refused(house, bank_card_show, card="kh") == "no_card_up"
