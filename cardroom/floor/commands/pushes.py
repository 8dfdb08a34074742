"""Commands on pushes, by which many tables are relieved at once.

A push is a wave. Who still deals at table 4 relieves nobody at table 5: in a room where reliefs sign, each begins their down
when they are free (`relief_take`), or the floor confirms for those who are (`reliefs_confirm`); in any other room a push relieves
all of its tables as it begins. A table whose relief is canceled goes on. Downs stay the record: a relief points at the one by
which its table was relieved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from django.db import IntegrityError, transaction

from cardroom.core.json_types import MOST_ROWS, Id, Size
from cardroom.people.approval import Approval
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..errors import BadInput, Forbidden, NotFound, NotNow
from ..execution.carry_out import room_command
from ..execution.locks import lock_tables
from ..execution.transactions import RoomTransaction, TableTransaction
from ..expiry import why_permit_expired
from ..models import Down, Meal, Push, Relief, Table
from ..models.line_up import WAITS
from ..notify import line_up_changed
from .downs import dealer_found, down_begin, down_ended_data, table_name
from .expiry import permitted_command
from .line_up import TAG

#: Tables whose reliefs are meant.
Tables = Annotated[list[Id], Size(0, MOST_ROWS), "Tables whose reliefs wait; left out, all of them."]


class PushedTable(TypedDict):
    """A table of a push, and who comes in there."""

    table: Id
    dealer: Id
    relieves: NotRequired[
        Annotated[Id | None, "Who is seen to deal there, null for nobody: refused where that is another."]
    ]
    meal: NotRequired[Annotated[bool, "Whether who is relieved goes to a meal."]]
    replaces: NotRequired[
        Annotated[
            Id | None, "The relief that waits there, which is canceled for this one; without it, refused."
        ]
    ]


class PushAnswer(TypedDict):
    """A push, and the tables that were relieved by this command, in the order of the wave."""

    push: int
    relieved: Annotated[list[int], Size()]


class ReliefsAnswer(TypedDict):
    """The tables of the reliefs, in the order of the wave."""

    tables: Annotated[list[int], Size()]


class ReliefAnswer(TypedDict):
    """Who deals there now."""

    dealer: int


@room_command(
    "POST pushes",
    Right.CHANGE_DEALER,
    bumps_version=False,
    no_check="it depends on the tables and dealers, and on reliefs that wait there",
    title="Push",
    tag=TAG,
    example={"reliefs": [{"table": 7, "dealer": 4}]},
)
def push_start(
    tx: RoomTransaction, *, reliefs: Annotated[list[PushedTable], Size(0, MOST_ROWS)]
) -> PushAnswer:
    """Push tables of the room: all of them or none. Who is relieved goes to the table where they come in, or on break.

    Where reliefs sign (a setting of the room), nothing moves yet: each begins their down by `relief_take`, or the floor confirms for
    them. Else every table is relieved at this instant. Whoever comes in and deals now has to be relieved by the same push. Refused,
    each with its place (`reliefs[2].dealer`): who may not deal in this room or on an expired permit, who deals at a table that the
    push leaves alone, a table that is closed or waits for a relief, and a table that another deals than was seen.
    """
    if not reliefs:
        raise BadInput("no_tables", "Name at least one table and who comes in there.", path="reliefs")
    tables = {table.pk: table for table in lock_tables(tx.room, {each["table"] for each in reliefs})}
    tx.now = tx.clock()
    rows = _checked(tx, reliefs, tables, _downs_by_table(tables))
    push = Push.objects.create(room=tx.room, started_at=tx.now, started_by=tx.actor)
    try:
        with transaction.atomic():
            for row in rows:
                row.push = push
                row.save(force_insert=True)
    except IntegrityError as error:  # the database's own word: somebody was sent to another table meanwhile
        raise NotNow("relief_waits", "One of them is on the way elsewhere. Review and try again.") from error
    tx.journal("push_start", {"push": push.pk, "reliefs": [_relief_data(row) for row in rows]})
    relieved = [] if tx.room.reliefs_sign else _relieve(tx, rows, tables)
    line_up_changed(tx.room)
    return {"push": push.pk, "relieved": relieved}


@room_command(
    "POST reliefs/confirm",
    Right.CHANGE_DEALER,
    bumps_version=False,
    no_check="it depends on the reliefs that wait",
    title="Confirm reliefs for the dealers",
    tag=TAG,
    example={"tables": [7]},
)
def reliefs_confirm(tx: RoomTransaction, *, tables: Tables | None = None) -> ReliefsAnswer:
    """Confirm reliefs in the place of the dealers, all of them or none, in the order of the wave.

    Who still deals at a table that is not among them relieves nobody yet: 409 `after_table`.
    """
    rows, held = _named(tx, tables)
    _check_wave(tx, rows)
    relieved = _relieve(tx, rows, held)
    tx.journal("reliefs_confirm", {"tables": relieved})
    line_up_changed(tx.room)
    return {"tables": relieved}


@room_command(
    "POST reliefs/cancel",
    Right.CHANGE_DEALER,
    bumps_version=False,
    no_check="it depends on the reliefs that wait",
    title="Cancel reliefs",
    tag=TAG,
    example={"tables": [7]},
)
def reliefs_cancel(tx: RoomTransaction, *, tables: Tables | None = None) -> ReliefsAnswer:
    """Cancel reliefs that wait. Who deals at their tables goes on, and so does whoever was to come; what is done stays."""
    rows, _ = _named(tx, tables)
    for row in rows:
        _cancel(tx, row)
    canceled = [row.table_id for row in rows]
    tx.journal("reliefs_cancel", {"tables": canceled})
    line_up_changed(tx.room)
    return {"tables": canceled}


@room_command(
    "POST pushes/{push_id}/reverse",
    Right.CHANGE_DEALER,
    bumps_version=False,
    no_check="it depends on what has changed at its tables since",
    title="Put everybody back",
    tag=TAG,
)
def push_reverse(tx: RoomTransaction, *, push_id: Id) -> PushAnswer:
    """Put back whom a push has relieved: each begins a new down at the table where they dealt. Reliefs that wait there are canceled.

    The downs of the push stay on record. Refused as soon as a table that it relieved has had another change since, or somebody whom
    it relieved deals elsewhere: all of them or none.
    """
    push = Push.objects.filter(room=tx.room, pk=push_id).first()
    if push is None:
        raise NotFound("unknown_push", f"This room has no push {push_id}.")
    if push.reversed_at is not None:
        raise NotNow("reversed_before", "Everybody of this push was put back already.", path="push_id")
    reliefs = push.reliefs.select_related("outgoing", "incoming", "table", "push", "down__dealer")
    held = {table.pk: table for table in lock_tables(tx.room, [each.table_id for each in reliefs])}
    tx.now = tx.clock()
    rows = list(reliefs.all())  # again: under the locks of their tables
    done = [each for each in rows if each.down is not None]
    if not done:
        raise NotNow(
            "nothing_relieved", "Nobody was relieved in this push. Cancel it instead.", path="push_id"
        )
    for each in done:
        assert each.down is not None
        if each.down.ended_at is not None:
            raise NotNow(
                "changed_since",
                f"{each.table} has had another change of dealers since this push. Change the dealers one by one.",
                path="push_id",
            )
    relieved = {each.table_id for each in done}
    for waits in _waiting(tx):
        if waits.push_id == push.pk or waits.table_id in relieved:
            _cancel(tx, waits)
    push.reversed_at, push.reversed_by = tx.now, tx.actor
    push.save(update_fields=["reversed_at", "reversed_by"])
    _end_meals(tx, {each.outgoing_id for each in done if each.meal}, push)
    tx.journal("push_reverse", {"push": push.pk, "tables": [each.table_id for each in done]})
    moved = _put_back(tx, done, held)
    line_up_changed(tx.room)
    return {"push": push.pk, "relieved": moved}


@permitted_command(
    "POST reliefs/{relief_id}/take",
    Right.TAKE_OVER,
    no_check="it depends on the relief, and on where its dealer deals now",
    title=Phrase("Take over"),
    tag=TAG,
)
def relief_take(tx: TableTransaction, *, relief_id: Id, signed_by: Approval | None = None) -> ReliefAnswer:
    """Take over a table as the relief that a push names: the other's down ends, and theirs begins.

    The relief gives it themself, or signs it with their PIN at the tablet of somebody else. While they still deal at another
    table it is refused (409 `after_table`): they are relieved there first.
    """
    relief = Relief.objects.filter(WAITS, pk=relief_id, table=tx.table).select_related("incoming").first()
    if relief is None:
        raise NotNow(
            "no_relief",
            Phrase("No relief {relief_id} waits at {table}.", relief_id=relief_id, table=tx.table),
        )
    incoming = relief.incoming
    if (signed_by or tx.actor) != incoming:
        raise Forbidden(
            "not_the_relief",
            Phrase("{incoming} takes over {table}, with their own PIN.", incoming=incoming, table=tx.table),
            path="signed_by",
        )
    if (
        down := Down.objects.filter(dealer=incoming, ended_at__isnull=True).select_related("table").first()
    ) is not None:
        raise _after(incoming, down, tx.room)
    down_begin(tx, incoming, from_elsewhere=False)
    return {"dealer": incoming.pk}


def _named(tx: RoomTransaction, tables: Collection[int] | None) -> tuple[list[Relief], dict[int, Table]]:
    """The reliefs that wait at the tables named, or all that wait, with their tables' rows, which are locked. Raises NotNow."""
    waiting = {each.table_id for each in _waiting(tx)}
    named = list(dict.fromkeys(tables or sorted(waiting)))
    held = {table.pk: table for table in lock_tables(tx.room, named)}
    tx.now = tx.clock()
    rows = {each.table_id: each for each in _waiting(tx)}  # again: under the locks of their tables
    if not named:
        raise NotNow("no_relief", "No relief waits in this room.")
    for index, pk in enumerate(named):
        if pk not in rows:
            raise NotNow(
                "no_relief", f"No relief waits at table {pk}.", path=f"tables[{index}]" if tables else ""
            )
    return [each for pk, each in rows.items() if pk in held], held


