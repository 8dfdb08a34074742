"""Queries on the rounds that a report is about, how each of them counts, and where a page shows it.

A round counts in the shift that was open when its bets closed, and stays there; a correction counts in the shift in
which it was made, as what it changes: new less old. So the figures of days are those of their shift reports added up.
"""

from __future__ import annotations

import datetime
import functools
from typing import Final
from urllib.parse import urlencode

from django.db.models import Case, F, QuerySet, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.urls import get_script_prefix, reverse

from cardroom.core.dates import day_text
from cardroom.floor.models import Round

from .query import ReportQuery, Scope

#: A round's number that is no part of an address otherwise.
_ANY: Final = 1_000_000_007


def rounds_of(query: ReportQuery) -> QuerySet[Round]:
    """Return the rounds asked about, voids and corrections too, in no order: by shift, as their index has them."""
    rounds = Round.objects.filter(shift__in=[shift.pk for shift in query.shifts]).order_by()
    return rounds if query.table is None else rounds.filter(table=query.table)


def counts(column: str) -> Combinable:
    """Return what a round counts in a column of cents: all of it, or of a correction what it changes."""
    return F(column) - Coalesce(F(f"corrects__{column}"), 0)


def counted_at() -> Case:
    """Return when a round counts: as its bets closed, or of a correction as it was made."""
    return Case(When(corrects__isnull=False, then=F("corrected_at")), default=F("bets_closed_at"))


def round_name(gaming_day: datetime.date, number: int, revision: int = 0) -> str:
    """Return what a round is called: "Fri Nov 20, 2026 · 12", and "…, correction 1"."""
    return f"{day_text(gaming_day)} · {number}" + (f", correction {revision}" if revision else "")


def round_address(pk: int) -> str:
    """Return the address of a round's page."""
    before, after = _round_addresses(get_script_prefix())
    return f"{before}{pk}{after}"


@functools.cache
def _round_addresses(prefix: str) -> tuple[str, str]:
    """The parts of a round's URL before and after its id: a report has thousands of them. `prefix` is the site's."""
    before, _, after = reverse("web:round", args=[_ANY]).partition(str(_ANY))
    return before, after


def report_address(scope: Scope, name: str, **narrowed: str | int) -> str:
    """Return the address of another report about the same time and table, `narrowed` by its choices."""
    parameters: dict[str, object] = {"from": scope.first, "to": scope.last}
    if scope.shift is not None:
        parameters["shift"] = scope.shift.pk
    if scope.table is not None:
        parameters["table"] = scope.table.number
    address = reverse("web:catalogue_report", args=[scope.room.code, name])
    return f"{address}?{urlencode({**parameters, **narrowed})}"
