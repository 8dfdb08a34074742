"""Whatever is thrown at it, the engine settles or refuses; nothing else ever comes out."""

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.command_settle import answer_to
from games.engine import check_wagers, read_bets, read_sheet, settle
from games.refusal import Refusal
from tests.games.random_rounds import random_round

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-2, 9),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["play", "fold", "Ah Kd 2c", "california", "TCP-6B4", "\ud800", "10h 2c 3d", 10**400]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
CODES = {
    "bad_json", "unknown_key", "missing_key", "wrong_type", "unknown_rulebook", "unknown_option", "bad_option",
    "bad_card", "hand_size", "duplicate_card", "bad_amount", "bank_required", "bank_not_allowed",
    "bank_has_wagers", "bad_seat", "seat_taken", "too_many_positions", "wager_not_offered", "no_wager",
    "wager_needs_ante", "wager_ratio", "outside_table_limits", "decision_required", "decision_not_allowed",
    "tip_not_allowed", "tip_needs_wager", "meter_required", "action_seat_required",
}  # fmt: skip


def _places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to everything in a document."""
    places = [way] if way else []
    if isinstance(value, dict):
        for key, inner in value.items():
            places += _places(inner, (*way, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            places += _places(inner, (*way, index))
    return places


def _refusal_or_none(read: Callable[[], object]) -> Refusal | None:
    """The refusal of a call; whatever else it raises fails the test."""
    try:
        read()
    except Refusal as refusal:
        return refusal
    return None


def _settles_or_refuses(document: Any) -> None:
    def settle_and_write() -> None:
        settlement = settle(read_sheet(document))
        assert json.loads(settlement.to_text()) == settlement.to_json()

    _assert_of_the_contract(_refusal_or_none(settle_and_write))


def _assert_of_the_contract(refusal: Refusal | None) -> None:
    if refusal is not None:
        assert refusal.code in CODES and refusal.message
        assert json.loads(json.dumps(refusal.to_json()))["error"]["path"] == refusal.path


@pytest.mark.outside
@given(st.randoms(use_true_random=False), VALUES, st.sampled_from(["put", "drop", "add"]))
@settings(max_examples=600, deadline=None)
def test_a_sound_sheet_with_one_thing_broken(rng: Random, value: Any, how: str) -> None:
    document = copy.deepcopy(random_round(rng))
    *way, last = rng.choice(_places(document))
    at: Any = document
    for step in way:
        at = at[step]
    if how == "put":
        at[last] = value
    elif how == "drop":
        del at[last]
    elif isinstance(at, dict):
        at[f"{last}x"] = value
    else:
        at.append(value)
    _settles_or_refuses(document)


@pytest.mark.outside
@given(st.dictionaries(
    st.sampled_from(["rulebook", "options", "bank", "bank_hand", "action_seat", "meter", "positions", "x"]), VALUES
))  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_an_object_of_anything(document: dict[str, Any]) -> None:
    _settles_or_refuses(document)
    _settles_or_refuses({**document, "rulebook": "california"})


@pytest.mark.outside
@given(VALUES)
@settings(max_examples=200, deadline=None)
def test_anything_at_all_as_bets_or_as_one_position(value: Any) -> None:
    for read in (
        lambda: read_bets({"rulebook": "south_dakota", "positions": [value]}),
        lambda: read_bets({"rulebook": "california", "bank": value, "positions": []}),
        lambda: check_wagers("massachusetts", None, value),
        lambda: check_wagers("california", value, {}),
    ):
        _assert_of_the_contract(_refusal_or_none(read))


@pytest.mark.outside
@given(st.binary(max_size=60) | st.text(max_size=60))
@settings(max_examples=500, deadline=None)
def test_any_bytes_or_text(data: bytes | str) -> None:
    answer, settled = answer_to(data)
    assert not settled
    assert json.loads(answer)["error"]["code"] in CODES


@pytest.mark.outside
@given(st.randoms(use_true_random=False), st.integers(0, 10**9), st.integers(0, 255))
@settings(max_examples=400, deadline=None)
def test_a_sheets_text_with_one_byte_changed(rng: Random, at: int, byte: int) -> None:
    text = bytearray(json.dumps(random_round(rng)).encode())
    text[at % len(text)] = byte
    answer, settled = answer_to(bytes(text))
    assert settled == ("error" not in json.loads(answer))


def test_a_mistake_as_deep_as_python_can_hold_is_named_without_falling_over() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for key in ("rulebook", "options", "bank", "positions", "bank_hand", "meter"):
        _settles_or_refuses({"rulebook": "california", "bank_hand": "Ah Kd 2c", key: deep})
    # Taken apart by hand: Python's own freeing of so deep a list is what could fall over.
    while deep:
        deep = deep.pop()


def test_the_largest_amounts_can_be_settled_and_written() -> None:
    document = {
        "rulebook": "shuffle_master",
        "bank_hand": "9h Th Jh",
        "positions": [
            {
                "seat": 1,
                "hand": "4s 5s 6s",
                "wagers": {"ante": 10**15, "pair_plus": 10**15, "bad_beat": 10**15},
                "decision": "play",
            }
        ],
    }
    settlement = settle(read_sheet(document))
    assert json.loads(settlement.to_text())["net"] == {"seat 1": (15_000 + 40 + 5 - 2) * 10**15}
