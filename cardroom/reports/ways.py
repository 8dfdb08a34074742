"""Money figures added up in several ways, by the database alone.

One relation, `ways`, holds for each round of a shift and each way of looking at it what that way makes of
every figure. Two queries read it, however many rounds there are: sums by table, and the rounds in which ways
differ.

A correction counts as what it changes: every way makes of it what the round comes to now, less what the round that it
corrects came to. So a shift shows what was recorded in it first, and another what was corrected in it later.
"""

# ruff: noqa: S608 -- the SQL is put together from this module's own words alone; the shift is a parameter

from __future__ import annotations

import datetime
from typing import Any, Final, TypedDict

from django.db import connection

from .figures import WAYS


class WaySums(TypedDict):
    """What one way makes of a table's figures: cents by figure, for the figures of which the way speaks."""

    table: int
    way: str
    cents: dict[str, int]


class Fault(TypedDict):
    """A round in which the ways of one figure differ."""

    table: int
    round: int
    gaming_day: str
    number: int
    figure: str
    ways: dict[str, int]


def way_sums(shift_id: int) -> list[WaySums]:
    """Add up every figure of a shift in every way, by table."""
    figures = ", ".join(f"SUM({figure})" for figure in WAYS)
    rows = _rows(
        f"{_ways()} SELECT table_id, way, {figures} FROM ways GROUP BY table_id, way ORDER BY table_id, way",
        shift_id,
    )
    return [
        {
            "table": table,
            "way": way,
            "cents": {
                figure: int(value) for figure, value in zip(WAYS, sums, strict=True) if way in WAYS[figure]
            },
        }
        for table, way, *sums in rows
    ]


def faults(shift_id: int) -> list[Fault]:
    """Find the rounds in which any two ways of a figure differ, and the figures in which they do."""
    columns = [(figure, way) for figure, ways in WAYS.items() for way in ways]
    names = {pair: f"c{place}" for place, pair in enumerate(columns)}
    sums = ", ".join(
        f"SUM(CASE WHEN way = '{way}' THEN {figure} ELSE 0 END) AS {names[figure, way]}"
        for figure, way in columns
    )
    differ = " OR ".join(
        f"{names[figure, ways[0]]} <> {names[figure, way]}"
        for figure, ways in WAYS.items()
        for way in ways[1:]
    )
    rows = _rows(
        f"{_ways()}, compared AS (SELECT table_id, round_id, {sums} FROM ways GROUP BY table_id, round_id) "
        f"SELECT compared.table_id, round_id, gaming_day, number, {', '.join(names.values())} FROM compared "
        f"JOIN floor_round ON floor_round.id = round_id WHERE {differ} ORDER BY compared.table_id, round_id",
        shift_id,
    )
    found: list[Fault] = []
    for table, round_, gaming_day, number, *values in rows:
        cents = dict(zip(columns, (int(value) for value in values), strict=True))
        for figure, ways in WAYS.items():
            by_way = {way: cents[figure, way] for way in ways}
            if len(set(by_way.values())) > 1:
                found.append(
                    {
                        "table": table,
                        "round": round_,
                        "gaming_day": _day(gaming_day),
                        "number": number,
                        "figure": figure,
                        "ways": by_way,
                    },
                )
    return found


def _rows(sql: str, shift_id: int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, {"shift": shift_id})
        return list(cursor.fetchall())


def _day(value: datetime.date | str) -> str:
    """A raw query gives a date on PostgreSQL and its text on SQLite."""
    return value if isinstance(value, str) else value.isoformat()


def _ways() -> str:
    """Return the WITH clause of the relation `ways(table_id, round_id, way, <figures>)` of a shift."""
    selects = " UNION ALL ".join(
        f"SELECT table_id, round_id, '{way}' AS way, {', '.join(_figures_of(way))} FROM ({source}) AS _{way}"
        for way, source in _sources(connection.vendor).items()
    )
    return f"WITH ways AS ({selects})"


