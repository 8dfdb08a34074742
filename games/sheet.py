"""The round sheet: all that lay on the table in one round, in and out of JSON.

`read_sheet` takes a whole round, `read_bets` the same document as it stands at "no more bets", and
`check_wagers` one seat of it while betting is open. All three run the same checks (`games.positions`) and
refuse with `Refusal`, whose codes and paths are those of the sheet's contract.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from games.cards import CARD_TEXTS, Hand, hand_text
from games.fields import is_object, missing, read_cents, read_hand, read_seat
from games.jsontext import read_json, show
from games.positions import BetPosition, Position, read_bet_position, read_position, usual_positions
from games.refusal import Refusal
from games.remembered import MOST_REMEMBERED_BY_TERMS
from games.rulebook import RULEBOOKS, Rulebook, load_rulebook
from games.terms import Terms, read_options
from games.wagers import ANTE, PROGRESSIVE

_BETS_KEYS = frozenset({"rulebook", "options", "bank", "action_seat", "meter", "positions"})
_SHEET_KEYS = _BETS_KEYS | {"bank_hand"}
_BANK_KEYS = frozenset({"seat", "wager"})


class Bank(NamedTuple):
    """The banking player's seat and wager in cents."""

    seat: int
    wager: int


@dataclass(frozen=True, slots=True)
class Bets:
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
        return sum([position.stakes[ANTE] for position in self.positions])

    def to_json(self) -> dict[str, Any]:
        """The document again, with every option and every player's name spelled out."""
        document: dict[str, Any] = {"rulebook": self.rulebook.id, "options": dict(self.options)}
        if self.bank is not None:
            document["bank"] = {"seat": self.bank.seat, "wager": self.bank.wager}
        if self.action_seat is not None:
            document["action_seat"] = self.action_seat
        if self.meter is not None:
            document["meter"] = self.meter
        document["positions"] = [position.to_json() for position in self.positions]
        return document


@dataclass(frozen=True, slots=True)
class Sheet(Bets):
    """One whole round: bets, cards and decisions. Cards are numbers (`games.cards`)."""

    positions: tuple[Position, ...]
    bank_hand: Hand

    def to_json(self) -> dict[str, Any]:
        """The sheet again, with every option and every player's name spelled out."""
        document = Bets.to_json(self)
        document["bank_hand"] = hand_text(self.bank_hand)
        return document


def read_sheet(data: str | bytes | Mapping[str, Any]) -> Sheet:
    """A round sheet from JSON text or from its parsed object; Refusal for whatever the rules do not allow."""
    sheet = _read_usual_sheet(data) if isinstance(data, str | bytes) else None
    if sheet is not None:
        return sheet
    terms, document = _read_frame(data, _SHEET_KEYS)
    bank, action_seat, meter, hand = _read_around(terms.rulebook, document)
    seen = set(hand)
    positions = []
    for index, value in enumerate(_read_list(document)):
        try:
            position = read_position(terms, value)
        except Refusal as refusal:
            raise refusal.under(f"positions[{index}]") from None
        if not seen.isdisjoint(position.hand):
            raise _dealt_twice(position.hand, seen, index)
        seen.update(position.hand)
        positions.append(position)
    _check_together(terms.rulebook, bank, positions, meter)
    return Sheet(terms, bank, action_seat, meter, tuple(positions), hand)


def _read_usual_sheet(text: str | bytes) -> Sheet | None:
    """The sheet whose positions come last, all of it written as most are; None for another, or one that is refused.

    It is taken in pieces: what stands around the bank's hand, three cards, and the positions. The first comes again
    and again and is read once, as strictly as any JSON; the cards are looked up.
    """
    try:
        around, _, rest = (text if isinstance(text, str) else text.decode("utf-8")).partition(_POSITIONS)
        seated, _, end = rest.rpartition("}]}")
        before, _, dealt = around.partition(_BANK_HAND)
        if not seated or end not in _LINE_ENDS or len(text) > _LONGEST_USUAL:
            return None
        terms, bank, action_seat, meter = _usual_frame(before, dealt[8:])
        hand = read_hand(dealt[:8], "bank_hand")
        positions = usual_positions(terms, seated)
        if positions is None:
            return None
        if len({*hand}.union(*map(_hand, positions))) < 3 + 3 * len(positions):
            return None
        _check_together(terms.rulebook, bank, positions, meter)
    except (KeyError, Refusal, UnicodeDecodeError):
        return None
    return Sheet(terms, bank, action_seat, meter, tuple(positions), hand)


