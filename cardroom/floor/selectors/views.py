"""A table as it stands: one snapshot that the page shows, the API answers and every check decides on."""

from __future__ import annotations

import dataclasses
import functools

from games.rotation import Answer, Profile, Step, load_profile, next_step
from games.rotation import Turn as TurnFacts
from games.rulebook import Rulebook, load_rulebook

from ..models import Down, Offer, Round, Seating, Shift, Table, Turn


@dataclasses.dataclass
class TableView:
    """A table, everyone at it, the turn at the bank, the offers of this cycle, and the live round if there is one.

    `seatings` is by seat number. `gave_up` is the id of the player who gave the bank up when
    nobody has taken it since. `offers` are those of the present cycle, in the order in which they were made.
    """

    table: Table
    shift: Shift | None
    down: Down | None
    seatings: dict[int, Seating]
    turn: Turn | None
    gave_up: int | None
    offers: list[Offer]
    live: Round | None
    last: Round | None

    @functools.cached_property
    def rulebook(self) -> Rulebook:
        return load_rulebook(self.table.rulebook)

    @functools.cached_property
    def profile(self) -> Profile:
        """The rotation profile that the rulebook names."""
        assert self.rulebook.rotation is not None  # no table is set to a game that the house banks
        return load_profile(self.rulebook.rotation)

    @functools.cached_property
    def step(self) -> Step:
        """Who must be offered the bank next, or that it goes on, and why (ruling 40)."""
        turn, after = self.turn, self.table.offers_start_after
        occupied = sorted(self.seatings)
        # Whoever gave the bank up is asked when everybody else has been, wherever they sit by now: giving it up and
        # moving on a seat must not be a way around the two rounds.
        others = [seat for seat in occupied if self.seatings[seat].player_id != self.gave_up]
        if not {offer.seat for offer in self.offers}.issuperset(others):
            occupied = others
        return next_step(
            self.profile,
            turn=TurnFacts(seat=turn.seat, player=turn.player.name, rounds=turn.rounds) if turn else None,
            occupied=occupied,
            answers=[Answer(seat=offer.seat, answer=offer.answer) for offer in self.offers],
            start_seat=None if after is None else after + 1,
        )


def table_view(table: Table) -> TableView:
    """Read a table as it stands, in eight queries however full it is."""
    rounds = Round.objects.filter(table=table)
    turn = table.turns.filter(ended_at__isnull=True).select_related("player").first()
    return TableView(
        table=table,
        shift=Shift.objects.filter(room_id=table.room_id, closed_at__isnull=True).first(),
        down=table.downs.filter(ended_at__isnull=True).select_related("dealer").first(),
        seatings={
            sitting.seat: sitting
            for sitting in table.seatings.filter(left_at__isnull=True)
            .select_related("player")
            .order_by("seat")
        },
        turn=turn,
        gave_up=None if turn is not None or table.offers_start_after is None else _last_bank(table),
        offers=list(table.offers.filter(cycle=table.offer_cycle).select_related("player").order_by("id")),
        live=rounds.filter(state__in=[Round.State.BETTING, Round.State.DEALT])
        .select_related("bank_player")
        .first(),
        last=rounds.filter(state=Round.State.SETTLED).order_by("-id").first(),
    )


def _last_bank(table: Table) -> int | None:
    """The player of the turn that ended last."""
    return table.turns.order_by("-id").values_list("player", flat=True).first()
