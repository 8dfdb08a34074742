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
from games.registry import load_procedure_rules

from .procedures import closed, prompted, reading_of, refused
from .site import BANK_HAND, HANDS, Site
from .test_corrections import as_recorded

clause = pytest.mark.clause
CALIFORNIA = load_procedure_rules("california")


@pytest.mark.parametrize("irregularity", irregularity_ids(CALIFORNIA))
def test_the_answer_says_what_the_rules_make_follow(open_site: Site, irregularity: str) -> None:
    open_site.deal({4: 1000})
    answer = open_site.send(irregularity_report, irregularity=irregularity, note="at seat 4")
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
    assert ("void" in prompted(open_site)) == (wanted.round == ROUND_VOID)
    entry = JournalEntry.objects.get(command="procedure_irregularity")
    assert entry.data["clause"] == wanted.clause


@clause("massachusetts:14(a)", "massachusetts:14(a).2")
def test_one_card_face_up_plays_on_and_a_second_one_voids_the_round(massachusetts: Site) -> None:
    site = massachusetts
    site.deal({4: 1000})
    first = site.send(irregularity_report, irregularity="card_face_up")
    assert (first["times"], first["follows"]["cards"]) == (1, "set_aside")
    assert "void" not in prompted(site)
    second = site.send(irregularity_report, irregularity="card_face_up")
    assert (second["times"], second["follows"]["void_reason"]) == (2, "cards_face_up")
    prompt = prompted(site)["void"]
    assert (prompt.command, prompt.clause) == ("round_void", "massachusetts:14(a).2")
    assert refused(site, round_void, reason="cards", approver=site.dealer) == "second_person_required"
    site.send(round_void, reason="More than one card found face up", approver=site.manager)
    assert prompted(site).keys() <= {"decks", "inspection"}
    site.deal({4: 1000})
    site.send(irregularity_report, irregularity="card_face_up")
    site.settle({4: 1000})


@pytest.mark.parametrize(
    ("irregularity", "of_clause"),
    [
        pytest.param("wrong_number_of_cards", "14(c)", marks=clause("massachusetts:14(c)")),
        pytest.param("bank_card_exposed", "14(d)", marks=clause("massachusetts:14(d)")),
        pytest.param("shoe_failed", "14(f)", marks=clause("massachusetts:14(f)")),
    ],
)
def test_an_irregularity_that_voids_a_house_banked_round_gives_every_stake_back(
    massachusetts: Site, irregularity: str, of_clause: str
) -> None:
    site = massachusetts
    site.deal({3: 1000, 4: 2000})
    follows = site.send(irregularity_report, irregularity=irregularity)["follows"]
    assert (follows["round"], follows["cards"], follows["clause"]) == (
        "void",
        "reshuffle",
        f"massachusetts:{of_clause}",
    )
    played = {"bank_hand": BANK_HAND, "positions": hands(3, 4)}
    assert refused(site, round_settle, **played) == "void_due"
    site.send(round_void, reason="cards", approver=site.manager)
    assert Round.objects.get().state == "void"
    assert not Transfer.objects.exists(), "chips stay where they lie until a round is settled"
    site.play({3: 1000, 4: 2000})


VOIDING = [
    each for each in irregularity_ids(CALIFORNIA) if what_follows(CALIFORNIA, each).round == ROUND_VOID
]


@pytest.mark.parametrize("irregularity", VOIDING)
def test_a_round_that_an_irregularity_voids_is_not_settled(open_site: Site, irregularity: str) -> None:
    open_site.deal({4: 1000})
    open_site.send(irregularity_report, irregularity=irregularity)
    assert prompted(open_site)["void"].blocks
    hands = [{"seat": 4, "hand": HANDS[4], "decision": "play"}]
    before = Round.objects.get()
    assert refused(open_site, round_settle, bank_hand=BANK_HAND, positions=hands) == "void_due"
    assert refused(open_site, bank_card_show, card="Kh") == "void_due"
    after = Round.objects.get()
    assert (after.state, after.sheet) == (before.state, None) == ("bets_closed", None)
    open_site.send(round_void, reason="wrong cards", approver=open_site.manager)
    assert Round.objects.get().state == "void"


