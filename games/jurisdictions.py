"""Jurisdictions: whose rules a room plays by, and which rulebooks it may therefore file and play.

One TOML file holds them all; a permission that began or ended on a known day carries that day.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType

from games.datafile import Entry, read_data_file
from games.registry import RULEBOOKS, load_rulebook

CALIFORNIA = "california"
"""The jurisdiction of a room that names no other."""

_FILE = Path(__file__).parent / "jurisdictions.toml"


@dataclass(frozen=True, slots=True)
class Permission:
    """A rulebook that may be filed, from the day `since` until the day before `until` where these are known."""

    rulebook: str
    since: date | None = None
    until: date | None = None

    def holds(self, day: date) -> bool:
        """Whether the rulebook may be filed and played on `day`."""
        return (self.since is None or self.since <= day) and (self.until is None or day < self.until)


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """One jurisdiction: its name, a description in a sentence, and what may be filed there."""

    id: str
    name: str
    text: str
    permissions: tuple[Permission, ...]

    @property
    def rulebooks(self) -> tuple[str, ...]:
        """The rulebooks that may be filed on some day, in the order of the file."""
        return tuple(dict.fromkeys(each.rulebook for each in self.permissions))

    @property
    def house_banks(self) -> bool:
        """Whether a game may be filed there that the house banks."""
        return any(not load_rulebook(rulebook).player_banked for rulebook in self.rulebooks)

    @property
    def players_bank(self) -> bool:
        """Whether a game may be filed there that players bank."""
        return any(load_rulebook(rulebook).player_banked for rulebook in self.rulebooks)

    def permits(self, rulebook: str, day: date | None = None) -> bool:
        """Whether `rulebook` may be filed and played on `day`; without a day, on any day at all."""
        return any(
            each.rulebook == rulebook and (day is None or each.holds(day)) for each in self.permissions
        )

    def why_not(self, rulebook: str, day: date | None = None) -> str | None:
        """Return None where `permits` says yes, else a sentence that names what may be filed instead."""
        if self.permits(rulebook, day):
            return None
        there = load_rulebook(rulebook).document.jurisdiction if rulebook in RULEBOOKS else "unknown rules"
        when = "" if day is None else f" on {day}"
        return (
            f"The rulebook {rulebook} ({there}) may not be filed or played in a room of {self.name}{when}: "
            f"choose {' or '.join(self.rulebooks)}."
        )


@cache
def jurisdictions() -> Mapping[str, Jurisdiction]:
    """Every jurisdiction by its id, in the order of the file; DataFileError when the file is invalid."""
    return read_jurisdictions(_FILE)


def read_jurisdictions(path: Path) -> Mapping[str, Jurisdiction]:
    """The jurisdictions of a file; DataFileError names the file and the key of the first fault."""
    entry = read_data_file(path)
    found: dict[str, Jurisdiction] = {}
    for table in entry.tables("jurisdictions"):
        each = _read_jurisdiction(table)
        if each.id in found:
            raise table.error("id", f"is {each.id!r}, which is there twice")
        found[each.id] = each
    entry.done()
    return MappingProxyType(found)


def _read_jurisdiction(table: Entry) -> Jurisdiction:
    found = Jurisdiction(
        id=table.text("id"),
        name=table.text("name"),
        text=table.text("text"),
        permissions=tuple(_read_permission(each) for each in table.tables("rulebooks")),
    )
    if not found.permissions:
        raise table.error("rulebooks", "is missing: some rulebook may be filed")
    table.done()
    return found


def _read_permission(table: Entry) -> Permission:
    permission = Permission(
        rulebook=table.one_of("id", RULEBOOKS),
        since=table.day("from") if table.has("from") else None,
        until=table.day("until") if table.has("until") else None,
    )
    if permission.since and permission.until and permission.until <= permission.since:
        raise table.error("until", "must be after from")
    table.done()
    return permission
