"""The round sheet of Ultimate Texas Hold'em: wagers, two cards and a decision of each position, the bank's two, the board.

A decision is the path over the points of the round: `4x`, `check 2x`, `check check 1x`, `check check fold`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from games.bet_forms import Amounts, BetForm, BetsForm, DealtForm, RecordedDealtForm
from games.bets import (
    BetPosition,
    Bets,
    check_action_seat,
    check_rulebook,
    fill_equal,
    read_placed,
    read_player,
    read_tips,
)
from games.cards import hand_text
from games.dealt import check_dealt, check_decided, read_cards
from games.fields import read_cents, read_seat
from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import Reader, show
from games.ultimate_texas_holdem.rulebook import RULEBOOKS, load_rulebook
from games.ultimate_texas_holdem.terms import UltimateTerms, read_options
from games.ultimate_texas_holdem.wagers import ANTE, PLACED_BEFORE_DEAL, PLAY, WAGER_IDS

HOLE_CARDS, BOARD_CARDS = 2, 5


class RecordedSheetForm(BetsForm, kw_only=True):
    """A sheet of a whole round as a table records it, as msgspec reads it."""

    bank_hand: str
    board: str
    positions: Sequence[RecordedDealtForm]

    def count_keys(self) -> int:
        return 2 + super().count_keys()


class SheetForm(RecordedSheetForm, kw_only=True):
    """A sheet of a whole round."""

    positions: Sequence[DealtForm]


_SHEETS, _RECORDED_SHEETS, _BETS = Reader(SheetForm), Reader(RecordedSheetForm), Reader(BetsForm)
_POSITIONS = Reader(BetForm)


class Position(BetPosition, frozen=True):
    """A position with its two cards and its decision, None where no ante asks for one.

    `hand` is None for a folded hand that was not exposed, on which no wager depends.
    """

    hand: tuple[int, ...] | None
    decision: str | None

    def to_json(self) -> dict[str, Any]:
        """The position as the sheet has it, the player's name spelled out."""
        document = super().to_json()
        document["hand"] = None if self.hand is None else hand_text(self.hand)
        if self.decision is not None:
            document["decision"] = self.decision
        return document


class Sheet(Bets, frozen=True):
    """One whole round: bets, cards and decisions."""

    terms: UltimateTerms
    positions: tuple[Position, ...]
    bank_hand: tuple[int, ...]
    board: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Serialize the sheet, with every option and every player's name spelled out."""
        document = Bets.to_json(self)
        document["bank_hand"], document["board"] = hand_text(self.bank_hand), hand_text(self.board)
        return document


def read_sheet(data: str | bytes | Mapping[str, Any]) -> Sheet:
    """A round sheet from JSON text or from its parsed object; Refusal for anything that the rules do not allow."""
    return _whole_sheet(_SHEETS.read(data))


def read_recorded_sheet(document: Mapping[str, Any]) -> Sheet:
    """A sheet as a table records it, where a folded hand on which no wager depends may be null; Refusal as `read_sheet`."""
    return _whole_sheet(_RECORDED_SHEETS.read(document))


def _whole_sheet(form: RecordedSheetForm) -> Sheet:
    terms = _read_terms(form.rulebook, form.options)
    board = read_hand(form.board, "board", BOARD_CARDS)
    bank_hand = read_hand(form.bank_hand, "bank_hand", HOLE_CARDS)
    bank, action_seat, meter, positions = read_placed(terms, form, form.positions, read_position)
    check_action_seat(terms.rulebook, action_seat)
    check_dealt([("board", board), ("bank_hand", bank_hand)], positions)
    check_decided(positions)
    return Sheet(terms, bank, action_seat, meter, positions, bank_hand, board)


def read_bets(data: str | bytes | Mapping[str, Any]) -> Bets:
    """The sheet at "no more bets": cards and decisions are not yet keys of it."""
    form = _BETS.read(data)
    terms = _read_terms(form.rulebook, form.options)
    return Bets(terms, *read_placed(terms, form, form.positions, read_bet_position))


def check_wagers(
    rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
) -> BetPosition:
    """One position's wagers while betting is open; a refusal's path starts inside the position."""
    terms = _read_terms(rulebook, UNSET if options is None else options)
    return read_bet_position(terms, _POSITIONS.read_value(position))


def read_bet_position(terms: UltimateTerms, form: BetForm) -> BetPosition:
    """One position before the deal; a refusal's path starts inside the position."""
    seat = read_seat(form.seat, terms.rulebook.seats, "seat")
    wagers = _read_wagers(terms, form.wagers)
    return BetPosition(
        seat, read_player(form.player, seat), wagers, _read_tips(terms, form.tips, wagers, None)
    )


