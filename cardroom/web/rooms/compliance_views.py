"""View of the compliance page of a room: what is not closed, what needs doing now, and how the record stands."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import NamedTuple

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
from cardroom.inbox.reads.items import items_by_kind
from cardroom.people.permits import REMIND_DAYS, expiring, local_day
from cardroom.people.rights import Right
from cardroom.reports.models import Checkpoint, SignedCheckpoint
from cardroom.reports.queries.banking import banking_of_room
from cardroom.reports.queries.query import Scope
from cardroom.reports.queries.rounds_in_scope import report_address
from cardroom.reports.results.headline import basis, headline
from cardroom.reports.results.overview import Overview, overview_of
from cardroom.rooms.models import Room

from ..parts.access import room_for
from .do_now import FIRST, exceptions_text, filing_address, inbox_of, to_do


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
    todos = to_do(permissions, overview)
    context = {
        "room": room,
        "permissions": permissions,
        "now": now,
        "headline": exceptions_text(room, overview),
        "took": headline(overview, players_bank=players_bank),
        "basis": " ".join(basis(overview, players_bank=players_bank)),
        "todos": todos[:FIRST],
        "more": todos[FIRST:],
        "inbox": inbox_of(permissions, now),
        "record": [*_record(overview), *_coming(room, overview.today)],
        "kinds": items_by_kind(room, now),
    }
    return render(request, "web/rooms/compliance.html", context)


def _record(overview: Overview) -> Iterator[Stands]:
    """How the reports of the last day, the journal and its checkpoints stand, and what expires."""
    room = overview.room
    if overview.day is not None and overview.in_all is not None:
        scope, day = Scope(room=room, first=overview.day, last=overview.day), day_text(overview.day)
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
        if banking_of_room(room).players:
            audit = report_address(scope, "fee-audit")
            yield Stands(Mark.NONE, f"Fees of {day}: checked as the audit opens", audit, "Fee audit")
            yield Stands(
                Mark.NONE,
                f"Rotation of the bank on {day}: reviewed as it opens",
                report_address(scope, "rotation"),
                "Rotation",
            )
    verified = Checkpoint.objects.first()
    checkpoints, verification = (
        reverse(f"web:{page}", args=[room.code]) for page in ("checkpoints", "verification")
    )
    if verified is None:
        yield Stands(Mark.LOOK, "The journal was never verified to its end", verification, "Verify")
    else:
        text = f"Journal verified {minute_text(verified.made_at, room.zone)}, no break"
        yield Stands(Mark.DONE, text, verification, "Verify")
    signed = SignedCheckpoint.objects.filter(room=room).first()
    if signed is not None:
        text = f"Journal last signed {minute_text(signed.made_at, room.zone)}"
        yield Stands(Mark.DONE, text, checkpoints, "Checkpoints")
    on = local_day(room, overview.now)
    found = expiring(room, on)
    for each in found:
        expired, what = each.expires < on, f"{each.what} {each.number}".strip()
        text = f"{each.person}: {what} {'expired' if expired else 'valid through'} {day_text(each.expires)}"
        yield Stands(Mark.STOP if expired else Mark.LOOK, text, "", "")
    if not found:
        yield Stands(Mark.DONE, f"No badge or permit expires within {REMIND_DAYS} days", "", "")


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
