"""Periodic watch of a room (Celery beat, every minute): raises and clears alerts that come with time, not with a command."""

from __future__ import annotations

import contextlib
import datetime
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from cardroom.core.dates import seconds_text, time_text
from cardroom.people.models import Player, Staff
from cardroom.people.names import referring
from cardroom.rooms.models import Room

from ..alerts import alert_clear, alert_raise
from ..contracts import contracts_of, why_outside
from ..errors import Busy
from ..execution.clock import clock_alerts, command_time, format_step
from ..execution.locks import locked, run_again
from ..execution.transactions import TableTransaction
from ..expiry import expired_at_tables
from ..models import Alert, Seating, Shift, Table
from ..reads.board import BoardRow, room_board
from ..reads.past_day import past_day_text, shift_past_day
from ..reads.rotation import hours_period, room_rotation_kept
from ..screens import silent_tables
from ..seat_time import TimeDue, format_due, time_due

Kind = Alert.Kind
#: The alerts that the clock raises and says to be over; all others follow from commands.
BY_THE_CLOCK = (
    *(Kind.ROTATION_DUE, Kind.ROTATION_BROKEN, Kind.TABLE_IDLE, Kind.TIME_DUE, Kind.SYNC_LOST),
    Kind.CLOCK_BACK,
    Kind.NO_DROP_BOX,
)
#: Alerts of one person each, by subject, that come of what the room records of people.
OF_A_PERSON = (Kind.PERMIT_EXPIRED, Kind.PLAYER_INACTIVE)
#: By kind and subject what is to be said of a person at a table.
OfPeople = dict[tuple[Kind, str], str]
#: So many minutes after a period has begun, its time should have been collected.
TIME_MINUTES = 5


def rooms_to_watch(now: datetime.datetime) -> list[int]:
    """Return the ids of the rooms where a table is open, a shift is past its day, or an alert of the clock's still holds."""
    with_alerts = Alert.objects.filter(
        kind__in=(*BY_THE_CLOCK, *OF_A_PERSON, Kind.SHIFT_PAST_DAY), cleared_at__isnull=True
    ).values("room")
    played = Table.objects.filter(state=Table.State.OPEN).values("room")
    busy = set(Room.objects.filter(Q(pk__in=with_alerts) | Q(pk__in=played)).values_list("pk", flat=True))
    idle = Room.objects.filter(shifts__closed_at__isnull=True, shifts__isnull=False).exclude(pk__in=busy)
    return sorted(busy | {room.pk for room in idle if shift_past_day(room, now) is not None})


def room_watch(room_id: int, now: datetime.datetime) -> int:
    """Raise and clear what has come of time at the tables of a room; return at how many something changed.

    The whole room is read at once and without a lock; a table where something is to change is read again under its
    own lock, for a user may be acting there.
    """
    room = Room.objects.get(pk=room_id)
    board = _board(room, now)
    silent = silent_tables((glance.table.pk for glance in board if glance.is_open), now)
    broken = rotations_broken(room, now)
    behind = _clock_behind(room, board, now)
    people = _people(board, now)
    changed = 0
    for glance in board:
        table_id = glance.table.pk
        seen = silent.get(table_id), broken.get(table_id, ""), behind.get(table_id, "")
        wanted = due_by_the_clock(glance, now, *seen)
        if set(wanted) != _open_kinds(glance) or set(people.get(table_id, {})) != _open_of_people(glance):
            changed += _table_watch(table_id, now, *seen)
    return changed + _shift_watch(room, now)


def player_saved(instance: Player, created: bool, **_: Any) -> None:
    """Look at the floor once a player's row is written, if they sit somewhere; a table that is busy is beat's."""
    if created or not Seating.objects.filter(player=instance, left_at__isnull=True).exists():
        return

    def watch() -> None:
        with contextlib.suppress(Busy):
            room_watch(instance.room_id, timezone.now())

    transaction.on_commit(watch)


def _shift_watch(room: Room, now: datetime.datetime) -> bool:
    """Raise the room's alert of a shift that is past its gaming day, once an hour anew, and say when that is over.

    It stands at one table, as that of the clock does. Each hour ends the one before: one that was answered is closed by
    that, and another comes; one that was not goes on, and counts how often it came.
    """
    holding = Alert.objects.filter(room=room, kind=Kind.SHIFT_PAST_DAY, cleared_at__isnull=True).first()
    shift = shift_past_day(room, now)
    text = "" if shift is None else past_day_text(shift, now)
    if text == ("" if holding is None else holding.text):
        return False
    table_id = (
        holding.table_id
        if holding is not None
        else Table.objects.filter(room=room).order_by("number").values_list("pk", flat=True).first()
    )
    return table_id is not None and _shift_alert(table_id, now, text)


