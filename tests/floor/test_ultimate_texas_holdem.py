"""Ultimate Texas Hold'em at a table: the blind that follows, decisions at three points, fees on the ante, corrections."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.filings import services
from cardroom.floor.checks.limits import limited_at
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.points import board_show, decisions_record
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_settle,
)
from cardroom.floor.commands.tables import table_set
from cardroom.floor.errors import BadInput, NotNow
from cardroom.floor.models import Round, Shift
from cardroom.reports.verification.fee_audit import audit_fees
from games.engine import read_recorded_sheet, settle_wagers
from tests.cast import Cast
from tests.filing import SINCE, filer, schedule_draft, table_settings

HANDS = {"board": "9h 9c 4d 2c 7d", "bank_hand": "Qs Js"}
BETS = [
    {"seat": 4, "wagers": {"ante": 2000, "trips": 500}, "tips": {"ante": 100}},
    {"seat": 5, "wagers": {"ante": 1000}},
]
RESULTS = [
    {"seat": 4, "hand": "9d Ks", "decision": "4x", "tips": {"play": 200}},
    {"seat": 5, "hand": None, "decision": "check check fold"},
]
"""Three nines win ante, play and trips, and push the blind; seat 5 folds unseen."""


@pytest.fixture
def holdem(running: Cast) -> Cast:
    """A table of Ultimate Texas Hold'em on a schedule of its own: $1 a position, $2 from the bank; seat 3 banks."""
    by = filer(running.room)
    bank = {"payer": "bank", "per": "total_table_action", "lower_cents": 500, "upper_cents": None}
    document = {
        "clause": "filed",
        "ante_min_cents": 500,
        "ante_max_cents": 50_000,
        "lines": [
            {"payer": "player", "per": "ante", "fee_cents": 100, "clause": "filed"},
            {**bank, "fee_cents": 200, "clause": "filed"},
        ],
    }
    schedule = schedule_draft(
        by=by,
        rulebook="ultimate_texas_holdem",
        room=running.room,
        number=41,
        title="Ultimate",
        document=document,
    )
    schedule = services.file(schedule, by=by, effective_from=SINCE, state_reference="GEGA-000125")
    settings = table_settings(
        running.room, rulebook="ultimate_texas_holdem", schedule_id=schedule.pk, recording="cards"
    )
    running.send(table_set, "floor", **settings)
    return running


def dealt(cast: Cast, bets: list[dict[str, Any]] = BETS, wager: int = 200_000) -> None:
    cast.send(round_open, bank_wager_cents=wager)
    cast.send(bets_place, positions=bets)
    cast.send(bets_close)
    cast.send(round_deal)


def test_a_round_is_charged_on_the_ante_and_settled_by_its_points(holdem: Cast) -> None:
    dealt(holdem)
    settled = holdem.send(round_settle, hands=HANDS, positions=RESULTS)
    round_ = Round.objects.get()
    assert round_.total_table_action_cents == 3000
    assert (round_.player_fees_cents, round_.bank_fee_cents) == (200, 200)
    assert [bet["wagers"] for bet in round_.bets] == [
        {"ante": 2000, "blind": 2000, "trips": 500},
        {"ante": 1000, "blind": 1000},
    ]
    # Ante 20, play 80 and trips 15 dollars to Dee, less the tips of 3 dollars that she laid; Eve loses ante and blind.
    assert settled["settlement"]["net"] == {"Dee": 2000 + 8000 + 1500 - 300, "Eve": -2000}
    again = settle_wagers(read_recorded_sheet(round_.sheet or {})).lines
    assert [line["paid"] for line in settled["settlement"]["lines"]] == [line.paid for line in again]
    assert audit_fees(Round.objects.all(), [Shift.objects.get().pk]).differing == 0


def test_the_blind_is_not_limited_and_not_entered_and_may_not_differ(holdem: Cast) -> None:
    holdem.table.refresh_from_db()
    assert [each.key for each in limited_at(holdem.table)] == ["trips", "tips"]
    holdem.send(round_open, bank_wager_cents=200_000)
    with pytest.raises(BadInput) as refused:
        holdem.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 1000, "blind": 500}}])
    assert (refused.value.code, refused.value.path) == ("wager_not_equal", "positions[0].wagers.blind")
    with pytest.raises(BadInput) as refused:
        holdem.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 1000, "play": 4000}}])
    assert refused.value.path == "positions[0].wagers.play"


