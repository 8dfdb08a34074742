"""High Card Duel, a game for tests: one card each of six decks, the higher rank wins even money; on equal ranks the duel goes back.

Written by docs/recipes/add-a-game.md, in one module instead of a folder. A side wager pays 10 to 1 on equal ranks. Positions
have cards and decide nothing. `register` puts it, or another game, into the registry for one test.
"""

import sys
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

import pytest

from games import registry
from games.bet_forms import BetForm, BetsForm
from games.bets import BetPosition, Bets, check_together, read_bank, read_places, read_player, read_positions
from games.cards import CARD_TEXTS, DECK, RANK_OF, hand_text
from games.claims import Verdict, claim
from games.dealt import check_dealt, read_cards
from games.fields import read_cents, read_seat
from games.game import BANK, Deal, DrawnBet, Game, TableHand, Taste
from games.jurisdictions import CALIFORNIA, Jurisdiction
from games.money import parse_odds, payout_cents
from games.notices import Notice
from games.odds import OddsRow, Situation
from games.placard import GamePlacard, PostedWager, Section
from games.procedures.placard import deck_rules
from games.procedures.rules import ProcedureRules, read_procedure_rules
from games.refusal import Refusal
from games.result import positions_in_order, result_of
from games.rulebook import CardRule, Document, MayBank, Rulebook, VoidReason, WagerRule
from games.settlement import LOSE, PUSH, WIN, RoundResult
from games.sheet_json import Reader
from games.terms import Terms, read_choices

BOOK = Rulebook(
    game="toy",
    id="toy",
    name="High Card Duel",
    document=Document("High Card Duel", "nobody", "nowhere", date(2026, 1, 1)),
    banked_by="player",
    seats=5,
    rotation="two_rounds",
    rotation_clause="4",
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
    void_reasons=(VoidReason("wrong_number_of_cards", "Wrong number of cards dealt", "5"),),
    published=(),
    approval=None,
    sources={},
    direction="clockwise",
    named_start=False,
    back_line=0,
    least_bank_cents=None,
    cards=CardRule(decks=(6, 6)),
    may_bank=MayBank(),
)
_PROCEDURES = Path(__file__).with_name("toy_procedures.toml")
_EVEN, _TEN = parse_odds("1:1"), parse_odds("10:1")


class PositionForm(BetForm, kw_only=True):
    hand: str

    def count_keys(self) -> int:
        return 1 + super().count_keys()


class SheetForm(BetsForm, kw_only=True):
    bank_hand: str
    positions: Sequence[PositionForm]

    def count_keys(self) -> int:
        return 1 + super().count_keys()


class Position(BetPosition, frozen=True):
    hand: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "hand": hand_text(self.hand)}


class Sheet(Bets, frozen=True):
    positions: tuple[Position, ...]
    bank_hand: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "bank_hand": hand_text(self.bank_hand)}


