"""Views of the rooms in which a person works: home, a room with its shifts, and the list of its tables."""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.commands.lockouts import lockout_lift
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import BadInput, FloorError, WhyNot
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import Down, Shift
from cardroom.floor.open_items import OpenItem, open_items
from cardroom.floor.reads.access import rooms_with_roles
from cardroom.floor.reads.board import room_board
from cardroom.floor.reads.records import shifts_of
from cardroom.people.lockouts import locked_out
from cardroom.people.models import Lockout, Role
from cardroom.people.permits import Expiry, expiring, local_day
from cardroom.people.rights import Right
from cardroom.reports.models import ShiftReport
from cardroom.reports.shift.open_shift import OpenShift, open_shift_of
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..board.board import Board, board_of
from ..parts.access import Permissions, room_for, staff_of
from ..parts.command_headers import meta_of
from ..parts.documents import Bars, bars_of
from ..parts.navigation import bar_of, home_page_of
from .forms import USUAL, ShiftOpenForm, name_after

RECENT_SHIFTS = 12

#: The section of the bar in which what is open at the close of a shift is dealt with, by kind.
_SECTION_OF_OPEN = {
    "tables": "Tables",
    "trays": "Tables",
    "rounds": "Tables",
    "boxes_on_tables": "Count",
    "boxes_not_counted": "Count",
    "tips": "Tips",
    "tips_of_earlier_shifts": "Tips",
}


@dataclasses.dataclass
class RoomPage:
    """What the room page shows."""

    room: Room
    permissions: Permissions
    shift: Shift | None
    board: Board
    recent: list[Shift]
    form: ShiftOpenForm
    next_name: str
    error: FloorError | None
    now: datetime.datetime

    @functools.cached_property
    def left_open(self) -> list[OpenItem]:
        """What is open in the shift for a user who may close it."""
        return [] if self.shift is None or self.why_not_run_shifts else open_items(self.shift)

    @property
    def to_close(self) -> list[tuple[OpenItem, str]]:
        """What is open in the shift, each with the address where it is dealt with; empty where that is not open to the user."""
        sections = {link.name: link.address for link in bar_of(self.permissions, None).sections}
        alerts = reverse("web:alerts", kwargs={"code": self.room.code})
        return [
            (item, alerts if item.kind == "alerts" else sections.get(_SECTION_OF_OPEN.get(item.kind, ""), ""))
            for item in self.left_open
        ]

    @functools.cached_property
    def so_far(self) -> OpenShift | None:
        """The open shift in figures, for those who read its report once it has closed."""
        if self.shift is None or not self.may_see_reports:
            return None
        return open_shift_of(self.shift, self.permissions.staff, self.now)

    @property
    def chart(self) -> Bars | None:
        """The drop by hour; while there is too little of that to have a shape, what each table has played."""
        if self.so_far is None:
            return None
        chart = self.so_far.chart or self.board.chart
        return bars_of(chart, letter=Bars.letter_of_two) if any(chart.values) else None

    @property
    def why_not_run_shifts(self) -> WhyNot | None:
        return self.permissions.why_not(Right.RUN_SHIFTS)

    @property
    def may_see_reports(self) -> bool:
        return self.permissions.may(Right.SEE_REPORTS)

    @functools.cached_property
    def expiring(self) -> list[Expiry]:
        """Badges and permits that have expired or will soon, for those who override or renew them."""
        if not (self.permissions.may(Right.OVERRIDE_EXPIRY) or self.permissions.may(Right.SET_PEOPLE)):
            return []
        return expiring(self.room, self.local_day)

    @functools.cached_property
    def locked_out(self) -> list[Lockout]:
        """People whose password or PIN is locked, for those who lift the lock."""
        return locked_out(self.room) if self.permissions.may(Right.LIFT_LOCKOUTS) else []

    @property
    def local_day(self) -> datetime.date:
        return local_day(self.room, timezone.now())


@login_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Lead to where work begins in the only room of who is signed in; of several rooms, list them with that page."""
    staff = staff_of(request)
    rooms = [Permissions(staff, room, frozenset(roles)) for room, roles in rooms_with_roles(staff)]
    if len(rooms) == 1 and (address := _home_of(rooms[0])):
        return redirect(address)
    if not rooms and settings.COMPANY_FILE is not None and not Room.objects.exists():
        return redirect("web:company")
    context = {"rooms": [(permissions, _home_of(permissions)) for permissions in rooms]}
    return render(request, "web/rooms/home.html", context)


def _home_of(permissions: Permissions) -> str | None:
    """The address where a person's work in a room begins: a dealer's is the table of the open down."""
    page = home_page_of(permissions)
    if page is None:
        return None
    if Role.DEALER in permissions.roles:
        down = Down.objects.filter(
            dealer=permissions.staff, table__room=permissions.room, ended_at__isnull=True
        ).first()
        if down is not None:
            return reverse("web:table", args=[down.table_id])
    return reverse(page, kwargs={"code": permissions.room.code})


@login_required
@require_GET
def room_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show a room: its open shift, its tables at a glance, its recent shifts."""
    room, permissions = room_for(request, code)
    return _show(request, room, permissions)


