"""Each refusal of the sheet's contract, by its code and path, at every corner the contract names."""

import copy
import json
from typing import Any

import pytest

from games.command_settle import answer_to
from games.engine import check_wagers, read_bets, read_sheet, settle
from games.refusal import Refusal

Document = dict[str, Any]


def _sheet(rulebook: str, **changes: Any) -> Document:
    """Two hands of a rulebook, sound until something is changed."""
    sheet: Document = {"rulebook": rulebook, "bank_hand": "Kh 7d 4c"}
    if rulebook in ("california", "designated_player"):
        sheet["bank"] = {"seat": 3, "wager": 20_000}
    sheet["positions"] = [
        {
            "seat": 4,
            "player": "Ann",
            "hand": "9s 9c 2d",
            "wagers": {"ante": 1000, "pair_plus": 500},
            "decision": "play",
        },
        {
            "seat": 6,
            "player": "Bo",
            "hand": "Js 8h 5c",
            "wagers": {"ante": 500, "pair_plus": 500},
            "decision": "fold",
        },
    ]
    return {**sheet, **changes}


LEAVE_OUT = object()


def _changed(document: Document, path: str, value: Any) -> Document:
    """The sheet with the value at `positions.0.wagers.ante` put in, or the key left out."""
    changed = copy.deepcopy(document)
    *way, last = path.split(".")
    at: Any = changed
    for step in way:
        at = at[int(step)] if isinstance(at, list) else at.setdefault(step, {})
    if value is LEAVE_OUT:
        del at[last]
    elif isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return changed


