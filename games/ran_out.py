"""Where a player's bank ran out in a round that is settled by eye, and which wagers went back for it (ruling 55)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games.rulebook import Rulebook
from games.settlement_order import ordered


class RanOut(NamedTuple):
    """The position at which the bank ran out, on one `spot` or on all of its wagers (empty), in cents.

    `paid` and `taken` are what the wagers there were paid or taken in part, `returned` what of them went back.
    """

    seat: int
    behind: int
    spot: str
    paid: int
    taken: int
    returned: int

    def to_json(self) -> dict[str, Any]:
        """The record as a round keeps it; `behind` and `spot` if they say anything."""
        kept: dict[str, Any] = {"seat": self.seat}
        if self.behind:
            kept["behind"] = self.behind
        if self.spot:
            kept["spot"] = self.spot
        return {**kept, "paid": self.paid, "taken": self.taken, "returned": self.returned}


def read_ran_out(kept: Mapping[str, Any]) -> RanOut:
    """The record as `RanOut.to_json` writes it."""
    return RanOut(
        kept["seat"],
        kept.get("behind", 0),
        kept.get("spot", ""),
        kept["paid"],
        kept["taken"],
        kept["returned"],
    )


class Laid(NamedTuple):
    """A wager as it is settled: where it lies, and its cents."""

    seat: int
    behind: int
    spot: str
    cents: int


def wagers_in_order(
    bets: Iterable[Mapping[str, Any]],
    later_bets: Iterable[Mapping[str, Any]],
    rulebook: Rulebook,
    first: int | None,
) -> list[Laid]:
    """All wagers of a round in the order of settlement: by seat from `first` on, by place on a spot, then as the layout has them.

    `bets` and `later_bets`, those after the deal, are `{"seat", "behind", "wagers"}` in cents.
    """
    laid = sorted(
        (
            Laid(bet["seat"], bet.get("behind", 0), spot, cents)
            for bet in (*bets, *later_bets)
            for spot, cents in bet["wagers"].items()
        ),
        key=lambda each: (each.behind, _place_of(rulebook, each.spot)),
    )
    return ordered(laid, rulebook.seat_order, first)


def _place_of(rulebook: Rulebook, spot: str) -> int:
    spots = list(rulebook.wagers)
    return spots.index(spot) if spot in spots else len(spots)


def laid_at(wagers: Sequence[Laid], ran_out: RanOut) -> list[Laid]:
    """The wagers at which the bank ran out."""
    return [
        each
        for each in wagers
        if (each.seat, each.behind) == (ran_out.seat, ran_out.behind) and ran_out.spot in ("", each.spot)
    ]


def gone_back(wagers: Sequence[Laid], ran_out: RanOut) -> Iterator[Laid]:
    """The wagers behind those: nothing covered them, and they went back whole."""
    last = laid_at(wagers, ran_out)[-1]
    yield from wagers[wagers.index(last) + 1 :]


def uncovered_cents(wagers: Sequence[Laid], ran_out: RanOut) -> int:
    """What went back uncovered: in part where the bank ran out, and all behind it."""
    return ran_out.returned + sum([each.cents for each in gone_back(wagers, ran_out)])
