"""The rotation on a page, on paper, in a sheet and at the API: the same figures. Who may see them: test_access."""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from cardroom.floor.commands.bank import offer_answer, turn_renew
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.tables import table_set
from cardroom.floor.models import Offer, Shift, Table, Turn
from cardroom.floor.reads.rotation import hours_period, room_rotation, table_rotation
from cardroom.web.rotation.files import rotation_csv, rotation_pdf
from cardroom.web.rotation.timeline import PAGE, TABLES, Row, timeline_of
from tests.cast import Cast, closed_cast, running_cast, sheet
from tests.filing import filed_game, lift_suspensions, table_settings
from tests.kept import kept
from tests.pdf_text import pages_of

from ..conftest import Person

People = Callable[[str], Person]


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """The cast of the folder; for a test of what was played, after that was played."""
    if "played" in request.fixturenames:
        return kept(_played)
    return running_cast() if "running" in request.fixturenames else closed_cast()


@pytest.fixture
def played(cast: Cast) -> Cast:
    """Seat 3 has banked two rounds, everybody declined or was away, and it banks again."""
    return cast


def _played() -> Cast:
    running = running_cast()
    for _ in range(2):
        running.send(round_record, "dealer", sheet=sheet({1: 1000, 5: 2000}))
    for seat, answer in ((4, "declined"), (5, "absent"), (6, "declined"), (7, "declined"), (1, "declined")):
        running.send(offer_answer, "dealer", seat=seat, answer=answer)
    running.send(offer_answer, "dealer", seat=2, answer="ineligible", reason="no proof of age")
    running.send(turn_renew, "dealer")
    running.send(round_record, "dealer", sheet=sheet({1: 1000, 5: 2000}))
    return running


@pytest.fixture
def broken(played: Cast) -> Cast:
    """The same, and an answer that was written past the floor: out of order."""
    played.send(round_record, "dealer", sheet=sheet({1: 1000}))
    turn = Turn.objects.latest("id")
    Offer.objects.create(
        room=played.room,
        table=played.table,
        shift=Shift.objects.get(),
        cycle=turn.cycle + 1,
        after_turn=turn,
        seat=6,
        player=played.players[6],
        answer=Offer.Answer.DECLINED,
        answered_at=timezone.now(),
        recorded_by=played.people["dealer"],
    )
    return played


def shown(text: str) -> dict[str, int]:
    """The figures of the page by name."""
    return {name: int(count) for name, count in re.findall(r"<dt>([^<]+)</dt><dd>(\d+)</dd>", text)}


def rows(content: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content)))


