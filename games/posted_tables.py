"""A room's own paytables as dated versions, for options that let a room give its own.

Document 004 lets the house amend its payouts from time to time and asks that they be posted; 000 section 11 prints the
least odds allowed. So a room keeps its versions in a file, and each one is checked against its rulebook when the file
is read:

    rulebook = "designated_player"

    [[pair_plus]]
    in_force_from = 2026-03-01
    reference = "placard of March 1"
    straight_flush = 40
    three_of_a_kind = 30
    straight = 6
    flush = 4
    pair = 1
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from games.datafile import Entry, read_data_file
from games.refusal import Refusal
from games.registry import RULEBOOKS, load_rulebook, read_options


class NoTablePosted(LookupError):
    """The day is before the first version: the odds then are unknown, and are not guessed."""


@dataclass(frozen=True, slots=True)
class PostedVersion:
    """One version of the table of `option`: `odds` gives N of "N to 1" by hand, from `in_force_from` until the next version."""

    in_force_from: date
    reference: str
    option: str
    odds: Mapping[str, int]

    @property
    def options(self) -> dict[str, Any]:
        """The round sheet's options under this version."""
        return {self.option: dict(self.odds)}


@dataclass(frozen=True, slots=True)
class PostedTables:
    """All versions of a room for one rulebook, the earliest first."""

    rulebook: str
    versions: tuple[PostedVersion, ...]

    def on(self, day: date) -> PostedVersion:
        """Return the version in force on `day`. Raises NoTablePosted before the first."""
        posted = [version for version in self.versions if version.in_force_from <= day]
        if not posted:
            first = self.versions[0].in_force_from
            raise NoTablePosted(f"nothing was posted for {self.rulebook} before {first}; {day} is earlier")
        return posted[-1]


def read_posted_tables(path: Path) -> PostedTables:
    """Read a room's file of payouts.

    Raises DataFileError, naming the file and the key, for an unknown rulebook or hand, odds below the rulebook's floor,
    a file without a version, and versions of the same day or out of order.
    """
    entry = read_data_file(path)
    rulebook = entry.one_of("rulebook", RULEBOOKS)
    option = _own_table_option(rulebook, entry)
    key = option.removesuffix("_table")
    versions: list[PostedVersion] = []
    for posted in entry.tables(key):
        version = PostedVersion(
            posted.day("in_force_from"),
            posted.text("reference"),
            option,
            {hand: posted.number(hand, least=1) for hand in posted.names()},
        )
        if versions and version.in_force_from <= versions[-1].in_force_from:
            raise posted.error("in_force_from", "is not after the posting before it")
        _check(rulebook, version, posted)
        versions.append(version)
    if not versions:
        raise entry.error(key, "is missing: a file of postings holds at least one")
    entry.done()
    return PostedTables(rulebook, tuple(versions))


def _own_table_option(rulebook: str, entry: Entry) -> str:
    """The option that lets a room give a table of its own."""
    for rule in load_rulebook(rulebook).options.values():
        if rule.own_table:
            return rule.name
    raise entry.error("rulebook", f"is {rulebook!r}, which lets no room post a table of its own")


def _check(rulebook: str, version: PostedVersion, posted: Entry) -> None:
    try:
        read_options(load_rulebook(rulebook), version.options)
    except Refusal as refusal:
        raise posted.error("", f"cannot be posted: {refusal.message}") from None
