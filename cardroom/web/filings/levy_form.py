"""The form of a levy's draft: its head and its tiers, as a document and back; and the amounts of a worked example."""

from __future__ import annotations

import calendar
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError

from cardroom.floor.commands.filings import TITLE_LENGTH
from fees.document import Problem
from fees.levied import Due, levied
from fees.levy import (
    AT_BOUND,
    AUTHORIZED,
    BASES,
    BY_BASE,
    CITY,
    COMBINE,
    DEFAULTS,
    EACH_PERIOD,
    MONTH,
    MOST_LINES,
    MOST_TABLES,
    PER,
    QUARTER,
    ROUNDING,
    STATE,
    TABLES,
    TABLES_COUNTED,
    YEAR,
    Levy,
    percent_text,
)

from ..parts.forms.fields import DollarsField, day_field, words_field
from .schedule_form import holds, typed_row, with_one_more

_NOTHING: Mapping[str, Any] = {}
_PERCENT = re.compile(r"([0-9]{1,5})(?:\.([0-9]{1,2}))?\s*%?", re.ASCII)
_LEVIED_BY: Final = {CITY: "a city or county", STATE: "the state"}
_PERIODS: Final = {MONTH: "a month", QUARTER: "a quarter", YEAR: "a year"}
#: The base of an example where no tier is of it, in cents.
_EXAMPLE: Final = 10_000_000


class PercentField(forms.CharField):
    """A percentage with at most two places; its value is int basis points, or None when nothing is typed."""

    def __init__(self, **options: Any) -> None:
        options.setdefault(
            "widget",
            forms.TextInput(
                attrs={"inputmode": "decimal", "autocomplete": "off", "class": "dollars", "maxlength": 9}
            ),
        )
        super().__init__(**{"required": False, **options})

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]  # CharField says str; the value is a number
        typed = super().to_python(value)
        if not typed:
            return None
        match = _PERCENT.fullmatch(typed)
        if match is None:
            raise ValidationError("Write a percentage with at most two places: 12.5.", code="not_percent")
        return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))

    def prepare_value(self, value: Any) -> Any:
        return percent_text(value).removesuffix("%") if isinstance(value, int) else value


def _choice(label: str, choices: Iterable[tuple[Any, str]]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(choices))


def _dollars(label: str) -> DollarsField:
    return DollarsField(zero=True, label=label, required=False)


def _tables(label: str) -> forms.IntegerField:
    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 3})
    return forms.IntegerField(required=False, min_value=0, max_value=MOST_TABLES, label=label, widget=widget)


