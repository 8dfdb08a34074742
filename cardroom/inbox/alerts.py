"""The one alert of a room whose items have waited for longer than its days. It stands at one table, as that of a clock does."""

from __future__ import annotations

import datetime

from cardroom.floor.alerts import alert_clear, alert_raise
from cardroom.floor.commands.watch import clock_account
from cardroom.floor.execution.clock import command_time
from cardroom.floor.execution.locks import locked, run_again
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import Alert, Table
from cardroom.rooms.models import Room

from .reads.items import old_items

_KIND = Alert.Kind.ITEMS_OLD


def old_items_watch(room: Room, now: datetime.datetime) -> bool:
    """Raise the alert while an item is old, and say when that is over; return whether something changed."""
    holding = Alert.objects.filter(room=room, kind=_KIND, cleared_at__isnull=True).first()
    wanted = old_items(room, now).exists()
    if wanted == (holding is not None):
        return False
    table_id = (
        holding.table_id
        if holding is not None
        else Table.objects.filter(room=room).order_by("number").values_list("pk", flat=True).first()
    )
    return table_id is not None and _alert(table_id, now, room.item_days, wanted=wanted)


@run_again
def _alert(table_id: int, now: datetime.datetime, days: int, *, wanted: bool) -> bool:
    with locked(Table, table_id) as table:
        tx = TableTransaction(table=table, actor=clock_account(), now=command_time(table, now).now)
        if wanted:
            text = (
                f"Exceptions have waited for more than {days} day{'' if days == 1 else 's'} and are not closed. Whoever works "
                "them off finds them under Compliance, Exceptions."
            )
            alert_raise(tx, _KIND, "", text)
        else:
            alert_clear(tx, _KIND)
    return True
