"""Reports of the rotation: figures day by day, exceptions, time at the bank, and the same facts under another rule."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from cardroom.documents.document import Mark, ReportDocument, Row
from cardroom.floor.commands.bank import offer_answer, turn_end, turn_renew
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.undo import undo
from cardroom.floor.errors import BadInput
from cardroom.floor.models import Seating, Shift, Table
from cardroom.floor.reads.rotation import day_period, table_rotation
from cardroom.floor.reads.rotation_days import day_stretches, room_days, tables_days
from cardroom.people.firms import Firms
from cardroom.people.models import Player, Provider
from cardroom.people.names import named
from cardroom.people.rights import RIGHTS
from cardroom.reports.background.limits import rounds_asked
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from cardroom.reports.queries.query import ReportQuery
from tests.cast import Cast

EVENING = datetime.datetime(2026, 11, 20, 18, 0, tzinfo=datetime.UTC)


FIRST, LAST = datetime.date(2026, 11, 20), datetime.date(2026, 11, 21)
#: When the reports are drawn: on the second day, once its one round has been played.
NOW = EVENING + datetime.timedelta(days=1, minutes=10)


@pytest.fixture(scope="module")
def two_days(django_db_setup: None, django_db_blocker: Any) -> Iterator[Cast]:
    """Two gaming days: Cy (3), a provider's, banks twice two rounds on the first; Eve (5) a round on the second.

    They are played once for all these tests, which each leave them as they were.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        with time_machine.travel(EVENING, tick=False) as clock:
            cast = Cast()
            cast.players[3].provider = Provider.objects.create(room=cast.room, name="Levee Players")
            cast.players[3].save()
            cast.open(seats=(1, 3, 5))
            cast.bank_to(3)
            rounds(cast, clock, 2)
            cast.send(offer_answer, seat=5, answer="declined")
            cast.send(undo)
            decline(cast)
            cast.send(turn_renew)
            rounds(cast, clock, 2)
            cast.send(turn_end)
            clock.move_to(EVENING + datetime.timedelta(days=1))
            cast.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get(room=cast.room).pk)
            cast.send_room(shift_open, name="Day")
            cast.bank_to(5)
            rounds(cast, clock, 1)
        yield cast
        transaction.set_rollback(True)


@pytest.fixture
def played(two_days: Cast, db: None) -> Iterator[Cast]:
    """The two days, as they are looked at on the second."""
    with time_machine.travel(NOW, tick=False):
        yield two_days


def rounds(cast: Cast, clock: Any, count: int) -> None:
    """Rounds of a minute each, and a minute between them."""
    for _ in range(count):
        cast.deal({1: 1000})
        clock.shift(datetime.timedelta(minutes=1))
        cast.settle({1: 1000})
        clock.shift(datetime.timedelta(minutes=1))


def decline(cast: Cast) -> None:
    while (step := cast.state().step).kind == "offer":
        cast.send(offer_answer, seat=step.seat, answer="declined")


def asked(cast: Cast, name: str, **more: Any) -> ReportQuery:
    days = {"first": FIRST, "last": LAST}
    staff = cast.people["compliance"]  # type: ignore[index]
    return report_query_of(REPORTS[name], cast.room, staff, timezone.now(), **{**days, **more})


def document(cast: Cast, name: str, **more: Any) -> ReportDocument:
    return named(REPORTS[name].make(asked(cast, name, **more)))


def answer(made: ReportDocument, name: str) -> Any:
    [found] = [each for each in made.answers if each.name == name]
    return found.value


def rows(made: ReportDocument, name: str) -> list[Row]:
    grid = made.grid(name)
    assert grid is not None
    return list(grid.rows)


