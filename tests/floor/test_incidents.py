"""What happens in a round and is written down: irregularities with what follows, a recut, the bank's card."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from cardroom.floor.checks import why_nots
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.incidents import bank_card_show, irregularity_report, recut_order
from cardroom.floor.commands.rounds import (
    bank_wager_set,
    bets_close,
    bets_place,
    round_deal,
    round_finish,
    round_record,
    round_settle,
    round_void,
)
from cardroom.floor.commands.undo import undo
from cardroom.floor.models import JournalEntry, Procedure, Round, Table, Transfer
from cardroom.floor.reads.records import round_data
from cardroom.floor.reads.table_record import round_facts
from cardroom.rooms.models import Room
from games.procedures.irregularities import irregularity_ids, what_follows
from games.procedures.rules import ROUND_VOID
from games.registry import load_rulebook, procedure_rules_of
from tests.cast import BANK_HAND, HANDS, Cast

from .procedures import closed, prompted, reading_of, refused
from .test_corrections import as_recorded

clause = pytest.mark.clause
CALIFORNIA = procedure_rules_of(load_rulebook("california"))


@pytest.mark.parametrize("irregularity", irregularity_ids(CALIFORNIA))
def test_the_answer_says_what_the_rules_make_follow(running: Cast, irregularity: str) -> None:
    running.deal({4: 1000})
    answer = running.send(irregularity_report, irregularity=irregularity, note="at seat 4")
    wanted = what_follows(CALIFORNIA, irregularity)
    assert answer["follows"] == {
        "round": wanted.round,
        "cards": wanted.cards,
        "void_reason": wanted.void_reason,
        "text": wanted.reason,
        "clause": wanted.clause,
    }
    [kept] = Procedure.objects.filter(kind="irregularity")
    assert (kept.subject, kept.number, kept.reason, kept.round_fate) == (
        irregularity,
        1,
        "at seat 4",
        wanted.round,
    )
    assert ("void" in prompted(running)) == (wanted.round == ROUND_VOID)
    entry = JournalEntry.objects.get(command="procedure_irregularity")
    assert entry.data["clause"] == wanted.clause


@clause("massachusetts:14(a)", "massachusetts:14(a).2")
def test_one_card_face_up_plays_on_and_a_second_one_voids_the_round(massachusetts: Cast) -> None:
    massachusetts.deal({4: 1000})
    first = massachusetts.send(irregularity_report, irregularity="card_face_up")
    assert (first["times"], first["follows"]["cards"]) == (1, "set_aside")
    assert "void" not in prompted(massachusetts)
    second = massachusetts.send(irregularity_report, irregularity="card_face_up")
    assert (second["times"], second["follows"]["void_reason"]) == (2, "cards_face_up")
    prompt = prompted(massachusetts)["void"]
    assert (prompt.command, prompt.clause) == ("round_void", "massachusetts:14(a).2")
    assert (
        refused(massachusetts, round_void, reason="cards", approver=massachusetts.people["dealer"])
        == "second_person_required"
    )
    massachusetts.send(
        round_void, reason="More than one card found face up", approver=massachusetts.people["shift_manager"]
    )
    assert prompted(massachusetts).keys() <= {"decks", "inspection"}
    massachusetts.deal({4: 1000})
    massachusetts.send(irregularity_report, irregularity="card_face_up")
    massachusetts.settle({4: 1000})


@pytest.mark.parametrize(
    ("irregularity", "of_clause"),
    [
        pytest.param("wrong_number_of_cards", "14(c)", marks=clause("massachusetts:14(c)")),
        pytest.param("bank_card_exposed", "14(d)", marks=clause("massachusetts:14(d)")),
        pytest.param("shoe_failed", "14(f)", marks=clause("massachusetts:14(f)")),
    ],
)
def test_an_irregularity_that_voids_a_house_banked_round_gives_every_stake_back(
    massachusetts: Cast, irregularity: str, of_clause: str
) -> None:
    massachusetts.deal({3: 1000, 4: 2000})
    follows = massachusetts.send(irregularity_report, irregularity=irregularity)["follows"]
    assert (follows["round"], follows["cards"], follows["clause"]) == (
        "void",
        "reshuffle",
        f"massachusetts:{of_clause}",
    )
    played = {"bank_hand": BANK_HAND, "positions": hands(3, 4)}
    assert refused(massachusetts, round_settle, **played) == "void_due"
    massachusetts.send(round_void, reason="cards", approver=massachusetts.people["shift_manager"])
    assert Round.objects.get().state == "void"
    assert not Transfer.objects.exists(), "chips stay where they lie until a round is settled"
    massachusetts.play({3: 1000, 4: 2000})


VOIDING = [
    each for each in irregularity_ids(CALIFORNIA) if what_follows(CALIFORNIA, each).round == ROUND_VOID
]


@pytest.mark.parametrize("irregularity", VOIDING)
def test_a_round_that_an_irregularity_voids_is_not_settled(running: Cast, irregularity: str) -> None:
    running.deal({4: 1000})
    running.send(irregularity_report, irregularity=irregularity)
    assert prompted(running)["void"].blocks
    hands = [{"seat": 4, "hand": HANDS[4], "decision": "play"}]
    before = Round.objects.get()
    assert refused(running, round_settle, bank_hand=BANK_HAND, positions=hands) == "void_due"
    assert refused(running, bank_card_show, card="Kh") == "void_due"
    after = Round.objects.get()
    assert (after.state, after.sheet) == (before.state, None) == ("bets_closed", None)
    running.send(round_void, reason="wrong cards", approver=running.people["shift_manager"])
    assert Round.objects.get().state == "void"


def test_it_blocks_wagers_no_more_bets_and_the_deal_as_well(running: Cast) -> None:
    running.bet({4: 1000})
    running.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert refused(running, bets_place, positions=[{"seat": 5, "wagers": {"ante": 1000}}]) == "void_due"
    assert refused(running, bank_wager_set, bank_wager_cents=30000) == "void_due"
    assert refused(running, bets_close) == "void_due"
    running.send(round_void, reason="wrong cards", approver=running.people["floor"])
    running.bet({4: 1000})
    running.send(bets_close)
    running.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert refused(running, round_deal) == "void_due"
    assert refused(running, recut_order, "floor", reason="showed") == "void_due"
    # The button is greyed by the same answer.
    assert why_nots(reading_of(running))["round_deal"].code == "void_due"
    assert why_nots(reading_of(running))["round_void"] is None


def test_a_round_settled_by_eye_is_blocked_too(running: Cast) -> None:
    Table.objects.update(recording="fees")
    running.deal({4: 1000})
    running.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert refused(running, round_finish) == "void_due"


def test_one_card_face_up_blocks_nothing_and_the_second_one_does(running: Cast) -> None:
    running.deal({4: 1000})
    running.send(irregularity_report, irregularity="card_face_up")
    assert "void" not in prompted(running)
    running.send(irregularity_report, irregularity="card_face_up")
    hands = [{"seat": 4, "hand": HANDS[4], "decision": "play"}]
    assert refused(running, round_settle, bank_hand=BANK_HAND, positions=hands) == "void_due"


def test_an_entry_by_mistake_is_undone_by_two_people_and_the_round_goes_on(running: Cast) -> None:
    running.deal({4: 1000})
    running.send(irregularity_report, irregularity="wrong_number_of_cards")
    step = reading_of(running).step_back
    assert step is not None and step.signed
    assert refused(running, undo) == "reason_required"
    assert refused(running, undo, reason="stray touch") == "approver_required"
    assert (
        refused(running, undo, reason="stray touch", approver=running.people["dealer"])
        == "second_person_required"
    )
    running.send(undo, reason="stray touch", approver=running.people["floor"])
    entry, withdrawn = Procedure.objects.filter(kind__in=["irregularity", "withdrawn"]).order_by("id")
    assert withdrawn.withdraws == entry
    assert (withdrawn.reason, withdrawn.recorded_by, withdrawn.ordered_by) == (
        "stray touch",
        running.people["dealer"],
        running.people["floor"],
    )
    assert "void" not in prompted(running)
    # The deal is the last step again, and a second entry counts from one.
    assert reading_of(running).step_back.command == "round_deal"
    running.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert Procedure.objects.filter(kind="irregularity").latest("id").number == 1
    running.send(undo, reason="again", approver=running.people["floor"])
    running.settle({4: 1000})
    assert Round.objects.get().state == "settled"


def test_the_database_lets_an_irregularity_be_withdrawn_once(running: Cast) -> None:
    running.deal({4: 1000})
    running.send(irregularity_report, irregularity="wrong_number_of_cards")
    running.send(undo, reason="stray touch", approver=running.people["floor"])
    again = Procedure.objects.get(kind="withdrawn")
    again.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save(force_insert=True)
    unnamed = Procedure.objects.get(kind="irregularity")
    unnamed.pk, unnamed.kind = None, "withdrawn"
    with pytest.raises(IntegrityError), transaction.atomic():
        unnamed.save(force_insert=True)


@clause("south_dakota:(5).2")
@pytest.mark.parametrize("irregularity", ["bank_card_exposed", "card_face_up"])
def test_an_exposed_card_is_noted_in_south_dakota_and_the_round_is_settled(
    south_dakota: Cast, irregularity: str
) -> None:
    south_dakota.deal({4: 1000})
    for _ in range(2):
        assert (
            south_dakota.send(irregularity_report, irregularity=irregularity)["follows"]["round"] == "stands"
        )
    assert "void" not in prompted(south_dakota)
    south_dakota.settle({4: 1000})
    assert Procedure.objects.filter(kind="irregularity", round=Round.objects.get()).count() == 2


@clause("south_dakota:(5)")
def test_a_misdealt_hand_voids_in_south_dakota(south_dakota: Cast) -> None:
    south_dakota.deal({4: 1000})
    assert (
        south_dakota.send(irregularity_report, irregularity="wrong_number_of_cards")["follows"]["round"]
        == "void"
    )
    assert prompted(south_dakota)["void"].clause == "south_dakota:(5)"
    assert refused(south_dakota, round_settle, bank_hand=BANK_HAND, positions=hands(4)) == "void_due"
    south_dakota.send(round_void, reason="wrong cards", approver=south_dakota.people["shift_manager"])


@clause("massachusetts:14(e)")
def test_a_jammed_shuffler_reshuffles_and_the_round_stands(massachusetts: Cast) -> None:
    closed(massachusetts)
    follows = massachusetts.send(irregularity_report, irregularity="shuffler_failed")["follows"]
    assert (follows["round"], follows["cards"]) == ("stands", "reshuffle")
    assert prompted(massachusetts)["reshuffle"].clause == "massachusetts:14(e)"
    massachusetts.send(round_deal)
    massachusetts.settle({4: 1000})


def test_an_irregularity_is_one_that_the_rules_know_in_a_round_that_is_on(running: Cast) -> None:
    assert refused(running, irregularity_report, irregularity="card_face_up") == "no_round"
    running.bet({4: 1000})
    assert refused(running, irregularity_report, irregularity="earthquake") == "unknown_irregularity"
    assert refused(running, irregularity_report, irregularity="card_face_up", times=0) == "bad_times"


@clause("massachusetts:5(d)")
def test_a_recut_is_a_supervisors_for_a_reason_before_the_first_card(massachusetts: Cast) -> None:
    assert refused(massachusetts, recut_order, "floor", reason="a card showed") == "bets_open"
    closed(massachusetts)
    assert refused(massachusetts, recut_order, reason="a card showed") == "supervisor_required"
    assert refused(massachusetts, recut_order, "floor", reason=" ") == "reason_required"
    massachusetts.send(recut_order, reason="a card showed", approver=massachusetts.people["floor"])
    [kept] = Procedure.objects.filter(kind="recut")
    assert (kept.recorded_by, kept.ordered_by, kept.clause) == (
        massachusetts.people["dealer"],
        massachusetts.people["floor"],
        "massachusetts:5(d)",
    )
    assert prompted(massachusetts)["recut"].text == "The deck is cut again, by order of Floor."
    massachusetts.send(round_deal)
    assert refused(massachusetts, recut_order, "floor", reason="late") == "cards_dealt"


def hands(*seats: int) -> list[dict[str, Any]]:
    return [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in seats]


@clause("california:dealing.8.2")
def test_the_shown_card_is_recorded_after_the_deal_as_a_fact_of_the_round(running: Cast) -> None:
    running.bet({4: 1000})
    assert refused(running, bank_card_show, card="kh") == "not_dealt"
    running.send(bets_close)
    running.send(round_deal)
    prompt = prompted(running)["bank_card"]
    assert (prompt.command, prompt.clause, prompt.blocks) == (
        "bank_card_show",
        "california:dealing.8.2",
        False,
    )
    assert refused(running, bank_card_show, card="1x") == "bad_card"
    running.send(bank_card_show, card="KH")
    assert Round.objects.get().shown_card == "Kh"
    assert "bank_card" not in prompted(running)
    assert refused(running, bank_card_show, card="kh") == "card_is_up"
    running.settle({4: 1000})
    round_ = Round.objects.get()
    assert (round_.shown_card, "shown_card" in round_.sheet) == ("Kh", False)
    assert round_data(round_)["shown_card"] == "Kh"
    assert JournalEntry.objects.get(command="round_settle").data["shown_card"] == "Kh"


def test_a_round_is_not_settled_unless_the_shown_card_is_one_of_the_banks_three(running: Cast) -> None:
    running.deal({4: 1000})
    running.send(bank_card_show, card="9c")
    assert refused(running, round_settle, bank_hand=BANK_HAND, positions=hands(4)) == "shown_card_differs"
    assert Round.objects.get().state == "bets_closed"
    # The entry was wrong: it is recorded anew, and both stay on record.
    assert running.send(bank_card_show, card="7d")["before"] == "9c"
    running.settle({4: 1000})
    assert [made.subject for made in Procedure.objects.filter(kind="bank_card").order_by("id")] == [
        "9c",
        "7d",
    ]


def test_a_round_goes_on_without_it_and_it_may_come_with_the_settlement(running: Cast) -> None:
    running.deal({4: 1000})
    wrong = {"bank_hand": BANK_HAND, "positions": hands(4), "shown_card": "9c"}
    assert refused(running, round_settle, **wrong) == "shown_card_differs"
    assert not Procedure.objects.filter(kind="bank_card").exists()
    running.send(round_settle, **wrong | {"shown_card": "4C"})
    assert Round.objects.get().shown_card == "4c"
    running.play({4: 1000})
    assert Round.objects.latest("id").shown_card == ""


def test_a_whole_sheet_brings_its_shown_card_beside_it(running: Cast) -> None:
    position = {**hands(4)[0], "wagers": {"ante": 1000}}
    sheet: dict[str, Any] = {"rulebook": "california", "bank_hand": BANK_HAND}
    sheet |= {"bank": {"seat": 3, "wager": 20000}, "positions": [position]}
    assert refused(running, round_record, sheet=sheet, shown_card="9c") == "shown_card_differs"
    assert refused(running, round_record, sheet=sheet, shown_card="9x") == "bad_card"
    assert refused(running, round_record, sheet={**sheet, "shown_card": "Kh"}) == "unknown_key"
    assert not Round.objects.exists()
    running.send(round_record, sheet=sheet, shown_card="Kh")
    assert Round.objects.get().shown_card == "Kh"
    assert Procedure.objects.get(kind="bank_card").round == Round.objects.get()


def test_a_correction_keeps_mends_or_takes_the_shown_card_off(running: Cast) -> None:
    running.deal({4: 1000})
    running.send(bank_card_show, card="Kh")
    running.settle({4: 1000})
    record = as_recorded(Round.objects.get())
    signed = {"reason": "misread", "approver": running.people["floor"]}
    assert refused(running, round_correct, **record, **signed) == "nothing_corrected"
    other = {**record, "bank_hand": "Qh 7d 4c"}
    assert refused(running, round_correct, **other, **signed) == "shown_card_differs"
    running.send(round_correct, **other, **signed, shown_card="qh")
    first, second = Round.objects.order_by("revision")
    assert (first.shown_card, second.shown_card) == ("Kh", "Qh")
    entry = JournalEntry.objects.get(command="round_correct")
    assert (entry.data["before"]["shown_card"], entry.data["after"]["shown_card"]) == ("Kh", "Qh")
    again = as_recorded(second)
    running.send(round_correct, **again, **signed, shown_card="")
    assert Round.objects.latest("revision").shown_card == ""


def test_a_room_may_leave_it_unrecorded(running: Cast) -> None:
    Room.objects.update(records_shown_card=False)
    running.deal({4: 1000})
    assert refused(running, bank_card_show, card="Kh") == "shown_card_off"
    assert prompted(running)["bank_card"].text == (
        "Expose the player-dealer's bottom card before the players decide."
    )
    running.settle({4: 1000})


def test_the_database_takes_no_shown_card_that_is_none(running: Cast) -> None:
    running.deal({4: 1000})
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.update(shown_card="1x")


@clause("california:dealing.11.2")
def test_decisions_are_asked_from_the_banks_left_wherever_settling_starts(running: Cast) -> None:
    running.bet({1: 1000, 2: 1000, 5: 1000, 7: 1000})
    running.send(bets_close, action_seat=7)
    state = round_facts(Round.objects.get())
    assert (state["action_seat"], state["decision_order"]) == (7, [5, 7, 1, 2])


def test_no_card_of_the_bank_is_turned_up_where_the_rules_do_not_say_so(massachusetts: Cast) -> None:
    massachusetts.deal({4: 1000})
    assert "bank_card" not in prompted(massachusetts)
    assert refused(massachusetts, bank_card_show, card="kh") == "no_card_up"
