"""A shift in which everything happens that a report shows, played through the services by the cast."""

from __future__ import annotations

import datetime
from typing import Any

import time_machine
from django.utils import timezone

from cardroom.documents.document import ReportDocument
from cardroom.floor.commands.bank import offer_answer, turn_end
from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_void,
)
from cardroom.floor.models import Round, Shift
from cardroom.people import names
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from cardroom.reports.queries.query import ReportQuery
from tests.cast import Cast, sheet
from tests.floor.test_corrections import as_recorded
from tests.kept import kept

#: What a spreadsheet would run, and a page too, were it not escaped as a name.
FORMULA = '=cmd("<b>")'
ANTES = {4: 1000, 5: 2000}


def named(cast: Cast, antes: dict[int, int], **more: Any) -> dict[str, Any]:
    """A whole sheet under the names that the players have now."""
    fields = sheet(antes, **more)
    for position in fields["positions"]:
        position["player"] = cast.players[position["seat"]].name
    return fields


def play_shift(cast: Cast) -> Shift:
    """Play at table 7, in the gaming day of now.

    Seat 4 is called by a formula. Rounds 1 and 2 are settled under seat 3's bank, which runs out in the second; seat 4
    takes the bank, round 3 is void before the deal, round 4 after it, round 5 is settled, and round 1 is corrected.
    """
    player = cast.players[4]
    player.name = FORMULA
    player.save()
    cast.open()
    cast.bank_to(3)
    cast.send(round_record, "dealer", sheet=named(cast, ANTES))
    cast.send(round_record, "dealer", sheet=named(cast, {4: 6050, 5: 5000, 1: 1500}, wager=3000))
    cast.send(offer_answer, "dealer", seat=4, answer="accepted")
    for after_deal in (False, True):
        deal(cast, {1: 1000, 5: 2500}, after_deal=after_deal)
        cast.send(round_void, "dealer", reason="@misdealt", approver=cast.people["shift_manager"])
    cast.send(round_record, "dealer", sheet=named(cast, {1: 1000, 5: 2500}, bank=4))
    record = as_recorded(Round.objects.earliest("pk"))
    record["positions"][0] |= {"hand": "Js Jh 5c", "wagers": {"ante": 1500}}
    cast.send(round_correct, "dealer", **record, reason="+misread", approver=cast.people["floor"])
    return Shift.objects.get()


def play_hours(cast: Cast, clock: time_machine.Traveller, hours: int) -> None:
    """One round of a $10 ante in each of so many hours, each banked by another seat."""
    for _ in range(hours):
        seat = cast.state().step.seat
        assert seat is not None
        cast.bank_to(seat)
        cast.send(round_record, "dealer", sheet=sheet({1 if seat != 1 else 2: 1000}, bank=seat))
        cast.send(turn_end, "floor", reason="the next one banks")
        clock.shift(datetime.timedelta(hours=1))


def played_cast() -> Cast:
    """The cast, and the shift of `play_shift` behind it."""
    return kept(_played)


def _played() -> Cast:
    cast = Cast()
    play_shift(cast)
    return cast


def deal(cast: Cast, antes: dict[int, int], *, after_deal: bool) -> None:
    """A round up to "no more bets", or to the first card."""
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    bets = [{"seat": seat, "wagers": {"ante": cents}} for seat, cents in antes.items()]
    cast.send(bets_place, "dealer", positions=bets)
    cast.send(bets_close, "dealer")
    if after_deal:
        cast.send(round_deal, "dealer")


def question(cast: Cast, name: str, now: datetime.datetime | None = None, **asked: Any) -> ReportQuery:
    """What the compliance officer asks of a report of the catalogue."""
    return report_query_of(
        REPORTS[name], cast.room, cast.people["compliance"], now or timezone.now(), **asked
    )


def drawn(cast: Cast, name: str, **asked: Any) -> ReportDocument:
    """The report of that name as a document."""
    return names.named(REPORTS[name].draw(question(cast, name, **asked)))


def rows(document: ReportDocument, grid: str) -> list[dict[str, Any]]:
    """The values of a grid's rows."""
    found = document.grid(grid)
    assert found is not None, [each.name for each in document.grids]
    return [dict(row.values) for row in found.rows]


def answers(document: ReportDocument) -> dict[str, Any]:
    """The answers by name."""
    return {answer.name: answer.value for answer in document.answers}
