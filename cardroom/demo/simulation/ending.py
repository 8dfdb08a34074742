"""Draws what is done at a table from the first card of a round to its end, as a table of its game records it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cardroom.floor.commands.points import board_show, decisions_record
from cardroom.floor.commands.rounds import later_bets_place, round_finish, round_settle
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.models import Round
from games.game import TableHand
from games.points import Point
from games.ran_out import RanOut
from games.registry import game_of


class Entry(NamedTuple):
    """A command at the table, and its arguments; `ends`: it ends the round."""

    command: TableCommand[...]
    arguments: dict[str, Any]
    ends: bool = False


def entries_after_deal(
    chance: random.Random, round_: Round, now: Callable[[], Round], *, slips: int = 0
) -> Iterator[Entry]:
    """Give the commands of a round that was dealt, one after the other; the last ends it.

    Where positions decide at several points, each is recorded as it comes. A round that is not carded has its wagers after the
    deal and where the bank ran out; `now` reads it anew for that. One decision in `slips` goes against a player's better
    knowledge.
    """
    game, terms = game_of(round_.rulebook), round_.terms
    if round_.by_eye:
        if later := game.draw_later_bets(chance, terms, round_.bets):
            yield Entry(later_bets_place, {"positions": later})
        ran_out = game.draw_ran_out(chance, terms, now().laid_in_order, round_.bank_wager_cents or 0)
        yield Entry(round_finish, {"ran_out": None if ran_out is None else _said(ran_out)}, ends=True)
        return
    deal = game.deal(terms)
    hands, results = game.draw_play(chance, terms, round_.bets, slips=slips)
    # Where positions have no cards of their own the table's hands say all.
    results = results if deal.each else []
    if deal.board is not None:
        yield from _at_points(game.points(terms), deal.board, hands, results)
    yield Entry(round_settle, {"hands": hands, "positions": results}, ends=True)


def _at_points(
    points: Sequence[Point],
    board: TableHand,
    hands: Mapping[str, str],
    results: Sequence[Mapping[str, Any]],
) -> Iterator[Entry]:
    """At each point its decisions but those that let it pass, and the board up to the next one."""
    cards = hands[board.id].split()
    for number, (point, after) in enumerate(itertools.zip_longest(points, points[1:])):
        passes = {decision.id for decision in point.decisions if decision.goes_on}
        decided = [
            {"seat": result["seat"], "decision": path[number]}
            for result in results
            if len(path := result.get("decision", "").split()) > number and path[number] not in passes
        ]
        if decided:
            yield Entry(decisions_record, {"positions": decided})
        if after is not None:
            yield Entry(board_show, {"cards": " ".join(cards[: after.board])})


def _said(ran_out: RanOut) -> dict[str, Any]:
    """Where the bank ran out, as the command takes it."""
    return {
        "seat": ran_out.seat,
        "behind": ran_out.behind,
        "spot": ran_out.spot,
        "paid_cents": ran_out.paid,
        "taken_cents": ran_out.taken,
        "returned_cents": ran_out.returned,
    }
