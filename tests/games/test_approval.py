"""Approvals as data: what a room's own document says otherwise, read by the reader of the rulebooks that ship."""

from __future__ import annotations

import datetime
import json
from fractions import Fraction
from io import BytesIO, StringIO
from random import Random
from typing import Any

import pytest

from games.command_settle import main as settle_command
from games.engine import read_sheet, settle, settle_json
from games.refusal import Refusal
from games.registry import game_of, load_rulebook, procedure_rules_of, read_options, rulebook_with, terms_of
from tests.games.naive_settlement import settle as plain_settlement
from tests.games.random_approvals import random_approval
from tests.games.random_rounds import random_round

#: A room's paper: another Pair Plus table, eight seats, no 6 Card Bonus.
PAPER: dict[str, Any] = {
    "number": "GEGR-004861",
    "title": "Three Card Poker",
    "date": "2026-10-14",
    "seats": 8,
    "wagers": {"six_card_bonus": {"offered": False}},
    "pair_plus_tables": [
        {
            "odds": {
                "mini_royal": 40, "straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": "4:1", "pair": 1,
            }
        }
    ],
    "sources": {
        "seats": "2, page 2", "wagers.six_card_bonus.offered": "1, page 1", "pair_plus_tables": "7.4, page 6",
    },
}  # fmt: skip


def sheet(approval: Any, **more: Any) -> dict[str, Any]:
    position = {"seat": 2, "wagers": {"ante": 1000}, "hand": "Ah 7h 2h", "decision": "play", **more}
    return {
        "rulebook": "california",
        "options": {"approval": approval},
        "bank": {"seat": 1, "wager": 100_000},
        "bank_hand": "Kh 3c 5d",
        "positions": [position],
    }


def lines(approval: Any, **more: Any) -> dict[str, tuple[str, int, str]]:
    """Outcome, cents paid and clause by wager."""
    settled = settle_json(sheet(approval, **more))
    return {line["wager"]: (line["outcome"], line["paid"], line["clause"]) for line in settled["lines"]}


def with_bank(bank_hand: str, approval: Any, **more: Any) -> dict[str, tuple[str, int, str]]:
    settled = settle_json({**sheet(approval, **more), "bank_hand": bank_hand})
    return {line["wager"]: (line["outcome"], line["paid"], line["clause"]) for line in settled["lines"]}


def test_the_whole_is_the_rulebook_with_what_the_approval_says_and_its_clauses() -> None:
    book = rulebook_with("california", {"approval": PAPER})
    assert (book.id, book.seats, sorted(book.offered)) == ("california", 8, ["ante", "pair_plus", "play"])
    assert book.approval is not None
    assert (book.approval.number, book.document.title, book.name) == (
        "GEGR-004861",
        *["Three Card Poker"] * 2,
    )
    assert book.approval.day == datetime.date(2026, 10, 14)
    assert book.approval.without_clause == ()
    assert book.sources["seats"] == "GEGR-004861:2, page 2"
    assert rulebook_with("california", {"approval": json.loads(json.dumps(PAPER))}) is book
    assert load_rulebook("california").seats == 7


def test_a_table_of_its_own_pays_and_its_clause_is_the_lines() -> None:
    assert lines(PAPER, wagers={"ante": 1000, "pair_plus": 500}) == {
        "ante": ("win", 1000, "california:winners.2.a"),
        "play": ("win", 1000, "california:winners.2.a"),
        "pair_plus": ("win", 2000, "GEGR-004861:7.4, page 6"),
    }


def test_the_odds_of_a_table_of_its_own_are_exact() -> None:
    """16,440 of 22,100 hands lose; 160 + 1,760 + 1,560 + 4,320 + 4,384 + 3,744 units are paid: 512 of 22,100 stay."""
    rows = game_of("california").odds_on(terms_of("california", {"approval": PAPER}))
    assert {row.wager: row.edge for row in rows}["pair_plus"] == Fraction(512, 22_100)
    assert "six_card_bonus" not in {row.wager for row in rows}


