"""The site as `tests.measure.faults.commands` serves it: answers of commands leave 100 ms late, as over a slow network.

So a kill often falls between the commit and the answer. `FAULTS_TRANSACTIONS=off` takes the
transaction and the lock of commands away, so that each statement commits by itself: the negative control.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import types
from collections.abc import Iterator
from typing import Any

from cardroom.config.asgi import application as site

from . import LATE_SECONDS


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve the site; the answer of a request that writes leaves late."""

    async def send_late(message: Any) -> None:
        if message["type"] == "http.response.start":
            await asyncio.sleep(LATE_SECONDS)
        await send(message)

    await site(scope, receive, send_late if scope.get("method") in ("POST", "PUT") else send)


def without_transactions() -> None:
    """Carry commands out with each statement a transaction of its own, and no row locked."""
    from django.db import connection

    from cardroom.core.row_digests import rows_gathered
    from cardroom.floor import journal
    from cardroom.floor.commands import tray
    from cardroom.floor.execution import carry_out
    from cardroom.floor.execution.locks import no_such

    def row(model: Any, pk: int, *related: str) -> Any:
        found = model._default_manager.select_related(*related).filter(pk=pk).first()
        if found is None:
            raise no_such(model, pk)
        return found

    @contextlib.contextmanager
    def locked(model: Any, pk: int, *related: str) -> Iterator[Any]:
        connection.ensure_connection()
        with rows_gathered():
            yield row(model, pk, *related)

    carry_out.locked = locked
    tray.lock_row = row
    in_block: Any = types.SimpleNamespace(in_atomic_block=True)
    journal.connection = in_block


if os.environ.get("FAULTS_TRANSACTIONS") == "off":
    without_transactions()