_seat, _player, _hand = attrgetter("seat"), attrgetter("player"), attrgetter("hand")
_BANK_HAND, _POSITIONS = '"bank_hand": "', '"positions": [{"seat": '
_LINE_ENDS = ("", "\n", "\r\n")
# Text that is remembered takes memory: no sheet of real names comes near this many characters.
_LONGEST_USUAL = 8000


@lru_cache(maxsize=MOST_REMEMBERED_BY_TERMS)
def _usual_frame(before: str, after: str) -> tuple[Terms, Bank | None, int | None, int | None]:
    """Terms, bank, action seat and meter by the text before and after the three cards of the bank."""
    some = "2c 3c 4c"
    terms, document = _read_frame(f'{before}{_BANK_HAND}{some}{after}"positions": []}}', _SHEET_KEYS)
    bank, action_seat, meter, _ = _read_around(terms.rulebook, document)
    if document["bank_hand"] != some:
        raise KeyError("bank_hand")
    return terms, bank, action_seat, meter


def _read_around(
    rulebook: Rulebook, document: Mapping[str, Any]
) -> tuple[Bank | None, int | None, int | None, Hand]:
    """What a whole sheet has beside its positions: bank, action seat, meter and the bank's hand."""
    bank = _read_bank(rulebook, document)
    action_seat, meter = _read_places(rulebook, document)
    if "bank_hand" not in document:
        raise missing("bank_hand", "the bank's three cards")
    return bank, action_seat, meter, read_hand(document["bank_hand"], "bank_hand")


def read_bets(data: str | bytes | Mapping[str, Any]) -> Bets:
    """The sheet at "no more bets": `bank_hand`, `hand` and `decision` are not yet keys of it.

    A `play` tip comes with the decision and is refused here (`tip_needs_wager`).
    """
    terms, document = _read_frame(data, _BETS_KEYS)
    bank = _read_bank(terms.rulebook, document)
    action_seat, meter = _read_places(terms.rulebook, document)
    positions = []
    for index, value in enumerate(_read_list(document)):
        try:
            positions.append(read_bet_position(terms, value))
        except Refusal as refusal:
            raise refusal.under(f"positions[{index}]") from None
    _check_together(terms.rulebook, bank, positions, meter)
    return Bets(terms, bank, action_seat, meter, tuple(positions))


def check_wagers(
    rulebook: str, options: Mapping[str, Any] | None, position: Mapping[str, Any]
) -> BetPosition:
    """One seat's wagers while betting is open: `{"seat", "player", "wagers", "tips"}` as in `read_bets`.

    A refusal's path starts inside the position (`wagers.ante`); those of the options start at `options`.
    """
    terms = _read_terms(
        {"rulebook": rulebook} if options is None else {"rulebook": rulebook, "options": options}
    )
    return read_bet_position(terms, position)


def _read_frame(
    data: str | bytes | Mapping[str, Any], keys: frozenset[str]
) -> tuple[Terms, Mapping[str, Any]]:
    """The outermost object and the terms it is played on."""
    document = read_json(data, _keys_of) if isinstance(data, str | bytes) else data
    if not is_object(document):
        raise Refusal("wrong_type", "", f"a sheet is a JSON object, not {show(document)}.")
    if not keys.issuperset(document):
        key = next(key for key in document if key not in keys)
        raise Refusal("unknown_key", str(key), f"the sheet has no key {show(key)} here; leave it out.")
    return _read_terms(document), document


def _keys_of(document: Any) -> int:
    """How many keys all objects of a sheet have; what is found in none of their places is left out."""
    try:
        keys = len(document) + len(document.get("options", ())) + len(document.get("bank", ()))
        for position in document["positions"]:
            keys += len(position) + len(position["wagers"])
            if "tips" in position:
                keys += len(position["tips"])
    except (TypeError, KeyError, AttributeError):
        return 0
    return keys


def _read_terms(document: Mapping[str, Any]) -> Terms:
    if "rulebook" not in document:
        raise missing("rulebook", f"one of {', '.join(RULEBOOKS)}")
    name = document["rulebook"]
    if not isinstance(name, str):
        raise Refusal("wrong_type", "rulebook", f"a rulebook is named by a text, not {show(name)}.")
    if name not in RULEBOOKS:
        raise Refusal(
            "unknown_rulebook",
            "rulebook",
            f"there is no rulebook {show(name)}; use one of {', '.join(RULEBOOKS)}.",
        )
    given = document.get("options", {})
    if not is_object(given):
        raise Refusal("wrong_type", "options", f"options are an object, not {show(given)}.")
    return read_options(load_rulebook(name), given)


