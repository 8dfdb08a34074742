"""Background reports: asked for by a user, drawn by a worker because they are too long for a request, kept as a record.

The same question asked again while it is under way joins the one that is. What came of it is stored as a document, and every
form is printed from that.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, QuerySet

from cardroom.config.replica import primary
from cardroom.core.dates import minute_text
from cardroom.core.reading import PATIENTLY, least_sure, read_reports
from cardroom.documents.document import ReportDocument
from cardroom.documents.stored import (
    answer_data,
    answer_read,
    chart_data,
    chart_read,
    grid_data,
    grid_read,
    sentence_data,
    sentence_read,
)
from cardroom.floor.errors import NotFound
from cardroom.floor.models import Shift, Table
from cardroom.jobs.kinds import JobKind, JobLabels
from cardroom.jobs.models import Job
from cardroom.jobs.pieces import pieces_done, pieces_leave
from cardroom.jobs.progress import Progress
from cardroom.people.firms import providers_within
from cardroom.people.models import Provider, Staff
from cardroom.people.names import named
from cardroom.people.rights import Right, may
from cardroom.rooms.models import Room

from ..catalogue.questions import REPORTS
from ..providers.statement import STATEMENT, statement_report
from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import rounds_of
from .lifecycle import BACKGROUND_REPORT, end_journaled, error_of_run
from .limits import check_most, drawn, rounds_asked, sourced

#: The kind of a part of a report that is drawn by several workers, and how many rounds it is about, more or less.
PIECE = "background_report_piece"
PIECE_ROUNDS = 50_000
#: As many as are listed.
_MOST_LISTED = 50


@dataclasses.dataclass(frozen=True)
class BackgroundReport:
    """A report of the catalogue, or the statement of a `provider`, that a worker draws: a job, read.

    `query` is the question as of when it was asked. The result of the job is the document, once it has finished.
    """

    job: Job
    report: Report
    query: ReportQuery
    provider: Provider | None

    @property
    def title(self) -> str:
        """What it is called: "Rotation of the bank", "Statement of Levee Players"."""
        return self.report.title

    @property
    def about(self) -> str:
        """What it is about: "gaming days 2026-11-01 to 2026-11-30, table 7", with the choices of the report's own."""
        chosen = [
            label
            for option in self.report.options
            for value, label in option.choices(self.job.at_room)
            if value == self.query.options.get(option.name)
        ]
        return ", ".join([self.query.period, *chosen])


def background_reports_read(jobs: Iterable[Job]) -> list[BackgroundReport]:
    """Return what jobs are to draw, in as many queries for many as for one."""
    jobs = list(jobs)

    def named(argument: str) -> set[int]:
        return {job.arguments[argument] for job in jobs if job.arguments.get(argument) is not None}

    tables, shifts = Table.objects.in_bulk(named("table")), Shift.objects.in_bulk(named("shift"))
    providers = Provider.objects.in_bulk(named("provider"))
    read = []
    for job in jobs:
        arguments = job.arguments
        provider = providers[arguments["provider"]] if arguments["report"] == STATEMENT else None
        assert job.asked_by is not None  # a background report is asked for by a person
        query = ReportQuery(
            room=job.at_room,
            first=datetime.date.fromisoformat(arguments["first"]),
            last=datetime.date.fromisoformat(arguments["last"]),
            staff=job.asked_by,
            now=job.asked_at,
            table=tables.get(arguments["table"]),
            shift=shifts.get(arguments["shift"]),
            options=arguments.get("options", {}),
        )
        report = REPORTS[arguments["report"]] if provider is None else statement_report(provider)
        read.append(BackgroundReport(job, report, query, provider))
    return read


def _run(job: Job, progress: Progress) -> dict[str, Any] | None:
    [run] = background_reports_read([job])
    query = _query(run, progress)
    if job.pieces.exists():
        pieces = pieces_done(job)
        return None if pieces is None else _put_together(run, query, pieces, progress)
    rounds = rounds_asked(query)
    check_most(rounds)
    if run.report.in_pieces is not None and len(parts := _parts(query)) > 1:
        pieces_leave(job, PIECE, parts)
        return None
    progress.of(rounds)
    document = drawn(run.report, query, PATIENTLY)
    progress.done = rounds
    return _stored(document)


def _query(run: BackgroundReport, progress: Progress) -> ReportQuery:
    assert run.job.claimed_at is not None  # who draws it has claimed it

    def on_progress(rounds: int) -> None:
        with primary():
            progress.more(rounds)

    return dataclasses.replace(run.query, now=run.job.claimed_at, on_progress=on_progress)


def _parts(query: ReportQuery) -> list[dict[str, Any]]:
    """Cut the shifts asked about into runs of them with some `PIECE_ROUNDS` each, in their order."""
    rounds = dict(rounds_of(query).values_list("shift").annotate(rounds=Count("pk")))
    parts: list[list[Shift]] = [[]]
    held = 0
    for shift in query.shifts:
        if held and held + rounds.get(shift.pk, 0) > PIECE_ROUNDS:
            parts.append([])
            held = 0
        parts[-1].append(shift)
        held += rounds.get(shift.pk, 0)
    return [{"about": f"{part[0]} and on", "shifts": [shift.pk for shift in part]} for part in parts if part]