def _assert_refused(document: Any, code: str, path: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_sheet(document)
    assert (refused.value.code, refused.value.path) == (code, path)
    assert refused.value.message.endswith(".") and "\n" not in refused.value.message
    error = {"code": code, "message": refused.value.message, "path": path}
    assert refused.value.to_json()["error"] == error
    if not isinstance(document, (str, bytes)):
        try:
            document = json.dumps(document, allow_nan=False)
        except ValueError:
            return  # no JSON says it
    assert json.loads(answer_to(document)[0]) == {"error": error}


#: Odds that South Dakota and designator TCP-01 print for pair plus.
PRINTED = {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1}


@pytest.mark.parametrize(
    "rulebook", ["california", "designated_player", "massachusetts", "south_dakota", "shuffle_master"]
)
def test_the_sheet_that_the_mistakes_are_made_in_is_sound(rulebook: str) -> None:
    assert settle(read_sheet(_sheet(rulebook))).lines


@pytest.mark.parametrize(
    ("at", "value", "code", "path"),
    [
        # -- form
        ("note", "x", "unknown_key", "note"),
        ("bank.name", "x", "unknown_key", "bank.name"),
        ("positions.1.cards", "x", "unknown_key", "positions[1].cards"),
        ("positions.1.wagers.play", 500, "unknown_key", "positions[1].wagers.play"),
        ("positions.1.wagers.insurance", 500, "unknown_key", "positions[1].wagers.insurance"),
        ("positions.1.tips.bad_beat", 500, "unknown_key", "positions[1].tips.bad_beat"),
        ("rulebook", LEAVE_OUT, "missing_key", "rulebook"),
        ("bank_hand", LEAVE_OUT, "missing_key", "bank_hand"),
        ("positions", LEAVE_OUT, "missing_key", "positions"),
        ("bank.seat", LEAVE_OUT, "missing_key", "bank.seat"),
        ("bank.wager", LEAVE_OUT, "missing_key", "bank.wager"),
        ("positions.0.seat", LEAVE_OUT, "missing_key", "positions[0].seat"),
        ("positions.0.hand", LEAVE_OUT, "missing_key", "positions[0].hand"),
        ("positions.0.wagers", LEAVE_OUT, "missing_key", "positions[0].wagers"),
        ("rulebook", 1, "wrong_type", "rulebook"),
        ("options", None, "wrong_type", "options"),
        ("options", [], "wrong_type", "options"),
        ("bank", 3, "wrong_type", "bank"),
        ("bank.seat", "3", "wrong_type", "bank.seat"),
        ("bank.seat", True, "wrong_type", "bank.seat"),
        ("bank.wager", "20000", "wrong_type", "bank.wager"),
        ("bank.wager", True, "wrong_type", "bank.wager"),
        ("bank.wager", None, "wrong_type", "bank.wager"),
        ("bank_hand", None, "wrong_type", "bank_hand"),
        ("meter", "1", "wrong_type", "meter"),
        ("positions", {}, "wrong_type", "positions"),
        ("positions.1", "Bo", "wrong_type", "positions[1]"),
        ("positions.1.seat", None, "wrong_type", "positions[1].seat"),
        ("positions.1.player", 7, "wrong_type", "positions[1].player"),
        ("positions.1.player", None, "wrong_type", "positions[1].player"),
        ("positions.1.player", "Bo\ud800", "wrong_type", "positions[1].player"),
        ("positions.1.hand", ["Js", "8h", "5c"], "wrong_type", "positions[1].hand"),
        ("positions.1.wagers", [500], "wrong_type", "positions[1].wagers"),
        ("positions.1.wagers.ante", "500", "wrong_type", "positions[1].wagers.ante"),
        ("positions.1.wagers.ante", True, "wrong_type", "positions[1].wagers.ante"),
        ("positions.1.tips", 5, "wrong_type", "positions[1].tips"),
        ("positions.1.tips", {"ante": None}, "wrong_type", "positions[1].tips.ante"),
        ("positions.1.decision", None, "wrong_type", "positions[1].decision"),
        ("rulebook", "nevada", "unknown_rulebook", "rulebook"),
        # -- amounts
        ("bank.wager", 0, "bad_amount", "bank.wager"),
        ("bank.wager", -1, "bad_amount", "bank.wager"),
        ("bank.wager", 10**15 + 1, "bad_amount", "bank.wager"),
        ("meter", 0, "bad_amount", "meter"),
        ("positions.0.wagers.ante", 0, "bad_amount", "positions[0].wagers.ante"),
        ("positions.0.wagers.ante", 10.5, "bad_amount", "positions[0].wagers.ante"),
        ("positions.0.wagers.ante", 1000.0, "bad_amount", "positions[0].wagers.ante"),
        ("positions.0.wagers.pair_plus", -500, "bad_amount", "positions[0].wagers.pair_plus"),
        ("positions.0.tips", {"ante": 0}, "bad_amount", "positions[0].tips.ante"),
        # -- cards
        ("bank_hand", "Kh 7d 1c", "bad_card", "bank_hand"),
        ("bank_hand", "kh 7d 4c", "bad_card", "bank_hand"),
        ("bank_hand", "Kh,7d,4c", "bad_card", "bank_hand"),
        ("bank_hand", "Kh 7d\t4c", "bad_card", "bank_hand"),
        ("positions.1.hand", "Js 10h 5c", "bad_card", "positions[1].hand"),
        ("positions.1.hand", "", "hand_size", "positions[1].hand"),
        ("positions.1.hand", "Js 8h", "hand_size", "positions[1].hand"),
        ("positions.1.hand", "Js 8h 5c 2c", "hand_size", "positions[1].hand"),
        ("bank_hand", "Kh Kh 4c", "duplicate_card", "bank_hand"),
        ("positions.0.hand", "9s 9c 9s", "duplicate_card", "positions[0].hand"),
        ("positions.0.hand", "Kh 9c 2d", "duplicate_card", "positions[0].hand"),
        ("positions.1.hand", "Js 8h 2d", "duplicate_card", "positions[1].hand"),
        # -- seats
        ("bank", LEAVE_OUT, "bank_required", "bank"),
        ("bank.seat", 8, "bad_seat", "bank.seat"),
        ("bank.seat", 0, "bad_seat", "bank.seat"),
        ("bank.seat", 3.0, "bad_seat", "bank.seat"),
        ("action_seat", 8, "bad_seat", "action_seat"),
        ("positions.0.seat", 9, "bad_seat", "positions[0].seat"),
        ("positions.1.seat", 3, "bank_has_wagers", "positions[1].seat"),
        ("positions.1.seat", 4, "seat_taken", "positions[1].seat"),
        ("positions.1.player", "Ann", "too_many_positions", "positions[1]"),
        ("positions.1.player", LEAVE_OUT, None, None),
        # -- wagers and decisions
        ("positions", [], "no_wager", "positions"),
        ("positions.0.wagers", {}, "no_wager", "positions[0].wagers"),
        ("positions.0.wagers.cover_all", 100, "wager_not_offered", "positions[0].wagers.cover_all"),
        ("positions.0.wagers.bad_beat", 100, "wager_not_offered", "positions[0].wagers.bad_beat"),
        ("positions.0.wagers.progressive", 100, "wager_not_offered", "positions[0].wagers.progressive"),
        ("positions.0.wagers", {"pair_plus": 5}, "wager_needs_ante", "positions[0].wagers.pair_plus"),
        ("positions.0.wagers", {"six_card_bonus": 5}, "wager_needs_ante", "positions[0].wagers.six_card_bonus"),
        ("positions.0.decision", LEAVE_OUT, "decision_required", "positions[0].decision"),
        ("positions.0.decision", "raise", "decision_not_allowed", "positions[0].decision"),
        ("positions.0.decision", "surrender", "decision_not_allowed", "positions[0].decision"),
        # -- tips
        ("positions.0.tips", {"six_card_bonus": 100}, "tip_needs_wager", "positions[0].tips.six_card_bonus"),
        ("positions.0.tips", {"play": 100}, "tip_needs_wager", "positions[0].tips.play"),
        ("positions.1.tips", {"ante": 100, "play": 100}, "tip_needs_wager", "positions[1].tips.play"),
        ("positions.0.tips", {"ante": 100, "play": 101}, "tip_not_allowed", "positions[0].tips.play"),
        ("positions.0.tips", {"ante": 100, "play": 100}, None, None),
        # -- options
        ("options.version", "standard", "unknown_option", "options.version"),
        ("options.jackpot", 1, "unknown_option", "options.jackpot"),
        ("options.coverage", "both", "bad_option", "options.coverage"),
        ("options.coverage", None, "bad_option", "options.coverage"),
        ("options.fee_schedule", 3, "bad_option", "options.fee_schedule"),
        ("options.fee_schedule", True, "bad_option", "options.fee_schedule"),
        ("options.fee_schedule", 1.0, "bad_option", "options.fee_schedule"),
        ("options.fee_schedule", "1", "bad_option", "options.fee_schedule"),
        ("options.fee_schedule", None, None, None),
        ("options.six_card_bonus_table", None, "bad_option", "options.six_card_bonus_table"),
        ("options.six_card_bonus_table", "TCP-6B1", "bad_option", "options.six_card_bonus_table"),
        ("options.pair_plus_table", "massachusetts", "bad_option", "options.pair_plus_table"),
        ("options.pair_plus_table", None, "bad_option", "options.pair_plus_table"),
        ("options.pair_plus_table", {"pair": 1}, "bad_option", "options.pair_plus_table"),
        ("options.pair_plus_table", "california", None, None),
        ("options.pair_plus_table", PRINTED, "bad_option", "options.pair_plus_table"),
        ("options.tips", "after_players", None, None),
        ("options.tips", "first", "bad_option", "options.tips"),
        ("options.tips", None, "bad_option", "options.tips"),
    ],
)  # fmt: skip
def test_california(at: str, value: Any, code: str | None, path: str | None) -> None:
    document = _changed(_sheet("california"), at, value)
    if code is None or path is None:
        assert settle(read_sheet(document)).lines
    else:
        _assert_refused(document, code, path)


@pytest.mark.parametrize("fee_schedule", [1, True, 1.0])
def test_an_option_is_refused_by_its_type_even_after_its_equal_was_taken(fee_schedule: object) -> None:
    read_sheet(_changed(_sheet("california"), "options.fee_schedule", 1))
    document = _changed(_sheet("california"), "options.fee_schedule", fee_schedule)
    if type(fee_schedule) is int:
        assert read_sheet(document).options["fee_schedule"] == 1
    else:
        _assert_refused(document, "bad_option", "options.fee_schedule")


@pytest.mark.parametrize(
    ("schedule", "ante", "allowed"),
    [
        (1, 499, False),
        (1, 500, True),
        (1, 10_000, True),
        (1, 10_001, False),
        (2, 4999, False),
        (2, 10**9, True),
    ],
)
def test_an_ante_outside_the_limits_of_the_schedule_in_force(schedule: int, ante: int, allowed: bool) -> None:
    document = _sheet("california", options={"fee_schedule": schedule})
    document["positions"][0]["wagers"]["ante"] = ante
    document["positions"][1]["wagers"]["ante"] = 5000
    if allowed:
        assert read_sheet(document).total_table_action == ante + 5000
    else:
        _assert_refused(document, "outside_table_limits", "positions[0].wagers.ante")


FLOOR = {"straight_flush": 35, "three_of_a_kind": 25, "straight": 5, "flush": 3, "pair": 1}


@pytest.mark.parametrize(
    ("rulebook", "at", "value", "code", "path"),
    [
        ("designated_player", "bank.seat", 8, None, None),
        ("designated_player", "bank.seat", 9, "bad_seat", "bank.seat"),
        ("designated_player", "options.coverage", "net", "unknown_option", "options.coverage"),
        ("designated_player", "options.tips", "none", "unknown_option", "options.tips"),
        ("designated_player", "options.pair_plus_table", FLOOR, None, None),
        ("designated_player", "options.house_rake", None, None, None),
        ("designated_player", "options.house_rake", {"mode": "all", "cents": 1}, None, None),
        ("designated_player", "options.house_rake", {"mode": "all", "cents": 0}, "bad_option", "options.house_rake"),
        ("designated_player", "options.house_rake", {"mode": "all"}, "bad_option", "options.house_rake"),
        ("designated_player", "options.house_rake", {"mode": "winners", "cents": 1}, "bad_option", "options.house_rake"),
        ("designated_player", "options.house_rake", {"mode": "all", "cents": 1, "per": 2}, "bad_option", "options.house_rake"),
        ("designated_player", "options.house_rake", {"mode": "all", "cents": 1.5}, "bad_option", "options.house_rake"),
        ("designated_player", "options.house_rake", "all", "bad_option", "options.house_rake"),
        ("designated_player", "options.pair_plus_requires_win", 1, "bad_option", "options.pair_plus_requires_win"),
        ("designated_player", "options.pair_plus_requires_win", None, "bad_option", "options.pair_plus_requires_win"),
        ("designated_player", "options.six_card_bonus_table", None, None, None),
        ("designated_player", "positions.0.wagers.six_card_bonus", 5, "wager_not_offered", "positions[0].wagers.six_card_bonus"),
        ("designated_player", "positions.0.wagers", {"pair_plus": 5}, "wager_needs_ante", "positions[0].wagers.pair_plus"),
        ("designated_player", "positions.1.player", "Ann", "too_many_positions", "positions[1]"),
        ("massachusetts", "bank", {"seat": 1, "wager": 1}, "bank_not_allowed", "bank"),
        ("massachusetts", "bank", None, "bank_not_allowed", "bank"),
        ("massachusetts", "action_seat", 7, None, None),
        ("massachusetts", "options.pair_plus_table", FLOOR, None, None),
        ("massachusetts", "options.pair_plus_table", {**FLOOR, "mini_royal": 34}, "bad_option", "options.pair_plus_table"),
        ("massachusetts", "options.pair_plus_table", {**FLOOR, "flush": 2}, "bad_option", "options.pair_plus_table"),
        ("massachusetts", "options.pair_plus_table", {**FLOOR, "flush": 4.0}, "bad_option", "options.pair_plus_table"),
        ("massachusetts", "options.pair_plus_table", {**FLOOR, "flush": True}, "bad_option", "options.pair_plus_table"),
        ("massachusetts", "options.pair_plus_table", {**FLOOR, "high_card": 1}, "bad_option", "options.pair_plus_table"),
        ("massachusetts", "options.ante_bonus_table", "A", "bad_option", "options.ante_bonus_table"),
        ("massachusetts", "options", {"version": "ante_covers_half", "ante_bonus_table": "standard"}, "bad_option", "options.ante_bonus_table"),
        ("massachusetts", "options.progressive_table", 3, None, None),
        ("massachusetts", "options.progressive_table", "1", "bad_option", "options.progressive_table"),
        ("massachusetts", "options.progressive_on_fold", 0, "bad_option", "options.progressive_on_fold"),
        ("massachusetts", "options.settling", "at once", "bad_option", "options.settling"),
        ("massachusetts", "options.meter_wins", "", "bad_option", "options.meter_wins"),
        ("massachusetts", "options.meter_wins", " shared", "bad_option", "options.meter_wins"),
        ("massachusetts", "options.meter_wins", "x" * 301, "bad_option", "options.meter_wins"),
        ("south_dakota", "options.meter_wins", 5, "bad_option", "options.meter_wins"),
        ("south_dakota", "options.settling", "seat_by_seat", "unknown_option", "options.settling"),
        ("massachusetts", "positions.1.decision", "surrender", None, None),
        ("massachusetts", "positions.0.wagers", {"cover_all": 5}, "no_wager", "positions[0].wagers"),
        ("massachusetts", "positions.0.wagers", {"progressive": 5}, "no_wager", "positions[0].wagers"),
        ("massachusetts", "positions.0.wagers", {"six_card_bonus": 5}, "wager_needs_ante", "positions[0].wagers.six_card_bonus"),
        ("massachusetts", "positions.0.wagers.progressive", 100, "meter_required", "meter"),
        ("massachusetts", "positions.0.wagers", {"pair_plus": 5}, "decision_not_allowed", "positions[0].decision"),
        ("massachusetts", "positions.0", {"seat": 1, "hand": "9s 9c 2d", "wagers": {"pair_plus": 5}, "tips": {"ante": 1}}, "tip_needs_wager", "positions[0].tips.ante"),
        ("massachusetts", "positions.1.player", "Ann", "too_many_positions", "positions[1]"),
        ("south_dakota", "options.progressive_table", 3, "bad_option", "options.progressive_table"),
        ("south_dakota", "options.pair_plus_table", PRINTED, "bad_option", "options.pair_plus_table"),
        ("south_dakota", "options.pair_plus_table", "south_dakota", None, None),
        ("south_dakota", "options.pair_plus_on_fold", "evaluate", None, None),
        ("south_dakota", "options.pair_plus_on_fold", True, "bad_option", "options.pair_plus_on_fold"),
        ("massachusetts", "options.pair_plus_on_fold", "evaluate", "unknown_option", "options.pair_plus_on_fold"),
        ("south_dakota", "options.progressive_on_fold", True, "unknown_option", "options.progressive_on_fold"),
        ("south_dakota", "positions.0.wagers", {"six_card_bonus": 5}, "no_wager", "positions[0].wagers"),
        ("south_dakota", "positions.0.wagers", {"progressive": 5, "six_card_bonus": 5}, "no_wager", "positions[0].wagers"),
        ("south_dakota", "positions.1.decision", "surrender", "decision_not_allowed", "positions[1].decision"),
        ("south_dakota", "positions.1.player", "Ann", None, None),
        ("south_dakota", "positions.0.tips", {"six_card_bonus": 1}, "tip_not_allowed", "positions[0].tips.six_card_bonus"),
        ("south_dakota", "positions.0.tips", {"ante": 1, "play": 1}, None, None),
        ("shuffle_master", "options.designator", "TCP-13", "bad_option", "options.designator"),
        ("shuffle_master", "options.pair_plus_table", "shuffle_master", None, None),
        ("shuffle_master", "options.pair_plus_table", PRINTED, "bad_option", "options.pair_plus_table"),
        ("shuffle_master", "options.pair_plus_table", None, "bad_option", "options.pair_plus_table"),
        ("shuffle_master", "options.pair_plus_table", "california", "bad_option", "options.pair_plus_table"),
        ("shuffle_master", "options", {"designator": "TCP-04", "pair_plus_table": "TCP-04"}, None, None),
        ("shuffle_master", "options.pair_plus_table", "TCP-04", "bad_option", "options.pair_plus_table"),
        ("shuffle_master", "positions.0.wagers.six_card_bonus", 5, "wager_not_offered", "positions[0].wagers.six_card_bonus"),
        ("shuffle_master", "positions.0.wagers", {"bad_beat": 5}, "wager_needs_ante", "positions[0].wagers.bad_beat"),
        ("shuffle_master", "positions.0.wagers", {"pair_plus": 5, "bad_beat": 5}, "wager_needs_ante", "positions[0].wagers.bad_beat"),
        ("shuffle_master", "positions.1.player", "Ann", "too_many_positions", "positions[1]"),
        ("shuffle_master", "positions.0.tips", {"six_card_bonus": 1}, "tip_not_allowed", "positions[0].tips.six_card_bonus"),
    ],
)  # fmt: skip
def test_the_other_rulebooks(rulebook: str, at: str, value: Any, code: str | None, path: str | None) -> None:
    document = _changed(_sheet(rulebook), at, value)
    if code is None or path is None:
        assert settle(read_sheet(document)).lines
    else:
        _assert_refused(document, code, path)


@pytest.mark.parametrize(
    ("version", "ante", "pair_plus", "code"),
    [
        ("ante_covers_pair_plus", 500, 500, None),
        ("ante_covers_pair_plus", 500, 501, "wager_ratio"),
        ("ante_covers_pair_plus", 500, 0, None),
        ("ante_covers_pair_plus", 0, 500, "wager_needs_ante"),
        ("ante_covers_half", 500, 1000, None),
        ("ante_covers_half", 500, 1001, "wager_ratio"),
        ("both_within_five", 500, 2500, None),
        ("both_within_five", 500, 2501, "wager_ratio"),
        ("both_within_five", 2500, 500, None),
        ("both_within_five", 2501, 500, "wager_ratio"),
        ("both_within_five", 500, 0, "wager_ratio"),
        ("both_within_five", 0, 500, "wager_needs_ante"),
        ("standard", 500, 10**6, None),
    ],
)
def test_the_ratios_of_the_massachusetts_versions(
    version: str, ante: int, pair_plus: int, code: str | None
) -> None:
    wagers = {name: cents for name, cents in (("ante", ante), ("pair_plus", pair_plus)) if cents}
    position = {"seat": 1, "hand": "9s 9c 2d", "wagers": wagers, **({"decision": "play"} if ante else {})}
    document = _sheet("massachusetts", options={"version": version}, positions=[position])
    if code is None:
        assert settle(read_sheet(document)).lines
    else:
        _assert_refused(document, code, "positions[0].wagers.pair_plus")


@pytest.mark.parametrize(
    ("rulebook", "seats", "path"),
    [
        ("massachusetts", [3, 4, 5], None),
        ("massachusetts", [5, 3, 4], None),
        ("massachusetts", [2, 3, 5], "positions[2]"),
        ("massachusetts", [7, 1], "positions[1]"),
        ("massachusetts", [1, 2, 3, 4], "positions[3]"),
        ("south_dakota", [1, 7], None),
        ("south_dakota", [1, 2, 3], "positions[2]"),
    ],
)
def test_how_many_positions_a_player_may_hold_and_where(
    rulebook: str, seats: list[int], path: str | None
) -> None:
    hands = ["9s 9c 2d", "Js 8h 5c", "Td 6h 3c", "Qs 6d 2c"]
    positions = [
        {"seat": seat, "player": "Ann", "hand": hand, "wagers": {"ante": 5}, "decision": "fold"}
        for seat, hand in zip(seats, hands, strict=False)
    ]
    document = _sheet(rulebook, positions=positions)
    if path is None:
        assert len(read_sheet(document).positions) == len(seats)
    else:
        _assert_refused(document, "too_many_positions", path)


def test_the_path_is_the_players_last_position_when_others_stand_between() -> None:
    hands = iter(["9s 9c 2d", "Js 8h 5c", "Td 6h 3c"])
    positions = [
        {"seat": seat, "player": player, "hand": next(hands), "wagers": {"pair_plus": 5}}
        for seat, player in ((1, "Ann"), (4, "Ann"), (2, "Bo"))
    ]
    _assert_refused(_sheet("massachusetts", positions=positions), "too_many_positions", "positions[1]")


def test_an_unnamed_player_is_the_seat_and_may_be_named_so_elsewhere() -> None:
    document = _sheet("california")
    del document["positions"][0]["player"]
    assert read_sheet(document).positions[0].player == "seat 4"
    document["positions"][1]["player"] = "seat 4"
    _assert_refused(document, "too_many_positions", "positions[1]")


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "{", "[1", "nul", "{'rulebook': 1}", '{"rulebook": NaN}', '{"meter": Infinity}', '{"meter": -Infinity}',
        '{"rulebook": "california", "rulebook": "massachusetts"}', '{"bank": {"seat": 1, "seat": 2}}',
        b"\xff\xfe{}", b'{"rulebook": "\xe9"}', "\ufeff{}", b"\xef\xbb\xbf{}", '{"meter": ' + "9" * 5000 + "}",
        "[" * 100_000, '{"a":' * 100_000, '{"rulebook": "a"} {"rulebook": "b"}', '{"a": 01}', '"\t"',
    ],
)  # fmt: skip
def test_text_that_is_no_json_for_certain(text: str | bytes) -> None:
    _assert_refused(text, "bad_json", "")


