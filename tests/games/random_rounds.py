"""Random rounds of every rulebook, all of them allowed: for properties that must hold in each.

Everything comes from the random numbers passed in, so that a test may hand in hypothesis's own and have its
failures made small.
"""

from random import Random
from typing import Any

from games.cards import CARD_TEXTS
from games.registry import read_options, rulebook_with
from games.rulebook import Rulebook
from games.terms import Terms
from games.three_card_poker.rulebook import RULEBOOKS, ThreeCardRulebook

RAKES = (
    None,
    {"mode": "all", "cents": 100},
    {"mode": "all_but_bank", "cents": 50},
    {"mode": "bank_only", "cents": 300},
)
OWN_TABLES = (
    {"straight_flush": 50, "three_of_a_kind": 33, "straight": 7, "flush": 4, "pair": 1},
    {"mini_royal": 100, "straight_flush": 40, "three_of_a_kind": 25, "straight": 5, "flush": 3, "pair": 2},
    {"straight_flush": 35, "three_of_a_kind": 25, "straight": 5, "flush": 3, "pair": 1},
)
DECKS = (
    range(52),
    [card for card in range(52) if card >> 2 in (0, 1, 2, 8, 9, 10, 11, 12)],  # runs and pairs come often
    [card for card in range(52) if card & 3 >= 2],  # one suit in two
)


def random_round(
    rng: Random, rulebook_id: str | None = None, approval: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A sheet that no rule forbids, of a rulebook or of an approval based on it."""
    named = rulebook_id or rng.choice(RULEBOOKS)
    approved = {} if approval is None else {"approval": approval}
    rulebook = rulebook_with(named, approved)
    assert isinstance(rulebook, ThreeCardRulebook)
    options = approved | random_options(rng, rulebook)
    terms = read_options(rulebook, options)
    deck = list(rng.choice(DECKS))
    rng.shuffle(deck)
    hands = [" ".join(CARD_TEXTS[card] for card in deck[at : at + 3]) for at in range(0, 24, 3)]
    seats = list(range(1, rulebook.seats + 1))
    rng.shuffle(seats)
    sheet: dict[str, Any] = {"rulebook": rulebook.id, "options": options, "bank_hand": hands.pop()}
    if rulebook.player_banked:
        sheet["bank"] = {"seat": seats.pop(), "wager": rng.choice((1, 700, 2500, 10_000, 50_000, 10**7))}
        if rng.random() < 0.3:
            sheet["action_seat"] = rng.randint(1, rulebook.seats)
    sheet["meter"] = rng.choice((100_000, 123_457))
    count = rng.randint(1, min(len(seats), 7))
    players = _players(rng, rulebook, sorted(seats[:count]))
    sheet["positions"] = [
        _position(rng, terms, seat, player, hands.pop()) for seat, player in players.items()
    ]
    for front in list(sheet["positions"]) if terms.back_line else []:
        if rng.random() < 0.3:
            sheet["positions"].append(_behind(rng, terms, front))
    rng.shuffle(sheet["positions"])
    return sheet


def _behind(rng: Random, terms: Terms, front: dict[str, Any]) -> dict[str, Any]:
    """A bettor on the back line of a position's spot: its cards, and its decision where both have one."""
    behind = _position(rng, terms, front["seat"], f"behind {front['seat']}", front["hand"])
    behind["player"] = f"behind {front['seat']}"
    if "decision" in front and behind.get("decision", front["decision"]) != front["decision"]:
        behind["decision"] = front["decision"]
        behind.get("tips", {}).pop("play", None)
    return behind


def random_options(rng: Random, rulebook: Rulebook) -> dict[str, Any]:
    """Some of the rulebook's options, each with a value of its own."""
    options: dict[str, Any] = {}
    for name, rule in rulebook.options.items():
        if rng.random() < 0.5 or name == "ante_bonus_table":
            continue
        if rule.modes:
            options[name] = rng.choice(RAKES)
        elif rule.own_table:
            options[name] = rulebook.id if rng.random() < 0.5 else dict(rng.choice(OWN_TABLES))
        else:
            options[name] = rng.choice((*rule.values, None) if rule.may_be_null else rule.values)
    if "ante_bonus_table" in rulebook.options and rng.random() < 0.5:
        version = rulebook.versions[options.get("version", "standard")]
        options["ante_bonus_table"] = rng.choice(version.ante_bonus_tables)
    return options


def _players(rng: Random, rulebook: Rulebook, seats: list[int]) -> dict[int, str]:
    """Who plays each seat; some hold as many side by side as they may."""
    players: dict[int, str] = {}
    for seat in seats:
        before = players.get(seat - 1)
        held = list(players.values()).count(before) if before is not None else 0
        if before is not None and held < rulebook.max_positions and rng.random() < 0.4:
            players[seat] = before
        else:
            players[seat] = f"player {seat}"
    return players


def _position(rng: Random, terms: Terms, seat: int, player: str, hand: str) -> dict[str, Any]:
    schedule = terms.fee_schedule
    least = schedule.ante_min_cents if schedule is not None else 1
    most = (schedule.ante_max_cents if schedule is not None else None) or least * 4 + 3000
    wagers: dict[str, int] = {}
    ante = rng.randint(least, most)
    can_do_without = terms.needs.get("pair_plus") == "nothing"
    compulsory = terms.version is not None and "pair_plus" in terms.version.compulsory
    if not can_do_without or rng.random() < 0.8:
        wagers["ante"] = ante
    if "pair_plus" in terms.placed and ("ante" not in wagers or compulsory or rng.random() < 0.5):
        wagers["pair_plus"] = rng.randint(ante // 5 + 1, ante) if terms.version else rng.randint(1, 2000)
    for wager in sorted(terms.offered - {"ante", "play", "pair_plus"}):
        if rng.random() < 0.4 and ("ante" in wagers or terms.needs[wager] != "ante"):
            wagers[wager] = rng.choice((1, 99, 100, 500))
    position: dict[str, Any] = {"seat": seat, "hand": hand, "wagers": wagers}
    if terms.rulebook.max_positions > 1 or rng.random() < 0.7:
        position["player"] = player
    if "ante" in wagers:
        position["decision"] = rng.choice(("play", "play", *terms.rulebook.decisions))
    tips = _tips(rng, terms, wagers, position.get("decision"))
    if tips:
        position["tips"] = tips
    return position


def _tips(rng: Random, terms: Terms, wagers: dict[str, int], decision: str | None) -> dict[str, int]:
    tips = {
        spot: rng.choice((1, 100, 250))
        for spot in sorted(terms.tip_spots - {"play"})
        if spot in wagers and rng.random() < 0.3
    }
    if decision == "play" and "ante" in tips and rng.random() < 0.5:
        tips["play"] = rng.randint(1, tips["ante"])
    return tips
