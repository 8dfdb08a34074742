"""What must hold in every round there can be, tried on thousands of random ones of each rulebook."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bets import Bets
from games.engine import read_sheet, settle
from games.settlement import Settlement
from games.three_card_poker.rulebook import RULEBOOKS
from tests.games.naive_settlement import settle as plain_settlement
from tests.games.random_rounds import random_round

ROUNDS = 3000
_CACHED: dict[str, list[tuple[Bets, Settlement]]] = {}


def _rounds(rulebook_id: str) -> list[tuple[Bets, Settlement]]:
    """The same thousands of rounds for every test, settled once."""
    if rulebook_id not in _CACHED:
        rng = Random(f"rounds of {rulebook_id}")
        sheets = [read_sheet(random_round(rng, rulebook_id)) for _ in range(ROUNDS)]
        _CACHED[rulebook_id] = [(sheet, settle(sheet)) for sheet in sheets]
    return _CACHED[rulebook_id]


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_no_chip_is_made_or_lost(rng: Random) -> None:
    sheet = read_sheet(random_round(rng))
    _assert_conserved(sheet, settle(sheet))


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_no_chip_is_made_or_lost_in_thousands_of_rounds(rulebook_id: str) -> None:
    for sheet, settlement in _rounds(rulebook_id):
        _assert_conserved(sheet, settlement)


def _assert_conserved(sheet: Bets, settlement: Settlement) -> None:
    net: Counter[str] = Counter({position.player: 0 for position in sheet.positions})
    staked: Counter[tuple[int, str, str]] = Counter()
    for line in settlement.lines:
        amounts = (line.paid, line.taken, line.returned, line.toked, line.short, line.uncovered)
        assert min(amounts) >= 0
        assert line.owed == line.paid + line.short
        staked[line.seat, line.party, line.wager] += line.stake
        if line.toked:
            assert line.party == "dealer" and line.outcome == "win"
            assert line.toked == line.stake + line.paid and line.taken == line.returned == 0
            net[line.player] -= line.stake
        else:
            assert line.stake == line.taken + line.returned
            assert line.uncovered <= line.returned
            net[line.player] += line.paid - line.taken
        if line.outcome == "uncovered":
            assert line.uncovered == line.returned == line.stake > 0
            assert line.owed == line.paid == line.taken == 0 and line.odds is None
    assert dict(net) == dict(settlement.net)
    # Each wager placed is on one line, and no line has a stake that nobody placed.
    placed: Counter[tuple[int, str, str]] = Counter()
    for position in sheet.positions:
        placed.update({(position.seat, "player", wager): cents for wager, cents in position.wagers.items()})
        placed.update({(position.seat, "dealer", wager): cents for wager, cents in position.tips.items()})
        if position.decision == "play":
            placed[position.seat, "player", "play"] = position.wagers["ante"]
    assert +staked == placed
    assert [line.seq for line in settlement.lines] == list(range(1, len(settlement.lines) + 1))
    taken = sum(line.taken for line in settlement.lines)
    paid = sum(line.paid for line in settlement.lines)
    # What players and the dealer's tip box gain, the bank, house or meter loses.
    assert sum(net.values()) + settlement.tokes == paid - taken
    if settlement.bank is not None:
        assert (settlement.bank.won, settlement.bank.lost) == (taken, paid)
        assert settlement.bank.net == taken - paid
    assert settlement.tokes == sum(line.toked for line in settlement.lines)
    assert settlement.drop == sum(fee.cents for fee in settlement.fees)


def _with_coverage(rulebook_id: str, coverage: str) -> list[tuple[Bets, Settlement]]:
    found = [(s, r) for s, r in _rounds(rulebook_id) if s.terms.coverage == coverage]
    assert len(found) > 300
    return found


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_thousands_of_rounds_settle_as_the_plain_settlement_has_them(rulebook_id: str) -> None:
    """Written apart from the engine, with every option of every rulebook: `tests/games/naive_settlement.py`."""
    rng = Random(f"plain rounds of {rulebook_id}")
    for _ in range(1000):
        document = random_round(rng, rulebook_id)
        settled = settle(read_sheet(document)).to_json()
        for line in settled["lines"]:
            del line["clause"], line["reason"]
        expected = plain_settlement(document)
        assert sorted(map(str, settled.pop("fees"))) == sorted(map(str, expected.pop("fees"))), document
        assert settled == expected, document


def test_gross_cover_uses_the_wager_up_and_no_more() -> None:
    for sheet, settlement in _with_coverage("california", "gross"):
        assert sheet.bank is not None and settlement.bank is not None
        left = sheet.bank.wager
        for line in settlement.lines:
            before = left
            left -= line.paid + line.taken
            assert line.bank_remaining == left >= 0
            assert (line.outcome == "uncovered") == (before == 0)
            if line.short or (line.uncovered and line.outcome != "uncovered"):
                assert left == 0
        bank = settlement.bank
        assert bank.won + bank.lost + bank.remaining == bank.wager
        assert abs(bank.net) <= bank.wager
        assert bank.exhausted == (bank.remaining == 0)


def test_net_cover_keeps_the_bank_within_its_wager_both_ways_at_every_line() -> None:
    for sheet, settlement in _with_coverage("california", "net"):
        assert sheet.bank is not None and settlement.bank is not None
        wager = left = sheet.bank.wager
        limited = False
        for line in settlement.lines:
            before = left
            left += line.taken - line.paid
            assert line.bank_remaining == left and 0 <= left <= 2 * wager
            if line.short:
                assert left == 0
            if line.outcome == "uncovered":
                assert before in (0, 2 * wager)
            elif line.uncovered:
                assert left == 2 * wager
            limited = limited or bool(line.short or line.uncovered)
        bank = settlement.bank
        assert abs(bank.net) <= wager
        assert bank.remaining == wager + bank.net
        assert bank.exhausted == limited


def test_funds_cover_whole_hands_or_nothing_of_them() -> None:
    for sheet, settlement in _with_coverage("designated_player", "funds"):
        assert sheet.bank is not None and settlement.bank is not None
        funds, dead = sheet.bank.wager, 0
        seats = list(dict.fromkeys(line.seat for line in settlement.lines))
        for seat in seats:
            hand = [line for line in settlement.lines if line.seat == seat]
            outcomes = {line.outcome for line in hand}
            assert not any(line.short for line in hand)
            if "uncovered" in outcomes:
                assert outcomes == {"uncovered"}
                dead += 1
                continue
            at_risk = sum(line.stake for line in hand if line.wager in ("ante", "play"))
            assert funds >= max(at_risk, sum(line.owed for line in hand))
            funds += sum(line.taken - line.paid for line in hand)
            assert funds >= 0
        assert settlement.bank.remaining == funds
        assert settlement.bank.exhausted == bool(dead)
        assert settlement.bank.lost <= settlement.bank.wager + settlement.bank.won
        assert [line.seat for line in settlement.lines] == [
            line.seat for seat in seats for line in settlement.lines if line.seat == seat
        ]


@pytest.mark.parametrize("rulebook_id", ["massachusetts", "south_dakota", "shuffle_master"])
def test_the_house_covers_everything_and_charges_nothing(rulebook_id: str) -> None:
    for _, settlement in _rounds(rulebook_id):
        assert settlement.bank is None and settlement.fees == [] and settlement.drop == 0
        for line in settlement.lines:
            assert line.short == line.uncovered == 0 and line.bank_remaining is None


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_fees_never_depend_on_cards_or_decisions(rng: Random) -> None:
    sheet = random_round(rng, "california")
    sheet["options"]["fee_schedule"] = rng.choice((1, 2))
    for position in sheet["positions"]:
        position["wagers"]["ante"] = rng.randint(5000, 10_000)
        position.pop("tips", None)
    other = json.loads(json.dumps(sheet))
    hands = [position["hand"] for position in other["positions"]] + [other["bank_hand"]]
    rng.shuffle(hands)
    for position in other["positions"]:
        position["hand"] = hands.pop()
        position["decision"] = rng.choice(("play", "fold"))
    other["bank_hand"] = hands.pop()
    first, second = settle(read_sheet(sheet)), settle(read_sheet(other))
    assert first.fees == second.fees and first.drop == second.drop > 0


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_the_order_of_the_list_changes_nothing_on_the_table(rng: Random) -> None:
    sheet = random_round(rng)
    other = {**sheet, "positions": list(reversed(sheet["positions"]))}
    first, second = settle(read_sheet(sheet)), settle(read_sheet(other))
    assert first.lines == second.lines
    assert first.bank == second.bank and dict(first.net) == dict(second.net)
    assert sorted(map(repr, first.fees)) == sorted(map(repr, second.fees))


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_a_sheet_written_out_reads_as_the_same_sheet(rng: Random) -> None:
    sheet = read_sheet(random_round(rng))
    assert read_sheet(json.dumps(sheet.to_json())) == sheet


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_the_text_of_a_settlement_is_its_json(rng: Random) -> None:
    document = random_round(rng)
    renamed = document["positions"][0].get("player")
    for position in document["positions"]:
        if position.get("player") == renamed:
            position["player"] = f'Zoë "the \\ bank" \u2028\x00{"" if renamed else position["seat"]}'
    settlement = settle(read_sheet(document))
    assert json.loads(settlement.to_text()) == settlement.to_json()
    assert list(json.loads(settlement.to_text())["lines"][0]) == list(settlement.to_json()["lines"][0])


def test_random_rounds_bring_every_outcome_of_every_wager() -> None:
    """The properties above mean little unless the rounds are as varied as the rules."""
    seen: dict[str, set[tuple[str, str]]] = {}
    for rulebook_id in RULEBOOKS:
        for _, settlement in _rounds(rulebook_id):
            seen.setdefault(rulebook_id, set()).update(
                (line.wager, line.outcome) for line in settlement.lines
            )
    orders = {
        (sheet.options["coverage"], sheet.options["forfeits"], sheet.options["tips"])
        for sheet, _ in _rounds("california")
    }
    assert len(orders) == 2 * 2 * 3
    base = {("ante", o) for o in ("win", "lose", "push", "forfeit")} | {
        ("play", o) for o in ("win", "lose", "push")
    }
    bonus = {("pair_plus", o) for o in ("win", "lose", "forfeit")}
    six = {("six_card_bonus", o) for o in ("win", "lose")}
    late = {("progressive", o) for o in ("win", "lose")} | {("envy", "win")}
    expected: dict[str, set[Any]] = {
        "california": base | bonus | six | {("play", "no_action"), ("six_card_bonus", "uncovered")},
        "designated_player": base | bonus | six | {("play", "no_action"), ("ante", "uncovered")},
        "massachusetts": base
        | bonus
        | six
        | late
        | {("play", "no_action"), ("ante_bonus", "win"), ("cover_all", "win"), ("cover_all", "lose")}
        | {("six_card_bonus", "forfeit")},
        "south_dakota": base | bonus | six | late | {("ante_bonus", "win")},
        "shuffle_master": base
        | bonus
        | {("bad_beat", o) for o in ("win", "lose", "forfeit")}
        | {("ante_bonus", "win")},
    }
    for rulebook_id, outcomes in expected.items():
        assert outcomes - seen[rulebook_id] == set(), rulebook_id
