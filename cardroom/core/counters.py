"""Counters of a process for monitoring (`/metrics`): requests, and commands on the floor.

The numbers live as long as the process. What the site holds is read from the database (`cardroom.ops.metrics`).
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

#: All counters at `/metrics`.
REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

REQUESTS = Histogram(
    "cardroom_request_seconds",
    "Seconds from a request to its answer, by view; live streams are left out.",
    ["view", "method", "status"],
    registry=REGISTRY,
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10),
)
COMMANDS = Counter(
    "cardroom_commands",
    "Commands given on the floor, by command and outcome: done, repeated (the stored answer again), or the refusal.",
    ["command", "outcome"],
    registry=REGISTRY,
)

#: An unknown method gets no time series of its own.
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Outcome:
    """How one command ends: `done` unless it is said otherwise before the end."""

    word = "done"


@contextlib.contextmanager
def command_counted(command: str) -> Iterator[Outcome]:
    """Count one command when the block ends; one that raises is counted by the kind of its refusal."""
    outcome = Outcome()
    try:
        yield outcome
    except Exception as refusal:
        outcome.word = type(refusal).__name__
        raise
    finally:
        COMMANDS.labels(command, outcome.word).inc()


def requests_counted(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: count each request and its seconds by view, method and status."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        response = get_response(request)
        match = request.resolver_match
        REQUESTS.labels(
            match.view_name if match is not None else "none",
            request.method if request.method in _METHODS else "other",
            str(response.status_code),
        ).observe(time.perf_counter() - started)
        return response

    return answer
