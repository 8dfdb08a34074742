"""Baccarat at a table: its wagers, its two hands, fees by player and banker, corrections, and whole sheets."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.filings import services
from cardroom.floor.checks.filings import plays_as_filed
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_settle,
)
from cardroom.floor.commands.stub import stub_count
from cardroom.floor.commands.tables import table_set
from cardroom.floor.errors import BadInput
from cardroom.floor.models import Round, Shift, Transfer
from cardroom.people.names import named
from cardroom.reports.shift.tie_out import ways_read
from cardroom.reports.verification.fee_audit import audit_fees
from games.engine import settle_json
from tests.cast import Cast
from tests.filing import SINCE, filer, schedule_draft, table_settings

DRAGON = {"player_hand": "Kh Qd 6c", "banker_hand": "2c Ts 5d"}
BETS = [
    {"seat": 4, "wagers": {"player": 2000, "panda_8": 500}, "tips": {"player": 100}},
    {"seat": 5, "wagers": {"banker": 4000, "dragon_7": 1000}},
]
"""A banker's seven of three cards: seat 4 loses all, seat 5's banker goes back and Dragon 7 wins 40,000."""


@pytest.fixture
def baccarat(running: Cast) -> Cast:
    """A table that plays baccarat on a schedule of its own: $1 a position, $2 from the bank; seat 3 banks."""
    by = filer(running.room)
    schedule = schedule_draft(
        by=by,
        rulebook="baccarat",
        room=running.room,
        number=40,
        title="Baccarat",
        document={
            "clause": "filed",
            "ante_min_cents": 500,
            "ante_max_cents": 50_000,
            "lines": [
                {"payer": "player", "per": "ante", "fee_cents": 100, "clause": "filed"},
                {
                    "payer": "bank",
                    "per": "total_table_action",
                    "lower_cents": 500,
                    "upper_cents": None,
                    "fee_cents": 200,
                    "clause": "filed",
                },
            ],
        },
    )
    schedule = services.file(schedule, by=by, effective_from=SINCE, state_reference="GEGA-000124")
    settings = table_settings(running.room, rulebook="baccarat", schedule_id=schedule.pk, recording="cards")
    running.send(table_set, "floor", **settings)
    return running


@pytest.mark.parametrize(
    ("each", "refused"),
    [(300, "player"), (30_000, None), (50_100, "player")],
)
def test_table_limits_hold_player_and_banker_each_by_itself(
    baccarat: Cast, each: int, refused: str | None
) -> None:
    """Ruling 56: at $5 to $500, $3 and $3 are both below, $300 and $300 both within."""
    baccarat.send(round_open, bank_wager_cents=1_000_000)
    bets = [{"seat": 4, "wagers": {"player": each, "banker": each}}]
    if refused is None:
        baccarat.send(bets_place, positions=bets)
        baccarat.send(bets_close)
        (row,) = Round.objects.values_list("total_table_action_cents", flat=True)
        assert row == 2 * each
        outcome = audit_fees(Round.objects.all(), [Shift.objects.get().pk])
        assert (outcome.rounds, outcome.differing) == (1, 0)
        return
    with pytest.raises(BadInput, match="Player of") as raised:
        baccarat.send(bets_place, positions=bets)
    assert raised.value.path == f"positions[0].wagers.{refused}"


def dealt(cast: Cast, bets: list[dict[str, Any]], wager: int = 50_000) -> None:
    cast.send(round_open, bank_wager_cents=wager)
    cast.send(bets_place, positions=bets)
    cast.send(bets_close)
    cast.send(round_deal)


def test_a_round_is_charged_dealt_and_settled_by_its_two_hands(baccarat: Cast) -> None:
    dealt(baccarat, BETS)
    settled = baccarat.send(round_settle, hands=DRAGON, positions=[])
    round_ = Round.objects.get()
    # Player and banker count toward table action, the bonus wagers do not.
    assert round_.total_table_action_cents == 6000
    assert (round_.player_fees_cents, round_.bank_fee_cents) == (200, 200)
    assert round_.sheet is not None
    assert {key: round_.sheet[key] for key in DRAGON} == DRAGON
    assert settled["settlement"]["net"] == {"Dee": -2600, "Eve": 40_000}
    assert settled["settlement"]["lines"] == settle_json(named(round_.sheet))["lines"]
    of_wagers = round_.transfers.exclude(kind=Transfer.Kind.FEE)
    assert sum(each.cents for each in of_wagers if each.target == "bank") == 2600
    assert sum(each.cents for each in of_wagers if each.source == "bank") == 40_000


@pytest.mark.parametrize(
    ("hands", "code", "path"),
    [
        ({**DRAGON, "player_hand": "Kh Qd"}, "wrong_draw", "player_hand"),
        ({"player_hand": "Kh Qd 6c"}, "missing_key", "banker_hand"),
        ({**DRAGON, "bank_hand": "2c Ts 5d"}, "unknown_hand", "bank_hand"),
        ({**DRAGON, "third_hand": "2c Ts"}, "unknown_hand", "hands.third_hand"),
    ],
)
def test_hands_that_cannot_be_are_refused_and_nothing_moves(
    baccarat: Cast, hands: dict[str, str], code: str, path: str
) -> None:
    dealt(baccarat, BETS)
    moved = Transfer.objects.count()
    with pytest.raises(BadInput) as refused:
        baccarat.send(round_settle, hands=hands, positions=[])
    assert (refused.value.code, refused.value.path) == (code, path)
    assert Round.objects.get().state == Round.State.BETS_CLOSED
    assert Transfer.objects.count() == moved


def test_a_whole_sheet_is_recorded_and_settles_as_the_engine_has_it(baccarat: Cast) -> None:
    sheet = {
        "rulebook": "baccarat",
        "bank": {"seat": 3, "wager": 50_000},
        "positions": [{**bet, "player": name} for bet, name in zip(BETS, ("Dee", "Eve"), strict=True)],
        **DRAGON,
    }
    answer = baccarat.send(round_record, sheet=sheet)
    assert answer["settlement"]["lines"] == settle_json(sheet)["lines"]


def test_a_hand_that_was_entered_wrongly_is_corrected(baccarat: Cast) -> None:
    dealt(baccarat, BETS)
    baccarat.send(round_settle, hands=DRAGON, positions=[])
    baccarat.send(
        round_correct,
        round_id=Round.objects.get().pk,
        bank_wager_cents=50_000,
        hands={"player_hand": "Kh Qd 6c", "banker_hand": "2c Ts 6d"},
        positions=BETS,
        reason="the banker's last card was the six",
        approver=baccarat.people["shift_manager"],
    )
    corrected = Round.objects.get(revision=1)
    assert corrected.settlement is not None
    assert named(corrected.settlement["net"]) == {"Dee": -2600, "Eve": 3000}
    seat_5 = Transfer.objects.filter(seat=5).exclude(kind=Transfer.Kind.FEE)
    assert sum(each.cents if each.target == "seat" else -each.cents for each in seat_5) == 3000


def test_a_stub_count_asks_how_many_cards_lie_on_the_table(baccarat: Cast) -> None:
    dealt(baccarat, BETS)
    with pytest.raises(BadInput) as refused:
        baccarat.send(stub_count, stub=410)
    assert (refused.value.code, refused.value.path) == ("cards_required", "dealt")


def test_the_stub_of_a_shoe_is_counted_against_all_its_decks(baccarat: Cast) -> None:
    """Eight decks are 416 cards: what lies on the table and in the discard rack is out of the shoe."""
    assert baccarat.send(stub_count, stub=416, dealt=0)["follows"]["cards"] == "in_play"
    with pytest.raises(BadInput) as refused:
        baccarat.send(stub_count, stub=410)
    assert (refused.value.code, refused.value.path) == ("cards_required", "dealt")
    dealt(baccarat, BETS)
    assert baccarat.send(stub_count, stub=46, dealt=6)["follows"]["cards"] == "retire_deck"
    assert baccarat.send(stub_count, stub=310, dealt=106)["follows"]["cards"] == "in_play"
    for given, path in (({"stub": 833, "dealt": 0}, "stub"), ({"stub": 0, "dealt": 833}, "dealt")):
        with pytest.raises(BadInput) as refused:
            baccarat.send(stub_count, **given)
        assert (refused.value.code, refused.value.path) == ("bad_count", path)
    assert "from 0 to 832 here: 416 are in use" in refused.value.message


def test_its_rounds_tie_out_and_its_fees_are_found_again(baccarat: Cast) -> None:
    dealt(baccarat, BETS)
    baccarat.send(round_settle, hands=DRAGON, positions=[])
    shift = Round.objects.get().shift
    assert shift is not None
    again = audit_fees(Round.objects.all(), [shift.pk])
    assert (again.rounds, again.differing) == (1, 0)
    ways, faults = ways_read(shift.pk)
    assert ways
    assert faults == []


APPROVED = {
    "number": "GEGR-004900",
    "cards": {"decks": [3, 8]},
    "wagers": {"panda_8": {"offered": False}},
    "pays": {"banker": "19:20"},
    "banker": {"three_card_seven": "paid"},
    "sources": {
        "cards.decks": "3, page 2",
        "wagers.panda_8.offered": "1",
        "pays.banker": "7.2",
        "banker.three_card_seven": "7.2",
    },
}


def test_a_table_says_how_many_decks_are_in_use_where_its_approval_leaves_that_open(baccarat: Cast) -> None:
    settings = table_settings(
        baccarat.room,
        rulebook="baccarat",
        schedule_id=baccarat.table.schedule_id,
        recording="cards",
        options={"approval": APPROVED},
    )
    baccarat.send(table_set, "floor", **settings, decks=6)
    baccarat.table.refresh_from_db()
    assert baccarat.table.options["decks"] == 6
    for decks, code in ((2, "bad_option"), (9, "bad_option")):
        with pytest.raises(BadInput) as refused:
            baccarat.send(table_set, "floor", **settings, decks=decks)
        assert (refused.value.code, refused.value.path) == (code, "decks")
    # A game of another approval begins without a bank.
    baccarat.send(offer_answer, seat=baccarat.state().step.seat, answer="accepted")
    dealt(baccarat, [{"seat": 5, "wagers": {"banker": 4000}}])
    settled = baccarat.send(round_settle, hands=DRAGON, positions=[])
    [line] = settled["settlement"]["lines"]
    assert (line["paid"], line["clause"]) == (3800, "GEGR-004900:7.2")
    round_ = Round.objects.get()
    assert round_.options["decks"] == 6
    assert plays_as_filed(baccarat.table)


def test_a_game_of_one_number_of_decks_leaves_none_to_the_table(baccarat: Cast) -> None:
    settings = table_settings(
        baccarat.room, rulebook="baccarat", schedule_id=baccarat.table.schedule_id, recording="cards"
    )
    with pytest.raises(BadInput) as refused:
        baccarat.send(table_set, "floor", **settings, decks=8)
    assert (refused.value.code, refused.value.path) == ("decks_filed", "decks")
