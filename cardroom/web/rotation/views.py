"""Views of the rotation of the bank at a table and in a room: page, PDF and CSV."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.documents.export import csv_file
from cardroom.floor.reads.rotation import Period, Run, TableRotation, room_rotation, table_rotation, total_of
from cardroom.floor.reads.table_state import profile_of
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.registry import rulebook_with

from ..parts.access import Permissions, room_for, table_for
from ..parts.clock import clock_of
from .events import entries_of, exception_entry, figures_of, page_of, period_picked
from .files import file_name, rotation_csv, rotation_pdf
from .timeline import Row, timeline_of

#: The reports of the catalogue on the rotation, and the text of the link to each.
REPORTS = (
    ("rotation", "rotation"),
    ("bank-time", "time at the bank"),
    ("what-if", "rule comparison"),
)
#: A part of a room's timeline, in which each round is drawn. The whole period shows the turns alone.
WINDOW = datetime.timedelta(hours=2)


@dataclasses.dataclass(frozen=True)
class PartOfPeriod:
    """A part of the period on show: when it begins, and its query string."""

    name: str
    page: int
    chosen: bool


@login_required
@require_GET
def table_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the turns at a table with every offer and answer, and what deviates from the rule."""
    table, permissions = table_for(request, table_id)
    now = timezone.now()
    picked = period_picked(table.room, request.GET, now)
    rotation = table_rotation(table, picked.period)
    page = page_of(rotation.runs, request.GET.get("page", ""))
    since, until = _stretch(page.runs, picked.period)
    rows = [
        Row(str(seat), page.runs, seat=seat)
        for seat in range(1, rulebook_with(table.rulebook, table.options).seats + 1)
    ]
    context = {
        **_common(request, table.room, permissions, [rotation]),
        "table": table,
        "rotation": rotation,
        "picked": picked,
        "page": page,
        "profile": profile_of(table),
        "timeline": timeline_of(rows, since, until, table.room, now) if page.runs else None,
        "listed": [(run, list(entries_of(run, table.room))) for run in page.runs],
    }
    return render(request, "web/rotation/table.html", context)


@login_required
@require_GET
def room_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the turns at all tables of a room, a row a table: of the whole period, or with its rounds of a part of it."""
    room, permissions = room_for(request, code)
    now = timezone.now()
    picked = period_picked(room, request.GET, now)
    rotations = room_rotation(room, picked.period)
    windows = _windows(rotations, picked.period, now)
    number = _number(request.GET.get("page", ""), len(windows))
    since, until = (windows[0][0], windows[-1][1]) if number is None else windows[number - 1]
    shown = Period(since, until, "")
    rows = [Row(str(each.table), [run for run in each.runs if _lies_in(run, shown)]) for each in rotations]
    context = {
        **_common(request, room, permissions, rotations),
        "rotations": [(each, figures_of_row(each, rotations)) for each in rotations],
        "picked": picked,
        "is_whole": number is None,
        "parts": [
            PartOfPeriod(clock_of(room, begins), at, at == number)
            for at, (begins, _) in enumerate(windows, 1)
        ],
        "timeline": timeline_of(rows, since, until, room, now, turns_alone=number is None)
        if any(row.runs for row in rows)
        else None,
    }
    return render(request, "web/rotation/room.html", context)


@login_required
@require_GET
def table_file(request: HttpRequest, table_id: int, form: str) -> HttpResponse:
    """Give the rotation of a table as a file: `pdf` or `csv`."""
    table, permissions = table_for(request, table_id, Right.SEE_REPORTS)
    picked = period_picked(table.room, request.GET, timezone.now())
    return _file([table_rotation(table, picked.period)], table.room, permissions, form)


@login_required
@require_GET
def room_file(request: HttpRequest, code: str, form: str) -> HttpResponse:
    """Give the rotation of a room as a file: `pdf` or `csv`."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    picked = period_picked(room, request.GET, timezone.now())
    return _file(room_rotation(room, picked.period), room, permissions, form)


@login_required
@require_GET
def turns_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Lead on from where the turns of a table were shown before."""
    return redirect("web:rotation", table_id=table_id, permanent=True)


def figures_of_row(rotation: TableRotation, rotations: Sequence[TableRotation]) -> list[tuple[str, int]]:
    """The figures of one table, each with its heading, in the columns that the room's own have."""
    return [
        (heading, getattr(rotation.figures, name)) for name, heading, _ in figures_of(total_of(rotations))
    ]


def _common(
    request: HttpRequest, room: Room, permissions: Permissions, rotations: Sequence[TableRotation]
) -> dict[str, Any]:
    return {
        "room": room,
        "permissions": permissions,
        "figures": figures_of(total_of(rotations)),
        "exceptions": [(each, exception_entry(one)) for each in rotations for one in each.exceptions],
        "why_no_file": permissions.why_not(Right.SEE_REPORTS),
        "reports": REPORTS,
    }


def _file(
    rotations: Sequence[TableRotation], room: Room, permissions: Permissions, form: str
) -> HttpResponse:
    if form == "csv":
        content = csv_file(rotation_csv(rotations, room))
        kind = "text/csv; charset=utf-8"
    else:
        content = rotation_pdf(rotations, room, printed_by=str(permissions.staff), printed_at=timezone.now())
        kind = "application/pdf"
    name = file_name(rotations, room, form)
    # Paper is looked at before it is printed; a sheet is kept.
    show = "inline" if form == "pdf" else "attachment"
    return HttpResponse(
        content, content_type=kind, headers={"Content-Disposition": f'{show}; filename="{name}"'}
    )


def _stretch(runs: list[Run], period: Period) -> tuple[datetime.datetime, datetime.datetime]:
    """From when to when the runs of a page went on, within the period."""
    if not runs:
        return period.since, period.until
    ends = [run.turn.ended_at or period.until for run in runs if run.turn is not None]
    ends += [offer.answered_at for run in runs for offer in run.offers]
    return max(period.since, runs[0].began_at), min(period.until, max([*ends, runs[-1].began_at]))


def _windows(
    rotations: Sequence[TableRotation], period: Period, now: datetime.datetime
) -> list[tuple[datetime.datetime, datetime.datetime]]:
    """The period in stretches of two hours at most, from the first run to the last; at least one."""
    runs = [run for each in rotations for run in each.runs]
    if not runs:
        return [(period.since, period.until)]
    since, until = max(period.since, min(run.began_at for run in runs)), min(period.until, now)
    last = max(_stretch([run], period)[1] for run in runs)
    until = max(min(until, last), since + datetime.timedelta(minutes=1))
    windows = []
    while since < until:
        windows.append((since, min(until, since + WINDOW)))
        since += WINDOW
    return windows


def _number(typed: str, count: int) -> int | None:
    """The window that is asked for; None: all of them together, where there are several."""
    is_number = typed.isascii() and typed.isdigit() and len(typed) < 10
    if is_number and int(typed) > 0:
        return min(count, int(typed))
    return None if count > 1 else 1


def _lies_in(run: Run, period: Period) -> bool:
    since, until = _stretch([run], period)
    return run.began_at < period.until and until >= period.since and since <= until