def test_an_ante_bonus_is_paid_after_the_play_whatever_the_bank_holds() -> None:
    bonus = {"ante_bonus_tables": [{"odds": {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1}}]}
    approval = {"number": "GEGR-1", **bonus, "sources": {"ante_bonus_tables": "9"}}
    settled = settle_json({**sheet(approval, hand="Ah 2c 3d"), "bank_hand": "9h 9c 9d"})
    assert [(line["wager"], line["outcome"], line["paid"]) for line in settled["lines"]] == [
        ("ante", "lose", 0), ("play", "lose", 0), ("ante_bonus", "win", 1000),
    ]  # fmt: skip
    assert settled["lines"][2]["clause"] == "GEGR-1:9"
    (ante,) = game_of("california").odds_on(terms_of("california", {"approval": approval}))[:1]
    bare = next(row for row in game_of("california").odds_of("california") if row.wager == "ante")
    # 48 straight flushes at 5, 52 threes alike at 4, 720 straights at 1, all of them played.
    assert bare.edge - ante.edge == Fraction(48 * 5 + 52 * 4 + 720, 22_100)


@pytest.mark.parametrize(
    ("says", "ante", "play"),
    [
        ({"qualifies": "ace_high"}, ("win", 1000), ("no_action", 0)),
        ({"qualifies": "ace_high", "unqualified_ante": "push"}, ("push", 0), ("no_action", 0)),
        ({"qualifies": "ace_high", "unqualified_play": "paid"}, ("win", 1000), ("win", 1000)),
        ({"qualifies": "ace_high", "unqualified_play": "push"}, ("win", 1000), ("push", 0)),
        ({"qualifies": "nothing"}, ("win", 1000), ("win", 1000)),
    ],
)
def test_a_bank_qualifies_with_what_the_approval_says(
    says: dict[str, str], ante: tuple[str, int], play: tuple[str, int]
) -> None:
    approval = {"number": "GEGR-2", "bank": says, "sources": {f"bank.{key}": "5.2" for key in says}}
    found = with_bank("Kh 3c 5d", approval)
    assert (found["ante"][:2], found["play"][:2]) == (ante, play)
    if says["qualifies"] == "ace_high":
        assert found["ante"][2] == found["play"][2] == "GEGR-2:5.2"
    assert settle_json({**sheet(approval), "bank_hand": "Kh 3c 5d"})["qualified"] is (
        says["qualifies"] == "nothing"
    )


def test_seats_are_settled_in_the_direction_of_the_approval() -> None:
    approval = {
        "number": "GEGR-3",
        "order": {"direction": "counter_clockwise"},
        "sources": {"order.direction": "3"},
    }
    document = {
        **sheet(approval),
        "bank": {"seat": 4, "wager": 100_000},
        "positions": [
            {"seat": seat, "wagers": {"ante": 1000}, "hand": hand, "decision": "fold"}
            for seat, hand in ((1, "2h 3h 5h"), (6, "2c 4c 6c"), (3, "2d 3d 6d"))
        ],
    }
    assert [line["seat"] for line in settle_json(document)["lines"]] == [3, 1, 6]
    document["action_seat"] = 6
    assert [line["seat"] for line in settle_json(document)["lines"]] == [6, 3, 1]


def test_refusals_call_wagers_as_the_layout_of_the_approval_does() -> None:
    approval = {"wagers": {"ante": {"name": "Bet"}, "play": {"name": "Raise"}}}
    for more, says in (
        ({"wagers": {"pair_plus": 500}}, "Pair Plus needs a wager on Bet on the same position"),
        ({"tips": {"pair_plus": 100}}, "the player has no Pair Plus beside this tip"),
        ({"tips": {"play": 100}}, "a tip on Raise needs a tip on Bet beside it"),
    ):
        with pytest.raises(Refusal, match=says):
            settle_json(sheet(approval, **more))


@pytest.mark.parametrize("direction", ["clockwise", "counter_clockwise"])
def test_where_dice_or_a_button_name_the_seat_no_sheet_goes_without_it(direction: str) -> None:
    document = sheet({"order": {"starts": "named_seat", "direction": direction}})
    with pytest.raises(Refusal) as refused:
        settle_json(document)
    assert (refused.value.code, refused.value.path) == ("action_seat_required", "action_seat")
    assert settle_json({**document, "action_seat": 5})["lines"]


