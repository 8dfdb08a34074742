"""Players who are barred or self-excluded: not seated, no bank, no wagers from the next round on, and nothing said of why."""

from __future__ import annotations

import datetime

import pytest
import time_machine

from cardroom.floor.commands.exclusions import exclusion_enter, exclusion_lift
from cardroom.floor.commands.players import player_merge, player_unmerge
from cardroom.floor.commands.seats import player_leave, player_seat
from cardroom.floor.errors import BadInput, FloorError, Forbidden
from cardroom.floor.models import Alert, JournalEntry, Offer
from cardroom.floor.tasks import watch_floors
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import FOR_GOOD, Exclusion, Player
from tests.cast import Cast, open_cast

from .test_inactive_players import answer

FORM = {"kind": "self_excluded", "reason": "form of today"}


@pytest.fixture
def cast(db: None) -> Cast:
    return open_cast()


def refused(cast: Cast, command: object, who: str, **inputs: object) -> FloorError:
    with pytest.raises(FloorError) as error:
        cast.send(command, who, **inputs)
    return error.value


def test_who_is_excluded_is_not_seated_and_the_refusal_says_whom_to_ask_alone(cast: Cast) -> None:
    hal, ida = cast.waiting[:2]
    cast.send_room(exclusion_enter, "shift_manager", player_id=hal.pk, **FORM)
    ida.is_active = False
    ida.save()
    cast.send(player_leave, "dealer", seat=6)
    told = {}
    for player in (hal, ida):
        why = refused(cast, player_seat, "dealer", seat=6, player_id=player.pk)
        told[player] = (why.code, why.message.replace(player.name, "—"))
    assert (
        told[hal]
        == told[ida]
        == (
            "player_inactive",
            "— may no longer play in this room: ask a shift manager.",
        )
    )
    assert "reason" not in JournalEntry.objects.get(command="exclusion_enter").data
    assert not list(rows_verify())


def test_who_sits_is_an_alert_at_once_gets_no_bank_and_no_further_wagers(cast: Cast) -> None:
    four = cast.players[4]
    cast.send_room(exclusion_enter, "shift_manager", player_id=four.pk, **FORM)
    watch_floors()
    [alert] = Alert.objects.filter(kind=Alert.Kind.PLAYER_INACTIVE)
    assert "self" not in alert.text.lower()
    answer(cast, 6)
    assert dict(Offer.objects.values_list("seat", "answer"))[4] == "ineligible"


def test_it_ends_after_its_last_day_on_the_rooms_calendar(cast: Cast) -> None:
    hal, zone = cast.waiting[0], cast.room.zone
    today = cast.state().now.astimezone(zone).date()
    cast.send_room(exclusion_enter, "compliance", player_id=hal.pk, ends_on=today, **FORM)
    hal.refresh_from_db()
    midnight = datetime.datetime.combine(today + datetime.timedelta(days=1), datetime.time(), zone)
    assert hal.excluded_until == midnight
    cast.send(player_leave, "dealer", seat=6)
    with time_machine.travel(midnight - datetime.timedelta(seconds=1), tick=False):
        assert refused(cast, player_seat, "dealer", seat=6, player_id=hal.pk).code == "player_inactive"
    with time_machine.travel(midnight, tick=False):
        cast.send(player_seat, "dealer", seat=6, player_id=hal.pk)
    with pytest.raises(BadInput) as error:
        cast.send_room(
            exclusion_enter,
            "compliance",
            player_id=hal.pk,
            ends_on=today - datetime.timedelta(days=1),
            **FORM,
        )
    assert error.value.path == "ends_on"


def test_two_lift_it_and_it_stays_on_record(cast: Cast) -> None:
    hal = cast.waiting[0]
    with pytest.raises(Forbidden):
        cast.send_room(exclusion_enter, "floor", player_id=hal.pk, **FORM)
    entered = cast.send_room(exclusion_enter, "shift_manager", player_id=hal.pk, **FORM)["exclusion"]
    asked = {"exclusion_id": entered, "reason": "wrong person"}
    with pytest.raises(Forbidden):
        cast.send_room(exclusion_lift, "shift_manager", approver=cast.people["floor"], **asked)
    cast.send_room(exclusion_lift, "shift_manager", approver=cast.people["compliance"], **asked)
    hal.refresh_from_db()
    assert (hal.excluded_until, Exclusion.objects.get().lifted_reason) == (None, "wrong person")


def test_it_holds_for_every_entry_of_a_person(cast: Cast) -> None:
    hal, guest = cast.waiting[0], Player.objects.create(room=cast.room, name="Guest 99", is_guest=True)
    cast.send_room(exclusion_enter, "shift_manager", player_id=hal.pk, **FORM)
    asked = {"reason": "one person", "approver": cast.people["floor_2"]}
    cast.send_room(player_merge, "floor", player_id=guest.pk, into_id=hal.pk, **asked)
    ends = Player.objects.filter(pk__in=[guest.pk, hal.pk]).order_by("pk").values_list("excluded_until")
    assert list(ends) == [(FOR_GOOD,), (FOR_GOOD,)]
    cast.send_room(player_unmerge, "floor", player_id=guest.pk, **asked)
    assert list(ends.all()) == [(FOR_GOOD,), (None,)]
