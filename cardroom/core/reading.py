"""Reads reports from the standby where that has everything, else from the database, and says from which."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from cardroom.config.replica import (
    REPLICA,
    Level,
    NotLevel,
    has_replica,
    level_of,
    position_of,
    read_from_replica,
    reading_alias,
)

from .dates import moment_text

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: Seconds that a report waits for the standby while a user does, and a worker's.
SOON, PATIENTLY = 1.0, 30.0
_ITSELF: Final = "Read from the database itself"


def read_reports(work: Callable[[], T], seconds: float = SOON) -> tuple[T, str]:
    """Return what `work` reads from the standby and from where it was read, in words; "" where the site has none.

    Where the standby is away, behind, another database's or no standby any more, and where it breaks the reading off, the
    work is done on the database itself, and the words say why.
    """
    if not has_replica() or reading_alias() == REPLICA:
        return work(), ""
    try:
        with read_from_replica(seconds) as level:
            return work(), level_words(level)
    except NotLevel as fault:
        why = str(fault)
    except DatabaseError:
        logger.warning("the standby could not be read from; the database is", exc_info=True)
        why = "the standby did not answer"
    finally:
        connections[REPLICA].close()
    logger.warning("a report is read from the database itself: %s", why)
    return work(), f"{_ITSELF}: {why}."


def least_sure(sources: Sequence[str]) -> str:
    """Of the words on where parts of a report were read from, those that hold for all: of the database, if one was read there."""
    return next((source for source in sources if source.startswith(_ITSELF)), next(iter(sources), ""))


def level_words(level: Level) -> str:
    """Return from where a report was read, in words."""
    last = f"; its last entry is of {moment_text(level.last_at, datetime.UTC)}" if level.last_at else ""
    return (
        "Read from the standby, which had everything that was recorded until "
        f"{moment_text(level.looked_at, datetime.UTC)}{last}."
    )


def replica_words() -> str:
    """Return how far the standby is behind now, in words; "" where the site has none."""
    if not has_replica():
        return ""
    try:
        level = level_of(connections[REPLICA], position_of(connections[DEFAULT_DB_ALIAS]))
    except NotLevel as fault:
        return f"not read from: {fault}"
    except DatabaseError:
        return "not read from: it does not answer"
    finally:
        connections[REPLICA].close()
    return "level" if level.is_reached else f"{level.behind_bytes:,} bytes behind"
