"""Report on fees collected: by table, by game and its approval, by schedule and band, by hour of the gaming day, shift by shift.

Rounds and collections of time are grouped by the database; nothing is read round by round. What the transfers moved
into the boxes is added up beside it, and must come to the same.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from django.db.models import Case, Count, F, Q, Sum, When
from django.db.models.functions import Coalesce, TruncHour

from cardroom.documents.answering import Told, largest
from cardroom.documents.document import Chart, Column, Grid, Kind, ReportDocument, Row, Value
from cardroom.filings.models import GameFiling
from cardroom.floor.models import Round, TimeCollection, Transfer
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from games.rotation.profile import HOUSE_BANKS

from ..queries.hours import hour_of_shift, hours_of
from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import counted_at, counts, report_address, rounds_of
from ..sections.collection import (
    COLUMNS,
    EMPTY,
    FIGURES,
    collection_drawn,
    drop_by_day,
    hours_chart,
    hours_grid,
)
from ..sections.figure_types import CollectedByBand, CollectedInHour, CollectionFigures
from ..stored.game_fees import NO_GAME, filing_text, game_of_time
from ..stored.late_corrections import Corrections, corrections_of

_NOTES = (
    "A round counts in the shift that was open when its bets closed, and in that hour.",
    (
        "A correction counts in the shift and hour in which it was made, by what it changes. Table action and what was waived "
        "count with the round, as it is on record now."
    ),
    "Each round counts for the filed game that it opened on; time for that of the last round opened there before.",
    "Rounds and table action are those settled. Fees of rounds voided later are in, and so is what went back of them.",
    "Drop: player fees, player-dealer fees, house rake and time, less refunds.",
    "A jackpot collection goes into a box of its own and is no part of the drop; what was waived was not collected.",
    "Every sum is made twice, from the rounds and from the transfers between accounts.",
)

Group = dict[str, Any]
Figures = dict[str, int]


@dataclasses.dataclass
class _Collected:
    """What was read: the groups of rounds and collections of time, what transfers moved by shift, and the section's figures."""

    groups: list[Group]
    by_shift: dict[int, Group]
    figures: CollectionFigures


def collection_read(query: ReportQuery) -> CollectionFigures:
    """Read the figures of the section on collection."""
    return _collected(query, _corrections(query)).figures


def _corrections(query: ReportQuery) -> Corrections:
    return corrections_of((shift.pk for shift in query.shifts), query.table)


def _collected(query: ReportQuery, corrections: Corrections) -> _Collected:
    groups = [*_of_rounds(query), *_back_to_their_rounds(query, corrections), *time_collected(query)]
    by_shift = moved_by_shift(query)
    differences = [
        sum(group[name] for group in groups) - sum(row[name] for row in by_shift.values())
        for name in ("drop_cents", "jackpot_cents")
    ]
    figures: CollectionFigures = {
        "schedules": _schedules(groups),
        "hours": _hours(query, groups),
        "difference_cents": sum(abs(cents) for cents in differences),
    }
    return _Collected(groups, by_shift, figures)


def collection(query: ReportQuery) -> ReportDocument:
    """Tell what was collected in the time asked about."""
    corrections = _corrections(query)
    collected = _collected(query, corrections)
    groups, by_shift, figures = collected.groups, collected.by_shift, collected.figures
    drawn = collection_drawn(figures, query)
    since = {
        "drop_cents": corrections.in_words("drop_expected_cents"),
        "jackpot_cents": corrections.in_words("jackpot_expected_cents"),
    }
    schedules, _ = drawn.grids
    return query.document(
        "collection",
        "Collection",
        answers=[dataclasses.replace(answer, text=since.get(answer.name, "")) for answer in drawn.answers],
        charts=[_by_hour(query, figures), *_by_day(query, by_shift)],
        grids=[
            _tables(query, groups),
            _games(query, groups),
            schedules,
            hours_grid(figures["hours"], query),
            _shifts(by_shift),
        ],
        notes=_NOTES,
    )


def _hours(query: ReportQuery, groups: list[Group]) -> list[CollectedInHour]:
    """Every hour of the days, and those in which a shift went on beyond its day, in a day's order."""
    in_order = sorted(groups, key=lambda group: group["hour"])
    played = _added_up(
        in_order, lambda group: hour_of_shift(query.room, group["shift__gaming_day"], group["hour"])
    )
    hours = dict.fromkeys((*hours_of(query.room, query.first, query.last), *played), _nothing()) | played
    return [cast("CollectedInHour", {"hour": hour, **sums}) for hour, sums in hours.items()]