def _checked(
    tx: RoomTransaction,
    reliefs: Sequence[PushedTable],
    tables: Mapping[int, Table],
    dealing: Mapping[int, Down],
) -> list[Relief]:
    """Return the reliefs of a push that may begin. Raises BadInput, and NotNow for the first that may not."""
    waiting = _waiting(tx)
    rows: dict[int, Relief] = {}
    coming: dict[int, int] = {}
    for index, given in enumerate(reliefs):
        here, table = f"reliefs[{index}]", tables.get(given["table"])
        if table is None:
            raise BadInput("unknown_table", f"This room has no table {given['table']}.", path=f"{here}.table")
        if table.pk in rows:
            raise BadInput("twice", f"{table} is in this push twice.", path=f"{here}.table")
        relief = _relief_of(tx, given, here, table, dealing.get(table.pk))
        if relief.incoming_id in coming:
            raise BadInput(
                "twice", f"{relief.incoming} comes in at two tables of this push.", path=f"{here}.dealer"
            )
        for before in waiting:
            if before.table_id != table.pk and before.incoming_id != relief.incoming_id:
                continue
            if before.pk != given.get("replaces"):
                raise NotNow(
                    "relief_waits",
                    f"{before.incoming} is on the way to {before.table}. Confirm that first, or cancel it.",
                    path=f"{here}.table",
                )
            _cancel(tx, before)
        relief.position = index
        rows[table.pk], coming[relief.incoming_id] = relief, index
    elsewhere = Down.objects.filter(dealer__in=coming, ended_at__isnull=True).exclude(table__in=tables)
    for down in elsewhere.select_related("dealer", "table").order_by("pk"):
        raise NotNow(
            "leaves_table",
            f"{down.dealer} deals at {table_name(tx.room, down)}, which nobody takes over in this push. Choose somebody else, "
            "or push that table too.",
            path=f"reliefs[{coming[down.dealer_id]}].dealer",
        )
    return list(rows.values())


