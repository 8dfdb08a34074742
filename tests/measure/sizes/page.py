"""docs/measured/sizes.md: what a round takes, and what rooms and a state need by it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from tests.measure.conditions import ran_on, written_by

from .statements import KINDS

#: What is reckoned for: rounds a day. A room has forty tables, each thirty rounds an hour, round the clock.
PLACES = {"one room": 28_750, "twelve rooms": 345_000, "a state": 2_300_000}
#: The busiest hour of a day against the mean of all: forty rounds an hour at a table, in place of thirty.
PEAK = 40 / 30
#: How busy a processor may be on the average of that hour, so that commands do not wait for one another.
BUSY = 0.5
#: Seconds for which a request holds its connection, with its waits: 95 of 100 took no longer at five times a room's peak
#: (docs/measured/benchmarks-floor.md).
HELD_SECONDS = 0.126
#: Days for which the answer to a command is kept under its key.
STORED_DAYS = 7
DAY, YEAR = 86_400, 365
_ANSWERS = "floor_storedanswer"
#: The commands of a round played on a tablet, in their order, with their names.
COMMANDS = {
    "turn/end": "the turn at the bank is ended",
    "offers": "the bank is offered on",
    "rounds": "a round is opened",
    "rounds/current/bets": "wagers",
    "rounds/current/close-bets": "no more bets",
    "rounds/current/deal": "deal",
    "rounds/current/settle": "settlement",
}
_FEW_BYTES = 100
#: Requests of a round: five commands, half of the two by which the bank is offered on, and the page after it; or a sheet, and
#: half of an offer.
PLAYED_REQUESTS, POSTED_REQUESTS = 5 + 2 / 2 + 1, 1 + 1 / 2


def page(taken: Mapping[str, Any]) -> str:
    """Return the whole page."""
    sheets, played = taken["sheets"], taken["played"]
    kept = sum(_grown(sheets).values())
    return f"""# Sizes

{written_by("sizes", "tests/measure/sizes/")}

- Machine: {ran_on()}. Times are of processors (`/proc/<pid>/stat`: the site's process; PostgreSQL's with all its backends), and not
  by the clock: other work ran on the machine too.
- PostgreSQL with `fsync` on, one process of the site (uvicorn), Valkey, a room of forty tables of a bank and five players. Everything is
  posted by HTTP, one request after the other.
- {sheets["times"]} rounds are posted as whole sheets at half of the tables, with an answer about the bank after every second one; then
  {played["times"]} are played command by command at the others, where the table's page is read after each settlement, as a tablet does. Bytes
  and WAL are counted between two checkpoints, so that the first change of each page is in the WAL as a whole page.
- Statements are counted by pg_stat_statements with `track = all`, {_counted(taken)} times each command, of which the median stands here:
  checks of foreign keys and what triggers do are among them, which no client sends.

## A round

| a round | posted whole | played, command by command |
|---|---:|---:|
| processor of the site, ms | {_ms(sheets, "site"):.1f} | {_ms(played, "site"):.1f} |
| processor of PostgreSQL, ms | {_ms(sheets, "postgres"):.1f} | {_ms(played, "postgres"):.1f} |
| bytes kept: tables and indexes | {_each(sheets, kept):,.0f} | {_each(played, sum(_grown(played).values())):,.0f} |
| bytes of answers, kept for {STORED_DAYS} days | {_answers(sheets):,.0f} | {_answers(played):,.0f} |
| bytes of WAL | {_each(sheets, sheets["wal"]):,.0f} | {_each(played, played["wal"]):,.0f} |

Bytes of a round posted whole, as they were written, without VACUUM:

| | table | indexes |
|---|---:|---:|
{_tables(sheets)}
## Pages

| read once | processor of the site, ms | of PostgreSQL, ms | statements |
|---|---:|---:|---:|
{_pages(taken)}
While a board is open, each process of the site that shows one draws a card more after each command.
The site's process took {taken["memory"]["site"] / 2**20:.0f} MB of memory in the end, PostgreSQL {taken["memory"]["postgres"] / 2**20:.0f} MB.

## Statements of a command

| command | all | {" | ".join(KINDS.values())} |
|---|---:|{"---:|" * len(KINDS)}
{_statements(taken)}
{_keys(taken)}

## What rooms and a state need

