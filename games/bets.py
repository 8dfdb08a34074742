"""The wagers of a round at "no more bets", for every game: the bank, the positions, and the checks across them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType

from games.bet_forms import Amounts, BankForm, BetsForm
from games.fields import read_cents, read_seat
from games.money import dollars
from games.phrases import Phrase
from games.refusal import Refusal
from games.rulebook import Rulebook
from games.sheet_json import AnyForm, Reader, is_text, show
from games.spots import PROGRESSIVE
from games.terms import Terms

_BANKS = Reader(BankForm)

AnyPosition = TypeVar("AnyPosition", bound="BetPosition")
AnyTerms = TypeVar("AnyTerms", bound=Terms)


class Bank(Struct, frozen=True):
    """The banking player's seat and wager in cents."""

    seat: int
    wager: int


class BetPosition(Struct, frozen=True):
    """A betting position at "no more bets": cents by wager and by tip, as placed."""

    seat: int
    player: str
    wagers: dict[str, int]
    tips: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """The position as the sheet has it, the player's name spelled out."""
        document: dict[str, Any] = {"seat": self.seat, "player": self.player, "wagers": dict(self.wagers)}
        if self.tips:
            document["tips"] = dict(self.tips)
        return document


class Bets(Struct, frozen=True):
    """The wagers of a round at "no more bets"; a game's sheet extends it by cards and decisions."""

    terms: Terms
    bank: Bank | None
    action_seat: int | None
    meter: int | None
    positions: tuple[BetPosition, ...]

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
        """The sum in cents of the wagers that count: the main ones, unless an approval says otherwise; tips never do."""
        return sum([self.terms.action_cents(position.wagers) for position in self.positions])

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


def check_rulebook(name: str, known: Collection[str]) -> None:
    """Raise Refusal `unknown_rulebook` for a name that is not among a game's rulebooks."""
    if name not in known:
        what = f"there is no rulebook {show(name)}; use one of {', '.join(known)}."
        raise Refusal("unknown_rulebook", "rulebook", what)


def read_placed(
    terms: AnyTerms,
    form: BetsForm,
    forms: Sequence[AnyForm],
    read: Callable[[AnyTerms, AnyForm], AnyPosition],
) -> tuple[Bank | None, int | None, int | None, tuple[AnyPosition, ...]]:
    """Bank, action seat, meter and positions of a sheet, checked together; `forms` are the positions of `form`."""
    bank = read_bank(terms.rulebook, form.bank)
    action_seat, meter = read_places(terms.rulebook, form)
    positions = read_positions(terms, forms, read)
    check_together(terms, bank, positions, meter)
    return bank, action_seat, meter, positions


def read_bank(rulebook: Rulebook, given: Any) -> Bank | None:
    """The bank of a sheet, None where the house banks; Refusal `bank_required` or `bank_not_allowed`."""
    if not rulebook.player_banked:
        if given is not UNSET:
            raise Refusal(
                "bank_not_allowed", "bank", Phrase("in {id} the house banks; leave it out.", id=rulebook.id)
            )
        return None
    if given is UNSET:
        what = Phrase("in {id} a player banks; give the seat and the wager.", id=rulebook.id)
        raise Refusal("bank_required", "bank", what)
    try:
        form = _BANKS.read_value(given)
        return Bank(read_seat(form.seat, rulebook.seats, "seat"), read_cents(form.wager, "wager"))
    except Refusal as refusal:
        raise refusal.under("bank") from None


def read_places(rulebook: Rulebook, form: BetsForm) -> tuple[int | None, int | None]:
    """The action seat and the meter, None where left out; checked even where the rules then ignore them."""
    action_seat = meter = None
    if form.action_seat is not UNSET:
        action_seat = read_seat(form.action_seat, rulebook.seats, "action_seat")
    if form.meter is not UNSET:
        meter = read_cents(form.meter, "meter")
    return action_seat, meter


def check_action_seat(rulebook: Rulebook, action_seat: int | None) -> None:
    """Refusal `action_seat_required` where dice or a button name the seat at which the action starts, and none is given."""
    if rulebook.named_start and action_seat is None:
        what = Phrase("dice or a button name the seat at which the action starts: give it.")
        raise Refusal("action_seat_required", "action_seat", what)


def read_positions(
    terms: AnyTerms, forms: Sequence[AnyForm], read: Callable[[AnyTerms, AnyForm], AnyPosition]
) -> tuple[AnyPosition, ...]:
    """Read the positions; a refusal's path names the position."""
    positions: list[AnyPosition] = []
    try:
        for form in forms:
            positions.append(read(terms, form))  # noqa: PERF401  # how many were read says which one was refused
    except Refusal as refusal:
        raise refusal.under(f"positions[{len(positions)}]") from None
    if not positions:
        raise Refusal("no_wager", "positions", Phrase("a round needs at least one position with a wager."))
    return tuple(positions)


