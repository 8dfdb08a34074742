"""What happens in a round and is written down: irregularities with what follows, a recut, the bank's card."""

from __future__ import annotations

import pytest

from cardroom.floor.models import JournalEntry, Procedure
from cardroom.floor.services.incidents import bank_card_show, irregularity_report, recut_order
from cardroom.floor.services.rounds import bets_close, round_deal, round_void
from games.irregularities import irregularity_ids, what_follows
from games.table_conduct import ROUND_VOID, load_conduct

from .conduct import prompted, refused, round_closed, under, view_of
from .house import House

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


@clause("massachusetts:14(a)", "massachusetts:14(a).2")
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


def test_what_the_rules_void_is_reminded_of_and_settles_all_the_same(open_house: House) -> None:
    """A ruling lets a wrong count alone stop the settlement: an entry by mistake must not."""
    open_house.deal({4: 1000})
    open_house.send(irregularity_report, irregularity="wrong_number_of_cards")
    assert not prompted(open_house)["void"].blocks
    open_house.settle({4: 1000})


@clause("south_dakota:(5)", "south_dakota:(5).2")
def test_an_exposed_card_is_noted_in_south_dakota_and_a_misdealt_hand_voids(open_house: House) -> None:
    house = under(open_house, "south_dakota")
    round_closed(house)
    house.send(round_deal)
    assert house.send(irregularity_report, irregularity="bank_card_exposed")["follows"]["round"] == "stands"
    assert "void" not in prompted(house)
    assert house.send(irregularity_report, irregularity="wrong_number_of_cards")["follows"]["round"] == "void"
    assert prompted(house)["void"].clause == "south_dakota:(5)"


@clause("massachusetts:14(e)")
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


@clause("massachusetts:5(d)")
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


@clause("california:dealing.8.2")
def test_the_banks_card_is_turned_up_after_the_deal_and_settling_takes_no_notice(open_house: House) -> None:
    open_house.bet({4: 1000})
    assert refused(open_house, bank_card_show, card="kh") == "not_dealt"
    open_house.send(bets_close)
    open_house.send(round_deal)
    prompt = prompted(open_house)["bank_card"]
    assert (prompt.act, prompt.clause, prompt.blocks) == ("bank_card_show", "california:dealing.8.2", False)
    assert refused(open_house, bank_card_show, card="1x") == "bad_card"
    open_house.send(bank_card_show, card="9C")
    assert view_of(open_house).care.card_up.subject == "9c"  # type: ignore[union-attr]
    assert "bank_card" not in prompted(open_house)
    assert refused(open_house, bank_card_show, card="kh") == "card_is_up"
    open_house.settle({4: 1000})  # the bank's hand turns out to be without it: what was typed then counts


def test_no_card_of_the_bank_is_turned_up_where_the_rules_do_not_say_so(open_house: House) -> None:
    house = under(open_house, "designated_player")
    round_closed(house)
    house.send(round_deal)
    assert "bank_card" not in prompted(house)
    assert refused(house, bank_card_show, card="kh") == "no_card_up"
