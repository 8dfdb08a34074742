"""The pages of obligations: the calendar with its filters, adding, proof, done by two, and the file; and who sees what."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from cardroom.inbox.search import room_search
from cardroom.obligations.commands.obligations import obligation_done
from cardroom.obligations.models import Obligation
from tests.cast import PIN, Cast
from tests.obligations.test_obligations import PDF, added

from ..conftest import Person

PAGE = "/rooms/cache-slough/obligations/"
SAID = {
    "title": "Quarterly statement to the city",
    "kind": "tax",
    "due_on": "2026-12-31",
    "every": "quarter",
    "last_day": "on",
    "rests_on": "Municipal code 5.20.110",
    "remind_days": "60",
}


def test_an_officer_adds_one_attaches_its_proof_and_two_say_that_it_is_done(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    browser = person("compliance")
    browser.open(PAGE)
    assert "None overdue, none due soon" in browser.text and "Nothing is due from" in browser.text
    browser.post(f"{PAGE}add/", None, **{**SAID, "due_on": "2026-12-30"})
    assert "give that as its day too" in browser.text and "Quarterly statement" in browser.text
    browser.post(f"{PAGE}add/", None, **SAID)
    assert "Added." in browser.text and "43 days left" in browser.text and "due soon" in browser.text
    tax = Obligation.objects.get()
    here = f"{PAGE}{tax.pk}/"
    browser.post(f"{here}done/", None, approver="room_manager", approver_pin=PIN)
    assert "It is done with proof" in browser.text
    receipt = SimpleUploadedFile("receipt.pdf", PDF, "application/pdf")
    browser.post(f"{here}document/", None, file=receipt)
    assert "The document is attached." in browser.text and "receipt.pdf" in browser.text
    browser.post(f"{here}note/", None, note="sent by courier")
    browser.post(f"{here}owner/", None, owner_id=str(cast.people["compliance"].pk))
    assert "sent by courier" in browser.text
    typed = {"reference": "courier 114", "approver": "room_manager"}
    browser.post(f"{here}done/", None, **typed, approver_pin="000000")
    assert "PIN" in browser.text and "courier 114" in browser.text
    browser.post(f"{here}done/", None, **typed, approver_pin=PIN)
    assert "signed by Room manager" in browser.text and "Wed Mar 31, 2027" in browser.text
    document = browser.client.get(f"{here}steps/{tax.steps.get(what='document').pk}/document.pdf")
    assert (document.content, document["Content-Type"]) == (PDF, "application/pdf")
    browser.post(f"{here}reopen/", None, note="the stamp is missing")
    assert "the stamp is missing" in browser.text and "None yet" in browser.text
    browser.post(f"{here}change/", None, rests_on="Municipal code 5.20.120")
    assert "Municipal code 5.20.110 → Municipal code 5.20.120" in browser.text
    browser.post(f"{here}not-applicable/", None, reason="no play in the quarter")
    assert "It does not apply: no play in the quarter" in browser.text


def test_the_calendar_is_narrowed_by_its_address(cast: Cast, person: Callable[[str], Person]) -> None:
    compliance = cast.people["compliance"]
    added(cast, title="Late tax", owner_id=compliance.pk)
    added(cast, title="City licence", kind="licence", due_on=datetime.date(2027, 5, 1), last_day=False)
    browser = person("inspector")

    def shown(query: str = "") -> tuple[bool, bool]:
        text = browser.open(f"{PAGE}?{query}").content.decode()
        return "Late tax" in text, "City licence" in text

    assert shown() == (True, False)  # three months from this one on, and what is overdue from before
    assert "Overdue from before" in browser.text and "18 days late" in browser.text
    assert "Add an obligation" not in browser.text
    assert shown("months=12") == (True, True)
    assert shown("months=12&kind=licence") == (False, True)
    assert shown(f"months=12&owner={compliance.pk}") == (True, False)
    assert shown("months=12&owner=none") == (False, True)
    assert shown("months=12&state=overdue") == (True, False)
    assert shown("month=2027-05&months=1&state=open") == (True, True)
    assert shown("month=9999-99&months=x&kind=none&owner=x&state=x") == (True, False)
    assert shown("month=2999-12&months=12") == (True, False)


def test_the_file_has_what_is_open_with_its_page_and_reminder(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    tax = added(cast, title="Late tax, the city's")
    answer = person("shift_manager").client.get(f"{PAGE}calendar.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert 'filename="cache-slough-obligations.ics"' in answer["Content-Disposition"]
    text = answer.content.decode().replace("\r\n ", "")
    assert f"UID:obligation-{tax.pk}@cache-slough.testserver\r\n" in text
    assert "SUMMARY:Late tax\\, the city's\r\n" in text and "TRIGGER:-P30D\r\n" in text
    assert f"URL:http://testserver{PAGE}{tax.pk}/\r\n" in text
    done = {"obligation_id": tax.pk, "reference": "receipt", "approver": cast.people["compliance"]}
    cast.send_room(obligation_done, "room_manager", **done)
    text = person("shift_manager").client.get(f"{PAGE}calendar.ics").content.decode()
    assert f"UID:obligation-{tax.pk}@" not in text and f"UID:obligation-{tax.pk + 1}@" in text


@pytest.mark.parametrize("who", ["surveillance", "dealer", "floor", "count"])
def test_the_calendar_is_closed_to_the_others(who: str, cast: Cast, person: Callable[[str], Person]) -> None:
    browser, tax = person(who), added(cast)
    for address in (PAGE, f"{PAGE}{tax.pk}/", f"{PAGE}calendar.ics"):
        assert browser.client.get(address).status_code == 403
    assert person("rival_compliance").client.get(f"{PAGE}{tax.pk}/").status_code == 404


def test_homes_name_what_is_overdue_once_and_what_is_due_soon(
    cast: Cast, person: Callable[[str], Person]
) -> None:
    now = timezone.now()
    late = added(cast, title="Late tax", owner_id=cast.people["compliance"].pk)
    added(cast, title="City licence", due_on=now.date() + datetime.timedelta(days=9), last_day=False)
    room_search(cast.room.pk, now)
    with time_machine.travel(now):
        for who, page in (("compliance", "compliance"), ("shift_manager", "results")):
            text = person(who).client.get(f"/rooms/cache-slough/{page}/").content.decode()
            assert (
                text.count("Late tax") == 2
            )  # shown, and said of its button: the exception has no second line
            assert f"{PAGE}{late.pk}/" in text and "18 days late" in text
            assert text.index("Late tax") < text.index("City licence")
            assert ">1 overdue" in text and "other exception" not in text
    inbox = person("compliance").client.get("/rooms/cache-slough/exceptions/").content.decode()
    assert "Obligation overdue" in inbox and "The obligation with its steps" in inbox


@pytest.mark.parametrize("ending", ["/", ".pdf", ".xlsx", ".csv", ".json"])
def test_the_report_has_what_was_due_and_its_proof(
    ending: str, cast: Cast, person: Callable[[str], Person]
) -> None:
    tax = added(cast)
    done = {"obligation_id": tax.pk, "reference": "receipt 881", "approver": cast.people["compliance"]}
    cast.send_room(obligation_done, "room_manager", **done)
    address = f"/rooms/cache-slough/reports/obligations{ending}?from=2026-10-31&to=2026-11-18"
    answer = person("inspector").client.get(address)
    assert answer.status_code == 200
    if ending in ("/", ".csv", ".json"):
        text = answer.content.decode()
        assert "receipt 881" in text and "Municipal code 5.20.110" in text and "Room manager" in text
