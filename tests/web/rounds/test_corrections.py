"""Undo on the table page, rounds settled by eye, and the page on which a settled round is corrected."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Round, StoredAnswer, Table
from cardroom.reports.shift.making import shift_report_make
from tests.cast import HANDS, PIN, Cast

from ..conftest import Person
from ..play import play_by_commands

People = Callable[[str], Person]
SIGNED = {"approver": "floor", "approver_pin": PIN}


@pytest.fixture
def dealer(running: Cast, person: People) -> Person:
    return person("dealer")


def correct_address(round_: Round) -> str:
    return f"/tables/{round_.table_id}/rounds/{round_.pk}/correct/"


def test_the_button_says_what_it_would_undo_and_undoes_it(dealer: Person) -> None:
    dealer.at_table()
    assert "↶" in dealer.text
    dealer.command("bank", bank_wager_cents="200")
    dealer.command("bets", **{"wagers-4-ante": "10"})
    dealer.command("bets", **{"wagers-4-ante": "25"})
    assert 'Undo<span class="undo-what">: seat 4&#x27;s wagers' in dealer.text
    dealer.command("undo")
    assert Round.objects.get().bets[0]["wagers"] == {"ante": 1000}


def test_no_more_bets_is_undone_with_a_reason_and_a_signature_on_the_same_screen(dealer: Person) -> None:
    play_by_commands(dealer.cast, {4: "10"}, until="no-more-bets")
    dealer.at_table()
    alone = dealer.command("undo", reason="tapped too early")
    assert alone.status_code == 422
    own = dealer.command("undo", reason="tapped too early", approver="dealer", approver_pin=PIN)
    assert own.status_code == 403
    assert "ask a second person" in dealer.text
    assert PIN not in dealer.text
    dealer.command("undo", reason="tapped too early", **SIGNED)
    assert Round.objects.get().state == Round.State.BETTING
    assert not [text for text in StoredAnswer.objects.values_list("answer", flat=True) if PIN in str(text)]


def test_a_table_is_set_to_record_fees_and_its_hands_are_finished_by_one_button(
    dealer: Person, person: People
) -> None:
    floor = person("floor")
    floor.at_table()
    floor.command("settings", recording="fees")
    assert Table.objects.get(pk=dealer.cast.table.pk).recording == "fees"
    play_by_commands(dealer.cast, {4: "10"}, until="deal")
    dealer.at_table()
    assert "not carded" in dealer.text
    assert "bank_hand" not in dealer.text
    dealer.command("finish")
    round_ = Round.objects.get()
    assert (round_.state, round_.settlement) == ("settled", None)
    dealer.open(f"/rounds/{round_.pk}/")
    assert "not carded" in dealer.text
    # Its wagers are corrected on the same page, without cards.
    address = correct_address(round_)
    dealer.open(address)
    assert "hand-4" not in dealer.text
    dealer.post(address, **{"wagers-4-ante": "15", "look": "1"})
    assert "No money moves" in dealer.text
    dealer.post(address, reason="misheard", correct="1", **SIGNED)
    assert Round.objects.get(revision=1).total_table_action_cents == 1500


def test_a_round_is_corrected_from_its_record_with_a_look_before(dealer: Person) -> None:
    play_by_commands(dealer.cast, {4: "10", 5: "20"})
    old = Round.objects.get()
    dealer.open(f"/rounds/{old.pk}/")
    address = correct_address(old)
    assert address in dealer.text
    dealer.open(address)
    assert HANDS[4] in dealer.text
    looked = dealer.post(address, **{"hand-4": "js8h5c", "look": "1"})
    assert looked.status_code == 200
    assert "Chip movements" in dealer.text
    assert "$40" in dealer.text
    # What it moves stands before the long form, and what was edited is marked with what the record has: that alone.
    assert dealer.text.index("Chip movements") < dealer.text.index("Seat 4: cards")
    assert dealer.text.count("on record:") == 1
    assert f"on record: {HANDS[4]}" in dealer.text
    assert not Round.objects.filter(revision__gt=0).exists()
    silent = dealer.post(address, **{"hand-4": "js8h5c", "correct": "1"}, **SIGNED)
    assert silent.status_code == 422
    assert "A correction needs a reason" in dealer.text
    own = dealer.post(address, reason="misread", correct="1", approver="dealer", approver_pin=PIN)
    assert own.status_code == 403
    assert PIN not in dealer.text
    done = dealer.post(address, reason="misread", correct="1", **SIGNED)
    new = Round.objects.get(revision=1)
    assert done.redirect_chain[-1][0] == f"/rounds/{new.pk}/"
    assert "This is the record as it was corrected" in dealer.text
    assert "reversed" in dealer.text
    dealer.open(f"/rounds/{old.pk}/")
    assert "another replaces it" in dealer.text
    assert f"/rounds/{new.pk}/" in dealer.text
    dealer.open(address)
    assert "was corrected by" in dealer.text
    assert "<fieldset" not in dealer.text


def test_what_the_rules_refuse_stands_beside_its_field(dealer: Person) -> None:
    play_by_commands(dealer.cast, {4: "10", 5: "20"})
    address = correct_address(Round.objects.get())
    dealer.open(address)
    twice = dealer.post(address, **{"hand-4": HANDS[5], "look": "1"})
    assert twice.status_code == 422
    assert "field-error" in dealer.text
    same = dealer.post(address, **{"hand-4": HANDS[4], "look": "1"})
    assert same.status_code == 422
    assert "Nothing differs" in dealer.text


def test_a_form_that_is_posted_twice_corrects_once(dealer: Person) -> None:
    play_by_commands(dealer.cast, {4: "10", 5: "20"})
    address = correct_address(Round.objects.get())
    dealer.open(address)
    dealer.post(address, **{"hand-4": "js8h5c", "look": "1"})
    page = dealer.page
    for _ in range(2):
        dealer.page = page
        done = dealer.post(address, reason="misread", correct="1", **SIGNED)
        assert done.status_code == 200
        assert done.redirect_chain[-1][0] == f"/rounds/{Round.objects.get(revision=1).pk}/"
    assert Round.objects.filter(revision__gt=0).count() == 1


def test_who_may_not_run_rounds_sees_why_and_an_outsider_nothing(dealer: Person, person: People) -> None:
    play_by_commands(dealer.cast, {4: "10"})
    address = correct_address(Round.objects.get())
    inspector = person("inspector")
    assert inspector.open(address).status_code == 200
    assert "run rounds at a table" in inspector.text
    assert "<fieldset" not in inspector.text
    assert inspector.client.post(address, {"correct": "1"}).status_code == 200
    assert person("outsider").open(address).status_code == 404
    assert not Round.objects.filter(revision__gt=0).exists()


def test_the_report_of_a_shift_lists_the_corrections_made_in_it(dealer: Person, person: People) -> None:
    play_by_commands(dealer.cast, {4: "10", 5: "20"})
    address = correct_address(Round.objects.get())
    dealer.open(address)
    dealer.post(address, **{"hand-4": "js8h5c", "look": "1"})
    dealer.post(address, reason="misread", correct="1", **SIGNED)
    new = Round.objects.get(revision=1)
    assert new.shift is not None
    dealer.cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=new.shift.pk)
    shift_report_make(new.shift.pk)
    manager = person("shift_manager")
    manager.open(f"/shifts/{new.shift.pk}/report/")
    assert "Voids, waivers and corrections: Corrections" in manager.text
    assert f"/rounds/{new.pk}/" in manager.text
    assert "restatement" not in manager.text
    assert "misread" in manager.text
