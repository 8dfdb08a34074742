"""Levies drafted and filed on pages and by the API: form, checker, worked example, second person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cardroom.filings.models import Levy
from cardroom.floor.models import JournalEntry
from cardroom.web.filings.levy_form import fits_form
from tests.api.client import Caller
from tests.cast import PIN, Cast
from tests.web.conftest import Form, Person

Who = Callable[[str], Person]

CITY: dict[str, Any] = {
    "levied_by": "city",
    "authority": "City of Cache Slough",
    "source": "Code 5.24.080",
    "period": "month",
    "base": ["collection", "jackpot"],
    "lines": [
        {"per": "part", "lower_cents": 0, "upper_cents": 10_000_000, "basis_points": 825},
        {"per": "part", "lower_cents": 10_000_000, "upper_cents": None, "basis_points": 1_100},
        {"per": "tables", "lower_tables": 1, "upper_tables": None, "fixed_cents": 30_000},
    ],
    "authorized_tables": 12,
    "minimum_cents": 250_000,
}


def address(cast: Cast, rest: str = "") -> str:
    return f"/rooms/{cast.room.code}/levies/{rest}"


def drafted(cast: Cast, document: dict[str, Any]) -> Levy:
    answer = Caller(cast, "compliance").post(
        f"rooms/{cast.room.pk}/levies", {"number": 1, "document": document}
    )
    assert answer.status == 200, answer.said
    return Levy.objects.get(pk=answer.said["levy"])


@pytest.mark.parametrize(
    "document", [CITY, {**CITY, "lines": [{"per": "period", "fixed_cents": 0}]}, {**CITY, "lines": []}]
)
def test_a_document_goes_through_the_form_unchanged(document: dict[str, Any]) -> None:
    assert fits_form(document)


@pytest.mark.parametrize(
    "change", [{"rate": 1}, {"lines": [5]}, {"period": "week"}, {"lines": [{"per": "part", "text": "x"}]}]
)
def test_what_the_form_would_lose_is_not_shown_in_it(change: dict[str, Any]) -> None:
    assert not fits_form({**CITY, **change})


def test_tiers_are_typed_checked_line_by_line_and_worked_out(cast: Cast, person: Who) -> None:
    officer = person("compliance")
    officer.open(address(cast))
    officer.post(address(cast, "new/"), number="1")
    where = address(cast, "1/1/edit/")

    def saved(**typed: str) -> str:
        fields = Form(officer.open(where).content.decode(), where).fields
        answer = officer.client.post(where, {**fields, **typed}, follow=True)
        return answer.content.decode()

    head = {
        "head-authority": "City of Cache Slough",
        "head-source": "Code 5.24.080",
        "head-base": "collection",
    }
    tiers = {
        "lines-TOTAL_FORMS": "2",
        "lines-0-per": "part",
        "lines-0-lower_cents": "0",
        "lines-0-upper_cents": "100,000",
        "lines-0-basis_points": "8.25%",
        "lines-1-per": "part",
        "lines-1-lower_cents": "110,000",
        "lines-1-basis_points": "11",
    }
    page = saved(**head, **tiers)
    assert page.count('class="problem-row"') == 1
    assert "line 2: it begins at $110,000, and nothing is said from $100,000 on." in page
    page = saved(**{"lines-1-lower_cents": "100000", "lines-1-basis_points": "101"})
    assert "line 2: 101% is over 100%." in page
    page = saved(**{"lines-1-basis_points": "11"})
    assert "The checker finds nothing against it" in page
    # $150,000: 8.25% of $100,000, and 11% of $50,000.
    assert all(words in page for words in ("8.25% of $100,000", "$8,250", "11% of $50,000", "$13,750"))
    page = officer.open(address(cast, "1/1/?gross=20000")).content.decode()
    assert "8.25% of $20,000" in page
    assert "$1,650" in page


def test_two_people_file_a_levy_and_the_api_reads_it(cast: Cast, person: Who) -> None:
    version = drafted(cast, CITY)
    officer = person("compliance")
    officer.open(address(cast, "1/1/"))
    lodge = address(cast, "1/1/file/")
    officer.post(lodge, effective_from="2026-01-01", approver="compliance", approver_pin=PIN)
    assert Levy.objects.get(pk=version.pk).status == "draft"
    officer.open(address(cast, "1/1/"))
    officer.post(lodge, effective_from="2026-01-01", approver="room_manager", approver_pin=PIN)
    version.refresh_from_db()
    assert (version.status, version.approved_by) == ("filed", cast.people["room_manager"])
    assert JournalEntry.objects.filter(command="levy_file").count() == 1
    read = Caller(cast, "floor").get(f"rooms/{cast.room.pk}/levies/{version.pk}").said
    assert (read["authority"], read["in_force"], read["problems"]) == ("City of Cache Slough", True, [])
    page = person("floor").open(address(cast)).content.decode()
    assert "Code 5.24.080" in page
    assert "A new levy" not in page


def test_tiers_that_do_not_fit_are_not_filed(cast: Cast) -> None:
    version = drafted(cast, {**CITY, "lines": CITY["lines"][:1]})
    officer = Caller(cast, "compliance")
    answer = officer.post(
        f"rooms/{cast.room.pk}/levies/{version.pk}/file",
        {"effective_from": "2026-01-01", "approver": {"username": "room_manager", "pin": PIN}},
    )
    assert (answer.status, answer.code) == (422, "levy_refused")
    assert "line 1: nothing is said from $100,000 on" in answer.said["error"]["message"]
