"""Exports a stored report as JSON and CSV, both from the stored figures and nothing else."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Mapping
from typing import Any, Final, cast

from django.utils.text import slugify

from cardroom.core.csv_cells import cell
from cardroom.core.dates import utc_text
from cardroom.documents.formatting import plain_dollars
from cardroom.documents.stored import grid_data
from cardroom.floor.models import Shift
from cardroom.people.names import names_of_refs

from ..models import PeriodReport
from .figure_types import PLAYERS_FIGURES, BankFees, Difference, Sums
from .ladders import ladders_of
from .late_corrections import standing
from .reading import Report, house_banks, players_bank
from .rounds_counted import rounds_charged, rounds_in_rotation
from .verdict import verdict_of

#: Columns of the CSV after the table's name: figure and heading. Amounts are written in dollars.
COLUMNS: Final[tuple[tuple[str, str], ...]] = (
    ("rounds_settled", "rounds settled"),
    ("rounds_by_eye", "rounds not carded"),
    ("corrections", "corrections"),
    ("voids_before_deal", "voids before deal"),
    ("voids_after_deal", "voids after deal"),
    ("total_table_action_cents", "total table action"),
    ("player_fees_cents", "player fees"),
    ("bank_fees_cents", "bank fees"),
    ("time_fees_cents", "time collected"),
    ("rake_cents", "house rake"),
    ("fees_waived_cents", "fees waived"),
    ("fees_refunded_cents", "fees refunded"),
    ("drop_expected_cents", "drop expected"),
    ("jackpot_expected_cents", "jackpot expected"),
    ("tips_cents", "tips"),
    ("taken_cents", "wagers taken"),
    ("paid_cents", "wagers paid"),
    ("uncovered_cents", "wagers returned uncovered"),
    ("exhausted_banks", "exhausted banks"),
    ("turns_begun", "turns begun"),
    ("accepted", "offers accepted"),
    ("declined", "offers declined"),
    ("absent", "offers absent"),
    ("ineligible", "offers ineligible"),
    ("runs_over_limit", "runs of rounds over the limit"),
)
#: Those of them that are left out where the house banks every table, and those that are added where it banks any.
_OF_PLAYERS: Final = frozenset(
    (
        *PLAYERS_FIGURES,
        *("exhausted_banks", "turns_begun", "accepted", "declined", "absent", "ineligible"),
        "runs_over_limit",
    )
)
_OF_THE_HOUSE: Final[tuple[tuple[str, str], ...]] = (
    ("house_win_cents", "house win by rounds"),
    ("win_by_slips_cents", "house win by slips"),
    ("tray_variance_cents", "win by slips less win by rounds"),
    ("tray_noted_cents", "of it noted by closers"),
    ("buy_ins_cents", "cash bought in"),
    ("tray_opened_cents", "trays opened with"),
    ("tray_fills_cents", "fills"),
    ("tray_credits_cents", "credits"),
    ("tray_closed_cents", "trays closed with"),
    ("trays_not_closed", "trays not closed"),
    ("meter_wins_cents", "won off meters"),
    ("meter_contributions_cents", "added to meters"),
)
#: Columns that say how many rounds other sections of the report count than "rounds settled".
ROUNDS_COUNTED: Final = (
    "rounds in the fee bands, voids included",
    "rounds settled in the rotation, by when they opened",
)


def report_json(report: Report) -> str:
    """Return the whole report as JSON: its figures, the totals with later corrections, and how it can be proven.

    `ties_out` is false when any two ways of adding up a figure differ; `differences` then says which. `verdict` says in words
    what the report comes to, and `ladders` how its drop becomes what was expected and counted, with the jackpot's beside. The
    report refers to players as it is kept, hashed; `players` says what they are called today.
    """
    return json.dumps(
        {
            "made_at": utc_text(report.made_at),
            "revision": report.revision,
            "ties_out": not report.typed_figures["differences"],
            "verdict": verdict_of(report)._asdict(),
            "ladders": [grid_data(ladder) for ladder in ladders_of(report)],
            "inputs_hash": report.inputs_hash,
            "content_hash": report.content_hash,
            "heads": [dataclasses.asdict(head) for head in report.chain_heads],
            "changes": report.changes,
            "figures": report.figures,
            "players": names_of_refs([report.figures, report.sections]),
            "stands": standing(report.typed_figures).total,
            "sections": report.sections,
        },
        ensure_ascii=False,
        indent=2,
        sort_keys=True,  # PostgreSQL keeps documents without their order: the same report is the same bytes on both
    )


def shift_file_name(shift: Shift) -> str:
    """Return what the files of a shift's report are called, without an ending."""
    return f"{shift.room.code}-{shift.gaming_day}-{slugify(shift.name) or shift.pk}"


