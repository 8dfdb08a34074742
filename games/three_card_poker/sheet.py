"""The round sheet: all wagers, cards and decisions of one round, to and from JSON.

`read_sheet` takes a whole round, `read_bets` the same document as it stands at "no more bets", and `check_wagers` one
seat of it while betting is open. All three run the same checks and refuse with `Refusal`, whose codes and paths are
those of the sheet's contract: the form first (`games.sheet_json`), then each position (`games.three_card_poker.positions`), then the
checks across positions.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType

from games.cards import CARD_TEXTS, Hand, hand_text
from games.fields import read_cents, read_seat
from games.refusal import Refusal
from games.sheet_json import AnyForm, Reader, show
from games.three_card_poker.hands import read_hand
from games.three_card_poker.positions import (
    BetPosition,
    Position,
    depends_on_no_card,
    read_bet_position,
    read_position,
)
from games.three_card_poker.rulebook import RULEBOOKS, Rulebook, load_rulebook
from games.three_card_poker.sheet_forms import BankForm, BetForm, BetsForm, RecordedSheetForm, SheetForm
from games.three_card_poker.terms import Terms, read_options
from games.three_card_poker.wagers import PROGRESSIVE

_SHEETS, _RECORDED_SHEETS, _BETS = Reader(SheetForm), Reader(RecordedSheetForm), Reader(BetsForm)
_POSITIONS, _BANKS = Reader(BetForm), Reader(BankForm)

AnyPosition = TypeVar("AnyPosition", bound=BetPosition)


class Bank(Struct, frozen=True):
    """The banking player's seat and wager in cents."""

    seat: int
    wager: int


class Bets(Struct, frozen=True):
    """The wagers of a round at "no more bets": no card dealt, no decision made."""

    terms: Terms
    bank: Bank | None
    action_seat: int | None
    meter: int | None
    positions: tuple[BetPosition | Position, ...]

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook the round is played by."""
        return self.terms.rulebook

    @property
    def options(self) -> Mapping[str, Any]:
        """The room's choice for every option of the rulebook."""
        return self.terms.options

    @property
    def total_table_action(self) -> int:
        """The sum of the antes in cents; bonus, play and tip wagers stay out."""
        return sum([position.wagers.get("ante", 0) for position in self.positions])

    def to_json(self) -> dict[str, Any]:
        """Serialize the bets, with every option and every player's name spelled out."""
        document: dict[str, Any] = {"rulebook": self.rulebook.id, "options": self.terms.options}
        if self.bank is not None:
            document["bank"] = {"seat": self.bank.seat, "wager": self.bank.wager}
        if self.action_seat is not None:
            document["action_seat"] = self.action_seat
        if self.meter is not None:
            document["meter"] = self.meter
        document["positions"] = [position.to_json() for position in self.positions]
        return document


class Sheet(Bets, frozen=True):
    """One whole round: bets, cards and decisions. Cards are numbers (`games.cards`)."""

    positions: tuple[Position, ...]
    bank_hand: Hand

    def to_json(self) -> dict[str, Any]:
        """Serialize the sheet, with every option and every player's name spelled out."""
        document = Bets.to_json(self)
        document["bank_hand"] = hand_text(self.bank_hand)
        return document


def read_sheet(data: str | bytes | Mapping[str, Any]) -> Sheet:
    """A round sheet from JSON text or from its parsed object; Refusal for anything that the rules do not allow."""
    return _whole_sheet(_SHEETS.read(data))


def read_recorded_sheet(document: Mapping[str, Any]) -> Sheet:
    """A sheet as a table records it, from its parsed object; Refusal as `read_sheet`.

    It differs in one thing: the `hand` of a position that folded may be null, "not exposed", where every wager of it is
    given up by the fold. Such cards affect no settlement, and they are mucked unseen.
    """
    return _whole_sheet(_RECORDED_SHEETS.read(document))


def fold_needs_no_cards(rulebook: str, options: Mapping[str, Any], wagers: Mapping[str, int]) -> bool:
    """Whether a position with these wagers that folds may stay unexposed (`read_recorded_sheet`)."""
    terms = _read_terms(rulebook, options)
    return "fold" in terms.rulebook.decisions and depends_on_no_card(terms, wagers, "fold")


def _whole_sheet(form: RecordedSheetForm) -> Sheet:
    terms = _read_terms(form.rulebook, form.options)
    bank = _read_bank(terms.rulebook, form.bank)
    action_seat, meter = _read_places(terms.rulebook, form)
    bank_hand = read_hand(form.bank_hand, "bank_hand")
    positions = _read_positions(terms, form.positions, read_position)
    _check_together(terms.rulebook, bank, positions, meter)
    _check_cards(bank_hand, positions)
    return Sheet(terms, bank, action_seat, meter, positions, bank_hand)


def read_bets(data: str | bytes | Mapping[str, Any]) -> Bets:
    """The sheet at "no more bets": `bank_hand`, `hand` and `decision` are not yet keys of it.

    A `play` tip comes with the decision and is refused here (`tip_needs_wager`).
    """
    form = _BETS.read(data)
    terms = _read_terms(form.rulebook, form.options)
    bank = _read_bank(terms.rulebook, form.bank)
    action_seat, meter = _read_places(terms.rulebook, form)
    positions = _read_positions(terms, form.positions, read_bet_position)
    _check_together(terms.rulebook, bank, positions, meter)
    return Bets(terms, bank, action_seat, meter, positions)


