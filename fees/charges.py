"""Types of charges: what a schedule charges, each with a payer, an occasion, and flat cents.

A player's charges are due for each position; the player-dealer's for the round as a whole. All of it is known at "no
more bets": a charge depends on the wagers placed by then and on nothing later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fees.document import ANTE, LARGEST_ANTE, OWN_ANTE, POSITIONS, ROUND, WAGER, band_label

#: Who wagers and pays: a seat, and a place on the back line of its spot (0: the player of the seat).
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ante:
    """A position at "no more bets": its ante in cents, and its wagers by kind. `player` is how its bettor is shown.

    Its ante is what it has on main wagers; 0 for a position whose wagers stand without one, where the game allows that.
    `mains` are those wagers one by one, by their names on the layout: a table limit holds each by itself (ruling 56).
    `counts` are the cents that count toward total table action; None: the ante's, as where no approval says otherwise.
    """

    seat: int
    player: str
    cents: int
    beside: Mapping[str, int] | None = None
    mains: Mapping[str, int] | None = None
    behind: int = 0
    counts: int | None = None

    @property
    def place(self) -> Place:
        return self.seat, self.behind

    @property
    def action(self) -> int:
        """What the position counts toward total table action, in cents."""
        return self.cents if self.counts is None else self.counts

    @property
    def each_main(self) -> tuple[int, ...]:
        """The cents of each main wager, by itself (ruling 56)."""
        return tuple(self.mains.values()) if self.mains else (self.cents,)

    @property
    def has_wagers(self) -> bool:
        """Whether the position has a wager of any kind on record."""
        return bool(self.beside and any(self.beside.values()))

    def places(self, wager: str) -> bool:
        """Whether the position has a wager of that kind."""
        return bool(self.beside and self.beside.get(wager))


@dataclass(frozen=True, slots=True)
class Band:
    """A band and the fee in it, in cents. Bounds are in cents, or in positions (`per`); `upper` is as printed."""

    lower: int
    upper: int | None
    fee_cents: int
    clause: str
    per: str = ""

    @property
    def label(self) -> str:
        """The band as printed: `$5 - $100`, `$101+`, or of positions `1 - 4`."""
        return band_label(self.lower, self.upper, self.per)


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
    """A fee by the band in which an amount lies, or the number of positions; `wager` names the kind if it is a wager's."""

    payer: str
    per: str
    bands: tuple[Band, ...]
    wager: str | None = None

    def band_for(self, amount: int) -> Band | None:
        """The highest band whose lower bound is not above `amount` (ruling 13); None below the first."""
        for band in reversed(self.bands):
            if band.lower <= amount:
                return band
        return None

    def label(self, band: Band) -> str:
        """What a round keeps as the basis of the player-dealer's fee: `$5 - $100`, `1 - 4 positions in play`."""
        if self.per != POSITIONS:
            return band.label
        return f"{band.label} position{'' if band.upper == 1 else 's'} in play"


Charge = Rate | Bands
#: The basis of a fee by the bands of several antes.
BY_ANTES = "per main wager, by band"


def basis_of(rate: Rate) -> str:
    """What a flat fee is due per, as a round keeps it; the wagers that count as ante have other names on other layouts."""
    return "per main wager" if rate.per == ANTE else f"per {rate.wager or rate.per}"


@dataclass(frozen=True, slots=True)
class Owed:
    """The amount of one charge: cents, the figure's clause, and its basis (`per main wager`, `$5 - $100`).

    `clause` is empty where several figures make up the amount.
    """

    cents: int
    clause: str
    label: str
    band: Band | None = None


def of_position(charge: Charge, ante: Ante) -> Owed | None:
    """What a position owes by a player's charge; None if the position has no such wager."""
    if isinstance(charge, Bands):
        if charge.wager is None:
            return _of_each(charge, ante.each_main)
        placed = (ante.beside or {}).get(charge.wager, 0)
        return _of_band(charge, placed) if placed else None
    if charge.per == ANTE and not ante.cents:
        return None
    if charge.per == WAGER and not ante.places(charge.wager or ""):
        return None
    return Owed(charge.fee_cents, charge.clause, basis_of(charge))


def of_round(charge: Charge, antes: Sequence[Ante]) -> Owed | None:
    """What the player-dealer owes by its charge; None for an amount below the first band."""
    if isinstance(charge, Rate):
        times = {ROUND: 1, ANTE: sum(1 for ante in antes if ante.cents)}.get(charge.per, len(antes))
        return Owed(charge.fee_cents * times, charge.clause, basis_of(charge))
    mains = [cents for ante in antes if ante.cents for cents in ante.each_main]
    if charge.per == OWN_ANTE:
        each = _of_each(charge, mains)
        return Owed(0, "", BY_ANTES) if each is None else Owed(each.cents, each.clause, BY_ANTES)
    if charge.per == POSITIONS:
        return _of_band(charge, len(antes))
    total = sum(ante.action for ante in antes)
    return _of_band(charge, max(mains, default=0) if charge.per == LARGEST_ANTE else total)


def _of_each(charge: Bands, amounts: Sequence[int]) -> Owed | None:
    """The fee of each amount by its own band, summed; `clause` is empty where several figures make it up."""
    owed = [each for cents in amounts if (each := _of_band(charge, cents)) is not None]
    if len(owed) < 2:
        return owed[0] if owed else None
    clauses, labels = {each.clause for each in owed}, dict.fromkeys(each.label for each in owed)
    cents = sum(each.cents for each in owed)
    return Owed(cents, clauses.pop() if len(clauses) == 1 else "", " + ".join(labels))


def _of_band(charge: Bands, amount: int) -> Owed | None:
    band = charge.band_for(amount)
    return None if band is None else Owed(band.fee_cents, band.clause, charge.label(band), band)
