"""A slow and plain settlement of all five rulebooks, written apart from the engine's, to compare the engine with.

It goes by the names of rulebooks and options, knows nothing of the switches in `games/three_card_poker/rulebooks/*.toml`,
and takes only the odds of the paytables from there. It checks nothing: a sheet that it gets has been let through.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

from games.cards import CARD_NUMBERS
from games.registry import load_rulebook
from games.rulebook import Rulebook

from .naive_hands import HIGH, PAIR, QUEEN_HIGH, STRAIGHT_FLUSH, Rank, class_of_six, rank_three

Sheet = dict[str, Any]
Line = dict[str, Any]

CLASSES = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
TIPPED = ("ante", "play", "pair_plus", "six_card_bonus")
ORDER = {
    "california": ("ante", "play", "pair_plus", "six_card_bonus"),
    "designated_player": ("ante", "play", "pair_plus", "six_card_bonus"),
    "massachusetts": ("ante", "play", "ante_bonus", "pair_plus", "six_card_bonus"),
    "south_dakota": ("play", "ante_bonus", "ante", "pair_plus", "six_card_bonus"),
    "shuffle_master": ("ante", "play", "ante_bonus", "pair_plus", "bad_beat"),
}
FOLDED = {
    "california": {"ante", "pair_plus"},
    "designated_player": {"ante", "pair_plus"},
    "massachusetts": {"ante"},
    "south_dakota": {"ante", "pair_plus"},
    "shuffle_master": {"ante", "pair_plus", "bad_beat"},
}
SURRENDERED = {"ante", "pair_plus", "six_card_bonus"}
#: The lowest hand with which a bank qualifies.
LOWEST = {
    "nothing": (HIGH,), "jack_high": (HIGH, 9), "queen_high": QUEEN_HIGH, "king_high": (HIGH, 11),
    "ace_high": (HIGH, 12), "pair": (PAIR,),
}  # fmt: skip
ENVY = {"mini_royal_spades": 10_000, "mini_royal": 2_500}


def cards_of(text: str) -> tuple[int, ...]:
    return tuple(CARD_NUMBERS[card] for card in text.split())


def name_of_class(cards: tuple[int, ...]) -> str:
    """The class of three cards, a mini royal and one of spades by names of their own."""
    rank = rank_three(cards)
    if rank == (STRAIGHT_FLUSH, 12):
        return "mini_royal_spades" if cards[0] % 4 == CARD_NUMBERS["As"] % 4 else "mini_royal"
    return CLASSES[rank[0]]


def odds_of(table: dict[str, str], hand: str) -> str | None:
    """The odds of a table for a hand; without a line of its own a mini royal is the next best thing."""
    for name in {
        "mini_royal_spades": (hand, "mini_royal", "straight_flush"),
        "mini_royal": (hand, "straight_flush"),
    }.get(hand, (hand,)):
        if name in table:
            return table[name]
    return None


def pays(stake: int, odds: str) -> int:
    """Whole cents of a win, rounded down."""
    if " for " in odds:
        return stake * int(odds.split(" ", maxsplit=1)[0])
    top, _, bottom = odds.partition(":")
    return int(stake * Fraction(int(top), int(bottom)))


def joined(hands: list[list[Line]]) -> list[Line]:
    return [line for hand in hands for line in hand]


class Naive:
    """One round at hand."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.name = sheet, sheet["rulebook"]
        self.book: Rulebook = load_rulebook(self.name)
        self.options = sheet.get("options", {})
        self.bank_cards = cards_of(sheet["bank_hand"])
        self.bank_rank = rank_three(self.bank_cards)
        #: What a room's own approval says otherwise.
        self.approval = self.options.get("approval", {})
        self.bank_terms = self.approval.get("bank", {})
        self.qualified = self.bank_rank >= LOWEST[self.bank_terms.get("qualifies", "queen_high")]
        self.positions = [
            {"tips": {}, "decision": None, "player": f"seat {position['seat']}", **position}
            for position in sheet["positions"]
        ]

    def table(self, kind: str, chosen: str) -> dict[str, str]:
        return {hand: odds.text for hand, odds in getattr(self.book, kind)[chosen].printed.items()}

    def approved_table(self, kind: str) -> dict[str, str] | None:
        """The approval's own table; a number N stands for N to 1."""
        if kind not in self.approval:
            return None
        odds = self.approval[kind][0]["odds"]
        return {hand: f"{each}:1" if isinstance(each, int) else each for hand, each in odds.items()}

    def pair_plus_table(self) -> dict[str, str]:
        if (approved := self.approved_table("pair_plus_tables")) is not None:
            return approved
        own = self.options.get("pair_plus_table")
        if isinstance(own, dict):
            return {hand: f"{odds}:1" for hand, odds in own.items()}
        if self.name == "shuffle_master":
            designator = self.book.designators[self.options.get("designator", "TCP-01")]
            return self.table("pair_plus_tables", designator.pair_plus)
        return self.table("pair_plus_tables", self.name)

    def ante_bonus_table(self) -> dict[str, str]:
        if (approved := self.approved_table("ante_bonus_tables")) is not None:
            return approved
        if self.name == "shuffle_master":
            designator = self.book.designators[self.options.get("designator", "TCP-01")]
            return self.table("ante_bonus_tables", designator.ante_bonus)
        if self.name in ("massachusetts", "south_dakota"):
            usual = "standard" if self.options.get("version", "standard") == "standard" else "A"
            return self.table("ante_bonus_tables", self.options.get("ante_bonus_table", usual))
        return {}

    def settle(self) -> Sheet:
        seats = self.in_order()
        hands = [self.lines_of(position) for position in seats]
        bank = self.sheet.get("bank")
        dead: set[Any] = set()
        cover = self.bank_terms.get("coverage")
        if cover == "funds" or (self.name == "designated_player" and cover is None):
            lines, account, dead = self.by_funds(hands, bank["wager"])
        elif bank:
            lines, account = self.by_wager(self.arranged(hands), bank["wager"])
            dead = {
                (hand[0]["seat"], hand[0]["player"])
                for hand in hands
                if all(line["outcome"] == "uncovered" for line in hand)
            }
        else:
            lines, account = [*joined(hands), *self.late_lines()], None
            for line in lines:
                full(line)
                line["bank_remaining"] = None
        return self.summed(lines, account, dead)

    def in_order(self) -> list[Sheet]:
        if self.name == "massachusetts":
            return sorted(self.positions, key=lambda position: -position["seat"])
        if self.name in ("south_dakota", "shuffle_master"):
            return sorted(self.positions, key=lambda position: position["seat"])
        first = self.sheet.get("action_seat", self.sheet["bank"]["seat"])
        places = self.approval.get("seats", self.book.seats)
        way = -1 if self.approval.get("order", {}).get("direction") == "counter_clockwise" else 1
        return sorted(self.positions, key=lambda position: way * (position["seat"] - first) % places)

    @property
    def order(self) -> tuple[str, ...]:
        """The lines of a seat: the approval's, or the document's with an ante bonus put in where the approval has one."""
        usual = ORDER[self.name]
        if "ante_bonus_tables" in self.approval and "ante_bonus" not in usual:
            usual = ("ante", "play", "ante_bonus", *usual[2:])
        return tuple(self.approval.get("order", {}).get("lines", usual))

    def lines_of(self, position: Sheet) -> list[Line]:
        """A seat's lines, each with what it comes to if everything is covered."""
        stakes = dict(position["wagers"])
        if position["decision"] == "play":
            stakes["play"] = stakes["ante"]
        lines = []
        for wager in self.order:
            if wager == "ante_bonus":
                odds = odds_of(self.ante_bonus_table(), name_of_class(cards_of(position["hand"])))
                if position["decision"] == "play" and odds is not None:
                    lines.append(
                        {**self.line(position, wager, 0, "win", odds), "full": pays(stakes["ante"], odds)}
                    )
            elif wager in stakes:
                lines.append(self.line(position, wager, stakes[wager], *self.outcome(position, wager)))
        for wager in self.order:
            if wager in position["tips"]:
                tip = self.line(position, wager, position["tips"][wager], *self.outcome(position, wager))
                lines.append({**tip, "for": "dealer"})
        return lines

    def line(self, position: Sheet, wager: str, stake: int, outcome: str, odds: str | None) -> Line:
        won = pays(stake, odds) if outcome == "win" and odds else 0
        return {
            "seat": position["seat"], "player": position["player"], "for": "player", "wager": wager, "stake": stake,
            "outcome": outcome, "odds": odds, "full": won,
        }  # fmt: skip

    def outcome(self, position: Sheet, wager: str) -> tuple[str, str | None]:  # noqa: C901
        cards, decision = cards_of(position["hand"]), position["decision"]
        rank = rank_three(cards)
        folded = set(self.approval.get("fold", {}).get("forfeits", FOLDED[self.name]))
        given_up = {"fold": folded, "surrender": SURRENDERED}.get(decision, set())
        if decision == "fold" and self.options.get("pair_plus_on_fold") == "evaluate":
            given_up = given_up - {"pair_plus"}
        if wager in given_up:
            return "forfeit", None
        if wager in ("ante", "play"):
            if not self.qualified:
                if (says := self.bank_terms.get(f"unqualified_{wager}")) is not None:
                    return self.as_approved(says, rank)
                if wager == "play":
                    return ("push" if self.name in ("south_dakota", "shuffle_master") else "no_action"), None
                if self.name == "california":
                    return ("win", "1:1") if rank > self.bank_rank else ("push", None)
                return "win", "1:1"
            if rank == self.bank_rank:
                return "push", None
            return ("win", "1:1") if rank > self.bank_rank else ("lose", None)
        if wager == "pair_plus":
            odds = odds_of(self.pair_plus_table(), name_of_class(cards))
            if self.options.get("pair_plus_requires_win") and self.qualified and rank <= self.bank_rank:
                odds = None
        elif wager == "six_card_bonus":
            approved = self.approved_table("six_card_bonus_tables")
            chosen = self.options.get("six_card_bonus_table", "TCP-6B4")
            table = self.table("six_card_bonus_tables", chosen) if approved is None else approved
            odds = table.get(class_of_six(cards + self.bank_cards))
        else:
            odds = self.bad_beat(rank)
        return ("lose", None) if odds is None else ("win", odds)

    def as_approved(self, says: str, rank: Rank) -> tuple[str, str | None]:
        """A wager against a bank that does not qualify, as an approval has it."""
        if says == "paid" or (says == "compared" and rank > self.bank_rank):
            return "win", "1:1"
        return ("no_action" if says == "no_action" else "push"), None

    def bad_beat(self, rank: Rank) -> str | None:
        lower = min(rank, self.bank_rank)
        if rank == self.bank_rank or lower[0] < PAIR or self.book.bad_beat_table is None:
            return None
        return self.book.bad_beat_table.printed[CLASSES[lower[0]]].text

    def arranged(self, hands: list[list[Line]]) -> list[Line]:
        """California: the seats in turn, or forfeits first; tips with their seat, or after all wagers."""
        lines = joined(hands)
        forfeits_first = self.options.get("forfeits") == "first"
        tips_last = self.options.get("tips") == "after_players"

        def place(line: Line) -> tuple[bool, bool]:
            return tips_last and line["for"] == "dealer", forfeits_first and line["outcome"] != "forfeit"

        return sorted(lines, key=place)  # keeps the order of lines whose place is the same

    def by_wager(self, lines: list[Line], wager: int) -> tuple[list[Line], Sheet]:
        """California: a bank that can pay and take no more than its wager."""
        net = self.bank_terms.get("coverage", self.options.get("coverage")) == "net"
        won = lost = 0
        limited = False
        for line in lines:
            can_pay = wager + won - lost if net else wager - won - lost
            can_take = wager - won + lost if net else can_pay
            goes, stays = line["outcome"] == "win", line["outcome"] in ("push", "no_action")
            if (not net and can_pay == 0) or (not stays and (can_pay if goes else can_take) == 0):
                uncovered(line)
                limited = True
            else:
                full(line, can_pay, can_take)
                limited = limited or line["short"] > 0 or line["uncovered"] > 0
            won, lost = won + line["taken"], lost + line["paid"]
            line["bank_remaining"] = wager + won - lost if net else wager - won - lost
        remaining = lines[-1]["bank_remaining"]
        exhausted = limited if net else remaining == 0
        return lines, {"won": won, "lost": lost, "remaining": remaining, "exhausted": exhausted}

    def by_funds(self, hands: list[list[Line]], funds: int) -> tuple[list[Line], Sheet, set[Any]]:
        """Designated player: a hand is covered as a whole from what the bank has, or dead."""
        won = lost = 0
        dead: set[Any] = set()
        for hand in hands:
            owed = sum(line["full"] for line in hand)
            staked = sum(line["stake"] for line in hand if line["wager"] in ("ante", "play"))
            covered = funds >= owed and funds >= staked
            for line in hand:
                (full if covered else uncovered)(line)
                won, lost = won + line["taken"], lost + line["paid"]
                funds += line["taken"] - line["paid"]
                line["bank_remaining"] = funds
            if not covered:
                dead.add((hand[0]["seat"], hand[0]["player"]))
        return joined(hands), {"won": won, "lost": lost, "remaining": funds, "exhausted": bool(dead)}, dead

    def late_lines(self) -> list[Line]:
        """The house's wagers that look past their own seat; from the highest seat down."""
        down = sorted(self.positions, key=lambda position: -position["seat"])
        bettors = [position for position in down if "progressive" in position["wagers"]]
        lines = [self.progressive(position) for position in bettors]
        firsts = {position["player"]: position for position in reversed(bettors)}
        for position in bettors:
            if firsts[position["player"]] is not position:
                continue
            for hit in down:
                amount = ENVY.get(name_of_class(cards_of(hit["hand"])), 0)
                carries = self.name == "massachusetts" or hit in bettors
                if (
                    amount
                    and carries
                    and hit["decision"] != "surrender"
                    and hit["player"] != position["player"]
                ):
                    lines.append({**self.line(position, "envy", 0, "win", None), "full": amount})
        lines += [self.cover_all(position) for position in down if "cover_all" in position["wagers"]]
        return lines

    def progressive(self, position: Sheet) -> Line:
        table = self.table("progressive_tables", str(self.options.get("progressive_table", 1)))
        odds = table.get(name_of_class(cards_of(position["hand"])))
        folded = position["decision"] == "fold" and not self.options.get("progressive_on_fold", True)
        stake = position["wagers"]["progressive"]
        if odds is None or folded or position["decision"] == "surrender":
            return self.line(position, "progressive", stake, "lose", None)
        if "meter" in odds:
            line = self.line(position, "progressive", stake, "win", None)
            return {**line, "odds": odds, "full": self.sheet["meter"]}
        return self.line(position, "progressive", stake, "win", odds)

    def cover_all(self, position: Sheet) -> Line:
        hands = [self.bank_cards, *(cards_of(each["hand"]) for each in self.positions)]
        best = name_of_class(max(hands, key=rank_three))
        odds = odds_of(self.table("cover_all_tables", str(len(self.positions))), best)
        stake = position["wagers"]["cover_all"]
        return self.line(position, "cover_all", stake, "lose" if odds is None else "win", odds)

    def summed(self, lines: list[Line], account: Sheet | None, dead: set[Any]) -> Sheet:
        net: Counter[str] = Counter()
        for position in self.positions:
            net[position["player"]] += 0
        for seq, line in enumerate(lines, 1):
            del line["full"]
            line["seq"] = seq
            net[line["player"]] += -line["stake"] if line["toked"] else line["paid"] - line["taken"]
        action = sum(position["wagers"].get("ante", 0) for position in self.positions)
        fees = self.fees(action, dead)
        bank = self.sheet.get("bank")
        meter = [line["paid"] for line in lines if line["odds"] == "100% of the meter"]
        return {
            "rulebook": self.name,
            "qualified": self.qualified,
            "total_table_action": action,
            "fees": fees,
            "lines": lines,
            "bank": account and {**bank, **account, "net": account["won"] - account["lost"]},
            "net": dict(net),
            "drop": sum(fee["cents"] for fee in fees),
            "tokes": sum(line["toked"] for line in lines),
            "meter_paid": sum(meter),
        }

    def fees(self, action: int, dead: set[Any]) -> list[Sheet]:
        schedule, rake = self.options.get("fee_schedule"), self.options.get("house_rake")
        by_player, by_bank = 0, 0
        live = [each for each in self.positions if not rake or (each["seat"], each["player"]) not in dead]
        if schedule:
            by_player, by_bank = 100, 200 if action >= {1: 10_100, 2: 20_100}[schedule] else 100
        if rake:
            by_player = 0 if rake["mode"] == "bank_only" else rake["cents"]
            by_bank = 0 if rake["mode"] == "all_but_bank" or not live else rake["cents"]
        fees = [
            {"payer": position["player"], "seat": position["seat"], "cents": by_player}
            for position in live
            if by_player
        ]
        if by_bank:
            fees.append({"payer": "bank", "seat": self.sheet["bank"]["seat"], "cents": by_bank})
        return fees


def uncovered(line: Line) -> None:
    """Nothing of the wager had action."""
    stake = line["stake"]
    line.update(
        outcome="uncovered",
        odds=None,
        owed=0,
        paid=0,
        taken=0,
        returned=stake,
        toked=0,
        short=0,
        uncovered=stake,
    )


def full(line: Line, can_pay: int | None = None, can_take: int | None = None) -> None:
    """A wager as far as the bank can pay or take it; without bounds in full."""
    stake, owed = line["stake"], line["full"]
    wins, loses = line["outcome"] == "win", line["outcome"] in ("lose", "forfeit")
    paid = owed if can_pay is None else min(owed, can_pay)
    taken = (stake if can_take is None else min(stake, can_take)) if loses else 0
    if line["wager"] == "progressive":
        taken = stake
    toked = stake + paid if wins and line["for"] == "dealer" else 0
    line.update(
        owed=owed, paid=paid, taken=taken, returned=0 if toked else stake - taken, toked=toked, short=owed - paid,
        uncovered=stake - taken if loses else 0,
    )  # fmt: skip


def settle(sheet: Sheet) -> Sheet:
    """The settlement of a sheet, without clauses and reasons."""
    return Naive(sheet).settle()
