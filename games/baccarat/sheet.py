"""The round sheet of baccarat: wagers by spot and bettor, and the two hands of the table.

A position is one bettor on one spot: several may wager on the spot of one seat, each with a name of his own, the player who
sits there first. `player_hand` and `banker_hand` are two or three cards each, in the order dealt.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from games.baccarat.hands import BaccaratHand, check_draws, read_hand
from games.baccarat.rulebook import RULEBOOKS, load_rulebook
from games.baccarat.terms import BaccaratTerms, read_options
from games.baccarat.wagers import MAIN
from games.bet_forms import Amounts, BetForm, BetsForm
from games.bets import (
    BetPosition,
    Bets,
    check_action_seat,
    check_rulebook,
    read_placed,
    read_player,
    read_tips,
)
from games.cards import hand_text
from games.dealt import check_dealt
from games.fields import read_cents, read_seat
from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import Reader, show


class SheetForm(BetsForm, kw_only=True):
    """A sheet of a whole round, as msgspec reads it."""

    player_hand: str
    banker_hand: str

    def count_keys(self) -> int:
        return 2 + super().count_keys()


_SHEETS, _BETS, _POSITIONS = Reader(SheetForm), Reader(BetsForm), Reader(BetForm)


class Sheet(Bets, frozen=True):
    """One whole round: bets and the two hands."""

    terms: BaccaratTerms
    player_hand: BaccaratHand
    banker_hand: BaccaratHand

    def to_json(self) -> dict[str, Any]:
        """Serialize the sheet, with every option and every player's name spelled out."""
        document = Bets.to_json(self)
        document["player_hand"] = hand_text(self.player_hand.cards)
        document["banker_hand"] = hand_text(self.banker_hand.cards)
        return document


def read_sheet(data: str | bytes | Mapping[str, Any]) -> Sheet:
    """A round sheet from JSON text or from its parsed object; Refusal for anything that the rules do not allow."""
    form = _SHEETS.read(data)
    terms = _read_terms(form.rulebook, form.options)
    bank, action_seat, meter, positions = read_placed(terms, form, form.positions, read_position)
    check_action_seat(terms.rulebook, action_seat)
    player, banker = read_hand(form.player_hand, "player_hand"), read_hand(form.banker_hand, "banker_hand")
    check_dealt([("player_hand", player.cards), ("banker_hand", banker.cards)], [], decks=terms.decks)
    check_draws(player, banker)
    return Sheet(terms, bank, action_seat, meter, positions, player, banker)


def read_bets(data: str | bytes | Mapping[str, Any]) -> Bets:
    """The sheet at "no more bets": the hands are not yet keys of it."""
    form = _BETS.read(data)
    terms = _read_terms(form.rulebook, form.options)
    return Bets(terms, *read_placed(terms, form, form.positions, read_position))


def check_wagers(
    rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
) -> BetPosition:
    """One position's wagers while betting is open; a refusal's path starts inside the position."""
    terms = _read_terms(rulebook, UNSET if options is None else options)
    return read_position(terms, _POSITIONS.read_value(position))


def read_position(terms: BaccaratTerms, form: BetForm) -> BetPosition:
    """One position; a refusal's path starts inside the position."""
    seat = read_seat(form.seat, terms.rulebook.seats, "seat")
    wagers = _read_wagers(terms, form.wagers)
    tips = read_tips(form.tips, wagers, terms.rulebook.wagers, terms)
    return BetPosition(seat, read_player(form.player, seat), wagers, tips)


def _read_terms(name: str, options: Mapping[str, Any] | UnsetType) -> BaccaratTerms:
    check_rulebook(name, RULEBOOKS)
    return read_options(load_rulebook(name), {} if options is UNSET else options)


def _read_wagers(terms: BaccaratTerms, given: Amounts) -> dict[str, int]:
    """Cents by wager; those that need one on player or banker have it beside them (`baccarat:wagers.6`)."""
    wagers: dict[str, int] = {}
    for wager, amount in given.items():
        if wager not in terms.placed:
            hint = Phrase("there are {wagers}", wagers=", ".join(terms.rulebook.wagers))
            raise Refusal(
                "unknown_key",
                f"wagers.{wager}",
                Phrase("{wager} is no wager of this game; {hint}.", wager=show(wager), hint=hint),
            )
        wagers[wager] = read_cents(amount, "wagers", wager)
    if not wagers:
        raise Refusal(
            "no_wager", "wagers", Phrase("the position has no wager; place one, or leave the position out.")
        )
    needing = [wager for wager in wagers if terms.needs[wager] == "main"]
    if needing and MAIN.isdisjoint(wagers):
        wager = needing[0]
        what = Phrase(
            "{name} needs a wager on {main} on the same position; add or return.",
            name=terms.rulebook.called(wager),
            main=terms.rulebook.main_name,
        )
        raise Refusal("wager_needs_main", f"wagers.{wager}", what)
    return wagers
