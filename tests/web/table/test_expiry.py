"""Expired badges on the pages: the refusal, the override among the further commands, the reminder, and the report."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from cardroom.floor.commands.expiry import expiry_override
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.models import ExpiryOverride, Seating
from cardroom.people.models import Player
from cardroom.people.permits import local_day
from tests.api.client import Caller
from tests.cast import PIN, Cast
from tests.reports.played_shift import drawn, rows


@pytest.fixture
def firm(running: Cast) -> Player:
    running.send(player_leave, "dealer", seat=7)
    day = local_day(running.room, timezone.now())
    return Player.objects.create(
        room=running.room, name="Hal of Levee", provider=running.room.providers.get(), badge_number="TP-12",
        badge_expires=day - datetime.timedelta(days=1),
    )  # fmt: skip


def test_the_page_offers_the_override_where_something_has_expired_alone(
    running: Cast, person: Callable[[str], Any]
) -> None:
    page = f"/tables/{running.table.pk}/"
    floor = person("floor")
    floor.open(page)
    assert "Override an expired badge" not in floor.text
    running.send(player_leave, "dealer", seat=7)
    day = local_day(running.room, timezone.now())
    Player.objects.create(
        room=running.room, name="Hal of Levee", provider=running.room.providers.get(), badge_number="TP-12",
        badge_expires=day - datetime.timedelta(days=1),
    )  # fmt: skip
    floor.open(page)
    assert "Override an expired badge or permit" in floor.text and "badge TP-12" in floor.text


def test_the_room_page_reminds_the_floor_and_not_the_dealer(
    running: Cast, firm: Player, person: Callable[[str], Any]
) -> None:
    for who, reminded in (("floor", True), ("room_manager", True), ("dealer", False)):
        browser = person(who)
        browser.open(f"/rooms/{running.room.code}/")
        assert ("Hal of Levee" in browser.text) is reminded, who


def test_a_dealer_asks_for_the_override_with_a_supervisors_signature(running: Cast, firm: Player) -> None:
    dealer, table = Caller(running, "dealer"), f"tables/{running.table.pk}"
    refused = dealer.put(f"{table}/seats/7", {"player_id": firm.pk})
    assert (refused.status, refused.code) == (409, "badge_expired")
    fields = {"player_id": firm.pk, "reason": "renewal seen"}
    assert dealer.post(f"{table}/expiry-overrides", fields).status == 403
    signed = {**fields, "approver": {"username": "floor", "pin": PIN}}
    made = dealer.post(f"{table}/expiry-overrides", signed)
    assert made.status == 200 and made.said["override"] == ExpiryOverride.objects.get().pk
    assert dealer.put(f"{table}/seats/7", {"player_id": firm.pk}).status == 200
    assert Seating.objects.filter(player=firm, left_at__isnull=True).exists()


def test_the_report_of_exceptions_lists_the_override(running: Cast, firm: Player) -> None:
    running.send(expiry_override, "floor", player_id=firm.pk, reason="renewal seen")
    [row] = rows(drawn(running, "exceptions"), "overrides")
    assert (row["person"], row["number"], row["reason"], row["ordered_by"]) == (
        "Hal of Levee", "TP-12", "renewal seen", "Floor",
    )  # fmt: skip
