"""Views of a company's figures, at a site of its own that holds no room (docs/company.md).

Whoever has an account at that site may see them; at every other site the address is not there.
"""

from __future__ import annotations

import datetime
from collections import Counter

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.company.cells import CellsRefused, company_read
from cardroom.company.figures import CompanyFigures, by_cell, company_figures
from cardroom.company.health import cells_health
from cardroom.company.months import months_read
from cardroom.documents.formatting import several
from cardroom.reports.exports.store import StoreRefused
from cardroom.rooms.models import Room
from games.money import dollars


@login_required
@require_GET
def company_page(request: HttpRequest) -> HttpResponse:
    """Show the sums of some months over all cells, and the version and health of each."""
    if settings.COMPANY_FILE is None:
        raise Http404
    if Room.objects.exists():  # its people are a licensee's, not the company's
        raise Http404
    context: dict[str, object] = {"first": request.GET.get("first", ""), "last": request.GET.get("last", "")}
    try:
        company = company_read(settings.COMPANY_FILE)
    except CellsRefused as refusal:
        return render(request, "web/company/page.html", {**context, "refused": str(refusal)}, status=503)
    context["company"] = company
    try:
        first, last = months_read(str(context["first"] or _this_month()), str(context["last"]) or None)
    except ValueError as fault:
        return render(request, "web/company/page.html", {**context, "wrong": str(fault)}, status=400)
    context |= {"first": f"{first:%Y-%m}", "last": f"{last:%Y-%m}", "health": cells_health(company.cells)}
    try:
        found = company_figures(company, first, last)
    except StoreRefused as fault:  # a package is missing
        return render(request, "web/company/page.html", {**context, "refused": str(fault)}, status=503)
    # A site with one row is its own sum.
    rows = Counter(each.cell for each in found.months)
    context |= {
        "found": found,
        "answer": _answer(found),
        "cells": [
            (name, rows[name] > 1, [each for each in found.months if each.cell == name], figures)
            for name, figures in by_cell(found.months).items()
        ],
        "total": found.total,
    }
    return render(request, "web/company/page.html", context)


def _answer(found: CompanyFigures) -> str:
    """Say what the rooms took: "$1,234 dropped in November 2026, in 31 gaming days of 2 rooms at 2 sites, 1 left out"."""
    first, last = f"{found.first:%B %Y}", f"{found.last:%B %Y}"
    months = first if first == last else f"{first} to {last}"
    left_out = f", {len(found.faults)} left out" if found.faults else ""
    if not found.months:
        return f"Nothing is exported of {months}{left_out}"
    rooms = {(each.cell, each.room) for each in found.months}
    return (
        f"{dollars(found.total.drop_cents)} dropped in {months}, in {several(found.total.days, 'gaming day')} of "
        f"{several(len(rooms), 'room')} at {several(len({cell for cell, _ in rooms}), 'site')}{left_out}"
    )


def _this_month() -> str:
    """The month of yesterday, by UTC: the last one of which a day can be over everywhere."""
    return f"{timezone.now() - datetime.timedelta(days=1):%Y-%m}"
