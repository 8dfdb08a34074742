"""Expired badges of providers' players and work permits of dealers: refused, told as alerts, overridden on record."""

from __future__ import annotations

import datetime

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.floor.acts.alerts import alert_acknowledge
from cardroom.floor.acts.bank import offer_answer, turn_end
from cardroom.floor.acts.expiry import expired_people, expiry_override
from cardroom.floor.acts.seats import down_end, down_start, player_leave, player_seat
from cardroom.floor.acts.watch import room_watch
from cardroom.floor.errors import BadInput, FloorError, Forbidden, NotNow
from cardroom.floor.models import Alert, Down, ExpiryOverride, JournalEntry, Seating, Turn
from cardroom.people.models import Player, Provider, Role, Staff, WorkPermit
from cardroom.people.permits import expiring, local_day
from tests.floor.house import House

Kind = Alert.Kind.PERMIT_EXPIRED


def today(house: House) -> datetime.date:
    return local_day(house.room, timezone.now())


def days(house: House, number: int) -> datetime.date:
    return today(house) + datetime.timedelta(days=number)


@pytest.fixture
def firm(open_house: House) -> Player:
    """A provider's player who does not sit yet; seat 7 is free."""
    house = open_house
    house.send(player_leave, seat=7)
    provider = Provider.objects.create(room=house.room, name="Levee Players")
    return Player.objects.create(
        room=house.room, name="Hal", provider=provider, badge_number="TP-12", badge_expires=days(house, -1)
    )


def refusal(house: House, act: object, actor: Staff | None = None, **arguments: object) -> FloorError:
    with pytest.raises(FloorError) as refused:
        house.send(act, actor or house.dealer, **arguments)
    return refused.value


def seat(house: House, player: Player) -> None:
    house.send(player_seat, seat=7, player_id=player.pk)


def test_an_expired_badge_takes_no_seat_and_the_floor_hears_of_it(open_house: House, firm: Player) -> None:
    before = JournalEntry.objects.filter(act="player_seat").count()
    refused = refusal(open_house, player_seat, seat=7, player_id=firm.pk)
    assert refused.code == "badge_expired"
    assert f"The badge TP-12 of Hal was valid through {days(open_house, -1)}." in refused.message
    assert "a floor supervisor may override it" in refused.message
    assert not Seating.objects.filter(player=firm).exists()
    assert JournalEntry.objects.filter(act="player_seat").count() == before
    alert = Alert.objects.get(kind=Kind)
    assert (alert.subject, alert.waits, alert.is_urgent) == (f"player:{firm.pk}", True, True)
    assert alert.cleared_at is not None and alert.says.startswith("Refused: The badge TP-12 of Hal")
    refusal(open_house, player_seat, seat=7, player_id=firm.pk)
    assert Alert.objects.get(kind=Kind).times == 2
    open_house.send(alert_acknowledge, open_house.floor, alert_id=alert.pk, note="sent home")


@pytest.mark.parametrize("expires", [0, 400, None])
def test_a_badge_is_good_through_its_last_day_and_without_a_date(
    open_house: House, firm: Player, expires: int | None
) -> None:
    firm.badge_expires = None if expires is None else days(open_house, expires)
    firm.save()
    seat(open_house, firm)
    assert not Alert.objects.filter(kind=Kind).exists()


def test_a_patron_needs_no_badge(open_house: House, firm: Player) -> None:
    Player.objects.filter(pk=firm.pk).update(provider=None)
    seat(open_house, firm)
    assert Seating.objects.filter(player=firm).exists()


def test_a_badge_that_ended_at_the_table_takes_no_bank(open_house: House, firm: Player) -> None:
    house = open_house
    Player.objects.filter(pk=firm.pk).update(badge_expires=today(house))
    seat(house, firm)
    Player.objects.filter(pk=firm.pk).update(badge_expires=days(house, -1))
    house.send(turn_end)
    while (asked := house.step().seat) != 7:
        house.send(offer_answer, seat=asked, answer="declined")
    turns = Turn.objects.count()
    refused = refusal(house, offer_answer, seat=7, answer="accepted")
    assert refused.code == "badge_expired" and Turn.objects.count() == turns
    assert Alert.objects.filter(kind=Kind).exists()
    house.send(expiry_override, house.floor, player_id=firm.pk, reason="renewal seen")
    house.send(offer_answer, seat=7, answer="accepted")
    assert Turn.objects.get(ended_at__isnull=True).player == firm


def test_an_expired_work_permit_begins_no_down(open_house: House) -> None:
    house = open_house
    house.send(down_end, house.floor)
    permit = WorkPermit.objects.create(
        staff=house.dealer, room=house.room, number="WP-7", expires=days(house, -3)
    )
    refused = refusal(house, down_start, house.floor, dealer_id=house.dealer.pk)
    assert refused.code == "permit_expired" and "work permit WP-7" in refused.message
    assert Alert.objects.get(kind=Kind).subject == f"staff:{house.dealer.pk}"
    assert not Down.objects.filter(ended_at__isnull=True).exists()
    permit.expires = days(house, 30)
    permit.save()
    house.send(down_start, house.floor, dealer_id=house.dealer.pk)


