"""Sessions of a provider, with hand-overs and counts of its rack, in its statement and in the report on sessions."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from cardroom.documents.document import ReportDocument
from cardroom.documents.export import csv_of
from cardroom.floor.commands.racks import rack_close, rack_open
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.models import Transfer
from cardroom.people.models import Provider
from cardroom.people.names import named
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.providers.statement import statement_report
from cardroom.reports.queries.parser import report_query_of
from cardroom.reports.queries.query import Report
from tests.cast import JACK_HIGH, Cast
from tests.floor.test_racks import hand_over, levee

__all__ = ["levee"]


@pytest.fixture
def relieved(levee: Cast) -> Cast:
    """Cy opens with $10,000 and banks a round; Hal takes over with $10,010, banks another, closes with $9,990 and leaves."""
    levee.send(rack_open, "floor", seat=3, cents=1_000_000)
    levee.play({4: 1000}, hands={4: JACK_HIGH})
    hand_over(levee, cents=1_001_000)
    levee.play({4: 2000})
    levee.send(rack_close, "floor", seat=3, cents=999_000)
    levee.send(player_leave, seat=3)
    return levee


def drawn(cast: Cast, report: Report) -> ReportDocument:
    return named(report.make(report_query_of(report, cast.room, cast.people["compliance"], timezone.now())))


def rows(made: ReportDocument, name: str) -> list[dict[str, Any]]:
    grid = made.grid(name)
    assert grid is not None
    return [dict(row.values) for row in grid.rows]


def test_the_statement_says_who_banked_when_in_one_turn(relieved: Cast) -> None:
    made = drawn(relieved, statement_report(Provider.objects.get(name="Levee")))
    people = {row["player"]: row for row in rows(made, "people")}
    assert {name: (row["turns"], row["rounds"]) for name, row in people.items()} == {
        "Cy": (1, 1),
        "Hal": (0, 1),
    }
    turns = rows(made, "turns")
    assert [(row["player"], row["rounds"]) for row in turns] == [("Cy", 1), ("Hal", 1)]
    assert turns[0]["began_at"] == turns[1]["began_at"]
    won = sum(each.cents for each in Transfer.objects.filter(kind="take", round__bank_player__name="Cy"))
    assert turns[0]["won_cents"] == won == 2000
    answers = {answer.name: answer.value for answer in made.answers}
    assert (answers["turns"], answers["rounds"], answers["difference_cents"]) == (1, 2, 0)


@pytest.mark.parametrize("name", ["statement", "provider-sessions"])
def test_sessions_and_counts_of_the_rack_are_listed(relieved: Cast, name: str) -> None:
    report = REPORTS[name] if name in REPORTS else statement_report(Provider.objects.get(name="Levee"))
    made = drawn(relieved, report)
    [session] = rows(made, "sessions")
    assert (session["players"], session["hand_overs"], session["table"]) == ("Cy, Hal", 1, 7)
    assert (session["opening_cents"], session["closing_cents"], session["change_cents"]) == (
        1_000_000,
        999_000,
        -1000,
    )
    assert [
        (row["kind"], row["relieved"], row["player"], row["rack_cents"], row["bank"])
        for row in rows(made, "rack_counts")
    ] == [
        ("opening count", "", "Cy", 1_000_000, ""),
        ("hand-over", "Cy", "Hal", 1_001_000, "held the bank"),
        ("closing count", "", "Hal", 999_000, ""),
    ]
    grid = made.grid("rack_counts")
    assert grid is not None and "10010.00" in csv_of(grid)


def test_another_providers_statement_tells_nothing_of_them(relieved: Cast) -> None:
    other = Provider.objects.exclude(name="Levee").filter(room=relieved.room).get()
    made = drawn(relieved, statement_report(other))
    assert (rows(made, "sessions"), rows(made, "rack_counts")) == ([], [])


def test_the_report_adds_up_by_provider_and_says_what_was_not_counted(relieved: Cast) -> None:
    made = drawn(relieved, REPORTS["provider-sessions"])
    assert rows(made, "providers") == [{"provider": "Levee", "sessions": 1, "hand_overs": 1, "uncounted": 0}]
    assert rows(made, "sessions")[0]["provider"] == "Levee"


@pytest.mark.parametrize("name", ["rotation", "what-if", "exceptions"])
def test_no_report_on_the_rotation_calls_a_hand_over_an_exception(relieved: Cast, name: str) -> None:
    made = drawn(relieved, REPORTS[name])
    answers = {answer.name: answer.value for answer in made.answers}
    found = {each: answers[each] for each in ("exceptions", "rotation") if each in answers}
    assert found and not any(found.values()), answers