@pytest.mark.parametrize(
    ("hands", "results", "code", "path"),
    [
        ({**HANDS, "board": "9h 9c 4d 2c"}, RESULTS, "hand_size", "board"),
        ({"bank_hand": "Qs Js"}, RESULTS, "missing_key", "board"),
        (
            HANDS,
            [{**RESULTS[0], "decision": "check 4x"}, RESULTS[1]],
            "decision_not_allowed",
            "positions[0].decision",
        ),
        (HANDS, [{**RESULTS[0], "hand": "9h Ks"}, RESULTS[1]], "duplicate_card", "positions[0].hand"),
        (HANDS, [RESULTS[0], {**RESULTS[1], "decision": "check 2x"}], "missing_key", "positions[1].hand"),
        (
            HANDS,
            [{**RESULTS[0], "tips": {"play": 401}}, RESULTS[1]],
            "tip_not_allowed",
            "positions[0].tips.play",
        ),
    ],
)
def test_cards_and_decisions_against_the_rules_are_refused_with_their_path(
    holdem: Cast, hands: dict[str, str], results: list[dict[str, Any]], code: str, path: str
) -> None:
    dealt(holdem)
    with pytest.raises(BadInput) as refused:
        holdem.send(round_settle, hands=hands, positions=results)
    assert (refused.value.code, refused.value.path) == (code, path)


def test_a_whole_sheet_is_recorded_and_corrected(holdem: Cast) -> None:
    sheet = {
        "rulebook": "ultimate_texas_holdem", "bank": {"seat": 3, "wager": 200_000}, **HANDS,
        "positions": [{"seat": 4, "wagers": {"ante": 2000}, "hand": "9d Ks", "decision": "3x"}],
    }  # fmt: skip
    holdem.send(round_record, sheet=sheet)
    round_ = Round.objects.get()
    assert round_.paid_cents == 8000
    position = {"seat": 4, "wagers": {"ante": 2000}, "hand": "9d Ks", "decision": "4x"}
    holdem.send(
        round_correct, "floor", round_id=round_.pk, bank_wager_cents=200_000, hands=HANDS, positions=[position],
        reason="four times was played", approver=holdem.people["shift_manager"],
    )  # fmt: skip
    assert Round.objects.latest("pk").paid_cents == 10_000


def decide(cast: Cast, seat: int, decision: str) -> dict[str, Any]:
    answer: dict[str, Any] = cast.send(decisions_record, positions=[{"seat": seat, "decision": decision}])
    return answer


def test_decisions_are_recorded_as_their_points_come(holdem: Cast) -> None:
    dealt(holdem)
    first = decide(holdem, 4, "4x")
    assert (first["board"], first["point"], first["decided"]) == ("", "before_flop", {"4": "4x"})
    flop = holdem.send(board_show, cards="9h 9c 4d")
    assert (flop["board"], flop["point"]) == ("9h 9c 4d", "flop")
    assert flop["decided"] == {"4": "4x", "5": "check"}
    for seat, decision, code in (
        (5, "4x", "decision_not_now"),
        (5, "fold", "decision_not_now"),
        (4, "2x", "has_decided"),
    ):
        with pytest.raises(BadInput) as refused:
            decide(holdem, seat, decision)
        assert (refused.value.code, refused.value.path) == (code, "positions[0].decision")
    assert holdem.send(board_show, cards="9h 9c 4d 2c 7d")["decided"] == {"4": "4x", "5": "check check"}
    decide(holdem, 5, "1x")
    decide(holdem, 5, "fold")  # recorded by a slip: at the same point another decision takes its place
    settled = holdem.send(
        round_settle, bank_hand="Qs Js", positions=[{"seat": 4, "hand": "9d Ks"}, {"seat": 5}]
    )
    assert settled["settlement"]["net"] == {"Dee": 2000 + 8000 + 1500 - 100, "Eve": -2000}
    sheet = Round.objects.get().sheet
    assert sheet is not None
    assert sheet["board"] == "9h 9c 4d 2c 7d"
    assert [position["decision"] for position in sheet["positions"]] == ["4x", "check check fold"]