def _read_bank(rulebook: Rulebook, document: Mapping[str, Any]) -> Bank | None:
    if not rulebook.player_banked:
        if "bank" in document:
            raise Refusal("bank_not_allowed", "bank", f"in {rulebook.id} the house banks; leave it out.")
        return None
    if "bank" not in document:
        raise Refusal(
            "bank_required", "bank", f"in {rulebook.id} a player banks; give the seat and the wager."
        )
    bank = document["bank"]
    if not is_object(bank):
        raise Refusal("wrong_type", "bank", f'the bank is {{"seat": …, "wager": …}}, not {show(bank)}.')
    for key in bank:
        if key not in _BANK_KEYS:
            raise Refusal("unknown_key", f"bank.{key}", "the bank has a seat and a wager, nothing else.")
    for key in ("seat", "wager"):
        if key not in bank:
            raise missing(f"bank.{key}", f"the bank's {key}")
    seat = read_seat(bank["seat"], rulebook.seats, "bank.seat")
    return Bank(seat, read_cents(bank["wager"], "bank.wager"))


def _read_places(rulebook: Rulebook, document: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """The action seat and the meter, None where left out; looked at even where the rules then ignore them."""
    action_seat = meter = None
    if "action_seat" in document:
        action_seat = read_seat(document["action_seat"], rulebook.seats, "action_seat")
    if "meter" in document:
        meter = read_cents(document["meter"], "meter")
    return action_seat, meter


def _read_list(document: Mapping[str, Any]) -> list[Any] | tuple[Any, ...]:
    if "positions" not in document:
        raise missing("positions", "the betting positions in play")
    positions = document["positions"]
    if not isinstance(positions, list | tuple):
        raise Refusal("wrong_type", "positions", f"positions are a list, not {show(positions)}.")
    if not positions:
        raise Refusal("no_wager", "positions", "a round needs at least one position with a wager.")
    return positions


def _dealt_twice(hand: Hand, seen: set[int], index: int) -> Refusal:
    """The refusal for a hand with a card that was seen before."""
    card = next(card for card in hand if card in seen)
    path = f"positions[{index}].hand"
    return Refusal("duplicate_card", path, f"{CARD_TEXTS[card]} is in an earlier hand too; look again.")


def _check_together(
    rulebook: Rulebook, bank: Bank | None, positions: Sequence[BetPosition | Position], meter: int | None
) -> None:
    """What holds between positions: seats, positions a player, and the meter a progressive wager needs."""
    occupied = set(map(_seat, positions))
    players = set(map(_player, positions))
    if (
        len(occupied) == len(players) == len(positions)
        and (bank is None or bank.seat not in occupied)
        and (meter is not None or not rulebook.progressive_tables)
    ):
        return  # as usual: everybody has a seat and a position of their own
    taken: set[int] = set()
    held: dict[str, list[int]] = {}
    for index, position in enumerate(positions):
        seat = position.seat
        if bank is not None and seat == bank.seat:
            raise Refusal(
                "bank_has_wagers",
                f"positions[{index}].seat",
                f"seat {seat} banks and holds no position of its own.",
            )
        if seat in taken:
            raise Refusal("seat_taken", f"positions[{index}].seat", f"seat {seat} has a position already.")
        taken.add(seat)
        seats = held.setdefault(position.player, [])
        seats.append(seat)
        if len(seats) > rulebook.max_positions:
            raise Refusal(
                "too_many_positions",
                f"positions[{index}]",
                f"a player may hold {rulebook.max_positions} at most in {rulebook.id}.",
            )
        if meter is None and position.stakes[PROGRESSIVE]:
            raise Refusal(
                "meter_required", "meter", "a progressive wager is placed; give the meter in cents."
            )
    if rulebook.positions_adjacent and len(held) < len(positions):
        _check_adjacent(positions, held)


def _check_adjacent(positions: Sequence[BetPosition | Position], held: dict[str, list[int]]) -> None:
    for index in range(len(positions) - 1, -1, -1):
        seats = held.pop(positions[index].player, None)
        if seats is not None and max(seats) - min(seats) >= len(seats):
            raise Refusal(
                "too_many_positions",
                f"positions[{index}]",
                f"the positions of one player stand side by side, not on seats {', '.join(map(str, seats))}.",
            )
