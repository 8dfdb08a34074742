"""Baccarat's implementation of the interface of games (`games.game.Game`)."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from games.approval import ApprovedTerm, TermValue
from games.baccarat import drawing, odds, sheet
from games.baccarat.approval import TERMS as APPROVED_TERMS
from games.baccarat.approval import approved_rulebook
from games.baccarat.approved_values import approved_values
from games.baccarat.hands import COUNT, read_hand
from games.baccarat.placard import game_placard_of
from games.baccarat.rulebook import (
    GAME_ID,
    RULEBOOKS,
    BaccaratRulebook,
    load_rulebook,
    procedure_rules_of,
)
from games.baccarat.settle import coup_of, even_money, format_result, most_owed, settle_wagers
from games.baccarat.terms import BaccaratTerms, read_options
from games.baccarat.wagers import BANKER, PLAYER
from games.baccarat.words import SENTENCES
from games.bets import BetPosition, Bets
from games.game import SIDE, Deal, DrawnBet, Game, TableHand, Taste
from games.odds import OddsRow, Situation
from games.phrases import Phrase
from games.placard import GamePlacard
from games.procedures.rules import ProcedureRules
from games.rulebook import Rulebook
from games.settlement import RoundResult
from games.terms import Terms

_PLAYER_HAND, _BANKER_HAND = "player_hand", "banker_hand"


class Baccarat(Game):
    """Two hands of the table, on either of which a position wagers; positions have no cards and decide nothing."""

    id: ClassVar[str] = GAME_ID
    name: ClassVar[str] = "Baccarat"
    rulebooks: ClassVar[tuple[str, ...]] = RULEBOOKS
    sentences: ClassVar[tuple[Phrase, ...]] = SENTENCES

    def load_rulebook(self, rulebook_id: str) -> BaccaratRulebook:
        return load_rulebook(rulebook_id)

    def approved_terms(self) -> tuple[ApprovedTerm, ...]:
        return APPROVED_TERMS

    def approved_rulebook(self, rulebook_id: str, approval: Any) -> BaccaratRulebook:
        return approved_rulebook(rulebook_id, approval)

    def approved_values(self, terms: Terms) -> Mapping[str, TermValue]:
        return approved_values(_own(terms))

    def procedure_rules_of(self, rulebook: Rulebook) -> ProcedureRules:
        return procedure_rules_of(rulebook)

    def read_options(self, rulebook: Rulebook, given: Mapping[str, Any]) -> BaccaratTerms:
        assert isinstance(rulebook, BaccaratRulebook)
        return read_options(rulebook, given)

    def deal(self, terms: Terms) -> Deal:
        wagers = terms.rulebook.wagers
        hands = (
            TableHand(_PLAYER_HAND, "The player's hand", 2, 3, SIDE, wagers[PLAYER].name),
            TableHand(_BANKER_HAND, "The banker's hand", 2, 3, SIDE, wagers[BANKER].name),
        )
        return Deal(decks=terms.decks, hands=hands, each=0, counted_by=COUNT)

    def read_sheet(self, data: str | bytes | Mapping[str, Any]) -> sheet.Sheet:
        return sheet.read_sheet(data)

    def read_recorded_sheet(self, document: Mapping[str, Any]) -> sheet.Sheet:
        return sheet.read_sheet(document)

    def read_bets(self, data: str | bytes | Mapping[str, Any]) -> Bets:
        return sheet.read_bets(data)

    def check_wagers(
        self, rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
    ) -> BetPosition:
        return sheet.check_wagers(rulebook, options, position)

    def settle_wagers(self, round_sheet: Bets) -> RoundResult:
        assert isinstance(round_sheet, sheet.Sheet)
        return settle_wagers(round_sheet)

    def format_result(self, terms: Terms, hands: Mapping[str, str]) -> str:
        player, banker = (read_hand(hands[key], key) for key in (_PLAYER_HAND, _BANKER_HAND))
        return format_result(coup_of(player, banker), _own(terms))

    def most_owed(self, placed: BetPosition, terms: Terms) -> int:
        return most_owed(placed, _own(terms))

    def even_money(self, placed: Sequence[BetPosition], terms: Terms) -> int:
        return even_money(placed)

    def odds_on(self, terms: Terms, situation: Situation | None = None) -> list[OddsRow]:
        return odds.odds_on(_own(terms), situation)

    def odds_of(self, rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
        return odds.odds_of(rulebook_id, situation)

    def placard(self, terms: Terms, situation: Situation | None = None) -> GamePlacard:
        return game_placard_of(_own(terms), situation)

    def draw_bet(
        self, chance: Random, terms: Terms, taste: Taste, limits: tuple[int, int | None]
    ) -> DrawnBet:
        return drawing.draw_bet(chance, _own(terms), taste, limits)

    def draw_play(
        self, chance: Random, terms: Terms, bets: Sequence[Mapping[str, Any]], *, slips: int = 0
    ) -> tuple[dict[str, str], list[dict[str, Any]]]:
        return drawing.draw_play(chance, _own(terms)), [{"seat": bet["seat"]} for bet in bets]


def _own(terms: Terms) -> BaccaratTerms:
    assert isinstance(terms, BaccaratTerms)
    return terms