@run_again
def _shift_alert(table_id: int, now: datetime.datetime, text: str) -> bool:
    with locked(Table, table_id) as table:
        tx = TableTransaction(table=table, actor=clock_account(), now=command_time(table, now).now)
        alert_clear(tx, Kind.SHIFT_PAST_DAY)
        if text:
            alert_raise(tx, Kind.SHIFT_PAST_DAY, "", text)
    return True


def _clock_behind(room: Room, board: list[BoardRow], now: datetime.datetime) -> dict[int, str]:
    """Return by table what the room's alert of a clock that was set back says: at one table, the one that has it."""
    moment = command_time(room, now)
    if not moment.is_step:
        return {}
    opened = [glance.table.pk for glance in board if glance.is_open]
    alerted = clock_alerts(room).filter(table__in=opened).values_list("table", flat=True)
    return {table_id: format_step(moment.behind) for table_id in [*alerted, *opened][:1]}


def rotations_broken(room: Room, now: datetime.datetime) -> dict[int, str]:
    """Return by table what its records of the last hour have against the rotation, the latest of it in a sentence to be kept.

    The floor lets no player bank out of turn; what is found came in past it, or by a correction.
    """
    lately = hours_period(1, now)
    return {
        rotation.table.pk: f"{rotation.exceptions[-1].text} The rotation of this table has the rest."
        for rotation in room_rotation_kept(room, lately)
        if rotation.exceptions
    }


@run_again
def _table_watch(
    table_id: int,
    now: datetime.datetime,
    silent_since: datetime.datetime | None,
    broken: str,
    behind: str,
) -> bool:
    with locked(Table, table_id) as table:
        [glance] = _board(table.room, now, table_id)
        wanted, open_kinds = due_by_the_clock(glance, now, silent_since, broken, behind), _open_kinds(glance)
        people, open_of_people = _people([glance], now).get(table_id, {}), _open_of_people(glance)
        if set(wanted) == open_kinds and set(people) == open_of_people:
            return False  # a user acted in between, or another watch was here first
        tx = TableTransaction(table=table, actor=clock_account(), now=command_time(table, now).now)
        for kind in BY_THE_CLOCK:
            if kind in wanted:
                alert_raise(tx, kind, "", wanted[kind])
            elif kind in open_kinds:
                alert_clear(tx, kind)
        for kind, subject in sorted({*people, *open_of_people}):
            if (kind, subject) in people:
                alert_raise(tx, kind, subject, people[kind, subject])
            else:
                alert_clear(tx, kind, subject)
    return True


def due_by_the_clock(
    glance: BoardRow,
    now: datetime.datetime,
    silent_since: datetime.datetime | None,
    broken: str = "",
    behind: str = "",
) -> dict[Alert.Kind, str]:
    """Return the alerts that hold at a table at `now`, each with what it says, times as on the room's clock.

    `silent_since` is when its screen was last heard, where it should have been; `broken` what its records have against
    the rotation; `behind` what is to be said of a clock that was set back.
    """
    state, room = glance.state, glance.table.room
    due: dict[Alert.Kind, str] = {}
    if not glance.is_open:
        return due
    if behind:
        due[Kind.CLOCK_BACK] = behind
    if why := _why_broken(glance) or broken:
        due[Kind.ROTATION_BROKEN] = why
    if not state.seatings:
        return due
    due |= _without_box(glance)
    if late := time_overdue(time_due(state), now):
        due[Kind.TIME_DUE] = late
    # A round that is not ended is as idle as none at all; players who have just sat down are not.
    seated_at = min(sitting.seated_at for sitting in state.seatings.values())
    since = max(seated_at, state.live.opened_at if state.live else glance.last_ended_at or seated_at)
    if _minutes(since, now) >= room.idle_minutes:
        players = f"{glance.players} player{'s sit' if glance.players > 1 else ' sits'} here"
        what = "the round in play has not ended" if state.live else "no round has been played"
        due[Kind.TABLE_IDLE] = f"{players}, and {what} since {time_text(since, room.zone)}."
    if state.live is None and state.step.kind in ("offer", "renew"):
        asked_at = max([since, *(offer.answered_at for offer in state.offers)])
        if _minutes(asked_at, now) >= room.offer_minutes:
            what = (
                f"to be offered to seat {state.step.seat}" if state.step.kind == "offer" else "to be renewed"
            )
            due[Kind.ROTATION_DUE] = (
                f"The bank has stood {what} since {time_text(asked_at, room.zone)}: {state.kept_reason}"
            )
    if silent_since is not None:
        due[Kind.SYNC_LOST] = (
            f"The screen of this table was last heard at {seconds_text(silent_since, room.zone)}. What is entered there "
            "waits until it is back; look whether its dealer needs help."
        )
    return due


