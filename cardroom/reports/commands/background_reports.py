"""Commands that have a report or a provider's statement drawn in the background.

The commands take the question as an address does (`cardroom.reports.queries.parser`), with numbers that are painted on tables.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Id, Key, Text, Whole
from cardroom.floor.errors import BadInput, NotFound
from cardroom.floor.execution.carry_out import Answer, CommandMeta, room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.jobs.lifecycle import OPEN, job_ask
from cardroom.jobs.models import Job
from cardroom.people.models import Provider
from cardroom.people.rights import Right

from ..background.lifecycle import BACKGROUND_REPORT
from ..background.limits import check_most, rounds_asked
from ..catalogue.questions import REPORTS
from ..providers.statement import STATEMENT, get_provider_for, statement_report
from ..queries.parser import report_query_of
from ..queries.query import Report, ReportQuery

CHOICE_LENGTH = 80

_First = Annotated[datetime.date, Key("from"), "First gaming day."]
_Last = Annotated[datetime.date, Key("to"), "Last gaming day, included."]
_Table = Annotated[int, Whole(1, 32767), "The number painted on the table."]
_Shift = Annotated[Id, "A shift's id; it brings its own day."]
_Choice = Annotated[str, Text(CHOICE_LENGTH, blank=True)]


class BackgroundReportAnswer(TypedDict):
    """A worker draws it; `joined` where it was under way already."""

    background_report: int
    joined: bool


@room_command(
    "POST background-reports",
    Right.SEE_REPORTS,
    bumps_version=False,
    no_check="the same question joins the one under way",
    title="Have a report drawn in the background",
    tag="Reports",
    example={"report": "rotation", "from": "2026-11-01", "to": "2026-11-30"},
)
def background_report_start(
    tx: RoomTransaction,
    *,
    report: Annotated[str, Text(CHOICE_LENGTH), "A name of the list of reports."],
    first: _First | None = None,
    last: _Last | None = None,
    table: _Table | None = None,
    shift: _Shift | None = None,
    options: Annotated[dict[str, _Choice], "The report's own choices by name; left out, each is its default."]
    | None = None,
) -> BackgroundReportAnswer:
    """Have a report drawn that is about more rounds than are drawn while you wait (`too_many_rounds`).

    Who asks the same while it is under way joins it.
    """
    drawn = REPORTS.get(report)
    if drawn is None or drawn.right is not Right.SEE_REPORTS:
        raise NotFound("not_found", f"There is no report {report!r} that is made in the background.")
    query = report_query_of(
        drawn, tx.room, tx.actor, tx.now, first=first, last=last, table=table, shift=shift, options=options
    )
    return _start(tx, drawn, query, {"report": report, "options": dict(query.options)})


@room_command(
    "POST statements/{provider_id}/background-reports",
    Right.SEE_STATEMENTS,
    bumps_version=False,
    no_check="the same question joins the one under way",
    title="Have the statement of a provider drawn in the background",
    tag="Reports",
    example={"from": "2026-11-01", "to": "2026-11-30"},
)
def background_statement_start(
    tx: RoomTransaction,
    *,
    provider_id: Id,
    first: _First | None = None,
    last: _Last | None = None,
    table: _Table | None = None,
    shift: _Shift | None = None,
) -> BackgroundReportAnswer:
    """Have a statement drawn that is about more rounds than are drawn while you wait (`too_many_rounds`).

    Who asks the same while it is under way joins it.
    """
    provider = get_provider_for(tx.actor, tx.room, provider_id)
    drawn = statement_report(provider)
    query = report_query_of(
        drawn, tx.room, tx.actor, tx.now, first=first, last=last, table=table, shift=shift
    )
    return _start(tx, drawn, query, {"report": STATEMENT, "provider": provider.pk})


def background_report_ask(
    meta: CommandMeta, query: ReportQuery, report: Report, provider: Provider | None
) -> Answer:
    """Give one of the two commands for a question that was read before; `provider` is the one of a statement."""
    place: dict[str, Any] = {
        "first": query.first,
        "last": query.last,
        "table": None if query.table is None else query.table.number,
        "shift": None if query.shift is None else query.shift.pk,
    }
    if provider is not None:
        return background_statement_start(meta, query.room.pk, provider_id=provider.pk, **place)
    options = dict(query.options)
    return background_report_start(meta, query.room.pk, report=report.name, options=options, **place)


def _start(
    tx: RoomTransaction, report: Report, query: ReportQuery, data: Mapping[str, Any]
) -> BackgroundReportAnswer:
    if report.at_once is None:
        raise BadInput(
            "drawn_at_once",
            f"“{report.title}” is drawn while you wait, however long the time is.",
            path="report",
            status=400,
        )
    check_most(rounds_asked(query))
    arguments = {
        **data,
        "first": str(query.first),
        "last": str(query.last),
        "table": None if query.table is None else query.table.pk,
        "shift": None if query.shift is None else query.shift.pk,
    }
    question = _question_of(arguments)
    under_way = Job.objects.filter(room=tx.room, kind=BACKGROUND_REPORT, key=question, state__in=OPEN).first()
    if under_way is not None:
        return {"background_report": under_way.pk, "joined": True}
    job = job_ask(
        BACKGROUND_REPORT,
        room=tx.room,
        at=tx.now,
        cause="asked",
        arguments=arguments,
        key=question,
        at_most_one=Job.AtMostOne.OPEN,
        asked_by=tx.actor,
    )
    tx.journal("background_report_start", {"background_report": job.pk, "question": question})
    return {"background_report": job.pk, "joined": False}


def _question_of(arguments: Mapping[str, Any]) -> str:
    """All that is asked in one line: what is the same line is the same question."""
    parts = {name: arguments.get(name) for name in ("provider", "table", "shift")}
    parts |= dict(sorted(arguments.get("options", {}).items()))
    options = [f"{name}={value}" for name, value in parts.items() if value is not None]
    return " ".join([arguments["report"], f"{arguments['first']}..{arguments['last']}", *options])
