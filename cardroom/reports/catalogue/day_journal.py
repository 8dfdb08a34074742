"""Report on the day's journal: what the reports of shifts come to as entries of a double-entry bookkeeping, to be posted by account.

Fees are earned as they are dropped and lie in boxes until these are counted; what was counted otherwise is over or short. Tips are
the employees': what is held for them is owed to them. Each entry has a debit and a credit, so that a day adds up to nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.urls import reverse

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.people.rights import Right
from cardroom.rooms.account_numbers import ACCOUNTS

from ..models import ShiftReport
from ..queries.query import Report, ReportQuery
from ..sections.count import counted_cents, expected_cents
from ..summary.key_figures import key_figures_of

_ENTRIES: Final = (
    Column("gaming_day", "Gaming day", Kind.DAY),
    Column("account_number", "Account no."),
    Column("account", "Account"),
    Column("debit_cents", "Debit", Kind.MONEY, adds=True),
    Column("credit_cents", "Credit", Kind.MONEY, adds=True),
    Column("text", "What"),
    Column("source", "From"),
)
_ACCOUNTS: Final = (
    Column("account_number", "Account no."),
    Column("account", "Account"),
    Column("debit_cents", "Debit", Kind.MONEY, adds=True),
    Column("credit_cents", "Credit", Kind.MONEY, adds=True),
    Column("balance_cents", "Debit less credit", Kind.MONEY, adds=True),
)
_WAITING: Final = (Column("shift", "Shift"), Column("why", "Why not"))
_NOTES: Final = (
    "Entries are made of the current reports of shifts. A report that is restated later changes its day: post the difference.",
    "A shift that has no report yet has no entries; boxes that are not counted stay in their account, as does what was collected without a box.",
    "Of the count the boxes of the shift are posted on its gaming day, whenever they were counted.",
    "Tips are owed to employees from the moment they are won or handed in; the tips report says what each is paid, by occupation.",
    "Progressive meters, buy-ins of players among themselves and wagers are no money of the house, and are not posted.",
    "Numbers of accounts are the room's settings.",
)


class _Entry(NamedTuple):
    """An amount in cents from one account to another: below 0, the other way round."""

    debit: str
    credit: str
    cents: int
    text: str


class _Side(NamedTuple):
    """One side of an entry: one of the two amounts is 0."""

    account: str
    debit_cents: int
    credit_cents: int
    text: str


def day_journal(query: ReportQuery) -> ReportDocument:
    """Tell the entries of the gaming days asked about."""
    current = ShiftReport.objects.filter(shift__in=query.shifts, restatement__isnull=True)
    reports = {report.shift_id: report for report in current.select_related("shift", "room")}
    numbers = query.room.account_number_of
    rows: list[Row] = []
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for shift in query.shifts:
        if (report := reports.get(shift.pk)) is None:
            continue
        for entry in _entries(report):
            for side in _sides(entry):
                sums[side.account][0] += side.debit_cents
                sums[side.account][1] += side.credit_cents
                rows.append(_row(report, numbers.get(side.account, ""), side))
    debited, credited = (sum(each[at] for each in sums.values()) for at in (0, 1))
    waiting = [
        Row(
            {
                "shift": str(shift),
                "why": "it is open" if shift.closed_at is None else "its report is not made yet",
            },
            mark=Mark.LOOK,
        )
        for shift in query.shifts
        if shift.pk not in reports
    ]
    accounts = [
        Row(
            {
                "account_number": numbers.get(account, ""),
                "account": ACCOUNTS[account],
                "debit_cents": sums[account][0],
                "credit_cents": sums[account][1],
                "balance_cents": sums[account][0] - sums[account][1],
            }
        )
        for account in ACCOUNTS
        if account in sums
    ]
    return query.document(
        "day-journal",
        "Bookkeeping by account",
        answers=[
            Answer("debit_cents", "Debits", debited, Kind.MONEY),
            Answer(
                "difference_cents",
                "Debits less credits",
                debited - credited,
                Kind.MONEY,
                Mark.STOP if debited != credited else Mark.DONE,
            ),
            Answer(
                "boxes_cents",
                "In boxes not counted",
                sums["boxes"][0] - sums["boxes"][1] if "boxes" in sums else 0,
                Kind.MONEY,
            ),
            Answer(
                "waiting",
                "Shifts not posted",
                len(waiting),
                Kind.COUNT,
                Mark.LOOK if waiting else Mark.DONE,
            ),
        ],
        grids=[
            Grid("entries", "Entries", _ENTRIES, rows, empty="No shift of this time is reported."),
            Grid("accounts", "By account", _ACCOUNTS, accounts, empty="No shift of this time is reported."),
            *([Grid("waiting", "Not posted", _WAITING, waiting)] if waiting else []),
        ],
        notes=_NOTES,
    )


def _entries(report: ShiftReport) -> Iterator[_Entry]:
    """What a shift's report comes to."""
    total: Mapping[str, Any] = report.typed_figures["total"]
    yield _Entry("boxes", "player_fees", total["player_fees_cents"], "Player fees dropped")
    yield _Entry("boxes", "bank_fees", total["bank_fees_cents"], "Player-dealer fees dropped")
    yield _Entry("boxes", "time", total["time_fees_cents"], "Time collected")
    yield _Entry("boxes", "rake", total["rake_cents"], "Rake dropped")
    yield _Entry("refunds", "boxes", total["fees_refunded_cents"], "Fees refunded for voided rounds")
    yield _Entry("boxes", "trays", total["buy_ins_cents"], "Cash that chips were bought for")
    yield _Entry("trays", "house_win", total["win_by_slips_cents"] or 0, "House win by slips")
    yield _Entry("jackpot_boxes", "jackpot", total["jackpot_expected_cents"], "Jackpot collection")
    count = report.typed_sections["count"]
    for boxes, figures, cash in (
        ("boxes", count["drop"], "cash"),
        ("jackpot_boxes", count["jackpot"], "jackpot_cash"),
    ):
        if figures is not None:
            expected, counted = expected_cents(figures), counted_cents(figures)
            yield _Entry(cash, boxes, expected, "Boxes counted, as expected")
            yield _Entry(cash, "over_short", counted - expected, "Counted otherwise than expected")
    yield _Entry("tips_held", "tips_payable", key_figures_of(report).tips_cents, "Tips of the shift")