def test_it_blocks_wagers_no_more_bets_and_the_deal_as_well(open_site: Site) -> None:
    site = open_site
    site.bet({4: 1000})
    site.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert refused(site, bets_place, positions=[{"seat": 5, "wagers": {"ante": 1000}}]) == "void_due"
    assert refused(site, bank_wager_set, bank_wager_cents=30000) == "void_due"
    assert refused(site, bets_close) == "void_due"
    site.send(round_void, reason="wrong cards", approver=site.floor)
    site.bet({4: 1000})
    site.send(bets_close)
    site.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert refused(site, round_deal) == "void_due"
    assert refused(site, recut_order, site.floor, reason="showed") == "void_due"
    # The button is greyed by the same answer.
    assert why_nots(reading_of(site))["round_deal"].code == "void_due"
    assert why_nots(reading_of(site))["round_void"] is None


def test_a_round_settled_by_eye_is_blocked_too(open_site: Site) -> None:
    Table.objects.update(recording="fees")
    open_site.deal({4: 1000})
    open_site.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert refused(open_site, round_finish) == "void_due"


def test_one_card_face_up_blocks_nothing_and_the_second_one_does(open_site: Site) -> None:
    open_site.deal({4: 1000})
    open_site.send(irregularity_report, irregularity="card_face_up")
    assert "void" not in prompted(open_site)
    open_site.send(irregularity_report, irregularity="card_face_up")
    hands = [{"seat": 4, "hand": HANDS[4], "decision": "play"}]
    assert refused(open_site, round_settle, bank_hand=BANK_HAND, positions=hands) == "void_due"


def test_an_entry_by_mistake_is_undone_by_two_people_and_the_round_goes_on(open_site: Site) -> None:
    site = open_site
    site.deal({4: 1000})
    site.send(irregularity_report, irregularity="wrong_number_of_cards")
    step = reading_of(site).step_back
    assert step is not None and step.signed
    assert refused(site, undo) == "reason_required"
    assert refused(site, undo, reason="stray touch") == "approver_required"
    assert refused(site, undo, reason="stray touch", approver=site.dealer) == "second_person_required"
    site.send(undo, reason="stray touch", approver=site.floor)
    entry, withdrawn = Procedure.objects.filter(kind__in=["irregularity", "withdrawn"]).order_by("id")
    assert withdrawn.withdraws == entry
    assert (withdrawn.reason, withdrawn.recorded_by, withdrawn.ordered_by) == (
        "stray touch",
        site.dealer,
        site.floor,
    )
    assert "void" not in prompted(site)
    # The deal is the last step again, and a second entry counts from one.
    assert reading_of(site).step_back.command == "round_deal"
    site.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert Procedure.objects.filter(kind="irregularity").latest("id").number == 1
    site.send(undo, reason="again", approver=site.floor)
    site.settle({4: 1000})
    assert Round.objects.get().state == "settled"


def test_the_database_lets_an_irregularity_be_withdrawn_once(open_site: Site) -> None:
    open_site.deal({4: 1000})
    open_site.send(irregularity_report, irregularity="wrong_number_of_cards")
    open_site.send(undo, reason="stray touch", approver=open_site.floor)
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
    south_dakota: Site, irregularity: str
) -> None:
    site = south_dakota
    site.deal({4: 1000})
    for _ in range(2):
        assert site.send(irregularity_report, irregularity=irregularity)["follows"]["round"] == "stands"
    assert "void" not in prompted(site)
    site.settle({4: 1000})
    assert Procedure.objects.filter(kind="irregularity", round=Round.objects.get()).count() == 2


