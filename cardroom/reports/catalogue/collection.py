"""Report on fees collected: by table, by game and its approval, by schedule and band, by hour of the gaming day, shift by shift.

Rounds and collections of time are grouped by the database; nothing is read round by round. What the transfers moved
into the boxes is added up beside it, and must come to the same.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from django.db.models import Case, Count, F, Q, Sum, When
from django.db.models.functions import Coalesce, TruncHour

from cardroom.documents.document import Answer, Chart, Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.filings.models import GameFiling
from cardroom.floor.models import Round, TimeCollection, Transfer
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from games.rotation.profile import HOUSE_BANKS

from ..queries.hours import all_hours, hour_of_shift, hours_of
from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import counted_at, counts, report_address, rounds_of
from ..stored.game_fees import NO_GAME, filing_text, game_of_time
from ..stored.late_corrections import Corrections, corrections_of

#: The figures, in the order of their columns: name and heading. All but the rounds are cents.
_FIGURES = (
    ("rounds", "Rounds"),
    ("total_table_action_cents", "Table action"),
    ("player_fees_cents", "Player fees"),
    ("bank_fees_cents", "Player-dealer fees"),
    ("rake_cents", "House rake"),
    ("time_cents", "Time"),
    ("given_back_cents", "Refunded"),
    ("drop_cents", "Drop"),
    ("jackpot_cents", "Jackpot box"),
    ("waived_cents", "Waived"),
)
_COLUMNS = tuple(
    Column(name, heading, Kind.COUNT if name == "rounds" else Kind.MONEY, adds=True)
    for name, heading in _FIGURES
)
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

_EMPTY = "Nothing was collected in this time."

Group = dict[str, Any]
Figures = dict[str, int]


def collection(query: ReportQuery) -> ReportDocument:
    """Tell what was collected in the time asked about."""
    corrections = corrections_of((shift.pk for shift in query.shifts), query.table)
    groups = [*_of_rounds(query), *_back_to_their_rounds(query, corrections), *time_collected(query)]
    by_shift = _by_shift(query)
    drop = sum(group["drop_cents"] for group in groups)
    jackpot = sum(group["jackpot_cents"] for group in groups)
    difference = abs(drop - sum(row["drop_cents"] for row in by_shift.values()))
    difference += abs(jackpot - sum(row["jackpot_cents"] for row in by_shift.values()))
    hours, named = _hours(query, groups), all_hours(query.room)
    grids = [
        _tables(query, groups),
        _games(query, groups),
        _schedules(query, groups),
        Grid(
            "hours",
            "By hour of the gaming day",
            (Column("hour", "Hour"), *_COLUMNS),
            [
                Row(
                    {"hour": name, **figures},
                    {"drop_cents": report_address(query, "rounds", hour=name)}
                    if figures["rounds"] and name in named
                    else {},
                )
                for name, figures in hours.items()
            ],
            text="On the clock of the room, from the hour in which the gaming day begins; hours of a shift past the end of "
            "its day with their date.",
        ),
        _shifts(query, by_shift),
    ]
    return query.document(
        "collection",
        "Collection",
        answers=[
            Answer(
                "drop_cents",
                "Drop",
                drop,
                Kind.MONEY,
                text=corrections.in_words("drop_expected_cents"),
            ),
            Answer(
                "jackpot_cents",
                "Into jackpot boxes",
                jackpot,
                Kind.MONEY,
                text=corrections.in_words("jackpot_expected_cents"),
            ),
            Answer("rounds", "Rounds settled", sum(group["rounds"] for group in groups), Kind.COUNT),
            Answer(
                "difference_cents",
                "Difference between rounds and transfers",
                difference,
                Kind.MONEY,
                Mark.STOP if difference else Mark.DONE,
            ),
        ],
        charts=[
            drop_by_hour({name: figures["drop_cents"] for name, figures in hours.items()}),
            *_by_day(query, by_shift),
        ],
        grids=grids,
        notes=_NOTES,
    )


def _hours(query: ReportQuery, groups: list[Group]) -> dict[str, Figures]:
    """Every hour of the days, and those in which a shift went on beyond its day, in a day's order."""
    in_order = sorted(groups, key=lambda group: group["hour"])
    played = _added_up(
        in_order, lambda group: hour_of_shift(query.room, group["shift__gaming_day"], group["hour"])
    )
    return dict.fromkeys((*hours_of(query.room, query.first, query.last), *played), _nothing()) | played


def drop_by_hour(drops: Mapping[str, int]) -> Chart:
    """Return the chart of the drop by hour of the gaming day, from the cents of each hour by its name."""
    return Chart(
        "by-hour", "Drop, by hour of the gaming day", list(drops), list(drops.values()), text_money=True
    )


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
    whole = {name: int(value) for name, value in {**group, **more}.items() if name in dict(_FIGURES)}
    return {**group, **whole}


def _nothing() -> Figures:
    return {name: 0 for name, _ in _FIGURES}


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
    return Grid("tables", "By table", (Column("table", "Table", Kind.COUNT), *_COLUMNS), rows, empty=_EMPTY)


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
        *_COLUMNS,
    )
    return Grid("games", "By game and approval", columns, rows, empty=_EMPTY)


def _schedules(query: ReportQuery, groups: list[Group]) -> Grid:
    sums = _added_up(
        groups,
        lambda group: (
            group["schedule__number"] or 0,
            group["schedule_version"] or 0,
            group["bank_fee_band"],
        ),
    )
    rows = []
    for (number, version, band), figures in sorted(sums.items()):
        schedule: Value = f"{number}, version {version}" if number else "none"
        filed = f"{number}v{version}" if number else "none"
        rows.append(
            Row(
                {"schedule": schedule, "band": band, **figures},
                {"drop_cents": report_address(query, "rounds", schedule=filed, band=band)},
            )
        )
    return Grid(
        "schedules",
        "By schedule and band",
        (Column("schedule", "Schedule"), Column("band", "Band of the player-dealer fee"), *_COLUMNS),
        rows,
        empty=_EMPTY,
    )


def _by_shift(query: ReportQuery) -> dict[int, Group]:
    """What the transfers moved into the boxes and out of them, shift by shift, from their index alone."""
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


def _shifts(query: ReportQuery, by_shift: Mapping[int, Group]) -> Grid:
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


def _by_day(query: ReportQuery, by_shift: Mapping[int, Group]) -> Iterator[Chart]:
    """A bar a gaming day, where there are several; one that is not over or has an open shift is in part."""
    today = gaming_day(query.room, query.now)
    open_days = {each["shift"].gaming_day for each in by_shift.values() if each["shift"].closed_at is None}
    days: dict[datetime.date, int] = {}
    for group in by_shift.values():
        day = group["shift"].gaming_day
        days[day] = days.get(day, 0) + group["drop_cents"]
    if len(days) > 1:
        yield Chart(
            "by-day",
            "Drop, by gaming day",
            [f"{day:%b} {day.day}" for day in days],
            list(days.values()),
            text_money=True,
            in_part=[day >= today or day in open_days for day in days],
        )


COLLECTION = Report(
    name="collection",
    title="Collection",
    text="What was collected at which table, on which game, by which schedule and band, and in which hour?",
    right=Right.SEE_REPORTS,
    make=collection,
    by_shift=True,
    of="players",
)
