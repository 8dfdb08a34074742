"""View of the compliance page of a room: what is not closed, what needs doing now, and how the record stands."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.core.dates import day_text, minute_text
from cardroom.documents.document import Mark
from cardroom.documents.formatting import several
from cardroom.filings.models import FeeSchedule, Filing, GameFiling, Levy
from cardroom.inbox.floor_kinds import ROTATION
from cardroom.inbox.models import Item
from cardroom.inbox.models.items import NOT_CLOSED
from cardroom.inbox.reads.items import all_kinds, items_by_kind
from cardroom.people.permits import REMIND_DAYS, expiring, local_day
from cardroom.people.rights import Right
from cardroom.reports.models import Checkpoint, SignedCheckpoint
from cardroom.reports.queries.banking import banking_of_room
from cardroom.reports.queries.query import Scope
from cardroom.reports.queries.rounds_in_scope import report_address
from cardroom.reports.results.headline import basis, headline, reports_to_come
from cardroom.reports.results.overview import Overview, overview_of
from cardroom.rooms.models import Room

from ..parts.access import room_for
from .do_now import FIRST, counts_text, exceptions_text, filing_address, others_text, to_do


class Stands(NamedTuple):
    """How a part of the record stands, and where that is told, if anywhere; `act` is what is done there."""

    mark: Mark
    text: str
    address: str
    act: str


@login_required
@require_GET
def compliance_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show what of the exceptions is not closed, what needs doing, and how reports, journal and filings stand."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    now = timezone.now()
    overview = overview_of(room, permissions.staff, now)
    players_bank = banking_of_room(room).players
    todos, kinds = to_do(permissions, overview), items_by_kind(room, now)
    day = Scope(room=room, first=overview.day, last=overview.day) if overview.day else None
    context = {
        "room": room,
        "permissions": permissions,
        "now": now,
        "headline": exceptions_text(room, overview),
        "took": headline(overview, players_bank=players_bank),
        "basis": " ".join(basis(overview, players_bank=players_bank)),
        "todos": todos[:FIRST],
        "more": todos[FIRST:],
        "others": others_text(todos[FIRST:]),
        "counts": counts_text(todos),
        "to_come": reports_to_come(overview),
        "record": [*_record(overview), *_coming(room, overview.today)],
        "kinds": kinds,
        "all_kinds": all_kinds(kinds) if kinds else None,
        "fee_audit": report_address(day, "fee-audit") if day and players_bank else "",
    }
    return render(request, "web/rooms/compliance.html", context)


def _record(overview: Overview) -> Iterator[Stands]:
    """How the reports of the last day, its rotation, the journal and its checkpoints stand.

    What has expired or will is something to do, and stands there.
    """
    room = overview.room
    if overview.day is not None and overview.in_all is not None:
        day = day_text(overview.day)
        differences, lacking = overview.in_all.now.differences, overview.in_all.part
        text = f"Reports of {day}: " + (
            f"{several(differences, 'figure')} do not tie out"
            if differences
            else lacking or "every figure ties out"
        )
        mark = Mark.STOP if differences else Mark.LOOK if lacking else Mark.DONE
        yield Stands(
            mark, text, reverse("web:period_report", args=[room.code, overview.day.isoformat()]), "Day report"
        )
        if banking_of_room(room).players and overview.in_all.now.exceptions is not None:
            yield _rotation(room, overview.day)
    verified = Checkpoint.objects.first()
    checkpoints, verification = (
        reverse(f"web:{page}", args=[room.code]) for page in ("checkpoints", "verification")
    )
    if verified is None:
        yield Stands(
            Mark.LOOK, "The journal, every entry made, was never verified whole", verification, "Verify"
        )
    else:
        text = f"Journal verified {minute_text(verified.made_at, room.zone)}, no break"
        yield Stands(Mark.DONE, text, verification, "Verify")
    signed = SignedCheckpoint.objects.filter(room=room).first()
    if signed is not None:
        text = f"Journal last signed {minute_text(signed.made_at, room.zone)}"
        yield Stands(Mark.DONE, text, checkpoints, "Checkpoints")
    if not expiring(room, local_day(room, overview.now)):
        yield Stands(Mark.DONE, f"No badge or permit expires within {REMIND_DAYS} days", "", "")


def _rotation(room: Room, day: datetime.date) -> Stands:
    """How the review of a day's rotation stands, and what of earlier days is not closed: one that waits is no ✓."""
    found = Item.objects.filter(room=room, kind=ROTATION.code)
    on_day, earlier = found.filter(gaming_day=day), found.filter(NOT_CLOSED, gaming_day__lt=day).count()
    count, waiting = on_day.count(), on_day.filter(NOT_CLOSED).count()
    text = f"Rotation of the bank on {day_text(day)}: reviewed, "
    text += several(count, "exception") if count else "no exception"
    text += f", {waiting} not closed" if waiting else ""
    if earlier:
        text += (
            f"; {several(earlier, 'exception')} of earlier days {'is' if earlier == 1 else 'are'} not closed"
        )
        address = f"{reverse('web:inbox', args=[room.code])}?{urlencode({'kind': ROTATION.code})}"
        return Stands(Mark.LOOK, text, address, "See them")
    mark = Mark.LOOK if waiting else Mark.DONE
    return Stands(mark, text, report_address(Scope(room=room, first=day, last=day), "rotation"), "Rotation")


def _coming(room: Room, today: datetime.date) -> Iterator[Stands]:
    """Games, schedules of fees and levies that are filed for a later day, the next first."""
    found: list[Filing] = [
        version
        for kind in (GameFiling, FeeSchedule, Levy)
        for version in kind.objects.filter(room=room, status=Filing.Status.FILED, effective_from__gt=today)
    ]
    for version in sorted(found, key=lambda version: version.effective_from or datetime.date.max):
        assert version.effective_from is not None  # what is filed has a day
        text = f"{version} takes effect {day_text(version.effective_from)}"
        yield Stands(Mark.NONE, text, filing_address(room, version), "Open")