def test_the_rooms_own_permit_goes_before_the_licence_of_the_account(open_house: House) -> None:
    house = open_house
    house.send(down_end, house.floor)
    Staff.objects.filter(pk=house.dealer.pk).update(licence_number="L-1", licence_expires=days(house, -1))
    assert refusal(house, down_start, house.floor, dealer_id=house.dealer.pk).code == "permit_expired"
    rival = House("Rival")
    WorkPermit.objects.create(staff=house.dealer, room=rival.room, number="R-1", expires=days(house, 9))
    assert refusal(house, down_start, house.floor, dealer_id=house.dealer.pk).code == "permit_expired"
    WorkPermit.objects.create(staff=house.dealer, room=house.room, number="WP-1", expires=days(house, 9))
    house.send(down_start, house.floor, dealer_id=house.dealer.pk)


def test_an_override_is_a_supervisors_with_a_reason_and_holds_for_the_gaming_day(
    open_house: House, firm: Player
) -> None:
    house = open_house
    assert isinstance(refusal(house, expiry_override, player_id=firm.pk, reason="x"), Forbidden)
    no_reason = refusal(house, expiry_override, house.floor, player_id=firm.pk, reason=" ")
    assert (no_reason.code, ExpiryOverride.objects.count()) == ("reason_required", 0)
    house.send(expiry_override, player_id=firm.pk, reason="renewal seen", approver=house.floor)
    made = ExpiryOverride.objects.get()
    assert (made.ordered_by, made.recorded_by, made.player, made.number) == (
        house.floor, house.dealer, firm, "TP-12",
    )  # fmt: skip
    entry = JournalEntry.objects.get(act="expiry_override")
    assert (entry.reason, entry.data["name"], entry.data["override"]) == ("renewal seen", "Hal", made.pk)
    seat(house, firm)
    again = refusal(house, expiry_override, house.floor, player_id=firm.pk, reason="again")
    assert isinstance(again, NotNow) and again.code == "overridden_before"
    assert expired_people(house.room, timezone.now()) == []
    tomorrow = timezone.now() + datetime.timedelta(days=1)
    assert [each.person for each in expired_people(house.room, tomorrow)] == ["Hal"]


def test_an_override_names_one_person_of_the_room_whose_badge_has_expired(
    open_house: House, firm: Player
) -> None:
    house, floor = open_house, open_house.floor
    assert isinstance(refusal(house, expiry_override, floor, reason="x"), BadInput)
    both = refusal(house, expiry_override, floor, reason="x", player_id=firm.pk, dealer_id=house.dealer.pk)
    assert both.code == "one_person"
    nothing = refusal(house, expiry_override, floor, reason="x", dealer_id=house.dealer.pk)
    assert nothing.code == "not_expired"
    rival = House("Rival")
    assert (
        refusal(house, expiry_override, floor, reason="x", player_id=rival.players[1].pk).code
        == "unknown_player"
    )
    assert (
        refusal(house, expiry_override, floor, reason="x", dealer_id=rival.dealer.pk).code == "unknown_dealer"
    )


def test_nobody_overrides_their_own_permit(open_house: House) -> None:
    house = open_house
    WorkPermit.objects.create(staff=house.floor, room=house.room, number="F-1", expires=days(house, -1))
    own = refusal(house, expiry_override, house.floor, dealer_id=house.floor.pk, reason="mine")
    assert own.code == "second_person_required"
    house.send(expiry_override, house.manager, dealer_id=house.floor.pk, reason="renewal seen")
    house.send(down_end, house.floor)
    house.send(down_start, house.manager, dealer_id=house.floor.pk)


def test_an_override_is_never_changed(open_house: House, firm: Player) -> None:
    open_house.send(expiry_override, open_house.floor, player_id=firm.pk, reason="renewal seen")
    for change in (
        lambda: ExpiryOverride.objects.update(reason="another"),
        lambda: ExpiryOverride.objects.all().delete(),
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            change()


def test_who_is_at_a_table_on_an_expired_badge_or_permit_is_an_alert_until_they_leave(
    open_house: House, firm: Player
) -> None:
    house = open_house
    house.send(expiry_override, house.floor, player_id=firm.pk, reason="renewal seen")
    seat(house, firm)
    WorkPermit.objects.create(staff=house.dealer, room=house.room, number="WP-7", expires=days(house, -1))
    room_watch(house.room.pk, timezone.now())
    holding = Alert.objects.filter(kind=Kind, cleared_at__isnull=True)
    assert {alert.subject for alert in holding} == {f"player:{firm.pk}", f"staff:{house.dealer.pk}"}
    assert "let them: renewal seen" in holding.get(subject=f"player:{firm.pk}").says
    assert room_watch(house.room.pk, timezone.now()) == 0, "nothing comes twice"
    house.send(player_leave, seat=7)
    WorkPermit.objects.update(expires=days(house, 9))
    room_watch(house.room.pk, timezone.now())
    assert not holding.all().exists()


def test_what_expires_within_thirty_days_is_reminded_of(open_house: House, firm: Player) -> None:
    house = open_house
    WorkPermit.objects.create(staff=house.dealer, room=house.room, number="WP-7", expires=days(house, 30))
    WorkPermit.objects.create(staff=house.floor, room=house.room, number="WP-8", expires=days(house, 31))
    rival = House("Rival")
    WorkPermit.objects.create(
        staff=rival.people[Role.DEALER], room=rival.room, number="R-1", expires=days(house, 1)
    )
    assert [each.number for each in expiring(house.room, today(house))] == ["TP-12", "WP-7"]
