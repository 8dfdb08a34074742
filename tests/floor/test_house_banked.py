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
from cardroom.people.models import Employment, Player, Role, Staff
from cardroom.rooms.models import Room
from tests.filing import free_schedule, table_settings
from tests.rules.rounds import at, sheet

from .procedures import reading_of, refused
from .site import BANK_HAND, HANDS, Site, house_site

clause = pytest.mark.clause
FULL = (1, 2, 3, 4, 5, 6, 7)
#: The ways of dealing in Massachusetts, each with the clauses by which the dealer calls, and deals, and by that way.
WAYS = {"manual_shoe": ("7(b)", "7(c)"), "hand": ("8(b)(3)", "8(c)"), "automated_shoe": ("9(b)(2)", "9(c)")}


def by_way(number: int) -> list[Any]:
    """The ways of dealing as parameters, each marked with the clause of that number."""
    return [
        pytest.param(way, marks=clause(f"massachusetts:{clauses[number]}")) for way, clauses in WAYS.items()
    ]


def with_seats(site: Site, *seats: int) -> Site:
    """The same table with players at `seats` alone."""
    for seat in reversed(FULL):
        if seat not in seats:
            site.send(player_leave, seat=seat)
    return site


def sits(site: Site, player: Player) -> list[int]:
    found = Seating.objects.filter(table=site.table, player=player, left_at__isnull=True)
    return sorted(found.values_list("seat", flat=True))


def second_table(site: Site, rulebook: str) -> Site:
    """Another table of the same room and game, with a dealer and two players of its own at seats 1 and 2."""
    other = copy.copy(site)
    other.table = Table.objects.create(room=site.room, number=8)
    other.dealer = Staff.objects.create(username="dealer-of-8", display_name="Dealer of table 8")
    Employment.objects.create(staff=other.dealer, room=site.room, role=Role.DEALER)
    other.players = {
        seat: Player.objects.create(room=site.room, name=name) for seat, name in ((1, "Hal"), (2, "Ida"))
    }
    other.send(table_set, other.floor, **table_settings(site.room, rulebook=rulebook))
    other.send(table_open, other.floor)
    other.hang_box(80)
    other.send(down_start, other.floor, dealer_id=other.dealer.pk)
    other.open_tray()
    for seat, player in other.players.items():
        other.send(player_seat, seat=seat, player_id=player.pk)
    return other


# -- the order of the deal, and "no more bets"


@clause("massachusetts:10(b).2")
@pytest.mark.parametrize("way", by_way(1))
def test_cards_and_decisions_go_clockwise_from_the_dealers_left(massachusetts: Site, way: str) -> None:
    site = massachusetts
    site.send(dealing_set, site.floor, shuffler="shuffles", dealing=way)
    site.begin()
    wagers = {6: {"ante": 1000}, 2: {"pair_plus": 500}, 4: {"ante": 500, "pair_plus": 500}}
    site.send(bets_place, positions=[{"seat": seat, "wagers": each} for seat, each in wagers.items()])
    site.send(bets_close)
    assert round_facts(Round.objects.get())["decision_order"] == [2, 4, 6], "seat 1 is at the dealer's left"
    site.send(round_deal)
    # A pair plus alone has cards too, and nothing to decide.
    positions = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in (4, 6)]
    played = {"bank_hand": BANK_HAND, "positions": positions}
    assert refused(site, round_settle, **played) == "missing_key"
    positions.append({"seat": 2, "hand": HANDS[2], "decision": "play"})
    assert refused(site, round_settle, **played) == "decision_not_allowed"
    del positions[-1]["decision"]
    assert site.send(round_settle, **played)["settlement"]["net"]["Bo"] == 500, "a pair pays even money"


@clause("south_dakota:(4).5")
def test_in_south_dakota_the_player_at_the_dealers_left_is_first(south_dakota: Site) -> None:
    site = south_dakota
    site.bet({5: 1000, 1: 1000, 7: 1000})
    site.send(bets_close)
    state = round_facts(Round.objects.get())
    assert (state["decision_order"], state["bank"]) == ([1, 5, 7], {"seat": None, "wager": None})


@clause("massachusetts:6(d).2")
@pytest.mark.parametrize("way", by_way(0))
def test_no_card_is_dealt_before_no_more_bets_and_no_wager_changes_after_it(
    massachusetts: Site, way: str
) -> None:
    site = massachusetts
    site.send(dealing_set, site.floor, shuffler="shuffles", dealing=way)
    site.bet({4: 1000})
    assert refused(site, round_deal) == "bets_open"
    site.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 2000}}])
    site.send(bets_close)
    for change in (
        {"seat": 5, "wagers": {"ante": 1000}},
        {"seat": 4, "wagers": {"ante": 3000}},
        {"seat": 4, "wagers": {}},
    ):
        assert refused(site, bets_place, positions=[change]) == "bets_closed"
    site.send(round_deal)
    assert refused(site, bets_place, positions=[{"seat": 4, "wagers": {}}]) == "bets_closed"
    assert Round.objects.get().bets[0]["wagers"] == {"ante": 2000}
    site.settle({4: 2000})


