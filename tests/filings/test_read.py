"""What is filed, signed or withdrawn is what was read: every kind of filing, on the pages and in the API."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.commands.filings import FilingCommands, games, schedules
from cardroom.floor.errors import FloorError
from cardroom.tips.commands.rules import pool_rule_set, pool_rule_withdraw
from cardroom.tips.models import PoolRule
from tests.api.client import Caller
from tests.cast import PIN, Cast, written
from tests.fees.documents import OPTION_1
from tests.web.conftest import Person

#: The document with a player's fee of $2 where it was $1.
DEARER = {**OPTION_1, "lines": [{**OPTION_1["lines"][0], "fee_cents": 200}, *OPTION_1["lines"][1:]]}


def later(cast: Cast) -> datetime.date:
    return timezone.localdate(timezone=cast.room.zone) + datetime.timedelta(days=3)


def schedule(cast: Cast, who: str = "compliance") -> FeeSchedule:
    fields = {"number": 9, "rulebook": "california", "document": OPTION_1}
    return FeeSchedule.objects.get(pk=cast.send_room(schedules.draft, who, **fields)["schedule"])


def game(cast: Cast, who: str = "compliance") -> GameFiling:
    fields: dict[str, Any] = {"number": 9, "rulebook": "california", "options": {}}
    return GameFiling.objects.get(pk=cast.send_room(games.draft, who, **fields)["game"])


KINDS: dict[str, tuple[Callable[..., Any], str, FilingCommands[Any], dict[str, Any]]] = {
    "schedule": (schedule, "schedule_id", schedules, {"document": DEARER}),
    "game": (game, "game_id", games, {"options": {"coverage": "net"}}),
}


def refused(cast: Cast, command: Any, who: str, code: str, **arguments: Any) -> FloorError:
    before = written()
    with pytest.raises(FloorError) as raised:
        cast.send_room(command, who, **arguments)
    assert raised.value.code == code
    assert written() == before
    return raised.value


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_files_edits_or_discards_what_they_have_not_read(cast: Cast, kind: str) -> None:
    """Compliance reads one text, the manager writes another: the first is gone."""
    make, key, commands, other = KINDS[kind]
    draft = make(cast)
    read = draft.digest
    cast.send_room(commands.edit, "room_manager", **{key: draft.pk}, digest=read, **other)
    signed = {"effective_from": later(cast), "state_reference": "S", "approver": cast.people["compliance"]}
    stale = refused(
        cast, commands.file, "room_manager", "filing_changed", **{key: draft.pk}, digest=read, **signed
    )
    draft.refresh_from_db()
    assert stale.status == 412
    assert stale.extra["state"] == {
        "id": draft.pk,
        "status": "draft",
        "revision": 2,
        "digest": draft.digest,
    }
    assert "Room manager" in stale.message
    refused(cast, commands.edit, "compliance", "filing_changed", **{key: draft.pk}, digest=read, **other)
    refused(cast, commands.discard, "compliance", "filing_changed", **{key: draft.pk}, digest=read)
    cast.send_room(commands.file, "room_manager", **{key: draft.pk}, digest=draft.digest, **signed)


@pytest.mark.parametrize("kind", KINDS)
def test_who_wrote_it_last_does_not_sign_it(cast: Cast, kind: str) -> None:
    make, key, commands, other = KINDS[kind]
    draft = make(cast)
    cast.send_room(commands.edit, "room_manager", **{key: draft.pk}, digest=draft.digest, **other)
    draft.refresh_from_db()
    fields = {key: draft.pk, "digest": draft.digest, "effective_from": later(cast), "state_reference": "S"}
    manager, officer = cast.people["room_manager"], cast.people["compliance"]
    refused(cast, commands.file, "compliance", "edited_by_signer", **fields, approver=manager)
    cast.send_room(commands.file, "room_manager", **fields, approver=officer)
    draft.refresh_from_db()
    assert (draft.edited_by, draft.filed_by, draft.approved_by) == (manager, manager, officer)


def test_the_database_refuses_an_editors_signature_by_itself(cast: Cast) -> None:
    draft = schedule(cast, "room_manager")
    draft.status, draft.filed_at, draft.effective_from = "filed", timezone.now(), later(cast)
    draft.state_reference, draft.filed_by = "S", cast.people["compliance"]
    draft.approved_by = cast.people["room_manager"]
    with pytest.raises(IntegrityError, match="not_signed_by_its_editor"), transaction.atomic():
        draft.save()


@pytest.mark.parametrize("commands", [schedules, games])
def test_nobody_withdraws_what_they_have_not_read(cast: Cast, commands: FilingCommands[Any]) -> None:
    key, version = ("game_id", cast.game) if commands is games else ("schedule_id", cast.schedule(1))
    signs = {"reason": "x", "approver": cast.people["room_manager"]}
    refused(
        cast, commands.withdraw, "compliance", "filing_changed", **{key: version.pk}, digest="0" * 64, **signs
    )
    cast.send_room(commands.withdraw, "compliance", **{key: version.pk}, digest=version.digest, **signs)


def test_a_rule_for_tips_is_withdrawn_as_it_was_read(cast: Cast) -> None:
    fields = {"title": "Pool", "sharing": "hours", "support": "none", "effective_from": later(cast)}
    answer = cast.send_room(pool_rule_set, "room_manager", **fields)
    rule = PoolRule.objects.get(pk=answer["rule"])
    assert answer["digest"] == rule.digest
    given = {"rule_id": rule.pk, "reason": "agreed otherwise"}
    refused(cast, pool_rule_withdraw, "room_manager", "filing_changed", **given, digest="0" * 64)
    cast.send_room(pool_rule_withdraw, "room_manager", **given, digest=rule.digest)


def test_the_api_compares_if_match_with_what_the_filing_says(cast: Cast) -> None:
    officer = Caller(cast, "compliance")
    draft = schedule(cast)
    one = f"rooms/{cast.room.pk}/schedules/versions/{draft.pk}"
    read = officer.get(one)
    assert read.headers["ETag"] == f'"{draft.digest}"'
    assert (read.said["digest"], read.said["revision"], read.said["edited_by"]) == (
        draft.digest,
        1,
        str(cast.people["compliance"]),
    )
    for version, status, code in ((0, 400, "bad_if_match"), ("0" * 64, 412, "filing_changed")):
        answer = officer.send("PUT", one, {"document": DEARER}, version=version)
        assert (answer.status, answer.code) == (status, code)
    edited = officer.send("PUT", one, {"document": DEARER}, version=draft.digest)
    assert edited.status == 200
    body = {
        "effective_from": str(later(cast)),
        "state_reference": "S",
        "approver": {"username": "room_manager", "pin": PIN},
    }
    old = officer.post(f"{one}/file", body, version=draft.digest)
    assert (old.status, old.headers["ETag"]) == (412, f'"{edited.said["digest"]}"')
    assert officer.post(f"{one}/file", body, version=edited.said["digest"]).status == 200


def test_a_page_files_what_it_showed(cast: Cast) -> None:
    draft = schedule(cast)
    address = f"/rooms/{cast.room.code}/schedules/9/{draft.version}/"
    officer = Person(cast, "compliance")
    officer.open(address)
    typed = {
        "effective_from": str(later(cast)),
        "state_reference": "S",
        "approver": "room_manager",
        "approver_pin": PIN,
    }
    arguments = {"schedule_id": draft.pk, "digest": draft.digest, "document": DEARER}
    cast.send_room(schedules.edit, "compliance", **arguments)
    answer = officer.post(f"{address}file/", **typed)
    assert answer.status_code == 412
    assert "is not what was read" in answer.content.decode()
    draft.refresh_from_db()
    assert draft.status == "draft"
    # The page shows what it says now, and names that.
    assert officer.post(f"{address}file/", **typed).status_code == 200
    draft.refresh_from_db()
    assert draft.status == "filed"


def test_a_draft_that_another_wrote_meanwhile_is_not_written_over(cast: Cast) -> None:
    draft = schedule(cast)
    address = f"/rooms/{cast.room.code}/schedules/9/{draft.version}/edit/"
    officer = Person(cast, "compliance")
    officer.open(address)
    cast.send_room(schedules.edit, "room_manager", schedule_id=draft.pk, digest=draft.digest, document=DEARER)
    for _ in range(2):  # what was typed is of the old text, however often it is pressed
        assert officer.post(address).status_code == 412
    draft.refresh_from_db()
    assert draft.document == DEARER
