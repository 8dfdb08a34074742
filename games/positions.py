"""One position of a sheet: its wagers and tips, and once the cards are out its hand and decision."""

from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from games.cards import Hand, hand_text
from games.collection import why_outside_limits
from games.fields import FIRST_TWO, THIRD, is_object, missing, read_cents, read_hand, read_seat
from games.jsontext import read_json, show
from games.money import MOST_CENTS
from games.refusal import Refusal
from games.remembered import MOST_REMEMBERED, MOST_REMEMBERED_BY_TERMS
from games.terms import Terms
from games.wagers import (
    ANTE,
    PAIR_PLUS,
    PLACED_BEFORE_DEAL,
    PLAY,
    STAKED,
    TIP_SPOTS,
    TIPS,
    WAGER_IDS,
    WAGER_NUMBERS,
)

_BET_KEYS = frozenset({"seat", "player", "wagers", "tips"})
_KEYS = _BET_KEYS | {"hand", "decision"}
NO_TIPS = (0,) * TIPS


class BetPosition(NamedTuple):
    """A betting position at "no more bets".

    `stakes` and `tip_stakes` are cents by wager number, 0 where nothing stands; `play` is 0 before the
    decision.
    """

    seat: int
    player: str
    stakes: tuple[int, ...]
    tip_stakes: tuple[int, ...]

    @property
    def wagers(self) -> dict[str, int]:
        """The wagers as placed, by name; `play` follows from the decision and is not among them."""
        return _placed(self.stakes)

    @property
    def tips(self) -> dict[str, int]:
        """The dealer tip wagers by name."""
        return _named(self.tip_stakes)

    def to_json(self) -> dict[str, Any]:
        """The position as the sheet has it, the player's name spelled out."""
        return _bets_json(self)


class Position(NamedTuple):
    """A position with its three cards and its decision, None where no ante asks for one."""

    seat: int
    player: str
    stakes: tuple[int, ...]
    tip_stakes: tuple[int, ...]
    hand: Hand
    decision: str | None

    @property
    def wagers(self) -> dict[str, int]:
        """The wagers as placed, by name; `play` follows from the decision and is not among them."""
        return _placed(self.stakes)

    @property
    def tips(self) -> dict[str, int]:
        """The dealer tip wagers by name."""
        return _named(self.tip_stakes)

    def to_json(self) -> dict[str, Any]:
        """The position as the sheet has it, the player's name spelled out."""
        document = _bets_json(self)
        document["hand"] = hand_text(self.hand)
        if self.decision is not None:
            document["decision"] = self.decision
        return document


def _bets_json(position: BetPosition | Position) -> dict[str, Any]:
    document: dict[str, Any] = {
        "seat": position.seat,
        "player": position.player,
        "wagers": position.wagers,
    }
    if position.tips:
        document["tips"] = position.tips
    return document


def _named(stakes: tuple[int, ...]) -> dict[str, int]:
    return {WAGER_IDS[wager]: cents for wager, cents in enumerate(stakes) if cents}


def _placed(stakes: tuple[int, ...]) -> dict[str, int]:
    return {name: cents for name, cents in _named(stakes).items() if name != "play"}


def read_bet_position(terms: Terms, value: Any) -> BetPosition:
    """One position before the deal; a refusal's path starts inside the position."""
    seat, player, stakes = _read_bets(terms, value, _BET_KEYS)
    tips = _read_tips(terms, value["tips"], stakes, None) if "tips" in value else NO_TIPS
    return BetPosition(seat, player, stakes, tips)


# By tuple.__new__ with the fields in order: a NamedTuple's own constructor takes twice as long, and batches read
# millions of positions.
_new = tuple.__new__


#: Where the text of one usual position ends and that of the next begins.
NEXT_POSITION = '}, {"seat": '


def usual_positions(terms: Terms, text: str) -> list[Position] | None:
    """The positions in the text of a sheet, from the first one's seat to the end of the last one's decision.

    Each is taken in three pieces: who sits there, three cards, and the bets with the decision. The first and the last
    come again and again and are read once, as strictly as any JSON; the cards are looked up. None where one of them
    is written otherwise or is not allowed: read as JSON, `read_position` finds out what it is.
    """
    seats = terms.rulebook.seats
    positions = []
    try:
        for piece in text.split(NEXT_POSITION):
            who, _, rest = piece.partition('"hand": "')
            seat, player = _usual_player(seats, who)
            first, second = FIRST_TWO[rest[:5]]
            third = THIRD[rest[5:8]]
            if third in (first, second):
                return None
            stakes, tips, decision = _usual_bets(terms, rest[8:])
            positions.append(_new(Position, (seat, player, stakes, tips, (first, second, third), decision)))
    except (KeyError, Refusal):
        return None
    return positions


@lru_cache(maxsize=MOST_REMEMBERED)
def _usual_player(seats: int, who: str) -> tuple[int, str]:
    """Seat and player of a text such as `4, "player": "Ann", `."""
    value = read_json(f'{{"seat": {who.removesuffix(", ")}}}')
    seat = read_seat(value["seat"], seats, "seat")
    if not who.endswith(", ") or not value.keys() <= {"seat", "player"}:
        raise KeyError(who)
    return seat, _read_player(value["player"]) if "player" in value else f"seat {seat}"


