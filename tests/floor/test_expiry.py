"""Expired badges of providers' players and work permits of dealers: refused, told as alerts, overridden on record."""

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
from cardroom.people.models import Player, Provider, Role, Staff, WorkPermit
from cardroom.people.permits import expiring, local_day
from tests.floor.site import Site

Kind = Alert.Kind.PERMIT_EXPIRED


def today(site: Site) -> datetime.date:
    return local_day(site.room, timezone.now())


def days(site: Site, number: int) -> datetime.date:
    return today(site) + datetime.timedelta(days=number)


@pytest.fixture
def firm(open_site: Site) -> Player:
    """A provider's player who does not sit yet; seat 7 is free."""
    site = open_site
    site.send(player_leave, seat=7)
    provider = Provider.objects.create(room=site.room, name="Levee Players")
    return Player.objects.create(
        room=site.room, name="Hal", provider=provider, badge_number="TP-12", badge_expires=days(site, -1)
    )


def refusal(site: Site, command: object, actor: Staff | None = None, **arguments: object) -> FloorError:
    with pytest.raises(FloorError) as refused:
        site.send(command, actor or site.dealer, **arguments)
    return refused.value


def seat(site: Site, player: Player) -> None:
    site.send(player_seat, seat=7, player_id=player.pk)


def test_an_expired_badge_takes_no_seat_and_the_floor_hears_of_it(open_site: Site, firm: Player) -> None:
    before = JournalEntry.objects.filter(command="player_seat").count()
    refused = refusal(open_site, player_seat, seat=7, player_id=firm.pk)
    assert refused.code == "badge_expired"
    assert f"The badge TP-12 of Hal was valid through {day_text(days(open_site, -1))}." in refused.message
    assert "a floor supervisor may override it" in refused.message
    assert not Seating.objects.filter(player=firm).exists()
    assert JournalEntry.objects.filter(command="player_seat").count() == before
    alert = Alert.objects.get(kind=Kind)
    assert (alert.subject, alert.waits, alert.is_urgent) == (f"player:{firm.pk}", True, True)
    assert alert.cleared_at is not None and alert.text.startswith("Refused: The badge TP-12 of Hal")
    refusal(open_site, player_seat, seat=7, player_id=firm.pk)
    assert Alert.objects.get(kind=Kind).times == 2
    open_site.send(alert_acknowledge, open_site.floor, alert_id=alert.pk, note="sent home")


@pytest.mark.parametrize("expires", [0, 400, None])
def test_a_badge_is_good_through_its_last_day_and_without_a_date(
    open_site: Site, firm: Player, expires: int | None
) -> None:
    firm.badge_expires = None if expires is None else days(open_site, expires)
    firm.save()
    seat(open_site, firm)
    assert not Alert.objects.filter(kind=Kind).exists()


def test_a_patron_needs_no_badge(open_site: Site, firm: Player) -> None:
    Player.objects.filter(pk=firm.pk).update(provider=None)
    seat(open_site, firm)
    assert Seating.objects.filter(player=firm).exists()


def test_a_badge_that_ended_at_the_table_takes_no_bank(open_site: Site, firm: Player) -> None:
    site = open_site
    Player.objects.filter(pk=firm.pk).update(badge_expires=today(site))
    seat(site, firm)
    Player.objects.filter(pk=firm.pk).update(badge_expires=days(site, -1))
    site.send(turn_end)
    while (asked := site.step().seat) != 7:
        site.send(offer_answer, seat=asked, answer="declined")
    turns = Turn.objects.count()
    refused = refusal(site, offer_answer, seat=7, answer="accepted")
    assert refused.code == "badge_expired" and Turn.objects.count() == turns
    assert Alert.objects.filter(kind=Kind).exists()
    site.send(expiry_override, site.floor, player_id=firm.pk, reason="renewal seen")
    site.send(offer_answer, seat=7, answer="accepted")
    assert Turn.objects.get(ended_at__isnull=True).player == firm


def test_an_expired_work_permit_begins_no_down(open_site: Site) -> None:
    site = open_site
    site.send(down_end, site.floor)
    permit = WorkPermit.objects.create(
        staff=site.dealer, room=site.room, number="WP-7", expires=days(site, -3)
    )
    refused = refusal(site, down_start, site.floor, dealer_id=site.dealer.pk)
    assert refused.code == "permit_expired" and "work permit WP-7" in refused.message
    assert Alert.objects.get(kind=Kind).subject == f"staff:{site.dealer.pk}"
    assert not Down.objects.filter(ended_at__isnull=True).exists()
    permit.expires = days(site, 30)
    permit.save()
    site.send(down_start, site.floor, dealer_id=site.dealer.pk)


def test_the_rooms_own_permit_goes_before_the_licence_of_the_account(open_site: Site) -> None:
    site = open_site
    site.send(down_end, site.floor)
    Staff.objects.filter(pk=site.dealer.pk).update(licence_number="L-1", licence_expires=days(site, -1))
    assert refusal(site, down_start, site.floor, dealer_id=site.dealer.pk).code == "permit_expired"
    rival = Site("Rival")
    WorkPermit.objects.create(staff=site.dealer, room=rival.room, number="R-1", expires=days(site, 9))
    assert refusal(site, down_start, site.floor, dealer_id=site.dealer.pk).code == "permit_expired"
    WorkPermit.objects.create(staff=site.dealer, room=site.room, number="WP-1", expires=days(site, 9))
    site.send(down_start, site.floor, dealer_id=site.dealer.pk)