def _of_rounds(query: ReportQuery) -> Iterator[Group]:
    """Group the rounds by table, version of the schedule, band and hour."""
    settled = Q(state=Round.State.SETTLED)
    grouped = (
        rounds_of(query)
        .exclude(bets_closed_at__isnull=True)  # void before any fee was due
        .exclude(rotation=HOUSE_BANKS)  # nothing is collected where the house banks
        .annotate(hour=TruncHour(counted_at(), tzinfo=datetime.UTC))
        .values(
            *("table__number", "game", "schedule__number", "schedule_version", "bank_fee_band"),
            "shift__gaming_day",
            "hour",
        )
        .annotate(
            rounds=Count("id", filter=settled & Q(corrects__isnull=True)),
            total_table_action_cents=Sum(
                Case(When(settled, then=counts("total_table_action_cents")), default=0)
            ),
            player_fees_cents=Sum(counts("player_fees_cents")),
            bank_fees_cents=Sum(counts("bank_fee_cents")),
            rake_cents=Sum(counts("rake_cents")),
            given_back_cents=Sum(counts("refunded_cents")),
            jackpot_cents=Sum(counts("jackpot_cents")) - Sum(counts("jackpot_refunded_cents")),
            waived_cents=Sum(counts("waived_cents")),
        )
    )
    for group in grouped:
        taken = group["player_fees_cents"] + group["bank_fees_cents"] + group["rake_cents"]
        kept = taken - group["given_back_cents"]
        yield _group(group, time_cents=0, drop_cents=kept)


def _back_to_their_rounds(query: ReportQuery, corrections: Corrections) -> Iterator[Group]:
    """Take what corrections change of table action and waivers out of the hour of the correction, into that of the round."""
    days = {shift.pk: shift.gaming_day for shift in query.shifts}
    made_here = [each for each in corrections.of_rounds if each.round.shift_id in corrections.shifts]
    for sign, each in (
        *((1, of_round) for of_round in corrections.of_rounds),
        *((-1, made) for made in (*made_here, *corrections.brought)),
    ):
        made = each.round
        at = made.bets_closed_at if sign > 0 else made.corrected_at
        if at is None or made.rotation == HOUSE_BANKS:
            continue
        yield {
            **_nothing(),
            "table__number": made.table.number,
            "game": made.game_id,
            "schedule__number": made.schedule and made.schedule.number,
            "schedule_version": made.schedule_version,
            "bank_fee_band": made.bank_fee_band,
            "shift__gaming_day": days[each.round_shift if sign > 0 else cast("int", made.shift_id)],
            "hour": at,
            "total_table_action_cents": sign * each.changed["total_table_action_cents"],
            "waived_cents": sign * each.changed["fees_waived_cents"],
        }


def time_collected(query: ReportQuery) -> Iterator[Group]:
    """Group the collections of time by table, schedule, period and hour; what was taken back is given back."""
    made = TimeCollection.objects.filter(shift__in=[shift.pk for shift in query.shifts]).order_by()
    if query.table is not None:
        made = made.filter(table=query.table)
    grouped = (
        made.annotate(hour=TruncHour("made_at", tzinfo=datetime.UTC))
        .annotate(game=game_of_time())
        .values(
            *("table__number", "game", "schedule__number", "schedule_version", "period"),
            "shift__gaming_day",
            "hour",
        )
        .annotate(
            time_cents=Coalesce(Sum("cents", filter=Q(reverses__isnull=True)), 0),
            given_back_cents=Coalesce(-Sum("cents", filter=Q(reverses__isnull=False)), 0),
        )
    )
    for group in grouped:
        band = f"per {group['period'].replace('_', ' ')}"
        kept = group["time_cents"] - group["given_back_cents"]
        yield _group({**_nothing(), **group, "bank_fee_band": band}, drop_cents=kept)


def _group(group: Mapping[str, Any], **more: int) -> Group:
    """One group with whole numbers, as PostgreSQL's sums are decimals."""
    whole = {name: int(value) for name, value in {**group, **more}.items() if name in dict(FIGURES)}
    return {**group, **whole}


def _nothing() -> Figures:
    return {name: 0 for name, _ in FIGURES}


def _added_up(groups: list[Group], key: Callable[[Group], Any]) -> dict[Any, Figures]:
    sums: dict[Any, Figures] = {}
    for group in groups:
        figures = sums.setdefault(key(group), _nothing())
        for name in figures:
            figures[name] += group[name]
    return sums


def _tables(query: ReportQuery, groups: list[Group]) -> Grid:
    sums = _added_up(groups, lambda group: group["table__number"])
    rows = [
        Row(
            {"table": number, **figures},
            {
                "drop_cents": report_address(query, "rounds", table=number),
                "rounds": report_address(query, "rounds", table=number, kind="settled"),
            },
        )
        for number, figures in sorted(sums.items())
    ]
    return Grid("tables", "By table", (Column("table", "Table", Kind.COUNT), *COLUMNS), rows, empty=EMPTY)


