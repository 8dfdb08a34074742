"""The pages of a room's fee schedules: who sees what, what a version charges and changes."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable

import pytest
from django.utils import timezone

from cardroom.filings import services
from cardroom.filings.models import FeeSchedule
from cardroom.rooms.gaming_day import gaming_day
from games.registry import load_rulebook
from tests.cast import Cast
from tests.fees.documents import OPTION_1, band, player, with_lines
from tests.filing import schedule_draft
from tests.web.conftest import Person

STEPS = with_lines(player(100), band(500, 10000, 100), band(10100, 50000, 200), band(50100, None, 500))
Who = Callable[[str], Person]


@pytest.fixture
def second(cast: Cast) -> FeeSchedule:
    """A draft of the next version of the room's own schedule 3, with two jumps."""
    by, since = cast.people["compliance"], datetime.date(2025, 1, 1)
    first = schedule_draft(room=cast.room, number=3, document=OPTION_1, by=by)
    services.file(first, by=by, effective_from=since, state_reference="BGC 6")
    return schedule_draft(room=cast.room, number=3, document=STEPS, by=by)


def address(cast: Cast, rest: str = "") -> str:
    return f"/rooms/{cast.room.code}/schedules/{rest}"


def test_filed_versions_are_listed_with_which_is_in_force(cast: Cast, person: Who) -> None:
    page = person("dealer").open(address(cast)).content.decode()
    assert page.count("✓ in force") == 2
    assert "Schedule 1" in page
    assert "Draft and file" not in page


def test_a_draft_is_there_for_those_alone_who_file(cast: Cast, second: FeeSchedule, person: Who) -> None:
    for role, found in [("compliance", True), ("room_manager", True), ("floor", False), ("inspector", False)]:
        listed = "✎ draft" in person(role).open(address(cast)).content.decode()
        answer = person(role).open(address(cast, "3/2/"))
        assert (listed, answer.status_code) == (found, 200 if found else 404), role


def test_a_version_shows_its_jumps_and_what_it_changes(cast: Cast, second: FeeSchedule, person: Who) -> None:
    page = person("compliance").open(address(cast, "3/2/")).content.decode()
    assert "$500 → $501 costs the player-dealer $3 more" in page
    assert "player-dealer band of total table action from $501" in page
    assert "was not there" in page
    assert page.count("<rect ") == 3


def test_a_first_version_has_nothing_to_be_compared_with(cast: Cast, person: Who) -> None:
    page = person("compliance").open(address(cast, "1/1/")).content.decode()
    assert "Against version" not in page
    assert "$100 → $101 costs the player-dealer $1 more" in page


def test_a_version_names_the_game_that_it_is_for(cast: Cast, person: Who) -> None:
    page = person("dealer").open(address(cast, "1/1/")).content.decode()
    book = load_rulebook(cast.schedule(1).rulebook)
    assert f">{book.name}</a>, {book.document.jurisdiction}</dd>" in page


def test_a_draft_that_is_not_legal_says_why_line_by_line(cast: Cast, person: Who) -> None:
    schedule_draft(room=cast.room, number=1, document=with_lines(player(100)), by=cast.people["compliance"])
    page = person("compliance").open(address(cast, "1/2/")).content.decode()
    assert "This draft cannot be filed yet." in page
    assert "no line says what the player-dealer pays" in page
    assert "<svg" not in page


def test_the_document_comes_as_a_file_as_it_was_filed(cast: Cast, second: FeeSchedule, person: Who) -> None:
    answer = person("compliance").open(address(cast, "3/2.json"))
    assert json.loads(answer.content) == STEPS
    assert "schedule-3-version-2.json" in answer["Content-Disposition"]


def test_an_outsider_finds_no_schedules(cast: Cast, person: Who) -> None:
    for rest in ("", "1/1/", "1/1.json"):
        assert person("outsider").open(address(cast, rest)).status_code == 404


def test_a_version_that_comes_is_not_in_force_yet(cast: Cast, second: FeeSchedule, person: Who) -> None:
    comes = gaming_day(cast.room, timezone.now()) + datetime.timedelta(days=9)
    services.file(second, by=cast.people["compliance"], effective_from=comes, state_reference="BGC 7")
    page = person("inspector").open(address(cast)).content.decode()
    assert page.count("✓ in force") == 3  # of schedule 3 the first version still
    assert "BGC 7" in page
