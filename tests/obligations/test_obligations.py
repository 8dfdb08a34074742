"""An obligation is done with proof, by two where it takes two, and is followed by the next; each step is kept."""

from __future__ import annotations

import base64
import datetime
import hashlib
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.filings.models import FiledDocument
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry
from cardroom.obligations.commands.obligations import (
    obligation_add,
    obligation_change,
    obligation_document_attach,
    obligation_done,
    obligation_give,
    obligation_note_down,
    obligation_reopen,
    obligation_waive,
)
from cardroom.obligations.models import Obligation
from cardroom.obligations.reads.calendar import overdue_before
from cardroom.obligations.recurrence import next_due, recurrence_text
from cardroom.people.journal import person_data
from cardroom.people.permits import local_day
from cardroom.rooms.gaming_day import gaming_day
from tests.cast import Cast

PDF = b"%PDF-1.7\nreceipt\n%%EOF\n"
Every = Obligation.Every
TAX: dict[str, Any] = {
    "kind": "tax",
    "title": "City statement of gross revenue",
    "rests_on": "Municipal code 5.20.110",
    "due_on": datetime.date(2026, 10, 31),
    "every": "quarter",
    "last_day": True,
}


def added(cast: Cast, who: str = "compliance", **said: Any) -> Obligation:
    answer = cast.send_room(obligation_add, who, **{**TAX, **said})
    return Obligation.objects.get(pk=answer["obligation"])


def attach(cast: Cast, obligation: Obligation, content: bytes = PDF, name: str = "receipt.pdf") -> None:
    said = {"name": name, "content": base64.b64encode(content).decode()}
    cast.send_room(obligation_document_attach, "compliance", obligation_id=obligation.pk, **said)


@pytest.mark.parametrize(
    ("due", "every", "last_day", "day", "after"),
    [
        ("2027-01-31", Every.MONTH, False, 31, "2027-02-28"),
        ("2027-02-28", Every.MONTH, False, 31, "2027-03-31"),  # the day on which the series began
        ("2027-02-28", Every.MONTH, True, 28, "2027-03-31"),
        ("2026-10-31", Every.QUARTER, True, 31, "2027-01-31"),
        ("2026-11-30", Every.QUARTER, True, 30, "2027-02-28"),
        ("2026-08-31", Every.HALF_YEAR, False, 31, "2027-02-28"),
        ("2028-02-29", Every.YEAR, False, 29, "2029-02-28"),
        ("2026-12-15", Every.TWO_YEARS, False, 15, "2028-12-15"),
        ("2026-12-15", Every.ONCE, False, 15, None),
        ("2999-12-15", Every.MONTH, False, 15, None),  # past the end of the calendar
    ],
)
def test_the_next_is_due_so_many_months_after_the_day_on_which_this_was_due(
    due: str, every: str, last_day: bool, day: int, after: str | None
) -> None:
    due_on = datetime.date.fromisoformat(due)
    obligation = Obligation(due_on=due_on, every=every, last_day=last_day, day_of_month=day)
    following = next_due(obligation)
    assert (None if following is None else following.isoformat()) == after


def test_done_with_a_document_and_a_second_person_it_is_followed_by_the_next(cast: Cast) -> None:
    compliance, manager = cast.people["compliance"], cast.people["room_manager"]
    tax = added(cast, owner_id=compliance.pk)
    assert tax.takes_two and recurrence_text(tax) == "every quarter, on the last day of the month"
    done = {"obligation_id": tax.pk, "note": "sent by courier"}
    with pytest.raises(NotNow, match="done with proof"):
        cast.send_room(obligation_done, "compliance", approver=manager, **done)
    attach(cast, tax)
    with pytest.raises(Forbidden, match="takes two"):
        cast.send_room(obligation_done, "compliance", **done)
    with pytest.raises(Forbidden, match="may not approve it"):
        cast.send_room(obligation_done, "compliance", approver=compliance, **done)
    with pytest.raises(Forbidden, match="Not authorized"):
        cast.send_room(obligation_done, "compliance", approver=cast.people["shift_manager"], **done)
    answer = cast.send_room(obligation_done, "compliance", approver=manager, **done)
    tax.refresh_from_db()
    assert (tax.state, tax.closed_by, tax.confirmed_by) == ("done", compliance, manager)
    assert tax.document is not None and tax.document.sha256 == hashlib.sha256(PDF).hexdigest()
    following = Obligation.objects.get(pk=answer["next"])
    assert (following.follows, following.due_on) == (tax, datetime.date(2027, 1, 31))
    assert (following.title, following.owner, following.state) == (tax.title, compliance, "open")
    assert [(step.what, step.after) for step in tax.steps.all()] == [
        ("add", "open"),
        ("document", "open"),
        ("done", "done"),
    ]
    entry = JournalEntry.objects.get(command="obligation_done")
    assert {str(tax.pk), str(following.pk)} == set(entry.rows["obligations_obligation"])
    assert entry.data["approved_by"] == person_data(manager)