def _games(query: ReportQuery, groups: list[Group]) -> Grid:
    """What each filed game collected, a row a version: the approval under which the fee was taken."""
    filed = {
        game.pk: game
        for game in GameFiling.objects.filter(room=query.room).exclude(status=GameFiling.Status.DRAFT)
    }
    sums = _added_up(groups, lambda group: group["game"])
    order = sorted(sums, key=lambda pk: (filed[pk].number, filed[pk].version) if pk else (0, 0))
    rows = []
    for pk in order:
        game = filed[pk] if pk else None
        named: dict[str, Value] = {
            "game": NO_GAME if game is None else game.title,
            "filing": filing_text(game),
            "reference": "" if game is None else game.state_reference,
        }
        asked = "none" if game is None else f"{game.number}v{game.version}"
        rows.append(Row({**named, **sums[pk]}, {"drop_cents": report_address(query, "rounds", game=asked)}))
    columns = (
        Column("game", "Game"),
        Column("filing", "Filed as"),
        Column("reference", "State's number"),
        *COLUMNS,
    )
    return Grid("games", "By game and approval", columns, rows, empty=EMPTY)


def _schedules(groups: list[Group]) -> list[CollectedByBand]:
    sums = _added_up(
        groups,
        lambda group: (
            group["schedule__number"] or 0,
            group["schedule_version"] or 0,
            group["bank_fee_band"],
        ),
    )
    return [
        cast("CollectedByBand", {"number": number, "version": version, "band": band, **figures})
        for (number, version, band), figures in sorted(sums.items())
    ]


def moved_by_shift(query: ReportQuery) -> dict[int, Group]:
    """Return what the transfers moved into the boxes and out of them, shift by shift, from their index alone."""
    kinds = Transfer.Kind
    into = {
        "drop_cents": (Transfer.COLLECTION_KINDS, Transfer.Account.DROP),
        "jackpot_cents": ((kinds.JACKPOT, kinds.JACKPOT_REFUND), Transfer.Account.JACKPOT),
    }
    rows: dict[int, Group] = {
        shift.pk: {"shift": shift, "drop_cents": 0, "jackpot_cents": 0} for shift in query.shifts
    }
    moved = Transfer.objects.filter(shift__in=list(rows)).order_by()
    if query.table is not None:
        moved = moved.filter(table=query.table)
    for figure, (of_kinds, account) in into.items():
        sums = (
            moved.filter(kind__in=of_kinds)
            .values("shift")
            .annotate(cents=Sum(Case(When(target=account, then=F("cents")), default=-F("cents"))))
        )
        for each in sums:
            rows[each["shift"]][figure] = int(each["cents"])
    return rows


def _shifts(by_shift: Mapping[int, Group]) -> Grid:
    rows = [
        Row(
            {
                "shift": str(group["shift"]),
                "drop_cents": group["drop_cents"],
                "jackpot_cents": group["jackpot_cents"],
            }
        )
        for group in by_shift.values()
    ]
    columns = (
        Column("shift", "Shift"),
        Column("drop_cents", "Drop", Kind.MONEY, adds=True),
        Column("jackpot_cents", "Jackpot box", Kind.MONEY, adds=True),
    )
    return Grid(
        "shifts",
        "By shift, as the transfers moved it",
        columns,
        rows,
        text="Added up from the transfers alone: the second way.",
        empty="No shift was open in this time.",
    )


def _by_hour(query: ReportQuery, figures: CollectionFigures) -> Chart:
    """The drop by hour; the hour that is not over is in part where a shift asked about is open."""
    chart = hours_chart(figures)
    now = {
        hour_of_shift(query.room, shift.gaming_day, query.now)
        for shift in query.shifts
        if shift.closed_at is None
    }
    return dataclasses.replace(chart, in_part=[label in now for label in chart.labels])


def _by_day(query: ReportQuery, by_shift: Mapping[int, Group]) -> Iterator[Chart]:
    """A bar a gaming day, where there are several; one that is not over or has an open shift is in part."""
    today = gaming_day(query.room, query.now)
    open_days = {each["shift"].gaming_day for each in by_shift.values() if each["shift"].closed_at is None}
    days: dict[datetime.date, int] = {}
    for group in by_shift.values():
        day = group["shift"].gaming_day
        days[day] = days.get(day, 0) + group["drop_cents"]
    if len(days) > 1:
        yield drop_by_day(days, in_part=[day >= today or day in open_days for day in days])


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.rows("tables"):
        return "Nothing was collected in this time"
    first = largest(figures, "tables", "drop_cents")
    most = (
        ""
        if first is None
        else f", the most at Table {figures.cell('tables', first, 'table')}: {figures.cell('tables', first, 'drop_cents')}"
    )
    wrong = figures.number("difference_cents")
    check = f"; rounds and transfers differ by {figures.text('difference_cents')}" if wrong else ""
    return f"{figures.text('drop_cents')} was collected in {figures.several('rounds', 'round')}{most}{check}"


COLLECTION = Report(
    name="collection",
    title="Collection",
    text="What was collected at which table, on which game, by which schedule and band, and in which hour?",
    right=Right.SEE_REPORTS,
    make=collection,
    answer=_answer,
    by_shift=True,
    of="players",
)
