"""Report on exclusions: who could not play, by number; what was entered and lifted; and who looked at the reasons."""

from __future__ import annotations

from django.db.models import Q

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, ReportDocument, Row
from cardroom.floor.reads.records import entries_of_room
from cardroom.people.models import Exclusion
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day

from ..queries.query import Report, ReportQuery

_NOTES = (
    "Players are named by the room's number alone; why they may not play stands on the page of exclusions, each look at which is listed here.",
    "An exclusion is listed where it was in force on one of the days asked about, as the record stands now.",
)
_COLUMNS = (
    Column("number", "Player no.", Kind.COUNT),
    Column("kind", "Kind"),
    Column("began_on", "Since", Kind.DAY),
    Column("ends_on", "Through", Kind.DAY),
    Column("entered_by", "Entered by"),
    Column("lifted_at", "Lifted", Kind.INSTANT),
    Column("lifted_by", "Lifted by"),
    Column("approved_by", "Approved by"),
)
_LOOKS = (Column("looked_at", "When", Kind.INSTANT), Column("who", "Who looked"))


def exclusions(query: ReportQuery) -> ReportDocument:
    """List the exclusions in force on the days asked about, and the looks at their reasons."""
    rows = (
        Exclusion.objects.filter(room=query.room, began_on__lte=query.last)
        .filter(Q(ends_on__isnull=True) | Q(ends_on__gte=query.first))
        .filter(Q(lifted_at__isnull=True) | Q(lifted_at__gte=query.since))
        .select_related("player", "entered_by", "lifted_by", "lifted_approved_by", "room")
        .order_by("began_on", "pk")
    )
    found = list(rows)
    entered = sum(query.first <= gaming_day(query.room, each.entered_at) <= query.last for each in found)
    lifted = sum(each.lifted_at is not None and query.since <= each.lifted_at < query.until for each in found)
    looks = list(entries_of_room(query.room, ["exclusions_look"], query.since, query.until))
    return query.document(
        "exclusions",
        "Exclusions",
        answers=[
            Answer("in_force", "In force in this time", len(found), Kind.COUNT),
            Answer("entered", "Entered", entered, Kind.COUNT),
            Answer("lifted", "Lifted", lifted, Kind.COUNT),
            Answer("looks", "Looks at the reasons", len(looks), Kind.COUNT),
        ],
        grids=[
            Grid(
                "exclusions",
                "Who could not play",
                _COLUMNS,
                [_row(each) for each in found],
                empty="Everybody could play.",
            ),
            Grid(
                "looks",
                "Who looked at the reasons",
                _LOOKS,
                [Row({"looked_at": each.at, "who": each.actor_name}) for each in looks],
                empty="Nobody looked.",
            ),
        ],
        notes=_NOTES,
    )


def _row(exclusion: Exclusion) -> Row:
    lifted, approved = exclusion.lifted_by, exclusion.lifted_approved_by
    return Row(
        {
            "number": exclusion.player.number,
            "kind": exclusion.get_kind_display(),
            "began_on": exclusion.began_on,
            "ends_on": exclusion.ends_on,
            "entered_by": str(exclusion.entered_by),
            "lifted_at": exclusion.lifted_at,
            "lifted_by": "" if lifted is None else str(lifted),
            "approved_by": "" if approved is None else str(approved),
        }
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("in_force"):
        return f"{figures.several('in_force', 'player').capitalize()} was excluded in this time"
    new = f"{figures.text('entered')} entered and {figures.text('lifted')} lifted in this time"
    return f"{figures.several('in_force', 'exclusion')} in force, {new}"


EXCLUSIONS = Report(
    name="exclusions",
    title="Exclusions",
    text="Who could not play, what was entered and lifted, and who looked at the reasons?",
    right=Right.SEE_EXCLUSIONS,
    make=exclusions,
    answer=_answer,
    by_table=False,
)
