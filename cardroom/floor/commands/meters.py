"""Commands on progressive meters: setting one, and linking tables to one; and what wagers add (ruling 43).

Everything that changes a meter, or goes by what it shows, locks its row first, after the row of the table. Its movements
are written under that lock, so that each goes on from the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import MOST_CENTS, Cents, Id, Label, Money, Pick, Reason, Signature, Text
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from games import meter
from games.money import dollars
from games.phrases import Phrase

from ..checks.procedures import why_not_link_meter, why_not_set_meter, why_not_unlink_meter
from ..errors import BadInput, NotNow
from ..execution.carry_out import table_command
from ..execution.locks import lock_row
from ..execution.transactions import TableTransaction
from ..models import MeterMovement, ProgressiveMeter, Round, Table
from ..notify import meter_changed
from ..reads.meters import (
    linked_tables,
    meter_rule_of,
    meter_stands,
    progressive_wagers,
    unconfirmed_win,
    why_not_together,
)
from ..reads.table_state import TableState
from .second_person import check_second_person, given_reason

NAME_LENGTH = 60

_Approval = Annotated[Staff, Signature(right=Right.CONFIRM_WINS)]


class MeterAnswer(TypedDict):
    """What the meter of the table shows, and its reserve, in cents."""

    meter: int
    shown_cents: int
    reserve_cents: int


@table_command(
    "PUT meter",
    Right.CONFIRM_WINS,
    check=why_not_set_meter,
    title=Phrase("Set the progressive meter"),
    tag="Procedures",
    example={"shown_cents": 250000, "reserve_cents": 0, "reason": "taken over from the old controller"},
    page="meter",
    menu="procedures",
    done=Phrase("The meter is set."),
)
def meter_set(
    tx: TableTransaction,
    *,
    shown_cents: Annotated[Cents, Label(Phrase("The meter shows"))],
    reserve_cents: Annotated[int, Money(0, MOST_CENTS), Label(Phrase("In reserve"))] = 0,
    reason: Reason,
    approver: _Approval,
) -> MeterAnswer:
    """Set what the meter of a table shows between rounds, with a reason and a second person's approval (ruling 43).

    Refused while wagers of a linked table are locked in for it, or a win there waits.
    """
    reason = given_reason(reason, Phrase("Setting the meter"))
    check_second_person(tx, approver, Right.CONFIRM_WINS, Phrase("sets a meter"))
    held = meter_lock(tx)
    linked = list(linked_tables(tx.table))
    _check_not_locked_in(linked)
    _check_no_win_waits(linked)
    after, movement = meter.set_to(meter_stands(held.pk), shown_cents, reserve_cents, reason)
    meter_move(tx, held, movement, None)
    return _answer(held, after)


def _other_meters(state: TableState) -> list[tuple[int, str]]:
    """The meters that the table could play for: those of other tables of the room, as a form offers them."""
    found: dict[int, list[Table]] = {}
    others = Table.objects.filter(room=state.table.room_id, meter__isnull=False)
    for other in others.exclude(meter=state.table.meter_id).select_related("meter").order_by("number"):
        if why_not_together(state.table, other) is None:
            found.setdefault(other.meter_id or 0, []).append(other)
    return [
        (
            meter_id,
            f"{tables[0].meter} · {_listed(tables)} · {dollars(meter_stands(meter_id).shown_cents)}",
        )
        for meter_id, tables in found.items()
    ]


@table_command(
    "POST meter/link",
    Right.CONFIRM_WINS,
    check=why_not_link_meter,
    title=Phrase("Link to another table's meter"),
    tag="Procedures",
    example={"meter_id": 1, "reason": "one jackpot for the pit"},
    page="meter-link",
    menu="procedures",
    done=Phrase("The table plays for the linked meter."),
)
def meter_link(
    tx: TableTransaction,
    *,
    meter_id: Annotated[Id, Label(Phrase("Meter")), Pick(_other_meters)],
    name: Annotated[
        str,
        Text(NAME_LENGTH, blank=True),
        Label(Phrase("Name of the meter from now on")),
        "Left out, it keeps the one that it has.",
    ] = "",
    reason: Reason,
    approver: _Approval,
) -> MeterAnswer:
    """Let a table play for the meter of another one, between rounds, with a reason and a second person's approval.

    Both play the same rulebook, progressive paytable and `meter_wins`. What the table's own meter shows above its seed, and
    its reserve, go into the linked one; the seed goes back to the house.
    """
    reason = given_reason(reason, Phrase("Linking a meter"))
    check_second_person(tx, approver, Right.CONFIRM_WINS, Phrase("links a meter"))
    own_id = tx.table.meter_id
    if own_id == meter_id:
        raise NotNow("meter_linked", Phrase("{table} plays for this meter already.", table=tx.table))
    # Two meters are locked in the order of their ids: another table may be joining the other way round.
    rows = {pk: lock_row(ProgressiveMeter, pk) for pk in sorted({meter_id, own_id or meter_id})}
    target = rows[meter_id]
    others = list(Table.objects.filter(meter=target, room=tx.room).order_by("number"))
    if not others:
        raise BadInput(
            "unknown_meter",
            Phrase("No table of this room plays for a meter {meter_id}.", meter_id=meter_id),
            path="meter_id",
        )
    if shared := list(linked_tables(tx.table)):
        raise NotNow(
            "meter_linked",
            Phrase(
                "{table} shares its meter with {shared}. Unlink it from that one first.",
                table=tx.table,
                shared=_listed(shared),
            ),
        )
    if why := why_not_together(tx.table, others[0]):
        raise BadInput(
            "other_progressive", Phrase("{why}: they cannot play for one meter.", why=why), path="meter_id"
        )
    _check_no_win_waits(others)
    stands = meter_stands(target.pk)
    if own_id is not None:
        rule = meter_rule_of(tx.table)
        left, (stands, taken) = meter.handed_over(rule, meter_stands(own_id), stands, reason)
        for movement in left:
            meter_move(tx, rows[own_id], movement, None)
        if taken is not None:
            meter_move(tx, target, taken, None)
    if name := name.strip():
        target.name = name
        target.save(update_fields=["name"])
    _play_for(tx, target, "meter_link", reason)
    return _answer(target, stands)


@table_command(
    "POST meter/unlink",
    Right.CONFIRM_WINS,
    check=why_not_unlink_meter,
    title=Phrase("Unlink the meter"),
    tag="Procedures",
    example={"reason": "the table moves to another pit"},
    page="meter-unlink",
    menu="procedures",
    done=Phrase("The table has a meter of its own."),
)
def meter_unlink(tx: TableTransaction, *, reason: Reason, approver: _Approval) -> MeterAnswer:
    """Give a table that plays for a linked meter one of its own again, between rounds, with a reason and a second person.

    What the linked meter shows stays with the tables that still play for it; the new one starts at its seed.
    """
    reason = given_reason(reason, Phrase("Unlinking a meter"))
    check_second_person(tx, approver, Right.CONFIRM_WINS, Phrase("unlinks a meter"))
    meter_lock(tx)
    if not linked_tables(tx.table).exists():  # the last other one has left since the table was read
        raise NotNow("meter_not_linked", Phrase("{table} has a meter of its own.", table=tx.table))
    own = ProgressiveMeter.objects.create(room=tx.room, name=str(tx.table))
    _open(tx, own)
    _play_for(tx, own, "meter_unlink", reason)
    return _answer(own, meter_stands(own.pk))


def meter_lock(tx: TableTransaction) -> ProgressiveMeter:
    """Lock the meter of a table, after the table's own row; the first one is made and opened with its seed."""
    if tx.table.meter_id is not None:
        return lock_row(ProgressiveMeter, tx.table.meter_id)
    tx.table.meter = made = ProgressiveMeter.objects.create(room=tx.room, name=str(tx.table))
    tx.table.save(update_fields=["meter"])  # a setting, with its history
    _open(tx, made)
    return made


