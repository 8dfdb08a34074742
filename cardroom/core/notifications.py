"""Messages to other processes that are sent after the commit, and a block that sends none."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar

from django.db import transaction

_muted: ContextVar[bool] = ContextVar("notifications_muted", default=False)


def notify_on_commit(send: Callable[[], None]) -> None:
    """Call `send` when the open transaction is committed (at once without one), unless notifications are muted."""
    if not _muted.get():
        transaction.on_commit(send)


@contextlib.contextmanager
def notifications_muted() -> Iterator[None]:
    """Drop the notifications that are asked for in the block, such as those of the simulated past.

    Each would cost a message, and with a broker that is down its timeout.
    """
    token = _muted.set(True)
    try:
        yield
    finally:
        _muted.reset(token)