def _relief_of(tx: RoomTransaction, given: PushedTable, here: str, table: Table, down: Down | None) -> Relief:
    """One relief of a push; `down` is the one that is open at its table. Raises BadInput, and NotNow where it may not be."""
    if table.state != Table.State.OPEN:
        raise NotNow("table_closed", f"{table} is closed. Leave it out.", path=f"{here}.table")
    outgoing = None if down is None else down.dealer
    if "relieves" in given and given["relieves"] != (outgoing and outgoing.pk):
        raise NotNow(
            "another_deals",
            f"{outgoing or 'Nobody'} deals at {table} now. Review and try again.",
            path=f"{here}.relieves",
        )
    incoming = dealer_found(tx.room, given["dealer"], path=f"{here}.dealer")
    if incoming == outgoing:
        raise NotNow("deals_here", f"{incoming} deals at {table} already.", path=f"{here}.dealer")
    if why := why_permit_expired(tx.room, incoming, tx.now):
        raise NotNow(why.code, why.message, path=f"{here}.dealer")
    return Relief(
        room=tx.room, table=table, outgoing=outgoing, incoming=incoming, meal=bool(given.get("meal"))
    )


def _check_wave(tx: RoomTransaction, rows: Sequence[Relief]) -> None:
    """Refuse reliefs that are not free yet: who deals at a table that is not relieved by the same command."""
    coming = {each.incoming_id: each for each in rows}
    downs = Down.objects.filter(dealer__in=coming, ended_at__isnull=True)
    for down in downs.exclude(table__in=[each.table_id for each in rows]).select_related("table", "dealer"):
        raise _after(down.dealer, down, tx.room)