def meter_lock_for(tx: TableTransaction, positions: Iterable[Mapping[str, Any]]) -> None:
    """Lock the meter of a table where any of `positions` has a progressive wager, before the round is settled by it."""
    if progressive_wagers(positions):
        meter_lock(tx)


def meter_opened(tx: TableTransaction) -> None:
    """See that a table whose game has a progressive has a meter, so that others can be linked to it."""
    if tx.table.meter_id is None and tx.table.book.meter is not None:
        meter_lock(tx)


def meter_wagered(tx: TableTransaction, round_: Round) -> None:
    """Add to the meter what the progressive wagers of a settled round bring; a void leaves it as it was (ruling 44)."""
    wagers = progressive_wagers(round_.bets)
    if not wagers:
        return
    held = meter_lock(tx)
    _, movement = meter.wagered(meter_rule_of(tx.table), meter_stands(held.pk), wagers)
    if movement is not None:
        meter_move(tx, held, movement, round_)


def meter_move(
    tx: TableTransaction, held: ProgressiveMeter, movement: meter.Movement, round_: Round | None
) -> None:
    """Write a movement of a meter whose row is locked, and notify the pages of linked tables."""
    row = MeterMovement.objects.create(
        room=tx.room,
        meter=held,
        table=tx.table,
        round=round_,
        kind=movement.kind,
        cents=movement.cents,
        shown_cents=movement.shown_cents,
        reserve_cents=movement.reserve_cents,
        reason=movement.reason,
        made_at=tx.now,
        made_by=tx.actor,
    )
    kept = {"meter": held.pk, "movement": row.pk, "round": None if round_ is None else round_.pk}
    tx.journal("meter_move", {**kept, **movement._asdict()})
    meter_changed(held)