def name_of_revision(name: str, report: Report) -> str:
    """Return a file's name with the number of the restatement that the report is, if it is one."""
    return f"{name}-restatement-{report.revision}" if report.revision else name


def report_csv(report: Report) -> str:
    """Return the report as CSV: a line a table, then the total. Money is dollars such as `1234.50`.

    Bank fees have a column for each band of each schedule; a figure that is not known is an empty cell. The
    last columns say of each line whether it ties out and, if not, which figures differ and in which rounds, and what was
    corrected since in other shifts (`late_corrections.standing`).
    """
    figures = report.typed_figures
    about = _about(report)
    bands = [(fees["schedule"], fees["band"], fees["fee_cents"]) for fees in figures["total"]["bank_fees"]]
    columns = [
        *(each for each in COLUMNS if players_bank(report) or each[0] not in _OF_PLAYERS),
        *(_OF_THE_HOUSE if house_banks(report) else ()),
    ]
    sheet = io.StringIO()
    # The carriage return before each line feed is what RFC 4180 asks for.
    writer = csv.writer(sheet, lineterminator="\r\n")
    writer.writerow(
        [
            *(heading for heading, _ in about),
            "table",
            *(heading for _, heading in columns),
            *ROUNDS_COUNTED,
            *(_band_heading(fees) for fees in figures["total"]["bank_fees"]),
            *("ties out", "differences", "corrected since"),
        ],
    )
    in_rotation = rounds_in_rotation(report)
    stands = standing(figures)
    lines: list[tuple[str, int | None, Sums]] = [
        (str(table["number"]), table["table"], table) for table in stands.tables
    ]
    for name, table, sums in [*lines, ("total", None, stands.total)]:
        differing = [d for d in figures["differences"] if table in (None, d["table"])]
        writer.writerow(
            [
                *(cell(value) for _, value in about),
                name,
                *(_figure(sums, figure) for figure, _ in columns),
                str(rounds_charged(sums)),
                _in_rotation(in_rotation, sums),
                *(_of_band(sums, band) for band in bands),
                "no" if differing else "yes",
                cell("; ".join(_difference(d) for d in differing)),
                cell(stands.in_words(table)),
            ],
        )
    return sheet.getvalue()


def _about(report: Report) -> list[tuple[str, str]]:
    """The columns that say what the report is about, each with its value."""
    if isinstance(report, PeriodReport):
        period = report.typed_figures["subject"]
        return [("room", period["room_name"]), ("first day", period["first"]), ("last day", period["last"])]
    subject = report.typed_figures["subject"]
    return [
        ("room", subject["room_name"]),
        ("gaming day", subject["gaming_day"]),
        ("shift", subject["shift_name"]),
    ]


def _in_rotation(rounds: Mapping[int, int], sums: Sums) -> str:
    """The settled rounds that the rotation counts at a table, or in all; empty in a report without that section."""
    if not rounds:
        return ""
    number = cast("Mapping[str, Any]", sums).get("number")
    return str(sum(rounds.values()) if number is None else rounds.get(number, 0))


def _figure(sums: Sums, figure: str) -> str:
    values: Mapping[str, Any] = {**sums, **sums["offers"]}
    value: int | None = values.get(figure)
    if figure.endswith("_cents"):
        return plain_dollars(value)
    return "" if value is None else str(value)


def _band_heading(fees: BankFees) -> str:
    return cell(
        f"bank fees schedule {fees['number']} v{fees['version']} "
        f"{fees['band']} at {plain_dollars(fees['fee_cents'])}",
    )


def _of_band(sums: Sums, band: tuple[int, str, int]) -> str:
    for fees in sums["bank_fees"]:
        if (fees["schedule"], fees["band"], fees["fee_cents"]) == band:
            return plain_dollars(fees["cents"])
    return plain_dollars(0)  # the band was in use at another table, and took nothing at this one


def _difference(found: Difference) -> str:
    ways = ", ".join(f"{way} {plain_dollars(cents)}" for way, cents in found["ways"].items())
    rounds = " ".join(f"{ref['gaming_day']}/{ref['number']}" for ref in found["rounds"])
    more = found["rounds_at_fault"] - len(found["rounds"])
    at_fault = f", rounds {rounds}" + (f" and {more} more" if more else "") if rounds else ""
    shift = f"{found['shift_name']} " if "shift_name" in found else ""
    return f"{shift}table {found['number']} {found['figure'].removesuffix('_cents')}: {ways}{at_fault}"
