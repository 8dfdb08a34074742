"""What each query of a page reads: the plan that PostgreSQL carried out, and the most rows that one of its steps examined."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from django.db import connection, reset_queries
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import Resolver404, resolve

from cardroom.people.models import Staff

_LINK = re.compile(r'(?:href|hx-get|src)="([^"#]+)"')
#: So many addresses of a route are asked for: the tables of a room are many.
_OF_A_ROUTE = 2


class Read(NamedTuple):
    """A step of a query's plan: `rows` that it examined in all, those that it dropped included."""

    page: str
    rows: int
    relation: str
    step: str
    query: str


def crawled(user: str) -> Iterator[tuple[str, list[str]]]:
    """Follow the links of the site as this user; yield each page that was answered with the queries that it ran."""
    client = Client()
    client.force_login(Staff.objects.get(username=user))
    asked: dict[str, int] = {}
    waiting, seen = ["/"], {"/"}
    while waiting:
        page = waiting.pop(0)
        try:
            route = resolve(urlsplit(page).path).route
        except Resolver404:
            continue
        asked[route] = asked.get(route, 0) + 1
        if asked[route] > _OF_A_ROUTE or route.startswith(("admin", "static", "accounts", "api/docs")):
            continue
        reset_queries()  # Django keeps the last 9,000
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(page)
        if answer.streaming or answer.status_code not in (200, 302):
            continue
        links = (
            [answer["Location"]]
            if answer.status_code == 302
            else _LINK.findall(answer.content.decode(errors="replace"))
        )
        for link in links:
            further = urljoin(page, link.replace("&amp;", "&"))
            if further.startswith("/") and further not in seen:
                seen.add(further)
                waiting.append(further)
        yield page, [query["sql"] for query in captured.captured_queries]


def most_read(page: str, query: str) -> Read:
    """Return the step of a query that examined the most rows."""
    return max(
        (
            Read(page, _examined(step), step.get("Relation Name", ""), step["Node Type"], query)
            for step in _steps(_plan(query))
        ),
        key=lambda read: read.rows,
    )


def read_of_tables(query: str) -> dict[str, int]:
    """Return how many rows of each table a query examined in all."""
    read: dict[str, int] = {}
    for step in _steps(_plan(query)):
        if table := step.get("Relation Name"):
            read[table] = read.get(table, 0) + _examined(step)
    return read


def found_by(query: str) -> set[str]:
    """Return the indexes that a query's rows were found by, and for tables that were read without one the name of the step."""
    steps = list(_steps(_plan(query)))
    whole = {step["Node Type"] for step in steps if step["Node Type"] in ("Seq Scan", "Parallel Seq Scan")}
    return {step["Index Name"] for step in steps if "Index Name" in step} | whole


def _plan(query: str) -> dict[str, Any]:
    """The plan that PostgreSQL carried a query out by."""
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) " + query.replace("%", "%%"), [])
        found = cursor.fetchone()[0]
    plan: dict[str, Any] = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    return plan


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for step in plan.get("Plans", ()):
        yield from _steps(step)


def _examined(step: dict[str, Any]) -> int:
    dropped = ("Rows Removed by Filter", "Rows Removed by Index Recheck", "Rows Removed by Join Filter")
    return round((step["Actual Rows"] + sum(step.get(name, 0) for name in dropped)) * step["Actual Loops"])
