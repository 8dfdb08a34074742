"""Authorization of pages: who may see one, and what they may do from it.

Reach and rights are the floor's and people's; this words them for pages: out of reach is 404, within reach but not
theirs to see is 403 with a sentence that says who may.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Iterator
from typing import cast

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from cardroom.drop.models import DropBox
from cardroom.drop.reads.boxes import get_box_for
from cardroom.floor.checks.own_table import why_not_own_table
from cardroom.floor.errors import Forbidden, NotFound, WhyNot
from cardroom.floor.models import Round, Shift, Table
from cardroom.floor.reads.access import get_round_for, get_shift_for, room_by_code, table_with_roles
from cardroom.floor.reads.table_state import TableState
from cardroom.people.models import Provider, Role, Staff
from cardroom.people.rights import Right, roles_of, why_not_with
from cardroom.reports.providers.statement import get_provider_for
from cardroom.rooms.models import Room
from games.phrases import Phrase

from .languages import translated


@dataclasses.dataclass
class Permissions:
    """A person in a room: the roles they hold there, read once a page (`roles_read`: as read before)."""

    staff: Staff
    room: Room
    roles_read: frozenset[Role] | None = None

    @functools.cached_property
    def roles(self) -> frozenset[Role]:
        return roles_of(self.staff, self.room) if self.roles_read is None else self.roles_read

    @property
    def role_names(self) -> str:
        """The roles as a person would say them: "Floor, Shift manager"."""
        return ", ".join(sorted(translated(Phrase(role.label)) for role in self.roles))

    def why_not(self, right: Right) -> WhyNot | None:
        """None when the person holds `right` here, else why not."""
        why = why_not_with(self.roles, self.staff, right, self.room)
        return None if why is None else WhyNot("forbidden", why)

    def may(self, right: Right) -> bool:
        return self.why_not(right) is None

    @property
    def may_see_floor(self) -> bool:
        return self.may(Right.SEE_FLOOR)

    @property
    def may_work_items(self) -> bool:
        return self.may(Right.WORK_ITEMS)

    @property
    def may_see_obligations(self) -> bool:
        return self.may(Right.SEE_OBLIGATIONS)

    def why_not_at(self, right: Right, state: TableState) -> WhyNot | None:
        """The same for a command at a table, where a dealer works at the table of the open down only."""
        dealer = None if state.down is None else state.down.dealer_id
        return self.why_not(right) or why_not_own_table(self.staff, self.roles, right, state.table, dealer)


def staff_of(request: HttpRequest) -> Staff:
    """The person signed in; every view that asks is behind the sign-in."""
    return cast(Staff, request.user)


def room_for(request: HttpRequest, code: str, right: Right = Right.SEE_FLOOR) -> tuple[Room, Permissions]:
    """Return the room called `code` and the person's permissions there."""
    staff = staff_of(request)
    with _as_pages():
        room, roles = room_by_code(staff, code, right)
    return room, Permissions(staff, room, roles)


def table_for(request: HttpRequest, pk: int, right: Right = Right.SEE_FLOOR) -> tuple[Table, Permissions]:
    """Return a table of the floor and the person's permissions in its room."""
    staff = staff_of(request)
    with _as_pages():
        table, roles = table_with_roles(staff, pk, right)
    return table, Permissions(staff, table.room, roles)


def round_for(request: HttpRequest, pk: int) -> tuple[Round, Permissions]:
    """Return a round and the person's permissions in its room."""
    staff = staff_of(request)
    with _as_pages():
        round_ = get_round_for(staff, pk)
    return round_, Permissions(staff, round_.room)


def shift_for(request: HttpRequest, pk: int, right: Right) -> tuple[Shift, Permissions]:
    """Return a shift and the person's permissions in its room."""
    staff = staff_of(request)
    with _as_pages():
        shift = get_shift_for(staff, pk, right)
    return shift, Permissions(staff, shift.room)


def box_for(request: HttpRequest, pk: int, right: Right = Right.SEE_BOXES) -> tuple[DropBox, Permissions]:
    """Return a drop box and the person's permissions in its room."""
    staff = staff_of(request)
    with _as_pages():
        box = get_box_for(staff, pk, right)
    return box, Permissions(staff, box.room)


def provider_for(request: HttpRequest, code: str, provider_id: int) -> tuple[Provider, Permissions]:
    """Return a provider whose statement is open to the person, and the person's permissions in its room."""
    room, permissions = room_for(request, code, Right.SEE_STATEMENTS)
    with _as_pages():
        provider = get_provider_for(permissions.staff, room, provider_id)
    return provider, permissions


@contextlib.contextmanager
def _as_pages() -> Iterator[None]:
    """Say with Django's errors what the floor says with its own: they lead to the 404 and 403 pages."""
    try:
        yield
    except NotFound as error:
        raise Http404(error.message) from error
    except Forbidden as error:
        raise PermissionDenied(error.message) from error
