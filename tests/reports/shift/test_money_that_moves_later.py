"""Jackpot cents, refunds and waivers where money moves later: exceptions, the round log, corrections; and fees by game."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from cardroom.documents.document import ReportDocument
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import bets_close, round_void
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.models import Round, Shift
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from cardroom.reports.shift.document import shift_document_of
from tests.cast import Cast
from tests.floor.charging import WAIVING, charge
from tests.floor.test_corrections import as_recorded
from tests.floor.test_filed_by_eye import BACCARAT, BLACKJACK, FiledRoom
from tests.floor.test_waivers import waive
from tests.kept import kept

from ..commands import close_shift, report


def document(cast: Cast, name: str, **asked: Any) -> ReportDocument:
    staff = cast.people["compliance"]
    return REPORTS[name].make(report_query_of(REPORTS[name], cast.room, staff, timezone.now(), **asked))


def rows(made: ReportDocument, name: str) -> list[dict[str, Any]]:
    grid = made.grid(name)
    assert grid is not None
    return [dict(row.values) for row in grid.rows]


@pytest.fixture
def cast(db: None) -> Cast:
    """Round 1 is settled, round 2 waived for the bank and void after its fees; each has $1 for the jackpot."""
    return kept(_cast)


def _cast() -> Cast:
    cast = Cast().running()
    charge(cast, WAIVING)
    cast.hang_box(107, kind="jackpot")
    cast.play({4: 1000, 5: 2000})
    cast.bet({4: 1000, 5: 2000})
    waive(cast, "bank_free")
    cast.send(bets_close)
    cast.send(round_void, reason="device failure", approver=cast.people["shift_manager"])
    return cast


def test_a_void_tells_what_was_refunded_of_both_boxes(cast: Cast) -> None:
    made = document(cast, "exceptions")
    [void] = rows(made, "voids")
    assert (void["fees_cents"], void["given_back_cents"]) == (200, 200)
    assert (void["jackpot_cents"], void["jackpot_given_back_cents"]) == (100, 100)
    refunded = next(answer for answer in made.answers if answer.name == "refunded_cents")
    assert (refunded.value, refunded.text) == (300, "$1 of it from jackpot boxes")
    shown = {row["what"]: row["detail"] for row in rows(shift_document_of(report(cast)), "to_look_at")}
    assert shown["Rounds void"] == "0 after the deal, $3 refunded"


def test_the_round_log_has_jackpot_and_waived_as_the_collection_has_them(cast: Cast) -> None:
    log = rows(document(cast, "rounds"), "rounds")
    assert [(row["jackpot_cents"], row["waived_cents"]) for row in log] == [(100, 0), (0, 100)]
    [table] = rows(document(cast, "collection"), "tables")
    for name in ("jackpot_cents", "waived_cents", "drop_cents"):
        assert table[name] == sum(row[name] for row in log), name


def test_a_correction_tells_what_it_moves_of_the_jackpot(cast: Cast) -> None:
    close_shift(cast)
    cast.send_room(shift_open, name="Grave")
    record = as_recorded(Round.objects.get(number=1))
    record["positions"] = record["positions"][:1]
    cast.send(
        round_correct,
        **record,
        reason="seat 5 was not in play",
        approver=cast.people["floor"],
        drop="as_due",
    )
    first, later = Shift.objects.order_by("pk")
    moved = Round.objects.get(revision=1)
    assert moved.jackpot_cents == 50
    [since] = rows(document(cast, "corrected-since", shift=first.pk), "corrected")
    assert (since["jackpot_expected_cents"], since["drop_expected_cents"]) == (-50, -100)
    made = document(cast, "exceptions", shift=later.pk)
    [correction] = rows(made, "corrections")
    assert (correction["jackpot_cents"], correction["drop_cents"]) == (-50, -100)
    text = {answer.name: answer.text for answer in document(cast, "collection", shift=first.pk).answers}
    assert text["drop_cents"] == "−$1 since, by later corrections"
    assert text["jackpot_cents"] == "−$0.50 since, by later corrections"


def test_fees_stand_under_the_filed_game_and_its_approval(db: None) -> None:
    cast = FiledRoom(BACCARAT)
    cast.start()
    names = []
    for number in (BACCARAT, BLACKJACK):
        if number != BACCARAT:
            cast.play_on(number)
        cast.bank_to(2)
        spot = next(iter(cast.table.game.book.wagers))  # type: ignore[union-attr]
        cast.finish([{"seat": 1, "wagers": {spot: 2000}}])
        names.append((cast.table.game.title, cast.table.game.state_reference))  # type: ignore[union-attr]
    made = report(cast)
    query = report_query_of(REPORTS["collection"], cast.room, cast.people["shift_manager"], timezone.now())
    collection = REPORTS["collection"].make(query)
    for rows_ in (rows(collection, "games"), rows(shift_document_of(made), "games")):
        assert [(row["game"], row["reference"]) for row in rows_] == names
        assert sum(row["drop_cents"] for row in rows_) == made.typed_figures["total"]["drop_expected_cents"]
        assert all(row["rounds"] == 1 and row["drop_cents"] > 0 for row in rows_)
