"""The script a programmer writes in an afternoon: California rounds as JSON Lines in, settlements out.

It is what `settle --batch` is timed against. It knows one jurisdiction with its options as they come, checks
nothing, gives no clause and no reason, and finds the best five of six cards by ranking all six fives; so it does
less than the engine. The benchmark holds its figures against the engine's before it takes any time.

    python tests/bench/naive_settle.py FILE
"""

import json
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

RANKS = "23456789TJQKA"
HIGH, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH, MINI_ROYAL = range(7)
QUEEN_HIGH = (HIGH, 10)
PAIR_PLUS = {PAIR: 1, FLUSH: 3, STRAIGHT: 6, THREE: 30, STRAIGHT_FLUSH: 40, MINI_ROYAL: 200}
SIX_CARD_BONUS = (0, 7, 10, 15, 20, 100, 200, 1000)
#: Schedule: least total table action from which the bank pays its second rate.
SECOND_RATE_FROM = {1: 10_100, 2: 20_100}
FEE = 100

Hand = tuple[int, ...]


def rank_three(cards: list[str]) -> Hand:
    """Three cards as a tuple that compares as the hands do."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    wheel = ranks == [12, 1, 0]
    if wheel or (len(set(ranks)) == 3 and ranks[0] - ranks[2] == 2):
        top = 1 if wheel else ranks[0]
        if flush:
            return (MINI_ROYAL if top == 12 else STRAIGHT_FLUSH, top)
        return (STRAIGHT, top)
    counts = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    if counts[0][1] == 3:
        return (THREE, ranks[0])
    if flush:
        return (FLUSH, *ranks)
    if counts[0][1] == 2:
        return (PAIR, counts[0][0], counts[1][0])
    return (HIGH, *ranks)


def rank_five(cards: tuple[str, ...]) -> int:
    """What five cards pay by: the place in SIX_CARD_BONUS."""
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    flush = len({card[1] for card in cards}) == 1
    counts = sorted(Counter(ranks).values())
    straight = len(counts) == 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, 12])
    if straight and flush:
        return 7 if ranks[0] == 8 else 6
    if counts[-1] == 4:
        return 5
    if counts == [2, 3]:
        return 4
    if flush:
        return 3
    if straight:
        return 2
    return 1 if counts[-1] == 3 else 0


def settle(sheet: dict[str, Any]) -> dict[str, Any]:  # noqa: C901, PLR0912, PLR0915  written as such scripts are
    """The settlement of a sheet whose coverage is gross."""
    bank = sheet["bank"]
    bank_cards = sheet["bank_hand"].split()
    bank_rank = rank_three(bank_cards)
    qualified = bank_rank >= QUEEN_HIGH
    left, won, lost = bank["wager"], 0, 0
    lines: list[dict[str, Any]] = []
    net: dict[str, int] = {}
    start = sheet.get("action_seat", bank["seat"])
    positions = sheet["positions"]
    for position in positions:
        net[position.get("player", f"seat {position['seat']}")] = 0
    for position in sorted(positions, key=lambda position: (position["seat"] < start, position["seat"])):
        player = position.get("player", f"seat {position['seat']}")
        cards = position["hand"].split()
        rank = rank_three(cards)
        stakes = dict(position["wagers"])
        folded = position.get("decision") == "fold"
        if position.get("decision") == "play":
            stakes["play"] = stakes["ante"]
        for wager in ("ante", "play", "pair_plus", "six_card_bonus"):
            if wager not in stakes:
                continue
            stake, pays, outcome = stakes[wager], 0, "lose"
            if folded and wager in ("ante", "pair_plus"):
                outcome = "forfeit"
            elif wager == "pair_plus":
                pays = PAIR_PLUS.get(rank[0], 0)
            elif wager == "six_card_bonus":
                pays = SIX_CARD_BONUS[max(rank_five(five) for five in combinations(cards + bank_cards, 5))]
            elif not qualified:
                if wager == "play":
                    outcome = "no_action"
                elif rank > bank_rank:
                    pays = 1
                else:
                    outcome = "push"
            elif rank > bank_rank:
                pays = 1
            elif rank == bank_rank:
                outcome = "push"
            if pays:
                outcome = "win"
            owed = stake * pays
            paid = taken = uncovered = 0
            if not left:
                outcome, owed, pays, uncovered = "uncovered", 0, 0, stake
            elif outcome == "win":
                paid = min(owed, left)
                left, lost = left - paid, lost + paid
            elif outcome in ("lose", "forfeit"):
                taken = min(stake, left)
                left, won, uncovered = left - taken, won + taken, stake - taken
            net[player] += paid - taken
            lines.append({
                "seq": len(lines) + 1, "seat": position["seat"], "player": player, "for": "player", "wager": wager,
                "stake": stake, "outcome": outcome, "odds": f"{pays}:1" if pays else None, "owed": owed, "paid": paid,
                "taken": taken, "returned": stake - taken, "toked": 0, "short": owed - paid, "uncovered": uncovered,
                "bank_remaining": left,
            })  # fmt: skip
    action = sum(position["wagers"]["ante"] for position in positions)
    fees = []
    schedule = sheet.get("options", {}).get("fee_schedule")
    if schedule:
        for position in positions:
            player = position.get("player", f"seat {position['seat']}")
            fees.append({"payer": player, "seat": position["seat"], "cents": FEE})
        bank_fee = 2 * FEE if action >= SECOND_RATE_FROM[schedule] else FEE
        fees.append({"payer": "bank", "seat": bank["seat"], "cents": bank_fee})
    return {
        "rulebook": "california", "qualified": qualified, "total_table_action": action, "fees": fees, "lines": lines,
        "bank": {
            "seat": bank["seat"], "wager": bank["wager"], "won": won, "lost": lost, "net": won - lost,
            "remaining": left, "exhausted": left == 0,
        },
        "net": net, "drop": sum(fee["cents"] for fee in fees), "tokes": 0, "meter_paid": 0,
    }  # fmt: skip


def main(name: str) -> None:
    """Settle a file."""
    with Path(name).open(encoding="utf-8") as file:
        for line in file:
            print(json.dumps(settle(json.loads(line))))


if __name__ == "__main__":
    main(sys.argv[1])