class TestThePageOfATable:
    def test_it_shows_every_offer_and_turn_with_who_recorded_it(self, played: Cast, person: People) -> None:
        page = person("inspector")
        page.open(f"/tables/{played.table.pk}/rotation/")
        assert page.page.status_code == 200
        text = page.text
        assert "⊘ ineligible: no proof of age" in text and "◌ absent" in text
        assert "takes a new turn, as all others declined" in text
        assert "2 rounds settled (1, 2)" in text and "1 round settled (3)" in text
        assert text.count('class="is-offer"') == 9 and text.count('class="is-turn"') == 2
        assert "No exceptions" in text
        assert Table.objects.get(pk=played.table.pk).chain_hash not in text, "the printout alone carries it"

    def test_the_timeline_has_a_bar_a_turn_and_a_mark_an_offer(self, played: Cast, person: People) -> None:
        page = person("inspector")
        page.open(f"/tables/{played.table.pk}/rotation/")
        drawing = page.text.split('<svg class="tl"')[1].split("</svg>")[0]
        assert drawing.count('<g class="tl-bar') == 2
        assert drawing.count('<g class="tl-mark') == 9
        assert drawing.count('<circle class="tl-round settled') == 3
        assert "<title" in drawing and "<desc" in drawing and "style=" not in page.text

    def test_an_exception_is_outlined_and_said_with_its_clause(self, broken: Cast, person: People) -> None:
        page = person("inspector")
        page.open(f"/tables/{broken.table.pk}/rotation/")
        assert "1 exception" in page.text
        assert "The bank was offered to seat 6 when seat 4 was next." in page.text
        assert "(california:type.5)" in page.text
        assert '<g class="tl-mark declined wrong"' in page.text

    @pytest.mark.parametrize(
        ("query", "status"),
        [
            ("?hours=2", 200),
            ("?hours=99", 200),
            ("?day=2026-11-01", 200),
            ("?day=yesterday", 404),
            ("?day=9999-12-31", 404),
            ("?shift=999999", 404),
            ("?page=99", 200),
            ("?page=x&hours=x", 200),
        ],
    )
    def test_the_period_is_picked_in_the_address(
        self, played: Cast, person: People, query: str, status: int
    ) -> None:
        assert person("floor").open(f"/tables/{played.table.pk}/rotation/{query}").status_code == status

    def test_another_rooms_shift_is_none_of_ours(self, played: Cast, person: People) -> None:
        from cardroom.floor.commands.shifts import shift_open

        played.send_room(shift_open, "rival_shift_manager", played.rival, name="Day")
        theirs = Shift.objects.get(room=played.rival).pk
        assert person("floor").open(f"/tables/{played.table.pk}/rotation/?shift={theirs}").status_code == 404

    def test_the_old_address_leads_here(self, played: Cast, person: People) -> None:
        page = person("dealer")
        page.open(f"/tables/{played.table.pk}/turns/")
        assert "Rotation of the bank, Table 7" in page.text

    def test_a_table_where_nobody_banked_says_so(self, cast: Cast, person: People) -> None:
        page = person("inspector")
        page.open(f"/tables/{cast.table.pk}/rotation/")
        assert "was not offered at this table in this time" in page.text

    def test_a_thousand_turns_come_in_pages_and_as_few_queries(
        self, played: Cast, person: People, django_assert_max_num_queries: Any
    ) -> None:
        now, shift = timezone.now(), Shift.objects.get()
        Turn.objects.bulk_create(
            Turn(
                room=played.room,
                table=played.table,
                shift=shift,
                player=played.players[3],
                seat=3,
                cycle=number + 100,
                began_at=now,
                ended_at=now,
                ended_why=Turn.Ended.PASSED,
            )
            for number in range(1000)
        )
        page = person("inspector")
        with django_assert_max_num_queries(14):
            page.open(f"/tables/{played.table.pk}/rotation/")
        assert shown(page.text)["Turns begun"] == 1002
        assert page.text.count('class="is-turn"') == 40
        assert "Part 26 of 26" in page.text
        page.open(f"/tables/{played.table.pk}/rotation/?page=1")
        assert page.text.count('class="is-offer"') == 9


class TestThePageOfARoom:
    def test_it_has_a_row_and_figures_for_each_table(self, broken: Cast, person: People) -> None:
        page = person("inspector")
        page.open(f"/rooms/{broken.room.code}/rotation/")
        assert page.page.status_code == 200
        assert "Table 7" in page.text and "Table 8" in page.text
        assert "1 exception" in page.text and "Table 7 · seat 6" in page.text
        assert page.text.count('<g class="tl-bar') >= 2

    def test_a_day_is_one_view_with_every_turn_and_its_parts_have_the_rounds(
        self, played: Cast, person: People
    ) -> None:
        shift, now = Shift.objects.get(), timezone.now()
        Turn.objects.bulk_create(
            Turn(
                room=played.room, table=played.table, shift=shift, player=played.players[3], seat=3, cycle=100 + hour,
                began_at=now - datetime.timedelta(hours=hour),
                ended_at=now - datetime.timedelta(hours=hour, minutes=-20), ended_why=Turn.Ended.PASSED,
            )
            for hour in range(1, 7)
        )  # fmt: skip
        page, address = person("inspector"), f"/rooms/{played.room.code}/rotation/?hours=24"
        page.open(address)
        drawing = page.text.split('<svg class="tl"')[1].split("</svg>")[0]
        assert drawing.startswith(f' width="{PAGE - TABLES}"'), "no wider than the page"
        assert drawing.count('<g class="tl-bar') == 8
        assert "tl-round" not in drawing, "turns alone"
        parts = re.findall(r'href="[?]hours=24&amp;page=([0-9])"', page.text)
        assert len(parts) > 2
        rounds = 0
        for part in parts:
            page.open(f"{address}&page={part}")
            rounds += page.text.split('<svg class="tl"')[1].split("</svg>")[0].count('"tl-round')
        assert rounds == 3

    def test_the_first_and_the_last_time_of_a_timeline_are_whole(self, played: Cast) -> None:
        now = timezone.now()
        for hours in (1, 2, 5, 24):
            since = now.replace(minute=0, second=0, microsecond=0) - datetime.timedelta(hours=hours)
            until = since + datetime.timedelta(hours=hours)
            drawn = timeline_of([Row("Table 7", [])], since, until, played.room, now)
            half = 30
            assert drawn.ticks and all(half <= x <= drawn.width - half for x, _ in drawn.ticks)