def _figures_of(way: str) -> list[str]:
    """The columns of a way; what it does not speak of is NULL."""
    return [figure if way in ways else f"CAST(NULL AS bigint) AS {figure}" for figure, ways in WAYS.items()]


def _sum_if(kind: str, figure: str, *, account: str = "") -> str:
    """Sum up transfers of a kind, less those that take one back; `account` is where they come from."""
    back = "reverses_id IS NOT NULL"
    forth = "reverses_id IS NULL"
    if account:
        back, forth = f"{back} AND target = '{account}'", f"{forth} AND source = '{account}'"
    return f"SUM(CASE WHEN kind <> '{kind}' THEN 0 WHEN {forth} THEN cents WHEN {back} THEN -cents ELSE 0 END) AS {figure}"


_TRANSFERS: Final = f"""
    SELECT table_id, round_id,
        {_sum_if("fee", "player_fees_cents", account="seat")},
        {_sum_if("fee", "bank_fees_cents", account="bank")},
        {_sum_if("time", "time_fees_cents")},
        {_sum_if("rake", "rake_cents")},
        {_sum_if("fee_refund", "fees_refunded_cents")},
        SUM(CASE WHEN target = 'drop' THEN cents WHEN source = 'drop' THEN -cents ELSE 0 END)
            AS drop_expected_cents,
        SUM(CASE WHEN target = 'jackpot' THEN cents WHEN source = 'jackpot' THEN -cents ELSE 0 END)
            AS jackpot_expected_cents,
        SUM(CASE WHEN target = 'tokes' THEN cents WHEN source = 'tokes' THEN -cents ELSE 0 END) AS tips_cents,
        {_sum_if("take", "taken_cents")},
        {_sum_if("pay", "paid_cents")}
    FROM floor_transfer WHERE shift_id = %(shift)s GROUP BY table_id, round_id"""

#: The rounds of the shift, and with the sign -1 those that a correction in the shift takes the place of.
_COUNTED: Final = """
    SELECT counted.*, id AS round_id, 1 AS sign FROM floor_round AS counted WHERE shift_id = %(shift)s
    UNION ALL
    SELECT was.*, now.id AS round_id, -1 AS sign
    FROM floor_round AS now JOIN floor_round AS was ON was.id = now.corrects_id WHERE now.shift_id = %(shift)s"""

#: The collections of time of the shift, as rows beside those of rounds.
_TIMES: Final = """
    SELECT timed.*, CAST(NULL AS bigint) AS round_id, 1 AS sign, CAST(NULL AS bigint) AS bank_seat
    FROM floor_timecollection AS timed WHERE shift_id = %(shift)s"""

_ROUNDS: Final = f"""
    SELECT table_id, round_id,
        SUM(CASE WHEN state = 'settled' THEN sign * total_table_action_cents ELSE 0 END) AS total_table_action_cents,
        SUM(sign * player_fees_cents) AS player_fees_cents,
        SUM(sign * bank_fee_cents) AS bank_fees_cents,
        0 AS time_fees_cents,
        SUM(sign * rake_cents) AS rake_cents,
        SUM(sign * waived_cents) AS fees_waived_cents,
        SUM(sign * refunded_cents) AS fees_refunded_cents,
        SUM(sign * (player_fees_cents + bank_fee_cents + rake_cents - refunded_cents)) AS drop_expected_cents,
        SUM(sign * (jackpot_cents - jackpot_refunded_cents)) AS jackpot_expected_cents,
        SUM(sign * tokes_cents) AS tips_cents,
        SUM(sign * taken_cents) AS taken_cents,
        SUM(sign * paid_cents) AS paid_cents,
        SUM(sign * uncovered_cents) AS uncovered_cents
    FROM ({_COUNTED}) AS counted GROUP BY table_id, round_id
    UNION ALL
    SELECT table_id, round_id, 0, 0, 0, SUM(cents), 0, 0, 0, SUM(cents), 0, 0, 0, 0, 0
    FROM ({_TIMES}) AS timed GROUP BY table_id, round_id"""

