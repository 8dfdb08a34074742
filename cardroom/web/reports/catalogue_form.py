"""The form above a report of the catalogue: which days, which table, which shift, and the report's own choices."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.http import QueryDict

from cardroom.floor.errors import BadInput
from cardroom.floor.models import Shift, Table
from cardroom.people.models import Staff
from cardroom.reports.queries.parser import report_query_of
from cardroom.reports.queries.query import Report, ReportQuery
from cardroom.rooms.models import Room

from ..parts.forms.fields import day_field

#: The shifts that the form names, the last first.
MOST_SHIFTS = 30


class AskForm(forms.Form):
    """What is asked of a report. Valid, it has the question as `query`."""

    query: ReportQuery

    def __init__(
        self, report: Report, room: Room, staff: Staff, now: datetime.datetime, data: QueryDict
    ) -> None:
        super().__init__(data)
        self.report, self.room, self.staff, self.now = report, room, staff, now
        self.fields["from"] = day_field("From gaming day")
        self.fields["to"] = day_field("to, included")
        if report.by_shift:
            self.fields["shift"] = _choice(
                "Shift", [("", "all shifts"), *self._shifts(data.get("shift", ""))]
            )
        if report.by_table:
            numbers = Table.objects.filter(room=room).order_by("number").values_list("number", flat=True)
            tables = [(str(number), f"table {number}") for number in numbers]
            self.fields["table"] = _choice("Table", [("", "all tables"), *tables])
        for option in report.options:
            self.fields[option.name] = _choice(option.label, list(option.choices(room)))

    def _shifts(self, chosen: str) -> list[tuple[str, str]]:
        shifts = list(Shift.objects.filter(room=self.room).order_by("-opened_at")[:MOST_SHIFTS])
        if (
            chosen.isascii()
            and chosen.isdigit()
            and len(chosen) < 19
            and int(chosen) not in {shift.pk for shift in shifts}
        ):
            shifts += Shift.objects.filter(room=self.room, pk=int(chosen[:18]))
        return [(str(shift.pk), str(shift)) for shift in shifts]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors:
            return data
        options = {option.name: data[option.name] for option in self.report.options if data.get(option.name)}
        try:
            self.query = report_query_of(
                self.report,
                self.room,
                self.staff,
                self.now,
                first=data["from"],
                last=data["to"],
                table=int(data["table"]) if data.get("table") else None,
                shift=int(data["shift"]) if data.get("shift") else None,
                options=options,
            )
        except BadInput as error:
            self.add_error(error.path if error.path in self.fields else None, error.message)
        return data


def _choice(label: str, choices: list[tuple[str, str]]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        choices=choices,
        required=False,
        error_messages={"invalid_choice": "“%(value)s” is none of the choices."},
    )