class HighCardDuel(Game):
    id: ClassVar[str] = "toy"
    name: ClassVar[str] = "High Card Duel"
    rulebooks: ClassVar[tuple[str, ...]] = ("toy",)

    def load_rulebook(self, rulebook_id: str) -> Rulebook:
        return BOOK

    def procedure_rules_of(self, rulebook: Rulebook) -> ProcedureRules:
        return _procedure_rules()

    def read_options(self, rulebook: Rulebook, given: Mapping[str, Any]) -> Terms:
        return Terms(rulebook, read_choices(rulebook, given, ()))

    def deal(self, terms: Terms) -> Deal:
        return Deal(
            decks=terms.decks, hands=(TableHand("bank_hand", "The bank's cards", 1, 1, BANK),), each=1
        )

    def read_sheet(self, data: str | bytes | Mapping[str, Any]) -> Sheet:
        form = Reader(SheetForm).read(data)
        terms = self.read_options(BOOK, form.options or {})
        positions = read_positions(terms, form.positions, _position)
        bank = read_bank(BOOK, form.bank)
        check_together(terms, bank, positions, None)
        bank_hand = _card(form.bank_hand, "bank_hand")
        check_dealt([("bank_hand", bank_hand)], positions, decks=terms.decks)
        return Sheet(terms, bank, *read_places(BOOK, form), positions, bank_hand)

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
            mine, banks = RANK_OF[position.hand[0]], RANK_OF[round_sheet.bank_hand[0]]
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
        equal = Fraction(4 * terms.decks - 1, 52 * terms.decks - 1)
        return [
            OddsRow("toy", "duel", None, Fraction(0), (1 - equal) / 2),
            OddsRow("toy", "equal", None, 1 - 11 * equal, equal),
        ]

    def odds_of(self, rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
        return self.odds_on(Terms(BOOK, {}), situation)

    def placard(self, terms: Terms, situation: Situation | None = None) -> GamePlacard:
        wagers = tuple(
            PostedWager(
                id=rule.id,
                name=rule.name,
                spot=rule.name.upper(),
                clause=BOOK.clause_id(rule.clause),
                text=(Notice("The higher card wins.", "toy:1"),),
                tables=(),
                odds=tuple(row for row in self.odds_on(terms) if row.wager == rule.id),
            )
            for rule in BOOK.wagers.values()
        )
        titles = ("cards", "seats", "round", "order", "bank")
        sections = tuple(Section(each, each.capitalize(), ()) for each in titles)
        decks = Section("decks", "Decks", tuple(deck_rules(_procedure_rules())))
        return GamePlacard(BOOK, terms, wagers, "toy:1", (), sections, (decks,), (), ())

    def draw_bet(
        self, chance: Random, terms: Terms, taste: Taste, limits: tuple[int, int | None]
    ) -> DrawnBet:
        return DrawnBet({"duel": taste.main_cents}, {})

    def draw_play(
        self, chance: Random, terms: Terms, bets: Sequence[Mapping[str, Any]], *, slips: int = 0
    ) -> tuple[dict[str, str], list[dict[str, Any]]]:
        shoe = [CARD_TEXTS[card] for card in DECK for _ in range(terms.decks)]
        bank, *cards = chance.sample(shoe, len(bets) + 1)
        return {"bank_hand": bank}, [
            {"seat": bet["seat"], "hand": card} for bet, card in zip(bets, cards, strict=True)
        ]


def register(monkeypatch: pytest.MonkeyPatch, game: Game | None = None) -> None:
    """Put a game into the registry and into California's permissions, for one test."""
    game = HighCardDuel() if game is None else game
    by_rulebook = MappingProxyType({**registry.GAME_OF_RULEBOOK, **dict.fromkeys(game.rulebooks, game)})
    now = {
        "GAMES": (*registry.GAMES, game),
        "GAME_OF_RULEBOOK": by_rulebook,
        "RULEBOOKS": tuple(by_rulebook),
        "WITH_RULES": (*registry.WITH_RULES, *game.rulebooks),
    }
    before = {name: getattr(registry, name) for name in now}
    for module in [each for name, each in sys.modules.items() if name.startswith(("games.", "cardroom."))]:
        for name, value in before.items():
            if getattr(module, name, None) is value:
                monkeypatch.setattr(module, name, now[name])
    permits = Jurisdiction.permits

    def permits_it(self: Jurisdiction, rulebook: str, day: date | None = None) -> bool:
        return permits(self, rulebook, day) or (self.id == CALIFORNIA and rulebook in game.rulebooks)

    monkeypatch.setattr(Jurisdiction, "permits", permits_it)


@cache
def _procedure_rules() -> ProcedureRules:
    return read_procedure_rules(_PROCEDURES, BOOK)


def _card(text: str, path: str) -> tuple[int, ...]:
    cards = read_cards(text, path)
    if len(cards) != 1:
        raise Refusal("hand_size", path, f"a hand is one card, this one {len(cards)}.")
    return cards


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
    return Position(bet.seat, bet.player, bet.wagers, bet.tips, _card(form.hand, "hand"))


def _verdict(wager: str, mine: int, banks: int) -> Verdict:
    if wager == "equal":
        outcome, odds = (WIN, _TEN) if mine == banks else (LOSE, None)
        return Verdict(outcome, odds, "toy:2", "ranks compared")
    if mine == banks:
        return Verdict(PUSH, None, "toy:1", "equal ranks")
    outcome, odds = (WIN, _EVEN) if mine > banks else (LOSE, None)
    return Verdict(outcome, odds, "toy:1", "the higher card wins")