class TestTheRotation:
    def test_turns_offers_and_rounds_stand_on_their_day_and_add_up(self, played: Cast) -> None:
        made = document(played, "rotation")
        by_day = {
            (str(row.values["gaming_day"]), row.values["table"]): row.values for row in rows(made, "days")
        }
        first, second = by_day["2026-11-20", 7], by_day["2026-11-21", 7]
        assert (first["turns"], first["renewed"], first["rounds"], first["withdrawn"]) == (2, 1, 4, 1)
        assert (second["turns"], second["rounds"], second["accepted"]) == (1, 1, 1)
        table, _ = rows(made, "tables")
        assert (table.values["turns"], table.values["rounds"], table.values["banks"]) == (3, 5, 2)
        assert answer(made, "exceptions") == 0 and made.answers[0].mark is Mark.DONE
        assert [row.values["profile"] for row in rows(made, "rules")] == [
            "Two rounds, then an offer clockwise"
        ]
        link = next(row.links["gaming_day"] for row in rows(made, "days"))
        assert link == f"/tables/{played.table.pk}/rotation/?day=2026-11-20"

    def test_a_days_figures_are_those_of_the_rotations_own_page(self, played: Cast) -> None:
        days = day_stretches(played.room, datetime.date(2026, 11, 19), datetime.date(2026, 11, 21))
        [of_table] = room_days(played.room, played.table, days)
        for day in of_table.days:
            page = table_rotation(played.table, day_period(played.room, day.stretch.day))
            assert dataclasses.asdict(day.figures) == dataclasses.asdict(page.figures)
            assert day.exceptions == page.exceptions

    def test_an_exception_is_told_with_rule_and_clause_and_counted_on_its_day(self, played: Cast) -> None:
        Seating.objects.create(
            room=played.room, table=played.table, seat=6, player=played.players[6], seated_at=NOW
        )
        Player.objects.filter(pk=played.players[6].pk).update(
            provider=Provider.objects.get(name="Levee Players")
        )
        made = document(played, "rotation")
        [found] = rows(made, "exceptions")
        assert found.values["text"] == "Fay sat down at seat 6, and Cy of the same provider sat at seat 3."
        assert (found.values["clause"], found.mark) == ("4 CCR 12270(b)(5)", Mark.STOP)
        assert answer(made, "exceptions") == 1 and made.answers[0].mark is Mark.STOP
        assert [row.values["exceptions"] for row in rows(made, "days")] == [0, 1]

    def test_a_shift_is_one_stretch_and_a_table_can_be_asked_alone(self, played: Cast) -> None:
        shift = Shift.objects.order_by("id").last()
        made = document(played, "rotation", shift=shift.pk, table=7)
        assert made.grid("days") is None and answer(made, "rounds") == 1
        [table] = rows(made, "tables")
        assert f"shift={shift.pk}" in table.links["table"]

    @pytest.mark.postgresql
    def test_it_takes_as_many_queries_for_many_tables_as_for_one_and_for_a_month_as_for_a_day(
        self, played: Cast, django_assert_num_queries: Any
    ) -> None:
        Table.objects.bulk_create(Table(room=played.room, number=number) for number in range(10, 15))
        tables = list(Table.objects.select_related("room").order_by("number"))
        for number, several in ((1, tables[:1]), (1, tables), (31, tables[:1])):
            days = day_stretches(played.room, LAST - datetime.timedelta(days=number - 1), LAST)
            with django_assert_num_queries(7):
                list(tables_days(several, days))
        wanted = asked(played, "rotation", first=datetime.date(2026, 10, 22), table=7)
        with django_assert_num_queries(8):
            REPORTS["rotation"].make(wanted)

    def test_whoever_listens_hears_how_many_rounds_have_been_gone_through(self, played: Cast) -> None:
        for name in ("rotation", "what-if"):
            heard: list[int] = []
            REPORTS[name].make(dataclasses.replace(asked(played, name), on_progress=heard.append))
            assert sum(heard) == rounds_asked(asked(played, name)) == 5


