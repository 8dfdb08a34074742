"""Report on alerts: what came, how long it held, and who answered it how soon and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q

from cardroom.documents.answering import Told
from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.models import Alert
from cardroom.inbox.reads.items import item_address, items_of_alerts
from cardroom.people.rights import Right

from ..queries.query import Report, ReportQuery
from ..sections.listed import CountAnswer, SummedTable, count_answers

ALERT_ANSWERS = (
    CountAnswer("alerts", "Alerts"),
    CountAnswer("urgent", "of them urgent"),
    CountAnswer("unanswered", "Not answered", if_any=Mark.STOP, if_none=Mark.DONE),
)
_KINDS = (
    Column("kind", "Alert"),
    Column("alerts", "Alerts", Kind.COUNT, adds=True),
    Column("urgent", "of them urgent", Kind.COUNT, adds=True),
    Column("unanswered", "Not answered", Kind.COUNT, adds=True),
    Column("longest_seconds", "Longest unanswered", Kind.SPAN),
)
ALERTS_BY_KIND = SummedTable(
    "kinds",
    "Alerts by kind",
    _KINDS,
    by=("kind",),
    mark=lambda kind: Mark.LOOK if kind["unanswered"] else Mark.NONE,
    empty="No alert came.",
)
_ALERTS = (
    Column("raised_at", "Came", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("kind", "Alert"),
    Column("text", "What it said"),
    Column("times", "Times", Kind.COUNT),
    Column("over_at", "Over", Kind.INSTANT),
    Column("answered_at", "Answered", Kind.INSTANT),
    Column("answered_by", "By"),
    Column("note", "What was done"),
)
_NOTES = (
    "An alert is listed by when it came first. What is not over, or was not answered, says so.",
    "How long one stood unanswered counts from when it came to when somebody answered it.",
)


def alerts(query: ReportQuery, *, with_items: bool = False) -> ReportDocument:
    """Report the alerts that came in the time asked about; `with_items`: each exception with the way to its item in the inbox."""
    came = Q()
    for shift in query.shifts:
        came |= Q(raised_at__gte=shift.opened_at, raised_at__lt=shift.closed_at or query.now)
    found: list[Alert] = []
    if came:
        raised = Alert.objects.filter(came, room=query.room)
        if query.table is not None:
            raised = raised.filter(table=query.table)
        found = list(raised.select_related("table", "acknowledged_by").order_by("raised_at", "pk"))
    items = items_of_alerts(query.room, found) if with_items else {}
    links = {alert: {"text": item_address(item)} for alert, item in items.items()}
    counts = {
        "alerts": len(found),
        "urgent": sum(alert.is_urgent for alert in found),
        "unanswered": sum(alert.waits for alert in found),
    }
    return query.document(
        "alerts",
        "Alerts of the floor",
        answers=count_answers(ALERT_ANSWERS, counts),
        grids=[
            ALERTS_BY_KIND.drawn(_by_kind(found)),
            Grid(
                "alerts",
                "Alert log",
                _ALERTS,
                [_row(alert, links.get(alert.pk, {})) for alert in found],
                empty="None.",
            ),
        ],
        notes=_NOTES,
    )


def alerts_with_items(query: ReportQuery) -> ReportDocument:
    """The same, as it is drawn when asked for: the log links the exceptions to the inbox."""
    return alerts(query, with_items=True)


def _by_kind(found: Sequence[Alert]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for kind in Alert.Kind:
        of_kind = [alert for alert in found if alert.kind == kind]
        if not of_kind:
            continue
        spans = [
            int((alert.acknowledged_at - alert.raised_at).total_seconds())
            for alert in of_kind
            if alert.acknowledged_at is not None
        ]
        waiting = sum(alert.waits for alert in of_kind)
        rows.append(
            {
                "kind": str(kind.label),
                "alerts": len(of_kind),
                "urgent": sum(alert.is_urgent for alert in of_kind),
                "unanswered": waiting,
                "longest_seconds": None if waiting else max(spans),
            }
        )
    return rows


def _row(alert: Alert, links: Mapping[str, str]) -> Row:
    return Row(
        {
            "raised_at": alert.raised_at,
            "table": alert.table.number,
            "kind": alert.get_kind_display(),
            "text": alert.text,
            "times": alert.times,
            "over_at": alert.cleared_at,
            "answered_at": alert.acknowledged_at,
            "answered_by": "" if alert.acknowledged_by is None else str(alert.acknowledged_by),
            "note": alert.note,
        },
        links,
        mark=Mark.LOOK if alert.waits else Mark.NONE,
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("alerts"):
        return f"{figures.several('alerts', 'alert').capitalize()} came in this time"
    left = figures.number("unanswered")
    answered = f"{figures.text('unanswered')} of them not answered" if left else "each of them answered"
    return f"{figures.several('alerts', 'alert')} came, {answered}"


ALERTS = Report(
    name="alerts",
    title="Alerts of the floor",
    text="What did the floor have to look at, and who answered it how soon and how?",
    right=Right.SEE_REPORTS,
    make=alerts_with_items,
    answer=_answer,
    by_shift=True,
)
