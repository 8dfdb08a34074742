"""What lies in a room where somebody has no role is answered like what is not there at all."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from cardroom.floor.commands.rounds import round_open
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.errors import Busy, NotFound
from cardroom.floor.execution import carry_out
from tests.cast import Cast, new_key

from .client import Caller

NOBODYS = 987_654


@pytest.mark.parametrize(
    ("what", "of", "command", "body"),
    [
        ("tables", "rival_table", "rounds", {"bank_wager_cents": 20000}),
        ("tables", "rival_table", "open", None),
        ("rooms", "rival", "shifts", {"name": "Day"}),
    ],
)
def test_a_command_on_anothers_table_or_room_is_answered_as_on_none(
    cast: Cast, what: str, of: str, command: str, body: Any
) -> None:
    caller = Caller(cast, "shift_manager")
    theirs, none = getattr(cast, of).pk, NOBODYS
    key = new_key()
    answers = [
        caller.post(f"{what}/{number}/{command}", body, version=0, key=key) for number in (theirs, none)
    ]
    assert {answer.status for answer in answers} == {404}
    found = [
        answer.said["error"] | {"message": answer.said["error"]["message"].replace(str(number), "N")}
        for answer, number in zip(answers, (theirs, none), strict=True)
    ]
    assert found[0] == found[1]


def test_a_key_that_was_used_elsewhere_does_not_tell_either(cast: Cast) -> None:
    caller, key = Caller(cast, "shift_manager"), new_key()
    assert caller.post(f"rooms/{cast.room.pk}/shifts", {"name": "Day"}, key=key).status == 200
    for number in (cast.rival.pk, NOBODYS):
        assert caller.post(f"rooms/{number}/shifts", {"name": "Day"}, version=0, key=key).status == 404


@pytest.mark.parametrize(("command", "of"), [(round_open, "rival_table"), (shift_open, "rival")])
def test_nor_does_a_lock_that_somebody_else_holds(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, command: Any, of: str
) -> None:
    def busy(*args: Any) -> Any:
        raise Busy("busy", "Somebody else is working at this table right now.")

    monkeypatch.setattr(carry_out, "locked", busy)
    arguments = {"bank_wager_cents": 20000} if command is round_open else {"name": "Day"}
    number = getattr(cast, of).pk
    for who, answer in (("dealer", NotFound), ("rival_floor", Busy)):
        meta = carry_out.CommandMeta(actor=cast.people[who], key=new_key(), version=0)
        with pytest.raises(answer):
            command(meta, number, **arguments)


def test_pages_answer_the_same_for_anothers_table_as_for_none(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.people["floor"])
    theirs, none = (
        client.post(f"/tables/{number}/command/open/") for number in (cast.rival_table.pk, NOBODYS)
    )
    assert (theirs.status_code, none.status_code) == (404, 404)
    without_token = [
        re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", each.content) for each in (theirs, none)
    ]
    assert without_token[0] == without_token[1]
