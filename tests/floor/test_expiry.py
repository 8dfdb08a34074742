"""Expired badges of providers' players and work permits of dealers: refused, reported as alerts, overridden on record."""

from __future__ import annotations

import datetime

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.core.dates import day_text
from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.commands.bank import offer_answer, turn_end
from cardroom.floor.commands.expiry import expired_people, expiry_override
from cardroom.floor.commands.seats import down_end, down_start, player_leave, player_seat
from cardroom.floor.commands.watch import room_watch
from cardroom.floor.errors import BadInput, FloorError, Forbidden, NotNow
from cardroom.floor.models import Alert, Down, ExpiryOverride, JournalEntry, Seating, Turn
from cardroom.people.models import Player, Provider, Staff, WorkPermit
from cardroom.people.names import named
from cardroom.people.permits import expiring, local_day
from tests.cast import Cast

Kind = Alert.Kind.PERMIT_EXPIRED


def today(cast: Cast) -> datetime.date:
    return local_day(cast.room, timezone.now())


def days(cast: Cast, number: int) -> datetime.date:
    return today(cast) + datetime.timedelta(days=number)


@pytest.fixture
def firm(running: Cast) -> Player:
    """A provider's player who does not sit yet; seat 7 is free."""
    running.send(player_leave, seat=7)
    provider = Provider.objects.create(room=running.room, name="Levee Players")
    hal = running.waiting[0]
    hal.provider, hal.badge_number, hal.badge_expires = provider, "TP-12", days(running, -1)
    hal.save()
    return hal


def refusal(cast: Cast, command: object, actor: str | Staff = "dealer", **arguments: object) -> FloorError:
    with pytest.raises(FloorError) as refused:
        cast.send(command, actor, **arguments)
    return refused.value


def seat(cast: Cast, player: Player) -> None:
    cast.send(player_seat, seat=7, player_id=player.pk)


def test_an_expired_badge_takes_no_seat_and_the_floor_hears_of_it(running: Cast, firm: Player) -> None:
    before = JournalEntry.objects.filter(command="player_seat").count()
    refused = refusal(running, player_seat, seat=7, player_id=firm.pk)
    assert refused.code == "badge_expired"
    assert f"The badge TP-12 of Hal was valid through {day_text(days(running, -1))}." in refused.message
    assert "a floor supervisor may override it" in refused.message
    assert not Seating.objects.filter(player=firm).exists()
    assert JournalEntry.objects.filter(command="player_seat").count() == before
    alert = Alert.objects.get(kind=Kind)
    assert (alert.subject, alert.waits, alert.is_urgent) == (f"player:{firm.pk}", True, True)
    assert alert.cleared_at is not None and named(alert.text).startswith(
        "Turned away: the badge TP-12 of Hal"
    )
    refusal(running, player_seat, seat=7, player_id=firm.pk)
    assert Alert.objects.get(kind=Kind).times == 2
    running.send(alert_acknowledge, "floor", alert_id=alert.pk, note="sent home")


@pytest.mark.parametrize("expires", [0, 400, None])
def test_a_badge_is_good_through_its_last_day_and_without_a_date(
    running: Cast, firm: Player, expires: int | None
) -> None:
    firm.badge_expires = None if expires is None else days(running, expires)
    firm.save()
    seat(running, firm)
    assert not Alert.objects.filter(kind=Kind).exists()


def test_a_patron_needs_no_badge(running: Cast, firm: Player) -> None:
    Player.objects.filter(pk=firm.pk).update(provider=None)
    seat(running, firm)
    assert Seating.objects.filter(player=firm).exists()


def test_a_badge_that_ended_at_the_table_takes_no_bank(running: Cast, firm: Player) -> None:
    Player.objects.filter(pk=firm.pk).update(badge_expires=today(running))
    seat(running, firm)
    Player.objects.filter(pk=firm.pk).update(badge_expires=days(running, -1))
    running.send(turn_end)
    while (asked := running.state().step.seat) != 7:
        running.send(offer_answer, seat=asked, answer="declined")
    turns = Turn.objects.count()
    refused = refusal(running, offer_answer, seat=7, answer="accepted")
    assert refused.code == "badge_expired" and Turn.objects.count() == turns
    assert Alert.objects.filter(kind=Kind).exists()
    running.send(expiry_override, "floor", player_id=firm.pk, reason="renewal seen")
    running.send(offer_answer, seat=7, answer="accepted")
    assert Turn.objects.get(ended_at__isnull=True).player == firm


def test_an_expired_work_permit_begins_no_down(running: Cast) -> None:
    running.send(down_end, "floor")
    permit = WorkPermit.objects.create(
        staff=running.people["dealer"], room=running.room, number="WP-7", expires=days(running, -3)
    )
    refused = refusal(running, down_start, "floor", dealer_id=running.people["dealer"].pk)
    assert refused.code == "permit_expired" and "work permit WP-7" in refused.message
    assert Alert.objects.get(kind=Kind).subject == f"staff:{running.people['dealer'].pk}"
    assert not Down.objects.filter(ended_at__isnull=True).exists()
    permit.expires = days(running, 30)
    permit.save()
    running.send(down_start, "floor", dealer_id=running.people["dealer"].pk)


