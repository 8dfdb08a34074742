"""Reports about more rounds than anybody waits for: asked for by a person, drawn by a worker, kept as a record.

The same question asked again while it is under way joins the one that is. What came of it is stored as a paper, and every
form is printed from that.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from cardroom.documents.document import Paper
from cardroom.documents.stored import answer_data, answer_read, chart_data, chart_read, grid_data, grid_read
from cardroom.floor.acts.commands import Answer, AtRoom, Envelope, room_command
from cardroom.floor.errors import BadInput, NotFound, NotNow
from cardroom.floor.models import Shift, Table
from cardroom.floor.notify_worker import ring_for_reports
from cardroom.people.firms import providers_within
from cardroom.people.models import Provider, Staff
from cardroom.people.rights import Right, may
from cardroom.rooms.models import Room

from .catalogue import REPORTS
from .limits import check_most, rounds_asked
from .long_runs import ENDS_JOURNALED, UNDER_WAY, Telling, run_carried_out, runs_due, why_not_again
from .models import LongReport
from .provider_statement import STATEMENT, statement_report
from .query import Asked, Report

#: As many as are listed.
_MOST_LISTED = 50


def long_report_ask(
    envelope: Envelope, asked: Asked, report: Report, provider: Provider | None = None
) -> Answer:
    """Have what is asked of a report drawn in the background; `provider` is the one of a statement.

    Answers with `long_report`, the id of the one that is under way, and `joined`: whether it was so before. Raises BadInput
    for a report that nobody waits for, and for more rounds than a worker goes through (`drawing.MOST_ROUNDS`).
    """
    if report.at_once is None:
        raise BadInput(
            "drawn_at_once",
            f"“{report.title}” is drawn while you wait, however long the time is.",
            path="report",
            status=400,
        )
    check_most(rounds_asked(asked))
    place: dict[str, Any] = {
        "first": asked.first,
        "last": asked.last,
        "table": None if asked.table is None else asked.table.pk,
        "shift": None if asked.shift is None else asked.shift.pk,
    }
    if provider is not None:
        return long_statement_start(envelope, asked.room.pk, provider=provider.pk, **place)
    options = dict(asked.options)
    return long_report_start(envelope, asked.room.pk, report=report.name, options=options, **place)


@room_command(Right.SEE_REPORTS, moves=False)
def long_report_start(at: AtRoom, /, *, report: str, options: dict[str, str], **place: Any) -> Answer:
    """Ask for a report of the catalogue."""
    return _start(at, LongReport(report=report, options=options, **_of(at, **place)))


@room_command(Right.SEE_STATEMENTS, moves=False)
def long_statement_start(at: AtRoom, /, *, provider: int, **place: Any) -> Answer:
    """Ask for the statement of a provider."""
    if not providers_within(at.actor, at.room).filter(pk=provider).exists():
        raise NotFound("not_found", f"There is no provider {provider}.")
    return _start(at, LongReport(report=STATEMENT, provider_id=provider, **_of(at, **place)))


@room_command(Right.TRY_AGAIN, moves=False)
def long_report_try_again(at: AtRoom, *, long_report_id: int) -> Answer:
    """Ask anew for one that has failed. The one that failed stays on record."""
    failed = LongReport.objects.filter(room=at.room, pk=long_report_id).first()
    if failed is None:
        raise NotFound("not_found", f"This room has no long report {long_report_id}.")
    if why := why_not_again(failed):
        raise NotNow.because(why)
    question = {name: getattr(failed, name) for name in _QUESTION}
    return _start(at, LongReport(room=at.room, asked_at=at.now, asked_by=at.actor, **question))


#: The columns that make up a question.
_QUESTION = ("report", "provider_id", "first", "last", "table_id", "shift_id", "options")


def _of(
    at: AtRoom, *, first: datetime.date, last: datetime.date, table: int | None, shift: int | None
) -> dict[str, Any]:
    """The columns of whatever is asked; ids of another room's table or shift are not there."""
    for model, pk in ((Table, table), (Shift, shift)):
        if pk is not None and not model._default_manager.filter(room=at.room, pk=pk).exists():
            raise NotFound("not_found", f"This room has no {model._meta.verbose_name} {pk}.")
    return {
        "room": at.room,
        "first": first,
        "last": last,
        "table_id": table,
        "shift_id": shift,
        "asked_at": at.now,
        "asked_by": at.actor,
    }


def _start(at: AtRoom, run: LongReport) -> Answer:
    run.question = _question_of(run)
    under_way = LongReport.objects.filter(room=at.room, question=run.question, state__in=UNDER_WAY).first()
    if under_way is not None:
        return {"long_report": under_way.pk, "joined": True}
    run.save()
    at.journal("long_report_start", {"long_report": run.pk, "question": run.question, ENDS_JOURNALED: True})
    ring_for_reports()
    return {"long_report": run.pk, "joined": False}


def _question_of(run: LongReport) -> str:
    """All that is asked in one line: what is the same line is the same question."""
    parts = {
        "provider": run.provider_id,
        "table": run.table_id,
        "shift": run.shift_id,
        **dict(sorted(run.options.items())),
    }
    said = [f"{name}={value}" for name, value in parts.items() if value is not None]
    return " ".join([run.report, f"{run.first}..{run.last}", *said])