BEHIND = {
    "number": "GEGR-6",
    "positions": {"back_line": 1},
    "sources": {"positions.back_line": "3, page 2"},
}


def test_who_wagers_behind_a_seat_has_its_hand_and_decision() -> None:
    document = sheet(BEHIND)
    document["positions"].append({**document["positions"][0], "player": "behind", "wagers": {"ante": 300}})
    settled = settle_json(document)
    assert [(line["player"], line["wager"], line["paid"]) for line in settled["lines"]] == [
        ("seat 2", "ante", 1000), ("seat 2", "play", 1000), ("behind", "ante", 300), ("behind", "play", 300),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("differs", "code", "path"),
    [
        ({"hand": "2c 3d 4h"}, "back_line_hand", "positions[1].hand"),
        ({"decision": "fold"}, "back_line_decision", "positions[1].decision"),
        ({"player": "seat 2"}, "seat_taken", "positions[1].seat"),
    ],
)
def test_who_wagers_behind_a_seat_can_have_no_other(differs: dict[str, str], code: str, path: str) -> None:
    document = sheet(BEHIND)
    document["positions"].append({**document["positions"][0], "player": "behind", **differs})
    with pytest.raises(Refusal) as refused:
        read_sheet(document)
    assert (refused.value.code, refused.value.path) == (code, path)


def test_without_a_back_line_a_spot_is_its_seats_alone() -> None:
    document = sheet(PAPER)
    document["positions"].append({**document["positions"][0], "player": "behind"})
    with pytest.raises(Refusal, match="has a position already"):
        read_sheet(document)


def test_a_card_that_is_not_shown_is_no_call_of_the_dealer_and_changes_the_odds() -> None:
    approval = {"number": "GEGR-4", "cards": {"shown": "none"}, "sources": {"cards.shown": "4"}}
    book = rulebook_with("california", {"approval": approval})
    assert "bank_card" not in procedure_rules_of(book).calls
    assert "bank_card" in procedure_rules_of(load_rulebook("california")).calls
    (ante,) = game_of("california").odds_on(terms_of("california", {"approval": approval}))[:1]
    assert ante.detail["decision"] == "play Q-6-4 or better"


def test_the_placard_says_what_the_approval_says() -> None:
    terms = terms_of("california", {"approval": {**PAPER, "bank": {"qualifies": "king_high"}}})
    placard = game_of("california").placard(terms)
    said = [notice.text for section in placard.sections for notice in section.notices]
    assert "Eight places, one of which banks." in said
    assert "The bank qualifies with king high or better." in said
    assert not any("6 Card Bonus" in text for text in said)
    seats = next(
        each for section in placard.sections for each in section.notices if "Eight places" in each.text
    )
    assert seats.clause == "GEGR-004861:2, page 2"
    assert [wager.id for wager in placard.wagers] == ["ante", "play", "pair_plus"]


def test_what_bears_a_fee_and_may_be_tipped_is_the_approvals_to_say() -> None:
    approval = {
        "number": "GEGR-5",
        "wagers": {"pair_plus": {"fee": True, "tip": False}, "six_card_bonus": {"fee": False}},
        "sources": {
            "wagers.pair_plus.fee": "8",
            "wagers.pair_plus.tip": "9",
            "wagers.six_card_bonus.fee": "8.1",
        },
    }
    book = rulebook_with("california", {"approval": approval})
    assert dict(book.without_fee) == {"play": "california:fees.4", "six_card_bonus": "GEGR-5:8.1"}
    assert "pair_plus" not in book.tip_spots


