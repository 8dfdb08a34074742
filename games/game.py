"""The interface of a game (`Game`): its rules, its layout, its deal, how a round settles, and what a table posts.

A game is a folder under `games/` with a subclass of `Game` in `game.py`, listed in `games.registry`. Cover, fees, transfers,
rotation, journal and reports are the same for every game and ask nothing else.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, NamedTuple

from games.approval import APPROVAL, ApprovedTerm, PaytableWays, TermValue
from games.approved_values import common_values
from games.bets import BetPosition, Bets
from games.cards import CARD_NUMBERS, DECK
from games.counts import Count
from games.odds import OddsRow, Situation
from games.option_words import COMMON, OptionWords
from games.phrases import Phrase
from games.placard import GamePlacard, PostedTable
from games.points import Decision, Point, decision_paths
from games.procedures.rules import ProcedureRules
from games.ran_out import Laid, RanOut
from games.refusal import Refusal
from games.rulebook import Rulebook
from games.settlement import RoundResult
from games.terms import Terms, takes_no_approval

#: What a hand of the table is: the bank's own, cards that belong to all, or a side on which positions wager.
BANK, BOARD, SIDE = ROLES = ("bank", "board", "side")


class TableHand(NamedTuple):
    """A hand that lies before no position: its key in the round sheet, its label, the least and most cards it has.

    `role` is one of ROLES; `name` is what its wager is called, where it has one: it is shown beside its cards and its points.
    """

    id: str
    label: str
    least: int
    most: int
    role: str
    name: str = ""

    @property
    def lies_apart(self) -> bool:
        """Whether it lies in the middle of the felt, before neither a position nor the bank."""
        return self.role != BANK


class Deal(NamedTuple):
    """How cards are dealt: decks in play (of `Terms.decks`), the hands of the table, the cards of each position.

    `each` is 0 where positions have no cards of their own, and `hands` are empty too where none are recorded. `shown`: a
    card of the bank is exposed before anybody decides. `counted_by`: what the table's hands are compared by, where that is a
    count of points. `jokers` are in each deck.
    """

    decks: int
    hands: tuple[TableHand, ...]
    each: int
    shown: bool = False
    counted_by: Count | None = None
    jokers: int = 0

    @property
    def cards(self) -> int:
        """All cards of the decks in play, with the jokers in each."""
        return self.decks * (len(DECK) + self.jokers)

    @property
    def board(self) -> TableHand | None:
        """The hand that belongs to all, where there is one."""
        return next((hand for hand in self.hands if hand.role == BOARD), None)

    @property
    def bank_hand(self) -> TableHand | None:
        """The bank's own hand, where it has one."""
        return next((hand for hand in self.hands if hand.role == BANK), None)

    def points(self, hand: str) -> int | None:
        """What the cards of a hand count ("Ah Td 2c"), all of it there or not; None where hands are not counted."""
        if self.counted_by is None:
            return None
        return self.counted_by.of_cards(CARD_NUMBERS[card] for card in hand.split())

    def on_table(self, positions: int) -> int | None:
        """The cards out of the deck once all have theirs; None where somebody has to count them.

        Hands vary in size, or are not recorded; or a shoe of several decks is dealt over rounds.
        """
        if self.decks > 1 or not self.hands or any(hand.least != hand.most for hand in self.hands):
            return None
        return self.each * positions + sum(hand.most for hand in self.hands)


class DrawnBet(NamedTuple):
    """What a simulated player places, in cents by spot."""

    wagers: dict[str, int]
    tips: dict[str, int]


class Taste(NamedTuple):
    """What a simulated player likes: the usual main wager in cents, and chances out of 100 of side wagers and of a tip."""

    main_cents: int
    side_wagers: tuple[int, ...]
    tips: int


