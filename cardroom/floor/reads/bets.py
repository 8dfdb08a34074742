"""Queries before bets close: a quote of what the round would cost, and which wagers repeat."""

from __future__ import annotations

from typing import Any

from fees.errors import FeeError
from fees.quote import Quote, quote
from fees.rake import RakeQuote, rake_quote

from ..errors import BadInput
from ..models import Round, Seating
from ..places import place_of
from ..settling.fixing import antes_of
from ..settling.waiver_rules import places_waived
from .table_state import TableState


def quote_preview(state: TableState, round_: Round, bets: list[dict[str, Any]]) -> Quote | None:
    """Return the fees that `bets` would bring at "no more bets"; None where no fee is collected, or nothing is wagered.

    Raises BadInput for an ante that the table's schedule does not allow.
    """
    bets = _named(state, bets)
    schedule = state.table.schedule
    antes = [ante for ante in antes_of(bets, state.terms.rulebook) if ante.cents or ante.has_wagers]
    if schedule is None or not antes:
        return None
    assert round_.bank_seat is not None  # a round of the floor has a bank
    try:
        waived = places_waived(state.waivers, bets, round_.bank_seat)
        return quote(schedule.schedule, antes, bank_seat=round_.bank_seat, waived=waived)
    except FeeError as error:
        raise BadInput(error.code, error.message) from error


def rake_preview(state: TableState, round_: Round, bets: list[dict[str, Any]]) -> RakeQuote | None:
    """Return the rake that `bets` owe while no hand is dead, the most that will be taken as the round is settled.

    None where no rake is taken, or no player antes.
    """
    antes = [ante for ante in antes_of(_named(state, bets), state.terms.rulebook) if ante.cents]
    if round_.rake is None or not antes:
        return None
    assert round_.bank_seat is not None  # a round of the floor has a bank
    return rake_quote(round_.rake, round_.book, antes, bank_seat=round_.bank_seat)


def _named(state: TableState, bets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of `bets` that are of players who are there, as the round keeps them."""
    return [
        {**bet, "player": sitting.player.ref}
        for bet in bets
        if (sitting := state.places.get(place_of(bet))) is not None
    ]


def bets_to_repeat(state: TableState, bank_seat: int | None) -> list[dict[str, Any]]:
    """Return the wagers of the last settled round, of players who still sit where they sat, are there, and do not bank now.

    A tip is given anew each time: tips do not repeat.
    """
    return [
        {**bet, "player": stay.player.ref, "tips": {}}
        for bet, stay in last_bets(state)
        if stay is not None
        and bet["seat"] != bank_seat
        and bet["seat"] in state.seatings
        and stay.held_until is None
        and stay.player.may_play(state.now)
    ]


def last_bets(state: TableState) -> list[tuple[dict[str, Any], Seating | None]]:
    """Return each bet of the last settled round, and the stay of who placed it; None where they have left the place.

    Whose stay began before those bets closed is who placed them. The record does not tell: one player may be merged into another since.
    """
    if state.last is None:
        return []
    closed = state.last.bets_closed_at
    assert closed is not None  # the round is settled
    stays = [(bet, state.places.get(place_of(bet))) for bet in state.last.bets]
    return [(bet, stay if stay is not None and stay.seated_at <= closed else None) for bet, stay in stays]


def last_bank_wager(state: TableState) -> int | None:
    """Return the cents that the bank last put up at this table, or None: its holder, or who handed the rack over to them."""
    if state.turn is None:
        return None
    held_by = [state.turn.player_id, *state.turn.relieved]
    rounds = Round.objects.filter(table=state.table, bank_player__in=held_by).order_by("-opened_at", "-id")
    return rounds.values_list("bank_wager_cents", flat=True).first()
