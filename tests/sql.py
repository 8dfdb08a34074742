"""SQL that a test gives as an operator would, on the test's own connection."""

from __future__ import annotations

from typing import Any

from django.db import connection


def run(query: str) -> None:
    """Run a statement that answers nothing."""
    with connection.cursor() as cursor:
        cursor.execute(query)


def asked(query: str) -> Any:
    """Return the one value of the one row of a query."""
    with connection.cursor() as cursor:
        cursor.execute(query)
        [(value,)] = cursor.fetchall()
    return value
