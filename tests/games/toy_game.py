"""High Card Duel, a game for tests: one card each, the higher rank wins even money; on equal ranks the ante goes back.

Written by docs/recipes/add-a-game.md, in one module instead of a folder. A side wager pays 10 to 1 on equal ranks.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

from games.bet_forms import BetForm, BetsForm
from games.bets import BetPosition, Bets, check_together, read_bank, read_places, read_player, read_positions
from games.cards import CARD_NUMBERS, CARD_TEXTS, DECK, RANK_OF
from games.claims import Verdict, claim
from games.fields import read_cents, read_seat
from games.game import BANK, Deal, DrawnBet, Game, TableHand, Taste
from games.money import parse_odds, payout_cents
from games.odds import OddsRow, Situation
from games.placard import GamePlacard
from games.procedures.rules import ProcedureRules
from games.refusal import Refusal
from games.result import positions_in_order, result_of
from games.rulebook import CardRule, Document, MayBank, Rulebook, WagerRule
from games.settlement import LOSE, PUSH, WIN, RoundResult
from games.sheet_json import Reader
from games.terms import Terms, option_rule

BOOK = Rulebook(
    game="toy",
    id="toy",
    name="High Card Duel",
    document=Document("High Card Duel", "nobody", "nowhere", date(2026, 1, 1)),
    banked_by="player",
    seats=5,
    rotation="two_rounds",
    rotation_clause=None,
    renewal_clause=None,
    max_positions=1,
    positions_adjacent=False,
    seat_order="clockwise_from_action",
    coverage="gross",
    wagers={
        "duel": WagerRule("duel", "Duel", "1", "nothing"),
        "equal": WagerRule("equal", "Equal", "2", "duel"),
    },
    main=frozenset({"duel"}),
    action=frozenset({"duel"}),
    offered=frozenset({"duel", "equal"}),
    placed=frozenset({"duel", "equal"}),
    needs={"duel": "nothing", "equal": "duel"},
    tip_spots=frozenset(),
    tip_clause="3",
    options={},
    default_options=MappingProxyType({}),
    meter=None,
    fee_schedules=(),
    clauses={},
    full_clauses={"bank": dict.fromkeys(("uncovered", "short", "capped"), "toy:4")},
    void_reasons=(),
    published=(),
    approval=None,
    sources={},
    direction="clockwise",
    named_start=False,
    back_line=0,
    least_bank_cents=None,
    cards=CardRule(),
    may_bank=MayBank(),
)
_EVEN, _TEN = parse_odds("1:1"), parse_odds("10:1")


class PositionForm(BetForm, kw_only=True):
    card: str

    def count_keys(self) -> int:
        return 1 + super().count_keys()


class SheetForm(BetsForm, kw_only=True):
    bank_card: str
    positions: Sequence[PositionForm]

    def count_keys(self) -> int:
        return 1 + super().count_keys()


class Position(BetPosition, frozen=True):
    card: int


class Sheet(Bets, frozen=True):
    positions: tuple[Position, ...]
    bank_card: int

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "bank_card": CARD_TEXTS[self.bank_card]}


class HighCardDuel(Game):
    id: ClassVar[str] = "toy"
    name: ClassVar[str] = "High Card Duel"
    rulebooks: ClassVar[tuple[str, ...]] = ("toy",)

    def load_rulebook(self, rulebook_id: str) -> Rulebook:
        return BOOK

    def procedure_rules_of(self, rulebook: Rulebook) -> ProcedureRules:
        raise KeyError(rulebook.id)

    def read_options(self, rulebook: Rulebook, given: Mapping[str, Any]) -> Terms:
        for name in given:
            option_rule(rulebook, name, given[name], ())
        return Terms(rulebook, {})

    def deal(self, terms: Terms) -> Deal:
        return Deal(decks=1, hands=(TableHand("bank_card", "The bank's card", 1, 1, BANK),), each=1)

    def read_sheet(self, data: str | bytes | Mapping[str, Any]) -> Sheet:
        form = Reader(SheetForm).read(data)
        terms = self.read_options(BOOK, form.options or {})
        positions = read_positions(terms, form.positions, _position)
        bank = read_bank(BOOK, form.bank)
        check_together(terms, bank, positions, None)
        return Sheet(terms, bank, *read_places(BOOK, form), positions, _card(form.bank_card, "bank_card"))

    def read_recorded_sheet(self, document: Mapping[str, Any]) -> Sheet:
        return self.read_sheet(document)

    def read_bets(self, data: str | bytes | Mapping[str, Any]) -> Bets:
        form = Reader(BetsForm).read(data)
        terms = self.read_options(BOOK, form.options or {})
        positions = read_positions(terms, form.positions, _bet)
        return Bets(terms, read_bank(BOOK, form.bank), *read_places(BOOK, form), positions)

    def check_wagers(
        self, rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
    ) -> BetPosition:
        return _bet(self.read_options(BOOK, options or {}), Reader(BetForm).read_value(position))

    def settle_wagers(self, round_sheet: Bets) -> RoundResult:
        assert isinstance(round_sheet, Sheet)
        hands = []
        for position in positions_in_order(round_sheet, round_sheet.positions):
            mine, banks = RANK_OF[position.card], RANK_OF[round_sheet.bank_card]
            lines = []
            for wager, stake in position.wagers.items():
                verdict = _verdict(wager, mine, banks)
                owed = 0 if verdict.odds is None else payout_cents(stake, verdict.odds)
                lines.append(claim(position, wager, stake, owed, verdict))
            hands.append(lines)
        return result_of(round_sheet, hands, qualified=True, on_the_hand=BOOK.placed)

    def most_owed(self, placed: BetPosition, terms: Terms) -> int:
        return max(placed.wagers["duel"], 10 * placed.wagers.get("equal", 0))

    def odds_on(self, terms: Terms, situation: Situation | None = None) -> list[OddsRow]:
        equal = Fraction(3, 51)
        return [
            OddsRow("toy", "duel", None, Fraction(0), (1 - equal) / 2),
            OddsRow("toy", "equal", None, 1 - 11 * equal, equal),
        ]

    def odds_of(self, rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
        return self.odds_on(Terms(BOOK, {}), situation)

    def placard(self, terms: Terms, situation: Situation | None = None) -> GamePlacard:
        return GamePlacard(BOOK, terms, (), "toy:1", (), (), (), (), ())

    def draw_bet(
        self, chance: Random, terms: Terms, taste: Taste, limits: tuple[int, int | None]
    ) -> DrawnBet:
        return DrawnBet({"duel": taste.main_cents}, {})

    def draw_play(
        self, chance: Random, terms: Terms, bets: Sequence[Mapping[str, Any]], *, slips: int = 0
    ) -> tuple[dict[str, str], list[dict[str, Any]]]:
        bank, *cards = (CARD_TEXTS[card] for card in chance.sample(DECK, len(bets) + 1))
        return {"bank_card": bank}, [
            {"seat": bet["seat"], "card": card} for bet, card in zip(bets, cards, strict=True)
        ]


def _card(text: str, path: str) -> int:
    if text not in CARD_NUMBERS:
        raise Refusal("bad_card", path, f"{text!r} is no card.")
    return CARD_NUMBERS[text]


def _bet(terms: Terms, form: BetForm) -> BetPosition:
    seat = read_seat(form.seat, BOOK.seats, "seat")
    wagers = {}
    for wager, cents in form.wagers.items():
        if wager not in terms.placed:
            raise Refusal("unknown_key", f"wagers.{wager}", f"{wager!r} is no wager of this game.")
        wagers[wager] = read_cents(cents, "wagers", wager)
    if "duel" not in wagers:
        raise Refusal("no_wager", "wagers", "place a duel.")
    return BetPosition(seat, read_player(form.player, seat), wagers, {})


def _position(terms: Terms, form: PositionForm) -> Position:
    bet = _bet(terms, form)
    return Position(bet.seat, bet.player, bet.wagers, bet.tips, _card(form.card, "card"))


def _verdict(wager: str, mine: int, banks: int) -> Verdict:
    if wager == "equal":
        outcome, odds = (WIN, _TEN) if mine == banks else (LOSE, None)
        return Verdict(outcome, odds, "toy:2", "ranks compared")
    if mine == banks:
        return Verdict(PUSH, None, "toy:1", "equal ranks")
    outcome, odds = (WIN, _EVEN) if mine > banks else (LOSE, None)
    return Verdict(outcome, odds, "toy:1", "the higher card wins")