@pytest.mark.parametrize(
    ("says", "code", "path"),
    [
        ([], "wrong_type", ""),
        ({"stars": 3}, "unknown_term", "stars"),
        ({"bank": {"commission": 5}}, "forbidden_term", "bank.commission"),
        ({"fee_percent": 5}, "forbidden_term", "fee_percent"),
        ({"seats": 1}, "bad_term", "seats"),
        ({"seats": "eight"}, "bad_term", "seats"),
        ({"seats": True}, "bad_term", "seats"),
        ({"bank": {"qualifies": "ten_high"}}, "bad_term", "bank.qualifies"),
        ({"sources": {"seats": "2"}}, "unknown_term", "sources.seats"),
        ({"seats": 8, "sources": {"seats": 2}}, "bad_term", "sources.seats"),
        ({"pair_plus_tables": [{"odds": {"straight_flush": 40, "pair": 1}}]}, "bad_term", "pair_plus_tables[0].odds.three_of_a_kind"),
        ({"pair_plus_tables": [{"odds": {"full_house": 40}}]}, "unknown_term", "pair_plus_tables[0].odds.full_house"),
        ({"pair_plus_tables": [{"odds": {"straight_flush": "forty"}}]}, "bad_term", "pair_plus_tables[0].odds.straight_flush"),
        ({"pair_plus_tables": [{"odds": {"straight_flush": 1_000_001}}]}, "bad_term", "pair_plus_tables[0].odds.straight_flush"),
        ({"pair_plus_tables": [{"odds": {"straight_flush": "9" * 5000 + ":1"}}]}, "bad_term", "pair_plus_tables[0].odds.straight_flush"),
        ({"pair_plus_tables": [{"odds": {"straight_flush": -4}}]}, "bad_term", "pair_plus_tables[0].odds.straight_flush"),
        ({"pair_plus_tables": []}, "bad_term", "pair_plus_tables"),
        ({"order": {"lines": ["ante", "play"]}}, "bad_term", "order.lines"),
        ({"wagers": {"bad_beat": {"offered": True}}}, "bad_term", "bad_beat_table"),
        ({"wagers": {"bad_beat": {"fee": True}}}, "bad_term", "wagers.bad_beat.fee"),
        ({"date": "soon"}, "bad_term", "date"),
    ],
)  # fmt: skip
def test_what_an_approval_may_not_say_is_refused_at_its_place(says: Any, code: str, path: str) -> None:
    with pytest.raises(Refusal) as refused:
        rulebook_with("california", {"approval": says})
    at = f"options.approval.{path}" if path else "options.approval"
    assert (refused.value.code, refused.value.path) == (code, at)


@pytest.mark.parametrize(
    ("says", "ante_bonus", "pair_plus"),
    [
        ({"ante_bonus_tables": [{"odds": {"straight_flush": 7}}]}, "7:1", "40:1"),
        ({"pair_plus_tables": [{"odds": {"straight_flush": 9, "three_of_a_kind": 9}}]}, "5:1", "9:1"),
        (
            {
                "ante_bonus_tables": [{"odds": {"straight_flush": 7}}],
                "pair_plus_tables": [{"odds": {"straight_flush": 9, "three_of_a_kind": 9}}],
            },
            "7:1",
            "9:1",
        ),
    ],
)
def test_where_a_rulebook_pairs_its_tables_the_one_that_is_not_said_is_of_the_first_pairing(
    says: Any, ante_bonus: str, pair_plus: str
) -> None:
    values = game_of("shuffle_master").approved_values(terms_of("shuffle_master", {"approval": says}))
    assert values["ante_bonus_tables"].value["straight_flush"] == ante_bonus
    assert values["pair_plus_tables"].value["straight_flush"] == pair_plus


def test_odds_of_its_own_are_no_option_of_a_rulebook_that_prints_them() -> None:
    with pytest.raises(Refusal, match="prints the odds"):
        read_sheet({**sheet({}), "options": {"pair_plus_table": {"straight_flush": 40}}})


