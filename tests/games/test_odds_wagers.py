"""The worth of each kind of wager, on tables given here, against the literature and against slow counting."""

import random
from fractions import Fraction
from itertools import combinations

import pytest

from games.collection import PrintedBand, PrintedSchedule
from games.money import WHOLE_METER, Odds, parse_odds, to_one
from games.three_card_poker.hands import CLASS_IDS, SIX_CARD_IDS, HandClass
from games.three_card_poker.odds.ante import best_ante, with_fees
from games.three_card_poker.odds.ante_rules import AnteRules, worth_of_playing
from games.three_card_poker.odds.progressive import progressive
from games.three_card_poker.odds.showdown import ANSWERS, DEALS, HandsAlike, hands_alike
from games.three_card_poker.odds.side_wagers import (
    against_paytable,
    bad_beat,
    cover_all,
    pair_plus,
    pair_plus_if_won,
    six_card_bonus,
)
from tests.games import naive_hands as naive

Table = list[Odds | None]

#: The ante of three documents, and that of California, of which no card is shown here.
PAID = AnteRules("queen_high", "paid", "no_action")
COMPARED = AnteRules("queen_high", "compared", "no_action")


def with_bonus(bonus: Table | None) -> AnteRules:
    return PAID._replace(bonus=None if bonus is None else tuple(bonus))


def worth(each: HandsAlike, rules: AnteRules) -> int:
    return worth_of_playing(each.unqualified, each.qualified, rules)


def by_class(names: tuple[str, ...] = CLASS_IDS, /, **to: int) -> Table:
    """Odds to one by class; a mini royal without odds of its own pays as a straight flush."""
    if names is CLASS_IDS and "straight_flush" in to:
        to.setdefault("mini_royal", to["straight_flush"])
        to.setdefault("mini_royal_spades", to["mini_royal"])
    return [to_one(to[name]) if name in to else None for name in names]


def in_percent(share: Fraction, places: int = 2) -> float:
    return round(float(share * 100), places)


@pytest.mark.parametrize(
    ("bonus", "edge"),
    [
        # The three ante bonus tables of the literature, and the ante bare.
        (by_class(straight=1, three_of_a_kind=4, straight_flush=5), 3.37),
        (by_class(straight=1, three_of_a_kind=3, straight_flush=5), 3.61),
        (by_class(straight=1, three_of_a_kind=3, straight_flush=4), 3.83),
        (None, 8.66),
    ],
)
def test_the_ante_costs_what_the_literature_says(bonus: Table | None, edge: float) -> None:
    odds = best_ante(with_bonus(bonus))
    assert in_percent(odds.edge) == edge
    assert odds.decision == "play Q-6-4 or better"
    assert in_percent(odds.played) == 67.42


def worth_by_hand(cards: tuple[int, int, int], rules: AnteRules) -> int:
    """An ante's worth when played, over each of the bank's hands, by the rules as one would say them."""
    own, worth = naive.rank_three(cards), 0
    for bank in combinations(sorted(set(range(52)) - set(cards)), 3):
        rank = naive.rank_three(bank)
        if rank >= LOWEST[rules.qualifies]:
            worth += 2 * ((own > rank) - (own < rank))
            continue
        for unqualified in (rules.unqualified_ante, rules.unqualified_play):
            worth += unqualified == "paid" or (unqualified == "compared" and own > rank)
    return worth


@pytest.mark.parametrize("rules", [PAID, COMPARED])
def test_the_decision_turns_between_q_6_4_and_q_6_3_hand_by_hand(rules: AnteRules) -> None:
    q_6_4 = [each for each in hands_alike() if naive.rank_three(each.cards) == (naive.HIGH, 10, 4, 2)]
    q_6_3 = [each for each in hands_alike() if naive.rank_three(each.cards) == (naive.HIGH, 10, 4, 1)]
    assert sum(each.hands for each in q_6_4) == sum(each.hands for each in q_6_3) == 60
    for each in (*q_6_4, *q_6_3, *random.Random(64).sample(hands_alike(), 6)):
        assert worth(each, rules) == worth_by_hand(each.cards, rules)
    assert min(worth(each, rules) for each in q_6_4) > -ANSWERS
    assert max(worth(each, rules) for each in q_6_3) < -ANSWERS


#: The lowest hand with which a bank qualifies, as the naive ranking has it.
LOWEST = {
    "nothing": (naive.HIGH,), "jack_high": (naive.HIGH, 9), "queen_high": naive.QUEEN_HIGH,
    "king_high": (naive.HIGH, 11), "ace_high": (naive.HIGH, 12), "pair": (naive.PAIR,),
}  # fmt: skip


@pytest.mark.parametrize("qualifies", LOWEST)
@pytest.mark.parametrize("unqualified", ["compared", "paid", "push"])
def test_other_qualifying_hands_are_counted_hand_by_hand(qualifies: str, unqualified: str) -> None:
    chance = random.Random(f"{qualifies} {unqualified}")
    rules = AnteRules(qualifies, unqualified, chance.choice(["compared", "paid", "push", "no_action"]))
    for each in chance.sample(hands_alike(qualifies), 3):
        assert worth(each, rules) == worth_by_hand(each.cards, rules)


