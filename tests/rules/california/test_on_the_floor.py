"""What `001` asks of the table while a round is on: who banks, when bets close, when fees drop, what is kept."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.floor.acts.bank import offer_answer
from cardroom.floor.acts.rounds import bets_close, bets_place, round_deal, round_open
from cardroom.floor.acts.tables import table_set
from cardroom.floor.checks import why_nots
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Offer, Round, Table, Transfer
from cardroom.floor.reads.views import table_view
from cardroom.people.models import Role
from games.settle import settle_json
from tests.filing import table_settings
from tests.floor.house import House, running_house

clause = pytest.mark.clause
pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    """A table on schedule 1 with seven players, seat 3 at the bank."""
    return running_house()


def refused(house: House, command: Any, actor: Any = None, /, **arguments: Any) -> str:
    """The code with which a command is refused."""
    with pytest.raises(FloorError) as caught:
        house.send(command, actor, **arguments)
    return caught.value.code


@clause("california:type.5")
def test_after_two_rounds_no_round_opens_until_the_seats_have_been_asked_clockwise(house: House) -> None:
    house.play({4: 1000})
    house.play({4: 1000})
    assert refused(house, round_open, bank_wager_cents=20_000) == "offer_due"
    assert refused(house, offer_answer, seat=5, answer="declined") == "offer_due_elsewhere"
    for seat in (4, 5):
        house.send(offer_answer, seat=seat, answer="declined")
    house.send(offer_answer, seat=6, answer="accepted")
    answers = Offer.objects.order_by("id").values_list("seat", "answer")
    assert list(answers)[-3:] == [(4, "declined"), (5, "declined"), (6, "accepted")]
    house.send(round_open, bank_wager_cents=20_000)
    assert Round.objects.first().bank_seat == 6


@clause("california:winners.4.3")
def test_nobody_who_works_for_the_house_takes_the_bank(house: House) -> None:
    house.players[4].staff = house.people[Role.COUNT]
    house.players[4].save()
    house.play({5: 1000})
    house.play({5: 1000})
    assert refused(house, offer_answer, seat=4, answer="accepted") == "staff_cannot_bank"
    house.send(offer_answer, seat=4, answer="ineligible", reason="works here")
    assert house.step().seat == 5


@clause("california:dealing.5", "california:fees.5")
def test_fees_are_dropped_after_the_bets_and_before_the_first_card(house: House) -> None:
    house.bet({4: 5000, 5: 5100})
    assert refused(house, round_deal) == "bets_open"
    assert not Transfer.objects.exists(), "nothing is owed while bets may change"
    house.send(bets_close)
    dropped = Transfer.objects.filter(kind="fee", target="drop")
    assert sorted(dropped.values_list("seat", "source", "cents")) == [
        (3, "bank", 200),
        (4, "seat", 100),
        (5, "seat", 100),
    ]
    assert Round.objects.get().dealt_at is None
    house.send(round_deal)
    assert all(fee.made_at <= Round.objects.get().dealt_at for fee in dropped)


@clause("california:dealing.5.2")
def test_no_more_bets_is_the_one_act_between_betting_and_dealing(house: House) -> None:
    def may(*acts: str) -> list[bool]:
        found = why_nots(table_view(Table.objects.get(pk=house.table.pk)))
        return [found[act] is None for act in acts]

    house.bet({4: 1000})
    acts = ("bets_place", "bets_close", "round_deal", "round_settle")
    assert may(*acts) == [True, True, False, False]
    house.send(bets_close)
    assert may(*acts) == [False, False, True, False]
    house.send(round_deal)
    assert may(*acts) == [False, False, False, True]


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
def test_after_the_call_no_wager_is_placed_changed_or_withdrawn(house: House, wagers: dict[str, int]) -> None:
    house.bet({4: 1000})
    house.send(bets_close)
    assert refused(house, bets_place, positions=[{"seat": 4, "wagers": wagers}]) == "bets_closed"
    assert Round.objects.get().bets[0]["wagers"] == {"ante": 1000}


@clause("california:dealing.1.2")
def test_wagers_keep_within_the_limit_of_schedule_and_table(house: House) -> None:
    schedule = house.room.feeschedule_versions.get(number=1)
    limits = {"pair_plus": [100, 5000]}
    settings = table_settings(house.room, schedule_id=schedule.pk, wager_limits=limits)
    house.send(table_set, house.floor, **settings)
    house.send(round_open, bank_wager_cents=20_000)
    for wagers in (
        {"ante": 499},
        {"ante": 10_001},
        {"ante": 1000, "pair_plus": 99},
        {"ante": 1000, "pair_plus": 5001},
    ):
        assert refused(house, bets_place, positions=[{"seat": 4, "wagers": wagers}]) == "outside_table_limits"
    house.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 500, "pair_plus": 5000}}])


@clause("california:dealing.7")
def test_where_the_action_begins_is_recorded_before_the_deal(house: House) -> None:
    house.bet({4: 1000, 6: 1000})
    house.send(bets_close, action_seat=6)
    assert Round.objects.get().action_seat == 6
    house.send(round_deal)
    house.settle({4: 1000, 6: 1000})
    assert [line["seat"] for line in Round.objects.get().settlement["lines"]] == [6, 6, 4, 4]


@clause("california:winners.3")
def test_every_hand_of_a_round_can_be_put_together_again(house: House) -> None:
    house.play({4: 1000, 5: 1500})
    round_ = Round.objects.get()
    assert {position["seat"]: position["hand"] for position in round_.sheet["positions"]} == {
        4: "Js 8h 5c",
        5: "As Qc Td",
    }
    assert settle_json(round_.sheet)["lines"] == round_.settlement["lines"]


@clause("california:fees.6")
def test_a_table_changes_its_one_schedule_between_rounds_only(house: House) -> None:
    second = house.room.feeschedule_versions.get(number=2)
    change = table_settings(house.room, schedule_id=second.pk)
    house.bet({4: 1000})
    assert refused(house, table_set, house.floor, **change) == "round_live"
    house.send(bets_close)
    house.send(round_deal)
    house.settle({4: 1000})
    house.send(table_set, house.floor, **change)
    house.send(round_open, bank_wager_cents=20_000)
    bets = [{"seat": 4, "wagers": {"ante": 1000}}]
    assert refused(house, bets_place, positions=bets) == "outside_table_limits", (
        "the limit is schedule 2's alone"
    )


@clause("california:table.dropbox")
def test_fees_go_into_the_drop_of_their_own_table(house: House) -> None:
    house.play({4: 1000})
    other = House("Dry Creek")
    other.open()
    other.bank_to(3)
    other.play({4: 1000, 5: 1000})
    drops = {
        table: sum(Transfer.objects.filter(target="drop", table=table).values_list("cents", flat=True))
        for table in (house.table, other.table)
    }
    assert drops == {house.table: 200, other.table: 300}