@pytest.mark.parametrize("text", ["null", "[]", "3", '"california"', "true", "1e400"])
def test_json_that_is_no_object(text: str) -> None:
    _assert_refused(text, "wrong_type", "")


def test_amounts_and_cards_are_looked_at_where_the_rules_then_ignore_them() -> None:
    document = _sheet("california", meter=500)
    assert settle(read_sheet(document)).meter_paid == 0
    _assert_refused({**document, "meter": -1}, "bad_amount", "meter")
    _assert_refused(_sheet("massachusetts", action_seat=8), "bad_seat", "action_seat")


def test_blanks_may_stand_around_and_between_cards() -> None:
    document = _changed(_sheet("california"), "bank_hand", "  Kh  7d 4c ")
    assert settle(read_sheet(document)) == settle(read_sheet(_sheet("california")))


# -- the same document at "no more bets"


def _bets(rulebook: str = "california", **changes: Any) -> Document:
    document = _sheet(rulebook, **changes)
    del document["bank_hand"]
    for position in document["positions"]:
        position.pop("hand", None)
        position.pop("decision", None)
    return document


def test_bets_are_read_before_there_are_cards_or_decisions() -> None:
    document = _bets()
    document["positions"][0]["tips"] = {"ante": 100}
    bets = read_bets(document)
    assert bets.total_table_action == 1500
    assert bets.bank is not None and (bets.bank.seat, bets.bank.wager) == (3, 20_000)
    assert [(p.seat, p.player, p.wagers, p.tips) for p in bets.positions] == [
        (4, "Ann", {"ante": 1000, "pair_plus": 500}, {"ante": 100}),
        (6, "Bo", {"ante": 500, "pair_plus": 500}, {}),
    ]
    assert read_bets(bets.to_json()) == bets