@clause("massachusetts:6(c)", "massachusetts:6(c).2")
def test_who_has_cards_stays_seated_until_the_round_is_over(massachusetts: Site) -> None:
    site = with_seats(massachusetts, 4, 5, 6)
    site.bet({4: 1000, 5: 1000})
    assert refused(site, bets_place, positions=[{"seat": 1, "wagers": {"ante": 1000}}]) == "seat_empty"
    site.send(bets_close)
    site.send(round_deal)
    assert refused(site, player_leave, seat=4) == "seat_live"
    assert refused(site, player_move, seat=4, to_seat=1) == "seat_live"
    site.send(player_leave, seat=6)  # who has not wagered goes as they please
    site.settle({4: 1000, 5: 1000})
    site.send(player_leave, seat=4)


# -- several positions of one player


@clause("massachusetts:6(e)")
def test_in_massachusetts_a_player_holds_up_to_three_positions_side_by_side(massachusetts: Site) -> None:
    site = with_seats(massachusetts, 2)
    bo = site.players[2]
    assert refused(site, player_seat, seat=4, player_id=bo.pk) == "positions_not_adjacent"
    site.send(player_seat, seat=3, player_id=bo.pk)
    assert refused(site, player_seat, seat=5, player_id=bo.pk) == "positions_not_adjacent"
    site.send(player_seat, seat=1, player_id=bo.pk)
    assert refused(site, player_seat, seat=4, player_id=bo.pk) == "too_many_positions"
    assert refused(site, player_leave, seat=2) == "positions_not_adjacent", "it is the middle one"
    assert refused(site, player_move, seat=2, to_seat=4) == "positions_not_adjacent"
    assert sits(site, bo) == [1, 2, 3]
    site.send(player_leave, seat=3)
    site.send(player_leave, seat=1)
    assert sits(site, bo) == [2]


@clause("massachusetts:6(e)")
def test_the_position_that_came_first_is_given_up_and_others_stay_beside_one_another(
    massachusetts: Site,
) -> None:
    site = with_seats(massachusetts, 2)
    bo = site.players[2]
    for seat in (3, 4):
        site.send(player_seat, seat=seat, player_id=bo.pk)
    site.send(player_leave, seat=2)
    assert sits(site, bo) == [3, 4]
    site.send(player_seat, seat=5, player_id=bo.pk)
    site.send(player_move, seat=3, to_seat=6)
    assert sits(site, bo) == [4, 5, 6]
    first = Seating.objects.get(table=site.table, player=bo, left_at__isnull=True, beside__isnull=True)
    assert first.seat == 4
    for seat in (4, 5, 6):
        site.send(player_leave, seat=seat)
    site.send(player_seat, seat=7, player_id=bo.pk)


@clause("massachusetts:6(e)")
def test_positions_of_one_player_are_settled_each_by_its_hand(massachusetts: Site) -> None:
    site = with_seats(massachusetts, 4)
    dee = site.players[4]
    site.send(player_seat, seat=5, player_id=dee.pk)
    site.deal({4: 1000, 5: 2000})
    settlement = site.settle({4: 1000, 5: 2000})["settlement"]
    # The bank's king high beats the jack of seat 4, and is beaten by the ace of seat 5.
    assert settlement["net"] == {"Dee": 2000 + 2000 - 1000 - 1000}
    moved: Counter[int | None] = Counter()
    for transfer in Transfer.objects.all():
        moved[transfer.seat] += transfer.cents if transfer.target == "seat" else -transfer.cents
    assert moved == {4: -2000, 5: 4000}


def test_a_player_of_one_table_holds_no_position_at_another(massachusetts: Site) -> None:
    site = with_seats(massachusetts, 1, 2)
    other = second_table(site, "massachusetts")
    ana = site.players[1]
    assert refused(other, player_seat, seat=3, player_id=ana.pk) == "player_elsewhere"
    site.send(player_leave, seat=1)
    other.send(player_seat, seat=3, player_id=ana.pk)
    other.send(player_seat, seat=4, player_id=ana.pk)
    assert refused(site, player_seat, seat=1, player_id=ana.pk) == "player_elsewhere"


