"""Random rounds of Ultimate Texas Hold'em, and random approvals of it, all of them allowed."""

from random import Random
from typing import Any

from games.cards import CARD_TEXTS
from games.registry import read_options, rulebook_with
from games.ultimate_texas_holdem.terms import UltimateTerms

DECKS = (
    range(52),
    [card for card in range(52) if card // 4 in (0, 1, 2, 3, 8, 9, 10, 11, 12)],  # runs and pairs come often
    [card for card in range(52) if card % 4 >= 2],  # five of a suit come often
)
HANDS = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind",
         "two_pair", "pair")  # fmt: skip


def terms_of(options: dict[str, Any]) -> UltimateTerms:
    rulebook = rulebook_with("ultimate_texas_holdem", options)
    terms = read_options(rulebook, options)
    assert isinstance(terms, UltimateTerms)
    return terms


def random_approval(rng: Random) -> dict[str, Any]:
    """What a room's document might say."""
    said: dict[str, Any] = {}
    if rng.random() < 0.3:
        said["seats"] = rng.randint(3, 9)
    if rng.random() < 0.5:
        said["bank"] = {
            key: rng.choice(values)
            for key, values in {
                "qualifies": ("nothing", "pair", "two_pair", "three_of_a_kind"),
                "unqualified_ante": ("push", "paid", "compared"),
                "coverage": ("gross", "net", "funds"),
            }.items()
            if rng.random() < 0.6
        }
    for name, rungs in (
        ("blind_table", (500, 50, 10, 3, "3:2", 1)),
        ("trips_table", (50, 40, 30, 9, 6, 5, 3, 1, 1)),
    ):
        if rng.random() < 0.4:
            count = rng.randint(2, len(rungs))
            said[name] = [{"odds": dict(zip(HANDS[:count], rungs[:count], strict=True))}]
    if rng.random() < 0.3:
        said["play"] = {"before_flop": rng.choice(([4], [3, 4], [2])), "flop": rng.choice(([2], [1, 2]))}
    if rng.random() < 0.3:
        said["fold"] = {"forfeits": rng.choice((["ante", "blind"], ["ante", "blind", "trips"]))}
    order: dict[str, Any] = {}
    if rng.random() < 0.3:
        order["direction"] = rng.choice(("clockwise", "counter_clockwise"))
    if rng.random() < 0.3:
        order["lines"] = rng.sample(["ante", "blind", "play", "trips"], 4)
    return {**said, "order": order} if order else said


def random_round(rng: Random, approval: dict[str, Any] | None = None) -> dict[str, Any]:
    """A sheet that no rule forbids."""
    options: dict[str, Any] = {} if approval is None else {"approval": approval}
    for name, values in {
        "coverage": ("gross", "net"),
        "forfeits": ("in_turn", "first"),
        "tips": ("in_turn", "after_players"),
    }.items():
        if rng.random() < 0.4 and not (name == "coverage" and "coverage" in (approval or {}).get("bank", {})):
            options[name] = rng.choice(values)
    terms = terms_of(options)
    deck = [CARD_TEXTS[card] for card in rng.sample(list(rng.choice(DECKS)), 25)]
    seats = rng.sample(range(1, terms.rulebook.seats + 1), rng.randint(2, terms.rulebook.seats))
    sheet: dict[str, Any] = {
        "rulebook": "ultimate_texas_holdem",
        "options": options,
        "bank": {"seat": seats.pop(), "wager": rng.choice((1, 900, 5000, 40_000, 10**7))},
        "board": " ".join(deck[:5]),
        "bank_hand": " ".join(deck[5:7]),
        "positions": [
            _position(rng, terms, seat, " ".join(deck[7 + 2 * at : 9 + 2 * at]))
            for at, seat in enumerate(seats)
        ],
    }
    if rng.random() < 0.4:
        sheet["action_seat"] = rng.randint(1, terms.rulebook.seats)
    return sheet


def _position(rng: Random, terms: UltimateTerms, seat: int, hand: str) -> dict[str, Any]:
    ante = rng.choice((100, 555, 1000, 2501))
    wagers = {"ante": ante}
    if rng.random() < 0.5:
        wagers["blind"] = ante
    if rng.random() < 0.6:
        wagers["trips"] = rng.choice((50, 333, 500))
    decision = rng.choice(list(terms.times))
    tips: dict[str, int] = {}
    if rng.random() < 0.4 and terms.tip_spots:
        tips = {"ante": rng.choice((25, 100))}
        times = terms.times[decision]
        if times and rng.random() < 0.5:
            tips["play"] = tips["ante"] * rng.randint(1, times)
        if "trips" in wagers and rng.random() < 0.5:
            tips["trips"] = 75
    position: dict[str, Any] = {"seat": seat, "wagers": wagers, "hand": hand, "decision": decision}
    return {**position, "tips": tips} if tips else position