def check_not_won(tx: TableTransaction) -> None:
    """Refuse to settle a win of the meter while one at a linked table waits: the same cents are paid once.

    The meter is locked. Once the other win is confirmed, the round is settled by what the meter shows then.
    """
    _check_no_win_waits(linked_tables(tx.table))


def check_same_progressive(tx: TableTransaction) -> None:
    """Refuse settings by which a table no longer plays as those that its meter is linked with; the table is yet to be saved."""
    if tx.table.meter_id is None:
        return
    meter_lock(tx)
    other = linked_tables(tx.table).first()
    if other is not None and (why := why_not_together(tx.table, other)):
        raise BadInput(
            "other_progressive",
            Phrase("{why}, with which its meter is linked. Unlink it first.", why=why),
            path="game_id",
        )


def _check_no_win_waits(tables: Iterable[Table]) -> None:
    won = unconfirmed_win(tables)
    if won is None:
        return
    filed = (won.options or {}).get("meter_wins")
    house = f" The house files for several wins: {filed}" if filed else ""
    raise NotNow(
        "meter_won",
        Phrase(
            "The meter was won at {table} in round {number}, which waits for a supervisor. Confirm that win first; what the meter shows after it is what counts here.{house}",
            table=won.table,
            number=won.number,
            house=house,
        ),
    )


def _check_not_locked_in(tables: Iterable[Table]) -> None:
    """Refuse to set a meter for which wagers of a linked table are locked in."""
    closed = Round.objects.filter(
        table__in=list(tables), state=Round.State.BETS_CLOSED, ended_at__isnull=True
    )
    for round_ in closed.select_related("table").order_by("table__number"):
        if progressive_wagers(round_.bets):
            raise NotNow(
                "round_live",
                Phrase(
                    "Round {number} is in play for this meter at {table}. The meter is set when it has ended.",
                    number=round_.number,
                    table=round_.table,
                ),
            )


def _open(tx: TableTransaction, made: ProgressiveMeter) -> None:
    """Open a meter of the table's own with its seed."""
    _, movement = meter.opened(meter_rule_of(tx.table))
    meter_move(tx, made, movement, None)


def _play_for(tx: TableTransaction, now: ProgressiveMeter, command: str, reason: str) -> None:
    """Let the table play for another meter from now on, and notify the pages of both."""
    before = tx.table.meter
    tx.table.meter = now
    tx.table._history_user = tx.actor  # type: ignore[attr-defined]  # read by simple_history
    tx.table.save(update_fields=["meter"])
    tx.journal(command, {"before": _plain(before), "after": _plain(now)}, reason=reason)
    for each in (before, now):
        if each is not None:
            meter_changed(each)


def _plain(row: ProgressiveMeter | None) -> dict[str, Any] | None:
    return None if row is None else {"id": row.pk, "name": row.name}


def _answer(held: ProgressiveMeter, stands: meter.Meter) -> MeterAnswer:
    return {"meter": held.pk, "shown_cents": stands.shown_cents, "reserve_cents": stands.reserve_cents}


def _listed(tables: Iterable[Table]) -> str:
    return ", ".join(map(str, tables))
