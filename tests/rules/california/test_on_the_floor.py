"""What `001` asks of the table while a round is on: who banks, when bets close, when fees drop, what is kept."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.floor.checks import why_nots
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open
from cardroom.floor.commands.tables import table_set
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Offer, Round, Table, Transfer
from cardroom.floor.reads.table_state import read_table
from cardroom.people.models import Staff
from games.engine import settle_json
from tests.cast import Cast, running_cast
from tests.filing import table_settings

clause = pytest.mark.clause
pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """A table on schedule 1 with seven players, seat 3 at the bank."""
    return running_cast()


def refused(cast: Cast, command: Any, actor: str | Staff = "dealer", /, **arguments: Any) -> str:
    """The code with which a command is refused."""
    with pytest.raises(FloorError) as caught:
        cast.send(command, actor, **arguments)
    return caught.value.code


@clause("california:type.5")
def test_after_two_rounds_no_round_opens_until_the_seats_have_been_asked_clockwise(cast: Cast) -> None:
    cast.play({4: 1000})
    cast.play({4: 1000})
    assert refused(cast, round_open, bank_wager_cents=20_000) == "offer_due"
    assert refused(cast, offer_answer, seat=5, answer="declined") == "offer_due_elsewhere"
    for seat in (4, 5):
        cast.send(offer_answer, seat=seat, answer="declined")
    cast.send(offer_answer, seat=6, answer="accepted")
    answers = Offer.objects.order_by("id").values_list("seat", "answer")
    assert list(answers)[-3:] == [(4, "declined"), (5, "declined"), (6, "accepted")]
    cast.send(round_open, bank_wager_cents=20_000)
    assert Round.objects.first().bank_seat == 6


@clause("california:winners.4.3")
def test_nobody_who_works_for_the_house_takes_the_bank(cast: Cast) -> None:
    cast.players[4].staff = cast.people["support"]
    cast.players[4].save()
    cast.play({5: 1000})
    cast.play({5: 1000})
    assert refused(cast, offer_answer, seat=4, answer="accepted") == "staff_cannot_bank"
    cast.send(offer_answer, seat=4, answer="ineligible", reason="works here")
    assert cast.state().step.seat == 5


@clause("california:dealing.5", "california:fees.5")
def test_fees_are_dropped_after_the_bets_and_before_the_first_card(cast: Cast) -> None:
    cast.bet({4: 5000, 5: 5100})
    assert refused(cast, round_deal) == "bets_open"
    assert not Transfer.objects.exists(), "nothing is owed while bets may change"
    cast.send(bets_close)
    dropped = Transfer.objects.filter(kind="fee", target="drop")
    assert sorted(dropped.values_list("seat", "source", "cents")) == [
        (3, "bank", 200),
        (4, "seat", 100),
        (5, "seat", 100),
    ]
    assert Round.objects.get().dealt_at is None
    cast.send(round_deal)
    assert all(fee.made_at <= Round.objects.get().dealt_at for fee in dropped)


@clause("california:dealing.5.2")
def test_no_more_bets_is_the_one_command_between_betting_and_dealing(cast: Cast) -> None:
    def may(*commands: str) -> list[bool]:
        found = why_nots(read_table(Table.objects.get(pk=cast.table.pk)))
        return [found[command] is None for command in commands]

    cast.bet({4: 1000})
    commands = ("bets_place", "bets_close", "round_deal", "round_settle")
    assert may(*commands) == [True, True, False, False]
    cast.send(bets_close)
    assert may(*commands) == [False, False, True, False]
    cast.send(round_deal)
    assert may(*commands) == [False, False, False, True]


@clause("california:dealing.5.3", "california:pairplus.2", "california:sixcard.2")
@pytest.mark.parametrize(
    "wagers",
    [
        {"ante": 2000},
        {"ante": 500},
        {},
        {"ante": 1000, "pair_plus": 500},
        {"ante": 1000, "six_card_bonus": 500},
    ],
    ids=["raised", "lowered", "withdrawn", "pair plus added", "6 Card Bonus added"],
)
def test_after_the_call_no_wager_is_placed_changed_or_withdrawn(cast: Cast, wagers: dict[str, int]) -> None:
    cast.bet({4: 1000})
    cast.send(bets_close)
    assert refused(cast, bets_place, positions=[{"seat": 4, "wagers": wagers}]) == "bets_closed"
    assert Round.objects.get().bets[0]["wagers"] == {"ante": 1000}


@clause("california:dealing.1.2")
def test_wagers_keep_within_the_limit_of_schedule_and_table(cast: Cast) -> None:
    schedule = cast.room.feeschedule_versions.get(number=1)
    limits = {"pair_plus": [100, 5000]}
    settings = table_settings(cast.room, schedule_id=schedule.pk, wager_limits=limits)
    cast.send(table_set, "floor", **settings)
    cast.send(round_open, bank_wager_cents=20_000)
    for wagers in (
        {"ante": 499},
        {"ante": 10_001},
        {"ante": 1000, "pair_plus": 99},
        {"ante": 1000, "pair_plus": 5001},
    ):
        assert refused(cast, bets_place, positions=[{"seat": 4, "wagers": wagers}]) == "outside_table_limits"
    cast.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 500, "pair_plus": 5000}}])


@clause("california:dealing.7")
def test_where_the_action_begins_is_recorded_before_the_deal(cast: Cast) -> None:
    cast.bet({4: 1000, 6: 1000})
    cast.send(bets_close, action_seat=6)
    assert Round.objects.get().action_seat == 6
    cast.send(round_deal)
    cast.settle({4: 1000, 6: 1000})
    assert [line["seat"] for line in Round.objects.get().settlement["lines"]] == [6, 6, 4, 4]


@clause("california:winners.3")
def test_every_hand_of_a_round_can_be_put_together_again(cast: Cast) -> None:
    cast.play({4: 1000, 5: 1500})
    round_ = Round.objects.get()
    assert {position["seat"]: position["hand"] for position in round_.sheet["positions"]} == {
        4: "Js Jh 5c",
        5: "As Qc Td",
    }
    assert settle_json(round_.sheet)["lines"] == round_.settlement["lines"]


@clause("california:fees.6")
def test_a_table_changes_its_one_schedule_between_rounds_only(cast: Cast) -> None:
    second = cast.room.feeschedule_versions.get(number=2)
    change = table_settings(cast.room, schedule_id=second.pk)
    cast.bet({4: 1000})
    assert refused(cast, table_set, "floor", **change) == "round_live"
    cast.send(bets_close)
    cast.send(round_deal)
    cast.settle({4: 1000})
    cast.send(table_set, "floor", **change)
    cast.send(round_open, bank_wager_cents=20_000)
    bets = [{"seat": 4, "wagers": {"ante": 1000}}]
    assert refused(cast, bets_place, positions=bets) == "outside_table_limits", (
        "the limit is schedule 2's alone"
    )


@clause("california:table.dropbox")
def test_fees_go_into_the_drop_of_their_own_table(cast: Cast) -> None:
    cast.play({4: 1000})
    other = cast.at_rival().running()
    other.play({4: 1000, 5: 1000})
    drops = {
        table: sum(Transfer.objects.filter(target="drop", table=table).values_list("cents", flat=True))
        for table in (cast.table, other.table)
    }
    assert drops == {cast.table: 200, other.table: 300}