class TestTheSameFiguresEverywhere:
    def test_page_paper_sheet_and_api_agree(self, broken: Cast, person: People) -> None:
        """Of one table. The page is asked first, so that everything is of one shift."""
        inspector, table = person("inspector"), broken.table
        shift = Shift.objects.get().pk
        inspector.open(f"/tables/{table.pk}/rotation/?shift={shift}")
        page = shown(inspector.text)
        api = inspector.client.get(f"/api/tables/{table.pk}/rotation?shift={shift}").json()
        figures = api["figures"]
        assert page == {
            "Exceptions": figures["exceptions"],
            "Turns begun": figures["turns"],
            "of them renewed": figures["renewed"],
            "Players who banked": figures["banks"],
            "Rounds settled": figures["rounds"],
            "Offers accepted": figures["accepted"],
            "Offers declined": figures["declined"],
            "Absent when offered": figures["absent"],
            "Ineligible": figures["ineligible"],
        }
        assert (figures["turns"], figures["rounds"], figures["declined"], figures["exceptions"]) == (
            2,
            4,
            7,
            1,
        )

        content = inspector.client.get(f"/tables/{table.pk}/rotation.csv?shift={shift}").content.decode()
        counted = [row for row in rows(content) if row["counts"] == "yes"]
        kinds = Counter(row["kind"] for row in counted)
        whats = Counter(row["what"] for row in counted if row["kind"] in ("offer", "round"))
        assert (kinds["turn"], kinds["exception"], whats["settled"]) == (
            figures["turns"],
            figures["exceptions"],
            figures["rounds"],
        )
        for answer in Offer.Answer.values:
            assert whats[answer] == figures[answer]
        head = next(row["text"] for row in rows(content) if row["kind"] == "journal")
        assert head == f"{api['journal']['entry']}:{api['journal']['hash']}"

        document = inspector.client.get(f"/tables/{table.pk}/rotation.pdf?shift={shift}")
        text = " ".join(pages_of(document.content)).replace("\n", " ")
        for name, count in page.items():
            assert f"{name}: {count}" in text
        assert api["journal"]["hash"] in text.replace(" ", "")

    def test_a_rooms_are_its_tables_together(self, broken: Cast, person: People) -> None:
        inspector, room = person("inspector"), broken.room
        api = inspector.client.get(f"/api/rooms/{room.pk}/rotation?hours=2").json()
        assert [table["number"] for table in api["tables"]] == [7, 8]
        content = inspector.client.get(f"/rooms/{room.code}/rotation.csv?hours=2").content.decode()
        exceptions = [row for row in rows(content) if row["kind"] == "exception"]
        assert [row["table"] for row in exceptions] == ["7"]
        assert exceptions[0]["clause"] == api["tables"][0]["exceptions"][0]["clause"] == "california:type.5"
        document = inspector.client.get(f"/rooms/{room.code}/rotation.pdf?hours=2")
        assert "Table 8" in " ".join(pages_of(document.content))

    def test_api_takes_one_period(self, played: Cast, person: People) -> None:
        client = person("inspector").client
        for query, path in (("?hours=2&shift=1", "hours"), ("?shift=999", "shift"), ("?hours=25", "hours")):
            answer = client.get(f"/api/tables/{played.table.pk}/rotation{query}")
            assert (answer.status_code, answer.json()["error"]["path"]) == (400, path)


