"""Money figures added up in several ways, each from rows or documents of its own.

For each round of a shift, and each way of looking at it, there is what that way makes of every figure. Transfers and
the columns of rounds are added up by the database; settlements, quotes and bets are documents, read one by one and
not held. However many rounds there are, five queries read them all.

A correction counts as what it changes: every way makes of it what the round comes to now, less what the round that it
corrects came to. So a shift shows what was recorded in it first, and another what was corrected in it later.
"""

# ruff: noqa: S608 -- the SQL is put together from this module's own words alone; the shift is a parameter

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypedDict

from django.db import connection
from django.db.models import F, QuerySet

from cardroom.floor.models import Round, TimeCollection
from cardroom.floor.models.codes import ACCOUNTS, TRANSFERS

from .figures import WAYS

#: The ways that need no look into the documents of a round.
ROW_WAYS: Final = ("transfers", "rounds")
#: Rounds that are read at a time.
_CHUNK: Final = 500


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


class _Looked(NamedTuple):
    """What one way makes of one round (None: of time collected at the table), or of a part of it: cents by figure."""

    table: int
    round: int | None
    way: str
    cents: Mapping[str, int]


def ways_read(shift_id: int) -> tuple[list[WaySums], list[Fault]]:
    """Add up every figure of a shift in every way: the sums by table, and the rounds in which any two ways differ."""
    sums: defaultdict[tuple[int, str], dict[str, int]] = defaultdict(lambda: dict.fromkeys(WAYS, 0))
    rounds: defaultdict[tuple[int, int], dict[tuple[str, str], int]] = defaultdict(
        lambda: dict.fromkeys(_COLUMNS, 0)
    )
    for table, round_, way, cents in _looked_at(shift_id):
        of_table = sums[table, way]
        for figure, value in cents.items():
            of_table[figure] += value
        if round_ is not None:
            of_round = rounds[table, round_]
            for figure, value in cents.items():
                of_round[figure, way] += value
    return [
        {"table": table, "way": way, "cents": {figure: of_table[figure] for figure in _OF[way]}}
        for (table, way), of_table in sorted(sums.items())
    ], _faults(rounds)


def row_sums(shift_id: int) -> list[WaySums]:
    """Add up every figure of a shift by its transfers and by the columns of its rounds, by table: no document is read."""
    found: list[WaySums] = []
    for way, source in _rows().items():
        figures = _OF[way]
        sums = ", ".join(f"SUM({figure})" for figure in figures)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT table_id, {sums} FROM ({source}) AS looked_at GROUP BY table_id ORDER BY table_id",
                {"shift": shift_id},
            )
            for table, *cents in cursor.fetchall():
                found.append(
                    {"table": table, "way": way, "cents": dict(zip(figures, map(int, cents), strict=True))}
                )
    return found


def _faults(rounds: Mapping[tuple[int, int], Mapping[tuple[str, str], int]]) -> list[Fault]:
    """The rounds in which any two ways of a figure differ, and the figures in which they do."""
    differing = []
    for (table, round_), cents in sorted(rounds.items()):
        for figure, first, others, ways in _COMPARED:
            value = cents[first]
            for other in others:
                if cents[other] != value:
                    differing.append((table, round_, figure, {way: cents[figure, way] for way in ways}))
                    break
    named = _named({round_ for _, round_, _, _ in differing})
    return [
        {
            "table": table,
            "round": round_,
            "gaming_day": named[round_][0],
            "number": named[round_][1],
            "figure": figure,
            "ways": by_way,
        }
        for table, round_, figure, by_way in differing
    ]


def _named(rounds: Iterable[int]) -> dict[int, tuple[str, int]]:
    """Gaming day (ISO) and number of each of `rounds`."""
    ids = sorted(rounds)
    named = {}
    for start in range(0, len(ids), _CHUNK):
        found = Round.objects.filter(pk__in=ids[start : start + _CHUNK]).order_by()
        for pk, gaming_day, number in found.values_list("pk", "gaming_day", "number"):
            named[pk] = (gaming_day.isoformat(), number)
    return named


def _looked_at(shift_id: int) -> Iterator[_Looked]:
    """Look at every round of a shift in every way."""
    for way, source in _rows().items():
        figures = _OF[way]
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT table_id, round_id, {', '.join(figures)} FROM ({source}) AS looked_at",
                {"shift": shift_id},
            )
            for table, round_, *cents in cursor:
                yield _Looked(table, round_, way, dict(zip(figures, map(int, cents), strict=True)))
    # A correction counts as what it changes: with the sign -1, the round whose place it takes.
    yield from _documents(Round.objects.filter(shift=shift_id), "pk", 1)
    yield from _documents(Round.objects.filter(correction__shift=shift_id), "correction", -1)
    for table, fees in TimeCollection.objects.filter(shift=shift_id).values_list("table", "fees"):
        if listed := _listed(fees):
            yield _Looked(table, None, "quotes", {"time_fees_cents": _sum(listed, "cents")})


