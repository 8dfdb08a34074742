"""The ante of a player who sees one card of the bank before deciding: best play by card, and what it is worth.

Every hand of a position meets each of the other 49 cards as the one that is shown, and for each pair the 1,128 hands
that then remain to the bank are counted exactly. Hands that are alike but for suits, with shown cards that are alike
beside them, are counted once. Suits matter here: they decide how many flushes the bank can hold, and near the limit
between playing and folding that turns the decision for some suits of a hand and not for others.
"""

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb

from games.cards import DECK, RANK_OF, RANKS, SUIT_OF, SUITS, Hand
from games.three_card_poker.hands import QUALIFYING, HandValue, value3
from games.three_card_poker.odds.ante_rules import AnteRules, won_unqualified, worth_of_playing
from games.three_card_poker.odds.showdown import (
    ANSWERS,
    DEALS,
    Compared,
    HandsAlike,
    bank_hands,
    hands_alike,
    short_name,
)
from games.three_card_poker.rulebook import COMPARED, PAID

SHOWN = 49
"""Cards that can be shown beside a given hand."""

LEFT = comb(48, 2)
"""Hands that the bank can hold once a card of it is shown: 1,128."""

_HOLDING_ONE = comb(51, 2)
_TAKEN = _HOLDING_ONE - LEFT
"""Of the hands of a whole deck that hold the shown card, those that a position's three cards rule out."""


@dataclass(frozen=True, slots=True)
class ShownCard:
    """Best play against one rank of shown card.

    `play_from` is the one limit that costs least: play this hand or a better one. `always_from` is the hand from which
    on every hand is played regardless of suits. `also_played` are hands below `play_from` that the exact best play
    plays, and `also_folded` hands from there up that it folds; a `*` marks those of which it does so with some suits
    alone. `played` is the chance that a hand is worth playing.
    """

    card: str
    play_from: str
    always_from: str
    also_played: tuple[str, ...]
    also_folded: tuple[str, ...]
    played: Fraction


@dataclass(frozen=True, slots=True)
class ShownCardOdds:
    """The bank's edge per unit of ante, the chance that the ante wins and that a hand is played, the ace shown first.

    `edge_by_limits` is the edge against a player who goes by `play_from` alone and ignores suits.
    """

    edge: Fraction
    hit: Fraction
    played: Fraction
    edge_by_limits: Fraction
    cards: tuple[ShownCard, ...]


@dataclass(slots=True)
class _Hand:
    """All hands of one value against one rank of shown card: what playing gains over folding, summed over the deals.

    `deals` and `won` count hand with shown card, the latter times the bank's hands; `best` is the gain where each is
    played or folded as is better.
    """

    gain: Fraction | int = 0
    best: Fraction | int = 0
    deals: int = 0
    played: int = 0
    won: int = 0

    def add(self, deals: int, worth: Fraction | int, won: int) -> None:
        gain = worth + LEFT  # a fold costs the ante, against each hand of the bank
        self.deals += deals
        self.gain += deals * gain
        if gain > 0:  # where both are worth the same, the hand is folded
            self.best += deals * gain
            self.played += deals
            self.won += deals * won


def _worth(unqualified: Compared, qualified: Compared, rules: AnteRules) -> tuple[int, int]:
    """Ante units won less lost by playing, and how often the ante wins, over the bank's hands."""
    won = won_unqualified(unqualified, rules.unqualified_ante) + qualified.lower
    return worth_of_playing(unqualified, qualified, rules), won


class _Counter:
    """The bank's hands that hold one shown card and none of a position's."""

    def __init__(self, rules: AnteRules) -> None:
        bank = bank_hands()
        self._rules, self._bound = rules, QUALIFYING[rules.qualifies]
        self._with_card, self._with_two = bank.with_card, bank.with_two
        #: By rank of the shown card: how many hands of a whole deck hold it and do not qualify.
        self.unqualified = [bisect_left(self._with_card[rank * 4], self._bound) for rank in range(13)]

    def compared(self, hand: Hand, value: HandValue, shown: int) -> tuple[Compared, Compared]:
        """The bank's hands that do not qualify, and those that do, against this hand."""
        with_card = self._with_card[shown]
        with_two = [self._with_two[(min(card, shown), max(card, shown))] for card in hand]
        with_three = [value3((shown, *two)) for two in combinations(hand, 2)]

        def below(bound: int) -> int:
            return (
                bisect_left(with_card, bound)
                - sum([bisect_left(each, bound) for each in with_two])
                + sum([each < bound for each in with_three])
            )

        lower, to_equal, unqualified = below(value), below(value + 1), below(self._bound)
        low, equal = min(lower, unqualified), min(to_equal, unqualified)
        return (
            Compared(low, equal - low, unqualified - equal),
            Compared(lower - low, to_equal - lower - (equal - low), LEFT - max(to_equal, unqualified)),
        )

    def bounds(self, value: HandValue, rank: int) -> tuple[int, int]:
        """Lower and upper bound of the worth of playing, for any hand of this value and any card of this rank.

        By the hands of a whole deck: at most `_TAKEN` of them are ruled out by the position's own cards. An ante bonus is
        left out.
        """
        with_card, idle = self._with_card[rank * 4], self.unqualified[rank]
        lower = bisect_left(with_card, value)
        higher = _HOLDING_ONE - bisect_left(with_card, value + 1)
        by = (self._rules.unqualified_ante, self._rules.unqualified_play)
        if value >= self._bound:
            # Twice all that is lower, less what the wagers do not win of the hands that do not qualify.
            lost = sum([each not in (COMPARED, PAID) for each in by])
            least = 2 * (lower - _TAKEN) - lost * idle - 2 * higher
            most = 2 * lower - lost * max(idle - _TAKEN, 0) - 2 * (higher - _TAKEN)
            return least, most
        won = [{COMPARED: lower, PAID: idle}.get(each, 0) for each in by]
        least = sum([max(each - _TAKEN, 0) for each in won]) - 2 * (LEFT - max(idle - _TAKEN, 0))
        return least, sum(won) - 2 * (LEFT - min(idle, LEFT))


