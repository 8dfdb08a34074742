"""The two schedule options of rule document 001, written out by hand, and ways to break them."""

from __future__ import annotations

import copy
from typing import Any

from fees.rates import Schedule, read_schedule

Document = dict[str, Any]


def player(fee_cents: Any, **more: Any) -> Document:
    """A line: what a player pays per ante."""
    return {"payer": "player", "per": "ante", "fee_cents": fee_cents, **more}


def band(lower_cents: Any, upper_cents: Any, fee_cents: Any, **more: Any) -> Document:
    """A line: what the player-dealer pays in a band of total table action."""
    return {
        "payer": "bank",
        "per": "total_table_action",
        "lower_cents": lower_cents,
        "upper_cents": upper_cents,
        "fee_cents": fee_cents,
        **more,
    }


def wager(kind: Any, fee_cents: Any, **more: Any) -> Document:
    """A line: what a player pays for each wager of a kind beside the ante."""
    return {"payer": "player", "per": "wager", "wager": kind, "fee_cents": fee_cents, **more}


def per_position(fee_cents: Any) -> Document:
    """A line: what a player pays for each position in play."""
    return {"payer": "player", "per": "position", "fee_cents": fee_cents}


def own(lower_cents: Any, upper_cents: Any, fee_cents: Any) -> Document:
    """A line: what a player pays in a band of the own ante."""
    return band(lower_cents, upper_cents, fee_cents, payer="player", per="own_ante")


def wager_band(kind: Any, lower_cents: Any, upper_cents: Any, fee_cents: Any, **more: Any) -> Document:
    """A line: what a player pays in a band of a wager's own amount."""
    return band(lower_cents, upper_cents, fee_cents, payer="player", per="wager", wager=kind, **more)


def positions(lower: Any, upper: Any, fee_cents: Any, **more: Any) -> Document:
    """A line: what the player-dealer pays in a band of the number of positions."""
    bounds = {"lower_positions": lower, "upper_positions": upper}
    return {"payer": "bank", "per": "positions", **bounds, "fee_cents": fee_cents, **more}


def bank(per: str, fee_cents: Any) -> Document:
    """A line: what the player-dealer pays for each ante, position or round."""
    return {"payer": "bank", "per": per, "fee_cents": fee_cents}


def timed(per: str, fee_cents: Any) -> Document:
    """A line: what a player pays for each half hour, or hour, by the clock."""
    return {"payer": "player", "per": per, "fee_cents": fee_cents}


def jackpot(payer: str, per: str, fee_cents: Any, **more: Any) -> Document:
    """A line: what goes into the jackpot's box."""
    return {"payer": payer, "per": per, "box": "jackpot", "fee_cents": fee_cents, **more}


def waiver(key: Any, covers: Any = "all", **more: Any) -> Document:
    """A published rule by which fees may be waived."""
    return {
        "key": key,
        "title": "Short-handed game",
        "text": "No fee is collected while few have wagers.",
        "covers": covers,
        **more,
    }


OPTION_1: Document = {
    "clause": "california:fees.s1.limit",
    "ante_min_cents": 500,
    "ante_max_cents": 10000,
    "lines": [
        player(100, clause="california:fees.s1.player"),
        band(500, 10000, 100, clause="california:fees.s1.bank.1"),
        band(10100, None, 200, clause="california:fees.s1.bank.2"),
    ],
}
OPTION_2: Document = {
    "clause": "california:fees.s2.limit",
    "ante_min_cents": 5000,
    "ante_max_cents": None,
    "lines": [
        player(100, clause="california:fees.s2.player"),
        band(5000, 20000, 100, clause="california:fees.s2.bank.1"),
        band(20100, None, 200, clause="california:fees.s2.bank.2"),
    ],
}


def with_head(**changes: Any) -> Document:
    """Option 1 with other keys in its head."""
    return {**copy.deepcopy(OPTION_1), **changes}


def with_lines(*lines: Any) -> Document:
    """Option 1's limit ($5 - $100) with other lines."""
    return with_head(lines=list(lines))


def with_line(number: int, **changes: Any) -> Document:
    """Option 1 with changes in line `number`, counted from 1."""
    document = copy.deepcopy(OPTION_1)
    document["lines"][number - 1].update(changes)
    return document


def without(key: str, *, line: int = 0) -> Document:
    """Option 1 without a key of its head, or of a line."""
    document = copy.deepcopy(OPTION_1)
    entry = document["lines"][line - 1] if line else document
    del entry[key]
    return document


def schedule(document: Document, number: int = 1) -> Schedule:
    """The schedule that a legal document says."""
    return read_schedule(document, number=number, title=f"Schedule option {number}")