def test_comparing_the_ante_below_queen_high_costs_a_good_player_nothing() -> None:
    """Whoever plays Q-6-4 or better beats every hand that does not qualify, so that the ante wins either way."""
    assert best_ante(COMPARED) == best_ante(PAID)


def test_comparing_the_ante_costs_whoever_plays_everything() -> None:
    compared, at_once = (
        Fraction(
            sum(each.hands * worth(each, rules) for each in hands_alike()),
            DEALS * ANSWERS,
        )
        for rules in (COMPARED, PAID)
    )
    # The literature gives 7.65% for playing every hand, with a bonus worth 1168 in 22,100.
    assert in_percent(-at_once - Fraction(1168, 22100)) == 7.65
    assert compared < at_once


def test_a_bonus_that_pays_every_hand_lets_every_hand_be_played() -> None:
    every = best_ante(with_bonus([to_one(1)] * len(CLASS_IDS)))
    assert (
        every.played == Fraction(1) and every.decision == "play every hand" and every.highest_folded is None
    )
    played = sum(each.hands * worth(each, PAID) for each in hands_alike())
    assert every.edge == -1 - Fraction(played, DEALS * ANSWERS)


FEES = PrintedSchedule(
    1, 500, 10000, 100, (PrintedBand(500, 100, "low"), PrintedBand(10100, 200, "high")), "limit", "player"
)


def test_fees_come_on_top_of_the_ante_and_off_the_banks_win() -> None:
    ante = best_ante(COMPARED)
    counted = with_fees(ante, FEES, ante_cents=1000, action_cents=6000)
    assert counted.edge == ante.edge + Fraction(1, 10)
    assert counted.player_loss_cents == 1000 * ante.edge + 100
    assert counted.bank_win_cents == 6000 * ante.edge - 100
    assert counted.bank_edge == ante.edge - Fraction(1, 60)


@pytest.mark.parametrize(("action_cents", "fee_cents"), [(10099, 100), (10100, 200)])
def test_the_banks_fee_is_that_of_its_band(action_cents: int, fee_cents: int) -> None:
    counted = with_fees(best_ante(COMPARED), FEES, ante_cents=500, action_cents=action_cents)
    assert counted.bank_fee_cents == fee_cents


