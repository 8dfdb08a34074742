"""Types of charges: what a schedule charges, each with a payer, an occasion, and flat cents.

A player's charges are due for each position; the player-dealer's for the round as a whole. All of it is known at "no
more bets": a charge depends on the wagers placed by then and on nothing later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fees.document import ANTE, ROUND, WAGER, band_label

#: Who wagers and pays: a seat, and a place on the back line of its spot (0: the player of the seat).
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ante:
    """A position at "no more bets": its ante in cents, and its wagers by kind. `player` is how its bettor is shown.

    Its ante is what it has on main wagers; 0 for a position whose wagers stand without one, where the game allows that.
    `mains` are those wagers one by one, by their names on the layout: a table limit holds each by itself (ruling 56).
    """

    seat: int
    player: str
    cents: int
    beside: Mapping[str, int] | None = None
    mains: Mapping[str, int] | None = None
    behind: int = 0

    @property
    def place(self) -> Place:
        return self.seat, self.behind

    @property
    def has_wagers(self) -> bool:
        """Whether the position has a wager of any kind on record."""
        return bool(self.beside and any(self.beside.values()))

    def places(self, wager: str) -> bool:
        """Whether the position has a wager of that kind."""
        return bool(self.beside and self.beside.get(wager))


@dataclass(frozen=True, slots=True)
class Band:
    """A band of own antes, or of total table action, and the fee in it, in cents; `upper_cents` as printed."""

    lower_cents: int
    upper_cents: int | None
    fee_cents: int
    clause: str

    @property
    def label(self) -> str:
        """The band as printed: `$5 - $100`, or `$101+`."""
        return band_label(self.lower_cents, self.upper_cents)


@dataclass(frozen=True, slots=True)
class Rate:
    """A flat fee for each unit of `per` (`fees.document`); `wager` names the kind if the unit is a wager."""

    payer: str
    per: str
    wager: str | None
    fee_cents: int
    clause: str


@dataclass(frozen=True, slots=True)
class Bands:
    """A fee by the band in which an amount lies: each payer's own ante, or total table action for the player-dealer."""

    payer: str
    per: str
    bands: tuple[Band, ...]

    def band_for(self, cents: int) -> Band | None:
        """The highest band whose lower bound is not above `cents` (ruling 13); None below the first."""
        for band in reversed(self.bands):
            if band.lower_cents <= cents:
                return band
        return None


Charge = Rate | Bands


@dataclass(frozen=True, slots=True)
class Owed:
    """The amount of one charge: cents, the figure's clause, and its basis (`per ante`, `$5 - $100`)."""

    cents: int
    clause: str
    label: str
    band: Band | None = None


def of_position(charge: Charge, ante: Ante) -> Owed | None:
    """What a position owes by a player's charge; None if the position has no such wager."""
    if isinstance(charge, Bands):
        return _of_band(charge, ante.cents)
    if charge.per == ANTE and not ante.cents:
        return None
    if charge.per == WAGER and not ante.places(charge.wager or ""):
        return None
    return Owed(charge.fee_cents, charge.clause, f"per {charge.wager or charge.per}")


def of_round(charge: Charge, antes: Sequence[Ante]) -> Owed | None:
    """What the player-dealer owes by its charge; None for total table action below the first band."""
    if isinstance(charge, Bands):
        return _of_band(charge, sum(ante.cents for ante in antes))
    times = {ROUND: 1, ANTE: sum(1 for ante in antes if ante.cents)}.get(charge.per, len(antes))
    return Owed(charge.fee_cents * times, charge.clause, f"per {charge.per}")


def _of_band(charge: Bands, cents: int) -> Owed | None:
    band = charge.band_for(cents)
    return None if band is None else Owed(band.fee_cents, band.clause, band.label, band)