@clause("south_dakota:(1).3")
def test_in_south_dakota_a_player_holds_two_positions_anywhere(south_dakota: Site) -> None:
    site = with_seats(south_dakota, 1)
    ana = site.players[1]
    site.send(player_seat, seat=5, player_id=ana.pk)
    assert refused(site, player_seat, seat=2, player_id=ana.pk) == "too_many_positions"
    site.play({1: 1000, 5: 1000})
    site.send(player_move, seat=1, to_seat=7)
    site.send(player_leave, seat=5)
    assert sits(site, ana) == [7]


def test_by_the_makers_rules_a_player_holds_one_position(shuffle_master: Site) -> None:
    site = with_seats(shuffle_master, 1)
    assert refused(site, player_seat, seat=2, player_id=site.players[1].pk) == "player_elsewhere"


# -- what a table of such a game refuses


@clause("south_dakota:(1)")
def test_a_table_plays_the_game_that_it_was_set_to_before_betting_opened(south_dakota: Site) -> None:
    site = south_dakota
    settings = table_settings(site.room, rulebook="south_dakota", options={"progressive_table": 2})
    other = sheet("massachusetts", BANK_HAND, at(4, HANDS[4]))
    assert refused(site, round_record, sheet=other) == "rulebook_differs"
    site.bet({4: 1000})
    assert refused(site, table_set, site.floor, **settings) == "round_live"
    site.send(round_void, reason="a new game", approver=site.floor)
    site.send(table_set, site.floor, **settings)
    site.play({4: 1000})
    played = Round.objects.latest("id")
    assert (played.rulebook, played.options["progressive_table"]) == ("south_dakota", 2)
    unset = copy.copy(site)
    unset.table = Table.objects.create(room=site.room, number=9)
    assert refused(unset, table_open, site.floor) == "game_not_filed"


@pytest.mark.django_db
@pytest.mark.parametrize("rulebook", ["massachusetts", "south_dakota", "shuffle_master"])
def test_it_charges_no_schedule_and_takes_no_wager_of_a_bank(rulebook: str) -> None:
    site = house_site(rulebook)
    settings = table_settings(site.room, rulebook=rulebook)
    schedule = free_schedule(site.room, rulebook).pk
    assert refused(site, table_set, site.floor, **{**settings, "schedule_id": schedule}) == "house_banks"
    assert refused(site, round_open, bank_wager_cents=20000) == "bank_not_allowed"
    site.bet({4: 1000})
    assert refused(site, bank_wager_set, bank_wager_cents=20000) == "house_banks"
    site.send(bets_close)
    site.send(round_deal)
    site.settle({4: 1000})
    round_ = Round.objects.get()
    assert (round_.fees, round_.bank_wager_cents, round_.turn) == ([], None, None)


def test_a_californian_room_sets_no_game_that_the_house_banks(massachusetts: Site) -> None:
    site = massachusetts
    settings = table_settings(site.room, rulebook="massachusetts")
    Room.objects.filter(pk=site.room.pk).update(jurisdiction="california")
    assert refused(site, table_set, site.floor, **settings) == "rulebook_of_another_jurisdiction"
    assert refused(site, round_open) == "rulebook_of_another_jurisdiction", (
        "one that was set is played no more"
    )


def test_a_sheet_with_another_meter_than_the_tables_is_refused(massachusetts: Site) -> None:
    site = massachusetts
    position = {**at(4, HANDS[4], progressive=100), "player": "Dee"}
    given = sheet("massachusetts", BANK_HAND, position, meter=100_700)
    assert refused(site, round_record, sheet=given) == "meter_differs"
    assert not Round.objects.exists()
    site.send(round_record, sheet={**given, "meter": 100_000})


@clause("shuffle_master:ways.3.3")
def test_each_wager_is_held_to_its_own_limits(shuffle_master: Site) -> None:
    site = shuffle_master
    limits = {"ante": [500, 10_000], "pair_plus": [200, 5000], "bad_beat": [100, 2500], "tips": [100, 1000]}
    settings = table_settings(site.room, rulebook="shuffle_master", wager_limits=limits)
    site.send(table_set, site.floor, **settings)
    assert reading_of(site).table.wager_limits == limits
    site.begin()
    for wager in ("ante", "pair_plus", "bad_beat"):
        least, most = limits[wager]
        beside = {} if wager == "ante" else {"ante": 500}
        for cents in (least - 1, most + 1):
            bet = {"seat": 4, "wagers": {**beside, wager: cents}}
            assert refused(site, bets_place, positions=[bet]) == "outside_table_limits", (wager, cents)
        for cents in (least, most):
            site.send(bets_place, positions=[{"seat": 4, "wagers": {**beside, wager: cents}}])
    # They need not be alike: the greatest pair plus beside the least ante, and the other way round.
    for ante, pair_plus in ((500, 5000), (10_000, 200)):
        site.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": ante, "pair_plus": pair_plus}}])


