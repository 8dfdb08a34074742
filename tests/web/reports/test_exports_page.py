"""The page of exports: which days are written, in which version, and why one is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import time_machine
from pytest_django import Settings

from cardroom.reports.exports.making import export_make
from cardroom.reports.models import DayExport, PeriodReport
from cardroom.reports.tasks import make_due_reports
from tests.cast import Cast
from tests.kept import kept
from tests.reports.exports.test_exports import run_due
from tests.reports.periods.test_period_reports import OVER, two_shifts
from tests.web.conftest import Person

PAGE = "/rooms/cache-slough/exports/"


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    """A gaming day is over and reported."""
    with time_machine.travel(OVER, tick=False):
        found = kept(two_shifts)
        make_due_reports()
        make_due_reports()
        yield found


def text(browser: Person) -> str:
    return browser.open(PAGE).content.decode()


def test_without_a_place_the_page_says_what_to_set(person: Callable[[str], Person]) -> None:
    assert "CARDROOM_EXPORT_URL" in text(person("compliance"))


def test_it_lists_versions_and_why_a_day_is_not_written(
    person: Callable[[str], Person], settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no directory")
    settings.EXPORT_URL = str(tmp_path / "file")
    assert "Mon Nov 30, 2026: waits to be written" in text(person("compliance"))
    run_due()
    shown = text(person("compliance"))
    assert "Cannot write cache-slough/2026-11-30/v1/rounds.parquet" in shown and "tried 1 time" in shown
    settings.EXPORT_URL = str(tmp_path / "exports")
    report = PeriodReport.objects.get(kind="day")
    export_make(report)
    export_make(report, again=True)
    shown = text(person("inspector"))
    second, first = DayExport.objects.all()
    assert first.manifest_hash[:16] in shown and second.manifest_hash[:16] in shown
    assert shown.count(">replaced<") == 1 and "Not written yet" not in shown
