"""The calendar shows what was typed and what other records say, overdue ones are found as exceptions, and a file has them all."""

from __future__ import annotations

import datetime

import time_machine
from django.utils import timezone

from cardroom.floor.commands.accounts import licence_set
from cardroom.floor.commands.players import player_provider_set
from cardroom.floor.commands.providers import contract_enter
from cardroom.inbox.kinds import ITEM_KINDS
from cardroom.inbox.models import Item
from cardroom.inbox.search import room_search
from cardroom.obligations.commands.obligations import obligation_change, obligation_done, obligation_waive
from cardroom.obligations.ics import Event, calendar_text
from cardroom.obligations.reads.calendar import CalendarFilter, calendar_of, obligations_due, overdue_before
from cardroom.people.names import named
from cardroom.people.permits import local_day
from tests.cast import Cast
from tests.inbox.test_disputes import claimed

from .test_obligations import TAX, added

DAY = datetime.timedelta(days=1)


def today_of(cast: Cast) -> datetime.date:
    return local_day(cast.room, timezone.now())


def test_what_other_records_say_is_in_the_calendar_without_being_typed(running: Cast) -> None:
    room, today = running.room, today_of(running)
    dispute = claimed(running)
    provider = room.providers.get()
    contract = {"number": "TPP-7", "begins_on": today, "ends_on": today + 20 * DAY}
    running.send_room(contract_enter, "room_manager", provider_id=provider.pk, **contract)
    badge = {"badge_number": "B-4", "badge_expires": today + 30 * DAY, "provider_id": provider.pk}
    running.send_room(player_provider_set, "room_manager", player_id=running.players[4].pk, **badge)
    dealer = running.people["dealer"]
    licence = {"number": "WP-1", "expires": today - 3 * DAY}
    running.send_room(licence_set, "room_manager", staff_id=dealer.pk, **licence)
    found = named(calendar_of(room, today, today + 31 * DAY, today))
    assert [(entry.kind, (entry.due_on - today).days, entry.what) for entry in found] == [
        ("claim", 14, f"To be answered: {named(ITEM_KINDS['dispute'].says(dispute.item.figures))}"),
        ("contract", 20, f"Contract with {provider}: last day"),
        ("permit", 30, "Badge B-4 of Dee: last day"),
    ]
    assert found[-1].key == f"badge {running.players[4].pk}"  # the same by whatever name they go
    [late] = overdue_before(room, today, today)
    assert (late.kind, late.what) == ("permit", "Licence WP-1 of Dealer: last day")
    # Renewed, it has another day at once: the calendar keeps none of its own.
    renewed = {"number": "WP-1", "expires": today + 300 * DAY}
    running.send_room(licence_set, "room_manager", staff_id=dealer.pk, **renewed)
    assert overdue_before(room, today, today) == []


def test_filings_are_dates_and_a_draft_is_to_be_filed(cast: Cast) -> None:
    room, today = cast.room, today_of(cast)
    first = room.feeschedule_versions.order_by("pk").first()
    assert first is not None and first.effective_from is not None
    found = calendar_of(room, first.effective_from, first.effective_from, today)
    assert f"{first}: first day" in [entry.what for entry in found if entry.state == "date"]
    assert not any(entry.is_overdue(today) for entry in found)


def test_a_filter_leaves_kinds_owners_and_states(cast: Cast) -> None:
    room, today = cast.room, today_of(cast)
    compliance = cast.people["compliance"].pk
    late = added(cast, title="Late", owner_id=compliance, due_on=today - DAY, last_day=False)
    added(cast, title="Soon", kind="licence", due_on=today + 30 * DAY, last_day=False)
    added(cast, title="Later", kind="licence", due_on=today + 31 * DAY, last_day=False)

    def titles(chosen: CalendarFilter) -> list[str]:
        every = calendar_of(room, today - 40 * DAY, today + 40 * DAY, today, chosen)
        return [entry.what for entry in every if entry.obligation is not None]

    assert titles(CalendarFilter()) == ["Late", "Soon", "Later"]
    assert titles(CalendarFilter(kind="licence")) == ["Soon", "Later"]
    assert titles(CalendarFilter(owner=compliance)) == ["Late"]
    assert titles(CalendarFilter(unowned=True)) == ["Soon", "Later"]
    assert titles(CalendarFilter(state="overdue")) == ["Late"]
    assert [each.title for each in obligations_due(room, today)] == ["Late", "Soon"]
    cast.send_room(
        obligation_done,
        "room_manager",
        obligation_id=late.pk,
        reference="receipt",
        approver=cast.people["compliance"],
    )
    assert titles(CalendarFilter(state="done")) == ["Late"]