@lru_cache(maxsize=MOST_REMEMBERED_BY_TERMS)
def _usual_bets(terms: Terms, rest: str) -> tuple[tuple[int, ...], tuple[int, ...], str | None]:
    """Stakes, tip stakes and decision of a text such as `", "wagers": {"ante": 500}, "decision": "play"`."""
    value = read_json(f'{{"hand": "2c 3c 4c{rest}}}')
    if "seat" in value or "player" in value:
        raise KeyError(rest)
    position = read_position(terms, {"seat": 1, **value})
    return position.stakes, position.tip_stakes, position.decision


def read_position(terms: Terms, value: Any) -> Position:
    """One position of a whole round; a refusal's path starts inside the position."""
    if type(value) is dict and value.keys() == _USUAL_KEYS:
        # Most positions: no name, no tips, a decision. Whatever is odd about one is found out below, step by step.
        seat, wagers, hand, decision = _usual_values(value)
        if (
            type(seat) is int
            and 1 <= seat <= terms.rulebook.seats
            and type(wagers) is dict
            and _WHOLE.issuperset(map(type, wagers.values()))
            and type(decision) is str
        ):
            stakes = _usual_stakes(terms, decision, tuple(wagers.items()))
            if stakes is not None:
                return _new(
                    Position, (seat, f"seat {seat}", stakes, NO_TIPS, read_hand(hand, "hand"), decision)
                )
    seat, player, stakes = _read_bets(terms, value, _KEYS)
    decision = _read_decision(terms, value, stakes[ANTE])
    if decision == "play":
        stakes = _with_play(stakes)
    tips = _read_tips(terms, value["tips"], stakes, decision) if "tips" in value else NO_TIPS
    if "hand" not in value:
        raise missing("hand", "the position's three cards")
    return _new(Position, (seat, player, stakes, tips, read_hand(value["hand"], "hand"), decision))


_USUAL_KEYS = frozenset({"seat", "wagers", "hand", "decision"})
_usual_values = itemgetter("seat", "wagers", "hand", "decision")
# 500, 500.0 and true may be equal to Python: only whole numbers are looked up among the wagers read before.
_WHOLE = frozenset({int})


@lru_cache(maxsize=MOST_REMEMBERED_BY_TERMS)
def _usual_stakes(terms: Terms, decision: str, wagers: tuple[tuple[str, int], ...]) -> tuple[int, ...] | None:
    """Stakes by wager number: people bet the same amounts over and over. None where the decision is odd."""
    stakes = _read_wagers(terms, dict(wagers))
    if not stakes[ANTE] or decision not in terms.rulebook.decisions:
        return None
    return _with_play(stakes) if decision == "play" else stakes


def _with_play(stakes: tuple[int, ...]) -> tuple[int, ...]:
    """The stakes with the play wager, which equals the ante."""
    return (*stakes[:PLAY], stakes[ANTE], *stakes[PLAY + 1 :])


def _read_bets(terms: Terms, value: Any, keys: frozenset[str]) -> tuple[int, str, tuple[int, ...]]:
    """Seat, player and stakes by wager number."""
    if not is_object(value):
        raise Refusal("wrong_type", "", f"a position is an object, not {show(value)}.")
    if not keys.issuperset(value):
        key = next(key for key in value if key not in keys)
        raise Refusal("unknown_key", str(key), f"a position has no key {show(key)} here; leave it out.")
    if "seat" not in value:
        raise missing("seat", "the position's seat")
    seat = read_seat(value["seat"], terms.rulebook.seats, "seat")
    player = _read_player(value["player"]) if "player" in value else f"seat {seat}"
    if "wagers" not in value:
        raise missing("wagers", "the position's wagers")
    return seat, player, _read_wagers(terms, value["wagers"])


def _read_player(value: Any) -> str:
    if not isinstance(value, str):
        raise Refusal("wrong_type", "player", f"a player is named by a text, not {show(value)}.")
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Refusal(
                "wrong_type", "player", "the name holds half a character, which is no text."
            ) from None
    return value


def _read_wagers(terms: Terms, value: Any) -> tuple[int, ...]:
    """Stakes by wager number, each offered and none without what it may not stand without."""
    if not is_object(value):
        raise Refusal("wrong_type", "wagers", f"wagers are an object of cents, not {show(value)}.")
    stakes = [0] * STAKED
    places = terms.places
    for wager, cents in value.items():
        if wager not in places:
            raise _no_wager_of(terms, wager)
        # Most amounts are sound: the path is put together for those that are not.
        sound = type(cents) is int and 0 < cents <= MOST_CENTS
        stakes[places[wager]] = cents if sound else read_cents(cents, f"wagers.{wager}")
    ante = stakes[ANTE]
    if not ante:
        _check_without_ante(terms, value, stakes)
    elif terms.fee_schedule is not None:
        outside = why_outside_limits(terms.fee_schedule, ante)
        if outside is not None:
            raise Refusal(
                "outside_table_limits",
                "wagers.ante",
                f"the ante is {outside} in schedule {terms.fee_schedule.number}.",
            )
    if terms.version is not None:
        _check_ratio(terms, ante, stakes[PAIR_PLUS])
    return tuple(stakes)