def check_wagers(
    rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
) -> BetPosition:
    """One seat's wagers while betting is open: `{"seat", "player", "wagers", "tips"}` as in `read_bets`.

    A refusal's path starts inside the position (`wagers.ante`); those of the options start at `options`.
    """
    terms = _read_terms(rulebook, UNSET if options is None else options)
    return read_bet_position(terms, _POSITIONS.read_value(position))


def _read_terms(name: str, options: Mapping[str, Any] | UnsetType) -> Terms:
    if name not in RULEBOOKS:
        what = f"there is no rulebook {show(name)}; use one of {', '.join(RULEBOOKS)}."
        raise Refusal("unknown_rulebook", "rulebook", what)
    if options is not UNSET and not isinstance(options, Mapping):
        raise Refusal("wrong_type", "options", f"options are an object, not {show(options)}.")
    return read_options(load_rulebook(name), {} if options is UNSET else options)


def _read_bank(rulebook: Rulebook, given: Any) -> Bank | None:
    if not rulebook.player_banked:
        if given is not UNSET:
            raise Refusal("bank_not_allowed", "bank", f"in {rulebook.id} the house banks; leave it out.")
        return None
    if given is UNSET:
        what = f"in {rulebook.id} a player banks; give the seat and the wager."
        raise Refusal("bank_required", "bank", what)
    try:
        form = _BANKS.read_value(given)
        return Bank(read_seat(form.seat, rulebook.seats, "seat"), read_cents(form.wager, "wager"))
    except Refusal as refusal:
        raise refusal.under("bank") from None


def _read_places(rulebook: Rulebook, form: BetsForm) -> tuple[int | None, int | None]:
    """The action seat and the meter, None where left out; checked even where the rules then ignore them."""
    action_seat = meter = None
    if form.action_seat is not UNSET:
        action_seat = read_seat(form.action_seat, rulebook.seats, "action_seat")
    if form.meter is not UNSET:
        meter = read_cents(form.meter, "meter")
    return action_seat, meter


def _read_positions(
    terms: Terms, forms: Sequence[AnyForm], read: Callable[[Terms, AnyForm], AnyPosition]
) -> tuple[AnyPosition, ...]:
    """Read the positions; a refusal's path names the position."""
    positions: list[AnyPosition] = []
    try:
        for form in forms:
            positions.append(read(terms, form))  # noqa: PERF401  # how many were read says which one was refused
    except Refusal as refusal:
        raise refusal.under(f"positions[{len(positions)}]") from None
    if not positions:
        raise Refusal("no_wager", "positions", "a round needs at least one position with a wager.")
    return tuple(positions)


def _check_cards(bank_hand: Hand, positions: Sequence[Position]) -> None:
    """No card lies in two hands of a round; the later of the two is refused."""
    dealt = set(bank_hand)
    for index, position in enumerate(positions):
        for card in position.hand or ():
            if card in dealt:
                what = f"{CARD_TEXTS[card]} is in an earlier hand too; look again."
                raise Refusal("duplicate_card", f"positions[{index}].hand", what)
            dealt.add(card)


def _check_together(
    rulebook: Rulebook, bank: Bank | None, positions: Sequence[BetPosition], meter: int | None
) -> None:
    """Checks across positions: seats, positions a player, and the meter a progressive wager needs."""
    taken: set[int] = set()
    seats_of: dict[str, list[int]] = {}
    for index, position in enumerate(positions):
        seat, player = position.seat, position.player
        if bank is not None and seat == bank.seat:
            what = f"seat {seat} banks and holds no position of its own."
            raise Refusal("bank_has_wagers", f"positions[{index}].seat", what)
        if seat in taken:
            raise Refusal("seat_taken", f"positions[{index}].seat", f"seat {seat} has a position already.")
        taken.add(seat)
        seats_of.setdefault(player, []).append(seat)
        if len(seats_of[player]) > rulebook.max_positions:
            what = f"a player may hold {rulebook.max_positions} at most in {rulebook.id}."
            raise Refusal("too_many_positions", f"positions[{index}]", what)
        if meter is None and PROGRESSIVE in position.wagers:
            what = "a progressive wager is placed; give the meter in cents."
            raise Refusal("meter_required", "meter", what)
    if rulebook.positions_adjacent and len(seats_of) < len(positions):
        _check_adjacent(positions, seats_of)


def _check_adjacent(positions: Sequence[BetPosition], seats_of: dict[str, list[int]]) -> None:
    for index in range(len(positions) - 1, -1, -1):
        seats = seats_of.pop(positions[index].player, None)
        if seats is not None and max(seats) - min(seats) >= len(seats):
            raise Refusal(
                "too_many_positions",
                f"positions[{index}]",
                f"the positions of one player stand side by side, not on seats {', '.join(map(str, seats))}.",
            )
