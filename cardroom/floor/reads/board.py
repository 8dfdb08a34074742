"""Queries of the floor board: the tables of a room, in as many queries for forty tables as for one.

What is counted comes from indexes alone, and what is looked up is one row a table; nothing walks through the rounds.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections import defaultdict
from collections.abc import Collection
from enum import IntEnum
from typing import Any

from django.db.models import BigIntegerField, Case, Count, F, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Cast, Coalesce

from cardroom.rooms.models import Room
from games.rotation.window import Window, window_of
from games.rulebook import Rulebook

from ..boxes import hanging_boxes
from ..checks.boxes import boxes_missing, why_no_box
from ..errors import WhyNot
from ..models import Alert, Down, Offer, Procedure, Round, Seating, Shift, Table, Transfer, Turn
from ..models.alerts import OPEN
from .records import alerts_named
from .table_state import (
    TableState,
    by_place,
    by_table,
    last_bank_in,
    last_banks,
    last_rounds,
    latest_stops,
    turns_to_look_at,
)
from .waiting import Waiting, waiting_at

HOUR = datetime.timedelta(hours=1)


class Attention(IntEnum):
    """How urgently a table needs a look, the most urgent first."""

    STOP = 0
    LOOK = 1
    QUIET = 2
    CLOSED = 3


@dataclasses.dataclass(frozen=True)
class BoardRow:
    """One table as the floor looks at it.

    `state` is that of the table now, without its last round (`state.last` is None). `rounds` were settled in the open shift,
    `pace` within the last hour, in any shift. `drop_cents` is what the drop box must hold from the open
    shift, refunds taken off; None while no shift is open. `last_ended_at` is when the last round ended, settled or
    void, in any shift. `alerts` are those that hold or are unanswered, in the order in which they came, `open` what
    else waits for a user.
    """

    state: TableState
    last_ended_at: datetime.datetime | None
    rounds: int
    pace: int
    drop_cents: int | None
    alerts: list[Alert]
    open: list[Waiting] = dataclasses.field(default_factory=list)

    @property
    def table(self) -> Table:
        return self.state.table

    @property
    def rulebook(self) -> Rulebook:
        return self.state.rulebook

    @property
    def players(self) -> int:
        """How many people play there, those on back lines too; where the rules allow it one may hold several positions."""
        return len({sitting.player_id for sitting in self.state.places.values()})

    @property
    def is_open(self) -> bool:
        return self.table.state == Table.State.OPEN

    @property
    def turn_round(self) -> int:
        """The bank's round in a row that is in play, or that was the last; 0 without a bank."""
        turn, live = self.state.turn, self.state.live
        if turn is None:
            return 0
        return turn.in_a_row + (1 if live is not None and live.turn_id == turn.pk else 0)

    @property
    def turn_limit(self) -> int | None:
        """Rounds after which the bank is offered; None where the rotation profile counts none."""
        return self.state.profile.offer_after_rounds

    @functools.cached_property
    def window(self) -> Window | None:
        """What is left of the time that the rotation profile gives; None where it counts rounds alone."""
        if not self.is_open or not self.state.profile.needs_play:
            return None
        return window_of(self.state.profile, turn=self.state.turn_facts, play=self.state.play)

    @property
    def window_ends_at(self) -> datetime.datetime | None:
        """When the window will be over, to the minute in which it is."""
        return (
            None
            if self.window is None
            else self.state.now + datetime.timedelta(minutes=self.window.minutes_left)
        )

    @property
    def asked_seat(self) -> int | None:
        """The seat that must be offered the bank now; None while a round is played or the bank goes on."""
        if not self.is_open or self.state.live is not None or self.state.step.kind != "offer":
            return None
        return self.state.step.seat

    @property
    def waiting(self) -> list[Alert]:
        """The unanswered alerts."""
        return [alert for alert in self.alerts if alert.waits]

    @functools.cached_property
    def why_no_box(self) -> WhyNot | None:
        """Why an open table collects nothing: no box hangs there, and no supervisor has let it go on without."""
        if not self.is_open or self.state.shift is None:
            return None
        return why_no_box(self.state, boxes_missing(self.state))

    @property
    def attention(self) -> Attention:
        """How urgently the table needs a look.

        Alerts that were answered no longer count, and of those that are over only those where money or a rule is at stake.
        """
        waiting = [alert for alert in self.waiting if alert.cleared_at is None or alert.is_urgent]
        if self.why_no_box is not None:
            return Attention.STOP
        if any(alert.is_urgent and alert.cleared_at is None for alert in waiting):
            return Attention.STOP
        if waiting:
            return Attention.LOOK
        return Attention.QUIET if self.is_open else Attention.CLOSED


