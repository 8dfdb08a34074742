"""Holds the database to what was done: `python -m tests.measure.faults.count --seconds S < TOLD`, prints JSON.

First the background is given time: until nothing is left to do, at most so many seconds. Beat asks every minute. It is
given half a minute at least, for messages that no row records.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any

import django

LEAST_SECONDS = 30.0


def main() -> None:
    """Wait, count, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, required=True)
    given = parser.parse_args()
    lines = [json.loads(line) for line in sys.stdin]
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    closed = {line["closed"] for line in lines if "closed" in line}
    corrected = {line["corrected"] for line in lines if "corrected" in line}
    waited = _wait(closed, given.seconds)
    print(json.dumps({"waited": waited, **counted(closed, corrected)}))


def _wait(closed: set[int], seconds: float) -> float:
    """Wait until no closed shift lacks its report and no job for a report is open; return for how many seconds."""
    from cardroom.floor.report_jobs import ReportKind
    from cardroom.jobs.models import Job
    from cardroom.reports.models import ShiftReport

    began = time.monotonic()
    while time.monotonic() - began < seconds:
        without = closed - set(ShiftReport.objects.values_list("shift", flat=True))
        done = not without and not Job.objects.filter(kind__in=ReportKind.values, ended_at=None).exists()
        if done and time.monotonic() - began > LEAST_SECONDS:
            break
        time.sleep(1)
    return time.monotonic() - began


def counted(closed: set[int], corrected: set[int]) -> dict[str, Any]:
    """What there is of the reports of `closed` shifts; a round of each of `corrected` was corrected since.

    `outdated` are shifts whose report is another when it is made again now: a restatement of them is missing. `breaks`
    is what `manage.py verify` finds in journal and reports.
    """
    from django.db.models import Count, F, Q

    from cardroom.floor.models import JournalEntry
    from cardroom.floor.report_jobs import ReportKind
    from cardroom.jobs.models import Job
    from cardroom.reports.models import ShiftReport
    from cardroom.reports.shift.making import REPORT_COMMAND, shift_report_make
    from cardroom.reports.verification.verify import Checked, journal_verify, reports_verify

    jobs = Job.objects.filter(kind__in=ReportKind.values)
    reports = ShiftReport.objects.order_by("shift", "revision")
    twice = reports.values("shift", "revision").annotate(times=Count("pk")).filter(times__gt=1)
    found: dict[str, Any] = {
        "closed": len(closed),
        "corrected": len(corrected),
        "reports": reports.filter(revision=0).count(),
        "restatements": reports.filter(revision__gt=0).count(),
        "missing": len(closed - set(reports.values_list("shift", flat=True))),
        "doubled": sum(row["times"] - 1 for row in twice),
        "jobs": jobs.count(),
        "jobs_open": jobs.exclude(state=Job.State.FINISHED).count(),
        "jobs_tried_again": jobs.filter(Q(tries__gt=0) | Q(claims__gt=1)).count(),
        "in_the_journal": JournalEntry.objects.filter(command=REPORT_COMMAND).count(),
        "late_seconds": sorted(
            seconds.total_seconds()
            for seconds in reports.filter(revision=0)
            .annotate(late=F("made_at") - F("shift__closed_at"))
            .values_list("late", flat=True)
        ),
        "breaks": len(breaks := [*journal_verify(Checked()), *reports_verify(Checked())]),
    }
    for text in breaks:
        print(f"faults: BREAK {text}", file=sys.stderr)
    outdated = 0
    for shift_id in sorted(closed):
        current = ShiftReport.objects.filter(shift=shift_id).order_by("-revision").first()
        if current is not None and shift_report_make(shift_id).pk != current.pk:
            outdated += 1
    return {**found, "outdated": outdated}


if __name__ == "__main__":
    main()