class TestTheTimeAtTheBank:
    def test_seconds_lie_within_the_time_and_shares_are_of_the_time_in_play(self, played: Cast) -> None:
        first_day = {"first": FIRST, "last": FIRST}
        made = document(played, "bank-time", **first_day)
        [levee] = rows(made, "providers")
        assert (levee.values["provider"], levee.values["rounds"], levee.values["turns"]) == (
            "Levee Players",
            4,
            2,
        )
        assert levee.values["bank_seconds"] == 8 * 60
        day_ends = asked(played, "bank-time", **first_day).until
        assert answer(made, "play_seconds") == (day_ends - EVENING).total_seconds()
        made = document(played, "bank-time")
        assert [
            (row.values["provider"], row.values["bank_seconds"], row.values["rounds"])
            for row in rows(made, "providers")
        ] == [("Levee Players", 480, 4), ("none: players of the room", 60, 1)]
        assert [row.values["player"] for row in rows(made, "people")] == ["Cy", "Eve"]
        assert answer(made, "bank_seconds") == 540

    @pytest.mark.postgresql
    def test_a_turn_that_goes_on_counts_up_to_the_last_round(self, played: Cast) -> None:
        today = {"first": LAST, "last": LAST}
        [eve] = rows(document(played, "bank-time", **today), "people")
        assert (eve.values["player"], eve.values["bank_seconds"]) == ("Eve", 60)

    def test_a_player_who_changed_the_provider_counts_for_each(self, played: Cast) -> None:
        other = Provider.objects.create(room=played.room, name="Delta Players")
        cy = Player.objects.get(name="Cy")
        cy.provider = other
        cy.save()
        by_provider = {
            row.values["provider"]: row.values for row in rows(document(played, "bank-time"), "providers")
        }
        assert by_provider["Levee Players"]["rounds"] == 4 and "Delta Players" not in by_provider
        firms = Firms(played.room)
        assert firms.firm_at(cy.pk, EVENING) == Provider.objects.get(name="Levee Players").pk
        assert firms.firm_at(cy.pk, timezone.now()) == other.pk
        assert firms.firm_at(played.players[1].pk, EVENING) is None

    def test_shares_are_rounded_half_up_and_of_nothing_there_is_none(self) -> None:
        from cardroom.reports.catalogue.bank_time import format_share

        assert [format_share(*each) for each in ((1, 3), (2, 3), (1, 2000), (1, 2001), (5, 5), (0, 0))] == [
            *("33.3%", "66.7%", "0.1%", "0.0%", "100.0%", "none")
        ]


class TestWhatIf:
    def test_another_rule_stands_beside_the_one_played_by(self, played: Cast) -> None:
        made = document(played, "what-if", options={"profile": "forty_minutes"})
        assert (answer(made, "breaches"), answer(made, "exceptions")) == (3, 0)
        assert answer(made, "in_force") == "not in force"
        assert "until Thu May 21, 2026. Enjoined on 2026-05-21" in made.grid("tables").text
        table, _ = rows(made, "tables")
        assert (table.values["as_played"], table.values["supposed"], table.values["players"]) == (
            0,
            3,
            "Cy 3",
        )
        by_rule = {row.values["rule"]: row.values["supposed"] for row in rows(made, "rules")}
        assert by_rule == {
            "a turn ends with its rounds, and every seat is offered the bank": 2,
            "somebody else follows a provider's player": 1,
        }
        assert [row.values["clause"] for row in rows(made, "breaches")] == [
            "11 CCR 2076",
            "11 CCR 2077",
            "11 CCR 2076",
        ]

    def test_under_the_rule_played_by_nothing_breaks(self, played: Cast) -> None:
        made = document(played, "what-if", options={"profile": "two_rounds"})
        assert (answer(made, "breaches"), answer(made, "in_force")) == (0, "in force")
        assert rows(made, "breaches") == [] and len(rows(made, "profiles")) == 5

    def test_a_profile_there_is_not_is_refused(self, played: Cast) -> None:
        with pytest.raises(BadInput) as refusal:
            document(played, "what-if", options={"profile": "hourly"})
        assert (refusal.value.code, refusal.value.path) == ("unknown_choice", "profile")


@pytest.mark.postgresql
def test_they_are_for_whoever_sees_reports() -> None:
    for name in ("rotation", "bank-time", "what-if"):
        assert {str(role) for role in RIGHTS[REPORTS[name].right]} == {
            *("compliance", "inspector", "room_manager", "shift_manager", "surveillance")
        }
