"""Account permissions of rooms: which room may change what of an account, and whom it may employ.

An account belongs to its `home` room, and to every room that employs the person. A manager of all of these rooms may
change all of it. A person employed in several rooms has a password that no single room can change: the person does, or
all rooms together (`cardroom.floor.commands.password_resets`). The home room may still change name, badge and licence; the
other rooms see the roles that they gave and nothing else of the account.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection

from django.db.models import Q, QuerySet

from cardroom.rooms.models import Room
from games.phrases import Phrase

from .models import Employment, PasswordReset, Role, Staff
from .rights import RIGHTS, Right

#: A request for a new password that the other rooms have not confirmed within so many hours is void.
RESET_HOURS = 24


def rooms_of_account(staff: Staff) -> set[int]:
    """Return the ids of the account's rooms: its home, and those that employ the person."""
    rooms = set(Employment.objects.filter(staff=staff).values_list("room_id", flat=True))
    return rooms | ({staff.home_id} if staff.home_id is not None else set())


def accounts_seen(kept: QuerySet[Room]) -> QuerySet[Staff]:
    """Return the accounts that managers of the rooms `kept` see: those at home there, except site administrators and programs.

    A person at home elsewhere, or nowhere, whom one of the rooms employs appears in its list of roles alone.
    """
    programs = Employment.objects.filter(role=Role.PROGRAM).values("staff")
    return Staff.objects.filter(home__in=kept, is_superuser=False).exclude(pk__in=programs)


def may_change_account(staff: Staff, kept: Collection[int]) -> bool:
    """Tell whether managers of the rooms `kept` (ids) may change all of the account, the password included."""
    rooms = rooms_of_account(staff)
    return bool(rooms) and rooms <= set(kept) and not staff.is_superuser


def may_change_person(staff: Staff, kept: Collection[int]) -> bool:
    """Tell whether managers of the rooms `kept` may change name, badge and licence: the home room, or all rooms."""
    if staff.is_superuser:
        return False
    if may_change_account(staff, kept):
        return True
    return staff.home_id in set(kept) and Employment.objects.filter(staff=staff, room=staff.home_id).exists()


def rooms_kept_by(staff: Staff) -> set[int]:
    """Return the ids of the rooms whose people `staff` keeps."""
    if not staff.is_active:
        return set()
    kept = Employment.objects.filter(staff=staff, role__in=RIGHTS[Right.SET_PEOPLE])
    return set(kept.values_list("room_id", flat=True))


def person_to_employ(named: str) -> Staff | None:
    """Return the person whose active account has exactly this user name or badge, for a role in the asker's own room.

    Accounts that belong to no room are left to the administrators of the site. None, without saying which, where there is no
    such account, several with that badge, or one that a room may not employ.
    """
    named = named.strip()
    candidates = Staff.objects.filter(
        is_active=True, is_superuser=False, home__isnull=False, program__isnull=True
    )
    found = list(candidates.filter(Q(username=named) | Q(badge=named))[:2]) if named else []
    exact = [staff for staff in found if staff.username == named] or found
    return exact[0] if len(exact) == 1 else None


def why_not_reset(staff: Staff, room: Room) -> str | None:
    """Return why managers of `room` may not ask the other rooms to reset the password of `staff`; None if they may."""
    employers = set(Employment.objects.filter(staff=staff).values_list("room_id", flat=True))
    if room.pk not in employers:
        return Phrase("{staff} holds no role in {room}.", staff=staff, room=room)
    if staff.is_superuser or not staff.is_active:
        return Phrase("The account of {staff} is kept by the administrators of the site.", staff=staff)
    if rooms_of_account(staff) == {room.pk}:
        return Phrase(
            "No other room has a say in the account of {staff}: set the password itself.", staff=staff
        )
    return None


def lapsed_since(now: datetime.datetime) -> datetime.datetime:
    """Return the instant before which a request for a new password was made that has lapsed by `now`."""
    return now - datetime.timedelta(hours=RESET_HOURS)


def resets_waiting(room: Room, now: datetime.datetime) -> QuerySet[PasswordReset]:
    """Return the requests for new passwords of people of `room` that wait for a room's consent."""
    employed = Employment.objects.filter(room=room).values("staff")
    waiting = PasswordReset.objects.filter(
        state=PasswordReset.State.WAITING, asked_at__gt=lapsed_since(now)
    ).select_related("staff", "room", "asked_by")
    return waiting.filter(Q(staff__in=employed) | Q(staff__home=room))
