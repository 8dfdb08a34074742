"""The section on collection: its figures drawn as answers, tables and charts, and added up over shifts."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Final, cast

from cardroom.documents.document import Answer, Chart, Column, Grid, Kind, Mark, Row

from ..queries.hours import all_hours
from ..queries.query import Scope
from ..queries.rounds_in_scope import report_address
from .figure_types import CollectedByBand, CollectedInHour, CollectedSums, CollectionFigures
from .section import Drawn, Span, added_up

#: The figures, in the order of their columns: name and heading. All but the rounds are cents.
FIGURES: Final = (
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
COLUMNS: Final = tuple(
    Column(name, heading, Kind.COUNT if name == "rounds" else Kind.MONEY, adds=True)
    for name, heading in FIGURES
)
_SUMS: Final = tuple(name for name, _ in FIGURES)
EMPTY: Final = "Nothing was collected in this time."


def collection_added(several: Sequence[CollectionFigures], span: Span) -> CollectionFigures:
    """Add the figures of shifts up: by band, and by hour of the gaming day, those past the end of a day after them."""
    places = {hour: place for place, hour in enumerate(span.hours)}
    schedules = added_up(
        (each for figures in several for each in figures["schedules"]), ("number", "version", "band"), _SUMS
    )
    hours = added_up((each for figures in several for each in figures["hours"]), ("hour",), _SUMS)
    return {
        "schedules": cast(
            "list[CollectedByBand]",
            sorted(schedules, key=lambda each: (each["number"], each["version"], each["band"])),
        ),
        "hours": cast(
            "list[CollectedInHour]", sorted(hours, key=lambda each: places.get(each["hour"], len(places)))
        ),
        "difference_cents": sum(figures["difference_cents"] for figures in several),
    }


def collection_drawn(figures: CollectionFigures, scope: Scope) -> Drawn:
    """Draw the section: of the hours those in which anything was collected."""
    hours, difference = figures["hours"], figures["difference_cents"]
    answers = [
        Answer("drop_cents", "Drop", sum(each["drop_cents"] for each in hours), Kind.MONEY),
        Answer(
            "jackpot_cents", "Into jackpot boxes", sum(each["jackpot_cents"] for each in hours), Kind.MONEY
        ),
        Answer("rounds", "Rounds settled", sum(each["rounds"] for each in hours), Kind.COUNT),
        Answer(
            "difference_cents",
            "Difference between rounds and transfers",
            difference,
            Kind.MONEY,
            Mark.STOP if difference else Mark.DONE,
        ),
    ]
    played = [each for each in hours if any(sums_of(each).values())]
    return Drawn(answers, [_schedules_grid(figures["schedules"], scope), hours_grid(played, scope)])


def sums_of(each: CollectedSums) -> dict[str, int]:
    """Return the sums alone, in the order of their columns."""
    return {name: each[name] for name in _SUMS}  # type: ignore[literal-required]


def _schedules_grid(schedules: Sequence[CollectedByBand], scope: Scope) -> Grid:
    rows = []
    for each in schedules:
        number, version = each["number"], each["version"]
        schedule, filed = (
            (f"{number}, version {version}", f"{number}v{version}") if number else ("none", "none")
        )
        rows.append(
            Row(
                {"schedule": schedule, "band": each["band"], **sums_of(each)},
                {"drop_cents": report_address(scope, "rounds", schedule=filed, band=each["band"])},
            )
        )
    columns = (
        Column("schedule", "Schedule"),
        Column("band", "Band of the player-dealer fee"),
        *COLUMNS,
    )
    return Grid("schedules", "By schedule and band", columns, rows, empty=EMPTY)


def hours_grid(hours: Sequence[CollectedInHour], scope: Scope) -> Grid:
    """Draw hours, each with the way to its rounds."""
    named = all_hours(scope.room)
    rows = [
        Row(
            {"hour": each["hour"], **sums_of(each)},
            {"drop_cents": report_address(scope, "rounds", hour=each["hour"])}
            if each["rounds"] and each["hour"] in named
            else {},
        )
        for each in hours
    ]
    return Grid(
        "hours",
        "By hour of the gaming day",
        (Column("hour", "Hour"), *COLUMNS),
        rows,
        text="On the clock of the room, from the hour in which the gaming day begins; hours of a shift past the end of "
        "its day with their date.",
        empty="Nothing was collected.",
    )


def hours_chart(figures: CollectionFigures) -> Chart:
    """Draw the drop by hour of the gaming day."""
    return drop_by_hour({each["hour"]: each["drop_cents"] for each in figures["hours"]})


def drop_by_hour(drops: Mapping[str, int]) -> Chart:
    """Return the chart of the drop by hour of the gaming day, from the cents of each hour by its name."""
    title = "Drop, by hour of the gaming day"
    return Chart("by-hour", title, list(drops), list(drops.values()), text_money=True, unit="$")


def drop_by_day(drops: Mapping[datetime.date, int], in_part: Sequence[bool] = ()) -> Chart:
    """Return the chart of the drop by gaming day, from the cents of each day."""
    labels = [f"{day:%b} {day.day}" for day in drops]
    title = "Drop, by gaming day"
    return Chart("by-day", title, labels, list(drops.values()), text_money=True, in_part=in_part, unit="$")
