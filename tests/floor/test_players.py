"""Players of a room: added, seated without a name, named, and merged where two entries are one person."""

from __future__ import annotations

import pytest

from cardroom.floor.commands.players import (
    player_add,
    player_merge,
    player_provider_set,
    player_set,
    player_staff_set,
    player_unmerge,
)
from cardroom.floor.commands.providers import provider_add, provider_set
from cardroom.floor.commands.seats import guest_seat, player_leave, player_seat
from cardroom.floor.errors import BadInput, FloorError, Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry, Seating
from cardroom.floor.reads.table_record import table_record
from cardroom.people.models import Player, PlayerMerge, Provider, Role
from cardroom.people.players import players_found, players_meant
from tests.cast import Cast, running_cast


@pytest.fixture
def cast(db: None) -> Cast:
    return running_cast()


def refused(cast: Cast, command: object, who: str, **inputs: object) -> str:
    with pytest.raises(FloorError) as error:
        cast.send_room(command, who, **inputs)
    return error.value.code


def at_seat(cast: Cast, seat: int) -> str:
    [row] = [row for row in table_record(cast.state())["seats"] if row["seat"] == seat]
    assert row["player"] is not None
    return row["player"]["name"]


def test_a_guest_sits_down_at_once_and_is_named_later(cast: Cast) -> None:
    cast.send(player_leave, "dealer", seat=6)
    before = Player.objects.filter(room=cast.room).count()
    answer = cast.send(guest_seat, "dealer", seat=6)
    number = before + 1
    assert (answer["number"], at_seat(cast, 6)) == (number, f"Guest {number}")
    guest = Player.objects.get(pk=answer["player"])
    assert guest.is_guest

    cast.send_room(player_set, "floor", player_id=guest.pk, name="Lee Chan", other_name="陳麗")
    guest.refresh_from_db()
    assert (guest.is_guest, at_seat(cast, 6)) == (False, "Lee Chan")
    assert players_meant(cast.room, "陳麗") == players_meant(cast.room, f"#{number}") == [guest]
    entry = JournalEntry.objects.filter(command="player_set").get()
    assert entry.data["changed"] == {"name": True, "other_name": True}
    assert "Lee Chan" not in str(entry.data)


def test_a_player_who_is_named_as_before_stays_as_they_are(cast: Cast) -> None:
    """As where two tablets send the same: the second finds nothing to change, and writes nothing."""
    for _ in range(2):
        cast.send_room(player_set, "floor", player_id=cast.players[4].pk, name="Lee Chan")
    player = Player.objects.get(pk=cast.players[4].pk)
    assert (player.name, Player.history.filter(id=player.pk).count()) == ("Lee Chan", 2)
    assert JournalEntry.objects.filter(command="player_set").count() == 1


def test_two_of_one_name_are_told_apart_by_their_numbers(cast: Cast) -> None:
    first = cast.send_room(player_add, "floor", name="Lee Chan")
    second = cast.send_room(player_add, "floor", name="LEE  CHAN", number=700)
    assert second["alike"] == [first["player"]]
    assert {player.number for player in players_meant(cast.room, "lee chan")} == {first["number"], 700}
    assert [player.pk for player in players_meant(cast.room, "Lee Chan #700")] == [second["player"]]
    assert refused(cast, player_add, "floor", name="Somebody", number=700) == "number_taken"
    assert cast.send_room(player_add, "floor", name="Next")["number"] == 701
    # Written alike, they are written with their numbers: sheets and records go by names.
    third = Player.objects.get(pk=cast.send_room(player_add, "floor", name="Lee Chan")["player"])
    assert (third.name, third.label) == ("Lee Chan #702", "Lee Chan #702")
    assert third in players_meant(cast.room, "lee chan")
    assert players_meant(cast.room, "Lee Chan #702") == [third]


def test_a_guest_who_is_known_after_all_is_merged_and_both_stay_on_record(cast: Cast) -> None:
    cast.send(player_leave, "dealer", seat=6)
    guest = Player.objects.get(pk=cast.send(guest_seat, "dealer", seat=6)["player"])
    known, asked = cast.waiting[0], {"reason": "gave a card", "approver": cast.people["floor_2"]}
    cast.send_room(player_merge, "floor", player_id=guest.pk, into_id=known.pk, **asked)

    assert at_seat(cast, 6) == known.name
    assert players_meant(cast.room, f"#{guest.number}") == [known]
    assert guest not in players_found(cast.room, "")
    # One person has one seat, whichever entry is named.
    cast.send(player_leave, "dealer", seat=7)
    with pytest.raises(NotNow) as error:
        cast.send(player_seat, "dealer", seat=7, player_id=known.pk)
    assert error.value.code == "player_elsewhere"
    assert refused(cast, player_set, "floor", player_id=guest.pk, name="Zed") == "player_merged"
    stay = Seating.objects.get(player=guest)
    cast.send_room(player_unmerge, "floor", player_id=guest.pk, **asked)
    assert (at_seat(cast, 6), stay.player_id) == (guest.name, guest.pk)
    assert refused(cast, player_unmerge, "floor", player_id=guest.pk, **asked) == "not_merged"
    merge = PlayerMerge.objects.get()
    assert merge.made_by == cast.people["floor"]
    assert merge.undone_approved_by == cast.people["floor_2"]


