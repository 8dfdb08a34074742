"""Alerts: saying that one has been seen, and what was done about it."""

from __future__ import annotations

from cardroom.people.rights import Right

from ..checks import why_not_acknowledge
from ..entries import alert_acknowledged
from ..errors import BadInput, NotFound, NotNow
from ..live import alert_changed
from ..models import Alert
from .commands import Answer, AtTable, table_command

NOTE_LENGTH = 200


@table_command(Right.ANSWER_ALERTS, moves=False)
def alert_acknowledge(at: AtTable, *, alert_id: int, note: str = "") -> Answer:
    """Say that an alert of this table has been seen, and in `note` what was done about it.

    The table goes on as it was: its screens are not behind because somebody answered on the board.
    """
    note = note.strip()
    if len(note) > NOTE_LENGTH:
        raise BadInput("note_too_long", f"A note has at most {NOTE_LENGTH} characters.", path="note")
    alert = Alert.objects.filter(pk=alert_id, table=at.table).select_related("acknowledged_by").first()
    if alert is None:
        raise NotFound("not_found", f"{at.table} has no alert {alert_id}.")
    if why := why_not_acknowledge(alert):
        raise NotNow.because(why)
    # Two machines, two clocks: an answer never comes before its question.
    alert.acknowledged_at = max(at.now, alert.raised_at)
    alert.acknowledged_by, alert.note = at.actor, note
    alert.save(update_fields=["acknowledged_at", "acknowledged_by", "note"])
    at.journal("alert_acknowledge", alert_acknowledged(alert), reason=note)
    alert_changed(at.table)
    return {"alert": alert.pk}
