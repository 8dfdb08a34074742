"""A shift report's headline adds up by itself: like with like, the jackpot beside, and a verdict that says what it is based on."""

from __future__ import annotations

import datetime
import json

import pytest
import time_machine
from django.utils import timezone

from cardroom.documents.document import Mark, ReportDocument
from cardroom.documents.export import xlsx_of
from cardroom.documents.pdf import pdf_of
from cardroom.drop.models import DropBox
from cardroom.floor.commands.rounds import bets_close, round_deal, round_void
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.commands.waivers import fee_waive
from cardroom.floor.models import Shift
from cardroom.people.models import Staff
from cardroom.reports.emails.text import report_text
from cardroom.reports.models import ShiftReport, Subscription
from cardroom.reports.periods.document import period_report_document
from cardroom.reports.periods.making import figures_again, period_report_make
from cardroom.reports.periods.period import day_of
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.stored.exports import report_json
from cardroom.reports.stored.verdict import verdict_of
from cardroom.reports.tasks import make_due_reports
from cardroom.tips.commands.entries import tips_hand_in
from cardroom.tips.commands.sheets import pool_close
from tests.drop.room import CountTeam, chips
from tests.drop.test_jackpot import jackpot_placed
from tests.floor.charging import WAIVING, charge
from tests.kept import kept
from tests.pdf_text import pages_of

from ..commands import as_superuser
from ..played_shift import answers, rows


@pytest.fixture
def team(db: None) -> CountTeam:
    """A room at whose table 7 each player pays $1 and fifty cents for the jackpot, and the bank $1; no box hangs."""
    return kept(_team)


def _team() -> CountTeam:
    team = CountTeam().running()
    charge(team, WAIVING)
    return team


def close(team: CountTeam, following: str = "") -> Shift:
    shift = Shift.objects.get(closed_at=None)
    more = {"next_name": following} if following else {}
    team.send_room(shift_close, confirmed=True, shift_id=shift.pk, **more)
    return Shift.objects.get(pk=shift.pk)


