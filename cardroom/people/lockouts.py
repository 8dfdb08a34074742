"""Lockouts: wrong passwords, PINs and codes of a second factor are counted by person, in the database.

The count outlives a restart of the cache's server, and a supervisor sees and lifts it. A name that is nobody's is
counted like one that is somebody's, so that a lockout does not reveal which names exist.

Each wrong try and each lockout is an entry in the journals of the person's rooms. A lockout bounds them: tries that it
refuses are counted (`refused`), and the entry that ends it has their number.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from cardroom.core.dates import utc_text
from cardroom.rooms.models import Room

from .journal import sign_in_noted, stranger_noted
from .models import Lockout, Staff

Kind = Lockout.Kind

#: After so many wrong tries a name rests; each further lot of wrong ones doubles the rest, up to `LONGEST_REST`.
MOST_TRIES = {Kind.PIN: 5, Kind.PASSWORD: 10, Kind.SECOND_FACTOR: 10}
REST = datetime.timedelta(minutes=5)
LONGEST_REST = datetime.timedelta(hours=1)
#: A PIN has few digits: after so many wrong ones it stays locked until a supervisor lifts the lock.
MOST_WRONG_PINS = 15
#: The counts of names that are nobody's are deleted after so long.
STRANGERS_KEPT = datetime.timedelta(days=1)


def subject_of(staff: Staff | None, named: str) -> str:
    """Return what tries are counted by: the person, whose user name and badge count as one, or else the typed name.

    The name is hashed: what was typed in the wrong field may be a password.
    """
    if staff is not None:
        return f"staff:{staff.pk}"
    return f"name:{hashlib.sha256(named.strip().casefold().encode()).hexdigest()}"


def is_locked(kind: Kind, staff: Staff | None, named: str = "") -> bool:
    """Tell whether tries under this name are refused now."""
    row = Lockout.objects.filter(kind=kind, subject=subject_of(staff, named)).first()
    return row is not None and row.is_locked(timezone.now())


def try_counted(kind: Kind, staff: Staff | None, named: str = "") -> bool:
    """Count one more try, before it is checked; False where the name is locked, and nothing may be checked.

    Concurrent tries wait for the row's lock, so that all of them count.
    """
    now = timezone.now()
    with transaction.atomic():
        row, _ = Lockout.objects.select_for_update().get_or_create(
            kind=kind, subject=subject_of(staff, named), defaults={"staff": staff, "last_try_at": now}
        )
        if row.is_locked(now):
            row.refused += 1
            row.save(update_fields=["refused"])
            return False
        row.tries += 1
        row.last_try_at = now
        if row.tries % MOST_TRIES[kind] == 0:
            row.locked_until = now + rest_after(kind, row.tries)
        if kind == Kind.PIN and row.tries >= MOST_WRONG_PINS:
            row.until_lifted = True
        row.save(update_fields=["tries", "last_try_at", "locked_until", "until_lifted"])
        return True


def try_was_wrong(
    kind: Kind, staff: Staff | None, named: str, command: str, *, rooms: Iterable[Room] = ()
) -> None:
    """Write a try that was counted and wrong into the journals of the person's rooms, and `rooms`, with a lockout that it began."""
    if staff is None:
        stranger_noted(f"a wrong {kind.label}")
        return
    row = Lockout.objects.filter(kind=kind, subject=subject_of(staff, named)).first()
    tries = 1 if row is None else row.tries
    sign_in_noted(staff, command, {"kind": kind.value, "tries": tries}, rooms=rooms)
    if row is not None and row.is_locked(timezone.now()):
        until = "a supervisor lifts it" if row.until_lifted else utc_text(row.locked_until) or ""
        sign_in_noted(
            staff, "lockout_begin", {"kind": kind.value, "tries": tries, "until": until}, rooms=rooms
        )


def try_was_right(kind: Kind, staff: Staff) -> None:
    """End the count after a right one; where the person had been locked out, the journals of their rooms say so."""
    row = tries_forgotten(kind, staff)
    if row is not None and row.tries > MOST_TRIES[kind]:
        wrong = {"kind": kind.value, "tries": row.tries - 1, "refused": row.refused}
        sign_in_noted(staff, "lockout_end", wrong)


def tries_forgotten(kind: Kind, staff: Staff) -> Lockout | None:
    """Delete the count of wrong tries, and return what it was: after a right one, or when a supervisor lifts the lock."""
    row = count_of(kind, staff)
    if row is not None:
        row.delete()
    return row


def rest_after(kind: Kind, tries: int) -> datetime.timedelta:
    """Return how long a name rests after so many wrong tries: twice as long for each further lot of them."""
    doublings = min(tries // MOST_TRIES[kind] - 1, 10)
    return min(REST * (1 << doublings), LONGEST_REST)


def count_of(kind: Kind, staff: Staff) -> Lockout | None:
    """Return the count of a person's wrong tries; None where the last one was right."""
    return Lockout.objects.filter(kind=kind, subject=subject_of(staff, "")).first()


def resting(kind: Kind, room: Room, now: datetime.datetime) -> dict[int, Lockout]:
    """Return the locks of one kind that hold at `now` on people who work in `room`, by person."""
    rows = Lockout.objects.filter(kind=kind, staff__employments__room=room).distinct()
    return {row.staff_id: row for row in rows if row.staff_id is not None and row.is_locked(now)}


def locked_out(room: Room) -> list[Lockout]:
    """Return the locks that hold now on people who work in `room`, the latest first."""
    rows = Lockout.objects.filter(staff__employments__room=room).select_related("staff").distinct()
    now = timezone.now()
    return [row for row in rows if row.is_locked(now)]


def strangers_purged() -> int:
    """Delete old counts of names that are nobody's; the number of deleted rows."""
    before = timezone.now() - STRANGERS_KEPT
    return Lockout.objects.filter(staff=None, last_try_at__lt=before).delete()[0]
