"""Escalates variances that were not explained in time: alerts the floor, and writes to subscribers."""

from __future__ import annotations

import datetime
from collections import defaultdict

from django.db.models import Exists, OuterRef, Q, QuerySet

from cardroom.drop.commands.variances import variance_escalate
from cardroom.drop.models import VarianceCheck, VarianceNote
from cardroom.drop.reads.boxes import variances_overdue
from cardroom.floor.alerts import alert_clear, alert_raise
from cardroom.floor.commands.watch import clock_account
from cardroom.floor.execution.clock import command_time
from cardroom.floor.execution.locks import locked, run_again
from cardroom.floor.execution.transactions import RoomTransaction, TableTransaction
from cardroom.floor.models import Alert, Table
from cardroom.rooms.models import Room

from .sending import emails_of_variance

_KIND = Alert.Kind.VARIANCE_OVERDUE


def rooms_with_variances() -> list[int]:
    """Return the ids of the rooms where a box was ever over, or where an alert about one still holds."""
    over = VarianceCheck.objects.filter(room=OuterRef("pk"), is_over=True)
    rooms = Room.objects.filter(Q(Exists(over)) | Q(Exists(_open_alerts(OuterRef("pk")))))
    return list(rooms.order_by("pk").values_list("pk", flat=True))


def variances_watch(room_id: int, now: datetime.datetime) -> int:
    """Escalate what is overdue in a room and bring its alerts up to date; return how many variances were escalated.

    May run twice: what is escalated is no longer open, and an alert that holds is not raised again.
    """
    overdue = variances_overdue(Room.objects.get(pk=room_id), now)
    escalated = sum(_escalated(room_id, check, now) for check in overdue)
    wanted: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for check in overdue:
        box = check.box
        wanted[box.table_id][f"box {box.pk}"] = (
            f"{box} of {box.shift} differs from what was collected, and nobody has explained it in time. A shift manager or "
            "compliance does, under Drop and count."
        )
    open_subjects: defaultdict[int, set[str]] = defaultdict(set)
    for table_id, subject in _open_alerts(room_id).values_list("table", "subject"):
        open_subjects[table_id].add(subject)
    for table_id in sorted(wanted.keys() | open_subjects.keys()):
        if wanted[table_id].keys() != open_subjects[table_id]:
            _tell_floor(table_id, wanted[table_id], open_subjects[table_id], now)
    return escalated


@run_again
def _escalated(room_id: int, check: VarianceCheck, now: datetime.datetime) -> bool:
    if check.status != VarianceNote.Status.OPEN:
        return False
    with locked(Room, room_id) as room:
        tx = RoomTransaction(room=room, actor=clock_account(), now=command_time(room, now).now)
        note = variance_escalate(tx, check)
        if note is not None:
            emails_of_variance(note, now)
    return note is not None


@run_again
def _tell_floor(
    table_id: int, wanted: dict[str, str], open_subjects: set[str], now: datetime.datetime
) -> None:
    with locked(Table, table_id) as table:
        tx = TableTransaction(table=table, actor=clock_account(), now=command_time(table, now).now)
        for subject, text in wanted.items():
            alert_raise(tx, _KIND, subject, text)
        for subject in open_subjects - wanted.keys():
            alert_clear(tx, _KIND, subject)


def _open_alerts(room: int | OuterRef) -> QuerySet[Alert]:
    return Alert.objects.filter(room=room, kind=_KIND, cleared_at__isnull=True)
