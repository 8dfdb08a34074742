"""What is recorded of a round that is settled by eye: its wagers after the deal, and where its bank ran out (ruling 55)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.money import dollars
from games.phrases import Phrase
from games.ran_out import RanOut, laid_at, uncovered_cents

from ..errors import BadInput
from ..models import Round
from ..places import place_as_json, place_of


def later_bets_read(round_: Round, given: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The wagers after the deal of some places, checked, of whom the record has there; BadInput for what the filing does not allow."""
    placed = {place_of(bet): bet for bet in round_.bets}
    read = []
    for index, each in enumerate(given):
        place, here = place_of(each), f"positions[{index}]"
        bet = placed.pop(place, None)
        if bet is None:
            what = Phrase("Seat {place} has no wager in this round.", place=place)
            raise BadInput("bad_seat", what, path=f"{here}.seat")
        for wager, cents in each["wagers"].items():
            _check_later(round_, bet["wagers"], wager, cents, f"{here}.wagers.{wager}")
        read.append(
            {**place_as_json(place), "player": bet["player"], "wagers": dict(each["wagers"]), "tips": {}}
        )
    return read


def _check_later(round_: Round, placed: Mapping[str, int], wager: str, cents: Any, path: str) -> None:
    later, rules = round_.terms.later, round_.book.wagers
    if wager not in later:
        known = ", ".join(later)
        what = Phrase(
            "{wager} is placed before the deal, or not here; after it there are {known}.",
            wager=wager,
            known=known,
        )
        raise BadInput("unknown_wager", what, path=path)
    if isinstance(cents, bool) or not isinstance(cents, int) or cents <= 0:
        what = Phrase("An amount is a whole number of cents above 0 (and below $10 billion).")
        raise BadInput("bad_amount", what, path=path)
    rule = later[wager]
    base = placed.get(rule.of, 0)
    names = {"name": rules[wager].name, "base": rules[rule.of].name}
    if not base:
        raise BadInput("wager_needs_main", Phrase("{name} needs a wager on {base}.", **names), path=path)
    if cents > rule.most_cents(base):
        what = Phrase(
            "{name} is at most {most} beside {base} of {cents}.",
            **names,
            most=dollars(rule.most_cents(base)),
            cents=dollars(base),
        )
        raise BadInput("later_bet_too_high", what, path=path)
    if rule.whole and cents % base:
        what = Phrase("{name} is a multiple of {base}, which is {cents}.", **names, cents=dollars(base))
        raise BadInput("later_bet_no_multiple", what, path=path)


def ran_out_read(round_: Round, given: Mapping[str, Any]) -> RanOut:
    """Where the bank ran out, checked against the wagers of the round; BadInput with a path from `ran_out` on."""
    place = place_of(given)
    cents = {key: given[f"{key}_cents"] for key in ("paid", "taken", "returned")}
    said = RanOut(place.seat, place.behind, given.get("spot") or "", **cents)
    for key, each in cents.items():
        if isinstance(each, bool) or not isinstance(each, int) or each < 0:
            what = Phrase("Enter whole cents, 0 for nothing.")
            raise BadInput("bad_amount", what, path=f"ran_out.{key}_cents")
    wagers = round_.laid_in_order
    laid = laid_at(wagers, said)
    if not laid:
        path = "ran_out.spot" if said.spot and laid_at(wagers, said._replace(spot="")) else "ran_out.seat"
        what = Phrase("Seat {place} has no such wager in this round.", place=place)
        raise BadInput("bad_seat", what, path=path)
    stake = sum(each.cents for each in laid)
    if said.taken + said.returned > stake:
        what = Phrase(
            "Of wagers of {stake} no more than that can be taken and go back.", stake=dollars(stake)
        )
        raise BadInput("beyond_wagers", what, path="ran_out.returned_cents")
    if round_.bank_wager_cents is not None and said.paid + said.taken > round_.bank_wager_cents:
        what = Phrase(
            "The bank pays and takes no more than its wager of {wager}.",
            wager=dollars(round_.bank_wager_cents),
        )
        raise BadInput("beyond_bank", what, path="ran_out.paid_cents")
    if not said.returned and stake == said.taken and laid[-1] == wagers[-1]:
        what = Phrase("The bank covered all: nothing went back, and nothing stands behind this place.")
        raise BadInput("bank_covered_all", what, path="ran_out")
    return said


def fix_ran_out(round_: Round, ran_out: RanOut | None) -> None:
    """Keep where the bank ran out, with what went back uncovered in cents; None: it covered all."""
    round_.ran_out = None if ran_out is None else ran_out.to_json()
    round_.exhausted = ran_out is not None
    round_.uncovered_cents = 0 if ran_out is None else uncovered_cents(round_.laid_in_order, ran_out)
