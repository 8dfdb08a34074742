"""Logging configuration: one line an event on standard error, with the request's or task's context as key=value pairs.

Imported by the settings, so that structlog is set up in every process before anything logs.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from cardroom.config.version import VERSION

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

#: Processors of every event, from structlog and from the standard library's logging alike.
SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def finished_requests_alone(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Drop the request_started event: request_finished holds the same and more."""
    if event["event"] == "request_started":
        raise structlog.DropEvent
    return event


def add_version(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Add the product's version to an event: collected logs hold lines of several versions."""
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


class OnceASecond(logging.Filter):
    """A filter of the LOGGING setting that lets a message pass once a second, and drops what says the same meanwhile.

    Messages are the same by their text before values are put in.
    """

    def __init__(self) -> None:
        super().__init__()
        self._passed_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        now, said = time.monotonic(), str(record.msg)
        passes = now - self._passed_at.get(said, -math.inf) >= 1
        if passes:
            self._passed_at[said] = now
        return passes


def line_formatter() -> logging.Formatter:
    """Return the text formatter of the LOGGING setting: one readable line, with any traceback below it."""
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
    """Return the JSON formatter of the LOGGING setting: one object a line, for log collectors."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            add_version,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(default=str),
        ],
    )


#: URL arguments that identify an object, with their keys in the log.
_PLACES = {
    "room_id": "room",
    "code": "room",
    "table_id": "table",
    "shift_id": "shift",
    "round_id": "round",
    "box_id": "box",
}


class RequestsNamed:
    """Middleware inside django-structlog's: binds the URL's ids to the log context, adds X-Request-ID to the response.

    The request id is on every log line of the request and of the tasks that it queues, and in X-Request-ID.
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
