"""Computes the figures of a shift report from its inputs. Pure: the same inputs and names give the same figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, cast

from ..stored.figure_types import (
    MOST_ROUNDS,
    SHAPE,
    WAYS,
    BankedBy,
    BankFees,
    CorrectionMade,
    Difference,
    Figures,
    Offers,
    OverLimit,
    Subject,
    Sums,
    TableFigures,
)
from .inputs import Inputs
from .trays import Tray

_COUNTS = (
    "rounds_settled",
    "rounds_by_eye",
    "corrections",
    "voids_before_deal",
    "voids_after_deal",
    "exhausted_banks",
    "turns_begun",
    "runs_over_limit",
    "trays_not_closed",
)
#: Figures of trays and meters, in cents.
TRAYS = (
    "meter_contributions_cents",
    "tray_opened_cents",
    "tray_fills_cents",
    "tray_credits_cents",
    "tray_closed_cents",
    "win_by_slips_cents",
    "tray_variance_cents",
    "tray_noted_cents",
)


def tables_spoken_of(inputs: Inputs) -> set[int]:
    """Return the ids of all tables of which the inputs speak."""
    rows: Iterable[Mapping[str, Any]] = [
        *inputs.rounds,
        *inputs.bank_fees,
        *inputs.turns,
        *inputs.offers,
        *inputs.ways,
        *inputs.runs,
        *inputs.trays,
        *inputs.contributions,
    ]
    return {row["table"] for row in rows}


def figures_made(
    inputs: Inputs,
    *,
    subject: Subject,
    numbers: Mapping[int, int],
    idle: BankedBy = "players",
) -> Figures:
    """Make the figures. `numbers` gives the number of every table to be shown, by id.

    `idle` is who would bank at a table at which nothing happened.
    """
    tables: dict[int, TableFigures] = {
        table: cast("TableFigures", {"table": table, "number": number, "banked_by": idle, **_nothing()})
        for table, number in sorted(numbers.items(), key=lambda item: (item[1], item[0]))
    }
    for row in inputs.rounds:
        sums = tables[row["table"]]
        sums["rounds_settled"] = row["settled"]
        sums["rounds_by_eye"] = row["settled_by_eye"]
        sums["corrections"] = row["corrections"]
        sums["voids_before_deal"] = row["voids_before_deal"]
        sums["voids_after_deal"] = row["voids_after_deal"]
        sums["exhausted_banks"] = row["exhausted"]
    for row in inputs.bank_fees:
        tables[row["table"]]["bank_fees"].append(_bank_fees(row))
    for row in inputs.turns:
        tables[row["table"]]["turns_begun"] = row["count"]
    for row in inputs.offers:
        cast("dict[str, int]", tables[row["table"]]["offers"])[row["answer"]] = row["count"]
    for run in inputs.runs:
        tables[run["table"]]["runs_over_limit"] += 1
    ways = _ways_by_table(inputs)
    for table, sums in tables.items():
        for figure, by_way in ways[table].items():
            # The first way is the figure; the others must agree with it, or the report names a difference.
            cast("dict[str, Any]", sums)[figure] = next(iter(by_way.values()))
    for added in inputs.contributions:
        tables[added["table"]]["meter_contributions_cents"] = added["cents"]
    banking = _banking(inputs, tables)
    for table, sums in tables.items():
        sums["banked_by"] = banking.get(table, idle)
    _trays(inputs, tables)
    return {
        "shape": SHAPE,
        "subject": subject,
        "tables": list(tables.values()),
        "total": sums_added(tables.values()),
        "differences": _differences(inputs, ways, numbers),
        "games": inputs.games,
        "corrections": [_correction(row, numbers) for row in inputs.corrections],
        "later": [_correction(row, numbers) for row in inputs.later],
        "over_limit": [
            OverLimit(
                table=run["table"],
                number=numbers[run["table"]],
                player=run["player"],
                limit=run["limit"],
                rounds=run["rounds"],
            )
            for run in inputs.runs
        ],
    }


def _banking(inputs: Inputs, tables: Mapping[int, TableFigures]) -> dict[int, BankedBy]:
    """Who banked at each table at which anything happened, by its rounds, its slips and the cash that was taken there."""
    house = {row["table"] for row in inputs.rounds if row["house_banked"]}
    house |= {row["table"] for row in inputs.trays}
    house |= {row["table"] for row in inputs.ways if row["cents"].get("buy_ins_cents")}
    players = {row["table"] for row in inputs.rounds if row["played"] > row["house_banked"]}
    players |= {row["table"] for row in (*inputs.turns, *inputs.offers)}
    players |= {row["table"] for row in inputs.ways if row["cents"].get("time_fees_cents")}
    found: dict[int, BankedBy] = {}
    for table in tables:
        if table in house:
            found[table] = "both" if table in players else "house"
        elif table in players:
            found[table] = "players"
    return found


def _trays(inputs: Inputs, tables: Mapping[int, TableFigures]) -> None:
    """Put into the figures what the slips say of the tray of each table that the house banked.

    What it won by them is not known while its tray is not closed, nor by how much that differs from its rounds. Of
    rounds not carded nothing is known of what it won.
    """
    slips = {
        row["table"]: Tray(**{name: row[name] for name in row if name != "table"}) for row in inputs.trays
    }
    by_eye = {row["table"] for row in inputs.rounds if row["house_banked"] and row["settled_by_eye"]}
    for table, sums in tables.items():
        if table not in slips and (sums["banked_by"] == "players" or not _was_used(sums)):
            continue
        tray = slips.get(table, Tray())
        won = tray.win_cents(sums["buy_ins_cents"])
        sums["tray_opened_cents"] = tray.opened_cents
        sums["tray_fills_cents"] = tray.fills_cents
        sums["tray_credits_cents"] = tray.credits_cents
        sums["tray_closed_cents"] = tray.closed_cents
        sums["tray_noted_cents"] = tray.noted_cents
        sums["trays_not_closed"] = int(not tray.is_closed)
        sums["win_by_slips_cents"] = won
        known = won is not None and table not in by_eye
        sums["tray_variance_cents"] = won - sums["house_win_cents"] if known and won is not None else None


def _was_used(sums: Sums) -> bool:
    """Whether chips may have left or reached a tray: a round was settled or corrected, or somebody bought in."""
    return bool(sums["rounds_settled"] or sums["corrections"] or sums["buy_ins_cents"])


def _correction(row: Mapping[str, Any], numbers: Mapping[int, int]) -> CorrectionMade:
    return {
        "table": row["table"],
        "number": numbers[row["table"]],
        "round": {"id": row["id"], "gaming_day": row["gaming_day"], "number": row["number"]},
        "revision": row["revision"],
        "shift": row["shift"],
        "corrects": row["corrects"],
        "corrects_shift": row["corrects_shift"],
        "round_shift": row["round_shift"],
        "reason": row["reason"],
        "changed": row["changed"],
    }


def _nothing() -> Sums:
    """The figures of a table at which nothing happened: known to be 0."""
    zeros: dict[str, Any] = dict.fromkeys((*_COUNTS, *WAYS, *TRAYS), 0)
    return cast(
        "Sums",
        {**zeros, "bank_fees": [], "offers": Offers(accepted=0, declined=0, absent=0, ineligible=0)},
    )


def _bank_fees(row: Mapping[str, Any]) -> BankFees:
    return {
        "schedule": row["schedule"],
        "number": row["schedule__number"],
        "version": row["schedule_version"],
        "band": row["bank_fee_band"],
        "fee_cents": row["bank_fee_cents"],
        "rounds": row["rounds"],
        "cents": row["cents"],
    }


def _ways_by_table(inputs: Inputs) -> defaultdict[int, dict[str, dict[str, int]]]:
    """Return cents by table, figure and way, in the order of `WAYS`. A way without a row made 0 of it."""
    read = {(row["table"], row["way"]): row["cents"] for row in inputs.ways}
    ways: defaultdict[int, dict[str, dict[str, int]]] = defaultdict(dict)
    for table in {table for table, _ in read}:
        ways[table] = {
            figure: {way: read.get((table, way), {}).get(figure, 0) for way in names}
            for figure, names in WAYS.items()
        }
    return ways


def sums_added(several: Iterable[Sums]) -> Sums:
    """Add figures up: of the tables of a shift, or of one table over shifts. One that is not known leaves the sum so."""
    total = _nothing()
    loose = cast("dict[str, Any]", total)
    bands: dict[tuple[int, str, int], BankFees] = {}
    for sums in several:
        each = cast("Mapping[str, Any]", sums)
        for name in (*_COUNTS, *WAYS, *TRAYS):
            known = loose[name] is not None and each.get(name) is not None
            loose[name] = loose[name] + each[name] if known else None
        for answer, count in sums["offers"].items():
            loose["offers"][answer] += count
        for fees in sums["bank_fees"]:
            key = (fees["schedule"], fees["band"], fees["fee_cents"])
            if key in bands:
                bands[key]["rounds"] += fees["rounds"]
                bands[key]["cents"] += fees["cents"]
            else:
                bands[key] = fees.copy()
    total["bank_fees"] = sorted(
        bands.values(),
        key=lambda fees: (fees["number"], fees["version"], fees["fee_cents"], fees["band"]),
    )
    return total


def _differences(
    inputs: Inputs,
    ways: Mapping[int, dict[str, dict[str, int]]],
    numbers: Mapping[int, int],
) -> list[Difference]:
    """Every figure of a table of which two ways differ, in the sum or in a single round."""
    at_fault: defaultdict[tuple[int, str], list[Any]] = defaultdict(list)
    for fault in inputs.faults:
        at_fault[fault["table"], fault["figure"]].append(fault)
    differences: list[Difference] = []
    for table, number in sorted(numbers.items(), key=lambda item: (item[1], item[0])):
        for figure, by_way in ways.get(table, {}).items():
            rounds = at_fault.get((table, figure), [])
            if len(set(by_way.values())) == 1 and not rounds:
                continue
            differences.append(
                {
                    "table": table,
                    "number": number,
                    "figure": figure,
                    "ways": by_way,
                    "rounds": [
                        {"id": fault["round"], "gaming_day": fault["gaming_day"], "number": fault["number"]}
                        for fault in rounds[:MOST_ROUNDS]
                    ],
                    "rounds_at_fault": len(rounds),
                },
            )
    return differences
