"""Alerts at the API: listed for whoever sees the floor, answered by the floor without disturbing the table."""

from __future__ import annotations

import pytest

from cardroom.floor.models import Alert, Table
from tests.cast import Cast, sheet

from .client import Caller


@pytest.fixture
def exhausted(running: Cast) -> Cast:
    """A table whose bank ran out in the last round."""
    reply = Caller(running, "dealer").post(
        f"tables/{running.table.pk}/rounds/record", sheet({4: 1000}, wager=1000)
    )
    assert reply.status == 200, reply.said
    return running


def test_an_alert_is_listed_answered_and_listed_as_answered(exhausted: Cast) -> None:
    floor = Caller(exhausted, "floor")
    [alert] = floor.get(f"rooms/{exhausted.room.pk}/alerts").said["results"]
    assert (alert["kind"], alert["urgent"], alert["times"]) == ("bank_exhausted", True, 1)
    assert (alert["table"], alert["cleared_at"], alert["acknowledged_by"]) == (exhausted.table.pk, None, None)
    version = Table.objects.get(pk=exhausted.table.pk).version
    address = f"tables/{exhausted.table.pk}/alerts/{alert['id']}/acknowledge"
    answered = floor.post(address, {"note": "told the bank"}, version=0)
    assert answered.status == 200
    assert answered.said == {"alert": alert["id"], "table": exhausted.table.pk, "version": version}
    [alert] = floor.get(f"rooms/{exhausted.room.pk}/alerts").said["results"]
    assert (alert["acknowledged_by"], alert["note"]) == (str(exhausted.people["floor"]), "told the bank")
    again = floor.post(address, {})
    assert (again.status, again.code) == (409, "answered_before")


def test_the_list_reads_on_by_id(exhausted: Cast) -> None:
    first = Alert.objects.get()
    for number in range(3):
        Alert.objects.create(
            room=exhausted.room,
            table=exhausted.table,
            kind=Alert.Kind.STUB_COUNT_DUE,
            subject=f"deck {number}",
            text="Count the stub.",
            raised_at=first.raised_at,
        )
    caller = Caller(exhausted, "inspector")
    page = caller.get(f"rooms/{exhausted.room.pk}/alerts?limit=3").said
    assert [alert["subject"] for alert in page["results"]] == ["deck 2", "deck 1", "deck 0"]
    rest = caller.get(page["next"].removeprefix("/api/")).said
    assert [alert["id"] for alert in rest["results"]] == [first.pk]
    assert rest["next"] is None