def _sides(entry: _Entry) -> Iterable[_Side]:
    """Yield both sides of an entry; nothing of an amount of 0."""
    if entry.cents:
        amount = abs(entry.cents)
        debit, credit = (entry.debit, entry.credit) if entry.cents > 0 else (entry.credit, entry.debit)
        yield _Side(debit, amount, 0, entry.text)
        yield _Side(credit, 0, amount, entry.text)


def _row(report: ShiftReport, number: str, side: _Side) -> Row:
    return Row(
        {
            "gaming_day": report.shift.gaming_day,
            "account_number": number,
            "account": ACCOUNTS[side.account],
            "debit_cents": side.debit_cents,
            "credit_cents": side.credit_cents,
            "text": side.text,
            "source": f"{report.shift}, report {report.pk}",
        },
        {"source": reverse("web:report", args=[report.shift_id])},
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    wrong = figures.number("difference_cents")
    agree = (
        f"which differ from the credits by {figures.text('difference_cents')}"
        if wrong
        else "as much as credits"
    )
    waiting = figures.number("waiting")
    left = f"; {figures.several('waiting', 'shift')} not reported yet" if waiting else ""
    if not figures.rows("entries"):
        return f"There is nothing to post in this time{left}"
    return f"To post are debits of {figures.text('debit_cents')}, {agree}{left}"


DAY_JOURNAL = Report(
    name="day-journal",
    title="Bookkeeping by account",
    text="What does the bookkeeping post for these days, account by account?",
    right=Right.SEE_REPORTS,
    make=day_journal,
    answer=_answer,
    by_table=False,
    by_shift=True,
)