def test_an_override_is_a_supervisors_with_a_reason_and_holds_for_the_gaming_day(
    open_site: Site, firm: Player
) -> None:
    site = open_site
    assert isinstance(refusal(site, expiry_override, player_id=firm.pk, reason="x"), Forbidden)
    no_reason = refusal(site, expiry_override, site.floor, player_id=firm.pk, reason=" ")
    assert (no_reason.code, ExpiryOverride.objects.count()) == ("reason_required", 0)
    site.send(expiry_override, player_id=firm.pk, reason="renewal seen", approver=site.floor)
    made = ExpiryOverride.objects.get()
    assert (made.ordered_by, made.recorded_by, made.player, made.number) == (
        site.floor, site.dealer, firm, "TP-12",
    )  # fmt: skip
    entry = JournalEntry.objects.get(command="expiry_override")
    assert (entry.reason, entry.data["name"], entry.data["override"]) == ("renewal seen", "Hal", made.pk)
    seat(site, firm)
    again = refusal(site, expiry_override, site.floor, player_id=firm.pk, reason="again")
    assert isinstance(again, NotNow) and again.code == "overridden_before"
    assert expired_people(site.room, timezone.now()) == []
    tomorrow = timezone.now() + datetime.timedelta(days=1)
    assert [each.person for each in expired_people(site.room, tomorrow)] == ["Hal"]


def test_an_override_names_one_person_of_the_room_whose_badge_has_expired(
    open_site: Site, firm: Player
) -> None:
    site, floor = open_site, open_site.floor
    assert isinstance(refusal(site, expiry_override, floor, reason="x"), BadInput)
    both = refusal(site, expiry_override, floor, reason="x", player_id=firm.pk, dealer_id=site.dealer.pk)
    assert both.code == "one_person"
    nothing = refusal(site, expiry_override, floor, reason="x", dealer_id=site.dealer.pk)
    assert nothing.code == "not_expired"
    rival = Site("Rival")
    assert (
        refusal(site, expiry_override, floor, reason="x", player_id=rival.players[1].pk).code
        == "unknown_player"
    )
    assert (
        refusal(site, expiry_override, floor, reason="x", dealer_id=rival.dealer.pk).code == "unknown_dealer"
    )


def test_nobody_overrides_their_own_permit(open_site: Site) -> None:
    site = open_site
    WorkPermit.objects.create(staff=site.floor, room=site.room, number="F-1", expires=days(site, -1))
    own = refusal(site, expiry_override, site.floor, dealer_id=site.floor.pk, reason="mine")
    assert own.code == "second_person_required"
    site.send(expiry_override, site.manager, dealer_id=site.floor.pk, reason="renewal seen")
    site.send(down_end, site.floor)
    site.send(down_start, site.manager, dealer_id=site.floor.pk)


def test_an_override_is_never_changed(open_site: Site, firm: Player) -> None:
    open_site.send(expiry_override, open_site.floor, player_id=firm.pk, reason="renewal seen")
    for change in (
        lambda: ExpiryOverride.objects.update(reason="another"),
        lambda: ExpiryOverride.objects.all().delete(),
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            change()


def test_who_is_at_a_table_on_an_expired_badge_or_permit_is_an_alert_until_they_leave(
    open_site: Site, firm: Player
) -> None:
    site = open_site
    site.send(expiry_override, site.floor, player_id=firm.pk, reason="renewal seen")
    seat(site, firm)
    WorkPermit.objects.create(staff=site.dealer, room=site.room, number="WP-7", expires=days(site, -1))
    room_watch(site.room.pk, timezone.now())
    holding = Alert.objects.filter(kind=Kind, cleared_at__isnull=True)
    assert {alert.subject for alert in holding} == {f"player:{firm.pk}", f"staff:{site.dealer.pk}"}
    assert "let them: renewal seen" in holding.get(subject=f"player:{firm.pk}").text
    assert room_watch(site.room.pk, timezone.now()) == 0, "nothing comes twice"
    site.send(player_leave, seat=7)
    WorkPermit.objects.update(expires=days(site, 9))
    room_watch(site.room.pk, timezone.now())
    assert not holding.all().exists()


def test_what_expires_within_thirty_days_is_reminded_of(open_site: Site, firm: Player) -> None:
    site = open_site
    WorkPermit.objects.create(staff=site.dealer, room=site.room, number="WP-7", expires=days(site, 30))
    WorkPermit.objects.create(staff=site.floor, room=site.room, number="WP-8", expires=days(site, 31))
    rival = Site("Rival")
    WorkPermit.objects.create(
        staff=rival.people[Role.DEALER], room=rival.room, number="R-1", expires=days(site, 1)
    )
    assert [each.number for each in expiring(site.room, today(site))] == ["TP-12", "WP-7"]
