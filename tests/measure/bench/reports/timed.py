"""Times the reports of the database that the environment names, as it is; the figures go as JSON into `--out`.

A process of its own, so that a machine which is busy otherwise can be kept still for it alone (`--through`).
"""

from __future__ import annotations

import argparse
import datetime
import functools
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

#: How often each report is made; the first time warms caches up and does not count.
TIMES = 4


def main() -> None:
    """Time, tell."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    given.out.write_text(json.dumps(_timed()), encoding="utf-8")


def _timed() -> dict[str, Any]:
    """Seconds for every report of the catalogue and for the shift report, and rounds a second computed again."""
    from django.utils import timezone

    from cardroom.floor.models import Round, Shift
    from cardroom.people.models import Role, Staff
    from cardroom.reports.catalogue.questions import REPORTS
    from cardroom.reports.shift.inputs import inputs_read
    from cardroom.reports.shift.making import figures_of
    from cardroom.reports.verification.fee_audit import audit_fees

    shift = (
        Shift.objects.select_related("room", "opened_by", "closed_by")
        .filter(name="Swing")
        .latest("opened_at")
    )
    now = timezone.now()
    reader = Staff.objects.filter(employments__room=shift.room, employments__role=Role.COMPLIANCE).first()
    assert reader is not None  # the room's people were made with it
    reports = {}
    for name, report in REPORTS.items():
        reports[name] = {
            "by_shift": report.by_shift,
            "seconds": _times(functools.partial(_made, report, shift, reader, now)),
        }
    shifts = list(Shift.objects.filter(gaming_day=shift.gaming_day).values_list("pk", flat=True))
    again = audit_fees(Round.objects.all(), shifts)
    return {
        "reports": reports,
        "shift_rounds": Round.objects.filter(shift=shift).count(),
        "shift_report": _times(lambda: figures_of(shift, inputs_read(shift))),
        "computed": again.rounds,
        "computed_seconds": _times(lambda: audit_fees(Round.objects.all(), shifts)),
    }


def _made(report: Any, shift: Any, reader: Any, now: datetime.datetime) -> object:
    """The paper of a report about one shift, or about its whole day where it cannot be narrowed to it."""
    from cardroom.reports.queries.parser import report_query_of

    day = shift.gaming_day
    of_what = {"shift": shift.pk} if report.by_shift else {"first": day, "last": day}
    return report.make(report_query_of(report, shift.room, reader, now, **of_what))


def _times(job: Callable[[], object]) -> list[float]:
    seconds = []
    for _ in range(TIMES):
        began = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - began)
    return seconds[1:]


if __name__ == "__main__":
    main()