class LevyHeadForm(forms.Form):
    """Who takes it, by which section, of what and how often; how its scales come together and how cents are rounded."""

    title = words_field(TITLE_LENGTH, "Title", required=False)
    effective_from = day_field("Planned first day in force")
    levied_by = _choice("Taken by", _LEVIED_BY.items())
    authority = words_field(120, "Whom it is paid to", required=False)
    source = words_field(200, "Section that says it", required=False)
    period = _choice("For each", _PERIODS.items())
    year_begins = _choice("Its year begins with", ((at, calendar.month_name[at]) for at in range(1, 13)))
    combine = _choice("Several scales are", COMBINE.items())
    rounding = _choice("A percentage is rounded", ROUNDING.items())
    at_bound = _choice("An amount on a bound is", AT_BOUND.items())
    minimum_cents = _dollars("At least $ (empty: nothing)")
    maximum_cents = _dollars("At most $ (empty: no limit)")
    tables = _choice("Tables are", TABLES_COUNTED.items())
    authorized_tables = _tables("Tables that the license authorizes")
    text = forms.CharField(
        required=False,
        max_length=1_500,
        label="Words of the section",
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    base = forms.MultipleChoiceField(
        choices=list(BASES.items()),
        required=False,
        label="Gross revenue is",
        widget=forms.CheckboxSelectMultiple,
    )

    def head(self) -> dict[str, Any]:
        """The document without its lines, from valid input."""
        data = self.cleaned_data
        names = ("levied_by", "authority", "source", "period", "base", *DEFAULTS)
        return {
            **{name: data[name] for name in names},
            "year_begins": int(data["year_begins"]),
            "authorized_tables": data["authorized_tables"] or 0,
            "minimum_cents": data["minimum_cents"] or 0,
        }


class TierForm(forms.Form):
    """One tier. All empty, it is none."""

    per = forms.ChoiceField(choices=[("", "…"), *PER.items()], required=False, label="What is due")
    lower_cents = _dollars("From")
    upper_cents = _dollars("To (empty: and up)")
    basis_points = PercentField(label="Per cent")
    fixed_cents = _dollars("Amount")
    remove = forms.BooleanField(required=False, label="Remove")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        amounts = ("lower_cents", "upper_cents", "basis_points", "fixed_cents")
        per = cleaned.get("per")
        if not per and not cleaned.get("remove") and any(cleaned.get(name) is not None for name in amounts):
            self.add_error("per", "Choose what is due.")
        if per == TABLES:
            for name in ("lower_cents", "upper_cents"):
                if (cleaned.get(name) or 0) % 100:
                    self.add_error(name, "Write a whole number of tables.")
        return cleaned

    def line(self) -> dict[str, Any] | None:
        """The line as the document has it, from valid input; None where there is none."""
        data = self.cleaned_data
        per = data.get("per")
        if data.get("remove") or not per:  # a row left alone has said nothing
            return None
        line: dict[str, Any] = {"per": per}
        lower, upper = data["lower_cents"], data["upper_cents"]
        if per == TABLES:
            line |= {} if lower is None else {"lower_tables": lower // 100}
            line["upper_tables"] = None if upper is None else upper // 100
        elif per != EACH_PERIOD or (lower, upper) != (None, None):
            line |= {} if lower is None else {"lower_cents": lower}
            line["upper_cents"] = upper
        return line | {name: data[name] for name in ("basis_points", "fixed_cents") if data[name] is not None}


TierRows = forms.formset_factory(TierForm, extra=1, absolute_max=MOST_LINES, max_num=MOST_LINES)


class LevyForm:
    """A whole draft. Made of what was posted, or of a document; `more` adds an empty tier to it."""

    def __init__(
        self, data: Any = None, *, initial: Mapping[str, Any] = _NOTHING, document: Any = None
    ) -> None:
        head, lines = _rows_of(document) if isinstance(document, Mapping) else ({}, [])
        data = with_one_more(data, "lines")
        self.head = LevyHeadForm(data, initial={**initial, **head}, prefix="head")
        self.lines = TierRows(data, initial=lines, prefix="lines")

    def numbered(self, problems: Collection[Problem]) -> list[tuple[TierForm, list[Problem]]]:
        """Each line of the form, the problems that the checker has with it beside it."""
        return [
            (form, [problem for problem in problems if problem.line == number])
            for number, form in enumerate(self.lines, start=1)
        ]

    def is_valid(self) -> bool:
        return all([self.head.is_valid(), self.lines.is_valid()])

    def arguments(self) -> dict[str, Any]:
        """What the command takes, from valid input."""
        data = self.head.cleaned_data
        return {
            "document": _document(self.head, self.lines),
            "title": data["title"],
            "effective_from": data["effective_from"],
        }


def fits_form(document: Any) -> bool:
    """Tell whether the form can show a document without losing anything: one from elsewhere may hold what it cannot."""
    if not isinstance(document, Mapping):
        return False
    head, rows = _rows_of(document)
    form = LevyHeadForm({**typed_row(head), "base": head.get("base", [])})
    lines = [TierForm(_typed_line(row)) for row in rows]
    if len(lines) >= MOST_LINES or not all(each.is_valid() for each in (form, *lines)):
        return False
    return _document(form, lines) == {**DEFAULTS, "lines": [], **document}


def _document(head: LevyHeadForm, lines: Iterable[TierForm]) -> dict[str, Any]:
    return {**head.head(), "lines": [line for each in lines if (line := each.line()) is not None]}


def _rows_of(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What the fields hold for a document, as far as they can."""
    said = {**DEFAULTS, **document}
    head = {name: said[name] for name in LevyHeadForm.base_fields if holds(said.get(name))}
    if isinstance(base := said.get("base"), list):
        head["base"] = [each for each in base if isinstance(each, str)]
    lines = said.get("lines")
    return head, list(_lines_of(lines if isinstance(lines, list) else []))


def _lines_of(lines: list[Any]) -> Iterator[dict[str, Any]]:
    for line in lines:
        row = dict(line) if isinstance(line, Mapping) else {}
        for bound in ("lower", "upper"):
            if isinstance(count := row.pop(f"{bound}_tables", None), int):
                row[f"{bound}_cents"] = count * 100
        yield {name: row[name] for name in TierForm.base_fields if holds(row.get(name))}


def _typed_line(row: Mapping[str, Any]) -> dict[str, str]:
    points = row.get("basis_points")
    return typed_row(row) | ({"basis_points": percent_text(points)} if isinstance(points, int) else {})


class TriedForm(forms.Form):
    """The amounts of a worked example: a gross revenue, and so many tables."""

    gross = _dollars("Gross revenue $")
    count = _tables("Tables")

    def __init__(self, levy: Levy, data: Any = None) -> None:
        self.levy, self.example = levy, example_of(levy)
        given = data if data and ("gross" in data or "count" in data) else None
        initial = {"gross": self.example[0], "count": self.example[1]}
        super().__init__(given, initial=initial, auto_id="tried-%s")
        if not levy.counts_tables:
            del self.fields["count"]

    @property
    def worked(self) -> Due | None:
        """What is due of the amounts that were typed, or of the example; None of what cannot be read."""
        if not self.is_bound:
            return levied(self.levy, *self.example)
        if not self.is_valid():
            return None
        data = self.cleaned_data
        return levied(self.levy, data["gross"] or 0, data.get("count") or 0)


def example_of(levy: Levy) -> tuple[int, int]:
    """Return a base that lies in the last tier, half beyond its bound, and a number of tables."""
    bound = max((tier.lower for tier in levy.tiers if tier.per in BY_BASE), default=0)
    tables = levy.authorized_tables if levy.tables == AUTHORIZED else 0
    return (bound * 3 // 2 or _EXAMPLE), tables or (10 if levy.counts_tables else 0)