def _no_wager_of(terms: Terms, wager: Any) -> Refusal:
    """The refusal for a wager that no sheet may give, or that these terms do not offer."""
    if wager not in PLACED_BEFORE_DEAL:
        hint = "it equals the ante once the decision is play" if wager == "play" else "leave it out"
        return Refusal("unknown_key", f"wagers.{wager}", f"{show(wager)} is no wager to be given; {hint}.")
    return Refusal(
        "wager_not_offered",
        f"wagers.{wager}",
        f"{terms.rulebook.id} does not offer {wager} on these options; return the wager.",
    )


def _check_without_ante(terms: Terms, wagers: Mapping[str, int], stakes: list[int]) -> None:
    for wager in wagers:
        if terms.needs[wager] == "ante":
            raise Refusal(
                "wager_needs_ante",
                f"wagers.{wager}",
                f"{wager} needs an ante on the same position; add or return.",
            )
    if not stakes[PAIR_PLUS]:
        what = f"{' and '.join(wagers)} cannot stand alone" if wagers else "the position has no wager"
        raise Refusal("no_wager", "wagers", f"{what}; place {_bases(terms)}, or leave the position out.")


def _bases(terms: Terms) -> str:
    return "an ante" if terms.needs["pair_plus"] == "ante" else "an ante or a pair plus"


def _check_ratio(terms: Terms, ante: int, pair_plus: int) -> None:
    """The bounds that a version of the game sets between ante and pair plus (massachusetts 6(f))."""
    version = terms.version
    assert version is not None
    path, clause = "wagers.pair_plus", version.clause
    if ante and not pair_plus:
        if "pair_plus" in version.compulsory:
            raise Refusal("wager_ratio", path, f"{clause} asks for a pair plus beside the ante; add one.")
        return
    most = version.most_pair_plus_per_ante
    if most is not None and pair_plus > most * ante:
        raise Refusal(
            "wager_ratio",
            path,
            f"{clause} lets a pair plus be {most} times the ante at most: {most * ante} cents.",
        )
    most = version.most_ante_per_pair_plus
    if most is not None and ante > most * pair_plus:
        raise Refusal("wager_ratio", path, f"{clause} lets an ante be {most} times the pair plus at most.")


def _read_decision(terms: Terms, value: Mapping[str, Any], ante: int) -> str | None:
    if "decision" not in value:
        if ante:
            raise Refusal("decision_required", "decision", f"an ante asks for {_words(terms)}.")
        return None
    decision = value["decision"]
    if not isinstance(decision, str):
        raise Refusal(
            "wrong_type", "decision", f"a decision is a text, {_words(terms)}, not {show(decision)}."
        )
    if decision not in terms.rulebook.decisions:
        raise Refusal(
            "decision_not_allowed",
            "decision",
            f"{show(decision)} is no decision of {terms.rulebook.id}; it is {_words(terms)}.",
        )
    if not ante:
        raise Refusal("decision_not_allowed", "decision", "without an ante there is nothing to decide.")
    return decision


def _words(terms: Terms) -> str:
    return " or ".join(terms.rulebook.decisions)


def _read_tips(terms: Terms, value: Any, stakes: tuple[int, ...], decision: str | None) -> tuple[int, ...]:
    """Tip stakes by wager number, each beside an own wager (ruling 4)."""
    if not is_object(value):
        raise Refusal("wrong_type", "tips", f"tips are an object of cents, not {show(value)}.")
    tips = [0] * TIPS
    for spot, cents in value.items():
        path = f"tips.{spot}"
        if spot not in TIP_SPOTS:
            raise Refusal("unknown_key", path, f"{show(spot)} is no spot for a tip; leave it out.")
        if spot not in terms.rulebook.tip_spots:
            raise Refusal("tip_not_allowed", path, f"{terms.rulebook.id} has no tips on {spot}; return it.")
        tips[WAGER_NUMBERS[spot]] = read_cents(cents, path)
    for wager, cents in enumerate(tips):
        if cents and wager == PLAY:
            _check_play_tip(cents, tips[ANTE], decision)
        elif cents and not stakes[wager]:
            spot = WAGER_IDS[wager]
            raise Refusal("tip_needs_wager", f"tips.{spot}", f"the player has no {spot} beside this tip.")
    return tuple(tips)


def _check_play_tip(cents: int, on_ante: int, decision: str | None) -> None:
    path = "tips.play"
    if decision != "play":
        raise Refusal("tip_needs_wager", path, "a tip on play comes with the decision play; leave it out.")
    if not on_ante:
        raise Refusal("tip_needs_wager", path, "a tip on play needs a tip on the ante beside it.")
    if cents > on_ante:
        raise Refusal("tip_not_allowed", path, f"a tip on play may not exceed the {on_ante} on the ante.")