def test_merges_one_after_another_lead_to_one_person_and_come_apart_again(cast: Cast) -> None:
    first, second, third = (
        Player.objects.create(room=cast.room, name=name) for name in ("One", "Two", "Three")
    )
    asked = {"reason": "one person", "approver": cast.people["floor_2"]}
    cast.send_room(player_merge, "floor", player_id=first.pk, into_id=second.pk, **asked)
    cast.send_room(player_merge, "floor", player_id=second.pk, into_id=third.pk, **asked)
    into = dict(Player.objects.filter(pk__in=[first.pk, second.pk]).values_list("pk", "merged_into"))
    assert into == {first.pk: third.pk, second.pk: third.pk}
    cast.send_room(player_unmerge, "floor", player_id=second.pk, **asked)
    into = dict(Player.objects.filter(pk__in=[first.pk, second.pk]).values_list("pk", "merged_into"))
    assert into == {first.pk: second.pk, second.pk: None}


def test_what_may_not_be_merged_is_refused_with_the_reason(cast: Cast) -> None:
    ana, bo, hal = cast.players[1], cast.players[2], cast.waiting[0]
    asked = {"reason": "one person", "approver": cast.people["floor_2"]}
    assert refused(cast, player_merge, "floor", player_id=ana.pk, into_id=bo.pk, **asked) == "both_seated"
    assert refused(cast, player_merge, "floor", player_id=hal.pk, into_id=hal.pk, **asked) == "same_player"
    mine = {**asked, "approver": cast.people["floor"]}
    assert refused(cast, player_merge, "floor", player_id=hal.pk, into_id=ana.pk, **mine) == (
        "second_person_required"
    )
    house = cast.waiting[-1]
    assert refused(cast, player_merge, "floor", player_id=house.pk, into_id=hal.pk, **asked) == "works_here"
    provider = Provider.objects.get(room=cast.room)
    cast.send_room(
        player_provider_set, "room_manager", player_id=hal.pk, provider_id=provider.pk, badge_number="T-1"
    )
    assert refused(cast, player_merge, "floor", player_id=hal.pk, into_id=ana.pk, **asked) == (
        "plays_for_provider"
    )
    with pytest.raises(NotFound):
        cast.send_room(player_merge, "floor", player_id=cast.rival_player.pk, into_id=ana.pk, **asked)
    with pytest.raises(BadInput) as error:
        cast.send_room(player_merge, "floor", player_id=ana.pk, into_id=cast.rival_player.pk, **asked)
    assert error.value.path == "into_id"
    assert not PlayerMerge.objects.exists()


def test_providers_their_players_and_staff_who_play_are_kept_by_the_room_manager(cast: Cast) -> None:
    provider = cast.send_room(provider_add, "room_manager", name="Delta Players", contract_number="P-9")
    cast.send_room(provider_set, "room_manager", provider_id=provider["provider"], name="Delta", active=False)
    assert Provider.objects.get(pk=provider["provider"]).is_active is False
    assert refused(cast, provider_add, "room_manager", name="Delta") == "name_taken"
    hal = cast.waiting[0]
    with pytest.raises(Forbidden):
        cast.send_room(player_provider_set, "floor", player_id=hal.pk, provider_id=provider["provider"])
    assert refused(cast, player_provider_set, "room_manager", player_id=hal.pk, badge_number="T-1") == (
        "badge_without_provider"
    )
    cast.send_room(player_staff_set, "room_manager", player_id=hal.pk, staff_id=cast.people["floor"].pk)
    assert refused(
        cast, player_provider_set, "room_manager", player_id=hal.pk, provider_id=provider["provider"]
    ) == ("works_here")
    assert refused(
        cast,
        player_staff_set,
        "room_manager",
        player_id=cast.waiting[1].pk,
        staff_id=cast.people["floor"].pk,
    ) == ("player_of_staff")
    assert refused(
        cast,
        player_staff_set,
        "room_manager",
        player_id=hal.pk,
        staff_id=cast.hire("elsewhere", Role.FLOOR, room=cast.rival).pk,
    ) == ("unknown_person")
    rae = cast.rival_player
    cast.hire("floor", Role.DEALER, room=cast.rival)
    cast.send_room(
        player_staff_set, "rival_room_manager", cast.rival, player_id=rae.pk, staff_id=cast.people["floor"].pk
    )
    assert cast.people["floor"].players.count() == 2, "each room marks its own player"
