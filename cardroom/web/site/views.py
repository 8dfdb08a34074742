"""The about page: which version this is, what it runs on, and what it promises."""

from __future__ import annotations

import platform

import django
from django.contrib.auth.decorators import login_required
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from cardroom.config.version import VERSION


@require_GET
@login_required
def about(request: HttpRequest) -> HttpResponse:
    """Show the version, and those of Python, Django and the database."""
    runs_on = [
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
        (connection.display_name, ".".join(map(str, connection.get_database_version()))),
    ]
    return render(request, "web/site/about.html", {"version": VERSION, "runs_on": runs_on})