@pytest.mark.parametrize(
    ("ante_cents", "action_cents", "message"),
    [(499, 6000, "least"), (10001, 20000, "highest"), (1000, 900, "less")],
)
def test_an_ante_or_action_that_cannot_be_is_refused(
    ante_cents: int, action_cents: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        with_fees(best_ante(COMPARED), FEES, ante_cents=ante_cents, action_cents=action_cents)


@pytest.mark.parametrize(
    ("table", "edge"),
    [
        # Figures of the literature for straight flush, three of a kind, straight, flush, pair.
        ((40, 30, 6, 4, 1), 2.32),
        ((40, 25, 6, 4, 1), 3.49),
        ((40, 30, 5, 4, 1), 5.57),
        ((40, 30, 6, 3, 1), 7.28),
        ((35, 33, 6, 4, 1), 2.70),
        ((50, 30, 6, 3, 1), 5.10),
    ],
)
def test_pair_plus_costs_what_the_literature_says(table: tuple[int, ...], edge: float) -> None:
    names = ("straight_flush", "three_of_a_kind", "straight", "flush", "pair")
    odds = pair_plus(by_class(**dict(zip(names, table, strict=True))))
    assert in_percent(odds.edge) == edge
    assert in_percent(odds.hit) == 25.61


def test_a_mini_royal_line_can_turn_pair_plus_to_the_players() -> None:
    table = by_class(mini_royal=200, straight_flush=50, three_of_a_kind=30, straight=6, flush=4, pair=1)
    assert pair_plus(table).edge == Fraction(-142, 5525)


def test_pair_plus_that_must_win_counts_only_hands_that_win() -> None:
    """Each class's share by the naive evaluator, on a deal of random hands of a fixed seed."""
    table = by_class(straight_flush=40, three_of_a_kind=30, straight=6, flush=4, pair=1)
    free, tied = pair_plus(table), pair_plus_if_won(table)
    assert tied.edge > free.edge
    dealt, deal, hits = 30_000, random.Random(19), 0
    for _ in range(dealt):
        cards = deal.sample(range(52), 6)
        own, bank = naive.rank_three(tuple(cards[:3])), naive.rank_three(tuple(cards[3:]))
        hits += own[0] >= naive.PAIR and (bank < naive.QUEEN_HIGH or own > bank)
    chance = float(tied.hit)
    assert abs(hits - dealt * chance) <= 5 * (dealt * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize(
    ("table", "edge"),
    [
        # Royal flush, straight flush, four of a kind, full house, flush, straight, three of a kind.
        ((1000, 200, 50, 25, 15, 10, 5), 15.28),
        ((1000, 200, 100, 20, 15, 10, 7), 8.56),
    ],
)
def test_the_six_card_bonus_costs_what_is_published(table: tuple[int, ...], edge: float) -> None:
    names = dict(zip(reversed(SIX_CARD_IDS), table, strict=False))
    odds = six_card_bonus(by_class(SIX_CARD_IDS, **names))
    assert in_percent(odds.edge) == edge
    assert in_percent(odds.hit, 4) == 7.2798


def test_bad_beat_is_19_8595_percent_and_not_the_figure_in_print() -> None:
    odds = bad_beat(by_class(straight_flush=15000, three_of_a_kind=5000, straight=100, flush=35, pair=4))
    assert in_percent(odds.edge, 4) == 19.8595
    assert in_percent(odds.hit) == 6.59


def test_cover_all_with_no_one_else_is_the_better_of_two_hands() -> None:
    table = {
        HandClass.STRAIGHT: to_one(5),
        HandClass.THREE_OF_A_KIND: to_one(50),
        HandClass.STRAIGHT_FLUSH: to_one(60),
        HandClass.MINI_ROYAL: to_one(100),
    }
    dealt, deal = 40_000, random.Random(12)
    pays = {naive.STRAIGHT: 5, naive.THREE: 50, naive.STRAIGHT_FLUSH: 60}
    back = []
    for _ in range(dealt):
        cards = deal.sample(range(52), 6)
        best = max(naive.rank_three(tuple(cards[:3])), naive.rank_three(tuple(cards[3:])))
        back.append(100 if best == (naive.STRAIGHT_FLUSH, 12) else pays.get(best[0], -1))
    mean = sum(back) / dealt
    spread = (sum((each - mean) ** 2 for each in back) / dealt) ** 0.5
    odds = cover_all(table, players=1)
    assert abs(mean + float(odds.edge)) <= 5 * spread / dealt**0.5


def test_cover_all_is_counted_from_a_straight_up() -> None:
    with pytest.raises(ValueError, match="straight"):
        cover_all({HandClass.STRAIGHT - 1: to_one(1)}, players=3)


def for_one(**lines: int) -> Table:
    table: Table = [parse_odds(f"{lines[name]} for 1") if name in lines else None for name in CLASS_IDS]
    return [*table[:-1], WHOLE_METER]


FIRST_TABLE = for_one(straight=6, three_of_a_kind=60, straight_flush=70, mini_royal=500)
ENVY_CENTS = [
    2500 if name == "mini_royal" else 10000 if name == "mini_royal_spades" else 0 for name in CLASS_IDS
]


def test_the_progressive_follows_its_meter() -> None:
    """Table 1 by hand: 720 straights, 52 threes, 44 straight flushes, 3 mini royals, one of spades."""
    fixed = 720 * 6 + 52 * 60 + 44 * 70 + 3 * 500
    at_seed = progressive(FIRST_TABLE, ENVY_CENTS, meter_cents=100_000, unit_cents=100)
    assert at_seed.edge == 1 - Fraction(fixed + 1000, 22_100)
    assert at_seed.hit == Fraction(820, 22_100)
    assert at_seed.fair_meter_cents == (22_100 - fixed) * 100
    assert (
        progressive(FIRST_TABLE, ENVY_CENTS, meter_cents=at_seed.fair_meter_cents, unit_cents=100).edge == 0
    )


def test_envy_brings_the_fair_meter_down_hand_by_hand() -> None:
    alone, full = (
        progressive(FIRST_TABLE, ENVY_CENTS, meter_cents=100_000, unit_cents=100, others=others)
        for others in (0, 6)
    )
    assert full.envy_cents == Fraction(3 * 2500 + 10000, 22_100)
    assert alone.edge - full.edge == 6 * full.envy_cents / 100
    assert alone.fair_meter_cents - full.fair_meter_cents == 6 * (3 * 2500 + 10000)


def test_a_larger_unit_shares_the_same_meter() -> None:
    one, five = (
        progressive(FIRST_TABLE, ENVY_CENTS, meter_cents=100_000, unit_cents=cents) for cents in (100, 500)
    )
    assert five.fair_meter_cents == 5 * one.fair_meter_cents
    assert five.edge > one.edge


def test_a_meter_line_has_no_worth_without_its_meter() -> None:
    with pytest.raises(ValueError, match="meter"):
        against_paytable([Fraction(1, len(FIRST_TABLE))] * len(FIRST_TABLE), FIRST_TABLE)


@pytest.mark.parametrize("amiss", [{"unit_cents": 0}, {"meter_cents": -1}, {"others": -1}])
def test_a_progressive_that_cannot_be_is_refused(amiss: dict[str, int]) -> None:
    asked = {"meter_cents": 100_000, "unit_cents": 100, **amiss}
    with pytest.raises(ValueError, match="cent"):
        progressive(FIRST_TABLE, ENVY_CENTS, **asked)
