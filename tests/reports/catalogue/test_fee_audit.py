"""Fees computed again: every round, none differs, and whatever was changed behind the site's back is found."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.core.dates import day_text
from cardroom.documents.document import Mark
from cardroom.filings.models import FeeSchedule
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.errors import BadInput
from cardroom.floor.models import Round, Shift
from cardroom.reports.background.limits import draw
from cardroom.reports.catalogue.fee_audit import FEE_AUDIT
from cardroom.reports.verification.fee_audit import audit_fees
from tests.cast import Cast, sheet
from tests.fees.documents import OPTION_1
from tests.filing import filed_long_ago
from tests.floor.test_corrections import as_recorded

from ..commands import as_superuser
from ..played_shift import answers, drawn, played_cast, question, rows


@pytest.fixture
def cast(db: None) -> Cast:
    return played_cast()


def corrected(cast: Cast, round_: Round, ante: int, drop: str) -> None:
    record = as_recorded(round_)
    record["positions"][0]["wagers"] = {"ante": ante}
    approver = cast.people["floor"]
    cast.send(round_correct, "dealer", **record, reason="misread", approver=approver, drop=drop)


def test_every_round_is_computed_again_and_none_differs(cast: Cast) -> None:
    document = drawn(cast, "fee-audit")
    # Three settled, two void, one correction.
    assert answers(document) == {"rounds": 6, "differing": 0, "kept": 0}
    assert rows(document, "differences") == []
    (row,) = rows(document, "schedules")
    fees = Round.objects.values_list("player_fees_cents", "bank_fee_cents")
    assert row["schedule"] == "1, version 1"
    assert row["recorded_cents"] == row["computed_cents"] == sum(map(sum, fees))


@pytest.mark.parametrize(
    ("change", "figure", "recorded", "computed"),
    [
        ({"player_fees_cents": 300}, "player fees", "300 cents", "200 cents"),
        ({"bank_fee_cents": 0}, "player-dealer fee", "0 cents", "100 cents"),
        ({"bank_fee_band": "$101+"}, "band", "$101+", "$5 - $100"),
        ({"total_table_action_cents": 1}, "total table action", "1 cents", "3500 cents"),
        ({"waived_cents": 100}, "waived fees", "100 cents", "0 cents"),
        ({"schedule_version": 2}, "version of the schedule", "2", "1"),
    ],
)
def test_a_figure_that_was_changed_is_found_with_its_round(
    cast: Cast, change: dict[str, Any], figure: str, recorded: str, computed: str
) -> None:
    round_ = Round.objects.get(number=5)
    with as_superuser():
        Round.objects.filter(pk=round_.pk).update(**change)
    document = drawn(cast, "fee-audit")
    assert answers(document)["differing"] == 1 and document.answers[1].mark is Mark.STOP
    (row,) = rows(document, "differences")
    assert row == {
        "round": f"{day_text(round_.gaming_day)} · 5", "table": 7, "figure": figure, "recorded": recorded, "computed": computed,
    }  # fmt: skip
    grid = document.grid("differences")
    assert grid is not None and grid.rows[0].links["round"] == f"/rounds/{round_.pk}/"


@pytest.mark.clause("california:fees.4")
def test_a_round_that_was_charged_for_a_wager_that_bears_no_fee_is_named(cast: Cast) -> None:
    by, round_ = cast.people["room_manager"], Round.objects.get(number=5)
    charged = {"payer": "player", "per": "wager", "wager": "pair_plus", "fee_cents": 50}
    charging = {**OPTION_1, "lines": [*OPTION_1["lines"], charged]}
    schedule = filed_long_ago(
        FeeSchedule(room=cast.room, number=61, document=charging, rulebook="california", title="Side fees"),
        by,
    )
    # Played as the schedule says: nothing but the line itself is amiss.
    bets, fees = json.loads(json.dumps([round_.bets, round_.fees]))
    bets[1]["wagers"]["pair_plus"] = 500
    fees[1]["cents"] += 50
    with as_superuser():
        Round.objects.filter(pk=round_.pk).update(
            schedule=schedule, schedule_version=1, bets=bets, fees=fees, player_fees_cents=250
        )
    document = drawn(cast, "fee-audit")
    assert answers(document)["differing"] == 1
    found = {row["figure"]: (row["recorded"], row["computed"]) for row in rows(document, "differences")}
    assert found["fee on Pair Plus (california:fees.4)"] == ("charged to seat 5", "no fee comes of it")
    assert found["player fees"] == ("250 cents", "200 cents")
    (_, row) = rows(document, "schedules")
    assert (row["recorded_cents"], row["computed_cents"]) == (350, 300)


def test_a_fee_moved_from_one_payer_to_another_is_found_though_the_sums_hold(cast: Cast) -> None:
    round_ = Round.objects.get(number=5)
    fees = json.loads(json.dumps(round_.fees))
    fees[0]["cents"], fees[1]["cents"] = 0, fees[0]["cents"] + fees[1]["cents"]
    with as_superuser():
        Round.objects.filter(pk=round_.pk).update(fees=fees)
    assert [row["figure"] for row in rows(drawn(cast, "fee-audit"), "differences")] == ["fees payer by payer"]


def test_a_fee_of_the_wrong_seat_is_found_though_rounds_before_bear_the_same_figures(cast: Cast) -> None:
    round_ = Round.objects.get(number=5)
    alike = {"player_fees_cents": round_.player_fees_cents, "bank_fee_band": round_.bank_fee_band}
    assert Round.objects.filter(number__in=(3, 4), **alike).count() == 2
    fees = json.loads(json.dumps(round_.fees))
    fees[0]["seat"], fees[1]["seat"] = fees[1]["seat"], fees[0]["seat"]
    with as_superuser():
        Round.objects.filter(pk=round_.pk).update(fees=fees)
    (row,) = rows(drawn(cast, "fee-audit"), "differences")
    assert (row["round"], row["figure"]) == (f"{day_text(round_.gaming_day)} · 5", "fees payer by payer")


@pytest.mark.parametrize(
    "bets",
    [[{"seat": 1}], [{"seat": 4, "wagers": {"ante": 1000}}], "torn", [{"seat": 1, "wagers": {"ante": 1}}]],
)
def test_a_record_that_was_torn_is_a_difference_and_no_error(cast: Cast, bets: Any) -> None:
    with as_superuser():
        Round.objects.filter(number=5).update(bets=bets)
    document = drawn(cast, "fee-audit")
    assert answers(document)["differing"] == 1
    assert {row["figure"] for row in rows(document, "differences")} == {"fees"}


@pytest.mark.parametrize("fees", [[{"seat": 1}], [1, 2], "torn", [{"seat": 9, "cents": "much"}]])
def test_fees_that_were_torn_are_a_difference_and_no_error(cast: Cast, fees: Any) -> None:
    with as_superuser():
        Round.objects.filter(number=5).update(fees=fees)
    document = drawn(cast, "fee-audit")
    assert answers(document)["differing"] == 1
    assert rows(document, "differences")[0]["figure"] in ("fees", "fees payer by payer")


def test_a_correction_that_keeps_the_fees_as_dropped_is_counted_and_is_no_difference(cast: Cast) -> None:
    # From $35 of action to $145: another band for the bank's fee, which nobody opened the box to collect.
    round_ = Round.objects.get(number=5)
    corrected(cast, round_, 10000, "as_recorded")
    assert answers(drawn(cast, "fee-audit")) == {"rounds": 7, "differing": 0, "kept": 1}


def test_a_correction_that_moves_the_fees_is_computed_like_any_round(cast: Cast) -> None:
    corrected(cast, Round.objects.get(number=5), 10000, "as_due")
    assert answers(drawn(cast, "fee-audit")) == {"rounds": 7, "differing": 0, "kept": 0}


@pytest.mark.postgresql
def test_a_correction_that_kept_other_fees_than_its_record_differs(cast: Cast) -> None:
    corrected(cast, Round.objects.get(number=5), 10000, "as_recorded")
    with as_superuser():
        Round.objects.filter(number=5, revision=1).update(bank_fee_cents=50)
    assert answers(drawn(cast, "fee-audit"))["differing"] == 1


def test_a_round_without_a_schedule_owes_nothing(cast: Cast) -> None:
    with as_superuser():
        Round.objects.filter(number=5).update(schedule=None, schedule_version=None)
    (row,) = rows(drawn(cast, "fee-audit"), "differences")
    assert (row["figure"], row["recorded"], row["computed"]) == ("fees", "300 cents", "0 cents")


def test_it_tells_how_far_it_has_come_and_asks_no_more_for_more_rounds(cast: Cast) -> None:
    shift = Shift.objects.get()
    with CaptureQueriesContext(
        connection,
    ) as before:
        audit_fees(Round.objects.all(), [shift.pk])
    for _ in range(3):
        cast.bank_to(5) if cast.state().turn is None or cast.state().step.kind == "offer" else None
        bank = cast.state().turn
        assert bank is not None
        antes = {1: 1000, 6: 1500}
        cast.send(round_record, "dealer", sheet=sheet(antes, bank=bank.seat))
    heard: list[int] = []
    with CaptureQueriesContext(connection) as after:
        outcome = audit_fees(Round.objects.all(), [shift.pk], heard.append)
    assert (outcome.rounds, heard) == (9, [9])
    assert len(after) == len(before)


def test_more_rounds_than_are_computed_at_once_are_refused(cast: Cast) -> None:
    few = dataclasses.replace(FEE_AUDIT, at_once=5)
    with pytest.raises(BadInput) as refused:
        draw(few, question(cast, "fee-audit"))
    assert (refused.value.code, refused.value.path, refused.value.status) == ("too_many_rounds", "to", 400)
