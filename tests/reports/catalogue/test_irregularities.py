"""The report of irregularities: what happened, what the rules make of it, what became of the round."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from cardroom.floor.commands.decks import dealing_set, deck_choose, deck_place
from cardroom.floor.commands.incidents import irregularity_report
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_settle,
    round_void,
)
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.commands.stub import stub_count
from cardroom.floor.commands.undo import undo
from cardroom.floor.models import Procedure, Round, Shift
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.stored.reading import sections_of
from tests.cast import BANK_HAND, HANDS, Cast

from ..commands import as_superuser
from ..played_shift import answers, drawn, rows


def dealt(cast: Cast) -> None:
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    cast.send(bets_place, "dealer", positions=[{"seat": 4, "wagers": {"ante": 1000}}])
    cast.send(bets_close, "dealer")
    cast.send(round_deal, "dealer")


def voided(cast: Cast) -> None:
    cast.send(round_void, "dealer", reason="wrong cards", approver=cast.people["shift_manager"])


def settled(cast: Cast) -> None:
    hands = [{"seat": 4, "hand": HANDS[4], "decision": "play"}]
    cast.send(round_settle, "dealer", bank_hand=BANK_HAND, positions=hands)


def test_each_irregularity_stands_there_with_what_became_of_the_round(running: Cast) -> None:
    dealt(running)
    running.send(irregularity_report, "dealer", irregularity="card_face_up", note="seat 4")
    running.send(irregularity_report, "dealer", irregularity="wrong_number_of_cards", note="four at seat 4")
    live = rows(drawn(running, "irregularities"), "irregularities")
    assert [row["became"] for row in live] == ["in play", "in play"]
    voided(running)
    document = drawn(running, "irregularities")
    assert answers(document) == {
        "irregularities": 2,
        "void_by_rule": 1,
        "withdrawn": 0,
        "without_shuffler": 0,
        "settled_though_void": 0,
    }
    stands, void = rows(document, "irregularities")
    assert (stands["rules"], void["rules"]) == ("play on, card set aside", "round void, reshuffle")
    assert (void["became"], void["note"], void["clause"]) == (
        "void: wrong cards",
        "four at seat 4",
        "ruling 44",
    )
    assert void["recorded_by"] == "Dealer"
    assert [row["times"] for row in rows(document, "kinds")] == [1, 1]


def test_an_entry_that_was_withdrawn_stands_there_with_both_people(running: Cast) -> None:
    dealt(running)
    running.send(irregularity_report, "dealer", irregularity="wrong_number_of_cards")
    running.send(undo, "dealer", reason="stray touch", approver=running.people["floor"])
    settled(running)
    document = drawn(running, "irregularities")
    assert (answers(document)["withdrawn"], answers(document)["settled_though_void"]) == (1, 0)
    assert rows(document, "irregularities")[0]["became"] == "entry withdrawn; settled"
    [row] = rows(document, "withdrawn")
    assert (row["reason"], row["withdrawn_by"], row["approved_by"]) == ("stray touch", "Dealer", "Floor")


def test_a_wrong_count_stands_there_too(running: Cast) -> None:
    dealt(running)
    running.send(stub_count, "dealer", stub=45)
    voided(running)
    [row] = rows(drawn(running, "irregularities"), "irregularities")
    assert (row["rules"], row["became"]) == ("round void, deck retired", "void: wrong cards")


def test_one_deck_dealt_twice_in_a_row_stands_there_with_its_reason_and_both_people(running: Cast) -> None:
    deck = running.send(deck_place, "floor", colour="red")["deck"]
    dealt(running)
    settled(running)
    running.send(round_open, "dealer", bank_wager_cents=20000)
    running.send(deck_choose, "dealer", deck_id=deck, reason="blue is torn", approver=running.people["floor"])
    [row] = rows(drawn(running, "irregularities"), "irregularities")
    assert (row["irregularity"], row["deck"], row["note"], row["clause"], row["rules"]) == (
        "One deck is dealt twice in a row",
        "red deck",
        "blue is torn",
        "california:deck.3.c",
        "play on, cards in play",
    )
    assert (row["recorded_by"], row["approved_by"]) == ("Dealer", "Floor")


def test_a_time_without_the_shuffler_stands_there_while_it_lasts_and_after(running: Cast) -> None:
    none = {"shuffler": "none", "reason": "it jams", "approver": running.people["shift_manager"]}
    running.send(dealing_set, "floor", **none)
    document = drawn(running, "irregularities")
    [row] = rows(document, "without_shuffler")
    assert answers(document)["without_shuffler"] == 1
    assert (row["ended_at"], row["reason"], row["clause"]) == (None, "it jams", "california:deck.1")
    assert (row["recorded_by"], row["approved_by"]) == ("Floor", "Shift manager")
    running.send(dealing_set, "floor", shuffler="shuffles")
    [row] = rows(drawn(running, "irregularities"), "without_shuffler")
    assert row["ended_at"] is not None


@pytest.mark.postgresql
def test_older_rounds_that_were_settled_although_the_rules_void_them_are_named_in_red(running: Cast) -> None:
    dealt(running)
    running.send(irregularity_report, "dealer", irregularity="card_face_up")
    settled(running)
    with (
        as_superuser()
    ):  # as it was once recorded: the rules voided the round, and it was settled all the same
        Procedure.objects.filter(kind="irregularity").update(round_fate="void", void_reason="cards_face_up")
    round_ = Round.objects.get()
    for name in ("irregularities", "exceptions"):
        document = drawn(running, name)
        [answer] = [answer for answer in document.answers if answer.name == "settled_though_void"]
        assert (answer.value, answer.mark) == (1, "stop")
        [row] = rows(document, "settled_though_void")
        assert (row["taken_cents"], row["paid_cents"]) == (round_.taken_cents, round_.paid_cents)
    assert rows(drawn(running, "irregularities", table=8), "settled_though_void") == []


def test_the_shift_report_has_it_as_a_section_and_every_form_says_the_same(running: Cast) -> None:
    dealt(running)
    running.send(irregularity_report, "dealer", irregularity="shuffler_failed")
    voided(running)
    shift = Shift.objects.get()
    document = drawn(running, "irregularities", shift=shift.pk)
    running.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    report = shift_report_make(shift.pk)
    [section] = [each for each in sections_of(report) if each.name == "irregularities"]
    assert {answer.name: answer.value for answer in section.answers} == answers(document)
    client = Client()
    client.force_login(running.people["compliance"])
    at = f"/rooms/{running.room.code}/reports/irregularities"
    days = f"from={shift.gaming_day}&to={shift.gaming_day}"
    for form in ("json", "csv", "xlsx", "pdf"):
        assert client.get(f"{at}.{form}?{days}").status_code == 200, form
    answer_json = json.loads(client.get(f"{at}.json?{days}").content)
    assert answer_json["answers"]["void_by_rule"] == 1
    assert "The shuffler fails" in client.get(f"{at}/?{days}").content.decode()
