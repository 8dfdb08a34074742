"""Types of a report's query (`ReportQuery`), of its options, and of a report of the catalogue (`Report`)."""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardroom.core.dates import day_text
from cardroom.documents.answering import Answering, sentence_of
from cardroom.documents.document import Answer, Chart, Grid, ReportDocument
from cardroom.floor.models import Shift, Table
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day_bounds
from cardroom.rooms.models import Room

#: Gaming days that one report may span: a year and a day.
MOST_DAYS = 366


@dataclasses.dataclass(frozen=True, kw_only=True)
class Scope:
    """What a report is about: gaming days `first` to `last` of a room, both included, of one table or all.

    `shift` narrows it to one shift, whose gaming day is then first and last.
    """

    room: Room
    first: datetime.date
    last: datetime.date
    table: Table | None = None
    shift: Shift | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReportQuery(Scope):
    """What is asked: about what, by whom, and when (UTC).

    `options` are the report's own choices by name, each of them one that it offers. `query_parser.report_query_of` makes it
    from what a user wrote. `on_progress`, where a caller gives it, is called while a report is drawn with how many more of
    its rounds have been gone through.
    """

    staff: Staff
    now: datetime.datetime
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    on_progress: Callable[[int], None] | None = None

    @property
    def since(self) -> datetime.datetime:
        """When the first day began, UTC."""
        return gaming_day_bounds(self.room, self.first)[0]

    @property
    def until(self) -> datetime.datetime:
        """When the last day ends, UTC, excluded."""
        return gaming_day_bounds(self.room, self.last)[1]

    @property
    def period(self) -> str:
        """The time in words: "gaming day 2026-11-20", "gaming days 2026-11-01 to 2026-11-20, table 7"."""
        days = (
            f"day {day_text(self.first)}"
            if self.first == self.last
            else f"days {day_text(self.first)} to {day_text(self.last)}"
        )
        shift = f", {self.shift.name} shift" if self.shift else ""
        return f"gaming {days}{shift}" + (f", {str(self.table).lower()}" if self.table else "")

    @functools.cached_property
    def shifts(self) -> list[Shift]:
        """The shifts asked about, in the order in which they were opened."""
        if self.shift is not None:
            return [self.shift]
        days = Shift.objects.filter(room=self.room, gaming_day__range=(self.first, self.last))
        return list(days.order_by("opened_at"))

    def document(
        self,
        name: str,
        title: str,
        *,
        answers: Sequence[Answer],
        grids: Sequence[Grid],
        charts: Sequence[Chart] = (),
        notes: Sequence[str] = (),
    ) -> ReportDocument:
        """Return the document that answers: of this room, on its clock, about this period."""
        return ReportDocument(
            name=name,
            title=title,
            room=self.room.name,
            zone=self.room.zone,
            period=self.period,
            answers=answers,
            grids=grids,
            charts=charts,
            notes=notes,
        )


@dataclasses.dataclass(frozen=True)
class Option:
    """A choice of a report's own. `choices` gives value and label by room, the default first."""

    name: str
    label: str
    choices: Callable[[Room], Sequence[tuple[str, str]]]


@dataclasses.dataclass(frozen=True)
class InPieces:
    """How a long report is drawn by several workers: each does `work` on some shifts of the query and answers with JSON.

    `put_together` draws the document of what they have answered, in the order of the shifts.
    """

    work: Callable[[ReportQuery, Sequence[Shift]], dict[str, Any]]
    put_together: Callable[[ReportQuery, Sequence[Mapping[str, Any]]], ReportDocument]


@dataclasses.dataclass(frozen=True)
class Report:
    """One report of the catalogue. `name` is its address; users who hold `right` in the room may draw it.

    `text` is the question that it answers, and `answer` writes the sentence that answers it, in an empty time too, from the
    document's figures alone. `draw` answers with the whole document, from the database and nothing else: the same rows give
    the same document. It refers to players, as what is kept does (`cardroom.people.names`). It may raise BadInput for more
    than one request may compute. `make` is what draws it without the sentence. `by_table` and `by_shift`
    say that it can be narrowed to one. Without days it is about the gaming day of the last shift, or so many `weeks` up
    to it. `at_once` is how many rounds it may be about while a user waits for it (`cardroom.reports.background.limits`),
    None where that does not matter. `of` says where it is listed: in rooms whose `players` may bank, or whose `house`
    may; empty: in all. `signed_by` are the roles for whose signature the printed sheet has a line. `in_pieces` says how
    workers share what is too long for one; None: they do not.
    """

    name: str
    title: str
    text: str
    right: Right
    make: Callable[[ReportQuery], ReportDocument]
    answer: Answering
    options: Sequence[Option] = ()
    by_table: bool = True
    by_shift: bool = False
    at_once: int | None = None
    of: str = ""
    weeks: int = 0
    signed_by: Sequence[str] = ()
    in_pieces: InPieces | None = None

    def draw(self, query: ReportQuery) -> ReportDocument:
        """Return the document with the sentence that answers the question."""
        return self.answered(self.make(query))

    def answered(self, document: ReportDocument) -> ReportDocument:
        """Return a document of this report with the sentence that answers the question."""
        return dataclasses.replace(document, sentence=sentence_of(document, self.answer))