def test_the_settlement_agrees_with_what_was_recorded(holdem: Cast) -> None:
    dealt(holdem)
    decide(holdem, 4, "4x")
    holdem.send(board_show, cards="9h 9c 4d")
    other = {**HANDS, "board": "9h 9c 5d 2c 7d"}
    with pytest.raises(BadInput) as refused:
        holdem.send(round_settle, hands=other, positions=RESULTS)
    assert (refused.value.code, refused.value.path) == ("board_differs", "board")
    with pytest.raises(BadInput) as refused:
        holdem.send(
            round_settle, hands=HANDS, positions=[{**RESULTS[0], "decision": "3x", "tips": {}}, RESULTS[1]]
        )
    assert (refused.value.code, refused.value.path) == ("decision_differs", "positions[0].decision")
    with pytest.raises(BadInput) as refused:  # seat 5 has let the first point pass
        holdem.send(
            round_settle,
            hands=HANDS,
            positions=[RESULTS[0], {**RESULTS[1], "hand": "Ah Kh", "decision": "4x"}],
        )
    assert (refused.value.code, refused.value.path) == ("decision_differs", "positions[1].decision")
    holdem.send(round_settle, hands=HANDS, positions=RESULTS)


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("9h 9c", None, "hand_size"),
        ("9h 9c 9c", None, "duplicate_card"),
        ("9h 9c 9x", None, "bad_card"),
        ("9h 9c 4d", "9h 9c 5d 2c 7d", "board_differs"),
        ("9h 9c 4d 2c 7d", "9h 9c 5d", "board_differs"),
    ],
)
def test_a_board_goes_on_from_what_lies_there(
    holdem: Cast, first: str, second: str | None, code: str
) -> None:
    dealt(holdem)
    if second is not None:
        holdem.send(board_show, cards=first)
    with pytest.raises(BadInput) as refused:
        holdem.send(board_show, cards=second or first)
    assert (refused.value.code, refused.value.path) == (code, "cards")


def test_the_last_cards_of_a_board_are_recorded_anew(holdem: Cast) -> None:
    dealt(holdem)
    holdem.send(board_show, cards="9h 9c 4d")
    holdem.send(board_show, cards="9h 9c 5d")
    holdem.send(board_show, cards="9h 9c 5d 2c 7d")
    assert holdem.send(board_show, cards="9h 9c 5d 2c 8d")["board"] == "9h 9c 5d 2c 8d"


def test_a_board_that_was_shown_too_early_is_taken_back(holdem: Cast) -> None:
    dealt(holdem)
    decide(holdem, 4, "4x")
    holdem.send(board_show, cards="9h 9c 4d")
    decide(holdem, 5, "2x")
    holdem.send(board_show, cards="9h 9c 4d 2c 7d")
    assert holdem.send(board_show, cards="9h 9c 4d")["decided"] == {"4": "4x", "5": "check 2x"}
    assert holdem.send(board_show, cards="")["decided"] == {"4": "4x"}
    assert decide(holdem, 5, "3x")["decided"] == {"4": "4x", "5": "3x"}


def test_points_are_recorded_between_deal_and_settlement_alone(holdem: Cast) -> None:
    holdem.send(round_open, bank_wager_cents=200_000)
    holdem.send(bets_place, positions=BETS)
    with pytest.raises(NotNow):
        decide(holdem, 4, "4x")
    holdem.send(bets_close)
    holdem.send(round_deal)
    with pytest.raises(BadInput) as refused:
        decide(holdem, 6, "4x")
    assert refused.value.code == "bad_seat"


def test_a_game_of_one_point_says_decisions_with_the_settlement(running: Cast) -> None:
    running.send(round_open, bank_wager_cents=50_000)
    with pytest.raises(NotNow) as refused:
        decide(running, 4, "play")
    assert refused.value.code == "one_decision"
