"""Every way in which a schedule is refused, a broken document at a time: line, code and reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fees.errors import ScheduleRefused
from fees.rates import problems, read_schedule
from games.registry import load_rulebook, wagers_with_fees

from .documents import (
    OPTION_1,
    OPTION_2,
    band,
    bank,
    jackpot,
    own,
    per_position,
    player,
    positions,
    timed,
    wager,
    wager_band,
    waiver,
    with_head,
    with_line,
    with_lines,
    without,
)

LAW = "Penal Code 337j(f)"
OPEN = band(500, None, 100)

#: What is wrong → the document, the line and code that must be named, and words of the reason.
FORM: dict[str, tuple[Any, int, str, str]] = {
    "no object": ([], 0, "wrong_type", "object"),
    "no clause": (without("clause"), 0, "missing_key", "clause"),
    "an empty clause": (with_head(clause=" "), 0, "wrong_type", "clause"),
    "no least ante": (without("ante_min_cents"), 0, "missing_key", "ante_min_cents"),
    "no word on the greatest ante": (without("ante_max_cents"), 0, "missing_key", "ante_max_cents"),
    "no lines": (without("lines"), 0, "missing_key", "lines"),
    "lines that are no list": (with_head(lines={}), 0, "wrong_type", "list"),
    "a line that is no object": (with_lines(player(100), OPEN, "fee"), 3, "wrong_type", "line 3"),
    "an unknown key of the head": (with_head(colour="red"), 0, "unknown_key", "colour"),
    "an unknown key of a line": (with_line(2, colour="red"), 2, "unknown_key", "colour"),
    "a band's key on a player's line": (with_line(1, lower_cents=500), 1, "unknown_key", "lower_cents"),
    "a line without a payer": (without("payer", line=3), 3, "missing_key", "payer"),
    "a line without a basis": (without("per", line=3), 3, "missing_key", "per"),
    "a line without a fee": (without("fee_cents", line=1), 1, "missing_key", "fee_cents"),
    "a band without a lower bound": (without("lower_cents", line=2), 2, "missing_key", "lower_cents"),
    "a band that does not say where it ends": (
        without("upper_cents", line=3),
        3,
        "missing_key",
        "upper_cents",
    ),
    "a fee on winnings": (with_line(1, per="win"), 1, "unknown_basis", "known before the deal"),
    "a fee of the house": (with_line(2, payer="house"), 2, "unknown_basis", "'house'"),
    "a fee of no kind that there is": (
        with_line(1, per="hand"),
        1,
        "unknown_basis",
        "That is no kind of fee that a schedule here can have; write one of player per ante",
    ),
    "bands of positions in cents": (
        with_lines(player(0), band(1, 4, 200, per="positions")),
        2,
        "unknown_key",
        "lower_cents and upper_cents: a band of positions is of numbers, not of cents; write lower_positions (1)",
    ),
    "half a position": (with_lines(player(0), positions(0.5, None, 200)), 2, "wrong_type", "from 1 to 999"),
    "an upper bound of no position": (
        with_lines(player(0), positions(1, 0, 200)),
        2,
        "wrong_type",
        "or null",
    ),
    "bands of a wager without its kind": (
        with_lines(player(0), {**band(100, 500, 50, payer="player", per="wager")}, OPEN),
        2,
        "missing_key",
        "wager",
    ),
    "bands of a wager into the jackpot": (
        with_lines(player(0), wager_band("tie", 100, None, 50, box="jackpot"), OPEN),
        2,
        "unknown_key",
        "'box'",
    ),
    "a portion of a fee in words": (
        with_head(waivers=[waiver("x", portion_cents="half")]),
        0,
        "wrong_type",
        "portion_cents",
    ),
    "a player's fee by total table action": (
        with_line(1, per="total_table_action"),
        1,
        "unknown_basis",
        "total_table_action",
    ),
    "a fee on a wager without its kind": (
        with_lines(player(0), {"payer": "player", "per": "wager", "fee_cents": 50}, OPEN),
        2,
        "missing_key",
        "wager",
    ),
    "a fee on a wager that is a list": (
        with_lines(player(0), wager([], 50), OPEN),
        2,
        "unknown_wager",
        "no id of a wager",
    ),
    "a kind of wager on a fee per ante": (
        with_lines(player(100, wager="ante"), OPEN),
        1,
        "unknown_key",
        "wager",
    ),
    "a basis that is a list": (with_line(1, per=["ante"]), 1, "unknown_basis", "ante"),
    "an amount in words": (with_line(1, fee_cents="$1.00"), 1, "wrong_type", "100 for $1"),
    "an amount of true": (with_line(1, fee_cents=True), 1, "wrong_type", "True"),
    "a fee of null": (with_line(1, fee_cents=None), 1, "wrong_type", "None"),
    "a lower bound of null": (with_line(2, lower_cents=None), 2, "wrong_type", "None"),
    "an amount past all sense": (with_line(1, fee_cents=10**20), 1, "too_large", "$100,000,000"),
    "an empty clause of a line": (with_line(1, clause=""), 1, "wrong_type", "clause"),
    "a box that there is not": (with_line(1, box="safe"), 1, "unknown_word", "drop, jackpot"),
    "a band into the jackpot": (with_line(2, box="jackpot"), 2, "unknown_key", "'box'"),
    "time into the jackpot": (
        with_lines(timed("hour", 1200) | {"box": "jackpot"}, OPEN),
        1,
        "unknown_key",
        "'box'",
    ),
    "time that the bank alone pays": (
        with_line(2, per="half_hour"),
        2,
        "unknown_basis",
        "player per half_hour",
    ),
    "waivers that are no list": (with_head(waivers={}), 0, "wrong_type", "waivers is a list"),
    "a waiver that is no object": (with_head(waivers=["short"]), 0, "wrong_type", "waiver 1"),
    "a waiver without a key": (
        with_head(waivers=[{**waiver("x"), "key": ""}]),
        0,
        "wrong_type",
        "waiver 1: key",
    ),
    "a waiver's key with blanks": (with_head(waivers=[waiver("two words")]), 0, "bad_key", "short_handed"),
    "a waiver that covers nobody": (with_head(waivers=[waiver("x", "house")]), 0, "unknown_word", "players"),
    "a waiver with a condition in words": (
        with_head(waivers=[waiver("x", most_positions="three")]),
        0,
        "wrong_type",
        "most_positions",
    ),
    "a waiver of half the fee": (
        with_head(waivers=[waiver("x", percent=50)]),
        0,
        "proportional",
        "'percent'",
    ),
}

PROPORTIONAL: dict[str, tuple[Any, int, str, str]] = {
    "a fee of so many percent": (with_line(3, fee_cents="5%"), 3, "proportional", LAW),
    "a key that speaks of percent": (with_line(3, rate_percent=5), 3, "proportional", "rate_percent"),
    "a percentage in the head": (with_head(percentage=5), 0, "proportional", LAW),
    "percent under an innocent key": (with_line(2, also="2 % of winnings"), 2, "proportional", LAW),
    "a decimal under an innocent key": (with_line(2, rate=0.05), 2, "proportional", "'rate'"),
    "a fee per percent of wagers": (with_line(1, per="percent of wagers"), 1, "proportional", LAW),
    "a decimal fraction": (with_line(1, fee_cents=0.05), 1, "fraction", LAW),
    "a decimal fraction that is whole": (with_line(1, fee_cents=100.0), 1, "fraction", "100.0"),
    "a fraction in words": (with_line(2, fee_cents="1/20"), 2, "fraction", LAW),
    "no number at all": (with_line(2, fee_cents=float("nan")), 2, "fraction", "nan"),
}

ILLEGAL: dict[str, tuple[Any, int, str, str]] = {
    "a least ante of 0": (
        with_head(ante_min_cents=0, lines=[player(100), band(0, None, 100)]),
        0,
        "limit_not_positive",
        "above 0",
    ),
    "a greatest ante below the least": (with_head(ante_max_cents=400), 0, "limits_reversed", "$5 - $4"),
    "a negative player fee": (with_line(1, fee_cents=-100), 1, "negative_fee", "−$1"),
    "a negative band fee": (with_line(3, fee_cents=-50), 3, "negative_fee", "−$0.50"),
    "no player fee": (with_lines(OPEN), 0, "player_fee_missing", "per main wager"),
    "two player fees": (with_lines(player(100), OPEN, player(200)), 3, "player_fee_twice", "line 1"),
    "no band": (with_lines(player(100)), 0, "bank_fee_missing", "write 0 per round"),
    "a first band above the table minimum": (
        with_lines(player(100), band(600, None, 100)),
        2,
        "bands_start",
        "table minimum, $5",
    ),
    "a first band below the table minimum": (
        with_lines(player(100), band(100, None, 100)),
        2,
        "bands_start",
        "table minimum, $5",
    ),
    "a band that starts where the one before does": (
        with_lines(player(100), band(500, 10000, 100), band(500, None, 200)),
        3,
        "bands_not_ascending",
        "line 3: player-dealer band $5+",
    ),
    "bands that share a dollar": (
        with_line(3, lower_cents=10000),
        3,
        "bands_overlap",
        "line 3: player-dealer band $100+",
    ),
    "bands two dollars apart": (with_line(3, lower_cents=10200), 3, "bands_gap", "$100 and $102"),
    "bands a dollar and a cent apart": (with_line(3, lower_cents=10101), 3, "bands_gap", "$101.01"),
    "an open band before the last": (
        with_line(2, upper_cents=None),
        2,
        "open_band_not_last",
        "below $101",
    ),
    "a last band that ends": (with_line(3, upper_cents=50000), 3, "last_band_closed", "above $500"),
    "a fee by own ante beside one per ante": (
        with_lines(player(100), own(500, None, 50), OPEN),
        2,
        "player_fee_twice",
        "line 1: player fee per main wager has set it already",
    ),
    "two fees on one kind of wager": (
        with_lines(player(0), wager("pair_plus", 50), wager("pair_plus", 100), OPEN),
        3,
        "player_fee_twice",
        "line 2: player fee per pair_plus wager",
    ),
    "bands of the own ante that start too high": (
        with_lines(own(1000, None, 50), OPEN),
        1,
        "bands_start",
        "line 1: player band $10+",
    ),
    "bands of the own ante that end below the table's most": (
        with_lines(own(500, 5000, 50), OPEN),
        1,
        "last_band_closed",
        "a main wager above $50",
    ),
    "a bank that pays by the round and by bands": (
        with_lines(player(0), bank("round", 100), OPEN),
        3,
        "bank_fee_twice",
        "line 2: player-dealer fee per round",
    ),
    "a bank that pays for antes and for positions": (
        with_lines(player(0), bank("ante", 100), bank("position", 100)),
        3,
        "bank_fee_twice",
        "keep one",
    ),
    "a bank that pays for antes, for positions and by the round": (
        with_lines(player(0), bank("round", 100), bank("position", 100), bank("round", 50)),
        4,
        "bank_fee_twice",
        "or a flat fee by the round and so much for each",
    ),
    "a bank that pays by two kinds of bands": (
        with_lines(player(0), OPEN, positions(1, None, 200)),
        3,
        "bank_fee_twice",
        "line 2",
    ),
    "bands of positions that start at two": (
        with_lines(player(0), positions(2, None, 200)),
        2,
        "bands_start",
        "starts at 1, the least that the number of positions can be",
    ),
    "bands of positions with one left out": (
        with_lines(player(0), positions(1, 4, 200), positions(6, None, 300)),
        3,
        "bands_gap",
        "between 4 and 6; start it at most 1 above line 2",
    ),
    "bands of positions that share one": (
        with_lines(player(0), positions(1, 4, 200), positions(4, None, 300)),
        3,
        "bands_overlap",
        "4 would have two fees",
    ),
    "bands of positions that end": (
        with_lines(player(0), positions(1, 4, 200)),
        2,
        "last_band_closed",
        "above 4 has no fee; leave the last band open (upper_positions null)",
    ),
    "bands of the largest ante that end below the table's most": (
        with_lines(player(0), band(500, 5000, 50, per="largest_ante")),
        2,
        "last_band_closed",
        "a main wager above $50",
    ),
    "bands of each ante of the bank's that start too high": (
        with_lines(player(0), band(1000, None, 50, per="own_ante")),
        2,
        "bands_start",
        "line 2: player-dealer band $10+",
    ),
    "bands of a wager with a gap": (
        with_lines(player(0), wager_band("tie", 100, 500, 50), wager_band("tie", 700, None, 100), OPEN),
        3,
        "bands_gap",
        "between $5 and $7",
    ),
    "bands of a wager from nothing": (
        with_lines(player(0), wager_band("tie", 0, 500, 50), OPEN),
        2,
        "bands_start",
        "a tie wager is above 0",
    ),
    "bands of a wager beside a flat fee of it": (
        with_lines(player(0), wager("tie", 50), wager_band("tie", 100, 500, 50), OPEN),
        3,
        "player_fee_twice",
        "line 2: player fee per tie wager",
    ),
    "a sixth rate that only positions bring": (
        with_lines(
            player(50),
            wager_band("tie", 100, 500, 100),
            wager_band("tie", 600, None, 200),
            positions(1, 2, 300),
            positions(3, 4, 400),
            positions(5, None, 500),
        ),
        6,
        "too_many_rates",
        "$5 is rate number 6",
    ),
    "a waiver of no cents": (
        with_head(waivers=[waiver("x", portion_cents=0)]),
        0,
        "portion_not_positive",
        "leave portion_cents out",
    ),
    "a negative fee on a wager": (
        with_lines(player(0), wager("six_card_bonus", -50), OPEN),
        2,
        "negative_fee",
        "−$0.50",
    ),
    "time beside a fee for each ante": (
        with_lines(timed("half_hour", 600), player(100), OPEN),
        2,
        "time_and_rounds",
        "never both",
    ),
    "two fees by time": (
        with_lines(timed("half_hour", 600), timed("hour", 1200), OPEN),
        2,
        "player_fee_twice",
        "line 1: player fee per half hour",
    ),
    "a negative fee by time": (with_lines(timed("hour", -100), OPEN), 1, "negative_fee", "−$1"),
    "a jackpot and no fee": (
        with_lines(jackpot("player", "ante", 100), OPEN),
        0,
        "player_fee_missing",
        "write 0",
    ),
    "a jackpot collected twice of the bank": (
        with_lines(player(0), OPEN, jackpot("bank", "round", 100), jackpot("bank", "ante", 50)),
        4,
        "jackpot_twice",
        "line 3: player-dealer jackpot collection per round",
    ),
    "a negative jackpot": (
        with_lines(player(0), OPEN, jackpot("player", "ante", -50)),
        3,
        "negative_fee",
        "−$0.50",
    ),
    "two waivers of one key": (
        with_head(waivers=[waiver("short_handed"), waiver("short_handed", "bank")]),
        0,
        "waiver_twice",
        "waiver 1 (short_handed) has that key",
    ),
    "a waiver of players' rounds where they pay by time": (
        with_head(lines=[timed("hour", 1200), OPEN], waivers=[waiver("x", "players")]),
        0,
        "waiver_of_time",
        "write bank",
    ),
    "a sixth rate that only the jackpot brings": (
        with_lines(
            timed("half_hour", 600),
            band(500, 1000, 100),
            band(1100, 2000, 200),
            band(2100, 3000, 300),
            band(3100, None, 400),
            jackpot("bank", "round", 50),
        ),
        6,
        "too_many_rates",
        "$0.50 is rate number 6",
    ),
    "a sixth rate over all kinds of lines": (
        with_lines(
            player(50),
            wager("pair_plus", 100),
            wager("six_card_bonus", 200),
            band(500, 1000, 300),
            band(1100, 2000, 400),
            band(2100, None, 500),
        ),
        6,
        "too_many_rates",
        "rate number 6",
    ),
    "a sixth rate": (
        with_lines(
            player(50),
            band(500, 1000, 100),
            band(1100, 2000, 200),
            band(2100, 3000, 300),
            band(3100, 4000, 400),
            band(4100, None, 500),
        ),
        6,
        "too_many_rates",
        "line 6: player-dealer band $41+: $5 is rate number 6",
    ),
}


@pytest.mark.parametrize(
    ("rulebook", "kind", "text"),
    [
        ("california", "ante", "no wager of this game has one"),  # the fee of the one main wager is per ante
        ("baccarat", "pair_plus", "write one of banker, dragon_7, panda_8, player, tie"),
    ],
)
def test_a_fee_is_for_a_wager_of_the_game_that_lies_there_before_the_deal(
    rulebook: str, kind: str, text: str
) -> None:
    (found,) = problems(
        with_lines(player(0), wager(kind, 50), OPEN), wagers=wagers_with_fees(load_rulebook(rulebook))
    )
    assert (found.line, found.code) == (2, "unknown_wager")
    assert text in found.message


@pytest.mark.parametrize(("rulebook", "kind"), [("baccarat", "banker"), ("by_eye", "x")])
def test_a_fee_for_such_a_wager_is_legal(rulebook: str, kind: str) -> None:
    assert (
        problems(
            with_lines(player(0), wager(kind, 50), OPEN), wagers=wagers_with_fees(load_rulebook(rulebook))
        )
        == []
    )


@pytest.mark.clause("california:fees.4")
@pytest.mark.parametrize("kind", ["play", "pair_plus", "six_card_bonus"])
def test_no_fee_comes_of_a_wager_of_which_the_approval_lets_none_come(kind: str) -> None:
    without = load_rulebook("california").without_fee
    document = with_lines(player(0), wager(kind, 50), OPEN)
    (found,) = problems(document, wagers=wagers_with_fees(load_rulebook("california")), without_fee=without)
    assert (found.line, found.code) == (2, "wager_without_fee")
    assert "california:fees.4" in found.message


@pytest.mark.parametrize(
    ("document", "line", "code", "words"),
    [pytest.param(*case, id=name) for cases in (FORM, PROPORTIONAL, ILLEGAL) for name, case in cases.items()],
)
def test_a_broken_schedule_is_refused_for_that_reason_alone(
    document: Any, line: int, code: str, words: str
) -> None:
    found = problems(document)
    assert [(problem.line, problem.code) for problem in found] == [(line, code)]
    assert words in found[0].message
    assert f"line {line}" in found[0].message or line == 0
    with pytest.raises(ScheduleRefused) as refused:
        read_schedule(document, number=1, title="Schedule option 1")
    assert refused.value.problems == tuple(found)
    assert refused.value.message == found[0].message


def test_a_band_upside_down_is_named_beside_the_gap_that_it_leaves() -> None:
    document = with_lines(player(100), band(500, 400, 100), band(600, None, 200))
    assert [(problem.line, problem.code) for problem in problems(document)] == [
        (2, "band_reversed"),
        (3, "bands_gap"),
    ]


def test_all_problems_are_told_at_once_in_the_order_of_lines() -> None:
    document = with_head(
        ante_max_cents=400, lines=[player(-1), band(10100, None, 200), player(100), band(500, 10000, 100)]
    )
    assert [(problem.line, problem.code) for problem in problems(document)] == [
        (0, "limits_reversed"),
        (1, "negative_fee"),
        (2, "bands_start"),
        (3, "player_fee_twice"),
        (4, "bands_not_ascending"),
        (4, "last_band_closed"),
    ]


def test_form_is_told_line_by_line_before_the_law_is_asked() -> None:
    document = with_lines(player("5%"), band(500, 10000, 0.5), band(1, None, None), {})
    assert [(problem.line, problem.code) for problem in problems(document)] == [
        (1, "proportional"),
        (2, "fraction"),
        (3, "wrong_type"),
        (4, "missing_key"),
        (4, "missing_key"),
    ]


LEGAL: dict[str, Any] = {
    "time by the half hour, and a bank that pays nothing": with_lines(
        timed("half_hour", 650), bank("round", 0)
    ),
    "time by the hour, bands and a jackpot": with_lines(
        timed("hour", 1200), OPEN, jackpot("player", "ante", 50), jackpot("bank", "round", 100)
    ),
    "a box that is named though it is the drop's": with_line(1, box="drop"),
    "waivers of every kind": with_head(
        waivers=[
            waiver("first_hand", "player"),
            waiver("few", "players", most_positions=3),
            waiver("bank", "bank"),
            waiver("opening", "all", clause="house:w"),
        ]
    ),
    "no waivers in so many words": with_head(waivers=[]),
    "option 1": OPTION_1,
    "option 2": OPTION_2,
    "five rates": with_lines(
        player(50), band(500, 1000, 100), band(1100, 2000, 200), band(2100, 3000, 300), band(3100, None, 400)
    ),
    "a rate that comes back is no sixth one": with_lines(
        player(50),
        band(500, 1000, 100),
        band(1100, 2000, 200),
        band(2100, 3000, 300),
        band(3100, 4000, 400),
        band(4100, None, 100),
    ),
    "a fee of 0 is no rate": with_lines(
        player(0),
        band(500, 1000, 100),
        band(1100, 2000, 200),
        band(2100, 3000, 300),
        band(3100, 4000, 400),
        band(4100, None, 500),
    ),
    "a fee on each kind of wager": with_lines(
        player(0), wager("pair_plus", 50), wager("six_card_bonus", 50), OPEN
    ),
    "a fee by own ante up to the table's most": with_lines(own(500, 2500, 50), own(2600, 10000, 100), OPEN),
    "a fee by own ante without end": with_lines(own(500, None, 50), OPEN),
    "a bank that pays for all": with_lines(player(0), bank("ante", 100)),
    "a bank that pays for each position": with_lines(player(0), bank("position", 100)),
    "a bank that pays by the round": with_lines(per_position(50), bank("round", 100)),
    "a bank that pays by the round and for each position": with_lines(
        player(0), bank("position", 50), bank("round", 200)
    ),
    "a bank that pays by the number of positions": with_lines(
        player(0), positions(1, 4, 200), positions(5, None, 300)
    ),
    "a bank that pays by the largest ante": with_lines(
        player(0), band(500, 2500, 100, per="largest_ante"), band(2600, 10000, 200, per="largest_ante")
    ),
    "a bank that pays for each ante by its band": with_lines(
        own(500, None, 100), band(500, 10000, 100, per="own_ante")
    ),
    "a side wager by bands of its own": with_lines(player(100), wager_band("tie", 100, 2500, 50), OPEN),
    "players who pay by time, and a bank that pays nothing": with_lines(timed("half_hour", 500)),
    "a waiver of a portion": with_head(waivers=[waiver("half", "bank", portion_cents=50)]),
    "half dollars": with_lines(player(50), band(500, None, 150)),
    "bounds a cent apart": with_lines(player(100), band(500, 9999, 100), band(10000, None, 200)),
    "one stake at the table": with_head(ante_max_cents=500),
    "percent in the words of a clause": with_head(clause="letter of May 3: no % anywhere"),
}


@pytest.mark.parametrize("document", LEGAL.values(), ids=LEGAL.keys())
def test_a_legal_schedule_is_read(document: Any) -> None:
    assert problems(document) == []
    assert read_schedule(document, number=7, title="House").number == 7


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
AMOUNT = st.integers(-10, 20000) | JSON
LINE = (
    st.fixed_dictionaries(
        {
            "payer": st.sampled_from(["player", "bank"]) | JSON,
            "per": st.sampled_from(["ante", "position", "round"]) | JSON,
            "fee_cents": AMOUNT,
        }
    )
    | st.fixed_dictionaries(
        {
            "payer": st.just("player"),
            "per": st.just("wager"),
            "wager": st.sampled_from(["pair_plus", "play"]) | JSON,
            "fee_cents": AMOUNT,
        }
    )
    | st.fixed_dictionaries(
        {
            "payer": st.sampled_from(["player", "bank"]),
            "per": st.sampled_from(["own_ante", "total_table_action", "largest_ante"]),
            "lower_cents": AMOUNT,
            "upper_cents": AMOUNT,
            "fee_cents": AMOUNT,
        }
    )
    | st.fixed_dictionaries(
        {
            "payer": st.just("bank"),
            "per": st.just("positions"),
            "lower_positions": st.integers(-1, 9) | JSON,
            "upper_positions": st.integers(-1, 9) | JSON,
            "fee_cents": AMOUNT,
        }
    )
    | JSON
)
ALMOST = st.fixed_dictionaries(
    {
        "clause": st.just("here") | JSON,
        "ante_min_cents": AMOUNT,
        "ante_max_cents": AMOUNT,
        "lines": st.lists(LINE, max_size=5) | JSON,
    }
)


@given(document=ALMOST | JSON)
def test_whatever_is_written_is_either_read_or_refused_with_reasons(document: Any) -> None:
    found = problems(document)
    assert all(problem.line >= 0 and problem.code and problem.message for problem in found)
    if found:
        with pytest.raises(ScheduleRefused):
            read_schedule(document, number=1, title="Anything")
    else:
        read = read_schedule(document, number=1, title="Anything")
        assert read.players or read.time
