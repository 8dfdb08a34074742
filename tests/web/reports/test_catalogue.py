"""The catalogue of reports on pages and at the API: who may draw them, what is asked, and what cannot be asked."""

from __future__ import annotations

import re
from typing import Any

import pytest
import time_machine
from django.test import Client

from cardroom.core.dates import day_text
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Shift
from cardroom.reports.catalogue.questions import QUESTIONS, REPORTS, listed_in
from tests.cast import Cast, running_cast, sheet
from tests.kept import kept


@pytest.fixture
def played(db: None) -> Cast:
    """The running table with a round on record."""
    return kept(_played)


def _played() -> Cast:
    cast = running_cast()
    cast.send(round_record, "dealer", sheet=sheet({1: 1000, 5: 2000}))
    return cast


def client(cast: Cast, who: str) -> Client:
    browser = Client()
    browser.force_login(cast.people[who])
    return browser


def page(cast: Cast, address: str = "rounds/", who: str = "compliance", **query: Any) -> Any:
    return client(cast, who).get(f"/rooms/cache-slough/reports/{address}", query)


def read(cast: Cast, name: str = "rounds", who: str = "compliance", **query: Any) -> Any:
    return client(cast, who).get(f"/api/rooms/{cast.room.pk}/reports/{name}", query)


def test_the_room_lists_every_report_with_what_it_answers(played: Cast) -> None:
    listed = page(played, "").content.decode()
    there = listed_in(played.room)
    for report in there:
        assert report.title in listed and f"/rooms/cache-slough/reports/{report.name}/" in listed
    names = [
        each["name"]
        for each in client(played, "compliance").get(f"/api/rooms/{played.room.pk}/reports").json()
    ]
    assert names == [report.name for report in there]
    assert set(REPORTS) - set(names) == {"house-win"}


def test_every_report_stands_once_under_a_question(played: Cast) -> None:
    every = [report.name for question in QUESTIONS for report in question.reports]
    assert len(every) == len(set(every)) == len(REPORTS)
    listed = page(played, "").content.decode()
    asked = [listed.index(f"<h2>{question.asks}</h2>") for question in QUESTIONS]
    assert asked == sorted(asked)
    for question, begins, ends in zip(QUESTIONS, asked, [*asked[1:], len(listed)], strict=True):
        for report in question.reports:
            address = f"/rooms/cache-slough/reports/{report.name}/"
            assert (address in listed[begins:ends]) == (report in listed_in(played.room)), report.name


def test_the_list_begins_with_the_reports_of_the_latest_shifts(played: Cast) -> None:
    shift = Shift.objects.get()
    address = f"/shifts/{shift.pk}/report/"
    assert address not in page(played, "").content.decode(), "it is open"
    played.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
    listed = page(played, "").content.decode()
    assert listed.index(address) < listed.index(QUESTIONS[0].asks)


@pytest.mark.parametrize(
    ("who", "status"),
    [
        ("compliance", 200),
        ("inspector", 200),
        ("dealer", 403),
        ("count", 403),
        ("outsider", 404),
        ("rival_compliance", 404),
    ],
)
def test_reports_are_for_those_who_may_see_them(played: Cast, who: str, status: int) -> None:
    for answer in (
        page(played, "", who),
        page(played, who=who),
        page(played, "rounds.csv", who),
        read(played, who=who),
    ):
        assert answer.status_code == status
    assert client(played, who).get(f"/api/rooms/{played.room.pk}/reports").status_code == status


def test_a_report_that_the_catalogue_does_not_hold_is_not_there(played: Cast) -> None:
    assert page(played, "secrets/").status_code == 404
    assert page(played, "secrets.pdf").status_code == 404
    assert read(played, "secrets").json()["error"]["code"] == "not_found"


def test_without_days_it_is_about_the_gaming_day_of_the_last_shift(played: Cast) -> None:
    day = Shift.objects.get().gaming_day
    assert read(played).json()["period"] == f"gaming day {day_text(day)}"
    shown = page(played).content.decode()
    assert f"gaming day {day_text(day)}" in shown and f'value="{day}"' in shown


@pytest.mark.parametrize(
    ("query", "code", "path"),
    [
        ({"from": "yesterday"}, "wrong_type", "from"),
        ({"from": "2026-11-20", "to": "2026-11-19"}, "days_reversed", "to"),
        ({"from": "2020-01-01", "to": "2026-11-19"}, "too_many_days", "to"),
        ({"from": "0001-01-01"}, "out_of_range", "from"),
        ({"table": "9"}, "unknown_table", "table"),
        ({"table": "seven"}, "wrong_type", "table"),
        ({"shift": "999999"}, "unknown_shift", "shift"),
        ({"kind": "odd"}, "unknown_choice", "kind"),
        ({"colour": "red"}, "unknown_key", "colour"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_place(
    played: Cast, query: dict[str, str], code: str, path: str
) -> None:
    answer = read(played, **query)
    assert answer.status_code == 400
    assert (answer.json()["error"]["code"], answer.json()["error"]["path"]) == (code, path)
    if path != "colour":  # what no field of the form is called says nothing to a page
        for shown in (page(played, **query), page(played, "rounds.xlsx", **query)):
            assert shown.status_code == 400
            assert "field-error" in shown.content.decode()


def test_a_form_keeps_what_was_typed(played: Cast) -> None:
    shown = page(played, **{"from": "2026-11-20", "to": "2026-11-01", "table": "7"}).content.decode()
    assert 'value="2026-11-20"' in shown and 'value="2026-11-01"' in shown
    assert '<option value="7" selected>' in shown
    assert "The period ends on Sun Nov 1, 2026, before it begins on Fri Nov 20, 2026." in shown


def test_another_rooms_table_and_shift_are_not_there(played: Cast) -> None:
    assert read(played, table=8).status_code == 200
    played.second_table.delete()
    assert read(played, table=8).status_code == 400


@time_machine.travel("2026-11-30 20:00:00Z", tick=False)
def test_on_a_monday_today_alone_is_marked_though_it_is_the_week_so_far(cast: Cast) -> None:
    shown = page(cast, "collection/").content.decode()
    assert re.findall(r'class="chip chosen"[^>]*>([^<]+)', shown) == ["today"]


def test_presets_and_files_keep_what_else_was_chosen(played: Cast) -> None:
    day = Shift.objects.get().gaming_day
    shown = page(played, table=7, kind="settled").content.decode()
    assert f"rounds.pdf?table=7&amp;kind=settled&amp;from={day}&amp;to={day}" in shown
    assert "table=7&amp;kind=settled" in shown.partition("last month")[0].rpartition('href="?')[2]
