"""Which cells a company has: a TOML file, read strictly.

company = "Delta Cardrooms"

[[cell]]
name = "alder-creek"                      # letters, digits and dashes; no two alike
url = "https://alder-creek.example"       # the site, for health and version
store = "s3://alder-creek-exports"        # or a directory; what CARDROOM_EXPORT_URL says there
profile = "alder-creek"                   # of AWS's credentials file; only for s3, may be left out
endpoint = "https://s3.example"           # the same
migrate = ["ssh", "alder-creek.example", "sudo", "cardroom-migrate"]   # may be left out
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, Final

from cardroom.config.values import BadValue, store_address, witness_address
from cardroom.reports.exports.store import Patience, Store

_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
#: Somebody waits for the page: a request that is not answered costs it 2 times 3 seconds, and what the client waits between.
PATIENCE: Final = Patience(connect=2, read=3, tries=2, again=1)
_KEYS: Final = {"name", "url", "store", "profile", "endpoint", "migrate"}


class CellsRefused(Exception):
    """A file of cells that cannot be gone by; the message lists each fault and what to write."""


@dataclasses.dataclass(frozen=True)
class Cell:
    """One licensee's site. `migrate` is the command by which it is migrated, argument by argument; empty: none is known."""

    name: str
    url: str
    store: str
    profile: str = ""
    endpoint: str = ""
    migrate: tuple[str, ...] = ()

    def opened(self) -> Store:
        """Return its store. Raises StoreRefused."""
        options = {"profile": self.profile, "endpoint_url": self.endpoint}
        return Store(self.store, {name: value for name, value in options.items() if value}, PATIENCE)


@dataclasses.dataclass(frozen=True)
class Company:
    """A company: its name, and its cells in the order of the file."""

    name: str
    cells: tuple[Cell, ...]


def company_read(path: Path) -> Company:
    """Read the file of a company's cells. Raises CellsRefused."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise CellsRefused(
            f"{path} cannot be read: {fault.strerror}. Write it as docs/company.md shows."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise CellsRefused(f"{path} is no TOML: {fault}.") from None
    faults: list[str] = []
    name, cells = said.pop("company", None), said.pop("cell", None)
    if not isinstance(name, str) or not name.strip():
        faults.append('company: write its name, company = "Delta Cardrooms"')
    if not isinstance(cells, list) or not cells or not all(isinstance(each, dict) for each in cells):
        faults.append("cell: write a table [[cell]] for each licensee's site")
        cells = []
    faults += [f"{key}: is not known here; known are company and cell" for key in said]
    found = [
        cell for number, each in enumerate(cells, 1) if (cell := _cell(each, number, faults)) is not None
    ]
    for what, values in (("name", [cell.name for cell in found]), ("store", [cell.store for cell in found])):
        for value, times in Counter(values).items():
            if times > 1:
                faults.append(f"{what}: {times} cells have the {what} {value!r}; each has its own")
    if faults:
        raise CellsRefused(f"{path} is refused:\n" + "\n".join(f"  - {fault}" for fault in faults))
    return Company(str(name).strip(), tuple(found))


def _cell(said: dict[str, Any], number: int, faults: list[str]) -> Cell | None:
    named = f"cell {number} ({said['name']})" if isinstance(said.get("name"), str) else f"cell {number}"
    before = len(faults)
    faults += [
        f"{named}, {key}: is not known here; known are {', '.join(sorted(_KEYS))}"
        for key in set(said) - _KEYS
    ]
    name = said.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        faults.append(f"{named}, name: write small letters, digits and dashes, such as alder-creek")
    addresses: dict[str, str] = {}
    for key, read in (("url", witness_address), ("store", store_address)):
        if not isinstance(said.get(key), str):
            faults.append(f"{named}, {key}: is missing, or not in quotes")
            continue
        try:
            addresses[key] = read(said[key]).rstrip("/")
        except BadValue as fault:
            faults.append(f"{named}, {key}: {fault}")
    texts = {key: said.get(key, "") for key in ("profile", "endpoint")}
    faults += [
        f"{named}, {key}: write it in quotes" for key, text in texts.items() if not isinstance(text, str)
    ]
    if addresses.get("store", "").startswith("/") and any(texts.values()):
        faults.append(f"{named}: profile and endpoint are of an S3 store, and its store is a directory")
    migrate = said.get("migrate", [])
    if not isinstance(migrate, list) or not all(isinstance(word, str) and word for word in migrate):
        faults.append(
            f'{named}, migrate: write a list of arguments, such as ["ssh", "host", "cardroom-migrate"]'
        )
    if len(faults) > before:
        return None
    return Cell(str(name), **addresses, **texts, migrate=tuple(migrate))
