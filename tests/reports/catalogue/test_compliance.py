"""What was collected, taken back, let go, not covered and changed: figures to the cent, people and reasons by name."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.db import connection
from django.db.models import Sum
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardroom.documents.document import Kind
from cardroom.documents.formatting import cell_text, formatted
from cardroom.filings import services
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.decks import deck_place, deck_retire
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Deck, Round, Shift, Table
from cardroom.inbox.models import Item
from cardroom.inbox.reads.items import item_address
from cardroom.inbox.search import room_search
from cardroom.people.models import Employment, Role
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.hours import all_hours, hour_name, hours_of
from cardroom.reports.shift.making import shift_report_make
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from cardroom.tips.commands.rules import pool_rule_set
from tests.cast import Cast
from tests.fees.documents import OPTION_1, player, with_lines
from tests.filing import schedule_draft, table_settings
from tests.floor.test_corrections import as_recorded

from ..commands import as_superuser
from ..played_shift import FORMULA, answers, drawn, named, played_cast, rows
from .test_fee_audit import corrected


@pytest.fixture
def cast(db: None) -> Cast:
    return played_cast()


def test_collection_is_what_the_shift_report_expects_in_the_drop(cast: Cast) -> None:
    shift = Shift.objects.get()
    document = drawn(cast, "collection")
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    total = shift_report_make(shift.pk).typed_figures["total"]
    (table,) = rows(document, "tables")
    for mine, its in (
        ("rounds", "rounds_settled"),
        ("total_table_action_cents", "total_table_action_cents"),
        ("player_fees_cents", "player_fees_cents"),
        ("bank_fees_cents", "bank_fees_cents"),
        ("given_back_cents", "fees_refunded_cents"),
        ("drop_cents", "drop_expected_cents"),
    ):
        assert table[mine] == total[its], mine  # type: ignore[literal-required]
    assert answers(document)["drop_cents"] == total["drop_expected_cents"] > 0
    assert answers(document)["difference_cents"] == 0


def test_each_way_of_parting_the_collection_comes_to_the_same(cast: Cast) -> None:
    document = drawn(cast, "collection")
    sums = [grid.totals for grid in document.grids]
    assert [total["drop_cents"] for total in sums if total] == [answers(document)["drop_cents"]] * 5
    bands = {(row["schedule"], row["band"]): row["rounds"] for row in rows(document, "schedules")}
    # Rounds 1 and 5 have less than $101 of action; the second has $125.50.
    assert bands == {("1, version 1", "$101+"): 1, ("1, version 1", "$5 - $100"): 2}
    assert sum(document.charts[0].values) == answers(document)["drop_cents"]


def test_a_transfer_without_its_round_shows_as_a_difference(cast: Cast) -> None:
    with as_superuser():
        Round.objects.filter(number=5).update(bank_fee_cents=600)
    document = drawn(cast, "collection")
    assert answers(document)["difference_cents"] == 500
    assert document.answers[-1].mark == "stop"


def test_a_correction_in_a_later_shift_counts_there_as_what_it_changes(cast: Cast) -> None:
    first = Shift.objects.get()
    before = answers(drawn(cast, "collection", shift=first.pk))["drop_cents"]
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=first.pk)
    cast.send_room(shift_open, "shift_manager", name="Late")
    corrected(cast, Round.objects.get(number=5), 10000, "as_due")
    assert answers(drawn(cast, "collection", shift=first.pk))["drop_cents"] == before
    late = drawn(cast, "collection", shift=Shift.objects.latest("pk").pk)
    # $3.50 of action at $10 and $25 becomes $125: the bank's fee goes up by a band.
    assert answers(late) == {"drop_cents": 100, "jackpot_cents": 0, "rounds": 0, "difference_cents": 0}
    both = drawn(cast, "collection")
    assert answers(both)["drop_cents"] == before + 100
    assert [row["drop_cents"] for row in rows(both, "shifts")] == [before, 100]


@pytest.mark.postgresql
def test_a_figure_of_the_collection_opens_the_rounds_that_make_it(cast: Cast) -> None:
    document = drawn(cast, "collection")
    cast_client = Client()
    cast_client.force_login(cast.people["compliance"])
    opened = 0
    for grid in document.grids:
        for row in grid.rows:
            if "drop_cents" not in row.links:
                continue
            address = row.links["drop_cents"].replace("/?", ".json?")
            listed = cast_client.get(address).json()
            assert listed["answers"]["drop_cents"] == row.values["drop_cents"], address
            opened += 1
    assert opened >= 4


def test_voids_waivers_and_corrections_name_the_people_and_their_reasons(cast: Cast) -> None:
    document = drawn(cast, "exceptions")
    assert answers(document) == {
        "voids_before_deal": 1,
        "voids_after_deal": 1,
        "refunded_cents": 600,
        "waivers": 0,
        "corrections": 1,
        "without_box": 0,
        "settled_though_void": 0,
        "rotation": 0,
        "off_file": 0,
        "overrides": 0,
    }
    assert rows(document, "rotation") == []
    assert rows(document, "overrides") == []
    voids = rows(document, "voids")
    assert [(void["when"], void["reason"]) for void in voids] == [
        ("before the deal", "@misdealt"), ("after the deal", "@misdealt"),
    ]  # fmt: skip
    assert {(void["voided_by"], void["approved_by"]) for void in voids} == {("Dealer", "Shift manager")}
    assert (
        [void["fees_cents"] for void in voids] == [void["given_back_cents"] for void in voids] == [300, 300]
    )
    (correction,) = rows(document, "corrections")
    assert (correction["reason"], correction["corrected_by"], correction["approved_by"]) == (
        "+misread", "Dealer", "Floor",
    )  # fmt: skip
    assert correction["drop_cents"] == 0


def test_what_a_report_lists_leads_to_its_item_in_the_inbox(cast: Cast) -> None:
    def links() -> list[str]:
        grid = drawn(cast, "exceptions").grid("voids")
        assert grid is not None
        return [row.links.get("reason", "") for row in grid.rows]

    assert links() == ["", ""], "nobody has searched"
    room_search(cast.room.pk, timezone.now())
    found = {item_address(item) for item in Item.objects.filter(kind="void").select_related("room")}
    assert len(found) == 2
    assert set(links()) == found


def test_an_exhausted_bank_is_told_with_every_wager_that_it_did_not_cover(cast: Cast) -> None:
    document = drawn(cast, "coverage")
    round_ = Round.objects.get(number=2)
    assert answers(document)["exhausted"] == 1
    assert answers(document)["uncovered_cents"] == round_.uncovered_cents > 0
    (bank,) = rows(document, "banks")
    assert (bank["bank"], bank["bank_wager_cents"], bank["paid_cents"]) == ("Cy", 3000, round_.paid_cents)
    wagers = rows(document, "wagers")
    assert {wager["player"] for wager in wagers} >= {FORMULA}
    lines = round_.settlement["lines"]
    assert sum(wager["short_cents"] for wager in wagers) == sum(line["short"] for line in lines)
    assert all(wager["uncovered_cents"] or wager["short_cents"] for wager in wagers)


def test_a_round_that_was_corrected_is_no_exhausted_bank_any_more(cast: Cast) -> None:
    record = as_recorded(Round.objects.get(number=2)) | {"bank_wager_cents": 100000}
    cast.send(round_correct, "dealer", **record, reason="another wager", approver=cast.people["floor"])
    assert answers(drawn(cast, "coverage"))["exhausted"] == 0


def test_the_access_list_says_who_holds_which_role_since_when(cast: Cast) -> None:
    document = drawn(cast, "access")
    listed = {(row["user_name"], row["role"]) for row in rows(document, "people")}
    assert ("compliance", "Compliance") in listed and ("floor_2", "Floor") in listed
    assert not any(name.startswith("rival") or name == "outsider" for name, _ in listed)
    since = [row["since_at"] for row in rows(document, "people")]
    assert all(isinstance(at, datetime.datetime) and at <= timezone.now() for at in since)


def test_a_role_taken_away_and_an_account_made_inactive_are_changes(cast: Cast) -> None:
    dealer = cast.people["dealer_2"]
    dealer.is_active = False
    dealer.save()
    Employment.objects.get(staff=cast.people["floor_2"], role=Role.FLOOR).delete()
    document = drawn(cast, "access")
    changes = [
        (row["who"], row["what"], row["element"], row["before"], row["after"])
        for row in rows(document, "changes")
    ]
    assert ("Dealer 2", "changed", "active", "yes", "no") in changes
    assert ("Floor 2, floor", "removed", "", "", "") in changes
    assert answers(document)["inactive"] == 1


def test_a_licence_that_is_not_there_is_none_and_not_pending(cast: Cast) -> None:
    document = drawn(cast, "access")
    [floor] = [row for row in rows(document, "people") if row["user_name"] == "floor_2"]
    assert floor["licence_expires"] is None
    assert formatted(floor["licence_expires"], Kind.DAY, document.zone) == "none"
    grid = document.grid("people")
    assert grid is not None
    [row] = [row for row in grid.rows if row.values == floor]
    [signed_in] = [column for column in grid.columns if column.name == "signed_in_at"]
    assert (floor["signed_in_at"], cell_text(row, signed_in, document.zone)) == (None, "never")


def test_an_expired_licence_is_marked(cast: Cast) -> None:
    dealer = cast.people["dealer"]
    dealer.licence_expires = datetime.date(2020, 1, 1)
    dealer.save()
    document = drawn(cast, "access")
    assert answers(document)["expired"] == 1 and document.answers[2].mark == "look"


def test_a_change_of_a_setting_says_what_it_was_and_who_made_it(cast: Cast) -> None:
    room = Room.objects.get(pk=cast.room.pk)
    room.variance_threshold_cents, room.idle_minutes = 2500, 20
    room._history_user = cast.people["room_manager"]
    room.save()
    changes = {
        row["element"]: row for row in rows(drawn(cast, "settings", options={"kind": "room"}), "changes")
    }
    threshold = changes["variance threshold cents"]
    assert (threshold["before"], threshold["after"], threshold["by"]) == ("$0", "$25", "Room manager")
    assert (changes["idle minutes"]["before"], changes["idle minutes"]["after"]) == ("15", "20")


def test_setting_a_table_is_a_change_with_the_schedule_by_name(cast: Cast) -> None:
    cast.send(
        table_set,
        "floor_2",
        cast.second_table,
        **table_settings(cast.room, rulebook="california", options={}, schedule_id=cast.schedule(2).pk),
    )
    found = rows(drawn(cast, "settings", options={"kind": "table"}), "changes")
    of_eight = [row for row in found if (row["row"], row["element"]) == ("8", "schedule")]
    assert [(row["before"], row["after"]) for row in of_eight] == [("", str(cast.schedule(2)))]
    assert {row["by"] for row in of_eight} == {"Floor 2"}


def test_a_change_of_a_schedules_draft_is_told_fee_by_fee_and_a_draft_that_went_too(cast: Cast) -> None:
    by = cast.people["compliance"]
    draft = schedule_draft(room=cast.room, number=1, document=OPTION_1, by=by)
    dearer = with_lines(player(150), *OPTION_1["lines"][1:])
    services.edit(draft, by=by, document=dearer, title=draft.title)
    services.discard(draft, by=by)
    found = rows(drawn(cast, "settings", options={"kind": "fee schedule"}), "changes")
    changes = [
        (row["row"], row["what"], row["element"], row["before"], row["after"], row["by"]) for row in found
    ]
    which = f"{draft.title}, version 2"
    added, fee, source, removed = [each[1:] for each in changes if each[0] == which]
    assert added == ("added", "", "", "", "Compliance")
    assert fee == ("changed", "player fee per main wager", "$1", "$1.50", "Compliance")
    assert source[1] == "player fee per main wager, source"
    assert removed == ("removed", "", "", "", "Compliance")


def test_a_rule_for_tips_is_a_change_against_the_rule_before_it(cast: Cast) -> None:
    today = gaming_day(cast.room, timezone.now())
    rule = {"title": "House pool", "sharing": "hours", "support": "none", "effective_from": today}
    cast.send_room(pool_rule_set, "room_manager", **rule)
    (change,) = rows(drawn(cast, "settings", options={"kind": "rule for tips"}), "changes")
    assert change["before"] == "The room has no rule: every dealer keeps their own tips."
    assert (change["after"], change["by"]) == ("Dealers pool their tips by hours worked.", "Room manager")


@pytest.mark.postgresql
def test_a_deck_is_added_as_it_comes_to_a_table_and_removed_as_it_is_retired(cast: Cast) -> None:
    cast.send(deck_place, "floor", cast.second_table, colour="red")
    deck = Deck.objects.get(table=cast.second_table)
    cast.send(deck_retire, "floor_2", cast.second_table, deck_id=deck.pk, reason="a card is bent")
    found = rows(drawn(cast, "settings", options={"kind": "deck"}), "changes")
    of_eight = [row for row in found if row["row"] == "red deck, table 8"]
    assert [(row["what"], row["by"], row["reason"]) for row in of_eight] == [
        ("added", "Floor", ""),
        ("removed", "Floor 2", "a card is bent"),
    ]


def test_another_rooms_changes_are_not_told(cast: Cast) -> None:
    cast.rival.idle_minutes = 31_337
    cast.rival.save()
    cast.people["rival_dealer"].badge = "R-9"
    cast.people["rival_dealer"].save()
    found = rows(drawn(cast, "settings"), "changes")
    assert not any("31337" in row["after"] or "R-9" in row["after"] for row in found)


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_asks_no_more_questions_for_more_rounds(cast: Cast, name: str) -> None:
    drawn(cast, name)  # what is read once and kept
    with CaptureQueriesContext(connection) as before:
        drawn(cast, name)
    for antes in ({1: 1000, 5: 2500}, {1: 2000, 5: 1000, 6: 500}):
        for _ in range(2):
            if (turn := cast.state().turn) is None or cast.state().step.kind == "offer":
                cast.bank_to(7 if turn is None or turn.seat != 7 else 2)
            bank = cast.state().turn
            assert bank is not None
            cast.send(round_record, "dealer", sheet=named(cast, antes, bank=bank.seat))
    with CaptureQueriesContext(connection) as after:
        drawn(cast, name)
    assert len(after) <= len(before) + 2, [query["sql"][:120] for query in after]


def test_hours_follow_the_rooms_clock_through_both_changes(db: None) -> None:
    room = Room(time_zone="America/Los_Angeles", gaming_day_starts=datetime.time(6))
    spring, autumn = datetime.date(2026, 3, 7), datetime.date(2026, 10, 31)
    assert len(hours_of(room, spring, spring)) == 23 and "2 AM" not in hours_of(room, spring, spring)
    assert len(hours_of(room, autumn, autumn)) == 25
    assert hours_of(room, autumn, autumn)[18:22] == ["12 AM", "1 AM", "1 AM again", "2 AM"]
    first = datetime.datetime(2026, 11, 1, 8, 30, tzinfo=datetime.UTC)
    assert hour_name(room, first) == "1 AM"
    assert hour_name(room, first + datetime.timedelta(hours=1)) == "1 AM again"
    assert hours_of(room, spring, autumn)[0] == "6 AM" and len(all_hours(room)) == 25


@pytest.mark.postgresql
def test_a_round_in_the_hour_that_comes_twice_stands_in_the_right_one(db: None) -> None:
    cast = Cast()
    with time_machine.travel(datetime.datetime(2026, 11, 1, 7, 30, tzinfo=datetime.UTC), tick=False) as clock:
        cast.open()
        cast.bank_to(3)
        for _ in range(2):
            clock.shift(datetime.timedelta(hours=1))
            cast.send(round_record, "dealer", sheet=named(cast, {1: 1000}))
        document = drawn(cast, "collection")
        hours = {row["hour"]: row["rounds"] for row in rows(document, "hours")}
    assert (hours["1 AM"], hours["1 AM again"], sum(hours.values())) == (1, 1, 2)
    assert Round.objects.aggregate(sum=Sum("player_fees_cents"))["sum"] == 200
    assert Table.objects.get(pk=cast.table.pk).state == "open"