@login_required
@require_POST
def open_shift(request: HttpRequest, code: str) -> HttpResponse:
    """Open a shift under the name that was typed."""
    room, permissions = room_for(request, code)
    form = ShiftOpenForm(request.POST)
    if not form.is_valid():
        return _show(request, room, permissions, form=form, status=422)

    def command(meta: CommandMeta) -> None:
        answer = shift_open(meta, room.pk, name=form.cleaned_data["name"])
        if put_on := len(answer["boxes"]):
            messages.success(request, f"{put_on} drop box{'' if put_on == 1 else 'es'} put on.")

    return _command(request, room, permissions, form, command)


@login_required
@require_POST
def close_shift(request: HttpRequest, code: str, shift_id: int) -> HttpResponse:
    """Close the open shift, and open the next one where that is asked for; the report is made in the background."""
    room, permissions = room_for(request, code)
    confirmed = request.POST.get("confirmed") == "yes"
    opens_next = request.POST.get("then") == "open"
    next_name = request.POST.get("next_name", "").strip() if opens_next else ""

    def command(meta: CommandMeta) -> None:
        if opens_next and not next_name:
            raise BadInput("bad_name", "Name the shift that is opened next.", path="next_name")
        closed = shift_close(meta, room.pk, shift_id=shift_id, confirmed=confirmed, next_name=next_name)
        if "next" in closed:
            put_on = len(closed["next"]["boxes"])
            boxes = f" {put_on} drop box{'' if put_on == 1 else 'es'} set." if put_on else ""
            messages.success(request, f"{next_name} is open.{boxes}")

    answer = _command(request, room, permissions, None, command)
    if answer.status_code == 302:
        if permissions.may(Right.SEE_REPORTS):
            return redirect("web:report", shift_id=shift_id)
        messages.success(request, "The shift is closed. Its report is being made.")
    return answer


@login_required
@require_POST
def lift_lockout(request: HttpRequest, code: str, staff_id: int) -> HttpResponse:
    """Lift the lock on somebody's password or PIN."""
    room, permissions = room_for(request, code, Right.LIFT_LOCKOUTS)

    def command(meta: CommandMeta) -> None:
        lockout_lift(meta, room.pk, staff_id=staff_id)
        messages.success(request, "The lock is lifted.")

    return _command(request, room, permissions, None, command)


def _command(
    request: HttpRequest,
    room: Room,
    permissions: Permissions,
    form: ShiftOpenForm | None,
    command: Callable[..., Any],
) -> HttpResponse:
    try:
        command(meta_of(request))
    except FloorError as error:
        room.refresh_from_db()
        return _show(request, room, permissions, form=form, error=error, status=error.status)
    return redirect("web:room", code=room.code)


def _show(
    request: HttpRequest,
    room: Room,
    permissions: Permissions,
    *,
    form: ShiftOpenForm | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    reported = Exists(ShiftReport.objects.filter(shift=OuterRef("pk")))
    recent = list(shifts_of(room).annotate(is_reported=reported)[:RECENT_SHIFTS])
    shift = next((shift for shift in recent if shift.closed_at is None), None)
    now = timezone.now()
    today = gaming_day(room, now)
    used = {one.name for one in recent if one.gaming_day == today}
    suggested = next((name for name in USUAL if name not in used), "")
    typed = request.POST.get("next_name", "")
    room_page = RoomPage(
        room=room,
        permissions=permissions,
        shift=shift,
        board=board_of(
            room, permissions, shift, room_board(room, shift, now), request.GET.get("show", "all")
        ),
        recent=[one for one in recent if one.closed_at is not None],
        form=form or ShiftOpenForm(initial={"name": suggested}),
        next_name=typed or ("" if shift is None else name_after(shift.name, used)),
        error=error,
        now=now,
    )
    context = {
        "room_page": room_page,
        "board": room_page.board,
        "room": room,
        "permissions": permissions,
        "now": now,
        "today": today,
        "usual": USUAL,
    }
    return render(request, "web/rooms/room.html", context, status=status)


@login_required
@require_GET
def table_list(request: HttpRequest, code: str) -> HttpResponse:
    """List the tables by their numbers; that of the dealer who asks comes first."""
    room, permissions = room_for(request, code)
    shift = Shift.objects.filter(room=room, closed_at__isnull=True).first()
    cards = room_board(room, shift, timezone.now())
    own = next(
        (card for card in cards if card.state.down and card.state.down.dealer_id == permissions.staff.pk),
        None,
    )
    context = {
        "room": room,
        "permissions": permissions,
        "shift": shift,
        "own": own,
        "cards": sorted(cards, key=lambda card: card.table.number),
        "now": timezone.now(),
    }
    return render(request, "web/rooms/tables.html", context)
