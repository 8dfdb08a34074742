"""Implementation of the interface of games (`games.game.Game`) for games that a room files by their spots and settles by eye."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from games.bets import BetPosition, Bets
from games.by_eye import drawing, sheet
from games.by_eye.exposure import most_owed
from games.by_eye.filed import GAME_ID, RULEBOOKS, load_rulebook, procedure_rules_of, read_filed
from games.by_eye.placard import game_placard_of
from games.by_eye.terms import ByEyeTerms, read_options
from games.game import Deal, DrawnBet, Game, Taste
from games.odds import OddsRow, Situation
from games.option_words import OptionWords, words_with
from games.placard import GamePlacard
from games.procedures.rules import ProcedureRules
from games.ran_out import Laid, RanOut
from games.rulebook import COUNTER_CLOCKWISE, NAMED_SEAT, NEXT_TO_BANK, Rulebook
from games.settlement import RoundResult
from games.terms import Terms


class ByEye(Game):
    """Any game of which a filing names seats, decks and spots; the house dealer settles it."""

    id: ClassVar[str] = GAME_ID
    name: ClassVar[str] = "Filed game, not carded"
    rulebooks: ClassVar[tuple[str, ...]] = RULEBOOKS
    option_words: ClassVar[OptionWords] = words_with(
        {
            "name": "Name of the game",
            "seats": "Seats",
            "decks": "Decks",
            "spots": "Spots",
            "direction": "Deal, settlement and offers go",
            "starts": "The action starts",
            "positions": "Positions a player may hold",
            "adjacent": "Positions of a player stand side by side",
            "least_bank_cents": "Least player-dealer wager, in cents",
            "number": "Number of the approval",
            "title": "Title of the approval",
            "date": "Date of the approval",
        },
        {
            ("direction", COUNTER_CLOCKWISE): "counter-clockwise",
            ("starts", NAMED_SEAT): "at a seat named by dice or a button",
            ("starts", NEXT_TO_BANK): "next to the bank",
            ("adjacent", True): "yes",
        },
        {},
    )
    records_cards: ClassVar[bool] = False
    from_filing: ClassVar[bool] = True

    def load_rulebook(self, rulebook_id: str) -> Rulebook:
        return load_rulebook(rulebook_id)

    def first_options(self) -> dict[str, Any]:
        spot = {"id": "bet", "name": "Bet", "main": True, "tip": True}
        return {"name": "Name of the game", "seats": 7, "decks": 1, "spots": [spot]}

    def rulebook_with(self, rulebook_id: str, options: Mapping[str, Any]) -> Rulebook:
        return read_filed(rulebook_id, options).rulebook

    def procedure_rules_of(self, rulebook: Rulebook) -> ProcedureRules:
        return procedure_rules_of(rulebook)

    def read_options(self, rulebook: Rulebook, given: Mapping[str, Any]) -> ByEyeTerms:
        return read_options(rulebook.id, given)

    def deal(self, terms: Terms) -> Deal:
        return Deal(decks=terms.decks, jokers=terms.rulebook.cards.jokers, hands=(), each=0)

    def read_sheet(self, data: str | bytes | Mapping[str, Any]) -> Bets:
        raise sheet.settled_by_eye()

    def read_recorded_sheet(self, document: Mapping[str, Any]) -> Bets:
        raise sheet.settled_by_eye()

    def read_bets(self, data: str | bytes | Mapping[str, Any]) -> Bets:
        return sheet.read_bets(data)

    def check_wagers(
        self, rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
    ) -> BetPosition:
        return sheet.check_wagers(rulebook, options, position)

    def settle_wagers(self, round_sheet: Bets) -> RoundResult:
        raise sheet.settled_by_eye()

    def most_owed(self, placed: BetPosition, terms: Terms) -> int | None:
        """What the filing's best odds can bring all wagers at once, None where it does not say the odds of one of them."""
        return most_owed(placed, _own(terms))

    def odds_on(self, terms: Terms, situation: Situation | None = None) -> list[OddsRow]:
        return []

    def odds_of(self, rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
        return []

    def placard(self, terms: Terms, situation: Situation | None = None) -> GamePlacard:
        return game_placard_of(_own(terms))

    def draw_bet(
        self, chance: Random, terms: Terms, taste: Taste, limits: tuple[int, int | None]
    ) -> DrawnBet:
        return drawing.draw_bet(chance, _own(terms), taste, limits)

    def draw_play(
        self, chance: Random, terms: Terms, bets: Sequence[Mapping[str, Any]], *, slips: int = 0
    ) -> tuple[dict[str, str], list[dict[str, Any]]]:
        return {}, [{"seat": bet["seat"]} for bet in bets]

    def draw_later_bets(
        self, chance: Random, terms: Terms, bets: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        return drawing.draw_later_bets(chance, _own(terms), bets)

    def draw_ran_out(
        self, chance: Random, terms: Terms, laid: Sequence[Laid], bank_cents: int
    ) -> RanOut | None:
        return drawing.draw_ran_out(chance, _own(terms), laid, bank_cents)


def _own(terms: Terms) -> ByEyeTerms:
    assert isinstance(terms, ByEyeTerms)
    return terms