def _after(dealer: Staff, down: Down, room: Room) -> NotNow:
    """The refusal of a relief who still deals at a table."""
    where = table_name(room, down)
    return NotNow(
        "after_table",
        Phrase("{dealer} still deals at {where}, and is relieved there first.", dealer=dealer, where=where),
    )


def _relieve(tx: RoomTransaction, rows: Sequence[Relief], tables: Mapping[int, Table]) -> list[int]:
    """Begin the down of each relief, whose tables are locked; return the tables in the order of the wave.

    First come those who are free. Where everybody deals, as in a ring, one of them leaves their table first, which is then
    the last to be relieved.
    """
    held = _held(tx, tables)
    left, order = list(rows), []
    while left:
        dealing = set(
            Down.objects.filter(
                dealer__in=[each.incoming_id for each in left], ended_at__isnull=True
            ).values_list("dealer", flat=True)
        )
        relief = next((each for each in left if each.incoming_id not in dealing), left[0])
        at = held[relief.table_id]
        ring = relief.incoming_id in dealing
        with at.moving_on():
            down_begin(at, relief.incoming, from_elsewhere=ring, held=held)
        left.remove(relief)
        order.append(relief.table_id)
    return order


def _put_back(tx: RoomTransaction, done: Sequence[Relief], tables: Mapping[int, Table]) -> list[int]:
    """Give each table that was relieved back to who dealt there, or to nobody."""
    held = _held(tx, tables)
    back = {each.outgoing_id for each in done if each.outgoing is not None}
    gone = Down.objects.filter(dealer__in=back, ended_at__isnull=True).exclude(table__in=tables)
    for down in gone.select_related("dealer", "table"):
        raise NotNow(
            "changed_since",
            f"{down.dealer} deals at {table_name(tx.room, down)} now. Change the dealers one by one.",
            path="push_id",
        )
    for each in done:  # everybody leaves first: each table has the end of its own down in its own chain
        at = held[each.table_id]
        assert each.down is not None
        down = each.down
        with at.moving_on():
            down.ended_at = tx.now
            down.save()
            at.journal("down_end", down_ended_data(down))
    for each in done:
        if each.outgoing is not None:
            at = held[each.table_id]
            with at.moving_on():
                down_begin(at, each.outgoing, from_elsewhere=False, held=held)
    return [each.table_id for each in done]


def _held(tx: RoomTransaction, tables: Mapping[int, Table]) -> dict[int, TableTransaction]:
    """The tables whose rows are locked, each as a place that acts at the instant of the command."""
    held = {}
    for pk, table in tables.items():
        table.room = tx.room
        held[pk] = TableTransaction(table=table, actor=tx.actor, now=tx.now, roles=tx.roles)
    return held


def _downs_by_table(tables: Collection[int]) -> dict[int, Down]:
    downs = Down.objects.filter(table__in=tables, ended_at__isnull=True).select_related("dealer")
    return {down.table_id: down for down in downs}


def _waiting(tx: RoomTransaction) -> list[Relief]:
    """The reliefs of the room that wait, in the order of their pushes."""
    reliefs = Relief.objects.filter(WAITS, room=tx.room).select_related("incoming", "table", "push")
    return list(reliefs.order_by("push", "position"))


def _cancel(tx: RoomTransaction, relief: Relief) -> None:
    relief.ended_at, relief.ended_by = tx.now, tx.actor
    relief.save(update_fields=["ended_at", "ended_by"])


def _end_meals(tx: RoomTransaction, dealers: Iterable[int | None], push: Push) -> None:
    """End the meals to which dealers went by a push."""
    for meal in Meal.objects.filter(
        room=tx.room, dealer__in=list(dealers), started_at__gte=push.started_at, ended_at__isnull=True
    ):
        meal.ended_at, meal.ended_by = tx.now, tx.actor
        meal.save(update_fields=["ended_at", "ended_by"])


def _relief_data(relief: Relief) -> dict[str, Any]:
    return {
        "table": relief.table_id,
        "out": None if relief.outgoing is None else str(relief.outgoing),
        "in": str(relief.incoming),
        **({"meal": True} if relief.meal else {}),
    }