Reckoned from the figures above, for rounds that are played command by command and for sheets that are posted whole. Forty tables with
thirty rounds an hour round the clock are a room; the busiest hour has a third more. Processors are busy half of it on the average, so
that commands do not queue. Reports, checkpoints and standbys are not in it: [a shift's report](benchmarks-reports.md) takes a worker
seconds, and a standby writes the same WAL.

| | {" | ".join(PLACES)} |
|---|{"---:|" * len(PLACES)}
{_needs(taken)}
- Processes of the site are as many as processors for it: one uses no more than one. Each keeps a pool: the connections in use on the
  average of the busiest hour are commands and pages a second × {HELD_SECONDS:g} s, which 95 of 100 commands took no longer than at five times a
  room's peak ([measured](benchmarks-floor.md)); `CARDROOM_DATABASE_POOL` has to be above that share of each process, and
  `max_connections` above the sum of the pools.
- Disk is facts and indexes of a year, and of answers {STORED_DAYS} days. WAL is what an archive takes in a day, with a checkpoint
  every {sheets["times"]} rounds posted whole or {played["times"]} played, after which whole pages are written anew: twelve rooms have 1,200 rounds between two
  checkpoints of five minutes, and one room 100.
- **A state is not one database.** Each licensee's rooms are a database of their own, on machines of their own: the last column is their sum.
"""


def _counted(taken: Mapping[str, Any]) -> int:
    return len(taken["statements"]["a whole sheet"])


def _ms(took: Mapping[str, Any], what: str) -> float:
    return float(1000 * took[what] / took["times"])


def _each(took: Mapping[str, Any], total: float) -> float:
    return total / int(took["times"])


def _grown(took: Mapping[str, Any]) -> dict[str, int]:
    return {name: sum(both) for name, both in took["grown"].items() if name != _ANSWERS}


def _answers(took: Mapping[str, Any]) -> float:
    return _each(took, sum(took["grown"].get(_ANSWERS, [0])))


def _tables(took: Mapping[str, Any]) -> str:
    rows = sorted(took["grown"].items(), key=lambda each: -sum(each[1]))
    lines, rest = [], [0.0, 0.0]
    for name, (table, indexes) in rows:
        if _each(took, table + indexes) < _FEW_BYTES:
            rest = [rest[0] + table, rest[1] + indexes]
            continue
        note = f", kept for {STORED_DAYS} days" if name == _ANSWERS else ""
        lines.append(f"| `{name}`{note} | {_each(took, table):,.0f} | {_each(took, indexes):,.0f} |\n")
    lines.append(f"| all others | {_each(took, rest[0]):,.0f} | {_each(took, rest[1]):,.0f} |\n")
    return "".join(lines)


def _pages(taken: Mapping[str, Any]) -> str:
    return "".join(
        f"| {name} | {_ms(took, 'site'):.1f} | {_ms(took, 'postgres'):.1f} "
        f"| {sum(taken['pages_statements'][name]['calls'].values())} |\n"
        for name, took in taken["pages"].items()
    )


def _statements(taken: Mapping[str, Any]) -> str:
    lines = []
    for command, counts in taken["statements"].items():
        kinds = {kind: median(each["calls"].get(kind, 0) for each in counts) for kind in KINDS}
        cells = " | ".join(f"{number:.0f}" for number in kinds.values())
        lines.append(f"| {COMMANDS.get(command, command)} | **{sum(kinds.values()):.0f}** | {cells} |\n")
    return "".join(lines)


def _keys(taken: Mapping[str, Any]) -> str:
    """Say what the checks of foreign keys take of PostgreSQL's time, and of a sheet's."""
    sheets = taken["statements"]["a whole sheet"]
    checks = sum(each["milliseconds"].get("foreign keys", 0.0) for each in sheets)
    all_of_it = sum(sum(each["milliseconds"].values()) for each in sheets)
    both = _ms(taken["sheets"], "site") + _ms(taken["sheets"], "postgres")
    return (
        f"The checks of foreign keys of a whole sheet are {checks / len(sheets):.2f} ms of the "
        f"{all_of_it / len(sheets):.1f} ms that its statements took inside PostgreSQL ({100 * checks / all_of_it:.0f} of 100), "
        f"and {100 * checks / len(sheets) / both:.1f} of 100 of the processor time of a sheet. They are left as they are: each row "
        "says which room, table, shift, round and player it is of, and the database refuses one that is of none, whoever writes it."
    )


def _needs(taken: Mapping[str, Any]) -> str:
    rows: list[tuple[str, Sequence[str]]] = [
        ("rounds a day", [f"{rounds:,}" for rounds in PLACES.values()]),
        ("rounds a second, busiest hour", [f"{_peak(rounds):.1f}" for rounds in PLACES.values()]),
    ]
    for way, took, requests in (
        ("played", taken["played"], PLAYED_REQUESTS),
        ("posted whole", taken["sheets"], POSTED_REQUESTS),
    ):
        site, postgres = _ms(took, "site") / 1000, _ms(took, "postgres") / 1000
        rows += [
            (
                f"{way}: requests a second, busiest hour",
                [f"{requests * _peak(each):.0f}" for each in PLACES.values()],
            ),
            (
                f"{way}: processors of the site, and its processes",
                [_processors(each, site) for each in PLACES.values()],
            ),
            (f"{way}: processors of PostgreSQL", [_processors(each, postgres) for each in PLACES.values()]),
            *([_boards(taken)] if way == "played" else []),
            (
                f"{way}: connections in use",
                [f"{math.ceil(requests * _peak(each) * HELD_SECONDS)}" for each in PLACES.values()],
            ),
            (
                f"{way}: disk a year",
                [
                    _bytes(
                        each * (YEAR * _each(took, sum(_grown(took).values())) + STORED_DAYS * _answers(took))
                    )
                    for each in PLACES.values()
                ],
            ),
            (f"{way}: WAL a day", [_bytes(each * _each(took, took["wal"])) for each in PLACES.values()]),
        ]
    return "".join(f"| {name} | {' | '.join(cells)} |\n" for name, cells in rows)


def _boards(taken: Mapping[str, Any]) -> tuple[str, Sequence[str]]:
    """The processors for a card after each command, in each process that shows a board."""
    card = _ms(taken["pages"]["a card of the board"], "site") / 1000
    return (
        "played: processors more for each process that shows boards, at most",
        [f"{math.ceil((PLAYED_REQUESTS - 1) * _peak(each) * card / BUSY)}" for each in PLACES.values()],
    )


def _peak(rounds: int) -> float:
    return PEAK * rounds / DAY


def _processors(rounds: int, seconds: float) -> str:
    return f"{math.ceil(_peak(rounds) * seconds / BUSY)}"


def _bytes(count: float) -> str:
    """Bytes in the unit that leaves one to three digits before the point, decimal as disks are sold."""
    for unit in ("kB", "MB", "GB"):
        count /= 1000
        if count < 1000:
            return f"{count:.1f} {unit}"
    return f"{count / 1000:.1f} TB"
