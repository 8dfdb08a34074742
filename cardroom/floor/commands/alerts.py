"""Command on alerts: acknowledging one, with what was done about it."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Id, Note
from cardroom.jobs.models import Job
from cardroom.people.rights import Right

from ..checks.alerts import why_not_acknowledge
from ..errors import BadInput, NotFound, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Alert, Shift
from ..notify import alert_changed
from ..report_jobs import Cause, ReportKind, report_ask, reports_asked_for

NOTE_LENGTH = 200
#: How long a shift's report waits for further answers, so that those of one shift change restate it once.
ANSWERS_WAIT = datetime.timedelta(minutes=15)


class AlertAnswer(TypedDict):
    """An alert was answered."""

    alert: int


@table_command(
    "POST alerts/{alert_id}/acknowledge",
    Right.ANSWER_ALERTS,
    bumps_version=False,
    no_check="it depends on the alert: why_not_acknowledge",
    title="Answer an alert",
    tag="Alerts",
    example={"note": "deck counted, 52 cards"},
)
def alert_acknowledge(
    tx: TableTransaction, *, alert_id: Id, note: Annotated[Note, "What was done about it."] = ""
) -> AlertAnswer:
    """Say that an alert of this table has been seen, and in `note` what was done about it.

    The table goes on as it was: its screens are not behind because a user answered on the board.
    """
    note = note.strip()
    if len(note) > NOTE_LENGTH:
        raise BadInput("note_too_long", f"A note has at most {NOTE_LENGTH} characters.", path="note")
    alert = Alert.objects.filter(pk=alert_id, table=tx.table).select_related("acknowledged_by").first()
    if alert is None:
        raise NotFound("not_found", f"{tx.table} has no alert {alert_id}.")
    if why := why_not_acknowledge(alert):
        raise NotNow.because(why)
    # Two machines, two clocks: an answer never comes before its question.
    alert.acknowledged_at = max(tx.now, alert.raised_at)
    alert.acknowledged_by, alert.note = tx.actor, note
    alert.save()
    tx.journal("alert_acknowledge", _alert_acknowledged_data(alert), reason=note)
    alert_changed(tx.table)
    _restate(alert, tx.now)
    return {"alert": alert.pk}


def _restate(alert: Alert, now: datetime.datetime) -> None:
    """Have the report of the shift in which the alert came made again, if that shift is closed."""
    came = Shift.objects.filter(
        room=alert.room_id, opened_at__lte=alert.raised_at, closed_at__gt=alert.raised_at
    ).first()
    # One that is about to be carried out may have read already.
    soon = now + datetime.timedelta(minutes=1)
    if (
        came is None
        or reports_asked_for([came], ReportKind.SHIFT_REPORT)
        .filter(cause=Cause.ALERT_ANSWERED, state=Job.State.WAITING, next_try_at__gt=soon)
        .exists()
    ):
        return
    report_ask(came, Cause.ALERT_ANSWERED, now, wait=ANSWERS_WAIT)


def _alert_acknowledged_data(alert: Alert) -> dict[str, Any]:
    """A user has seen an alert; the entry's reason is their note."""
    return {"alert": alert.pk, "kind": alert.kind, "text": alert.text}