def _alike(hand: Hand) -> list[tuple[int, int]]:
    """One shown card for each kind that is alike beside this hand, and how many there are of the kind.

    Suits in which the hand holds the same ranks can be exchanged for each other.
    """
    ranks = [tuple([RANK_OF[card] for card in hand if SUIT_OF[card] == suit]) for suit in range(len(SUITS))]
    kinds: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for card in DECK:
        if card not in hand:
            kinds.setdefault((RANK_OF[card], ranks[SUIT_OF[card]]), []).append(card)
    return [(cards[0], len(cards)) for cards in kinds.values()]


@lru_cache(maxsize=32)
def shown_card_odds(rules: AnteRules) -> ShownCardOdds:
    """Odds of an ante decided for each hand and shown card by exact comparison of playing and folding.

    ArithmeticError when a hand that is always played ranks below one that is sometimes folded against every card.
    """
    counter = _Counter(rules)
    gain: Fraction | int = 0  # of the hands that are played against any card
    deals_played = won = 0
    always: list[HandsAlike] = []
    ranks: list[defaultdict[HandValue, _Hand]] = [defaultdict(_Hand) for _ in range(13)]
    plain: dict[HandValue, list[bool] | None] = {}
    for each in hands_alike(rules.qualifies):
        bonus = rules.bonus_of(each.value.kind)
        if each.value not in plain:
            bounds = [counter.bounds(each.value, rank) for rank in range(13)]
            surely_played = all(least + bonus * LEFT > -LEFT for least, _ in bounds)
            plain[each.value] = (
                None if surely_played else [most + bonus * LEFT <= -LEFT for _, most in bounds]
            )
        folded = plain[each.value]
        if folded is None:
            # Summed over the shown cards, each hand of the bank is met three times: once for each of its cards.
            worth, wins = _worth(each.unqualified, each.qualified, rules)
            gain += each.hands * 3 * (worth + (1 + bonus) * ANSWERS)
            won += each.hands * 3 * wins
            deals_played += each.hands * SHOWN
            always.append(each)
            continue
        for shown, cards in _alike(each.cards):
            hands = ranks[RANK_OF[shown]][each.value]
            if folded[RANK_OF[shown]]:
                hands.add(each.hands * cards, -LEFT, 0)
                continue
            worth, wins = _worth(*counter.compared(each.cards, each.value, shown), rules)
            hands.add(each.hands * cards, worth + bonus * LEFT, wins)
    lowest = min(each.value for each in always)
    for hands_by_value in ranks:
        if any(hands.played < hands.deals for value, hands in hands_by_value.items() if value > lowest):
            raise ArithmeticError(f"{short_name(lowest)} is always played, and a better hand is not")
    best_play = [_shown_card(rank, ranks[rank], always) for rank in reversed(range(13))]
    counted = [hands for by_value in ranks for hands in by_value.values()]
    deals, best = DEALS * SHOWN, gain + sum(hands.best for hands in counted)
    by_limits = gain + sum(limited for _, limited in best_play)
    return ShownCardOdds(
        edge=1 - Fraction(best) / (deals * LEFT),
        hit=Fraction(won + sum(hands.won for hands in counted), deals * LEFT),
        played=Fraction(deals_played + sum(hands.played for hands in counted), deals),
        edge_by_limits=1 - Fraction(by_limits) / (deals * LEFT),
        cards=tuple(card for card, _ in best_play),
    )


def _shown_card(
    rank: int, by_value: dict[HandValue, _Hand], always: list[HandsAlike]
) -> tuple[ShownCard, Fraction | int]:
    """Best play against a shown card of this rank, and what going by its one limit gains over folding all."""
    values = sorted(by_value, reverse=True)
    gained: Fraction | int = 0
    most: Fraction | int = 0
    limit = min(each.value for each in always)
    for value in values:
        gained += by_value[value].gain
        if gained > most:
            most, limit = gained, value
    folded_somewhere = [value for value in values if by_value[value].played < by_value[value].deals]
    every = [*(each.value for each in always), *values]
    always_from = min(value for value in every if not folded_somewhere or value > folded_somewhere[0])
    beside = sum(each.hands * (4 - sum(RANK_OF[card] == rank for card in each.cards)) for each in always)
    deals = beside + sum(hands.deals for hands in by_value.values())
    played = beside + sum(hands.played for hands in by_value.values())

    def named(value: HandValue) -> str:
        hands = by_value[value]
        return short_name(value) + ("*" if 0 < hands.played < hands.deals else "")

    card = ShownCard(
        card=RANKS[rank],
        play_from=short_name(limit),
        always_from=short_name(always_from),
        also_played=tuple(named(value) for value in values if value < limit and by_value[value].played),
        also_folded=tuple(named(value) for value in folded_somewhere if value >= limit),
        played=Fraction(played, deals),
    )
    return card, most