@clause("south_dakota:(5)")
def test_a_misdealt_hand_voids_in_south_dakota(south_dakota: Site) -> None:
    site = south_dakota
    site.deal({4: 1000})
    assert site.send(irregularity_report, irregularity="wrong_number_of_cards")["follows"]["round"] == "void"
    assert prompted(site)["void"].clause == "south_dakota:(5)"
    assert refused(site, round_settle, bank_hand=BANK_HAND, positions=hands(4)) == "void_due"
    site.send(round_void, reason="wrong cards", approver=site.manager)


@clause("massachusetts:14(e)")
def test_a_jammed_shuffler_reshuffles_and_the_round_stands(massachusetts: Site) -> None:
    site = massachusetts
    closed(site)
    follows = site.send(irregularity_report, irregularity="shuffler_failed")["follows"]
    assert (follows["round"], follows["cards"]) == ("stands", "reshuffle")
    assert prompted(site)["reshuffle"].clause == "massachusetts:14(e)"
    site.send(round_deal)
    site.settle({4: 1000})


def test_an_irregularity_is_one_that_the_rules_know_in_a_round_that_is_on(open_site: Site) -> None:
    assert refused(open_site, irregularity_report, irregularity="card_face_up") == "no_round"
    open_site.bet({4: 1000})
    assert refused(open_site, irregularity_report, irregularity="earthquake") == "unknown_irregularity"
    assert refused(open_site, irregularity_report, irregularity="card_face_up", times=0) == "bad_times"


@clause("massachusetts:5(d)")
def test_a_recut_is_a_supervisors_for_a_reason_before_the_first_card(massachusetts: Site) -> None:
    site = massachusetts
    assert refused(site, recut_order, site.floor, reason="a card showed") == "bets_open"
    closed(site)
    assert refused(site, recut_order, reason="a card showed") == "supervisor_required"
    assert refused(site, recut_order, site.floor, reason=" ") == "reason_required"
    site.send(recut_order, reason="a card showed", approver=site.floor)
    [kept] = Procedure.objects.filter(kind="recut")
    assert (kept.recorded_by, kept.ordered_by, kept.clause) == (
        site.dealer,
        site.floor,
        "massachusetts:5(d)",
    )
    assert prompted(site)["recut"].text == "The deck is cut again, by order of Floor of Alder Creek."
    site.send(round_deal)
    assert refused(site, recut_order, site.floor, reason="late") == "cards_dealt"


def hands(*seats: int) -> list[dict[str, Any]]:
    return [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in seats]


@clause("california:dealing.8.2")
def test_the_shown_card_is_recorded_after_the_deal_as_a_fact_of_the_round(open_site: Site) -> None:
    site = open_site
    site.bet({4: 1000})
    assert refused(site, bank_card_show, card="kh") == "not_dealt"
    site.send(bets_close)
    site.send(round_deal)
    prompt = prompted(site)["bank_card"]
    assert (prompt.command, prompt.clause, prompt.blocks) == (
        "bank_card_show",
        "california:dealing.8.2",
        False,
    )
    assert refused(site, bank_card_show, card="1x") == "bad_card"
    site.send(bank_card_show, card="KH")
    assert Round.objects.get().shown_card == "Kh"
    assert "bank_card" not in prompted(site)
    assert refused(site, bank_card_show, card="kh") == "card_is_up"
    site.settle({4: 1000})
    round_ = Round.objects.get()
    assert (round_.shown_card, "shown_card" in round_.sheet) == ("Kh", False)
    assert round_data(round_)["shown_card"] == "Kh"
    assert JournalEntry.objects.get(command="round_settle").data["shown_card"] == "Kh"


def test_a_round_is_not_settled_unless_the_shown_card_is_one_of_the_banks_three(open_site: Site) -> None:
    site = open_site
    site.deal({4: 1000})
    site.send(bank_card_show, card="9c")
    assert refused(site, round_settle, bank_hand=BANK_HAND, positions=hands(4)) == "shown_card_differs"
    assert Round.objects.get().state == "bets_closed"
    # The entry was wrong: it is recorded anew, and both stay on record.
    assert site.send(bank_card_show, card="7d")["before"] == "9c"
    site.settle({4: 1000})
    assert [made.subject for made in Procedure.objects.filter(kind="bank_card").order_by("id")] == [
        "9c",
        "7d",
    ]