def test_what_is_done_stays_until_it_is_reopened_and_no_second_next_is_made(cast: Cast) -> None:
    licence = added(cast, kind="licence", title="City licence", last_day=False, every="year")
    assert not licence.takes_two
    done = {"obligation_id": licence.pk, "reference": " receipt 881 "}
    answer = cast.send_room(obligation_done, "room_manager", **done)
    for refused in (obligation_done, obligation_waive, obligation_change, obligation_give):
        more: dict[Any, dict[str, Any]] = {
            obligation_done: {"reference": "again"},
            obligation_waive: {"reason": "sold"},
            obligation_change: TAX,
            obligation_give: {"owner_id": cast.people["compliance"].pk},
        }
        with pytest.raises(NotNow, match="reopen it first"):
            cast.send_room(refused, "compliance", obligation_id=licence.pk, **more[refused])
    with pytest.raises(IntegrityError, match="stays as it is"), transaction.atomic():
        Obligation.objects.filter(pk=licence.pk).update(reference="another")
    with pytest.raises(IntegrityError), transaction.atomic():
        licence.steps.update(reference="another")
    with pytest.raises(IntegrityError), transaction.atomic():
        Obligation.objects.filter(pk=licence.pk).delete()
    reopen = {"obligation_id": licence.pk, "note": "the receipt is of last year"}
    cast.send_room(obligation_reopen, "compliance", **reopen)
    licence.refresh_from_db()
    assert (licence.state, licence.reference, licence.closed_by) == ("open", "", None)
    assert licence.steps.get(what="done").reference == "receipt 881"
    again = cast.send_room(obligation_done, "compliance", **{**done, "reference": "receipt 902"})
    assert (answer["next"] is not None, again["next"]) == (True, None)
    assert Obligation.objects.filter(follows=licence).count() == 1


def test_one_that_does_not_apply_says_why_and_is_followed_too(cast: Cast) -> None:
    tax = added(cast)
    with pytest.raises(BadInput, match="why it does not apply"):
        cast.send_room(obligation_waive, "compliance", obligation_id=tax.pk, reason=" ")
    waive = {"obligation_id": tax.pk, "reason": "the room was closed for the quarter"}
    answer = cast.send_room(obligation_waive, "compliance", **waive)
    tax.refresh_from_db()
    assert (tax.state, tax.reason) == ("not_applicable", waive["reason"])
    assert Obligation.objects.get(pk=answer["next"]).due_on == datetime.date(2027, 1, 31)


def test_a_change_keeps_what_was_said_before_and_moves_the_day_of_the_series(cast: Cast) -> None:
    tax = added(cast)
    said = {"obligation_id": tax.pk, **TAX}
    with pytest.raises(NotNow, match="says that already"):
        cast.send_room(obligation_change, "compliance", **said)
    moved = {**said, "due_on": datetime.date(2026, 11, 15), "last_day": False, "takes_two": False}
    cast.send_room(obligation_change, "compliance", **moved)
    tax.refresh_from_db()
    assert (tax.day_of_month, tax.takes_two) == (15, False)
    assert tax.steps.get(what="change").changes == {
        "due_on": ["2026-10-31", "2026-11-15"],
        "last_day": [True, False],
        "takes_two": [True, False],
    }
    assert next_due(tax) == datetime.date(2027, 2, 15)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"title": " "}, "what is to be done"),
        ({"due_on": datetime.date(2026, 10, 30)}, "give that as its day too"),
        ({"every": "once"}, "how it recurs"),
        ({"due_on": datetime.date(1999, 12, 31)}, "Give a day between"),
        ({"owner_id": 10**6}, "no member of staff"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_the_place(cast: Cast, said: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        added(cast, **said)


def test_whoever_keeps_no_obligations_adds_none_and_owns_none(cast: Cast) -> None:
    for who in ("shift_manager", "inspector", "dealer"):
        with pytest.raises(Forbidden):
            added(cast, who)
    with pytest.raises(BadInput, match="Not authorized"):
        added(cast, owner_id=cast.people["dealer"].pk)
    tax = added(cast)
    with pytest.raises(NotFound, match="no obligation"):
        cast.send_room(
            obligation_note_down, "rival_compliance", cast.rival, obligation_id=tax.pk, note="ours"
        )


def test_a_document_is_kept_once_and_the_one_before_stays_with_its_step(cast: Cast) -> None:
    tax = added(cast)
    attach(cast, tax)
    attach(cast, tax, b"%PDF-1.7 stamped %%EOF", "stamped.pdf")
    attach(cast, tax)
    assert [step.document.name for step in tax.steps.filter(what="document")] == [
        "receipt.pdf",
        "stamped.pdf",
        "receipt.pdf",
    ]
    assert FiledDocument.objects.filter(room=cast.room).count() == 2
    with pytest.raises(BadInput, match="no PDF"):
        attach(cast, tax, b"<html>")


def test_what_was_due_is_late_after_midnight_and_not_with_the_gaming_day(cast: Cast) -> None:
    today = local_day(cast.room, timezone.now())
    added(cast, due_on=today, last_day=False)
    after = datetime.datetime.combine(
        today + datetime.timedelta(days=1), datetime.time(0, 30), tzinfo=cast.room.zone
    )
    assert gaming_day(cast.room, after) == today
    assert overdue_before(cast.room, today, today) == []
    late = overdue_before(cast.room, today + datetime.timedelta(days=1), local_day(cast.room, after))
    assert [entry.what for entry in late] == [TAX["title"]]
