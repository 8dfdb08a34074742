"""Report on changes of settings: each element with what it was before and after, when, by whom and why (11 VAC 20-20-240)."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, ReportDocument, Row
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..queries.query import Option, Report, ReportQuery
from ..queries.setting_changes import DECK, TIP_RULE, changes_of, kept_models

_NOTES = (
    "From the histories that the system keeps of the room, its tables, schedules, filings, people and their roles, and from the decks and the rules for tips.",
    "Each change is written with who was signed in as it was made; where nobody is named, a command on the server made it.",
    "Actions at the tables, opening and closing among them, are in the journals and not here.",
)


def _kinds(_: Room) -> Sequence[tuple[str, str]]:
    names = sorted([*(str(model._meta.verbose_name) for model in kept_models()), DECK, TIP_RULE])
    return [("", "everything"), *((name, name) for name in names)]


def settings(query: ReportQuery) -> ReportDocument:
    """List the changes of the days asked about."""
    kind = query.options["kind"]
    found = [
        change for change in changes_of(query.room, query.since, query.until) if kind in ("", change.kind)
    ]
    grid = Grid(
        "changes",
        "Changes",
        (
            Column("changed_at", "When", Kind.INSTANT),
            Column("kind", "Of what"),
            Column("row", "Which"),
            Column("what", "What"),
            Column("element", "Element"),
            Column("before", "Before"),
            Column("after", "After"),
            Column("by", "By"),
            Column("reason", "Reason"),
        ),
        [
            Row(
                {
                    "changed_at": change.at,
                    **{
                        name: getattr(change, name)
                        for name in ("kind", "row", "what", "element", "before", "after", "by", "reason")
                    },
                }
            )
            for change in found
        ],
        empty="No setting was changed in this time.",
    )
    return query.document(
        "settings",
        "Changes of settings",
        answers=[
            Answer("changes", "Changes", len(found), Kind.COUNT),
            Answer("people", "People who made them", len({change.by for change in found} - {""}), Kind.COUNT),
        ],
        grids=[grid],
        notes=_NOTES,
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("changes"):
        return f"{figures.several('changes', 'setting').capitalize()} was changed in this time"
    people = figures.several("people", "person") if figures.number("people") else "nobody who was signed in"
    return f"{figures.several('changes', 'change')} of settings by {people}"


SETTINGS = Report(
    name="settings",
    title="Changes of settings",
    text="Which setting was changed from what to what, when, by whom, and why?",
    right=Right.SEE_REPORTS,
    make=settings,
    answer=_answer,
    options=(Option("kind", "Of what", _kinds),),
    by_table=False,
)
