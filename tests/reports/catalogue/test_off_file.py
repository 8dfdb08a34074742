"""Rounds that were played on something that is not filed are in the exception report, each with what it lacked."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.documents.document import Mark
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.models import Round
from cardroom.reports.verification.fee_audit import audit_fees
from cardroom.rooms.models import Room
from tests.cast import Cast, sheet
from tests.kept import kept

from ..commands import as_superuser
from ..played_shift import answers, drawn, rows


@pytest.fixture
def cast(db: None) -> Cast:
    """Two settled rounds on what is filed."""
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast().running()
    for _ in range(2):
        cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2500}))
    return cast


def altered(**columns: Any) -> None:
    """Let the rounds have been played otherwise, as imported or older rows were."""
    with as_superuser():
        Round.objects.update(**columns)


def found(cast: Cast) -> list[dict[str, Any]]:
    return rows(drawn(cast, "exceptions"), "off_file")


def test_rounds_on_what_is_filed_are_none_of_them(cast: Cast) -> None:
    document = drawn(cast, "exceptions")
    assert answers(document)["off_file"] == 0
    assert rows(document, "off_file") == []


def test_an_older_round_that_names_no_filing_but_was_played_as_one_says_is_none_of_them(cast: Cast) -> None:
    altered(game=None)
    assert found(cast) == []


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"game": None, "options": {"coverage": "net"}}, "no filed game in force says what was played"),
        ({"game": None, "rotation": "every_hand"}, "no filed game in force says what was played"),
        ({"options": {"coverage": "net"}}, "otherwise than"),
        ({"rotation": "every_hour"}, "rotation profile every_hour was not in force"),
        ({"rotation": "forty_minutes"}, "rotation profile forty_minutes was not in force"),
        ({"schedule": None, "schedule_version": None}, "neither a filed schedule nor a rake"),
        ({"rulebook": "designated_player"}, "rulebook designated_player is foreign to California"),
        ({"game": None, "options": {"jokers": 2}}, "no filed game in force says what was played"),
    ],
)
def test_a_round_on_anything_else_is_listed_with_what_it_lacked(
    cast: Cast, columns: dict[str, Any], why: str
) -> None:
    altered(**columns)
    document = drawn(cast, "exceptions")
    (row,) = rows(document, "off_file")
    assert (row["table"], row["rounds"], row["count"]) == (7, "1 to 2", 2)
    assert why in row["why"]
    assert answers(document)["off_file"] == 2
    (mark,) = [each.mark for each in document.answers if each.name == "off_file"]
    assert mark is Mark.STOP


def test_a_filing_that_was_not_in_force_on_the_gaming_day_is_named(cast: Cast) -> None:
    day = Round.objects.earliest("pk").gaming_day
    for model in (GameFiling, FeeSchedule):
        model.objects.filter(room=cast.room).update(status="withdrawn", effective_to=day)
    (row,) = found(cast)
    assert row["why"].count("was not in force") == 2


def test_a_room_of_another_jurisdiction_lists_its_rounds(cast: Cast) -> None:
    Room.objects.filter(pk=cast.room.pk).update(jurisdiction="south_dakota")
    cast.room.refresh_from_db()
    (row,) = found(cast)
    assert row["why"] == "rulebook california is foreign to South Dakota"


def test_rounds_that_lack_different_things_stand_apart(cast: Cast) -> None:
    first, second = Round.objects.order_by("number")
    with as_superuser():
        Round.objects.filter(pk=second.pk).update(rotation="every_hour")
    (row,) = found(cast)
    assert (row["rounds"], row["count"]) == (str(second.number), 1)
    with as_superuser():
        Round.objects.filter(pk=first.pk).update(schedule=None)
    assert [each["rounds"] for each in found(cast)] == [str(first.number), str(second.number)]


def test_their_fees_are_computed_again_all_the_same(cast: Cast) -> None:
    altered(game=None, options={"coverage": "net"})
    outcome = audit_fees(Round.objects.all(), [cast.room.shifts.get().pk])
    assert outcome.rounds == 2
