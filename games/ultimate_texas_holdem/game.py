"""Ultimate Texas Hold'em as the product asks it (`games.game`)."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from games.approval import ApprovedTerm, PaytableWays, TermValue
from games.bets import BetPosition, Bets
from games.game import BANK, BOARD, Deal, DrawnBet, Game, TableHand, Taste
from games.odds import OddsRow, Situation
from games.phrases import Phrase
from games.placard import GamePlacard, PostedTable
from games.points import Point
from games.procedures.rules import ProcedureRules
from games.rulebook import Rulebook
from games.settlement import RoundResult
from games.terms import Terms
from games.ultimate_texas_holdem import drawing, odds, sheet
from games.ultimate_texas_holdem.approval import TERMS as APPROVED_TERMS
from games.ultimate_texas_holdem.approval import approved_rulebook
from games.ultimate_texas_holdem.approved_values import approved_values, paytable_ways
from games.ultimate_texas_holdem.exposure import even_money, most_owed
from games.ultimate_texas_holdem.placard import game_placard_of, posted_tables
from games.ultimate_texas_holdem.rulebook import (
    GAME_ID,
    RULEBOOKS,
    UltimateRulebook,
    load_rulebook,
    procedure_rules_of,
)
from games.ultimate_texas_holdem.settle import format_result, settle_wagers
from games.ultimate_texas_holdem.sheet import BOARD_CARDS, HOLE_CARDS
from games.ultimate_texas_holdem.terms import UltimateTerms, read_options

_BANK_HAND, _BOARD = "bank_hand", "board"
_HANDS = (
    TableHand(_BANK_HAND, Phrase("The bank's cards"), HOLE_CARDS, HOLE_CARDS, BANK),
    TableHand(_BOARD, Phrase("The board"), BOARD_CARDS, BOARD_CARDS, BOARD, Phrase("Board")),
)


class UltimateTexasHoldem(Game):
    """Two cards each and a board of five; a position plays once, at one of three points, or folds."""

    id: ClassVar[str] = GAME_ID
    name: ClassVar[str] = "Ultimate Texas Hold'em"
    rulebooks: ClassVar[tuple[str, ...]] = RULEBOOKS
    bank_qualifies: ClassVar[bool] = True

    def load_rulebook(self, rulebook_id: str) -> UltimateRulebook:
        return load_rulebook(rulebook_id)

    def approved_terms(self) -> tuple[ApprovedTerm, ...]:
        return APPROVED_TERMS

    def approved_rulebook(self, rulebook_id: str, approval: Any) -> UltimateRulebook:
        return approved_rulebook(rulebook_id, approval)

    def approved_values(self, terms: Terms) -> Mapping[str, TermValue]:
        return approved_values(_own(terms))

    def paytable_ways(self, terms: Terms, key: str) -> PaytableWays | None:
        return paytable_ways(_own(terms), key)

    def procedure_rules_of(self, rulebook: Rulebook) -> ProcedureRules:
        return procedure_rules_of(rulebook)

    def read_options(self, rulebook: Rulebook, given: Mapping[str, Any]) -> UltimateTerms:
        assert isinstance(rulebook, UltimateRulebook)
        return read_options(rulebook, given)

    def deal(self, terms: Terms) -> Deal:
        return Deal(decks=terms.decks, hands=_HANDS, each=HOLE_CARDS)

    def points(self, terms: Terms) -> tuple[Point, ...]:
        return _own(terms).points

    def shows_no_cards(self, terms: Terms, wagers: Mapping[str, int], decision: str) -> bool:
        own = _own(terms)
        return decision in own.times and sheet.depends_on_no_card(own, wagers, decision)

    def read_sheet(self, data: str | bytes | Mapping[str, Any]) -> sheet.Sheet:
        return sheet.read_sheet(data)

    def read_recorded_sheet(self, document: Mapping[str, Any]) -> sheet.Sheet:
        return sheet.read_recorded_sheet(document)

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
        bank = sheet.read_hand(hands[_BANK_HAND], _BANK_HAND, HOLE_CARDS)
        board = sheet.read_hand(hands[_BOARD], _BOARD, BOARD_CARDS)
        return format_result(bank, board, _own(terms))

    def most_owed(self, placed: BetPosition, terms: Terms) -> int:
        return most_owed(placed, _own(terms))

    def even_money(self, placed: Sequence[BetPosition], terms: Terms) -> int:
        return sum(even_money(position, _own(terms)) for position in placed)

    def odds_on(self, terms: Terms, situation: Situation | None = None) -> list[OddsRow]:
        return odds.odds_on(_own(terms), situation)

    def odds_of(self, rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
        return odds.odds_of(rulebook_id, situation)

    def paytables(self, terms: Terms, wager: str) -> tuple[PostedTable, ...]:  # works no odds out
        return posted_tables(_own(terms), wager)

    def placard(self, terms: Terms, situation: Situation | None = None) -> GamePlacard:
        return game_placard_of(_own(terms), situation)

    def draw_bet(
        self, chance: Random, terms: Terms, taste: Taste, limits: tuple[int, int | None]
    ) -> DrawnBet:
        return drawing.draw_bet(chance, _own(terms), taste, limits)

    def draw_play(
        self, chance: Random, terms: Terms, bets: Sequence[Mapping[str, Any]], *, slips: int = 0
    ) -> tuple[dict[str, str], list[dict[str, Any]]]:
        return drawing.draw_play(chance, _own(terms), bets, slips=slips)


def _own(terms: Terms) -> UltimateTerms:
    assert isinstance(terms, UltimateTerms)
    return terms
