"""A provider's statement: what its players banked, won, lost and paid, two ways to the cent, and nothing of others."""

from __future__ import annotations

import dataclasses
import datetime
import io
from collections.abc import Iterator
from typing import Any

import openpyxl
import pytest
import time_machine
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from cardroom.documents.document import Mark, ReportDocument
from cardroom.documents.export import csv_of, data_of, xlsx_of
from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.rounds import round_void
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.models import Round, Shift, Transfer
from cardroom.people.models import Player, Provider
from cardroom.people.names import named
from cardroom.reports.background.limits import rounds_asked
from cardroom.reports.providers.statement import MOST_DAYS_OF_TURNS, statement_report
from cardroom.reports.queries.parser import report_query_of
from tests.cast import JACK_HIGH, Cast
from tests.floor.test_by_eye import finish, set_recording
from tests.floor.test_corrections import ANTES, as_recorded, correct

from ..commands import as_superuser

EVENING = datetime.datetime(2026, 11, 20, 18, 0, tzinfo=datetime.UTC)
NOW = EVENING + datetime.timedelta(days=1, minutes=10)
FIRST, LAST = datetime.date(2026, 11, 20), datetime.date(2026, 11, 21)


@pytest.fixture(scope="module")
def two_days(django_db_setup: None, django_db_blocker: Any) -> Iterator[Cast]:
    """Cy (3), Levee's, banks a round (takes $20, pays $40), one that is void, and one by eye; Gus (7), Delta's, one.

    The next day Cy's round is corrected: the bank took nothing and paid $70. All is played once for these tests.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        with time_machine.travel(EVENING, tick=False) as clock:
            cast = Cast()
            for seat, name in ((3, "Levee Players"), (7, "Delta Players")):
                cast.players[seat].provider = Provider.objects.create(room=cast.room, name=name)
                cast.players[seat].save()
            cast.open()
            cast.bank_to(3)
            clock.shift(datetime.timedelta(minutes=1))
            misread = Round.objects.get(pk=cast.play(ANTES, hands={4: JACK_HIGH})["round"])
            cast.deal({6: 500})
            cast.send(round_void, reason="device failure", approver=cast.people["shift_manager"])
            set_recording(cast, "fees")
            finish(cast, {6: 500})
            set_recording(cast, "cards")
            while (step := cast.state().step).seat != 7:
                cast.send(offer_answer, seat=step.seat, answer="declined")
            cast.send(offer_answer, seat=7, answer="accepted")
            cast.play({5: 1500}, wager=10000)
            clock.move_to(EVENING + datetime.timedelta(days=1))
            cast.send_room(shift_close, confirmed=True, shift_id=Shift.objects.get(room=cast.room).pk)
            cast.send_room(shift_open, name="Day")
            record = as_recorded(misread)
            record["positions"][0] |= {"hand": "Js Jh 5c", "wagers": {"ante": 1500}}
            correct(cast, record)
        yield cast
        transaction.set_rollback(True)


@pytest.fixture
def played(two_days: Cast, db: None) -> Iterator[Cast]:
    """The two days, as they are looked at on the second."""
    with time_machine.travel(NOW, tick=False):
        yield two_days


def document(
    cast: Cast,
    firm: str = "Levee Players",
    first: datetime.date = FIRST,
    last: datetime.date = LAST,
    **more: Any,
) -> ReportDocument:
    report = statement_report(Provider.objects.get(name=firm))
    staff = cast.people["shift_manager"]
    return named(
        report.make(report_query_of(report, cast.room, staff, timezone.now(), first=first, last=last, **more))
    )


def answers(made: ReportDocument) -> dict[str, Any]:
    return {each.name: each.value for each in made.answers}


def rows(made: ReportDocument, name: str) -> list[dict[str, Any]]:
    grid = made.grid(name)
    assert grid is not None
    return [dict(row.values) for row in grid.rows]


def test_a_day_is_what_was_recorded_on_it_and_a_correction_counts_as_what_it_changes(played: Cast) -> None:
    first = answers(document(played, last=FIRST))
    assert (first["won_cents"], first["lost_cents"], first["net_cents"]) == (2000, 4000, -2000)
    assert (first["rounds"], first["by_eye"], first["turns"]) == (2, 1, 1)
    # $200 put up in the round that was settled by its cards and in the one by eye; the void round put up nothing.
    assert first["wagers_cents"] == 40000
    # A dollar each for the two rounds; the third was given back with its round.
    assert (first["fees_cents"], first["after_fees_cents"]) == (200, -2200)
    second = answers(document(played, first=LAST))
    assert (second["won_cents"], second["lost_cents"], second["net_cents"]) == (-2000, 3000, -5000)
    assert (second["rounds"], second["turns"], second["wagers_cents"], second["fees_cents"]) == (0, 0, 0, 0)
    both = answers(document(played))
    assert (both["won_cents"], both["lost_cents"], both["net_cents"]) == (0, 7000, -7000)


@pytest.mark.postgresql
def test_it_ties_to_the_transfers_and_to_the_rounds_to_the_cent(played: Cast) -> None:
    made = answers(document(played))
    bank = Transfer.objects.filter(round__bank_player__name="Cy")
    came = bank.filter(target="bank").aggregate(cents=Sum("cents"))["cents"]
    went = bank.filter(source="bank").aggregate(cents=Sum("cents"))["cents"]
    assert came - went == made["after_fees_cents"] == -7200
    current = Round.objects.filter(bank_player__name="Cy", correction__isnull=True, state="settled")
    sums = current.aggregate(won=Sum("taken_cents"), lost=Sum("paid_cents"))
    assert (sums["won"], sums["lost"]) == (made["won_cents"], made["lost_cents"])
    assert made["difference_cents"] == 0


def test_a_round_that_was_changed_past_the_site_shows_as_a_difference(played: Cast) -> None:
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET taken_cents = taken_cents + 1 WHERE revision = 1")
    made = document(played)
    assert answers(made)["difference_cents"] == 1
    assert made.answers[-1].mark is Mark.STOP
    assert answers(document(played, last=FIRST))["difference_cents"] == 0


def test_every_table_of_it_adds_up_to_the_same(played: Cast) -> None:
    made = document(played)
    found = answers(made)
    for name in ("days", "tables", "people", "turns"):
        totals = made.grid(name).totals
        for figure in ("won_cents", "lost_cents", "net_cents", "wagers_cents", "rounds"):
            assert totals[figure] == found[figure], (name, figure)
    assert [row["player"] for row in rows(made, "people")] == ["Cy"]
    assert [str(row["gaming_day"]) for row in rows(made, "days")] == ["2026-11-20", "2026-11-21"]
    [correction] = rows(made, "corrections")
    assert (correction["won_cents"], correction["lost_cents"]) == (-2000, 3000)
    assert correction["reason"] == "seat 4's cards misread"


def test_another_firms_rounds_are_in_its_own_statement_alone(played: Cast) -> None:
    made = document(played, "Delta Players")
    assert (answers(made)["rounds"], answers(made)["wagers_cents"]) == (1, 10000)
    assert [row["player"] for row in rows(made, "people")] == ["Gus"]
    words = str(data_of(document(played)))
    assert "Gus" not in words and "Delta" not in words


@pytest.mark.postgresql
def test_what_a_player_banked_before_changing_the_firm_stays_with_the_old_one(played: Cast) -> None:
    before = answers(document(played))
    cy = Player.objects.get(name="Cy")
    cy.provider = Provider.objects.get(name="Delta Players")
    cy.save()
    assert answers(document(played)) == before
    assert answers(document(played, "Delta Players"))["rounds"] == 1


def test_time_that_a_player_pays_for_at_the_seat_is_a_fee_of_the_firm(played: Cast) -> None:
    shift = Shift.objects.earliest("id")
    Transfer.objects.create(
        room=played.room,
        table=played.table,
        shift=shift,
        round=Round.objects.filter(revision=0).first(),
        kind=Transfer.Kind.FEE,
        source="seat",
        target="drop",
        seat=3,
        player=played.players[3],
        cents=550,
        made_at=EVENING,
    )
    made = document(played)
    assert (answers(made)["fees_cents"], answers(made)["after_fees_cents"]) == (750, -7750)
    assert made.grid("days").totals["seat_fees_cents"] == 550


@pytest.mark.postgresql
def test_a_table_or_a_shift_can_be_asked_alone(played: Cast) -> None:
    assert answers(document(played, table=played.second_table.number))["rounds"] == 0
    shift = Shift.objects.order_by("id").last()
    assert answers(document(played, shift=shift.pk))["net_cents"] == -5000


def test_a_long_time_is_told_without_its_turns(played: Cast) -> None:
    made = document(played, first=LAST - datetime.timedelta(days=MOST_DAYS_OF_TURNS))
    assert made.grid("turns") is None and "Turn by turn" in made.notes[-1]
    assert answers(made)["net_cents"] == -7000


def test_it_says_that_it_is_no_playing_book(played: Cast) -> None:
    assert "not the provider's playing book (4 CCR 12260)" in document(played).notes[0]


def test_csv_and_xlsx_hold_the_same_cents(played: Cast) -> None:
    made = document(played)
    lines = csv_of(made.grids[0]).splitlines()
    heads, total = lines[0].split(","), lines[-1].split(",")
    assert total[heads.index("net_dollars")] == "-70.00"
    assert total[heads.index("after_fees_dollars")] == "-72.00"
    book = openpyxl.load_workbook(io.BytesIO(xlsx_of(made)))
    sheet = book["By gaming day"]
    column = [cell.value for cell in sheet[1]].index("Net") + 1
    assert round(sheet.cell(sheet.max_row, column).value * 100) == -7000


def test_it_takes_as_many_queries_for_many_rounds_as_for_one(
    played: Cast, django_assert_num_queries: Any
) -> None:
    report = statement_report(Provider.objects.get(name="Levee Players"))
    asked = report_query_of(
        report, played.room, played.people["shift_manager"], timezone.now(), first=FIRST, last=LAST
    )
    # Shifts; players and their changes; rounds, transfers of the bank and of seats, turns; roles; three by turn; sessions
    # (players and their changes, providers, stays, counts); corrections.
    with django_assert_num_queries(17):
        report.make(asked)


def test_a_long_time_is_added_up_in_parts_and_comes_to_the_same(played: Cast) -> None:
    whole, heard = document(played), list[int]()
    report = statement_report(Provider.objects.get(name="Levee Players"))
    month = FIRST - datetime.timedelta(days=20)
    asked = report_query_of(
        report, played.room, played.people["shift_manager"], timezone.now(), first=month, last=LAST
    )
    made = named(report.make(dataclasses.replace(asked, on_progress=heard.append)))
    assert answers(made) == answers(whole)
    for grid in ("days", "tables", "people", "corrections"):
        assert rows(made, grid) == rows(whole, grid)
    assert len(heard) == 4 and sum(heard) == rounds_asked(asked)
