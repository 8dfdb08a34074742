"""Report on obligations: what was due in a time or was done in it, by whom, how late, and by what it was proved."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from typing import Final

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.obligations.models import Obligation, ObligationStep
from cardroom.obligations.reads.calendar import calendar_of, obligation_address, obligations_between
from cardroom.obligations.recurrence import recurrence_text
from cardroom.obligations.sources import Entry, kinds
from cardroom.people.permits import local_day
from cardroom.people.rights import Right

from ..queries.query import Report, ReportQuery

State = Obligation.State

_KINDS: Final = (
    Column("kind", "Kind"),
    Column("obligations", "Obligations", Kind.COUNT, adds=True),
    Column("open", "Open", Kind.COUNT, adds=True),
    Column("overdue", "Of them overdue", Kind.COUNT, adds=True),
    Column("done", "Done", Kind.COUNT, adds=True),
    Column("late", "Of them late", Kind.COUNT, adds=True),
    Column("not_applicable", "Not applicable", Kind.COUNT, adds=True),
)
_OBLIGATIONS: Final = (
    Column("due_on", "Due", Kind.DAY),
    Column("kind", "Kind"),
    Column("title", "What"),
    Column("rests_on", "Rests on"),
    Column("recurs", "Recurs"),
    Column("owner", "Owner"),
    Column("state", "State"),
    Column("days_late", "Days late", Kind.COUNT),
    Column("closed_at", "Done or closed", Kind.INSTANT),
    Column("closed_by", "By"),
    Column("confirmed_by", "Signed by"),
    Column("proof", "Proof"),
    Column("sha256", "Checksum of the document"),
)
_DATES: Final = (
    Column("due_on", "Day", Kind.DAY),
    Column("kind", "Kind"),
    Column("what", "What"),
    Column("owner", "Owner"),
    Column("state", "State"),
)
_NOTES: Final = (
    "Listed is what was due in the time and what was done in it, as it stands now; its days are those of the room's own calendar.",
    "Kinds, days and clauses are what the room typed; it was proved by the document with that checksum, or by the reference.",
    "Permits, contracts, filings, claims and recordings are as their own records have them now: no date is kept a second time.",
)


def obligations(query: ReportQuery) -> ReportDocument:
    """List the obligations of the time asked about, and the dates that other records have in it."""
    room, today = query.room, local_day(query.room, query.now)
    rows = obligations_between(room, (query.first, query.last), (query.since, query.until))
    found = list(rows.select_related("room", "owner", "closed_by", "confirmed_by", "document"))
    late = {each.pk: _days_late(each, today) for each in found}
    overdue = sum(each.is_open and late[each.pk] > 0 for each in found)
    dates = [entry for entry in calendar_of(room, query.first, query.last, today) if entry.obligation is None]
    names = kinds()
    return query.document(
        "obligations",
        "Obligations",
        answers=[
            Answer("obligations", "Obligations", len(found), Kind.COUNT),
            Answer("done", "Done", _count(found, State.DONE), Kind.COUNT),
            Answer("overdue", "Open and overdue", overdue, Kind.COUNT, Mark.STOP if overdue else Mark.DONE),
            Answer(
                "late",
                "Done late",
                sum(each.state == State.DONE and late[each.pk] > 0 for each in found),
                Kind.COUNT,
            ),
        ],
        grids=[
            Grid(
                "obligations",
                "Obligations",
                _OBLIGATIONS,
                [_row(each, late[each.pk]) for each in found],
                empty="None.",
            ),
            Grid("kinds", "By kind", _KINDS, _by_kind(found, late), empty="Nothing was due or done."),
            Grid(
                "changes",
                "Changes and reopenings",
                _CHANGES,
                _changes(query),
                empty="None was changed or reopened.",
            ),
            Grid(
                "dates",
                "Dates of other records",
                _DATES,
                [_date_row(entry, names, today) for entry in dates],
                empty="None.",
            ),
        ],
        notes=_NOTES,
    )


_CHANGES: Final = (
    Column("made_at", "When", Kind.INSTANT),
    Column("title", "What"),
    Column("due_on", "Due", Kind.DAY),
    Column("step", "Step"),
    Column("said", "What was said"),
    Column("made_by", "By"),
)


def _changes(query: ReportQuery) -> list[Row]:
    """The steps of the time that changed what an obligation says, or opened it again."""
    what = ObligationStep.What
    steps = ObligationStep.objects.filter(
        room=query.room,
        what__in=(what.CHANGE, what.REOPEN),
        made_at__gte=query.since,
        made_at__lt=query.until,
    )
    return [
        Row(
            {
                "made_at": step.made_at,
                "title": step.obligation.title,
                "due_on": step.obligation.due_on,
                "step": step.get_what_display(),
                "said": step.note or ", ".join(_said(step)),
                "made_by": str(step.made_by),
            },
            {"title": obligation_address(step.obligation)},
        )
        for step in steps.select_related("obligation", "obligation__room", "made_by").order_by("pk")
    ]


def _said(step: ObligationStep) -> list[str]:
    return [f"{name.replace('_', ' ')} {old} → {new}" for name, (old, new) in step.changes.items()]


def _days_late(obligation: Obligation, today: datetime.date) -> int:
    """Days from its day to the one on which it was closed, or to today while it is open; 0 for none."""
    ended = obligation.closed_at
    on = today if ended is None else local_day(obligation.room, ended)
    return max(0, (on - obligation.due_on).days)


def _count(found: Sequence[Obligation], state: str) -> int:
    return sum(each.state == state for each in found)


def _by_kind(found: Sequence[Obligation], late: dict[int, int]) -> list[Row]:
    counts: dict[str, Counter[str]] = {}
    for each in found:
        count = counts.setdefault(each.get_kind_display(), Counter())
        count[each.state] += 1
        if late[each.pk] and each.state != State.NOT_APPLICABLE:
            count["overdue" if each.is_open else "late"] += 1
    return [
        Row(
            {
                "kind": kind,
                "obligations": sum(count[str(state)] for state in State),
                **{str(state): count[str(state)] for state in State},
                "overdue": count["overdue"],
                "late": count["late"],
            },
            mark=Mark.LOOK if count["overdue"] else Mark.NONE,
        )
        for kind, count in sorted(counts.items())
    ]


def _row(each: Obligation, late: int) -> Row:
    is_late = bool(late) and each.state != State.NOT_APPLICABLE
    proof = [each.reference, "" if each.document is None else each.document.name, each.reason]
    return Row(
        {
            "due_on": each.due_on,
            "kind": each.get_kind_display(),
            "title": each.title,
            "rests_on": each.rests_on,
            "recurs": recurrence_text(each),
            "owner": "" if each.owner is None else str(each.owner),
            "state": "overdue" if each.is_open and late else each.get_state_display(),
            "days_late": late if is_late else 0,
            "closed_at": each.closed_at,
            "closed_by": "" if each.closed_by is None else str(each.closed_by),
            "confirmed_by": "" if each.confirmed_by is None else str(each.confirmed_by),
            "proof": "; ".join(said for said in proof if said),
            "sha256": "" if each.document is None else each.document.sha256,
        },
        {"title": obligation_address(each)},
        _mark(each, late),
    )


def _mark(each: Obligation, late: int) -> Mark:
    if each.is_open:
        return Mark.STOP if late else Mark.NONE
    return Mark.DONE if each.state == State.DONE and not late else Mark.LOOK if late else Mark.NONE


def _date_row(entry: Entry, names: dict[str, str], today: datetime.date) -> Row:
    state = "overdue" if entry.is_overdue(today) else str(entry.state).replace("_", " ")
    return Row(
        {
            "due_on": entry.due_on,
            "kind": names[entry.kind],
            "what": entry.what,
            "owner": entry.owner_name,
            "state": state,
        },
        mark=Mark.LOOK if entry.is_overdue(today) else Mark.NONE,
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    count = figures.several("obligations", "obligation")
    if not figures.number("obligations"):
        return f"{count.capitalize()} was due or done in this time"
    said = f"{figures.text('done')} of {count} done"
    if figures.number("late"):
        said += f", {figures.text('late')} of them late"
    return (
        f"{said}, {figures.text('overdue')} overdue" if figures.number("overdue") else f"{said}, none overdue"
    )


OBLIGATIONS = Report(
    name="obligations",
    title="Obligations",
    text="What was due, who did it, and by what is it proved?",
    right=Right.SEE_OBLIGATIONS,
    make=obligations,
    answer=_answer,
    by_table=False,
    weeks=5,
)
