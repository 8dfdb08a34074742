"""A slow and plain settlement of Ultimate Texas Hold'em, written apart from the engine's, to hold the engine against.

It knows nothing of rulebook files: the rules stand below in words of its own, and an approval is read as it is written. It
checks nothing: a sheet that it gets has been let through.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

from games.cards import CARD_NUMBERS

Sheet = dict[str, Any]
Line = dict[str, Any]

ORDER = ("high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind",
         "straight_flush", "royal_flush")  # fmt: skip
BLIND = {"royal_flush": "500:1", "straight_flush": "50:1", "four_of_a_kind": "10:1", "full_house": "3:1", "flush": "3:2",
         "straight": "1:1"}  # fmt: skip
TRIPS = {"royal_flush": "50:1", "straight_flush": "40:1", "four_of_a_kind": "30:1", "full_house": "8:1", "flush": "7:1",
         "straight": "4:1", "three_of_a_kind": "3:1"}  # fmt: skip
QUALIFYING = {"nothing": 0, "pair": 1, "two_pair": 2, "three_of_a_kind": 3}


def rank_five(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Five cards as a tuple that compares as the hands do; its first is the place of the class in `ORDER`."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    often = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape = tuple(number for _, number in often)
    by_number = tuple(rank for rank, _ in often)
    if ranks == [12, 3, 2, 1, 0]:
        by_number, in_a_row = (3,), True
    else:
        in_a_row = len(often) == 5 and ranks[0] - ranks[4] == 4
    one_suit = len({card % 4 for card in cards}) == 1
    if in_a_row:
        top = by_number[:1]
        if one_suit:
            return (9, *top) if top == (12,) else (8, *top)
        return (4, *top)
    if one_suit:
        return (5, *by_number)
    place = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[shape]
    return (place, *by_number)


def best_of(cards: tuple[int, ...]) -> tuple[int, ...]:
    return max(rank_five(five) for five in combinations(cards, 5))


def cards_of(text: str) -> tuple[int, ...]:
    return tuple(CARD_NUMBERS[card] for card in text.split())


def pays(stake: int, odds: str) -> int:
    top, _, bottom = odds.partition(":")
    return int(stake * Fraction(int(top), int(bottom)))


def table_of(approval: Sheet, name: str, usual: dict[str, str]) -> dict[str, str]:
    if name not in approval:
        return usual
    return {
        hand: f"{odds}:1" if isinstance(odds, int) else odds
        for hand, odds in approval[name][0]["odds"].items()
    }


def settle(sheet: Sheet) -> list[Line]:
    """The lines of a round: seat, for, wager, outcome, owed, paid, taken, returned, uncovered."""
    options = sheet.get("options", {})
    approval = options.get("approval", {})
    seats = approval.get("seats", 8)
    first = sheet.get("action_seat", sheet["bank"]["seat"])
    way = -1 if approval.get("order", {}).get("direction") == "counter_clockwise" else 1
    in_order = sorted(sheet["positions"], key=lambda position: way * (position["seat"] - first) % seats)
    hands = [lines_of(position, sheet, approval) for position in in_order]
    cover = approval.get("bank", {}).get("coverage") or options.get("coverage", "gross")
    bank = sheet["bank"]["wager"]
    if cover == "funds":
        return by_funds(hands, bank)
    lines = [line for hand in hands for line in hand]
    if options.get("forfeits") == "first":
        lines = sorted(lines, key=lambda line: line["outcome"] != "forfeit")
    if options.get("tips") == "after_players":
        lines = sorted(lines, key=lambda line: line["for"] == "dealer")
    return by_wager(lines, bank, net=cover == "net")


def lines_of(position: Sheet, sheet: Sheet, approval: Sheet) -> list[Line]:
    stakes = dict(position["wagers"])
    if "ante" in stakes:
        stakes["blind"] = stakes["ante"]
    last = (position.get("decision") or "").split(" ")[-1]
    if last.endswith("x"):
        stakes["play"] = stakes["ante"] * int(last[0])
    order = approval.get("order", {}).get("lines", ["ante", "blind", "play", "trips"])
    tips = position.get("tips", {})
    staked = [("player", wager, stakes[wager]) for wager in order if wager in stakes]
    staked += [("dealer", wager, tips[wager]) for wager in order if wager in tips]
    lines = []
    for party, wager, stake in staked:
        outcome, odds = outcome_of(wager, position, sheet, approval, folded=last == "fold")
        owed = pays(stake, odds) if odds else 0
        lines.append(
            {
                "seat": position["seat"],
                "for": party,
                "wager": wager,
                "stake": stake,
                "outcome": outcome,
                "owed": owed,
            }
        )
    return lines


def outcome_of(
    wager: str, position: Sheet, sheet: Sheet, approval: Sheet, *, folded: bool
) -> tuple[str, str | None]:
    if folded and wager in approval.get("fold", {}).get("forfeits", ("ante", "blind")):
        return "forfeit", None
    board = cards_of(sheet["board"])
    mine, banks = best_of(cards_of(position["hand"]) + board), best_of(cards_of(sheet["bank_hand"]) + board)
    name = ORDER[mine[0]]
    if wager == "trips":
        odds = table_of(approval, "trips_table", TRIPS).get(name)
        return ("win", odds) if odds else ("lose", None)
    terms = approval.get("bank", {})
    if wager == "ante" and banks[0] < QUALIFYING[terms.get("qualifies", "pair")]:
        says = terms.get("unqualified_ante", "push")
        if says != "compared":
            return ("win", "1:1") if says == "paid" else ("push", None)
    if mine == banks:
        return "push", None
    if mine < banks:
        return "lose", None
    if wager != "blind":
        return "win", "1:1"
    odds = table_of(approval, "blind_table", BLIND).get(name)
    return ("win", odds) if odds else ("push", None)


def by_wager(lines: list[Line], wager: int, *, net: bool) -> list[Line]:
    """A bank that pays and takes no more than its wager: what it takes covers more, where it is net."""
    won = lost = 0
    for line in lines:
        can_pay = wager + won - lost if net else wager - won - lost
        can_take = wager - won + lost if net else can_pay
        decided = line["outcome"] != "push"
        room = can_pay if line["outcome"] == "win" else can_take
        if (not net and can_pay == 0) or (decided and room == 0):
            drop(line)
        else:
            fill(line, can_pay, can_take)
        won, lost = won + line["taken"], lost + line["paid"]
    return lines


def by_funds(hands: list[list[Line]], funds: int) -> list[Line]:
    """A bank that covers a hand as a whole, from what it has, or not at all."""
    for hand in hands:
        owed = sum(line["owed"] for line in hand)
        staked = sum(line["stake"] for line in hand if line["wager"] != "trips")
        for line in hand:
            if funds >= max(owed, staked):
                fill(line, line["owed"], line["stake"])
            else:
                drop(line)
        funds += sum(line["taken"] - line["paid"] for line in hand)
    return [line for hand in hands for line in hand]


def fill(line: Line, can_pay: int, can_take: int) -> None:
    lost = line["outcome"] in ("lose", "forfeit")
    line["paid"] = min(line["owed"], can_pay)
    line["taken"] = min(line["stake"], can_take) if lost else 0
    kept = line["paid"] > 0 and line["for"] == "dealer"  # a tip that wins goes to the dealer, stake and all
    line["returned"] = 0 if kept else line["stake"] - line["taken"]
    line["uncovered"] = line["stake"] - line["taken"] if lost else 0


def drop(line: Line) -> None:
    line.update(outcome="uncovered", owed=0, paid=0, taken=0, returned=line["stake"], uncovered=line["stake"])
