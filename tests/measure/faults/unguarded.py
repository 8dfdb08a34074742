"""The site without its safeguards, to show that the run finds what they are there for. No setting of the product does this.

Two are taken away. In place of the job's row there is a message alone, with the shift's id, and nobody asks the
database what is due: `put_messages_in_place_of_jobs` in the process that closes shifts, and the Celery application
of this module in worker and beat. And the unique rows of reports are dropped: `python -m tests.measure.faults.unguarded`.
"""

from __future__ import annotations

import datetime
import logging
import os
from typing import TYPE_CHECKING, Any

import django
from celery import signals

from cardroom.config.celery import app

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from cardroom.jobs.models import Job

__all__ = ["app"]

logger = logging.getLogger(__name__)


@app.task(name="tests.measure.faults.make_shift_report", ignore_result=True)
def make_shift_report(shift_id: int) -> None:
    """Make the report of one shift."""
    from cardroom.reports.shift.making import shift_report_make

    shift_report_make(shift_id)


@signals.worker_process_init.connect
def _ask_nothing(**kwargs: Any) -> None:
    from cardroom.jobs.models import Job
    from cardroom.reports import tasks

    def no_jobs(now: datetime.datetime, *kinds: str) -> QuerySet[Job]:
        return Job.objects.none()

    def no_reports(now: datetime.datetime) -> list[int]:
        return []

    tasks.jobs_due, tasks.reports_due = no_jobs, no_reports


def put_messages_in_place_of_jobs() -> None:
    """Have a message sent after the commit wherever a job would have been written, or the bell rung."""
    from django.db import transaction

    from cardroom.floor.commands import corrections, round_steps, shifts
    from cardroom.floor.models import Shift

    def send(shift_id: int) -> None:
        try:
            make_shift_report.apply_async((shift_id,), retry=False)
        except Exception:  # noqa: BLE001  # as the product's notify_worker: no command fails of the broker
            logger.warning("the broker did not take the message")

    def put(shift: Shift, *which: Any) -> None:
        transaction.on_commit(lambda: send(shift.pk))

    def wake_worker() -> None:
        put(Shift.objects.filter(closed_at__isnull=False).latest("closed_at"))

    for module in (shifts, corrections):
        module.report_ask = put
    round_steps.wake_worker = wake_worker


def drop_unique_rows() -> None:
    """Let the database take two reports of one revision."""
    from django.db import connection, models

    from cardroom.core.triggers import triggers_lifted
    from cardroom.reports.models import ShiftReport

    [unique] = [one for one in ShiftReport._meta.constraints if isinstance(one, models.UniqueConstraint)]
    before = ShiftReport._meta.get_field("restates")
    after = models.ForeignKey(ShiftReport, on_delete=models.PROTECT, null=True, related_name="restatement")
    after.set_attributes_from_name("restates")
    after.model = ShiftReport
    with triggers_lifted(connection), connection.schema_editor() as editor:
        editor.remove_constraint(ShiftReport, unique)
        ShiftReport._meta.constraints.remove(unique)  # SQLite makes the table anew from what the model says
        editor.alter_field(ShiftReport, before, after)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    drop_unique_rows()