class TestThePaper:
    def test_each_page_says_room_period_and_who_printed_it(self, broken: Cast, person: People) -> None:
        document = person("inspector").client.get(f"/tables/{broken.table.pk}/rotation.pdf")
        assert document.headers["Content-Type"] == "application/pdf"
        assert "rotation" in document.headers["Content-Disposition"]
        for page in pages_of(document.content):
            assert "Rotation of the bank, Table 7" in page
            assert f"Cache Slough · shift {Shift.objects.get()}" in page
            assert "by Inspector" in page and re.search(r"Page \d+ of \d+", page)

    def test_every_offer_and_who_recorded_it_is_printed(self, broken: Cast) -> None:
        now = timezone.now()
        rotation = table_rotation(Table.objects.get(pk=broken.table.pk), hours_period(1, now))
        text = "\n".join(pages_of(rotation_pdf([rotation], broken.room, printed_by="Ines", printed_at=now)))
        # Ten offers, each with its recorder, and the exception twice: by itself and where it happened.
        assert text.count("Dealer") == 10
        assert text.count("EXCEPTION") == 2
        assert f"manage.py verify --head table:{broken.table.pk}:" in text.replace("\n", " ")

    def test_names_are_no_markup_and_no_formula(self, played: Cast) -> None:
        from cardroom.people.models import Player

        Player.objects.filter(pk=played.players[4].pk).update(name="=SUM(<b>&")
        now = timezone.now()
        found = room_rotation(played.room, hours_period(1, now))
        assert "=SUM(<b>&" in "\n".join(
            pages_of(rotation_pdf(found, played.room, printed_by="Ines", printed_at=now))
        )
        assert {row["player"] for row in rows(rotation_csv(found, played.room)) if row["seat"] == "4"} == {
            "'=SUM(<b>&"
        }


class TestTheClockOnTheTablePage:
    def test_an_hour_its_stop_and_its_new_turn_by_the_pages_forms(
        self, cast: Cast, person: People, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lift_suspensions(monkeypatch)
        start = datetime.datetime(2026, 4, 10, 20, 0, tzinfo=datetime.UTC)
        with time_machine.travel(start, tick=True) as clock:
            cast.open(seats=(1, 3))
            floor, dealer = person("floor"), person("dealer")
            hourly = filed_game(cast.room, rotation="every_hour")
            floor.at_table()
            floor.command("settings", game_id=str(hourly.pk))
            assert Table.objects.get(pk=cast.table.pk).rotation == "every_hour"
            cast.bank_to(3)
            dealer.at_table()
            assert "60 min left" in dealer.text and "may bank 60 more minutes" in dealer.text
            clock.shift(datetime.timedelta(minutes=61))
            dealer.at_table()
            assert "0 min left" in dealer.text
            dealer.command("answer", answer="declined")
            assert "the game stops for 2 minutes" in dealer.text
            dealer.command("stop-game")
            assert "The game has stopped" in dealer.text
            dealer.command("renew")
            assert "may go on in" in dealer.text and Turn.objects.count() == 1
            clock.shift(datetime.timedelta(minutes=2))
            dealer.at_table()
            dealer.command("renew")
            assert Turn.objects.count() == 2 and "60 min left" in dealer.text

    def test_a_game_that_is_over_leads_to_closing_the_table(self, cast: Cast, person: People) -> None:
        start = datetime.datetime(2026, 4, 10, 20, 0, tzinfo=datetime.UTC)
        with time_machine.travel(start, tick=True) as clock:
            cast.open(seats=(1, 3))
            cast.send(
                table_set,
                "floor",
                **table_settings(
                    cast.room,
                    rulebook="california",
                    options={},
                    schedule_id=cast.schedule(1).pk,
                    rotation="forty_minutes",
                ),
            )
            cast.bank_to(3)
            clock.shift(datetime.timedelta(minutes=40))
            floor = person("floor")
            floor.at_table()
            assert "The game ends here" in floor.text
            floor.command("close")
            assert Table.objects.get(pk=cast.table.pk).state == Table.State.CLOSED
