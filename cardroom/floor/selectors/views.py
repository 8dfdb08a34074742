"""A table as it stands: one snapshot that the page shows, the API answers and every check decides on."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

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

    def state(self) -> dict[str, Any]:
        """Return the snapshot as plain data (money in cents, instants in UTC), the same for page, API and 412."""
        from ..checks import why_nots  # the checks read this class

        table = self.table
        return {
            "table": table.pk,
            "number": table.number,
            "room": table.room_id,
            "version": table.version,
            "state": table.state,
            "rulebook": table.rulebook,
            "options": table.options,
            "wager_limits": table.wager_limits,
            "schedule": None
            if table.schedule is None
            else {
                "id": table.schedule.pk,
                "number": table.schedule.number,
                "version": table.schedule.version,
                "title": table.schedule.title,
            },
            "shift": None if self.shift is None else {"id": self.shift.pk, "name": str(self.shift)},
            "dealer": None
            if self.down is None
            else {"id": self.down.dealer_id, "name": str(self.down.dealer)},
            "seats": [
                {
                    "seat": seat,
                    "player": None
                    if (sitting := self.seatings.get(seat)) is None
                    else {"id": sitting.player_id, "name": sitting.player.name},
                }
                for seat in range(1, self.rulebook.seats + 1)
            ],
            "turn": None
            if self.turn is None
            else {
                "id": self.turn.pk,
                "seat": self.turn.seat,
                "player": self.turn.player.name,
                "rounds": self.turn.rounds,
                "renewed": self.turn.renewed,
            },
            "offers": [{"seat": o.seat, "player": o.player.name, "answer": o.answer} for o in self.offers],
            "next": {
                "kind": self.step.kind,
                "seat": self.step.seat,
                "reason": self.step.reason,
                "clause": self.step.clause,
            },
            "round": None if self.live is None else round_state(self.live),
            "why_not": {act: None if why is None else why._asdict() for act, why in why_nots(self).items()},
        }


def round_state(round_: Round) -> dict[str, Any]:
    """Return a round as plain data: what is known of it so far."""
    return {
        "id": round_.pk,
        "table": round_.table_id,
        "gaming_day": round_.gaming_day.isoformat(),
        "number": round_.number,
        "state": round_.state,
        "source": round_.source,
        "shift": round_.shift_id,
        "bank": {"seat": round_.bank_seat, "wager": round_.bank_wager_cents},
        "action_seat": round_.action_seat,
        "rulebook": round_.rulebook,
        "options": round_.options,
        "schedule": round_.schedule_id,
        "schedule_version": round_.schedule_version,
        "bets": round_.bets,
        "fees": round_.fees,
        "total_table_action_cents": round_.total_table_action_cents,
        "drop_cents": round_.player_fees_cents + round_.bank_fee_cents - round_.refunded_cents,
        "opened_at": _utc(round_.opened_at),
        "bets_closed_at": _utc(round_.bets_closed_at),
        "dealt_at": _utc(round_.dealt_at),
        "ended_at": _utc(round_.ended_at),
        "settlement": round_.settlement,
        "void_reason": round_.void_reason,
    }


def _utc(instant: Any) -> str | None:
    return None if instant is None else instant.isoformat().replace("+00:00", "Z")


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
