"""Precondition checks: whether a table may open, close and be set, and what waits until it is open or its round has ended."""

from __future__ import annotations

from games.phrases import Phrase, plural
from games.terms import Terms

from ..errors import WhyNot
from ..models import Table
from ..reads.table_state import TableState, cached_per_state
from .filings import why_not_on_file
from .shifts import why_no_shift
from .tray import why_tray_open


@cached_per_state
def why_not_open_table(state: TableState) -> WhyNot | None:
    """A closed table may open once a shift is open, on what is filed and with limits for every wager."""
    if state.table.state == Table.State.OPEN:
        return WhyNot("table_open", Phrase("{table} is open already.", table=state.table))
    return why_no_shift(state) or why_not_on_file(state)


@cached_per_state
def why_not_close_table(state: TableState) -> WhyNot | None:
    """An open table may close between rounds, and with its tray closed where the house banks."""
    return why_closed(state) or why_round_live(state, Phrase("close the table")) or why_tray_open(state)


@cached_per_state
def why_not_set_table(state: TableState) -> WhyNot | None:
    """Game, fee schedule and limits change between rounds only (ruling 42; `001` fees: one schedule)."""
    return why_round_live(state, Phrase("change what is played or charged here"))


def why_not_seats(state: TableState, terms: Terms) -> WhyNot | None:
    """A game with fewer seats, or less room on the back lines, begins when no player is beyond them."""
    book = terms.rulebook
    beyond = [sitting for seat, sitting in state.seatings.items() if seat > book.seats]
    if beyond:
        return WhyNot(
            "seat_beyond",
            Phrase(
                "{name} by these rules has seats 1 to {seats}, and {player} sits at seat {seat}. Let them leave or move first.",
                name=book.name,
                seats=book.seats,
                player=beyond[0].player,
                seat=beyond[0].seat,
            ),
        )
    too_many = [sitting for place, sitting in state.behind.items() if place.behind > terms.back_line]
    if too_many:
        return WhyNot(
            "back_line_beyond",
            Phrase(
                "{name} by these rules has {terms}, and {player} stands at seat {place}. Let them leave or move first.",
                name=book.name,
                terms=_back_line_text(terms),
                player=too_many[0].player,
                place=too_many[0].place,
            ),
        )
    return None


def _back_line_text(terms: Terms) -> str:
    if not terms.back_line:
        return Phrase("no back line: a spot is its player's alone")
    return plural(
        "up to {n} back-line bettor on a spot", "up to {n} back-line bettors on a spot", terms.back_line
    )


def why_closed(state: TableState) -> WhyNot | None:
    """A table is played at, and players sit down at it, while it is open."""
    if state.table.state != Table.State.OPEN:
        return WhyNot(
            "table_closed", Phrase("{table} is closed. The floor opens it first.", table=state.table)
        )
    return None


def why_round_live(state: TableState, what: str) -> WhyNot | None:
    """What is done between rounds waits for the end of the one in play; `what` says it."""
    if state.live is not None:
        return WhyNot(
            "round_live",
            Phrase(
                "Round {number} is in play. End it before you {what}.", number=state.live.number, what=what
            ),
        )
    return None