def searched(cast: Cast) -> list[Item]:
    room_search(cast.room.pk, timezone.now())
    return list(Item.objects.filter(room=cast.room, kind="obligation").order_by("pk"))


def test_one_that_was_not_done_by_its_day_is_an_exception_once(cast: Cast) -> None:
    compliance, today = cast.people["compliance"], today_of(cast)
    tax = added(cast, due_on=today, last_day=False, owner_id=compliance.pk)
    assert searched(cast) == []
    with time_machine.travel(timezone.now() + DAY):
        [item] = searched(cast)
        assert searched(cast) == [item]
        assert (item.gaming_day, item.evidence) == (today, {"obligation": tax.pk})
        assert [each.staff for each in item.people.all()] == [compliance]
        said = ITEM_KINDS["obligation"].says(item.figures)
        assert said.startswith("“City statement of gross revenue” was due on ")
        # Done late, it was late all the same; moved to another day, or not applicable, it was not.
        waive = {"obligation_id": tax.pk, "reason": "sent by the owner"}
        cast.send_room(obligation_waive, "compliance", **waive)
        [item] = searched(cast)
        assert item.gone_at is not None


def test_what_was_done_late_between_two_searches_is_found_too(cast: Cast) -> None:
    today = today_of(cast)
    searched(cast)
    tax = added(cast, due_on=today - DAY, last_day=False)
    done = {"obligation_id": tax.pk, "reference": "receipt", "approver": cast.people["compliance"]}
    cast.send_room(obligation_done, "room_manager", **done)
    [item] = searched(cast)
    assert (item.gone_at, item.evidence) == (None, {"obligation": tax.pk})


def test_a_day_that_was_moved_is_late_no_longer(cast: Cast) -> None:
    today = today_of(cast)
    tax = added(cast, due_on=today - DAY, last_day=False)
    searched(cast)
    moved = {**TAX, "due_on": today + DAY, "last_day": False, "obligation_id": tax.pk}
    cast.send_room(obligation_change, "compliance", **moved)
    [item] = searched(cast)
    assert item.gone_at is not None


def test_a_file_for_other_calendars_is_written_as_rfc_5545_says() -> None:
    event = Event(
        uid="obligation-4@tule-slough.example",
        day=datetime.date(2026, 12, 31),
        summary="Annual fee; tables, 12 of them",
        description="B&P Code 19951\nOwner: José",
        category="Table fee",
        url="https://example.com/rooms/tule-slough/obligations/4/",
        remind_days=14,
    )
    stamp = datetime.datetime(2026, 11, 26, 8, 30, tzinfo=datetime.timezone(-8 * datetime.timedelta(hours=1)))
    assert calendar_text("Tule Slough", [event], stamp).split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Cardroom//Obligations//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "X-WR-CALNAME:Tule Slough",
        "BEGIN:VEVENT",
        "UID:obligation-4@tule-slough.example",
        "DTSTAMP:20261126T163000Z",
        "DTSTART;VALUE=DATE:20261231",
        "DTEND;VALUE=DATE:20270101",
        "SUMMARY:Annual fee\\; tables\\, 12 of them",
        "DESCRIPTION:B&P Code 19951\\nOwner: José",
        "CATEGORIES:Table fee",
        "URL:https://example.com/rooms/tule-slough/obligations/4/",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "DESCRIPTION:Annual fee\\; tables\\, 12 of them",
        "TRIGGER:-P14D",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_a_long_line_of_the_file_is_folded_between_letters() -> None:
    summary = "Statement of gross revenue to the city, ñ" * 6
    text = calendar_text(
        "Room", [Event(uid="1", day=datetime.date(2026, 1, 2), summary=summary)], timezone.now()
    )
    lines = text.split("\r\n")
    assert all(len(line.encode()) <= 75 for line in lines)
    unfolded = text.replace("\r\n ", "")
    assert "SUMMARY:" + summary.replace(",", "\\,") in unfolded.split("\r\n")