def _rows() -> dict[str, str]:
    """The ways that rows go alone, and the query of each that gives its figures by table and round."""
    return dict(zip(ROW_WAYS, (_TRANSFERS, _ROUNDS), strict=True))


def _documents(rounds: QuerySet[Round], counts_as: str, sign: int) -> Iterator[_Looked]:
    """Look at what the documents of `rounds` say; `counts_as` is where the id of the round is that it counts with."""
    columns = ("table", F(counts_as), "state", "bank_seat", "schedule", "settlement", "fees", "bets")
    for table, round_, state, bank_seat, schedule, settlement, fees, bets in (
        rounds.order_by().values_list(*columns).iterator(chunk_size=_CHUNK)
    ):
        settled = state == Round.State.SETTLED
        if settled and (lines := _listed((settlement or {}).get("lines"))):
            yield _Looked(table, round_, "settlements", _settled(lines, sign))
        if quoted := _listed(fees):
            yield _Looked(table, round_, "quotes", _quoted(quoted, bank_seat, schedule, sign))
        if settled and (placed := _listed(bets)):
            antes = _sum([bet.get("wagers") or {} for bet in placed], "ante")
            yield _Looked(table, round_, "bets", {"total_table_action_cents": sign * antes})


def _settled(lines: list[dict[str, Any]], sign: int) -> dict[str, int]:
    """What the lines of a settlement come to: most of them leave most of the figures alone, and have nothing to add."""
    cents = dict.fromkeys(_LINE_COLUMNS, 0)
    for line in lines:
        for figure, column in _LINE_COLUMNS.items():
            if value := line.get(column):
                cents[figure] += sign * int(value)
    return cents


def _quoted(
    fees: list[dict[str, Any]], bank_seat: int | None, schedule: int | None, sign: int
) -> dict[str, int]:
    """What a quote comes to. What a round without a schedule lists as fees is its house rake."""
    cents = {"fees_waived_cents": sign * _sum(fees, "waived")}
    if schedule is None:
        return {**cents, "rake_cents": sign * _sum(fees, "cents")}
    banks = _sum([fee for fee in fees if fee.get("seat") == bank_seat], "cents")
    cents["bank_fees_cents"] = sign * banks
    cents["player_fees_cents"] = sign * (_sum(fees, "cents") - banks)
    return cents


def _listed(document: Any) -> list[dict[str, Any]]:
    """A list in a document. What is no list has no elements: it shows as a difference and not as an error."""
    return document if isinstance(document, list) else []


def _sum(elements: Iterable[Mapping[str, Any]], key: str) -> int:
    """The sum of what stands under `key`; elements without it count nothing."""
    return sum(int(element.get(key) or 0) for element in elements)


def _sum_if(kind: str, figure: str, *, account: str = "") -> str:
    """Sum up transfers of a kind, less those that take one back; `account` is where they come from."""
    back = "reverses_id IS NOT NULL"
    forth = "reverses_id IS NULL"
    if account:
        code = ACCOUNTS[account]
        back, forth = f"{back} AND target = '{code}'", f"{forth} AND source = '{code}'"
    return f"SUM(CASE WHEN kind <> '{TRANSFERS[kind]}' THEN 0 WHEN {forth} THEN cents WHEN {back} THEN -cents ELSE 0 END) AS {figure}"


def _balance(account: str, figure: str) -> str:
    """Sum up what went into an account, less what came out of it."""
    code = ACCOUNTS[account]
    return f"SUM(CASE WHEN target = '{code}' THEN cents WHEN source = '{code}' THEN -cents ELSE 0 END) AS {figure}"


_TRANSFERS: Final = f"""
    SELECT table_id, round_id,
        {_sum_if("fee", "player_fees_cents", account="seat")},
        {_sum_if("fee", "bank_fees_cents", account="bank")},
        {_sum_if("time", "time_fees_cents")},
        {_sum_if("rake", "rake_cents")},
        {_sum_if("fee_refund", "fees_refunded_cents")},
        {_balance("drop", "drop_expected_cents")},
        {_balance("jackpot", "jackpot_expected_cents")},
        {_balance("tokes", "tips_cents")},
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

#: What of a line of a settlement is which figure.
_LINE_COLUMNS: Final = {
    "tips_cents": "toked",
    "taken_cents": "taken",
    "paid_cents": "paid",
    "uncovered_cents": "uncovered",
}

#: The figures of which each way speaks, and every figure in each of its ways.
_OF: Final = {
    way: tuple(figure for figure, ways in WAYS.items() if way in ways)
    for way in ("transfers", "rounds", "settlements", "quotes", "bets")
}
_COLUMNS: Final = [(figure, way) for figure, ways in WAYS.items() for way in ways]
#: Each figure, its column in the first of its ways and those in the others, and the ways.
_COMPARED: Final = [
    (figure, (figure, ways[0]), [(figure, way) for way in ways[1:]], ways) for figure, ways in WAYS.items()
]