def room_board(
    room: Room, shift: Shift | None, now: datetime.datetime, only: Collection[int] | None = None
) -> list[BoardRow]:
    """Return the tables of `room` by number, with their figures of `shift`, the one that is open; nine queries, and one a noun that waits.

    One more where the game at a table stops by the clock, and one where a table collects and has no drop box.
    `only` are the ids of the tables that are asked for; without it, all of them.
    """
    tables = _with_figures(Table.objects.filter(room=room), room, shift, now)
    here: dict[str, Any] = {"table__room": room}
    if only is not None:
        tables, here = tables.filter(pk__in=only), {**here, "table__in": only}
    downs = Down.objects.filter(**here, ended_at__isnull=True).select_related("dealer")
    live = Round.objects.filter(**here, ended_at__isnull=True)
    seatings = Seating.objects.filter(**here, left_at__isnull=True).select_related("player")
    offers = Offer.objects.filter(**here, cycle=F("table__offer_cycle"), withdrawal__isnull=True)
    alerts = Alert.objects.filter(OPEN, **here).select_related("acknowledged_by").order_by("id")

    found = list(tables)
    # Those that hold the bank, and in the same query those that a rotation by the clock looks back on.
    banking, looked_at = Q(ended_at__isnull=True), turns_to_look_at(found, now)
    turns = Turn.objects.filter(banking if looked_at is None else banking | looked_at, **here)
    turns_at = by_table(turns.select_related("player").order_by("id"))
    stop_at = latest_stops(found, now)
    down_at = {down.table_id: down for down in downs}
    live_at = {round_.table_id: round_ for round_ in live}
    stays_at: dict[int, list[Seating]] = defaultdict(list)
    for sitting in seatings.order_by():
        stays_at[sitting.table_id].append(sitting)
    offers_at: dict[int, list[Offer]] = defaultdict(list)
    for offer in offers.select_related("player").order_by("id"):
        offers_at[offer.table_id].append(offer)
    alerts_at: dict[int, list[Alert]] = defaultdict(list)
    everybody = [sitting.player for stays in stays_at.values() for sitting in stays]
    for alert in alerts_named(alerts, everybody):
        alerts_at[alert.table_id].append(alert)
    hanging = hanging_boxes([table.pk for table in found])
    waiting = waiting_at([table.pk for table in found])
    board = []
    for table in found:
        played, after = turns_at.get(table.pk, []), table.offers_start_after
        turn = next((turn for turn in played if turn.ended_at is None), None)
        seatings_there, behind = by_place(stays_at[table.pk])
        state = TableState(
            table=table,
            shift=shift,
            down=down_at.get(table.pk),
            seatings=seatings_there,
            behind=behind,
            turn=turn,
            last_bank=None
            if turn is not None or after is None or table.last_bank is None
            else last_bank_in(
                table.game,
                *(table.last_bank_game, table.last_bank, table.last_bank_rounds),
                *(table.last_bank_turn, table.last_bank_game_over, table.last_bank_relieved),
            ),
            live=live_at.get(table.pk),
            now=now,
            banked=played,
            paused=stop_at.get(table.pk),
        )
        state.last, state.offers, state.attempt = None, offers_at[table.pk], 0
        state.boxes = hanging.get(table.pk, [])
        board.append(
            BoardRow(
                state=state,
                last_ended_at=table.last_ended_at,
                rounds=table.rounds_played,
                pace=table.rounds_of_late,
                drop_cents=None if shift is None else table.collected_cents,
                alerts=alerts_at[table.pk],
                open=waiting[table.pk],
            )
        )
    _look_up_box_waivers([glance.state for glance in board if glance.is_open])
    return board


def _look_up_box_waivers(readings: list[TableState]) -> None:
    """Note at which of the tables without a box no supervisor has said that they may collect; one query for all."""
    bare = [state for state in readings if state.shift is not None and boxes_missing(state)]
    if not bare:
        return
    given = Procedure.objects.filter(
        table__in=[state.table for state in bare],
        kind=Procedure.Kind.BOX_WAIVED,
        made_at__gte=bare[0].shift.opened_at if bare[0].shift is not None else None,
    )
    waived = set(given.values_list("table", flat=True))
    for state in bare:
        if state.table.pk not in waived:
            state.box_waiver = None


def _with_figures(
    tables: QuerySet[Table], room: Room, shift: Shift | None, now: datetime.datetime
) -> QuerySet[Any]:
    """Put to each table the figures that take one look into an index: its last round and bank, and sums of the shift."""
    here = {"table": OuterRef("pk")}
    # A correction is no further round, and happened when it was made.
    settled = Round.objects.filter(**here, corrects__isnull=True, state=Round.State.SETTLED)
    ended = last_rounds().filter(**here, ended_at__isnull=False)
    # The index on rounds begins with their shift: these are the shifts to which rounds of the last hour can belong. Read
    # before: with a subquery, PostgreSQL may look at each table's rounds of every shift that there was.
    of_late = [*Shift.objects.filter(room=room, closed_at__gt=now - HOUR).values_list("pk", flat=True)]
    if shift is not None:
        of_late.append(shift.pk)
    # By where they went: what leaves the drop box again has gone back, for a void or in a correction.
    collected = Transfer.objects.filter(**here, shift=shift, kind__in=Transfer.COLLECTION_KINDS)
    into_the_box = Case(When(target=Transfer.Account.DROP, then="cents"), default=-F("cents"))
    banks = last_banks().filter(**here)
    return (
        tables.select_related("schedule", "room", "game")
        .annotate(
            last_ended_at=Subquery(ended.values("ended_at")[:1]),
            last_bank=Subquery(banks.values("player")[:1]),
            last_bank_rounds=Subquery(banks.values("counted")[:1]),
            last_bank_game=Subquery(banks.values("game")[:1]),
            last_bank_turn=Subquery(banks.values("pk")[:1]),
            last_bank_game_over=Subquery(banks.values("game_over")[:1]),
            last_bank_relieved=Subquery(banks.values("relieved")[:1]),
            # Not Count("id"): the index has no id, and PostgreSQL would look up every row for it.
            rounds_played=_of(settled.filter(shift=shift), Count("*")),
            rounds_of_late=_of(settled.filter(shift__in=of_late, ended_at__gt=now - HOUR), Count("*")),
            collected_cents=_of(collected, Sum(into_the_box)),
        )
        .order_by("number")
    )


def _of(rows: QuerySet[Any], figure: Count | Sum) -> Coalesce:
    """One figure over the rows of a table; 0 where there are none."""
    one = rows.order_by().values("table").annotate(figure=figure).values("figure")
    # Cast: PostgreSQL sums cents up as decimals.
    return Coalesce(Cast(Subquery(one), BigIntegerField()), 0)
