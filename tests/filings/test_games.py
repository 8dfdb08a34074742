"""Games as filings: drafting, filing, superseding, withdrawing, and what the database keeps."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from cardroom.filings import services
from cardroom.filings.errors import FilingConflict, FilingError
from cardroom.filings.models import GameFiling
from cardroom.filings.selectors import in_force
from cardroom.people.models import Employment, Role, Staff
from cardroom.rooms.models import Room
from tests.filing import game_draft

from .conftest import LONG_AGO, TODAY

TOMORROW = TODAY + datetime.timedelta(days=1)
OWN = {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1}


@pytest.fixture
def filer(room: Room) -> Staff:
    person = Staff.objects.create(username="filer", display_name="Ada")
    Employment.objects.create(staff=person, room=room, role=Role.COMPLIANCE)
    return person


def drafted(room: Room, by: Staff, **more: Any) -> GameFiling:
    return game_draft(**{"room": room, "number": 1, "rulebook": "california", "by": by, **more})


def filed(room: Room, by: Staff, effective_from: datetime.date = LONG_AGO, **more: Any) -> GameFiling:
    return services.file(
        drafted(room, by, **more),
        by=by,
        effective_from=effective_from,
        state_reference="GEGA-000123",
    )


def code_of(raised: pytest.ExceptionInfo[FilingError]) -> str:
    return raised.value.code


def test_a_filing_plays_its_rulebook_with_the_rooms_options(room: Room, filer: Staff) -> None:
    room.jurisdiction = "designated_player"
    room.save()
    game = filed(room, filer, rulebook="designated_player", options={"pair_plus_table": OWN})
    assert game.terms.options["pair_plus_table"] == OWN
    assert game.terms.pair_plus_requires_win is False
    assert str(game) == "3 Card Poker, version 1"


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"rulebook": "nevada"}, "unknown_rulebook", "rulebook"),
        ({"number": 0}, "bad_number", "number"),
        ({"options": {"coverage": "half"}}, "bad_option", "options.coverage"),
        ({"options": {"jokers": 2}}, "unknown_option", "options.jokers"),
        ({"options": {"fee_schedule": 1}}, "collected_elsewhere", "options.fee_schedule"),
        ({"options": {"house_rake": {"mode": "all", "cents": 1}}}, "unknown_option", "options.house_rake"),
        ({"rulebook": "massachusetts"}, "rulebook_of_another_jurisdiction", "rulebook"),
        ({"rulebook": "designated_player"}, "rulebook_of_another_jurisdiction", "rulebook"),
        ({"rotation": "hourly"}, "unknown_rotation", "rotation"),
        ({"rotation": "every_hour"}, "rotation_not_in_force", "rotation"),
        ({"rotation": "forty_minutes"}, "rotation_not_in_force", "rotation"),
    ],
)
def test_what_the_rulebook_does_not_know_is_no_draft(
    changes: dict[str, Any], code: str, path: str, room: Room, filer: Staff
) -> None:
    with pytest.raises(FilingError) as raised:
        drafted(room, filer, **changes)
    assert (code_of(raised), raised.value.path) == (code, path)
    assert not GameFiling.objects.exists()


def test_a_number_has_one_draft_at_a_time(room: Room, filer: Staff) -> None:
    drafted(room, filer)
    with pytest.raises(FilingConflict) as raised:
        drafted(room, filer)
    assert code_of(raised) == "draft_exists"
    assert drafted(room, filer, number=2).version == 1


def test_a_draft_is_edited_and_a_filed_version_is_not(room: Room, filer: Staff) -> None:
    draft = drafted(room, filer)
    edited = services.edit(draft, by=filer, options={"coverage": "net"}, title="Net game")
    assert (edited.title, edited.terms.coverage) == ("Net game", "net")
    game = services.file(edited, by=filer, effective_from=LONG_AGO, state_reference="GEGA-1")
    with pytest.raises(FilingConflict) as raised:
        services.edit(game, by=filer, options={}, title="Other")
    assert code_of(raised) == "not_a_draft"
    assert GameFiling.objects.get().options == {"coverage": "net"}


def test_a_filing_names_the_states_number(room: Room, filer: Staff) -> None:
    with pytest.raises(FilingError) as raised:
        services.file(drafted(room, filer), by=filer, effective_from=TODAY, state_reference=" ")
    assert code_of(raised) == "state_reference_missing"
    assert GameFiling.objects.get().status == "draft"


def test_the_next_version_takes_the_place_of_the_one_before_from_tomorrow_on(
    room: Room, filer: Staff
) -> None:
    first = filed(room, filer)
    draft = drafted(room, filer, options={"coverage": "net"})
    with pytest.raises(FilingConflict) as raised:
        services.file(draft, by=filer, effective_from=TODAY, state_reference="GEGA-2")
    assert code_of(raised) == "too_early"
    second = services.file(draft, by=filer, effective_from=TOMORROW, state_reference="GEGA-2")
    first.refresh_from_db()
    assert (first.status, first.effective_to) == ("superseded", TOMORROW)
    assert [list(in_force(GameFiling, room, day)) for day in (TODAY, TOMORROW)] == [[first], [second]]


@pytest.mark.postgresql
def test_a_withdrawal_has_a_reason_and_begins_tomorrow(room: Room, filer: Staff) -> None:
    game = filed(room, filer)
    for arguments, code in (
        ({"reason": " "}, "reason_missing"),
        ({"reason": "no longer offered", "effective_to": TODAY}, "too_early"),
    ):
        with pytest.raises(FilingError) as raised:
            services.withdraw(game, by=filer, **arguments)
        assert code_of(raised) == code
    services.withdraw(game, by=filer, reason="no longer offered")
    assert list(in_force(GameFiling, room, TODAY)) == [game]
    assert not in_force(GameFiling, room, TOMORROW).exists()


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE filings_gamefiling SET title = 'x'", "stays as it was filed"),
        ("UPDATE filings_gamefiling SET options = '{}'", "stays as it was filed"),
        ("UPDATE filings_gamefiling SET status = 'draft'", "stays as it was filed"),
        ("DELETE FROM filings_gamefiling", "never deleted"),
    ],
)
def test_the_database_keeps_what_was_filed(sql: str, words: str, room: Room, filer: Staff) -> None:
    filed(room, filer, options={"coverage": "net"})
    with (
        pytest.raises(IntegrityError, match=words),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)
