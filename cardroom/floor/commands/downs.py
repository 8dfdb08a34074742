"""Begins a dealer's down at a table, and ends the one that they leave for it at another table of the room.

Both tables are locked, in order of their ids, and each has the entry of its own down in its own chain.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec, Unpack

from django.db import IntegrityError, transaction

from cardroom.core.commands import CommandOptions, declare
from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..errors import BadInput, NotNow, WhyNot
from ..execution.carry_out import Returned
from ..execution.transactions import TableTransaction
from ..expiry import why_permit_expired
from ..models import Down, Meal, Relief, Table
from ..models.line_up import WAITS
from .expiry import Expired
from .two_tables import TwoTablesCommand, moved_meanwhile, moving_on_at, table_locked

P = ParamSpec("P")


class ReliefCommand(TwoTablesCommand[P]):
    """A command that begins the down of `dealer_id`, who may leave another table for it (`from_elsewhere`)."""

    def table_left(self, pk: int, kwargs: dict[str, Any]) -> int | None:
        return _table_left(pk, kwargs["dealer_id"]) if kwargs.get("from_elsewhere") else None


def relief_command(
    where: str, right: Right, **options: Unpack[CommandOptions]
) -> Callable[[Callable[Concatenate[TableTransaction, P], Returned]], ReliefCommand[P]]:
    """Declare a command at a table that begins a down."""
    return lambda function: declare(ReliefCommand(function=function, where=where, right=right, **options))


def dealer_found(room: Room, dealer_id: int, path: str = "dealer_id") -> Staff:
    """Return a person who may deal in the room. Raises BadInput."""
    dealer = Staff.objects.filter(pk=dealer_id).first()
    if dealer is None or why_not_may(dealer, Right.RUN_ROUNDS, room):
        raise BadInput(
            "unknown_dealer",
            Phrase("Nobody with number {dealer_id} deals in this room.", dealer_id=dealer_id),
            path=path,
        )
    return dealer


def down_begin(
    tx: TableTransaction,
    dealer: Staff,
    *,
    from_elsewhere: bool,
    held: Mapping[int, TableTransaction] | None = None,
) -> Table | None:
    """Begin a dealer's down at the table of `tx`, ending the one that is open there; return the table that they left.

    The relief that waits at the table is done by it, whoever comes. `held` are the tables whose rows are locked besides. Raises
    NotNow for a dealer who deals elsewhere, unless they leave that table of the room for this one (`from_elsewhere`), and Expired
    for a work permit that has expired.
    """
    if why := _why_not_from(tx, dealer, from_elsewhere):
        raise NotNow.because(why)
    if why := why_permit_expired(tx.room, dealer, tx.now):
        raise Expired(why, f"staff:{dealer.pk}")
    left = _leave(tx, dealer, held or {}) if from_elsewhere else None
    before = Down.objects.filter(table=tx.table, ended_at__isnull=True).select_related("dealer").first()
    if before is not None:
        before.ended_at = tx.now
        before.save()
    down = Down(room=tx.room, table=tx.table, dealer=dealer, started_at=tx.now)
    try:
        with transaction.atomic():
            down.save(force_insert=True)
    except IntegrityError as error:
        if why := _why_not_from(tx, dealer, from_elsewhere=False):
            raise NotNow.because(why) from error
        raise
    relief = Relief.objects.filter(WAITS, table=tx.table).first()
    if relief is not None:
        _relieved(tx, relief, before, down)
    tx.journal("down_start", _down_started_data(before, down, left, relief))
    return left


def _relieved(tx: TableTransaction, relief: Relief, before: Down | None, down: Down) -> None:
    """Note by which down a table was relieved; who was to go to a meal then goes."""
    relief.down = down
    relief.save(update_fields=["down"])
    if relief.meal and before is not None and before.dealer_id == relief.outgoing_id:
        Meal.objects.create(room=tx.room, dealer=before.dealer, started_at=tx.now, started_by=tx.actor)


def table_name(room: Room, down: Down) -> str:
    """The table of a down as a room may read of it: what another room calls its tables is none of its business."""
    return str(down.table) if down.room_id == room.pk else Phrase("a table of another room")


def down_ended_data(down: Down, to: Table | None = None) -> dict[str, Any]:
    """A dealer's down ended, and none began; `to` is the table for which they left."""
    return {"before": str(down.dealer), "after": None, **({} if to is None else {"to_table": to.pk})}


def _down_started_data(
    before: Down | None, down: Down, left: Table | None, relief: Relief | None
) -> dict[str, Any]:
    """A dealer's down began; `before` is the one that it ended here, `left` the table where it ended another."""
    return {
        "before": str(before.dealer) if before else None,
        "after": str(down.dealer),
        **({} if left is None else {"from_table": left.pk}),
        **({} if relief is None else {"push": relief.push_id}),
    }


def _open_down(dealer: Staff) -> Down | None:
    return Down.objects.filter(dealer=dealer, ended_at__isnull=True).select_related("table", "dealer").first()


def _table_left(pk: int, dealer_id: int) -> int | None:
    """The other table of the room of table `pk` where a dealer has an open down."""
    downs = Down.objects.filter(dealer=dealer_id, ended_at__isnull=True, room__tables=pk).exclude(table=pk)
    return downs.values_list("table", flat=True).first()


def _why_not_from(tx: TableTransaction, dealer: Staff, from_elsewhere: bool) -> WhyNot | None:
    """Whoever deals here already begins no down, and one who deals elsewhere leaves that table only where it is asked for."""
    down = _open_down(dealer)
    if down is None:
        return None
    if down.table_id == tx.table.pk:
        return WhyNot(
            "deals_here", Phrase("{dealer} deals at {table} already.", dealer=dealer, table=tx.table)
        )
    if down.room_id != tx.room.pk:
        return WhyNot(
            "dealer_elsewhere",
            Phrase(
                "{dealer} has an open down at {where}. End that one first.",
                dealer=dealer,
                where=table_name(tx.room, down),
            ),
        )
    if from_elsewhere:
        return None
    return WhyNot(
        "dealer_elsewhere",
        Phrase(
            "{dealer} deals at {where}, which would have no dealer. Say that they leave it, or relieve them there first.",
            dealer=dealer,
            where=down.table,
        ),
    )


def _leave(tx: TableTransaction, dealer: Staff, held: Mapping[int, TableTransaction]) -> Table | None:
    """End the down of a dealer at the other table, under its lock and in its chain; the instant of both is the later one."""
    if (down := _open_down(dealer)) is None:
        return None
    at_hand = held.get(down.table_id)
    table = table_locked(down.table_id) if at_hand is None else at_hand.table
    if (down := _open_down(dealer)) is None:
        return None
    if down.table_id != table.pk:
        raise moved_meanwhile()
    with contextlib.ExitStack() as moving:
        if at_hand is None:
            left = moving.enter_context(moving_on_at(tx, table))
        else:
            left = at_hand
            moving.enter_context(left.moving_on())
        down.ended_at = tx.now
        down.save()
        left.journal("down_end", down_ended_data(down, tx.table))
    return left.table
