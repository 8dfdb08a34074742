"""Three Card Poker's implementation of the interface of games (`games.game.Game`)."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from games.approval import ApprovedTerm, PaytableWays, TermValue
from games.bets import BetPosition, Bets
from games.game import BANK, Deal, DrawnBet, Game, TableHand, Taste
from games.odds import OddsRow, Situation
from games.option_words import OptionWords
from games.phrases import Phrase
from games.placard import GamePlacard, PostedTable
from games.points import Decision, Point
from games.procedures.rules import ProcedureRules
from games.rulebook import Rulebook
from games.settlement import RoundResult
from games.terms import Terms
from games.three_card_poker import drawing, sheet
from games.three_card_poker.approval import TERMS as APPROVED_TERMS
from games.three_card_poker.approval import approved_rulebook
from games.three_card_poker.approved_values import approved_values, paytable_ways
from games.three_card_poker.exposure import even_money, most_owed
from games.three_card_poker.odds import listing
from games.three_card_poker.option_words import OPTION_WORDS
from games.three_card_poker.placard.content import placard_content_of
from games.three_card_poker.placard.game_placard import game_placard_of
from games.three_card_poker.placard.wagers import posted_tables
from games.three_card_poker.positions import depends_on_no_card
from games.three_card_poker.rulebook import (
    GAME_ID,
    RULEBOOKS,
    ThreeCardRulebook,
    load_rulebook,
    procedure_rules_of,
)
from games.three_card_poker.settle import settle_wagers
from games.three_card_poker.terms import ThreeCardTerms, read_options
from games.three_card_poker.words import SENTENCES

CARDS = 3

_BANK_HAND = TableHand("bank_hand", Phrase("The bank's cards"), CARDS, CARDS, BANK)
_DECISIONS = {
    "play": Decision("play", Phrase("Play")),
    "fold": Decision("fold", Phrase("Fold"), gives_up=True),
    "surrender": Decision("surrender", Phrase("Surrender"), gives_up=True),
}


class ThreeCardPoker(Game):
    """Three cards each against three of the bank; the ante is played on or given up."""

    id: ClassVar[str] = GAME_ID
    name: ClassVar[str] = "Three Card Poker"
    rulebooks: ClassVar[tuple[str, ...]] = RULEBOOKS
    sentences: ClassVar[tuple[Phrase, ...]] = SENTENCES
    option_words: ClassVar[OptionWords] = OPTION_WORDS
    bank_qualifies: ClassVar[bool] = True

    def load_rulebook(self, rulebook_id: str) -> ThreeCardRulebook:
        return load_rulebook(rulebook_id)

    def approved_terms(self) -> tuple[ApprovedTerm, ...]:
        return APPROVED_TERMS

    def approved_rulebook(self, rulebook_id: str, approval: Any) -> ThreeCardRulebook:
        return approved_rulebook(rulebook_id, approval)

    def approved_values(self, terms: Terms) -> Mapping[str, TermValue]:
        return approved_values(_own(terms))

    def paytable_ways(self, terms: Terms, key: str) -> PaytableWays | None:
        return paytable_ways(_own(terms), key)

    def procedure_rules_of(self, rulebook: Rulebook) -> ProcedureRules:
        return procedure_rules_of(rulebook)

    def read_options(self, rulebook: Rulebook, given: Mapping[str, Any]) -> ThreeCardTerms:
        assert isinstance(rulebook, ThreeCardRulebook)
        return read_options(rulebook, given)

    def deal(self, terms: Terms) -> Deal:
        shown = "bank_card" in procedure_rules_of(terms.rulebook).calls
        return Deal(decks=terms.decks, hands=(_BANK_HAND,), each=CARDS, shown=shown)

    def points(self, terms: Terms) -> tuple[Point, ...]:
        decisions = tuple(_DECISIONS[name] for name in _own(terms).rulebook.decisions)
        return (Point("deal", Phrase("After the deal"), decisions),)

    def shows_no_cards(self, terms: Terms, wagers: Mapping[str, int], decision: str) -> bool:
        own = _own(terms)
        return decision in own.rulebook.decisions and depends_on_no_card(own, wagers, decision)

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

    def most_owed(self, placed: BetPosition, terms: Terms) -> int:
        return most_owed(placed, _own(terms))

    def even_money(self, placed: Sequence[BetPosition], terms: Terms) -> int:
        return sum(even_money(position, _own(terms)) for position in placed)

    def odds_on(self, terms: Terms, situation: Situation | None = None) -> list[OddsRow]:
        return listing.odds_on(_own(terms), situation)

    def odds_of(self, rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
        return listing.odds_of(rulebook_id, situation)

    def main_wager_with_fees(self, terms: Terms, schedule: int, *, cents: int, action_cents: int) -> OddsRow:
        return listing.ante_with_fees(_own(terms), schedule, ante_cents=cents, action_cents=action_cents)

    def paytables(self, terms: Terms, wager: str) -> tuple[PostedTable, ...]:  # works no odds out
        return posted_tables(_own(terms), wager)

    def placard(self, terms: Terms, situation: Situation | None = None) -> GamePlacard:
        return game_placard_of(_own(terms), situation)

    def rake_clause(self, rulebook: Rulebook, mode: str) -> str:
        assert isinstance(rulebook, ThreeCardRulebook)
        return placard_content_of(rulebook).rake[mode]

    def draw_bet(
        self, chance: Random, terms: Terms, taste: Taste, limits: tuple[int, int | None]
    ) -> DrawnBet:
        return drawing.draw_bet(chance, _own(terms), taste, limits)

    def draw_play(
        self, chance: Random, terms: Terms, bets: Sequence[Mapping[str, Any]], *, slips: int = 0
    ) -> tuple[dict[str, str], list[dict[str, Any]]]:
        return drawing.draw_play(chance, bets, slips=slips)


def _own(terms: Terms) -> ThreeCardTerms:
    assert isinstance(terms, ThreeCardTerms)
    return terms
