"""Players of a provider of proposition players: one of each provider at a table (4 CCR 12270(b)(5))."""

from __future__ import annotations

import pytest
from django.utils import timezone

from cardroom.floor.commands.seats import player_leave, player_move, player_seat
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Seating
from cardroom.floor.reads.rotation import hours_period, table_rotation
from cardroom.people.models import Provider
from tests.cast import Cast


@pytest.fixture
def firms(cast: Cast) -> Cast:
    """Bo and Cy play for one provider, Dee for another; seats 1 and 2 are taken, by Ana and Bo."""
    first, second = (Provider.objects.create(room=cast.room, name=name) for name in ("Levee", "Delta"))
    for seat, firm in ((2, first), (3, first), (4, second)):
        player = cast.players[seat]
        player.provider = firm
        player.save()
    cast.open(seats=(1, 2))
    return cast


def seat(cast: Cast, number: int) -> None:
    cast.send(player_seat, seat=number, player_id=cast.players[number].pk)


def test_a_second_player_of_a_provider_is_not_seated(firms: Cast) -> None:
    with pytest.raises(FloorError) as refusal:
        seat(firms, 3)
    assert refusal.value.code == "provider_seated"
    assert refusal.value.message == (
        "Cy and Bo at seat 2 both play for Levee: of each provider one player may play at a table. "
        "Let Bo leave first."
    )
    assert refusal.value.extra == {"clause": "4 CCR 12270(b)(5)"}
    assert Seating.objects.filter(left_at__isnull=True).count() == 2


def test_another_providers_player_is_seated_and_the_next_one_when_the_first_has_left(firms: Cast) -> None:
    seat(firms, 4)
    firms.send(player_move, seat=2, to_seat=6)
    firms.send(player_leave, seat=6)
    seat(firms, 3)
    assert table_rotation(firms.table, hours_period(1, timezone.now())).exceptions == []


def test_a_row_that_was_written_past_the_floor_is_an_exception(firms: Cast) -> None:
    Seating.objects.create(
        room=firms.room, table=firms.table, seat=3, player=firms.players[3], seated_at=timezone.now()
    )
    [exception] = table_rotation(firms.table, hours_period(1, timezone.now())).exceptions
    assert (exception.kind, exception.seat, exception.clause) == ("two_of_provider", 3, "4 CCR 12270(b)(5)")


def test_players_of_nobody_sit_together(firms: Cast) -> None:
    seat(firms, 5)
    assert Seating.objects.filter(left_at__isnull=True).count() == 3