def test_the_rooms_own_permit_goes_before_the_licence_of_the_account(running: Cast) -> None:
    running.send(down_end, "floor")
    Staff.objects.filter(pk=running.people["dealer"].pk).update(
        licence_number="L-1", licence_expires=days(running, -1)
    )
    assert (
        refusal(running, down_start, "floor", dealer_id=running.people["dealer"].pk).code == "permit_expired"
    )
    rival = running.at_rival()
    WorkPermit.objects.create(
        staff=running.people["dealer"], room=rival.room, number="R-1", expires=days(running, 9)
    )
    assert (
        refusal(running, down_start, "floor", dealer_id=running.people["dealer"].pk).code == "permit_expired"
    )
    WorkPermit.objects.create(
        staff=running.people["dealer"], room=running.room, number="WP-1", expires=days(running, 9)
    )
    running.send(down_start, "floor", dealer_id=running.people["dealer"].pk)


def test_an_override_is_a_supervisors_with_a_reason_and_holds_for_the_gaming_day(
    running: Cast, firm: Player
) -> None:
    assert isinstance(refusal(running, expiry_override, player_id=firm.pk, reason="x"), Forbidden)
    no_reason = refusal(running, expiry_override, "floor", player_id=firm.pk, reason=" ")
    assert (no_reason.code, ExpiryOverride.objects.count()) == ("reason_required", 0)
    running.send(expiry_override, player_id=firm.pk, reason="renewal seen", approver=running.people["floor"])
    made = ExpiryOverride.objects.get()
    assert (made.ordered_by, made.recorded_by, made.player, made.number) == (
        running.people["floor"], running.people["dealer"], firm, "TP-12",
    )  # fmt: skip
    entry = JournalEntry.objects.get(command="expiry_override")
    assert (entry.reason, entry.data["name"], entry.data["override"]) == ("renewal seen", "Hal", made.pk)
    seat(running, firm)
    again = refusal(running, expiry_override, "floor", player_id=firm.pk, reason="again")
    assert isinstance(again, NotNow) and again.code == "overridden_before"
    assert expired_people(running.room, timezone.now()) == []
    tomorrow = timezone.now() + datetime.timedelta(days=1)
    assert [each.person for each in expired_people(running.room, tomorrow)] == ["Hal"]


def test_an_override_names_one_person_of_the_room_whose_badge_has_expired(
    running: Cast, firm: Player
) -> None:
    cast, floor = running, running.people["floor"]
    assert isinstance(refusal(cast, expiry_override, floor, reason="x"), BadInput)
    both = refusal(
        cast, expiry_override, floor, reason="x", player_id=firm.pk, dealer_id=cast.people["dealer"].pk
    )
    assert both.code == "one_person"
    nothing = refusal(cast, expiry_override, floor, reason="x", dealer_id=cast.people["dealer"].pk)
    assert nothing.code == "not_expired"
    rival = running.at_rival()
    assert (
        refusal(cast, expiry_override, floor, reason="x", player_id=rival.players[1].pk).code
        == "unknown_player"
    )
    assert (
        refusal(cast, expiry_override, floor, reason="x", dealer_id=rival.people["dealer"].pk).code
        == "unknown_dealer"
    )


def test_nobody_overrides_their_own_permit(running: Cast) -> None:
    WorkPermit.objects.create(
        staff=running.people["floor"], room=running.room, number="F-1", expires=days(running, -1)
    )
    own = refusal(running, expiry_override, "floor", dealer_id=running.people["floor"].pk, reason="mine")
    assert own.code == "second_person_required"
    running.send(
        expiry_override, "shift_manager", dealer_id=running.people["floor"].pk, reason="renewal seen"
    )
    running.send(down_end, "floor")
    running.send(down_start, "shift_manager", dealer_id=running.people["floor"].pk)


def test_an_override_is_never_changed(running: Cast, firm: Player) -> None:
    running.send(expiry_override, "floor", player_id=firm.pk, reason="renewal seen")
    for change in (
        lambda: ExpiryOverride.objects.update(reason="another"),
        lambda: ExpiryOverride.objects.all().delete(),
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            change()


def test_who_is_at_a_table_on_an_expired_badge_or_permit_is_an_alert_until_they_leave(
    running: Cast, firm: Player
) -> None:
    running.send(expiry_override, "floor", player_id=firm.pk, reason="renewal seen")
    seat(running, firm)
    WorkPermit.objects.create(
        staff=running.people["dealer"], room=running.room, number="WP-7", expires=days(running, -1)
    )
    room_watch(running.room.pk, timezone.now())
    holding = Alert.objects.filter(kind=Kind, cleared_at__isnull=True)
    assert {alert.subject for alert in holding} == {
        f"player:{firm.pk}",
        f"staff:{running.people['dealer'].pk}",
    }
    assert "let them: renewal seen" in holding.get(subject=f"player:{firm.pk}").text
    assert room_watch(running.room.pk, timezone.now()) == 0, "nothing comes twice"
    running.send(player_leave, seat=7)
    WorkPermit.objects.update(expires=days(running, 9))
    room_watch(running.room.pk, timezone.now())
    assert not holding.all().exists()


def test_what_expires_within_thirty_days_is_reminded_of(running: Cast, firm: Player) -> None:
    WorkPermit.objects.create(
        staff=running.people["dealer"], room=running.room, number="WP-7", expires=days(running, 30)
    )
    WorkPermit.objects.create(
        staff=running.people["floor"], room=running.room, number="WP-8", expires=days(running, 31)
    )
    rival = running.at_rival()
    WorkPermit.objects.create(
        staff=rival.people["dealer"], room=rival.room, number="R-1", expires=days(running, 1)
    )
    assert [each.number for each in expiring(running.room, today(running))] == ["TP-12", "WP-7"]