def _run_piece(job: Job, progress: Progress) -> dict[str, Any]:
    """Do a part of a report: what it answers, and from where it was read, in words."""
    whole = Job.objects.select_related("room", "asked_by").get(pieces=job)
    [run] = background_reports_read([whole])
    assert run.report.in_pieces is not None  # or it would have left no pieces
    work = run.report.in_pieces.work
    shifts = list(Shift.objects.filter(pk__in=job.arguments["shifts"]).order_by("opened_at"))
    part, source = read_reports(lambda: work(run.query, shifts), PATIENTLY)
    return {"part": part, "source": source}


def _put_together(
    run: BackgroundReport, query: ReportQuery, pieces: Sequence[Job], progress: Progress
) -> dict[str, Any]:
    assert run.report.in_pieces is not None  # or it would have left no pieces
    results: list[Any] = [piece.result for piece in pieces]
    document = run.report.in_pieces.put_together(query, [result["part"] for result in results])
    document = sourced(run.report.answered(document), least_sure([result["source"] for result in results]))
    rounds = rounds_asked(query)
    progress.of(rounds)
    progress.done = rounds
    return _stored(document)


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    return [
        JobLabels(
            what=f"draw “{run.title}”",
            about=run.about,
            link=f"/rooms/{run.job.at_room.code}/background-reports/{run.job.pk}/",
            cause="a person asked for it",
        )
        for run in background_reports_read(jobs)
    ]


BACKGROUND_REPORT_KIND = JobKind(
    name=BACKGROUND_REPORT,
    run=_run,
    labels=_labels,
    most_tries=1,
    error=error_of_run,
    write_end=end_journaled,
)


BACKGROUND_PIECE_KIND = JobKind(
    name=PIECE,
    run=_run_piece,
    labels=lambda jobs: [
        JobLabels(
            "draw a part of a report",
            job.arguments["about"],
            f"/rooms/{job.at_room.code}/background-reports/{job.part_of_id}/",
            "a part",
        )
        for job in jobs
    ],
    most_tries=3,
    patience=datetime.timedelta(minutes=6),
    error=error_of_run,
    is_piece=True,
)


def _stored(document: ReportDocument) -> dict[str, Any]:
    return {
        "name": document.name,
        "title": document.title,
        "period": document.period,
        "sentence": sentence_data(document.sentence),
        "answers": [answer_data(each) for each in document.answers],
        "grids": [grid_data(each) for each in document.grids],
        "charts": [chart_data(each) for each in document.charts],
        "notes": list(document.notes),
    }


def background_report_document(run: BackgroundReport, staff: Staff) -> ReportDocument:
    """Return a finished report as a document for `staff`: what was drawn then, and nothing read anew.

    A user who does not see reports gets it without the addresses that lead into them.
    """
    result: Mapping[str, Any] | None = run.job.result
    assert result is not None  # called for what has finished alone
    assert run.job.ended_at is not None
    result = named(result)
    answers = [answer_read(each) for each in result["answers"]]
    grids = [grid_read(each) for each in result["grids"]]
    if not may(staff, Right.SEE_REPORTS, run.job.at_room):
        answers = [dataclasses.replace(answer, link="") for answer in answers]
        grids = [
            dataclasses.replace(grid, rows=[dataclasses.replace(row, links={}) for row in grid.rows])
            for grid in grids
        ]
    ended = minute_text(run.job.ended_at, run.job.at_room.zone)
    drawn = f"Asked for by {run.job.asked_by}, drawn in the background, ended {ended}. What was recorded later is not in it."
    return ReportDocument(
        name=result["name"],
        title=result["title"],
        room=run.job.at_room.name,
        zone=run.job.at_room.zone,
        period=result["period"],
        answers=answers,
        grids=grids,
        charts=[chart_read(each) for each in result["charts"]],
        notes=(drawn, *result["notes"]),
        sentence=sentence_read(result["sentence"]),
    )


def background_reports_of(
    room: Room, report: Report | None = None, provider: Provider | None = None
) -> list[BackgroundReport]:
    """Return the last ones of a report of the room or of a provider's statement, the latest first.

    With neither, those of every report of the catalogue.
    """
    found = _jobs(room)
    if provider is not None:
        found = found.filter(arguments__report=STATEMENT, arguments__provider=provider.pk)
    elif report is not None:
        found = found.filter(arguments__report=report.name)
    else:
        found = found.exclude(arguments__report=STATEMENT)
    return background_reports_read(found.defer("result")[:_MOST_LISTED])


def get_background_report_for(staff: Staff, room: Room, pk: int) -> BackgroundReport:
    """Return one of the room's that `staff` may read; NotFound, as if it were not there, if not."""
    found = background_reports_read(_jobs(room).filter(pk=pk))
    for run in found:
        if run.provider is None:
            reach = may(staff, Right.SEE_REPORTS, room)
        else:
            reach = providers_within(staff, room).filter(pk=run.provider.pk).exists()
        if reach:
            return run
    raise NotFound("not_found", f"There is no background report {pk} in this room.")


def _jobs(room: Room) -> QuerySet[Job]:
    return Job.objects.filter(room=room, kind=BACKGROUND_REPORT).select_related("room", "asked_by")