def test_a_round_goes_on_without_it_and_it_may_come_with_the_settlement(open_site: Site) -> None:
    site = open_site
    site.deal({4: 1000})
    wrong = {"bank_hand": BANK_HAND, "positions": hands(4), "shown_card": "9c"}
    assert refused(site, round_settle, **wrong) == "shown_card_differs"
    assert not Procedure.objects.filter(kind="bank_card").exists()
    site.send(round_settle, **wrong | {"shown_card": "4C"})
    assert Round.objects.get().shown_card == "4c"
    site.play({4: 1000})
    assert Round.objects.latest("id").shown_card == ""


def test_a_whole_sheet_brings_its_shown_card_beside_it(open_site: Site) -> None:
    site = open_site
    position = {**hands(4)[0], "wagers": {"ante": 1000}}
    sheet: dict[str, Any] = {"rulebook": "california", "bank_hand": BANK_HAND}
    sheet |= {"bank": {"seat": 3, "wager": 20000}, "positions": [position]}
    assert refused(site, round_record, sheet=sheet, shown_card="9c") == "shown_card_differs"
    assert refused(site, round_record, sheet=sheet, shown_card="9x") == "bad_card"
    assert refused(site, round_record, sheet={**sheet, "shown_card": "Kh"}) == "unknown_key"
    assert not Round.objects.exists()
    site.send(round_record, sheet=sheet, shown_card="Kh")
    assert Round.objects.get().shown_card == "Kh"
    assert Procedure.objects.get(kind="bank_card").round == Round.objects.get()


def test_a_correction_keeps_mends_or_takes_the_shown_card_off(open_site: Site) -> None:
    site = open_site
    site.deal({4: 1000})
    site.send(bank_card_show, card="Kh")
    site.settle({4: 1000})
    record = as_recorded(Round.objects.get())
    signed = {"reason": "misread", "approver": site.floor}
    assert refused(site, round_correct, **record, **signed) == "nothing_corrected"
    other = {**record, "bank_hand": "Qh 7d 4c"}
    assert refused(site, round_correct, **other, **signed) == "shown_card_differs"
    site.send(round_correct, **other, **signed, shown_card="qh")
    first, second = Round.objects.order_by("revision")
    assert (first.shown_card, second.shown_card) == ("Kh", "Qh")
    entry = JournalEntry.objects.get(command="round_correct")
    assert (entry.data["before"]["shown_card"], entry.data["after"]["shown_card"]) == ("Kh", "Qh")
    again = as_recorded(second)
    site.send(round_correct, **again, **signed, shown_card="")
    assert Round.objects.latest("revision").shown_card == ""


def test_a_room_may_leave_it_unrecorded(open_site: Site) -> None:
    site = open_site
    Room.objects.update(records_shown_card=False)
    site.deal({4: 1000})
    assert refused(site, bank_card_show, card="Kh") == "shown_card_off"
    assert prompted(site)["bank_card"].text == (
        "Expose the player-dealer's bottom card before the players decide."
    )
    site.settle({4: 1000})


def test_the_database_takes_no_shown_card_that_is_none(open_site: Site) -> None:
    open_site.deal({4: 1000})
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.update(shown_card="1x")


@clause("california:dealing.11.2")
def test_decisions_are_asked_from_the_banks_left_wherever_settling_starts(open_site: Site) -> None:
    site = open_site
    site.bet({1: 1000, 2: 1000, 5: 1000, 7: 1000})
    site.send(bets_close, action_seat=7)
    state = round_facts(Round.objects.get())
    assert (state["action_seat"], state["decision_order"]) == (7, [5, 7, 1, 2])


def test_no_card_of_the_bank_is_turned_up_where_the_rules_do_not_say_so(massachusetts: Site) -> None:
    site = massachusetts
    site.deal({4: 1000})
    assert "bank_card" not in prompted(site)
    assert refused(site, bank_card_show, card="kh") == "no_card_up"