def counted(team: CountTeam, box: DropBox, cents: int) -> None:
    team.counted(box, chips(c50=cents // 50))


def report(shift: Shift) -> ShiftReport:
    return shift_report_make(shift.pk)


def ladder(document: ReportDocument, name: str = "drop_ladder") -> dict[str, int | None]:
    return {row["line"]: row["amount_cents"] for row in rows(document, name)}


def waits(document: ReportDocument, name: str) -> str:
    """What the line of what was counted says beside its amount."""
    [said] = [row["detail"] for row in rows(document, name) if row["line"].startswith("Counted")]
    return str(said)


@pytest.fixture
def two_shifts(team: CountTeam) -> tuple[CountTeam, Shift, Shift, list[DropBox]]:
    """Two shifts, and a drop box and a jackpot box of the first that hang over the change; nothing is counted."""
    first, jackpot = team.place(12), jackpot_placed(team)
    team.play({4: 1000, 5: 2000})  # $3, and $1 for the jackpot
    team.bet({4: 1000, 5: 2000})
    team.send(bets_close)
    team.send(round_void, "dealer", reason="device failure", approver=team.people["floor"])  # $3 and $1 back
    day = close(team, "Grave")
    team.bet({4: 1000})  # $2 and 50 cents, of which $2 are waived
    team.send(fee_waive, "floor", rule="short_handed", reason="slow night")
    team.send(bets_close)
    team.send(round_deal)
    team.settle({4: 1000})
    team.drop(first, jackpot)
    second = team.place(13)
    jackpot_placed(team, 108)
    team.bank_to(6)
    team.play({4: 1000, 5: 2000})
    rest = list(DropBox.objects.filter(dropped_at=None))
    team.drop(*rest)
    return team, day, close(team), [first, jackpot, second, rest[-1]]


def test_each_ladder_adds_up_and_the_jackpot_is_in_no_sum_of_the_drop(
    two_shifts: tuple[CountTeam, Shift, Shift, list[DropBox]],
) -> None:
    team, day, grave, boxes = two_shifts
    for box, cents in zip(boxes, (300, 150, 250, 100), strict=True):
        counted(team, DropBox.objects.get(pk=box.pk), cents)
    document = shift_document_of(report(day))
    assert ladder(document) == {
        "Fees": 600,
        "− Refunded": -300,
        "= Drop of the shift": 300,
        "= Expected in 1 box": 300,
        "Counted in 1 box": 300,
        "Over / (short)": 0,
    }
    assert ladder(document, "jackpot_ladder") == {
        "Collected for the jackpot": 100,
        "+ Boxes over a change of shift": 50,
        "= Expected in 1 jackpot box": 150,
        "Counted in 1 jackpot box": 150,
        "Over / (short)": 0,
    }
    document = shift_document_of(report(grave))
    assert ladder(document) == {
        "Fees": 500,
        "− Waived": -200,
        "= Drop of the shift": 300,
        "= Expected in 1 box": 300,
        "Counted in 1 box": 250,
        "Over / (short)": -50,
    }
    assert ladder(document, "jackpot_ladder")["+ Boxes over a change of shift"] == -50
    said = answers(document)
    assert (said["verdict"], said["count_difference_cents"]) == ("$0.50 short", -50)
    [over] = [answer for answer in document.answers if answer.name == "count_difference_cents"]
    assert over.text == "counted $2.50 of $3 in 1 box, $0.50 short"
    [jackpot] = [answer for answer in document.answers if answer.name == "jackpot_cents"]
    assert (jackpot.value, jackpot.text) == (150, "in boxes of its own, counted $1, even")


def test_page_paper_sheet_mail_and_json_show_the_same_ladder(
    two_shifts: tuple[CountTeam, Shift, Shift, list[DropBox]],
) -> None:
    team, _, grave, boxes = two_shifts
    for box, cents in zip(boxes, (300, 150, 250, 100), strict=True):
        counted(team, DropBox.objects.get(pk=box.pk), cents)
    stored = report(grave)
    document = shift_document_of(stored)
    pdf = pdf_of(document, printed_by="a test", printed_at="now")
    paper = " ".join("\n".join(pages_of(pdf)).split()).replace("-", "−")
    for line in (*ladder(document), *ladder(document, "jackpot_ladder"), "$0.50 short", "Box 13 −$0.50"):
        assert line in paper, line
    subscription = Subscription(what="shift_report", made_by=Staff.objects.first(), address="a@example.com")
    words = report_text(document, "/", subscription)
    assert words.subject.endswith("– $0.50 short: Box 13 −$0.50; tip sheet open") or words.subject.endswith(
        "– $0.50 short: Box 13 −$0.50"
    )
    assert "= Drop of the shift" in words.body and "Jackpot, in boxes of its own:" in words.body
    data = json.loads(report_json(stored))
    assert [each["name"] for each in data["ladders"]] == ["drop_ladder", "jackpot_ladder"]
    assert data["verdict"]["word"] == "$0.50 short"
    assert xlsx_of(document)


def test_a_day_adds_its_shifts_up_and_boxes_over_a_change_cancel_out(
    two_shifts: tuple[CountTeam, Shift, Shift, list[DropBox]],
) -> None:
    team, day, _, boxes = two_shifts
    for box, cents in zip(boxes, (300, 150, 250, 100), strict=True):
        counted(team, DropBox.objects.get(pk=box.pk), cents)
    make_due_reports()
    with time_machine.travel(timezone.now() + datetime.timedelta(days=2)):
        period_report = period_report_make(day_of(team.room, day.gaming_day))
    assert figures_again(period_report) == period_report.figures
    document = period_report_document(period_report)
    assert ladder(document) == {
        "Fees": 1100,
        "− Waived": -200,
        "− Refunded": -300,
        "= Drop": 600,
        "= Expected in 2 boxes": 600,
        "Counted in 2 boxes": 550,
        "Over / (short)": -50,
    }
    assert ladder(document, "jackpot_ladder") == {
        "Collected for the jackpot": 250,
        "= Expected in 2 jackpot boxes": 250,
        "Counted in 2 jackpot boxes": 250,
        "Over / (short)": 0,
    }
    assert [row["counted_cents"] for row in rows(document, "shifts")] == [300, 250]


# --- The verdict ------------------------------------------------------------------------------------------------------------


def test_a_first_shift_without_a_box_and_with_an_open_tip_sheet_is_not_over_and_ties_out(
    team: CountTeam,
) -> None:
    team.play({4: 1000, 5: 2000})  # a supervisor lets the table collect without a box
    shift = close(team)
    team.send_room(tips_hand_in, "floor", shift_id=shift.pk, dealer_id=team.people["dealer"].pk, cents=200)
    verdict = verdict_of(report(shift))
    without = "$3 collected without a drop box; $1 collected without a jackpot box"
    assert verdict == ("not over yet", f"tip sheet open; {without}", Mark.LOOK)
    team.send_room(pool_close, "shift_manager", shift_id=shift.pk, total_cents=200)
    assert verdict_of(report(shift)) == ("ties out", without, Mark.LOOK)


def test_what_is_not_counted_is_named_and_a_shift_that_is_whole_ties_out(team: CountTeam) -> None:
    boxes = [team.place(12), jackpot_placed(team)]
    team.play({4: 1000, 5: 2000})
    team.drop(*boxes)
    shift = close(team)
    assert verdict_of(report(shift)) == ("not over yet", "2 boxes not counted", Mark.LOOK)
    document = shift_document_of(report(shift))
    assert (waits(document, "drop_ladder"), waits(document, "jackpot_ladder")) == ("1 not counted",) * 2
    [over] = [answer for answer in document.answers if answer.name == "count_difference_cents"]
    assert over.text == "1 box not counted", "the jackpot's is none of the drop's"
    counted(team, boxes[0], 300)
    counted(team, boxes[1], 100)
    assert verdict_of(report(shift)) == ("ties out", "", Mark.DONE)


def test_what_does_not_tie_out_is_named(team: CountTeam) -> None:
    box = team.place(12)
    team.play({4: 1000, 5: 2000})
    team.drop(box)
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET bank_fee_cents = bank_fee_cents + 100")
    verdict = verdict_of(report(close(team)))
    assert (verdict.word, verdict.mark) == ("does not tie out", Mark.STOP)
    assert verdict.text.startswith(
        "bank fees at Table 7: transfers $1, rounds $2, quotes $1; drop expected at Table 7:"
    )
