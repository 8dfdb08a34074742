"""Logs: one line an event on standard error, with the request's or task's context as key=value pairs.

Imported by the settings, so that structlog is set up in every process before anything logs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from cardroom.config.version import VERSION

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

#: What every event gets, whether it comes from structlog or from the standard library's logging.
SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def finished_requests_alone(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Drop the line that says a request came: the one that says how it went holds the same and more."""
    if event["event"] == "request_started":
        raise structlog.DropEvent
    return event


def add_version(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Say which version of the product wrote a line: collected logs hold lines of several."""
    event["version"] = VERSION
    return event


structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        finished_requests_alone,
        *SHARED,
        structlog.processors.StackInfoRenderer(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)


def line_formatter() -> logging.Formatter:
    """Return a formatter of the LOGGING setting: a line for people, and a traceback below it where there is one."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            # A plain traceback: the richer kinds print local variables, passwords among them.
            structlog.dev.ConsoleRenderer(
                colors=False, pad_event_to=0, exception_formatter=structlog.dev.plain_traceback
            ),
        ],
    )


def json_formatter() -> logging.Formatter:
    """Return the other formatter of the LOGGING setting: an object a line, for programs that collect logs."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            add_version,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(default=str),
        ],
    )


#: The places that addresses name, by the words they have there, and the words of the log.
_PLACES = {
    "room_id": "room",
    "code": "room",
    "table_id": "table",
    "shift_id": "shift",
    "round_id": "round",
    "box_id": "box",
}


class RequestsNamed:
    """Middleware, right inside django-structlog's: lines of a request name its place, its answer names the request.

    The id stands on every line of the request and of the tasks that it leaves, and as X-Request-ID on the answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        response["X-Request-ID"] = structlog.contextvars.get_contextvars().get("request_id", "")
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        structlog.contextvars.bind_contextvars(
            **{_PLACES[name]: value for name, value in kwargs.items() if name in _PLACES}
        )
