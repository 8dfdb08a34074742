"""Report on the tips of many shifts: what each came to, and what each person brought and got, from the closed sheets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from django.urls import reverse

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.documents.formatting import several
from cardroom.people.rights import Right
from cardroom.tips.models import PoolSheet
from cardroom.tips.reads.pools import Pool, pool_read

from ..queries.query import Report, ReportQuery

_SHIFTS = (
    Column("shift", "Shift"),
    Column("won_cents", "Won", Kind.MONEY, adds=True),
    Column("handed_cents", "Handed in", Kind.MONEY, adds=True),
    Column("total_cents", "Tips", Kind.MONEY, adds=True),
    Column("dealers_cents", "To dealers", Kind.MONEY, adds=True),
    Column("support_cents", "To support staff", Kind.MONEY, adds=True),
    Column("closed_by", "Closed by"),
    Column("closed_at", "Closed", Kind.INSTANT),
)
_PEOPLE = (
    Column("name", "Name"),
    Column("won_cents", "Won", Kind.MONEY, adds=True),
    Column("handed_cents", "Handed in", Kind.MONEY, adds=True),
    Column("worked_seconds", "Worked", Kind.SPAN, adds=True),
    Column("share_cents", "Share", Kind.MONEY, adds=True),
)
_OCCUPATIONS = (
    Column("name", "Name"),
    Column("occupation", "Occupation"),
    Column("shifts", "Shifts", Kind.COUNT),
    Column("worked_seconds", "Worked", Kind.SPAN, adds=True),
    Column("share_cents", "Share", Kind.MONEY, adds=True),
)
_NOTES = (
    "For payroll each person is listed by occupation: as a dealer, or as what the sheet says of support staff.",
    "The figures are those of the sheets as they were closed; each shift opens its sheet, which says how they were made.",
    "The shares of a shift come to its tips exactly. A correction counts in the shift in which it was made.",
)


def tips(query: ReportQuery) -> ReportDocument:
    """Add up the closed sheets of the shifts asked about."""
    sheets = {
        sheet.shift_id: sheet
        for sheet in PoolSheet.objects.filter(shift__in=query.shifts).select_related("made_by")
    }
    pools = {shift: pool_read(sheet.body) for shift, sheet in sheets.items()}
    waiting = [shift for shift in query.shifts if shift.pk not in sheets]
    total = sum(pool.total_cents for pool in pools.values())
    shared = sum(pool.dealers_cents + pool.support_cents for pool in pools.values())
    shifts = [
        Row(
            {
                "shift": str(shift),
                "won_cents": pools[shift.pk].won_cents,
                "handed_cents": pools[shift.pk].handed_cents,
                "total_cents": pools[shift.pk].total_cents,
                "dealers_cents": pools[shift.pk].dealers_cents,
                "support_cents": pools[shift.pk].support_cents,
                "closed_by": str(sheets[shift.pk].made_by),
                "closed_at": sheets[shift.pk].made_at,
            },
            {"shift": reverse("web:tip_sheet", args=[shift.pk])},
        )
        for shift in query.shifts
        if shift.pk in sheets
    ]
    grids = [
        Grid("shifts", "By shift", _SHIFTS, shifts, empty="No sheet was closed."),
        Grid("people", "By person", _PEOPLE, list(_people(pools.values())), empty="No sheet was closed."),
        Grid(
            "occupations",
            "By person and occupation, for payroll",
            _OCCUPATIONS,
            list(_occupations(pools.values())),
            empty="No sheet was closed.",
        ),
    ]
    if waiting:
        opens = [
            Row(
                {"shift": str(shift)},
                {"shift": reverse("web:tip_sheet", args=[shift.pk])},
                Mark.NONE if shift.closed_at is None else Mark.LOOK,
            )
            for shift in waiting
        ]
        grids.append(Grid("waiting", "Not closed", (Column("shift", "Shift"),), opens))
    return query.document(
        "tips",
        "Tips",
        answers=[
            Answer("total_cents", "Tips won and handed in", total, Kind.MONEY),
            Answer("shared_cents", "Shared out", shared, Kind.MONEY),
            Answer(
                "held_cents",
                "Left over",
                total - shared,
                Kind.MONEY,
                Mark.STOP if total - shared else Mark.DONE,
            ),
            Answer(
                "waiting", "Sheets not closed", len(waiting), Kind.COUNT, Mark.LOOK if waiting else Mark.DONE
            ),
        ],
        grids=grids,
        notes=_NOTES,
    )


def _occupations(pools: Iterable[Pool]) -> Iterator[Row]:
    """A line a person and occupation, by the name on the last sheet; who got nothing and has no hours is left out."""
    names: dict[int, str] = {}
    sums: defaultdict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for pool in pools:
        lines = [(line, "Dealer") for line in pool.dealers] + [(line, line.work) for line in pool.support]
        for line, occupation in lines:
            names[line.staff] = line.name
            if line.seconds or line.share_cents:
                _add(sums[line.staff, occupation], 1, line.seconds, line.share_cents)
    for (staff, occupation), (shifts, seconds, share) in sorted(
        sums.items(), key=lambda each: (names[each[0][0]], each[0])
    ):
        yield Row(
            {
                "name": names[staff],
                "occupation": occupation,
                "shifts": shifts,
                "worked_seconds": seconds,
                "share_cents": share,
            }
        )


def _people(pools: Iterable[Pool]) -> Iterator[Row]:
    """A line a person, by the name on the last sheet."""
    names: dict[int, str] = {}
    sums: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for pool in pools:
        for line in pool.dealers:
            names[line.staff] = line.name
            _add(sums[line.staff], line.won_cents, line.handed_cents, line.seconds, line.share_cents)
        for helped in pool.support:
            names[helped.staff] = helped.name
            _add(sums[helped.staff], 0, 0, helped.seconds, helped.share_cents)
    for staff in sorted(names, key=lambda staff: (names[staff], staff)):
        won, handed, seconds, share = sums[staff]
        yield Row(
            {
                "name": names[staff],
                "won_cents": won,
                "handed_cents": handed,
                "worked_seconds": seconds,
                "share_cents": share,
            }
        )


def _add(sums: list[int], *amounts: int) -> None:
    for at, amount in enumerate(amounts):
        sums[at] += amount


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    waiting = figures.number("waiting")
    open_ = f"{figures.several('waiting', 'sheet')} not closed" if waiting else ""
    if not figures.rows("shifts"):
        return f"Nothing is shared out yet: {open_}" if open_ else "No shift had tips to share in this time"
    left = figures.number("held_cents")
    rest = f"{figures.text('held_cents')} is left over" if left else "to the cent"
    people = several(len(figures.rows("people")), "person")
    return (
        f"{figures.text('shared_cents')} of {figures.text('total_cents')} tips went to {people}, {rest}"
        + (f"; {open_}" if open_ else "")
    )


TIPS = Report(
    name="tips",
    title="Tips",
    text="What did tips come to, shift by shift, and who got what of them?",
    right=Right.SEE_TIPS,
    make=tips,
    answer=_answer,
    by_table=False,
    by_shift=True,
)