def time_overdue(dues: list[TimeDue], now: datetime.datetime) -> str:
    """Say what of `dues` should have been collected by `now`; empty where it is nothing."""
    late = [due for due in dues if _minutes(due.begun[0], now) >= TIME_MINUTES]
    return f"Time is to be collected: {format_due(late)}." if late else ""


def _without_box(glance: BoardRow) -> dict[Alert.Kind, str]:
    """The alert of a table that collects and has no drop box."""
    return {} if (why := glance.why_no_box) is None else {Kind.NO_DROP_BOX: why.message}


def _why_broken(glance: BoardRow) -> str:
    """What is wrong with the current rotation; nothing, as a rule: the floor lets no player bank out of turn.

    A correction may take a round into a turn that was full, and a profile that goes by time may run out in a round.
    """
    turn, limit, step = glance.state.turn, glance.turn_limit, glance.state.step
    if turn is not None and limit is not None and turn.in_a_row > limit:
        return f"{turn.player.ref} has banked {turn.in_a_row} rounds in a row; the bank goes round after {limit}."
    if step.kind == "end" or (step.kind == "pause" and glance.state.live is not None):
        return glance.state.kept_reason
    return ""


def _open_kinds(glance: BoardRow) -> set[Alert.Kind]:
    return {
        Kind(alert.kind) for alert in glance.alerts if alert.cleared_at is None and alert.kind in BY_THE_CLOCK
    }


def _open_of_people(glance: BoardRow) -> set[tuple[Kind, str]]:
    return {
        (Kind(alert.kind), alert.subject)
        for alert in glance.alerts
        if alert.cleared_at is None and alert.kind in OF_A_PERSON
    }


def _people(board: Sequence[BoardRow], now: datetime.datetime) -> dict[int, OfPeople]:
    """Return by table what is to be said of those who deal or sit there: an expired badge, a player made inactive."""
    found: dict[int, OfPeople] = defaultdict(dict)
    for table_id, expired in _expired(board, now).items():
        found[table_id] |= {(Kind.PERMIT_EXPIRED, subject): text for subject, text in expired.items()}
    for table_id, outside in _outside_contracts(board, now).items():
        found[table_id] |= {(Kind.PERMIT_EXPIRED, subject): text for subject, text in outside.items()}
    for glance in board:
        for place, sitting in glance.state.places.items():
            if not sitting.player.may_play(now) and glance.is_open:
                found[glance.table.pk][Kind.PLAYER_INACTIVE, f"player:{sitting.player_id}"] = (
                    f"{sitting.player.ref} at seat {place} may no longer play in this room: no bank, and no wagers "
                    "from the next round on. Let them leave once the round is over."
                )
    return found


def _outside_contracts(board: Sequence[BoardRow], now: datetime.datetime) -> dict[int, dict[str, str]]:
    """Return by table which providers' players sit there outside of a contract, as subject and sentence."""
    there = [
        (glance.table, sitting.player)
        for glance in board
        if glance.is_open
        for sitting in glance.state.places.values()
        if sitting.player.provider_id is not None
    ]
    if not there:
        return {}
    contracts = contracts_of(player.provider_id for _, player in there if player.provider_id is not None)
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for table, player in there:
        if why := why_outside(table, player, contracts, now):
            found[table.pk][f"contract:{player.pk}"] = referring(why.message, [player])
    return found


def _expired(board: Sequence[BoardRow], now: datetime.datetime) -> dict[int, dict[str, str]]:
    """Return by table who deals or sits there on an expired badge or permit, as subject and sentence."""
    open_ = [glance for glance in board if glance.is_open]
    if not open_:
        return {}
    downs = [glance.state.down for glance in open_ if glance.state.down is not None]
    seatings = [sitting for glance in open_ for sitting in glance.state.places.values()]
    return expired_at_tables(open_[0].table.room, downs, seatings, now)


def _board(room: Room, now: datetime.datetime, table_id: int | None = None) -> list[BoardRow]:
    shift = Shift.objects.filter(room=room, closed_at__isnull=True).first()
    return room_board(room, shift, now, None if table_id is None else [table_id])


def _minutes(since: datetime.datetime, now: datetime.datetime) -> int:
    return int((now - since).total_seconds()) // 60


def clock_account() -> Staff:
    """Return the account in whose name the journal says what time has brought. No user can sign in with it."""
    clock, new = Staff.objects.get_or_create(
        username="system-clock", defaults={"display_name": "System clock", "is_active": False}
    )
    if new:
        clock.set_unusable_password()
        clock.save(update_fields=["password"])
    return clock
