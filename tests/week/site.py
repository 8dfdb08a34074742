"""What the week is watched by: every address that is asked for, and whatever is written while no request is answered."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable, Iterator
from typing import Any

import time_machine
from django.core.signals import request_finished, request_started
from django.db import connection

from cardroom.floor.tasks import watch_floors
from cardroom.jobs.tasks import run_due_jobs
from cardroom.reports.tasks import escalate_variances, make_due_reports

#: With what a statement begins that changes rows.
_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class Site:
    """The site as it runs: requests, its own background work, and its clock; nobody else writes while `watched`."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self.traveller = traveller
        self.asked: list[str] = []
        self._answering = 0

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Note every request, and refuse what is written outside of them and of the background work."""

        def begins(environ: Any = None, **_more: Any) -> None:
            self._answering += 1
            self.asked.append(environ["PATH_INFO"])

        def ends(**_more: Any) -> None:
            self._answering -= 1

        request_started.connect(begins)
        request_finished.connect(ends)
        try:
            with connection.execute_wrapper(self._written):
                yield
        finally:
            request_started.disconnect(begins)
            request_finished.disconnect(ends)

    def _written(self, execute: Callable[..., Any], sql: str, *given: Any) -> Any:
        if not self._answering and sql.lstrip().upper().startswith(_WRITES):
            raise AssertionError(f"written past pages, API and background: {sql[:200]}")
        return execute(sql, *given)

    def works(self) -> None:
        """Let worker and beat do what they do every minute."""
        self._answering += 1
        try:
            for task in (watch_floors, run_due_jobs, make_due_reports, escalate_variances):
                task()
        finally:
            self._answering -= 1

    def passes(self, time: datetime.timedelta) -> None:
        """Move the clock on by some time."""
        self.traveller.shift(time)

    def at(self, moment: datetime.datetime) -> None:
        """Move the clock on to an instant."""
        self.traveller.move_to(moment.timestamp())
