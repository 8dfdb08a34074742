"""Corrections in shift reports: the first record counts in its own shift, what a correction changes in the other."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command

from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.models import Round, Transfer
from cardroom.reports.models import ShiftReport
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.stored.exports import report_csv
from tests.cast import JACK_HIGH, Cast
from tests.floor.test_by_eye import finish, set_recording
from tests.floor.test_corrections import ANTES, as_recorded, correct

from ..commands import as_superuser, close_shift, of_table, report


@pytest.fixture
def played(running: Cast) -> Round:
    """Seat 4 lost ante and play of $10, seat 5 won both of $20."""
    return Round.objects.get(pk=running.play(ANTES, hands={4: JACK_HIGH})["round"])


def misread(played: Round) -> dict[str, Any]:
    record = as_recorded(played)
    record["positions"][0] |= {"hand": "Js Jh 5c", "wagers": {"ante": 1500}}
    return record


def test_in_the_same_shift_the_figures_are_those_of_the_record_as_corrected(
    running: Cast, played: Round
) -> None:
    correct(running, misread(played))
    made = report(running)
    assert made.typed_figures["differences"] == []
    sums = of_table(made)
    assert (sums["rounds_settled"], sums["corrections"], sums["rounds_by_eye"]) == (1, 1, 0)
    assert (sums["taken_cents"], sums["paid_cents"]) == (0, 7000)
    assert sums["total_table_action_cents"] == 3500
    assert (sums["player_fees_cents"], sums["bank_fees_cents"], sums["drop_expected_cents"]) == (
        200,
        100,
        300,
    )
    assert [(fees["rounds"], fees["cents"]) for fees in sums["bank_fees"]] == [(1, 100)]


def test_a_report_that_was_made_stays_and_the_next_shift_shows_what_was_changed(
    running: Cast, played: Round
) -> None:
    first = report(running)
    running.send_room(shift_open, name="Grave")
    new = Round.objects.get(pk=correct(running, misread(played), drop="as_due")["round"])
    second = report(running)
    assert of_table(first)["taken_cents"] == 2000
    assert ShiftReport.objects.get(pk=first.pk).figures == first.figures
    sums = of_table(second)
    assert second.typed_figures["differences"] == []
    assert (sums["rounds_settled"], sums["corrections"]) == (0, 1)
    assert (sums["taken_cents"], sums["paid_cents"], sums["total_table_action_cents"]) == (-2000, 3000, 500)
    (correction,) = second.typed_figures["corrections"]
    assert correction["round"] == {"id": new.pk, "gaming_day": new.gaming_day.isoformat(), "number": 1}
    assert (correction["corrects"], correction["corrects_shift"]) == (played.pk, first.shift_id)
    assert correction["reason"] == "seat 4's cards misread"
    assert correction["changed"]["taken_cents"] == -2000
    assert correction["changed"]["uncovered_cents"] == 0
    # Both together are what one shift would have shown.
    assert of_table(first)["paid_cents"] + sums["paid_cents"] == new.paid_cents
    output = io.StringIO()
    call_command("verify", stdout=output)
    assert "2 shift reports added up again: all holds." in output.getvalue()


def test_fees_that_a_correction_moves_are_in_the_drop_of_its_shift(running: Cast) -> None:
    played = Round.objects.get(pk=running.play({4: 1000, 5: 1500})["round"])
    report(running)
    running.send_room(shift_open, name="Grave")
    record = as_recorded(played)
    record["positions"][1]["wagers"] = {"ante": 10000}
    correct(running, record, drop="as_due")
    second = report(running)
    sums = of_table(second)
    assert second.typed_figures["differences"] == []
    assert (sums["player_fees_cents"], sums["bank_fees_cents"], sums["drop_expected_cents"]) == (0, 100, 100)
    assert [(fees["rounds"], fees["cents"]) for fees in sums["bank_fees"]] == [(-1, -100), (1, 200)]
    text = report_csv(second)
    assert "corrections" in text
    assert "-1.00" in text


def test_a_correction_of_a_correction_ties_out_too(running: Cast, played: Round) -> None:
    once = Round.objects.get(pk=correct(running, misread(played))["round"])
    report(running)
    running.send_room(shift_open, name="Grave")
    correct(running, {**as_recorded(played), "round_id": once.pk})
    second = report(running)
    assert second.typed_figures["differences"] == []
    sums = of_table(second)
    assert (sums["taken_cents"], sums["paid_cents"], sums["corrections"]) == (2000, -3000, 1)


def test_a_correction_is_no_further_round_of_a_run(running: Cast, played: Round) -> None:
    running.play({6: 500})
    correct(running, misread(played))
    assert report(running).typed_figures["over_limit"] == []


def test_a_reversal_that_was_tampered_with_shows_as_a_difference(running: Cast, played: Round) -> None:
    new = correct(running, misread(played))["round"]
    shift = close_shift(running)
    with as_superuser() as cursor:
        taken_back = Transfer.objects.filter(round=new, reverses__isnull=False, kind="take")[0]
        cursor.execute("UPDATE floor_transfer SET cents = cents + 1 WHERE id = %s", [taken_back.pk])
    made = shift_report_make(shift.pk)
    (difference,) = made.typed_figures["differences"]
    assert (difference["figure"], [ref["id"] for ref in difference["rounds"]]) == ("taken_cents", [new])


def test_rounds_settled_by_eye_are_counted_and_their_fees_tie_out(running: Cast) -> None:
    set_recording(running, "fees")
    finish(running, {4: 1000, 5: 2000})
    made = report(running)
    sums = of_table(made)
    assert made.typed_figures["differences"] == []
    assert (sums["rounds_settled"], sums["rounds_by_eye"], sums["taken_cents"]) == (1, 1, 0)
    assert (sums["drop_expected_cents"], sums["total_table_action_cents"]) == (300, 3000)
