"""The wagers of a filed game at "no more bets"; a sheet with cards is refused: the game is settled by eye."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from games.bet_forms import Amounts, BetForm, BetsForm
from games.bets import BetPosition, Bets, check_rulebook, fill_equal, read_placed, read_player, read_tips
from games.by_eye.filed import RULEBOOKS
from games.by_eye.filed_spots import MAIN
from games.by_eye.terms import ByEyeTerms, read_options
from games.fields import read_cents, read_seat
from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import Reader, show

_BETS, _POSITIONS = Reader(BetsForm), Reader(BetForm)


def settled_by_eye(path: str = "") -> Refusal:
    """The refusal of cards, and of what follows from cards alone."""
    what = Phrase(
        "a game that is filed by its spots is not carded: wagers and fees are recorded, cards are not."
    )
    return Refusal("settled_by_eye", path, what)


def read_bets(data: str | bytes | Mapping[str, Any]) -> Bets:
    """The sheet at "no more bets"; Refusal for anything that the filing does not allow."""
    form = _BETS.read(data)
    terms = _read_terms(form.rulebook, form.options)
    return Bets(terms, *read_placed(terms, form, form.positions, read_position))


def check_wagers(
    rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
) -> BetPosition:
    """One position's wagers while betting is open; a refusal's path starts inside the position."""
    terms = _read_terms(rulebook, UNSET if options is None else options)
    return read_position(terms, _POSITIONS.read_value(position))


def read_position(terms: ByEyeTerms, form: BetForm) -> BetPosition:
    """One position; a refusal's path starts inside the position."""
    seat = read_seat(form.seat, terms.rulebook.seats, "seat")
    wagers = _read_wagers(terms, form.wagers)
    tips = read_tips(form.tips, wagers, terms.placed, terms)
    return BetPosition(seat, read_player(form.player, seat), wagers, tips)


def _read_terms(name: str, options: Mapping[str, Any] | UnsetType) -> ByEyeTerms:
    check_rulebook(name, RULEBOOKS)
    return read_options(name, {} if options is UNSET else options)


def _read_wagers(terms: ByEyeTerms, given: Amounts) -> dict[str, int]:
    """Cents by wager (`by_eye:filing.3`): what may not stand alone has a main wager on the same position."""
    wagers: dict[str, int] = {}
    for wager, amount in given.items():
        if wager not in terms.placed:
            what = Phrase(
                "{wager} is no wager of {name}; there are {wagers}.",
                wager=show(wager),
                name=terms.rulebook.name,
                wagers=", ".join(terms.rulebook.wagers),
            )
            raise Refusal("unknown_key", f"wagers.{wager}", what)
        wagers[wager] = read_cents(amount, "wagers", wager)
    if not wagers:
        what = Phrase("the position has no wager; place one, or leave the position out.")
        raise Refusal("no_wager", "wagers", what)
    if terms.main.isdisjoint(wagers):
        for wager in wagers:
            if terms.needs[wager] == MAIN:
                main = " or ".join(
                    rule.name for rule in terms.rulebook.wagers.values() if rule.id in terms.main
                )
                what = Phrase(
                    "{name} needs a wager on {main} on the same position; add or return.",
                    name=terms.rulebook.wagers[wager].name,
                    main=main,
                )
                raise Refusal("wager_needs_main", f"wagers.{wager}", what)
    return fill_equal(wagers, terms.rulebook)