def read_position(terms: UltimateTerms, form: RecordedDealtForm) -> Position:
    """One position of a whole round; a refusal's path starts inside the position."""
    seat = read_seat(form.seat, terms.rulebook.seats, "seat")
    wagers = _read_wagers(terms, form.wagers)
    decision = _read_decision(terms, form.decision, wagers)
    tips = _read_tips(terms, form.tips, wagers, decision)
    hand = None if form.hand is None else read_hand(form.hand, "hand", HOLE_CARDS)
    if hand is None and not depends_on_no_card(terms, wagers, decision):
        what = Phrase("the position's two cards must be given: a wager is settled by them.")
        raise Refusal("missing_key", "hand", what)
    return Position(seat, read_player(form.player, seat), wagers, tips, hand, decision)


def read_hand(text: str, path: str, size: int) -> tuple[int, ...]:
    """So many cards separated by blanks; Refusal `bad_card`, `hand_size`, or `duplicate_card` within them."""
    cards = read_cards(text, path)
    if len(cards) != size:
        what = Phrase("{size} cards lie here, not {cards}.", size=size, cards=len(cards))
        raise Refusal("hand_size", path, what)
    if len(set(cards)) != size:
        raise Refusal("duplicate_card", path, Phrase("{text} holds one card twice.", text=show(text)))
    return cards


def depends_on_no_card(terms: UltimateTerms, wagers: Mapping[str, int], decision: str | None) -> bool:
    """Whether every wager of a position is given up by its decision, so that its cards affect no settlement."""
    return decision is not None and not terms.times[decision] and terms.rulebook.forfeits.issuperset(wagers)


def _read_terms(name: str, options: Mapping[str, Any] | UnsetType) -> UltimateTerms:
    check_rulebook(name, RULEBOOKS)
    return read_options(load_rulebook(name), {} if options is UNSET else options)


def _read_wagers(terms: UltimateTerms, given: Amounts) -> dict[str, int]:
    """Cents by wager; the blind is filled in, and each has the wagers that it needs beside it."""
    wagers: dict[str, int] = {}
    for wager, amount in given.items():
        if wager not in terms.placed:
            raise _no_wager_of(terms, wager)
        wagers[wager] = read_cents(amount, "wagers", wager)
    for wager in wagers:
        if ANTE not in wagers and terms.needs[wager] == ANTE:
            what = Phrase(
                "{name} needs a wager on {main} on the same position; add or return.",
                name=terms.rulebook.called(wager),
                main=terms.rulebook.main_name,
            )
            raise Refusal("wager_needs_ante", f"wagers.{wager}", what)
    if not wagers:
        raise Refusal(
            "no_wager", "wagers", Phrase("the position has no wager; place one, or leave the position out.")
        )
    return fill_equal(wagers, terms.rulebook)


def _no_wager_of(terms: UltimateTerms, wager: str) -> Refusal:
    path = f"wagers.{wager}"
    if wager == PLAY:
        return Refusal("unknown_key", path, Phrase("play follows from the decision; leave it out."))
    if wager in PLACED_BEFORE_DEAL:
        what = Phrase(
            "this table does not offer {wager}; return the wager.", wager=terms.rulebook.called(wager)
        )
        return Refusal("wager_not_offered", path, what)
    hint = Phrase("there are {wagers}", wagers=", ".join(sorted(terms.placed)))
    what = Phrase("{wager} is no wager of this game; {hint}.", wager=show(wager), hint=hint)
    return Refusal("unknown_key", path, what)


def _read_decision(terms: UltimateTerms, decision: str | UnsetType, wagers: Mapping[str, int]) -> str | None:
    if decision is UNSET:
        if ANTE in wagers:
            what = Phrase(
                "{wager} asks for {decisions}.", wager=terms.rulebook.main_name, decisions=_allowed(terms)
            )
            raise Refusal("decision_required", "decision", what)
        return None
    if decision not in terms.times:
        what = Phrase(
            "{decision} is no decision of a round; it is {decisions}.",
            decision=show(decision),
            decisions=_allowed(terms),
        )
        raise Refusal("decision_not_allowed", "decision", what)
    if ANTE not in wagers:
        what = Phrase("without {wager} there is nothing to decide.", wager=terms.rulebook.main_name)
        raise Refusal("decision_not_allowed", "decision", what)
    return decision


def _allowed(terms: UltimateTerms) -> str:
    return " or ".join(repr(path) for path in terms.times)


def _read_tips(
    terms: UltimateTerms, given: Amounts | UnsetType, wagers: Mapping[str, int], decision: str | None
) -> dict[str, int]:
    """Cents by spot, each tip beside an own wager (ruling 4); one on play comes with the decision to play."""
    times = 0 if decision is None else terms.times[decision]
    beside = {**wagers, **({PLAY: wagers[ANTE] * times} if times else {})}
    tips = read_tips(given, beside, WAGER_IDS, terms)
    if PLAY in tips and tips[PLAY] > times * tips.get(ANTE, 0):
        called = terms.rulebook.called
        what = Phrase(
            "a tip on {spot} is {times} times that on {base} at most.",
            spot=called(PLAY),
            base=called(ANTE),
            times=times,
        )
        raise Refusal("tip_not_allowed", f"tips.{PLAY}", what)
    return tips
