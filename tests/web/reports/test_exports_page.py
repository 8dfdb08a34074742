"""The page of exports: which days are written, in which version, and why one is not."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import time_machine
from pytest_django import Settings

from cardroom.jobs.models import Job
from cardroom.reports.exports.making import export_make, exports_ask
from cardroom.reports.models import DayExport, PeriodReport
from cardroom.reports.tasks import make_due_reports
from cardroom.web.reports.export_views import ROWS_BESIDE
from tests.cast import Cast
from tests.kept import kept
from tests.reports.exports.test_exports import restate, run_due
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


def text(browser: Person, query: str = "") -> str:
    return browser.open(PAGE + query).content.decode()


def test_without_a_place_the_page_says_what_to_set(person: Callable[[str], Person]) -> None:
    assert "CARDROOM_EXPORT_URL" in text(person("compliance"))


def test_it_lists_versions_and_why_a_day_is_not_written(
    person: Callable[[str], Person], settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no directory")
    settings.EXPORT_URL = str(tmp_path / "file")
    shown = text(person("compliance"))
    assert "0 closed gaming days are exported, 1 is not yet" in shown and "waits to be written" in shown
    run_due()
    shown = text(person("compliance"))
    assert "0 closed gaming days are exported, 1 could not be" in shown
    assert "file is no directory that is there" in shown and "1 failure so far" in shown
    assert "/try-again/" in shown and "/try-again/" not in text(person("inspector"))
    settings.EXPORT_URL = str(tmp_path / "exports")
    (tmp_path / "exports").mkdir()
    report = PeriodReport.objects.get(kind="day")
    export_make(report)
    export_make(report, again=True)
    shown = text(person("inspector"))
    second, first = DayExport.objects.all()
    assert first.manifest_hash[:16] in shown and second.manifest_hash[:16] in shown
    assert shown.count(">replaced<") == 1 and "Not exported" not in shown
    assert "1 closed gaming day is exported, none is missing" in shown


def homes(person: Callable[[str], Person]) -> list[str]:
    """What the homes of those say who may have a job tried again, and that of one who may only read reports."""
    return [
        person(role).open(f"/rooms/cache-slough/{page}/").content.decode()
        for role, page in (
            ("room_manager", "results"),
            ("shift_manager", "results"),
            ("compliance", "compliance"),
            ("inspector", "compliance"),
        )
    ]


def test_a_day_that_failed_is_on_the_homes_with_the_way_to_the_page(
    cast: Cast, person: Callable[[str], Person], settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no directory")
    settings.EXPORT_URL = str(tmp_path / "file")
    assert not any("exported" in page.partition("On file")[0] for page in homes(person))
    [job] = run_due()
    *may, reads = homes(person)
    for page in (*may, reads):
        assert "1 gaming day could not be exported" in page and "1 overdue" in page
        assert "Mon Nov 30, 2026 · tried again by itself" in page
        assert "1 job failed" not in page, "one fact has one line"
    assert all(f'href="{PAGE}">Try again<' in page for page in may) and f'href="{PAGE}">See why<' in reads
    Job.objects.filter(pk=job.pk).update(state="failed", ended_at=OVER + datetime.timedelta(hours=1))
    assert all("Mon Nov 30, 2026 · not tried again by itself" in page for page in homes(person))
    assert "given up" in text(person("compliance"))
    settings.EXPORT_URL = None
    assert not any("could not be exported" in page for page in homes(person)), "no store is set"


def test_a_day_that_nobody_takes_up_is_late_and_one_that_was_cancelled_is_told(
    cast: Cast, person: Callable[[str], Person], settings: Settings, tmp_path: Path
) -> None:
    settings.EXPORT_URL = str(tmp_path / "exports")
    (tmp_path / "exports").mkdir()
    late = OVER + datetime.timedelta(minutes=61)
    with time_machine.travel(late, tick=False):
        assert all("1 gaming day is not exported yet" in page for page in homes(person))
        shown = text(person("compliance"))
        assert "▲ late" in shown and "manage.py export_days cache-slough 2026-11-30" in shown
        exports_ask()
        assert not any("not exported yet" in page for page in homes(person)), "it has just been asked for"
        Job.objects.filter(kind="day_export").update(state="cancelled", ended_at=late)
        assert all("1 gaming day is not exported" in page for page in homes(person))
        shown = text(person("compliance"))
        assert "– cancelled" in shown and "manage.py export_days cache-slough 2026-11-30" in shown
        export_make(PeriodReport.objects.get(kind="day"))
        assert not any("not exported" in page for page in homes(person))


def test_a_day_that_was_restated_since_counts_as_one_that_is_not_exported(
    cast: Cast, person: Callable[[str], Person], settings: Settings, tmp_path: Path
) -> None:
    settings.EXPORT_URL = str(tmp_path / "exports")
    (tmp_path / "exports").mkdir()
    run_due()
    with time_machine.travel(OVER, tick=False) as clock:
        restate(cast, clock)
        assert "0 closed gaming days are exported, 1 is not yet" in text(person("compliance"))
        run_due()
        assert "1 closed gaming day is exported, none is missing" in text(person("compliance"))


def test_beside_days_that_are_not_written_fewer_versions_are_listed(
    cast: Cast, person: Callable[[str], Person], settings: Settings, tmp_path: Path
) -> None:
    """On a phone the page ends: days that are not written come first, with their reasons."""
    settings.EXPORT_URL = str(tmp_path / "exports")
    (tmp_path / "exports").mkdir()
    report = PeriodReport.objects.get(kind="day")
    for _ in range(ROWS_BESIDE + 1):
        export_make(report, again=True)
    listed = '<th scope="row" class="named">'
    assert text(person("compliance")).count(listed) == ROWS_BESIDE + 1
    with time_machine.travel(OVER, tick=False) as clock:
        restate(cast, clock)
        shown = text(person("compliance"))
        assert shown.count(listed) == ROWS_BESIDE and "page 1 of 2" in shown
        assert text(person("compliance"), "?page=2").count(listed) == 1
