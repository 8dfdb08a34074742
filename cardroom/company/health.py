"""Asks each cell of a company whether it answers, what version it runs, and whether it can do its work."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import http.client
import json
import urllib.parse
from collections.abc import Sequence
from typing import Any, Final

from .cells import Cell

#: Seconds that a cell may take: `/ready/` answers within 2.
PATIENCE: Final = 5
_MOST_BYTES: Final = 100_000


@dataclasses.dataclass(frozen=True)
class CellHealth:
    """How a cell is. `version` is empty where it does not answer, and `fault` says why; `failing` are what it is not ready in."""

    cell: Cell
    version: str = ""
    ready: bool = False
    failing: tuple[str, ...] = ()
    fault: str = ""

    @property
    def text(self) -> str:
        """In a line."""
        if self.fault:
            return f"does not answer: {self.fault}"
        return f"version {self.version}, " + (
            "ready" if self.ready else f"not ready: {', '.join(self.failing)}"
        )


def cells_health(cells: Sequence[Cell]) -> list[CellHealth]:
    """Ask all cells at once, in their order. One that does not answer says why, and holds up no other."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
        return list(pool.map(cell_health, cells))


def cell_health(cell: Cell) -> CellHealth:
    """Ask one cell."""
    try:
        status, said = _asked(cell, "/health/")
        version = said.get("version")
        if status != 200 or not isinstance(version, str):
            return CellHealth(
                cell,
                fault=f"{cell.url}/health/ answers {status} and no version: is it a site of this software?",
            )
        status, said = _asked(cell, "/ready/")
        failing = tuple(
            f"{check['name']}: {check['text']}" for check in said.get("checks", []) if not check["ok"]
        )
        return CellHealth(
            cell, version=version, ready=status == 200, failing=failing or (f"/ready/ answers {status}",)
        )
    except (OSError, http.client.HTTPException) as fault:
        return CellHealth(
            cell,
            fault=f"{cell.url}: {fault}. See whether the site runs, and its address in the file of cells",
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return CellHealth(cell, fault=f"{cell.url} answers something else than a site of this software")


def _asked(cell: Cell, path: str) -> tuple[int, dict[str, Any]]:
    address = urllib.parse.urlsplit(cell.url)
    kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = kind(str(address.hostname), address.port, timeout=PATIENCE)
    try:
        connection.request("GET", address.path.rstrip("/") + path, headers={"Accept": "application/json"})
        response = connection.getresponse()
        said: dict[str, Any] = json.loads(response.read(_MOST_BYTES))
        return response.status, said
    finally:
        connection.close()
