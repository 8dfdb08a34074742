"""Tables of games that the house banks: seats and several positions, the order of the deal, wagers, what is refused."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from cardroom.floor.commands.decks import dealing_set
from cardroom.floor.commands.rounds import (
    bank_wager_set,
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_settle,
    round_void,
)
from cardroom.floor.commands.seats import down_start, player_leave, player_move, player_seat
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.wins import win_confirm, win_key
from cardroom.floor.models import MeterMovement, Round, Seating, Table, Transfer
from cardroom.floor.reads.table_record import round_facts
from cardroom.people.models import Player
from cardroom.rooms.models import Room
from tests.cast import BANK_HAND, HANDS, JACK_HIGH, Cast, house_cast
from tests.filing import free_schedule, table_settings
from tests.rules.rounds import at, sheet

from .procedures import reading_of, refused

clause = pytest.mark.clause
FULL = (1, 2, 3, 4, 5, 6, 7)
#: The ways of dealing in Massachusetts, each with the clauses by which the dealer calls, and deals, and by that way.
WAYS = {"manual_shoe": ("7(b)", "7(c)"), "hand": ("8(b)(3)", "8(c)"), "automated_shoe": ("9(b)(2)", "9(c)")}


def by_way(number: int) -> list[Any]:
    """The ways of dealing as parameters, each marked with the clause of that number."""
    return [
        pytest.param(way, marks=clause(f"massachusetts:{clauses[number]}")) for way, clauses in WAYS.items()
    ]


def with_seats(cast: Cast, *seats: int) -> Cast:
    """The same table with players at `seats` alone."""
    for seat in reversed(FULL):
        if seat not in seats:
            cast.send(player_leave, seat=seat)
    return cast


def sits(cast: Cast, player: Player) -> list[int]:
    found = Seating.objects.filter(table=cast.table, player=player, left_at__isnull=True)
    return sorted(found.values_list("seat", flat=True))


def second_table(cast: Cast, rulebook: str) -> Cast:
    """Another table of the same room and game, with a dealer and two players of its own at seats 1 and 2."""
    other = copy.copy(cast)
    other.table = cast.second_table
    other.people = {**cast.people, "dealer": cast.people["dealer_2"]}
    other.players = dict(enumerate(cast.waiting[:2], 1))
    other.send(table_set, "floor", **table_settings(cast.room, rulebook=rulebook))
    other.send(table_open, "floor")
    other.hang_box(80)
    other.send(down_start, "floor", dealer_id=other.people["dealer"].pk)
    other.open_tray()
    for seat, player in other.players.items():
        other.send(player_seat, seat=seat, player_id=player.pk)
    return other


# -- the order of the deal, and "no more bets"


@clause("massachusetts:10(b).2")
@pytest.mark.parametrize("way", by_way(1))
def test_cards_and_decisions_go_clockwise_from_the_dealers_left(massachusetts: Cast, way: str) -> None:
    massachusetts.send(dealing_set, "floor", shuffler="shuffles", dealing=way)
    massachusetts.begin()
    wagers = {6: {"ante": 1000}, 2: {"pair_plus": 500}, 4: {"ante": 500, "pair_plus": 500}}
    massachusetts.send(
        bets_place, positions=[{"seat": seat, "wagers": each} for seat, each in wagers.items()]
    )
    massachusetts.send(bets_close)
    assert round_facts(Round.objects.get())["decision_order"] == [2, 4, 6], "seat 1 is at the dealer's left"
    massachusetts.send(round_deal)
    # A pair plus alone has cards too, and nothing to decide.
    positions = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in (4, 6)]
    played = {"bank_hand": BANK_HAND, "positions": positions}
    assert refused(massachusetts, round_settle, **played) == "missing_key"
    positions.append({"seat": 2, "hand": HANDS[2], "decision": "play"})
    assert refused(massachusetts, round_settle, **played) == "decision_not_allowed"
    del positions[-1]["decision"]
    assert massachusetts.send(round_settle, **played)["settlement"]["net"]["Bo"] == 500, (
        "a pair pays even money"
    )


@clause("south_dakota:(4).5")
def test_in_south_dakota_the_player_at_the_dealers_left_is_first(south_dakota: Cast) -> None:
    south_dakota.bet({5: 1000, 1: 1000, 7: 1000})
    south_dakota.send(bets_close)
    state = round_facts(Round.objects.get())
    assert (state["decision_order"], state["bank"]) == ([1, 5, 7], {"seat": None, "wager": None})


@clause("massachusetts:6(d).2")
@pytest.mark.parametrize("way", by_way(0))
def test_no_card_is_dealt_before_no_more_bets_and_no_wager_changes_after_it(
    massachusetts: Cast, way: str
) -> None:
    massachusetts.send(dealing_set, "floor", shuffler="shuffles", dealing=way)
    massachusetts.bet({4: 1000})
    assert refused(massachusetts, round_deal) == "bets_open"
    massachusetts.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 2000}}])
    massachusetts.send(bets_close)
    for change in (
        {"seat": 5, "wagers": {"ante": 1000}},
        {"seat": 4, "wagers": {"ante": 3000}},
        {"seat": 4, "wagers": {}},
    ):
        assert refused(massachusetts, bets_place, positions=[change]) == "bets_closed"
    massachusetts.send(round_deal)
    assert refused(massachusetts, bets_place, positions=[{"seat": 4, "wagers": {}}]) == "bets_closed"
    assert Round.objects.get().bets[0]["wagers"] == {"ante": 2000}
    massachusetts.settle({4: 2000})


@clause("massachusetts:6(c)", "massachusetts:6(c).2")
def test_who_has_cards_stays_seated_until_the_round_is_over(massachusetts: Cast) -> None:
    cast = with_seats(massachusetts, 4, 5, 6)
    cast.bet({4: 1000, 5: 1000})
    assert refused(cast, bets_place, positions=[{"seat": 1, "wagers": {"ante": 1000}}]) == "seat_empty"
    cast.send(bets_close)
    cast.send(round_deal)
    assert refused(cast, player_leave, seat=4) == "seat_live"
    assert refused(cast, player_move, seat=4, to_seat=1) == "seat_live"
    cast.send(player_leave, seat=6)  # who has not wagered goes as they please
    cast.settle({4: 1000, 5: 1000})
    cast.send(player_leave, seat=4)


# -- several positions of one player


@clause("massachusetts:6(e)")
def test_in_massachusetts_a_player_holds_up_to_three_positions_side_by_side(massachusetts: Cast) -> None:
    cast = with_seats(massachusetts, 2)
    bo = cast.players[2]
    assert refused(cast, player_seat, seat=4, player_id=bo.pk) == "positions_not_adjacent"
    cast.send(player_seat, seat=3, player_id=bo.pk)
    assert refused(cast, player_seat, seat=5, player_id=bo.pk) == "positions_not_adjacent"
    cast.send(player_seat, seat=1, player_id=bo.pk)
    assert refused(cast, player_seat, seat=4, player_id=bo.pk) == "too_many_positions"
    assert refused(cast, player_leave, seat=2) == "positions_not_adjacent", "it is the middle one"
    assert refused(cast, player_move, seat=2, to_seat=4) == "positions_not_adjacent"
    assert sits(cast, bo) == [1, 2, 3]
    cast.send(player_leave, seat=3)
    cast.send(player_leave, seat=1)
    assert sits(cast, bo) == [2]


@clause("massachusetts:6(e)")
def test_the_position_that_came_first_is_given_up_and_others_stay_beside_one_another(
    massachusetts: Cast,
) -> None:
    cast = with_seats(massachusetts, 2)
    bo = cast.players[2]
    for seat in (3, 4):
        cast.send(player_seat, seat=seat, player_id=bo.pk)
    cast.send(player_leave, seat=2)
    assert sits(cast, bo) == [3, 4]
    cast.send(player_seat, seat=5, player_id=bo.pk)
    cast.send(player_move, seat=3, to_seat=6)
    assert sits(cast, bo) == [4, 5, 6]
    first = Seating.objects.get(table=cast.table, player=bo, left_at__isnull=True, beside__isnull=True)
    assert first.seat == 4
    for seat in (4, 5, 6):
        cast.send(player_leave, seat=seat)
    cast.send(player_seat, seat=7, player_id=bo.pk)


@clause("massachusetts:6(e)")
def test_positions_of_one_player_are_settled_each_by_its_hand(massachusetts: Cast) -> None:
    cast = with_seats(massachusetts, 4)
    dee = cast.players[4]
    cast.send(player_seat, seat=5, player_id=dee.pk)
    cast.deal({4: 1000, 5: 2000})
    settlement = cast.settle((4, 5), {4: JACK_HIGH})["settlement"]
    # The bank's king high beats the jack of seat 4, and is beaten by the ace of seat 5.
    assert settlement["net"] == {"Dee": 2000 + 2000 - 1000 - 1000}
    moved: Counter[int | None] = Counter()
    for transfer in Transfer.objects.all():
        moved[transfer.seat] += transfer.cents if transfer.target == "seat" else -transfer.cents
    assert moved == {4: -2000, 5: 4000}


def test_a_player_of_one_table_holds_no_position_at_another(massachusetts: Cast) -> None:
    cast = with_seats(massachusetts, 1, 2)
    other = second_table(cast, "massachusetts")
    ana = cast.players[1]
    assert refused(other, player_seat, seat=3, player_id=ana.pk) == "player_elsewhere"
    cast.send(player_leave, seat=1)
    other.send(player_seat, seat=3, player_id=ana.pk)
    other.send(player_seat, seat=4, player_id=ana.pk)
    assert refused(cast, player_seat, seat=1, player_id=ana.pk) == "player_elsewhere"


@clause("south_dakota:(1).3")
def test_in_south_dakota_a_player_holds_two_positions_anywhere(south_dakota: Cast) -> None:
    cast = with_seats(south_dakota, 1)
    ana = cast.players[1]
    cast.send(player_seat, seat=5, player_id=ana.pk)
    assert refused(cast, player_seat, seat=2, player_id=ana.pk) == "too_many_positions"
    cast.play({1: 1000, 5: 1000})
    cast.send(player_move, seat=1, to_seat=7)
    cast.send(player_leave, seat=5)
    assert sits(cast, ana) == [7]


def test_by_the_makers_rules_a_player_holds_one_position(shuffle_master: Cast) -> None:
    cast = with_seats(shuffle_master, 1)
    assert refused(cast, player_seat, seat=2, player_id=cast.players[1].pk) == "player_elsewhere"


# -- what a table of such a game refuses


@clause("south_dakota:(1)")
def test_a_table_plays_the_game_that_it_was_set_to_before_betting_opened(south_dakota: Cast) -> None:
    settings = table_settings(south_dakota.room, rulebook="south_dakota", options={"progressive_table": 2})
    other = sheet("massachusetts", BANK_HAND, at(4, HANDS[4]))
    assert refused(south_dakota, round_record, sheet=other) == "rulebook_differs"
    south_dakota.bet({4: 1000})
    assert refused(south_dakota, table_set, "floor", **settings) == "round_live"
    south_dakota.send(round_void, reason="a new game", approver=south_dakota.people["floor"])
    south_dakota.send(table_set, "floor", **settings)
    south_dakota.play({4: 1000})
    played = Round.objects.latest("id")
    assert (played.rulebook, played.options["progressive_table"]) == ("south_dakota", 2)
    unset = copy.copy(south_dakota)
    unset.table = Table.objects.create(room=south_dakota.room, number=9)
    assert refused(unset, table_open, "floor") == "game_not_filed"


@pytest.mark.django_db
@pytest.mark.parametrize("rulebook", ["massachusetts", "south_dakota", "shuffle_master"])
def test_it_charges_no_schedule_and_takes_no_wager_of_a_bank(rulebook: str) -> None:
    cast = house_cast(rulebook)
    settings = table_settings(cast.room, rulebook=rulebook)
    schedule = free_schedule(cast.room, rulebook).pk
    assert refused(cast, table_set, "floor", **{**settings, "schedule_id": schedule}) == "house_banks"
    assert refused(cast, round_open, bank_wager_cents=20000) == "bank_not_allowed"
    cast.bet({4: 1000})
    assert refused(cast, bank_wager_set, bank_wager_cents=20000) == "house_banks"
    cast.send(bets_close)
    cast.send(round_deal)
    cast.settle({4: 1000})
    round_ = Round.objects.get()
    assert (round_.fees, round_.bank_wager_cents, round_.turn) == ([], None, None)


def test_a_californian_room_sets_no_game_that_the_house_banks(massachusetts: Cast) -> None:
    settings = table_settings(massachusetts.room, rulebook="massachusetts")
    Room.objects.filter(pk=massachusetts.room.pk).update(jurisdiction="california")
    assert refused(massachusetts, table_set, "floor", **settings) == "rulebook_of_another_jurisdiction"
    assert refused(massachusetts, round_open) == "rulebook_of_another_jurisdiction", (
        "one that was set is played no more"
    )


def test_a_sheet_with_another_meter_than_the_tables_is_refused(massachusetts: Cast) -> None:
    position = {**at(4, HANDS[4], progressive=100), "player": "Dee"}
    given = sheet("massachusetts", BANK_HAND, position, meter=100_700)
    assert refused(massachusetts, round_record, sheet=given) == "meter_differs"
    assert not Round.objects.exists()
    massachusetts.send(round_record, sheet={**given, "meter": 100_000})


@clause("shuffle_master:ways.3.3")
def test_each_wager_is_held_to_its_own_limits(shuffle_master: Cast) -> None:
    limits = {"ante": [500, 10_000], "pair_plus": [200, 5000], "bad_beat": [100, 2500], "tips": [100, 1000]}
    settings = table_settings(shuffle_master.room, rulebook="shuffle_master", wager_limits=limits)
    shuffle_master.send(table_set, "floor", **settings)
    assert reading_of(shuffle_master).table.wager_limits == limits
    shuffle_master.begin()
    for wager in ("ante", "pair_plus", "bad_beat"):
        least, most = limits[wager]
        beside = {} if wager == "ante" else {"ante": 500}
        for cents in (least - 1, most + 1):
            bet = {"seat": 4, "wagers": {**beside, wager: cents}}
            assert refused(shuffle_master, bets_place, positions=[bet]) == "outside_table_limits", (
                wager,
                cents,
            )
        for cents in (least, most):
            shuffle_master.send(bets_place, positions=[{"seat": 4, "wagers": {**beside, wager: cents}}])
    # They need not be alike: the greatest pair plus beside the least ante, and the other way round.
    for ante, pair_plus in ((500, 5000), (10_000, 200)):
        shuffle_master.send(
            bets_place, positions=[{"seat": 4, "wagers": {"ante": ante, "pair_plus": pair_plus}}]
        )


# -- the progressive of two tables


def with_progressive(cast: Cast, hands: dict[int, str]) -> list[dict[str, Any]]:
    """A round in which everybody bets the progressive; returns its lines."""
    cast.begin()
    wagers = {"ante": 1000, "progressive": 100}
    cast.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in hands])
    cast.send(bets_close)
    cast.send(round_deal)
    positions = [{"seat": seat, "hand": hand, "decision": "play"} for seat, hand in hands.items()]
    return cast.send(round_settle, bank_hand="2c 4d 7h", positions=positions)["settlement"]["lines"]


@clause("massachusetts:13(e)(a).5")
def test_envy_is_paid_at_the_table_of_the_hand_alone(massachusetts: Cast) -> None:
    other = second_table(massachusetts, "massachusetts")
    other.begin()
    other.send(
        bets_place,
        positions=[{"seat": seat, "wagers": {"ante": 1000, "progressive": 100}} for seat in (1, 2)],
    )
    other.send(bets_close)
    other.send(round_deal)
    # Meanwhile an A-K-Q of hearts at table 7.
    lines = with_progressive(massachusetts, {4: "Ah Kh Qh", 5: "8s 8c 3d", 6: "Js 9d 5c"})
    assert {(line["seat"], line["paid"]) for line in lines if line["wager"] == "envy"} == {
        (5, 2500),
        (6, 2500),
    }
    positions = [
        {"seat": seat, "hand": hand, "decision": "play"} for seat, hand in ((1, "8s 8c 3d"), (2, "Js 9d 5c"))
    ]
    beside = other.send(round_settle, bank_hand="2c 4d 7h", positions=positions)["settlement"]["lines"]
    assert not [line for line in beside if line["wager"] == "envy"]
    assert not Transfer.objects.filter(table=other.table, cents=2500).exists()


@clause("massachusetts:13(d)(c)", "south_dakota:(16)(a)(iv)")
@pytest.mark.django_db
@pytest.mark.parametrize("rulebook", ["massachusetts", "south_dakota"])
def test_a_round_has_one_win_of_the_meter_at_most_and_each_table_a_meter_of_its_own(rulebook: str) -> None:
    cast = house_cast(rulebook)
    other = second_table(cast, rulebook)
    cast.begin()
    wagers = {"ante": 1000, "progressive": 100}
    cast.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in (4, 5)])
    cast.send(bets_close)
    cast.send(round_deal)
    both = [{"seat": seat, "hand": "As Ks Qs", "decision": "play"} for seat in (4, 5)]
    assert refused(cast, round_settle, bank_hand="2c 4d 7h", positions=both) == "duplicate_card"
    both[1] = {"seat": 5, "hand": "8s 8c 3d", "decision": "play"}
    cast.send(round_settle, bank_hand="2c 4d 7h", positions=both)
    # The same hands at the other table, before the first win has been confirmed.
    lines = with_progressive(other, {1: "As Ks Qs", 2: "8s 8c 3d"})
    for at_table, seat in ((cast, 4), (other, 1)):
        win = at_table.send(win_key, seat=seat)["win"]
        at_table.send(win_confirm, "floor", win_id=win)
        shown = MeterMovement.objects.filter(table=at_table.table).order_by("id")
        assert [(each.kind, each.cents) for each in shown] == [
            ("opened", 100_000),
            ("win", -100_000),
            ("reseeded", 100_000),
        ]
    assert [line["paid"] for line in lines if line["wager"] == "progressive" and line["paid"]] == [100_000]


# -- what a room files of the course of a round moves no money


def moved(cast: Cast, rulebook: str, fold: tuple[int, ...], **options: Any) -> Counter[tuple[Any, ...]]:
    """A round of four hands at a table that is set to these options, in which `fold` fold in that order: its transfers."""
    cast.send(table_set, "floor", **table_settings(cast.room, rulebook=rulebook, options=options))
    cast.begin()
    wagers = {"ante": 1000, "pair_plus": 500, "six_card_bonus": 200}
    seats = (1, 2, 4, 5)
    cast.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in seats])
    cast.send(bets_close)
    cast.send(round_deal)
    results = [{"seat": seat, "hand": HANDS[seat], "decision": "fold"} for seat in fold]
    results += [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in seats if seat not in fold]
    cast.send(round_settle, bank_hand=BANK_HAND, positions=results)
    round_ = Round.objects.latest("id")
    assert round_.options.items() >= options.items()
    found = Transfer.objects.filter(round=round_).values_list("source", "target", "seat", "kind", "cents")
    return Counter(found)


@clause("massachusetts:10(c)(1)", "massachusetts:10(c).2")
def test_either_procedure_of_settling_moves_the_same_money(massachusetts: Cast) -> None:
    first = moved(massachusetts, "massachusetts", (1,), settling="seat_by_seat")
    assert sum(first.values()) > 5
    assert moved(massachusetts, "massachusetts", (1,), settling="step_by_step") == first


@clause("south_dakota:(8).5")
def test_the_order_of_folding_moves_no_money(south_dakota: Cast) -> None:
    first = moved(south_dakota, "south_dakota", (1, 2, 4))
    assert first[("seat", "tray", 1, "take", 1000)] == 1
    assert moved(south_dakota, "south_dakota", (4, 1, 2)) == first
    lines = Round.objects.latest("id").settlement["lines"]  # type: ignore[index]
    assert [line["seat"] for line in lines if line["outcome"] == "forfeit"] == [1, 1, 2, 2, 4, 4]