class Game(ABC):
    """One game.

    `rulebooks` are the ids of its rulebooks, which no other game has; `option_words` says what their options are called.
    `records_cards`: a table records its hands, and may do so; else wagers and fees alone, and the room settles by eye.
    `from_filing`: its name, seats and wagers are in the options of a filing, and without one it has none.
    `bank_qualifies`: the bank has a hand, which qualifies or does not.
    `sentences` are the templates of its settlement's reasons, beside those of `games.words`: stored in English, they are found
    again by their templates in another language.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    rulebooks: ClassVar[tuple[str, ...]]
    option_words: ClassVar[OptionWords] = COMMON
    records_cards: ClassVar[bool] = True
    from_filing: ClassVar[bool] = False
    bank_qualifies: ClassVar[bool] = False
    sentences: ClassVar[tuple[Phrase, ...]] = ()

    # -- rules

    @abstractmethod
    def load_rulebook(self, rulebook_id: str) -> Rulebook:
        """A rulebook of the game; KeyError when there is none, DataFileError when its file is invalid."""

    @abstractmethod
    def procedure_rules_of(self, rulebook: Rulebook) -> ProcedureRules:
        """The procedures of a rulebook besides the money, as its approval has them; errors as `load_rulebook`."""

    @abstractmethod
    def read_options(self, rulebook: Rulebook, given: Mapping[str, Any]) -> Terms:
        """The room's options, checked and put in; Refusal `unknown_option` or `bad_option`, path `options.X`."""

    def first_options(self) -> dict[str, Any]:
        """The options of a first draft, for people to write on."""
        return {}

    def approved_terms(self) -> tuple[ApprovedTerm, ...]:
        """What an approval of the game may say, in the order in which the whole is shown; empty: nothing."""
        return ()

    def approved_rulebook(self, rulebook_id: str, approval: Any) -> Rulebook:
        """The rulebook with a room's approval put in; Refusal with the path inside the approval (`games.approval`)."""
        raise takes_no_approval(rulebook_id)

    def approved_values(self, terms: Terms) -> Mapping[str, TermValue]:
        """What holds of each approved term on these terms, by key; left out is what there is nothing of.

        A game with terms of its own adds theirs: a paytable as odds by hand (texts), the best hand first.
        """
        return common_values(terms, self.procedure_rules_of(terms.rulebook), self.approved_terms())

    def paytable_ways(self, terms: Terms, key: str) -> PaytableWays | None:
        """How often the hands of the paytable of a term come; None where the game does not count them."""
        return None

    def rulebook_with(self, rulebook_id: str, options: Mapping[str, Any]) -> Rulebook:
        """The rulebook as these options have it: with the approval in them; a game `from_filing` overrides this.

        Other options are not looked at. Refusal as `read_options`.
        """
        if APPROVAL not in options:
            return self.load_rulebook(rulebook_id)
        try:
            return self.approved_rulebook(rulebook_id, options[APPROVAL])
        except Refusal as refusal:
            raise refusal.under(f"options.{APPROVAL}") from None

    # -- the deal

    @abstractmethod
    def deal(self, terms: Terms) -> Deal:
        """How cards are dealt on these terms."""

    def points(self, terms: Terms) -> tuple[Point, ...]:
        """The points of the round at which positions decide, in their order; empty where there is nothing to decide."""
        return ()

    def decisions(self, terms: Terms) -> tuple[Decision, ...]:
        """What a position may decide in a round, the usual decision first: the paths over its points.

        One whose label another has too is labelled as it is called where the point is not said.
        """
        paths = tuple(decision_paths(self.points(terms)))
        labels = [path.label for path in paths]
        return tuple(
            path if labels.count(path.label) == 1 else path._replace(label=path.called) for path in paths
        )

    def given_up(self, terms: Terms) -> frozenset[str]:
        """The decisions that end a hand, by id."""
        return frozenset(decision.id for decision in self.decisions(terms) if decision.gives_up)

    def shows_no_cards(self, terms: Terms, wagers: Mapping[str, int], decision: str) -> bool:
        """Whether a position with these wagers and this decision may stay unexposed: no wager depends on its cards."""
        return False

    # -- round sheets

    @abstractmethod
    def read_sheet(self, data: str | bytes | Mapping[str, Any]) -> Bets:
        """A whole round; Refusal for anything that the rules do not allow."""

    @abstractmethod
    def read_recorded_sheet(self, document: Mapping[str, Any]) -> Bets:
        """A whole round as a table records it: what the game leaves unseen may be null."""

    @abstractmethod
    def read_bets(self, data: str | bytes | Mapping[str, Any]) -> Bets:
        """The sheet at "no more bets"."""

    @abstractmethod
    def check_wagers(
        self, rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
    ) -> BetPosition:
        """One seat's wagers while betting is open."""

    # -- settlement

    @abstractmethod
    def settle_wagers(self, round_sheet: Bets) -> RoundResult:
        """The wagers of a whole round settled, without fees."""

    def format_result(self, terms: Terms, hands: Mapping[str, str]) -> str:
        """What the hands of the table came to, by their keys, as a dealer calls it: "Player 6, Banker 6: tie".

        Empty where they are nothing of their own, and what matters is how each position's hand compares.
        """
        return ""

    @abstractmethod
    def most_owed(self, placed: BetPosition, terms: Terms) -> int | None:
        """The most in cents that any deal and decision can bring a position, tips that may follow included.

        None where payouts are not on record: then nobody can say what the bank faces.
        """

    def even_money(self, placed: Sequence[BetPosition], terms: Terms) -> int | None:
        """What the bank pays in cents when the main wagers win at 1 to 1, with what follows them and the tips beside them.

        Of wagers that cannot all win, those that cost most. None where payouts are not on record. A game that
        answers tells `most_owed` of positions without main wagers too: what its bonus wagers may cost is asked apart.
        """
        return None

    # -- odds and placard

    @abstractmethod
    def odds_on(self, terms: Terms, situation: Situation | None = None) -> list[OddsRow]:
        """Exact odds of every wager on these terms."""

    @abstractmethod
    def odds_of(self, rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
        """Exact odds of every wager of a rulebook on every table it prints."""

    def main_wager_with_fees(self, terms: Terms, schedule: int, *, cents: int, action_cents: int) -> OddsRow:
        """The main wager as its player meets it under a printed fee schedule.

        KeyError when the rulebook has no such schedule; ValueError for an amount outside it.
        """
        raise KeyError(f"{terms.rulebook.id} prints no fee schedule {schedule}: a room files its own")

    def paytables(self, terms: Terms, wager: str) -> tuple[PostedTable, ...]:
        """The paytables of one wager as the placard posts them; empty where it has none."""
        posted = (each for each in self.placard(terms).wagers if each.id == wager)
        return next((each.tables for each in posted), ())

    @abstractmethod
    def placard(self, terms: Terms, situation: Situation | None = None) -> GamePlacard:
        """Everything that a table posts about the game on these terms."""

    def rake_clause(self, rulebook: Rulebook, mode: str) -> str:
        """The full id of the clause that allows a house rake of this mode."""
        raise KeyError(f"{rulebook.id} knows no house rake")

    # -- simulated play

    @abstractmethod
    def draw_bet(
        self, chance: Random, terms: Terms, taste: Taste, limits: tuple[int, int | None]
    ) -> DrawnBet:
        """What a simulated player places within the limits of the main wager, in cents."""

    @abstractmethod
    def draw_play(
        self, chance: Random, terms: Terms, bets: Sequence[Mapping[str, Any]], *, slips: int = 0
    ) -> tuple[dict[str, str], list[dict[str, Any]]]:
        """Deal from a shuffled shoe and decide as players do: the table's hands by key, and a result for each bet.

        One decision in `slips` goes against a player's better knowledge; none with 0.
        """

    def draw_later_bets(
        self, chance: Random, terms: Terms, bets: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """What simulated players place after the deal at a game that is not carded: `{"seat", "behind", "wagers"}`, in cents."""
        return []

    def draw_ran_out(
        self, chance: Random, terms: Terms, laid: Sequence[Laid], bank_cents: int
    ) -> RanOut | None:
        """Where a bank of so many cents runs out in a round that is settled by eye; None where it covers all.

        `laid` are the wagers in the order of settlement.
        """
        return None
