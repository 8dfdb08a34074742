"""What is asked of a report and how it answers, for the schema. A document comes from `cardroom.documents.export.data_of`."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from cardroom.jobs.models import Job
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.commands.long_reports import CHOICE_LENGTH

from .answers import Shape
from .forms import MOST_ID, AddressNumber, Form, Words


class ReportName(Shape):
    """A report of the catalogue."""

    name = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField(help_text="The question that it answers.")
    by_table = serializers.BooleanField(help_text="Whether it can be narrowed to a table.")
    by_shift = serializers.BooleanField(help_text="Whether it can be narrowed to a shift.")
    options = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(allow_blank=True)),
        help_text="Its own choices by name.",
    )


class Grid(Shape):
    """A table of figures."""

    title = serializers.CharField()
    rows = serializers.ListField(
        child=serializers.DictField(),
        help_text="By column. A name ends in `_cents` for whole cents, `_at` for an instant in UTC, `_seconds` for a "
        "span; null is a figure that is not known.",
    )
    totals = serializers.DictField(
        child=serializers.IntegerField(allow_null=True),
        allow_null=True,
        help_text="Sums of the columns that add up; null where no column does.",
    )


class ReportDocument(Shape):
    """A report: the answers, the tables, how the figures were made."""

    name = serializers.CharField()
    title = serializers.CharField()
    room = serializers.CharField()
    period = serializers.CharField()
    answers = serializers.DictField()
    grids = serializers.DictField(child=Grid())
    notes = serializers.ListField(child=serializers.CharField())


def _question() -> dict[str, Any]:
    """Return what is asked of every report: days, table, shift."""
    return {
        "from": serializers.DateField(required=False, help_text="First gaming day."),
        "to": serializers.DateField(required=False, help_text="Last gaming day, included."),
        "table": AddressNumber(
            required=False, min_value=1, max_value=32767, help_text="The number painted on the table."
        ),
        "shift": AddressNumber(
            required=False, min_value=1, max_value=MOST_ID, help_text="A shift's id; it brings its own day."
        ),
    }


def _asked() -> type[Form]:
    """Return the form of the question to a report of the catalogue, with the choices of all of them."""
    fields = {"__doc__": "What is asked of a report.", **_question()}
    for report in REPORTS.values():
        for option in report.options:
            fields.setdefault(
                option.name,
                Words(
                    max_length=CHOICE_LENGTH,
                    allow_blank=True,
                    required=False,
                    help_text=f"{option.label}, of `{report.name}`.",
                ),
            )
    return type("Asked", (Form,), fields)


ReportQuery = _asked()
StatementAsked: type[Form] = type(
    "StatementAsked", (Form,), {"__doc__": "What is asked of a provider's statement.", **_question()}
)

_STATE: dict[str, Any] = {
    "__doc__": "Fees computed again in the background: how far it has come.",
    "id": serializers.IntegerField(),
    "from": serializers.DateField(),
    "to": serializers.DateField(),
    "asked_at": serializers.DateTimeField(),
    "asked_by": serializers.CharField(),
    "state": serializers.ChoiceField(choices=Job.State.choices),
    "total": serializers.IntegerField(help_text="Rounds to be computed."),
    "done": serializers.IntegerField(),
    "differing": serializers.IntegerField(
        help_text="Rounds that differ, once it has finished: must be none."
    ),
    "text": serializers.CharField(allow_blank=True, help_text="Why it failed."),
    "ended_at": serializers.DateTimeField(allow_null=True),
}
RecomputationState: type[Shape] = type("RecomputationState", (serializers.Serializer,), _STATE)


class RecomputationRecord(RecomputationState):  # type: ignore[valid-type,misc]
    """The same, with what came of it."""

    paper = ReportDocument(allow_null=True)


LongReportState: type[Shape] = type(
    "LongReportState",
    (serializers.Serializer,),
    {
        "__doc__": "A report that a worker draws: how far it has come.",
        "id": serializers.IntegerField(),
        "report": serializers.CharField(help_text="Its name in the list of reports, or `statement`."),
        "title": serializers.CharField(),
        "from": serializers.DateField(),
        "to": serializers.DateField(),
        "about": serializers.CharField(help_text="What is asked, in words."),
        "asked_at": serializers.DateTimeField(),
        "asked_by": serializers.CharField(),
        "state": serializers.ChoiceField(choices=Job.State.choices),
        "total": serializers.IntegerField(help_text="Rounds to be gone through."),
        "done": serializers.IntegerField(),
        "text": serializers.CharField(allow_blank=True, help_text="Why it failed."),
        "ended_at": serializers.DateTimeField(allow_null=True),
    },
)


class LongReportRecord(LongReportState):  # type: ignore[valid-type,misc]
    """The same, with what it said."""

    paper = ReportDocument(allow_null=True)
