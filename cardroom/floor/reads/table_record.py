"""A table and its round as plain data: what the API answers, and what a stale command is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardroom.core.dates import utc_text
from cardroom.filings.models import FeeSchedule, GameFiling
from games.registry import rulebook_with

from ..checks import why_nots
from ..models import Round
from .meters import meter_record
from .table_state import TableState


def table_record(state: TableState) -> dict[str, Any]:
    """Return a table as plain data (money in cents, instants in UTC), the same for page, API and 412."""
    table = state.table
    return {
        "table": table.pk,
        "number": table.number,
        "room": table.room_id,
        "version": table.version,
        "state": table.state,
        "game": None if table.game is None else filing_name(table.game),
        "rulebook": table.rulebook,
        "options": table.options,
        "wager_limits": table.wager_limits,
        "rotation": state.profile.id,
        "recording": table.recording,
        "rake": None if table.rake is None else table.rake._asdict(),
        "schedule": None if table.schedule is None else filing_name(table.schedule),
        "shift": None if state.shift is None else {"id": state.shift.pk, "name": str(state.shift)},
        "meter": meter_record(table),
        "dealer": None
        if state.down is None
        else {"id": state.down.dealer_id, "name": str(state.down.dealer)},
        "seats": [
            {
                "seat": seat,
                "player": None
                if (sitting := state.seatings.get(seat)) is None
                else {"id": sitting.player_id, "name": sitting.player.name},
                "back_line": [
                    {
                        "behind": place.behind,
                        "player": {"id": stay.player_id, "name": stay.player.name},
                    }
                    for place, stay in state.behind.items()
                    if place.seat == seat
                ],
            }
            for seat in range(1, state.rulebook.seats + 1)
        ],
        "turn": None
        if state.turn is None
        else {
            "id": state.turn.pk,
            "seat": state.turn.seat,
            "player": state.turn.player.name,
            "rounds": state.turn.rounds,
            "in_a_row": state.turn.in_a_row,
            "renewed": state.turn.renewed,
        },
        "offers": [{"seat": o.seat, "player": o.player.name, "answer": o.answer} for o in state.offers],
        "next": {
            "kind": state.step.kind,
            "seat": state.step.seat,
            "reason": state.step.reason,
            "clause": state.step.clause,
        },
        "round": None if state.live is None else round_facts(state.live),
        "why_not": {
            command: None if why is None else why._asdict() for command, why in why_nots(state).items()
        },
    }


def filing_name(filing: FeeSchedule | GameFiling) -> dict[str, Any]:
    """Return which filed schedule or game this is."""
    return {
        "id": filing.pk,
        "number": filing.number,
        "version": filing.version,
        "title": filing.title,
    }


def round_facts(round_: Round) -> dict[str, Any]:
    """Return a round as plain data: what is known of it so far."""
    return {
        "id": round_.pk,
        "table": round_.table_id,
        "gaming_day": round_.gaming_day.isoformat(),
        "number": round_.number,
        "revision": round_.revision,
        "state": round_.state,
        "source": round_.source,
        "recording": round_.recording,
        "shift": round_.shift_id,
        "bank": {"seat": round_.bank_seat, "wager": round_.bank_wager_cents},
        "action_seat": round_.action_seat,
        "shown_card": round_.shown_card or None,
        "decision_order": decision_order(round_),
        "rulebook": round_.rulebook,
        "options": round_.options,
        "schedule": round_.schedule_id,
        "schedule_version": round_.schedule_version,
        "bets": round_.bets,
        "fees": round_.fees,
        "total_table_action_cents": round_.total_table_action_cents,
        "rake_cents": round_.rake_cents,
        "drop_cents": round_.drop_cents,
        "opened_at": utc_text(round_.opened_at),
        "bets_closed_at": utc_text(round_.bets_closed_at),
        "dealt_at": utc_text(round_.dealt_at),
        "ended_at": utc_text(round_.ended_at),
        "settlement": round_.settlement,
        "void_reason": round_.void_reason,
    }


def decision_order(round_: Round) -> list[int]:
    """Return the seats with wagers in the order in which they decide: clockwise from the left of the bank.

    Settling starts at the action seat instead, where one was named.
    """
    seats = [bet["seat"] for bet in round_.bets if bet["wagers"]]
    if round_.bank_seat is None:
        return sorted(seats)
    return clockwise(seats, round_.bank_seat + 1, rulebook_with(round_.rulebook, round_.options).seats)


def clockwise(seats: Iterable[int], first: int, count: int) -> list[int]:
    """Return `seats` of a table with `count` seats in clockwise order from seat `first` on."""
    return sorted(seats, key=lambda seat: (seat - first) % count)