_SETTLEMENTS: Final = """
    SELECT table_id, round_id, SUM(sign * toked) AS tips_cents, SUM(sign * taken) AS taken_cents,
        SUM(sign * paid) AS paid_cents, SUM(sign * uncovered) AS uncovered_cents
    FROM ({elements}) AS lines GROUP BY table_id, round_id"""

#: What a round without a schedule lists as fees is its house rake.
_QUOTES: Final = """
    SELECT table_id, round_id,
        SUM(CASE WHEN schedule_id IS NOT NULL AND seat <> bank_seat THEN sign * cents ELSE 0 END) AS player_fees_cents,
        SUM(CASE WHEN schedule_id IS NOT NULL AND seat = bank_seat THEN sign * cents ELSE 0 END) AS bank_fees_cents,
        0 AS time_fees_cents,
        SUM(CASE WHEN schedule_id IS NULL THEN sign * cents ELSE 0 END) AS rake_cents,
        SUM(CASE WHEN waived IS NULL THEN 0 ELSE sign * waived END) AS fees_waived_cents
    FROM ({elements}) AS quoted GROUP BY table_id, round_id
    UNION ALL
    SELECT table_id, round_id, 0, 0, SUM(cents), 0, 0 FROM ({seats}) AS timed GROUP BY table_id, round_id"""

_BETS: Final = """
    SELECT table_id, round_id, SUM(sign * ante) AS total_table_action_cents
    FROM ({elements}) AS placed GROUP BY table_id, round_id"""

_SETTLED: Final = "WHERE state = 'settled'"


def _sources(vendor: str) -> dict[str, str]:
    """Return for each way the query that gives its figures by table and round."""
    elements = {"postgresql": _elements_on_postgresql, "sqlite": _elements_on_sqlite}[vendor]
    lines = elements("settlement", "lines", ("toked", "taken", "paid", "uncovered"), _SETTLED)
    return {
        "transfers": _TRANSFERS,
        "rounds": _ROUNDS,
        "settlements": _SETTLEMENTS.format(elements=lines),
        "quotes": _QUOTES.format(
            elements=elements("fees", None, ("seat", "cents", "waived"), ""),
            seats=elements("fees", None, ("cents",), "", rows=_TIMES),
        ),
        "bets": _BETS.format(elements=elements("bets", None, ("wagers.ante",), _SETTLED)),
    }


def _elements_on_postgresql(
    column: str, key: str | None, fields: tuple[str, ...], condition: str, rows: str = _COUNTED
) -> str:
    """Return a query that gives whole-number `fields` of each element of a JSON list (under `key`) of `rows`."""
    document = f"counted.{column}" + (f" -> '{key}'" if key else "")
    values = ", ".join(
        f"(element #>> '{{{field.replace('.', ',')}}}')::bigint AS {field.split('.')[-1]}" for field in fields
    )
    # Something that is no list has no elements: it shows as a difference and not as an error of the query.
    listed = f"CASE jsonb_typeof({document}) WHEN 'array' THEN {document} ELSE '[]'::jsonb END"
    return (
        f"SELECT table_id, round_id, sign, bank_seat, schedule_id, {values} FROM ({rows}) AS counted "
        f"CROSS JOIN LATERAL jsonb_array_elements({listed}) AS element {condition}"
    )


def _elements_on_sqlite(
    column: str, key: str | None, fields: tuple[str, ...], condition: str, rows: str = _COUNTED
) -> str:
    """The same for SQLite."""
    path = f"$.{key}" if key else "$"
    values = ", ".join(
        f"json_extract(element.value, '$.{field}') AS {field.split('.')[-1]}" for field in fields
    )
    return (
        f"SELECT table_id, round_id, sign, bank_seat, schedule_id, {values} FROM ({rows}) AS counted, "
        f"json_each(counted.{column}, '{path}') AS element {condition}"
    )