@pytest.mark.parametrize(
    ("rulebook", "option", "value", "said"),
    [
        ("california", "pair_plus_table", {"straight_flush": 40, "three_of_a_kind": 25}, "pair_plus_tables"),
        ("california", "six_card_bonus_table", None, "wagers.six_card_bonus.offered"),
        ("california", "ante_bonus_table", "standard", "ante_bonus_tables"),
        ("california", "seats", 8, "seats"),
        ("california", "qualifies", "king_high", "bank.qualifies"),
        ("california", "may_bank", {"wagered_rounds": 3}, "may_bank.wagered_rounds"),
        ("baccarat", "decks", [3, 8], "cards.decks"),
        ("ultimate_texas_holdem", "trips", False, "wagers.trips.offered"),
    ],
)
def test_what_is_no_option_is_told_as_the_approval_that_says_it(
    rulebook: str, option: str, value: Any, said: str
) -> None:
    with pytest.raises(Refusal) as refused:
        read_options(load_rulebook(rulebook), {option: value})
    assert refused.value.path == f"options.{option}"
    _, _, approval = refused.value.message.partition("is written under options.approval: ")
    book = rulebook_with(rulebook, {"approval": json.loads(approval.removesuffix("."))})
    assert book.approval is not None
    assert dict(book.approval.changed) == {said: "approval:its clause or page"}


@pytest.mark.parametrize("rulebook", ["california", "designated_player"])
def test_sheets_of_approvals_drawn_at_random_settle_as_the_plain_settlement_has_them(rulebook: str) -> None:
    rng = Random(f"approvals of {rulebook}")
    said: set[str] = set()
    for _ in range(150):
        approval = random_approval(rng)
        said |= approval.get("sources", {}).keys()
        for _ in range(6):
            document = random_round(rng, rulebook, approval)
            settled = settle(read_sheet(document)).to_json()
            for line in settled["lines"]:
                del line["clause"], line["reason"]
            expected = plain_settlement(document)
            assert sorted(map(str, settled.pop("fees"))) == sorted(map(str, expected.pop("fees"))), document
            assert settled == expected, document
    assert len(said) == 13


def test_the_settle_command_takes_a_sheet_with_an_approval() -> None:
    out, err = BytesIO(), StringIO()
    document = json.dumps(sheet(PAPER, wagers={"ante": 1000, "pair_plus": 500})).encode()
    assert settle_command(["-"], BytesIO(document), out, err) == 0
    assert json.loads(out.getvalue())["lines"][2]["paid"] == 2000


@pytest.mark.parametrize("rulebook", ["california", "baccarat", "ultimate_texas_holdem"])
def test_a_line_of_a_seat_that_the_order_leaves_out_is_refused(rulebook: str) -> None:
    """A wager that no line settles would keep its stake on the table."""
    *lines, _last = load_rulebook(rulebook).line_order  # type: ignore[attr-defined]
    with pytest.raises(Refusal) as refused:
        rulebook_with(rulebook, {"approval": {"order": {"lines": lines}}})
    assert (refused.value.code, refused.value.path) == ("bad_term", "options.approval.order.lines")


@pytest.mark.parametrize(
    ("rulebook", "wager", "says", "path"),
    [
        ("california", "six_card_bonus", {"order": {"lines": ["ante", "play", "pair_plus", "six_card_bonus"]}}, "order.lines"),
        ("california", "pair_plus", {"fold": {"forfeits": ["ante", "pair_plus"]}}, "fold.forfeits"),
        ("california", "pair_plus", {"wagers": {"six_card_bonus": {"needs": "ante_or_pair_plus"}}}, "wagers.six_card_bonus.needs"),
        ("california", "bad_beat", {"bad_beat_table": [{"odds": {"straight_flush": 40}}]}, "bad_beat_table"),
        ("baccarat", "tie", {"order": {"lines": ["player", "banker", "tie", "dragon_7", "panda_8"]}}, "order.lines"),
        ("ultimate_texas_holdem", "trips", {"fold": {"forfeits": ["ante", "blind", "trips"]}}, "fold.forfeits"),
    ],
)  # fmt: skip
def test_a_wager_that_is_left_out_is_named_nowhere_else(
    rulebook: str, wager: str, says: dict[str, Any], path: str
) -> None:
    wagers = {**says.get("wagers", {}), wager: {"offered": False}}
    with pytest.raises(Refusal, match="is not offered") as refused:
        rulebook_with(rulebook, {"approval": {**says, "wagers": wagers}})
    assert (refused.value.code, refused.value.path) == ("bad_term", f"options.approval.{path}")
