"""Raises and clears alerts (`Alert` rows): those that follow from commands, and those that come with time.

Each change is one entry in the table's journal and one event for the boards. Answering an alert is a command of its
own (`cardroom.floor.commands.alerts`).
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

from cardroom.people.names import cut

from .execution.transactions import TableTransaction
from .models import Alert, Table
from .models.alerts import OPEN
from .notify import alert_changed

#: As many letters as an alert has.
_LONGEST: Final = 300


def alert_raise(tx: TableTransaction, kind: Alert.Kind, subject: str, text: str) -> None:
    """Raise an alert, unless one of this kind and subject holds at the table already.

    `text` is the sentence that people read: what is the matter, and what to do; it refers to players by `Player.ref`. One that was over and unanswered
    holds again, and counts how often it came.
    """
    text = cut(text, _LONGEST)
    open_alert = open_alerts(tx.table).filter(kind=kind, subject=subject).first()
    if open_alert is None:
        alert = Alert.objects.create(
            room=tx.room, table=tx.table, kind=kind, subject=subject, text=text, raised_at=tx.now
        )
    elif open_alert.cleared_at is not None:
        alert = open_alert
        alert.cleared_at, alert.text, alert.times = None, text, alert.times + 1
        alert.save()
    else:
        return
    tx.journal("alert_raise", _alert_raised_data(alert))
    alert_changed(tx.table)


def alert_clear(tx: TableTransaction, kind: Alert.Kind, subject: str = "") -> None:
    """Say that the condition of an alert has gone. It stays open, as over, until a user answers it."""
    raised = open_alerts(tx.table).filter(kind=kind, subject=subject, cleared_at__isnull=True)
    for alert in raised:
        alert.cleared_at = max(tx.now, alert.raised_at)  # two machines, two clocks
        alert.save()
        tx.journal("alert_over", _alert_over_data(alert))
        alert_changed(tx.table)


def open_alerts(table: Table) -> QuerySet[Alert]:
    """Return the alerts of a table that hold or are unanswered, in the order in which they came."""
    return Alert.objects.filter(OPEN, table=table).order_by("id")


def _alert_raised_data(alert: Alert) -> dict[str, Any]:
    """An alert came, or came again."""
    return {
        "alert": alert.pk,
        "kind": alert.kind,
        "subject": alert.subject,
        "text": alert.text,
        "times": alert.times,
    }


def _alert_over_data(alert: Alert) -> dict[str, Any]:
    """The condition of an alert has gone."""
    return {"alert": alert.pk, "kind": alert.kind, "subject": alert.subject}
