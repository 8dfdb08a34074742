"""What the benchmarks copy a simulated day into is a room like any other: it verifies, and its reports tie out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Count, Sum

from cardroom.drop.models import DropBox, VarianceCheck
from cardroom.floor.models import JournalEntry, Offer, Round, Seating, Shift, Transfer, Turn
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.verification.verify import (
    Checked,
    counts_verify,
    journal_verify,
    reports_verify,
    rounds_again,
    rows_held,
)
from tests.measure.bench.copies import SimulatedDay, day_played

pytestmark = [pytest.mark.outside, pytest.mark.postgresql, pytest.mark.django_db]


@pytest.fixture(scope="module")
def day(django_db_setup: None, django_db_blocker: Any) -> Iterator[SimulatedDay]:
    """A room with a simulated day and two copies of it, played once for all tests of this module."""
    with django_db_blocker.unblock(), transaction.atomic():
        for copies in (1, 2):  # the second is found as the first left it
            day = day_played(tables=2, rounds_per_hour=2, on_progress=lambda _: None)
            of_one_day = Round.objects.filter(gaming_day=day.day).count()
            day.copy_until(of_one_day * (copies + 1), on_progress=lambda _: None)
        yield day
        transaction.set_rollback(True)


def test_each_copy_has_what_the_simulated_day_has(day: SimulatedDay) -> None:
    days = list(Shift.objects.order_by("gaming_day").values_list("gaming_day", flat=True).distinct())
    assert len(days) == 3
    for model, of_a_day in (
        (Round, "gaming_day"),
        (Transfer, "shift__gaming_day"),
        (Turn, "shift__gaming_day"),
        (Offer, "shift__gaming_day"),
    ):
        counted = model.objects.order_by().values(of_a_day).annotate(rows=Count("id"))
        found = {row[of_a_day]: row["rows"] for row in counted}
        assert set(found) == set(days), model
        assert len(set(found.values())) == 1, model
    assert Seating.objects.count() % 3 == 0
    names = Round.objects.order_by().values("table", "gaming_day", "number", "revision")
    assert names.distinct().count() == Round.objects.count()


def test_rounds_of_a_copy_are_of_its_own_shifts_turns_and_hours(day: SimulatedDay) -> None:
    for round_ in Round.objects.select_related("shift", "turn"):
        assert round_.shift is not None
        assert round_.turn is not None
        assert round_.shift.gaming_day == round_.gaming_day
        assert round_.turn.shift.gaming_day == round_.gaming_day
        assert round_.turn.began_at <= round_.opened_at
        assert round_.shift.closed_at is not None
        assert round_.ended_at is not None
        assert round_.shift.opened_at <= round_.opened_at < round_.ended_at <= round_.shift.closed_at


def test_its_journals_counts_and_reports_hold(day: SimulatedDay) -> None:
    for shift in Shift.objects.all():
        assert shift_report_make(shift.pk).typed_figures["differences"] == []
    checked = Checked()
    assert list(journal_verify(checked)) == []
    assert list(counts_verify(checked)) == []
    assert list(reports_verify(checked)) == []
    assert list(rows_held(checked)) == []
    assert list(rounds_again(checked)) == []
    assert checked.entries == JournalEntry.objects.count()
    assert checked.sheets > 24


def test_every_box_that_was_dropped_was_counted_and_holds_what_was_collected(day: SimulatedDay) -> None:
    boxes = DropBox.objects.filter(dropped_at__isnull=False)
    assert boxes.count() == 2 * 3 * 3 - 2  # those of the last shift hang
    assert not boxes.filter(counted_at=None).exists()
    collected = Transfer.objects.filter(target="drop").values("shift", "table").annotate(cents=Sum("cents"))
    of = {(row["shift"], row["table"]): row["cents"] for row in collected}
    for check in VarianceCheck.objects.select_related("box"):
        box = check.box
        assert check.expected_cents == of.get((box.shift_id, box.table_id), 0)