# -- the progressive of two tables


def with_progressive(site: Site, hands: dict[int, str]) -> list[dict[str, Any]]:
    """A round in which everybody bets the progressive; returns its lines."""
    site.begin()
    wagers = {"ante": 1000, "progressive": 100}
    site.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in hands])
    site.send(bets_close)
    site.send(round_deal)
    positions = [{"seat": seat, "hand": hand, "decision": "play"} for seat, hand in hands.items()]
    return site.send(round_settle, bank_hand="2c 4d 7h", positions=positions)["settlement"]["lines"]


@clause("massachusetts:13(e)(a).5")
def test_envy_is_paid_at_the_table_of_the_hand_alone(massachusetts: Site) -> None:
    site = massachusetts
    other = second_table(site, "massachusetts")
    other.begin()
    other.send(
        bets_place,
        positions=[{"seat": seat, "wagers": {"ante": 1000, "progressive": 100}} for seat in (1, 2)],
    )
    other.send(bets_close)
    other.send(round_deal)
    # Meanwhile an A-K-Q of hearts at table 7.
    lines = with_progressive(site, {4: "Ah Kh Qh", 5: "8s 8c 3d", 6: "Js 9d 5c"})
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
    site = house_site(rulebook)
    other = second_table(site, rulebook)
    site.begin()
    wagers = {"ante": 1000, "progressive": 100}
    site.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in (4, 5)])
    site.send(bets_close)
    site.send(round_deal)
    both = [{"seat": seat, "hand": "As Ks Qs", "decision": "play"} for seat in (4, 5)]
    assert refused(site, round_settle, bank_hand="2c 4d 7h", positions=both) == "duplicate_card"
    both[1] = {"seat": 5, "hand": "8s 8c 3d", "decision": "play"}
    site.send(round_settle, bank_hand="2c 4d 7h", positions=both)
    # The same hands at the other table, before the first win has been confirmed.
    lines = with_progressive(other, {1: "As Ks Qs", 2: "8s 8c 3d"})
    for at_table, seat in ((site, 4), (other, 1)):
        win = at_table.send(win_key, seat=seat)["win"]
        at_table.send(win_confirm, at_table.floor, win_id=win)
        shown = MeterMovement.objects.filter(table=at_table.table).order_by("id")
        assert [(each.kind, each.cents) for each in shown] == [
            ("opened", 100_000),
            ("win", -100_000),
            ("reseeded", 100_000),
        ]
    assert [line["paid"] for line in lines if line["wager"] == "progressive" and line["paid"]] == [100_000]


# -- what a room files of the course of a round moves no money


def moved(site: Site, rulebook: str, fold: tuple[int, ...], **options: Any) -> Counter[tuple[Any, ...]]:
    """A round of four hands at a table that is set to these options, in which `fold` fold in that order: its transfers."""
    site.send(table_set, site.floor, **table_settings(site.room, rulebook=rulebook, options=options))
    site.begin()
    wagers = {"ante": 1000, "pair_plus": 500, "six_card_bonus": 200}
    seats = (1, 2, 4, 5)
    site.send(bets_place, positions=[{"seat": seat, "wagers": wagers} for seat in seats])
    site.send(bets_close)
    site.send(round_deal)
    results = [{"seat": seat, "hand": HANDS[seat], "decision": "fold"} for seat in fold]
    results += [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in seats if seat not in fold]
    site.send(round_settle, bank_hand=BANK_HAND, positions=results)
    round_ = Round.objects.latest("id")
    assert round_.options.items() >= options.items()
    found = Transfer.objects.filter(round=round_).values_list("source", "target", "seat", "kind", "cents")
    return Counter(found)


@clause("massachusetts:10(c)(1)", "massachusetts:10(c).2")
def test_either_procedure_of_settling_moves_the_same_money(massachusetts: Site) -> None:
    first = moved(massachusetts, "massachusetts", (1,), settling="seat_by_seat")
    assert sum(first.values()) > 5
    assert moved(massachusetts, "massachusetts", (1,), settling="step_by_step") == first


@clause("south_dakota:(8).5")
def test_the_order_of_folding_moves_no_money(south_dakota: Site) -> None:
    first = moved(south_dakota, "south_dakota", (1, 2, 4))
    assert first[("seat", "tray", 1, "take", 1000)] == 1
    assert moved(south_dakota, "south_dakota", (4, 1, 2)) == first
    lines = Round.objects.latest("id").settlement["lines"]  # type: ignore[index]
    assert [line["seat"] for line in lines if line["outcome"] == "forfeit"] == [1, 1, 2, 2, 4, 4]