@pytest.mark.parametrize(
    ("at", "value", "code", "path"),
    [
        ("bank_hand", "Kh 7d 4c", "unknown_key", "bank_hand"),
        ("positions.0.hand", "9s 9c 2d", "unknown_key", "positions[0].hand"),
        ("positions.0.decision", "play", "unknown_key", "positions[0].decision"),
        ("positions.0.tips", {"ante": 5, "play": 5}, "tip_needs_wager", "positions[0].tips.play"),
        ("positions.0.wagers.ante", 0, "bad_amount", "positions[0].wagers.ante"),
        ("positions.1.seat", 3, "bank_has_wagers", "positions[1].seat"),
        ("positions.1.seat", 4, "seat_taken", "positions[1].seat"),
        ("positions", [], "no_wager", "positions"),
        ("bank", LEAVE_OUT, "bank_required", "bank"),
        ("options", {"fee_schedule": 2}, "outside_table_limits", "positions[0].wagers.ante"),
    ],
)
def test_bets_are_refused_as_the_whole_sheet_would_be(at: str, value: Any, code: str, path: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_bets(_changed(_bets(), at, value))
    assert (refused.value.code, refused.value.path) == (code, path)


@pytest.mark.parametrize(
    ("position", "code", "path"),
    [
        ({"seat": 4, "wagers": {"ante": 4}}, "outside_table_limits", "wagers.ante"),
        ({"seat": 4, "wagers": {"pair_plus": 500}}, "wager_needs_ante", "wagers.pair_plus"),
        ({"seat": 9, "wagers": {"ante": 500}}, "bad_seat", "seat"),
        ({"seat": 4, "wagers": {}}, "no_wager", "wagers"),
        ({"seat": 4, "wagers": {"ante": 500}, "tips": {"pair_plus": 5}}, "tip_needs_wager", "tips.pair_plus"),
        ({"seat": 4, "wagers": {"ante": 500}, "hand": "9s 9c 2d"}, "unknown_key", "hand"),
        ([], "wrong_type", ""),
    ],
)
def test_one_seat_is_checked_while_betting_is_open(position: Any, code: str, path: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_wagers("california", {"fee_schedule": 1}, position)
    assert (refused.value.code, refused.value.path) == (code, path)


def test_one_sound_seat_comes_back_as_it_will_stand_on_the_sheet() -> None:
    position = check_wagers("california", None, {"seat": 4, "wagers": {"ante": 500}, "tips": {"ante": 5}})
    assert position == read_bets(
        {
            "rulebook": "california",
            "bank": {"seat": 3, "wager": 1},
            "positions": [{"seat": 4, "wagers": {"ante": 500}, "tips": {"ante": 5}}],
        }
    ).positions[0]  # fmt: skip
