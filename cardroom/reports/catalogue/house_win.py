"""Report on house win and hold: what the house won at the tables that it banks, by slips and by rounds, and of what drop."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from django.db.models import Case, F, Q, Sum, When
from django.urls import reverse

from cardroom.documents.answering import Told, off_text
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.documents.formatting import UNKNOWN
from cardroom.floor.models import Round, Shift, Table, Transfer, TraySlip
from cardroom.people.rights import Right
from games.rotation.profile import HOUSE_BANKS

from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import counts, report_address, rounds_of
from ..shift.trays import Tray, TrayKey, buy_ins_read, contributions_read, format_hold, trays_read

K = TypeVar("K", int, datetime.date)

_SUMS: Final = (
    Column("drop_cents", "Cash bought in", Kind.MONEY, adds=True),
    Column("win_by_slips_cents", "Win by slips", Kind.MONEY, adds=True),
    Column("hold", "Hold"),
    Column("win_by_rounds_cents", "Win by rounds", Kind.MONEY, adds=True),
    Column("variance_cents", "Difference", Kind.MONEY, adds=True),
    Column("meter_wins_cents", "Won off meters", Kind.MONEY, adds=True),
    Column("added_cents", "Added to meters", Kind.MONEY, adds=True),
    Column("tips_cents", "Tips", Kind.MONEY, adds=True),
    Column("not_closed", "Trays not closed", Kind.COUNT, adds=True),
)
_COUNTS: Final = (
    Column("slip", "Slip", Kind.COUNT),
    Column("made_at", "Counted", Kind.INSTANT),
    Column("table", "Table", Kind.COUNT),
    Column("kind", "Count"),
    Column("expected_cents", "Expected", Kind.MONEY),
    Column("counted_cents", "Counted", Kind.MONEY),
    Column("variance_cents", "Difference", Kind.MONEY),
    Column("note", "What explains it"),
    Column("made_by", "Counted by"),
    Column("approved_by", "and by"),
)
_NOTES: Final = (
    "Win by slips: what closers counted, credits and the cash that players bought chips for, less what openers counted and fills.",
    (
        "Win by rounds: wagers taken less winnings paid, from the columns of the rounds, and beside it from the transfers into "
        "and out of the tray; these two must agree. What the progressive meter paid is in neither win, and no tip is."
    ),
    (
        "The two wins differ by what closers counted above or below what should have been in the trays; their notes explain "
        "it. The rest is what moved while a tray was not open, such as a correction after its closer."
    ),
    "Hold is the win by slips as a share of the cash bought in. Neither is known of a tray without a closer for each opener.",
    "A round counts in the shift in which its bets closed, a correction in the one in which it was made, as what it changes.",
    "Of rounds not carded nothing is known of what the house won.",
)


@dataclasses.dataclass(frozen=True)
class _Win:
    """What the house won in a shift at a table, in cents; the first two are None while the tray is not closed."""

    by_slips_cents: int | None
    variance_cents: int | None
    by_rounds_cents: int
    by_transfers_cents: int
    drop_cents: int
    meter_wins_cents: int
    added_cents: int
    tips_cents: int
    not_closed: int


def house_win(query: ReportQuery) -> ReportDocument:
    """Tell what the house won, by table and shift."""
    wins = _wins(query)
    shifts = {shift.pk: shift for shift in query.shifts}
    tables = dict(
        Table.objects.filter(pk__in={key.table for key in wins}).order_by().values_list("pk", "number")
    )
    order = {pk: place for place, pk in enumerate(shifts)}
    ordered = dict(sorted(wins.items(), key=lambda each: (order[each[0].shift], tables[each[0].table])))
    difference = sum(abs(win.by_rounds_cents - win.by_transfers_cents) for win in wins.values())

    in_all = {"hold": str(_sums(list(wins.values()))["hold"] or UNKNOWN)}

    def at(key: TrayKey) -> dict[str, Value]:
        return {"shift": str(shifts[key.shift]), "table": tables[key.table]}

    def table_link(table: Value) -> dict[str, str]:
        return {
            "table": report_address(query, "house-win", table=str(table)),
            "win_by_rounds_cents": report_address(query, "rounds", table=str(table)),
        }

    def shift_link(shift: Shift) -> dict[str, str]:
        return {"shift": reverse("web:report", args=[shift.pk])}

    grids = [
        Grid(
            "tables",
            "By table",
            (Column("table", "Table", Kind.COUNT), *_SUMS),
            [
                Row({"table": number, **_sums(of)}, table_link(number), _mark(of))
                for number, of in sorted(_grouped(ordered, lambda key: tables[key.table]).items())
            ],
            empty=_EMPTY,
            in_all=in_all,
        ),
        Grid(
            "days",
            "By gaming day",
            (Column("gaming_day", "Gaming day", Kind.DAY), *_SUMS),
            [
                Row({"gaming_day": day, **_sums(of)}, mark=_mark(of))
                for day, of in _grouped(ordered, lambda key: shifts[key.shift].gaming_day).items()
            ],
            empty=_EMPTY,
            in_all=in_all,
        ),
        Grid(
            "shifts",
            "By shift",
            (Column("shift", "Shift"), *_SUMS),
            [
                Row({"shift": str(shifts[pk]), **_sums(of)}, shift_link(shifts[pk]), _mark(of))
                for pk, of in _grouped(ordered, lambda key: key.shift).items()
            ],
            empty=_EMPTY,
            in_all=in_all,
        ),
        Grid(
            "tables_in_shifts",
            "By shift and table",
            (Column("shift", "Shift"), Column("table", "Table", Kind.COUNT), *_SUMS),
            [
                Row({**at(key), **_sums([win])}, shift_link(shifts[key.shift]), _mark([win]))
                for key, win in ordered.items()
            ],
            empty=_EMPTY,
            in_all=in_all,
        ),
        Grid("counts", "Counts of trays", _COUNTS, list(_counts(query)), empty="No tray was counted."),
    ]
    return query.document(
        "house-win",
        "House win and hold",
        answers=list(_answers(list(wins.values()), difference)),
        grids=grids,
        notes=_NOTES,
    )


_EMPTY: Final = "The house banked no table in this time."


def _wins(query: ReportQuery) -> dict[TrayKey, _Win]:
    """What the house won, by shift and table; as many queries for a month as for a shift."""
    shifts = [shift.pk for shift in query.shifts]
    trays, drops = trays_read(shifts, query.table), buy_ins_read(shifts, query.table)
    added, moved = contributions_read(shifts, query.table), _moved(query, shifts)
    rounds = _by_rounds(query)
    found = {}
    for key in {*trays, *drops, *rounds}:
        won, meter, tips, by_eye = rounds.get(key, (0, 0, 0, 0))
        tray, drop = trays.get(key, Tray()), drops.get(key, 0)
        by_slips = tray.win_cents(drop)
        found[key] = _Win(
            by_slips_cents=by_slips,
            variance_cents=None if by_slips is None or by_eye else by_slips - won,
            by_rounds_cents=won,
            by_transfers_cents=moved.get(key, 0),
            drop_cents=drop,
            meter_wins_cents=meter,
            added_cents=added.get(key, 0),
            tips_cents=tips,
            not_closed=int(not tray.is_closed),
        )
    return found


def _by_rounds(query: ReportQuery) -> dict[TrayKey, tuple[int, int, int, int]]:
    """By the columns of the rounds: what the house won, what meters paid, tips, and how many were settled by eye."""
    grouped = (
        rounds_of(query)
        .filter(rotation=HOUSE_BANKS, state=Round.State.SETTLED)
        .values("shift", "table")
        .annotate(
            taken=Sum(counts("taken_cents")),
            paid=Sum(counts("paid_cents")),
            meter=Sum(counts("meter_cents")),
            tips=Sum(counts("tips_cents")),
            unseen=Sum(Case(When(Q(recording=Table.Recording.FEES), then=1), default=0)),
        )
    )
    return {
        TrayKey(row["shift"], row["table"]): (
            int(row["taken"] - row["paid"] + row["meter"]),
            int(row["meter"]),
            int(row["tips"]),
            int(row["unseen"]),
        )
        for row in grouped
    }


def _moved(query: ReportQuery, shifts: Sequence[int]) -> dict[TrayKey, int]:
    """By the transfers: what rounds brought into trays, less what they took out of them."""
    tray = Transfer.Account.TRAY
    moved = Transfer.objects.filter(Q(source=tray) | Q(target=tray), shift__in=shifts, buy_in__isnull=True)
    if query.table is not None:
        moved = moved.filter(table=query.table)
    into = Sum(Case(When(target=tray, then=F("cents")), default=-F("cents")))
    sums = moved.order_by().values("shift", "table").annotate(sum=into)
    return {TrayKey(row["shift"], row["table"]): int(row["sum"]) for row in sums}


def _grouped(wins: Mapping[TrayKey, _Win], key: Callable[[TrayKey], K]) -> dict[K, list[_Win]]:
    found: dict[K, list[_Win]] = {}
    for each, win in wins.items():
        found.setdefault(key(each), []).append(win)
    return found


def _known(values: Iterable[int | None]) -> int | None:
    """The sum; None where one of them is not known."""
    whole = list(values)
    known = [value for value in whole if value is not None]
    return sum(known) if len(known) == len(whole) else None


def _sums(wins: Sequence[_Win]) -> dict[str, Value]:
    by_slips, drop = _known(win.by_slips_cents for win in wins), sum(win.drop_cents for win in wins)
    return {
        "drop_cents": drop,
        "win_by_slips_cents": by_slips,
        "hold": format_hold(by_slips, drop),
        "win_by_rounds_cents": sum(win.by_rounds_cents for win in wins),
        "variance_cents": _known(win.variance_cents for win in wins),
        "meter_wins_cents": sum(win.meter_wins_cents for win in wins),
        "added_cents": sum(win.added_cents for win in wins),
        "tips_cents": sum(win.tips_cents for win in wins),
        "not_closed": sum(win.not_closed for win in wins),
    }


def _mark(wins: Iterable[_Win]) -> Mark:
    if any(win.by_rounds_cents != win.by_transfers_cents for win in wins):
        return Mark.STOP
    return Mark.LOOK if any(win.not_closed or win.variance_cents for win in wins) else Mark.NONE


def _answers(wins: Sequence[_Win], difference: int) -> Iterator[Answer]:
    sums = _sums(wins)
    open_, variance = sums["not_closed"], sums["variance_cents"]
    yield Answer("win_by_slips_cents", "House win by slips", sums["win_by_slips_cents"], Kind.MONEY)
    yield Answer("drop_cents", "Cash bought in", sums["drop_cents"], Kind.MONEY)
    yield Answer("hold", "Hold", sums["hold"])
    yield Answer("win_by_rounds_cents", "House win by rounds", sums["win_by_rounds_cents"], Kind.MONEY)
    yield Answer(
        "variance_cents",
        "Win by slips less win by rounds",
        variance,
        Kind.MONEY,
        Mark.LOOK if variance or open_ else Mark.DONE,
    )
    yield Answer("not_closed", "Trays not closed", open_, Kind.COUNT, Mark.LOOK if open_ else Mark.DONE)
    yield Answer(
        "difference_cents",
        "Difference between rounds and transfers",
        difference,
        Kind.MONEY,
        Mark.STOP if difference else Mark.DONE,
    )


def _counts(query: ReportQuery) -> Iterator[Row]:
    """Every count of a tray: what was there, what should have been, and what explains the difference."""
    counted = TraySlip.objects.filter(
        shift__in=[shift.pk for shift in query.shifts], kind__in=TraySlip.COUNTS
    )
    if query.table is not None:
        counted = counted.filter(table=query.table)
    for slip in counted.select_related("table", "made_by", "approved_by").order_by("pk"):
        variance = None if slip.expected_cents is None else slip.cents - slip.expected_cents
        yield Row(
            {
                "slip": slip.number,
                "made_at": slip.made_at,
                "table": slip.table.number,
                "kind": slip.get_kind_display(),
                "expected_cents": slip.expected_cents,
                "counted_cents": slip.cents,
                "variance_cents": variance,
                "note": slip.note,
                "made_by": str(slip.made_by),
                "approved_by": str(slip.approved_by),
            },
            mark=Mark.LOOK if variance else Mark.NONE,
        )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.rows("tables"):
        return "The house banked no table in this time"
    if figures["win_by_slips_cents"] is None:
        open_ = figures.several("not_closed", "tray")
        return f"By rounds the house won {figures.text('win_by_rounds_cents')}; {open_} not closed, so there is no win by slips yet"
    agree = off_text(figures, "variance_cents")
    against = "and by rounds as much" if agree == "even" else f"{agree} against its rounds"
    return f"By slips the house won {figures.text('win_by_slips_cents')} of {figures.text('drop_cents')} bought in, {against}"


HOUSE_WIN = Report(
    name="house-win",
    title="House win and hold",
    text="What did the house win at the tables that it banks, how much of the drop, and do slips and rounds agree?",
    right=Right.SEE_REPORTS,
    make=house_win,
    answer=_answer,
    by_shift=True,
    of="house",
)
