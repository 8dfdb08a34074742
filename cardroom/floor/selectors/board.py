"""The tables of a room at a glance, in as many queries for forty tables as for one."""

from __future__ import annotations

import dataclasses
import datetime

from django.db.models import Count, Max, Q, Sum

from cardroom.rooms.models import Room
from games.rotation import load_profile
from games.rulebook import Rulebook, load_rulebook

from ..models import Down, Round, Seating, Shift, Table, Transfer, Turn


@dataclasses.dataclass(frozen=True)
class Glance:
    """One table as the floor looks at it.

    `turn_round` is the round of the bank's turn that is in play or was the last, of `turn_limit`
    (None where the rotation profile counts no rounds). `drop_cents` is
    what the drop box must hold from the open shift, refunds taken off; None while no shift is open. `last_ended_at`
    is when the last round ended, settled or void, in whichever shift.
    """

    table: Table
    rulebook: Rulebook
    players: int
    down: Down | None
    turn: Turn | None
    turn_round: int
    turn_limit: int | None
    live: Round | None
    last_ended_at: datetime.datetime | None
    rounds: int
    drop_cents: int | None


def room_board(room: Room, shift: Shift | None) -> list[Glance]:
    """Return every table of `room` by number, with its figures of `shift`, the one that is open."""
    here = {"table__room": room}
    tables = Table.objects.filter(room=room).select_related("schedule").order_by("number")
    downs = {
        down.table_id: down
        for down in Down.objects.filter(**here, ended_at__isnull=True).select_related("dealer")
    }
    turns = {
        turn.table_id: turn
        for turn in Turn.objects.filter(**here, ended_at__isnull=True).select_related("player")
    }
    in_play = Round.objects.filter(**here, state__in=[Round.State.BETTING, Round.State.DEALT])
    live = {round_.table_id: round_ for round_ in in_play}
    players = dict(
        Seating.objects.filter(**here, left_at__isnull=True)
        .values_list("table")
        .annotate(Count("id"))
        .order_by()
    )
    # The last round by its id, which the index on (table, id) finds at once; its end is no further than one round off.
    newest = (
        Round.objects.filter(**here, ended_at__isnull=False)
        .values("table")
        .annotate(newest=Max("id"))
        .order_by()
    )
    ended = dict(Round.objects.filter(pk__in=newest.values("newest")).values_list("table", "ended_at"))
    played, drops = _of_shift(shift)
    board = []
    for table in tables:
        rulebook = load_rulebook(table.rulebook)
        turn, now = turns.get(table.pk), live.get(table.pk)
        board.append(
            Glance(
                table=table,
                rulebook=rulebook,
                players=players.get(table.pk, 0),
                down=downs.get(table.pk),
                turn=turn,
                turn_round=turn.rounds + (1 if now is not None and now.turn_id == turn.pk else 0)
                if turn
                else 0,
                turn_limit=_turn_limit(rulebook),
                live=now,
                last_ended_at=ended.get(table.pk),
                rounds=played.get(table.pk, 0),
                drop_cents=None if shift is None else drops.get(table.pk, 0),
            )
        )
    return board


def _turn_limit(rulebook: Rulebook) -> int | None:
    assert rulebook.rotation is not None  # no table is set to a game that the house banks
    return load_profile(rulebook.rotation).offer_after_rounds


def _of_shift(shift: Shift | None) -> tuple[dict[int, int], dict[int, int]]:
    """Settled rounds and expected drop in cents, by table, of a shift."""
    if shift is None:
        return {}, {}
    played = (
        Round.objects.filter(shift=shift, state=Round.State.SETTLED)
        .values_list("table")
        .annotate(Count("id"))
    )
    moved = Transfer.objects.filter(shift=shift, kind__in=[Transfer.Kind.FEE, Transfer.Kind.FEE_REFUND])
    sums = moved.values_list("table").annotate(
        fees=Sum("cents", filter=Q(kind=Transfer.Kind.FEE), default=0),
        refunds=Sum("cents", filter=Q(kind=Transfer.Kind.FEE_REFUND), default=0),
    )
    return dict(played.order_by()), {table: fees - refunds for table, fees, refunds in sums.order_by()}