def read_player(name: str | UnsetType, seat: int) -> str:
    """The player's name as given, or by the seat."""
    if name is UNSET:
        return f"seat {seat}"
    if not name.isascii() and not is_text(name):
        raise Refusal("wrong_type", "player", Phrase("the name holds half a character, which is no text."))
    return name


def fill_equal(wagers: dict[str, int], rulebook: Rulebook) -> dict[str, int]:
    """The wagers with those that equal another one filled in, in the order of the rulebook; Refusal `wager_not_equal`."""
    filled = {}
    for rule in rulebook.wagers.values():
        cents = wagers.get(rule.id)
        if rule.equals is not None:
            base = wagers.get(rule.equals)
            if base is None and cents is not None:
                what = Phrase(
                    "{wager} equals {base}, which is not placed: place it, or return this one.",
                    wager=rule.name,
                    base=rulebook.called(rule.equals),
                )
                raise Refusal("wager_not_equal", f"wagers.{rule.id}", what)
            if base is not None and cents not in (None, base):
                what = Phrase(
                    "{wager} equals {base}, {cents}: leave it out, or give as much.",
                    wager=rule.name,
                    base=rulebook.called(rule.equals),
                    cents=dollars(base),
                )
                raise Refusal("wager_not_equal", f"wagers.{rule.id}", what)
            cents = base
        if cents is not None:
            filled[rule.id] = cents
    return filled


def read_tips(
    given: Amounts | UnsetType,
    wagers: Mapping[str, int],
    spots: Collection[str],
    terms: Terms,
) -> dict[str, int]:
    """Cents by spot, each tip beside an own wager (ruling 4), on one of `spots` on which the terms have tips."""
    tips: dict[str, int] = {}
    for spot, amount in () if given is UNSET else given.items():
        here = f"tips.{spot}"
        if spot not in spots:
            what: str = Phrase("{spot} is no spot for a tip; leave it out.", spot=show(spot))
            raise Refusal("unknown_key", here, what)
        called = terms.rulebook.called(spot)
        if spot not in terms.tip_spots:
            what = Phrase("this table has no tips on {spot}; return it.", spot=called)
            raise Refusal("tip_not_allowed", here, what)
        tips[spot] = read_cents(amount, "tips", spot)
        if spot not in wagers:
            what = Phrase("the player has no {spot} beside this tip.", spot=called)
            raise Refusal("tip_needs_wager", here, what)
    return tips


def check_together(
    terms: Terms, bank: Bank | None, positions: Sequence[BetPosition], meter: int | None
) -> None:
    """Checks across positions: bettors a spot, positions a player, and the meter a progressive wager needs."""
    rulebook = terms.rulebook
    taken: dict[int, list[str]] = {}
    seats_of: dict[str, list[int]] = {}
    for index, position in enumerate(positions):
        seat, player = position.seat, position.player
        if bank is not None and seat == bank.seat:
            what = Phrase("seat {seat} banks and holds no position of its own.", seat=seat)
            raise Refusal("bank_has_wagers", f"positions[{index}].seat", what)
        if (there := taken.setdefault(seat, [])) and (why := _why_not_on_spot(terms, there, seat, player)):
            raise Refusal(why[0], f"positions[{index}].seat", why[1])
        there.append(player)
        seats_of.setdefault(player, []).append(seat)
        if len(seats_of[player]) > rulebook.max_positions:
            what = Phrase(
                "a player may hold {max_positions} at most in {id}.",
                max_positions=rulebook.max_positions,
                id=rulebook.id,
            )
            raise Refusal("too_many_positions", f"positions[{index}]", what)
        if meter is None and PROGRESSIVE in position.wagers:
            what = Phrase("a progressive wager is placed; give the meter in cents.")
            raise Refusal("meter_required", "meter", what)
    if rulebook.positions_adjacent and len(seats_of) < len(positions):
        _check_adjacent(positions, seats_of)


def _why_not_on_spot(terms: Terms, there: Sequence[str], seat: int, player: str) -> tuple[str, str] | None:
    """Why `player` has no position on the spot of `seat`, on which `there` have theirs: a code and a sentence; or None."""
    if not terms.back_line:
        return "seat_taken", Phrase("seat {seat} has a position already.", seat=seat)
    if player in there:
        return (
            "seat_taken",
            Phrase(
                "{player} has a position at seat {seat} already; put the wagers together.",
                player=show(player),
                seat=seat,
            ),
        )
    if len(there) > terms.back_line:
        what = Phrase(
            "the spot of seat {seat} holds {back_line} bettors at most, with those on its back line.",
            seat=seat,
            back_line=terms.back_line + 1,
        )
        return "spot_full", what
    return None


def _check_adjacent(positions: Sequence[BetPosition], seats_of: dict[str, list[int]]) -> None:
    for index in range(len(positions) - 1, -1, -1):
        seats = seats_of.pop(positions[index].player, None)
        if seats is not None and max(seats) - min(seats) >= len(seats):
            raise Refusal(
                "too_many_positions",
                f"positions[{index}]",
                Phrase(
                    "the positions of one player stand side by side, not on seats {str}.",
                    str=", ".join(map(str, seats)),
                ),
            )
