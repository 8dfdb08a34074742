"""Logs: one line an event on standard error, with the request's or task's context as key=value pairs.

Imported by the settings, so that structlog is set up in every process before anything logs.
"""

from __future__ import annotations

import logging

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

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
    """Return the formatter of the LOGGING setting: a line of logfmt, and a traceback below it where there is one."""
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