def long_reports_due(now: datetime.datetime) -> list[int]:
    """Return the ids of those that wait, and of those whose worker has fallen silent."""
    return runs_due(LongReport, now)


def long_report_run(pk: int) -> bool:
    """Draw what was asked for and keep what came of it; False when somebody else is at it or has been."""
    return run_carried_out(LongReport, pk, _drawn)


def _drawn(run: LongReport, telling: Telling) -> dict[str, Any]:
    assert run.started_at is not None  # who draws it has begun it
    asked = dataclasses.replace(long_report_asked(run), now=run.started_at, tell=telling.more)
    rounds = rounds_asked(asked)
    check_most(rounds)
    telling.total(rounds)
    paper = _report_of(run).make(asked)
    return {"done": rounds, "total": rounds, "paper": _stored(paper)}


def _report_of(run: LongReport) -> Report:
    return REPORTS[run.report] if run.provider is None else statement_report(run.provider)


def long_report_asked(run: LongReport) -> Asked:
    """Return the question that was asked, as of when it was."""
    return Asked(run.room, run.first, run.last, run.asked_by, run.asked_at, run.table, run.shift, run.options)


def _stored(paper: Paper) -> dict[str, Any]:
    return {
        "name": paper.name,
        "title": paper.title,
        "period": paper.period,
        "answers": [answer_data(each) for each in paper.answers],
        "grids": [grid_data(each) for each in paper.grids],
        "charts": [chart_data(each) for each in paper.charts],
        "notes": list(paper.notes),
    }


def long_report_paper(run: LongReport, staff: Staff) -> Paper:
    """Return a finished report as a paper for `staff`: what was drawn then, and nothing read anew.

    Whoever does not see reports gets it without the addresses that lead into them.
    """
    said: Mapping[str, Any] | None = run.paper
    assert said is not None  # only what has finished is told
    assert run.ended_at is not None
    answers = [answer_read(each) for each in said["answers"]]
    grids = [grid_read(each) for each in said["grids"]]
    if not may(staff, Right.SEE_REPORTS, run.room):
        answers = [dataclasses.replace(answer, link="") for answer in answers]
        grids = [
            dataclasses.replace(grid, rows=[dataclasses.replace(row, links={}) for row in grid.rows])
            for grid in grids
        ]
    ended = f"{run.ended_at.astimezone(run.room.zone):%Y-%m-%d %H:%M %Z}"
    drawn = f"Asked for by {run.asked_by}, drawn in the background, ended {ended}. What was recorded later is not in it."
    return Paper(
        name=said["name"],
        title=said["title"],
        room=run.room.name,
        zone=run.room.zone,
        period=said["period"],
        answers=answers,
        grids=grids,
        charts=[chart_read(each) for each in said["charts"]],
        notes=(drawn, *said["notes"]),
    )


def long_report_title(run: LongReport) -> str:
    """Return what it is called: "Rotation of the bank", "Statement of Levee Players"."""
    return _report_of(run).title


def long_report_about(run: LongReport) -> str:
    """Return what it is about: "gaming days 2026-11-01 to 2026-11-30, table 7", with the choices of the report's own."""
    report = _report_of(run)
    chosen = [
        label
        for option in report.options
        for value, label in option.choices(run.room)
        if value == run.options.get(option.name)
    ]
    return ", ".join([long_report_asked(run).period, *chosen])


def long_reports_of(
    room: Room, report: Report | None = None, provider: Provider | None = None
) -> Sequence[LongReport]:
    """Return the last ones of a report of the room or of a provider's statement, the latest first.

    With neither, those of every report of the catalogue.
    """
    found = _with_names().filter(room=room, provider=provider)
    if report is not None and provider is None:
        found = found.filter(report=report.name)
    return list(found[:_MOST_LISTED])


def long_report_in_reach(staff: Staff, room: Room, pk: int) -> LongReport:
    """Return one of the room's that `staff` may read; NotFound, as if it were not there, if not."""
    found = _with_names().filter(room=room, pk=pk).first()
    if found is not None:
        if found.provider_id is None:
            reach = may(staff, Right.SEE_REPORTS, room)
        else:
            reach = providers_within(staff, room).filter(pk=found.provider_id).exists()
        if reach:
            return found
    raise NotFound("not_found", f"There is no long report {pk} in this room.")


def long_reports_failed(room: Room) -> QuerySet[LongReport]:
    """Return those of the room that failed and that nobody has asked for since."""
    later = LongReport.objects.filter(
        room=OuterRef("room"), question=OuterRef("question"), pk__gt=OuterRef("pk")
    )
    return _with_names().filter(~Exists(later), room=room, state=LongReport.State.FAILED)


def _with_names() -> QuerySet[LongReport]:
    """The rows without what they said, which may be long; it is read where it is asked for."""
    return LongReport.objects.select_related("room", "asked_by", "provider", "table", "shift").defer("paper")
