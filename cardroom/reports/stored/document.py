"""Builds the document of a stored report: its figures table by table, its sections as stored, what proves it.

Everything comes from the stored record; what a report is compared with comes from that one's own. What is not in an
older record is not known, and never 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from django.urls import reverse

from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.documents.formatting import UNKNOWN
from cardroom.documents.stored import grid_read
from games.money import dollars

from ..queries.rounds_in_scope import round_address
from ..shift.trays import format_hold
from ..summary.answers import key_answers
from ..summary.charts import first_charts
from ..summary.comparison import Earlier, compared_grid
from ..summary.findings import to_look_at
from ..summary.key_figures import paces_grid
from .diff import Change
from .figure_types import HOUSE_FIGURES, PLAYERS_FIGURES, WAYS, Difference, GameFees, Sums, TableFigures
from .game_fees import game_values
from .ladders import ladders_of
from .late_corrections import CHANGES, Standing, added_up, format_changed, standing
from .reading import Report, clock, house_banks, is_banked_by, players_bank

#: Who signs the printed report.
SIGNED_BY = ("Shift manager", "Manager on duty")

#: A grid of figures by table: its name, its title, and of each figure the name in `Sums` and the heading.
_Figures = tuple[str, str, tuple[tuple[str, str], ...]]

#: The figures of tables at which players bank. A name that ends in `_cents` is money.
_FIGURES: Final[tuple[_Figures, ...]] = (
    (
        "fees",
        "Fees and drop, by table",
        (
            ("rounds_settled", "Rounds"),
            ("total_table_action_cents", "Table action"),
            ("player_fees_cents", "Player fees"),
            ("bank_fees_cents", "Player-dealer fees"),
            ("time_fees_cents", "Time"),
            ("rake_cents", "House rake"),
            ("fees_waived_cents", "Waived"),
            ("fees_refunded_cents", "Refunded"),
            ("drop_expected_cents", "Drop expected"),
            ("jackpot_expected_cents", "Jackpot expected"),
        ),
    ),
    (
        "coverage",
        "Bank coverage and tips, by table",
        (
            ("taken_cents", "Taken by banks"),
            ("paid_cents", "Paid by banks"),
            ("uncovered_cents", "Returned uncovered"),
            ("exhausted_banks", "Banks exhausted"),
            ("tips_cents", "Tips"),
        ),
    ),
    (
        "conduct",
        "Turns, offers, voids and corrections, by table",
        (
            ("turns_begun", "Turns"),
            ("accepted", "Accepted"),
            ("declined", "Declined"),
            ("absent", "Absent"),
            ("ineligible", "Ineligible"),
            ("runs_over_limit", "Runs over the limit"),
            ("voids_before_deal", "Voids before the deal"),
            ("voids_after_deal", "Voids after it"),
            ("corrections", "Corrections"),
            ("rounds_by_eye", "Not carded"),
        ),
    ),
)
#: Those of tables that the house banks, after its win.
_OF_TRAYS: Final[_Figures] = (
    "trays",
    "Trays by their slips, by table",
    (
        ("tray_opened_cents", "Opened with"),
        ("tray_fills_cents", "Fills"),
        ("tray_credits_cents", "Credits"),
        ("buy_ins_cents", "Bought in"),
        ("tray_closed_cents", "Closed with"),
        ("win_by_slips_cents", "Win by slips"),
        ("trays_not_closed", "Not closed"),
    ),
)
_OF_THE_HOUSE: Final[tuple[_Figures, ...]] = (
    (
        "house_rounds",
        "Rounds that the house banks, by table",
        (
            ("rounds_settled", "Rounds"),
            ("total_table_action_cents", "Table action"),
            ("taken_cents", "Wagers taken"),
            ("paid_cents", "Winnings paid"),
            ("meter_wins_cents", "by the meter"),
            ("meter_contributions_cents", "Added to meters"),
            ("tips_cents", "Tips"),
            ("voids_before_deal", "Voids before the deal"),
            ("voids_after_deal", "Voids after it"),
            ("corrections", "Corrections"),
            ("rounds_by_eye", "Not carded"),
        ),
    ),
)
_CHANGES = (
    Column("where", "Where"),
    Column("what", "What"),
    Column("was", "Was"),
    Column("now", "Is now"),
)
_DIFFERENCES = (
    Column("table", "Table", Kind.COUNT),
    Column("figure", "Figure"),
    Column("ways", "Ways of adding up"),
    Column("rounds", "Rounds at fault"),
)
_OVER_LIMIT = (
    Column("table", "Table", Kind.COUNT),
    Column("player", "Player"),
    Column("limit", "Limit", Kind.COUNT),
    Column("rounds", "Rounds"),
)
_HEADS = (Column("chain", "Chain"), Column("seq", "Entries", Kind.COUNT), Column("hash", "Verification code"))

#: The parts of a report, in their order, with the tables and the sections in each.
_IN_PARTS: Final[Mapping[str, Sequence[str]]] = {
    "Drop and count": ("shifts", "days", "fees", "games", "bands", "collection", "count"),
    "Player-dealers": ("over_limit", "conduct", "coverage", "rotation"),
    "House win and trays": ("house_win", "trays", "house_rounds"),
    "Rounds": ("paces", "rounds_counted"),
    "Tips": ("tips",),
    "Exceptions": ("exceptions", "irregularities", "alerts", "since", "corrected_since"),
}
_PROOF: Final = "Cross-check and proof"
_PARTS: Final = (*_IN_PARTS, _PROOF)


@dataclasses.dataclass(frozen=True)
class About:
    """What one kind of report says in its own words: its name, of when it is, what it is compared with, how it was made.

    `parts` and `proof` are tables that no other kind has: before the figures by table, and before the journal's heads.
    """

    name: str
    title: str
    period: str
    earlier: Earlier
    notes: Sequence[str]
    parts: Sequence[Grid] = ()
    proof: Sequence[Grid] = ()


def report_document_of(report: Report, about: About) -> ReportDocument:
    """Return a stored report as a document: its first page, and its tables by part."""
    detail = [
        *(_placed(grid, grid.name) for grid in _grids(report, about)),
        *_section_grids(report.sections),
        *(_placed(grid, "") for grid in (*_changes(report), *about.proof, _heads(report))),
    ]
    detail.sort(key=lambda grid: _PARTS.index(grid.part))
    looked_at = to_look_at(report, {grid.name for grid in detail})
    return ReportDocument(
        name=about.name,
        title=f"{about.title}{report.restated}" + (" (superseded)" if report.is_superseded else ""),
        room=report.typed_figures["subject"]["room_name"],
        zone=report.room.zone,
        period=about.period,
        answers=list(key_answers(report, about.earlier, looked_at)),
        charts=list(first_charts(report, about.earlier)),
        grids=[*ladders_of(report), looked_at, compared_grid(report, about.earlier), *detail],
        notes=[*about.notes, *_notes(report)],
        has_summary=True,
    )


def _placed(grid: Grid, name: str) -> Grid:
    """A table in the part that lists a table or section of that name."""
    part = next((part for part, names in _IN_PARTS.items() if name in names), _PROOF)
    return dataclasses.replace(grid, part=part)


def _grids(report: Report, about: About) -> Iterator[Grid]:
    figures = report.typed_figures
    if figures["differences"]:
        yield _differences(figures["differences"])
    if figures["over_limit"]:
        yield Grid(
            "over_limit",
            "Rounds in a row over the limit",
            _OVER_LIMIT,
            [
                Row(
                    {
                        "table": run["number"],
                        "player": run["player_name"],
                        "limit": run["limit"],
                        "rounds": ", ".join(f"{ref['gaming_day']}/{ref['number']}" for ref in run["rounds"]),
                    },
                    {"rounds": round_address(run["rounds"][0]["id"])} if run["rounds"] else {},
                    Mark.STOP,
                )
                for run in figures["over_limit"]
            ],
            text="Counted from the rounds themselves, without what the floor counted: rounds of one player without offers "
            "to all others between.",
        )
    yield from about.parts
    stands = standing(figures)
    yield from _since(stands, figures["total"])
    of_house = [table for table in stands.tables if is_banked_by(table, "house")]
    if of_house:
        yield _wins(of_house)
        yield _figure_grid(_OF_TRAYS, of_house, text=_SAYS_TRAYS)
        for each in _OF_THE_HOUSE:
            yield _figure_grid(each, of_house)
    if players_bank(report):
        of_players = [table for table in stands.tables if is_banked_by(table, "players")]
        for each in _FIGURES:
            yield _figure_grid(each, of_players)
        yield _bands(report)
        if games := figures.get("games"):
            yield _games(games)
    if (paces := paces_grid(report)) is not None:
        yield paces
    yield _rounds_counted(report)


_SAYS_TRAYS: Final = (
    "Closed with, credits and the cash bought in, less opened with and fills, is what the house won. Of a tray that has no "
    "closer yet it is pending."
)
_WINS: Final = (
    Column("table", "Table", Kind.COUNT),
    Column("win_by_slips_cents", "Win by slips", Kind.MONEY, adds=True),
    Column("house_win_cents", "Win by rounds", Kind.MONEY, adds=True),
    Column("tray_variance_cents", "Difference", Kind.MONEY, adds=True),
    Column("tray_noted_cents", "of it noted by closers", Kind.MONEY, adds=True),
    Column("buy_ins_cents", "Cash bought in", Kind.MONEY, adds=True),
    Column("hold", "Hold"),
    Column("tray", "Tray"),
)


def _wins(tables: Sequence[TableFigures]) -> Grid:
    """What the house won at each table by its slips and by its rounds, and what it held of the cash bought in."""
    return Grid(
        "house_win",
        "House win and hold, by table",
        _WINS,
        [_win(table) for table in tables],
        text="The two differ by what closers counted above or below what should have been in the trays. What moved while a tray "
        "was not open, such as a correction after its closer, no closer notes. Wins that the meter paid and tips are in "
        "neither.",
    )


def _win(table: TableFigures) -> Row:
    drop, by_slips = table["buy_ins_cents"], table["win_by_slips_cents"]
    by_eye = table["banked_by"] == "house" and table["rounds_by_eye"] > 0
    values: dict[str, Value] = {
        "table": table["number"],
        "win_by_slips_cents": by_slips,
        "house_win_cents": None if by_eye else table["house_win_cents"],
        "tray_variance_cents": table["tray_variance_cents"],
        "tray_noted_cents": table["tray_noted_cents"],
        "buy_ins_cents": drop,
        "hold": format_hold(by_slips, drop),
        "tray": _format_tray(table),
    }
    differs = table["tray_variance_cents"] or table["tray_noted_cents"]
    return Row(values, mark=Mark.LOOK if table["trays_not_closed"] or differs else Mark.NONE)


def _format_tray(table: TableFigures) -> str:
    if table["trays_not_closed"]:
        return "not closed"
    used = table["tray_opened_cents"] or table["tray_fills_cents"] or table["tray_closed_cents"]
    return "closed" if used else "not used"


_SINCE: Final = (
    Column("figure", "Figure"),
    Column("reported", "As reported", Kind.FIGURE),
    Column("since", "Changed since", Kind.FIGURE),
    Column("brought", "of other shifts' rounds", Kind.FIGURE),
    Column("stands", "Stands", Kind.FIGURE),
)


def _since(stands: Standing, reported: Mapping[str, Any]) -> Iterator[Grid]:
    """What corrections made in other shifts change, figure by figure; no table where there is none."""
    since, brought = added_up(stands.later), added_up(stands.brought)
    rows = [
        Row(
            {
                "figure": heading,
                "reported": _format_figure(name, reported.get(name)),
                "since": format_changed(name, since[name]) if since[name] else "",
                "brought": format_changed(name, brought[name]) if brought[name] else "",
                "stands": _format_figure(name, cast("Mapping[str, Any]", stands.total).get(name)),
            },
            mark=Mark.LOOK,
        )
        for name, (heading, _) in CHANGES.items()
        if since[name] or brought[name]
    ]
    if rows:
        yield Grid("since", "What corrections made in other shifts change", _SINCE, rows, text=_SAYS_SINCE)


_SAYS_SINCE: Final = (
    "What was moved counts in the shift in which it was moved, as in boxes, trays and chips. Table action, waived fees "
    "and what a bank did not cover count with their round, as it is on record now: what later corrections changed is in, what "
    "was corrected here of other shifts' rounds is out."
)


def _format_figure(name: str, value: int | None) -> str:
    if value is None:
        return UNKNOWN
    return dollars(value) if name.endswith("_cents") else f"{value:,}".replace("-", "−")


def _figure_grid(figures: _Figures, tables: Sequence[TableFigures], text: str = "") -> Grid:
    name, title, columns = figures
    return Grid(
        name,
        title,
        (Column("table", "Table", Kind.COUNT), *(_column(*column) for column in columns)),
        [_table(table, columns) for table in tables],
        text=text,
    )


def _differences(found: Sequence[Difference]) -> Grid:
    """The figures whose ways differ; a period report names the shift of each."""
    by_shift = any("shift" in each for each in found)
    return Grid(
        "differences",
        "Figures that do not tie out",
        (Column("shift", "Shift"), *_DIFFERENCES) if by_shift else _DIFFERENCES,
        [
            Row(
                {
                    **({"shift": each.get("shift_name", "")} if by_shift else {}),
                    "table": each["number"],
                    "figure": each["figure"].removesuffix("_cents").replace("_", " "),
                    "ways": ", ".join(f"{way} {dollars(cents)}" for way, cents in each["ways"].items()),
                    "rounds": ", ".join(f"{ref['gaming_day']}/{ref['number']}" for ref in each["rounds"]),
                },
                _difference_links(each),
                Mark.STOP,
            )
            for each in found
        ],
        text="This report is not to be relied on before these are explained.",
    )


def _difference_links(each: Difference) -> dict[str, str]:
    links = {"rounds": round_address(each["rounds"][0]["id"])} if each["rounds"] else {}
    return {**links, "shift": reverse("web:report", args=[each["shift"]])} if "shift" in each else links


def _column(name: str, heading: str) -> Column:
    return Column(name, heading, Kind.MONEY if name.endswith("_cents") else Kind.COUNT, adds=True)


def _table(table: Mapping[str, Any], columns: Sequence[tuple[str, str]]) -> Row:
    values = {**table["offers"], **table}
    return Row({"table": table["number"], **{name: values.get(name) for name, _ in columns}})


def _bands(report: Report) -> Grid:
    return Grid(
        "bands",
        "Player-dealer fees by band",
        (
            Column("schedule", "Schedule"),
            Column("band", "Band"),
            Column("fee_cents", "Fee a round", Kind.MONEY),
            Column("rounds", "Rounds", Kind.COUNT, adds=True),
            Column("collected_cents", "Collected", Kind.MONEY, adds=True),
        ),
        [
            Row(
                {
                    "schedule": f"{fees['number']}, version {fees['version']}",
                    "band": fees["band"],
                    "fee_cents": fees["fee_cents"],
                    "rounds": fees["rounds"],
                    "collected_cents": fees["cents"],
                }
            )
            for fees in report.typed_figures["total"]["bank_fees"]
        ],
        text="Void rounds are among them: their fee was collected when their bets closed.",
        empty="No fee of a player-dealer was collected.",
    )


def _games(games: Sequence[GameFees]) -> Grid:
    return Grid(
        "games",
        "Fees by game and approval",
        (
            Column("game", "Game"),
            Column("filing", "Filed as"),
            Column("reference", "State's number"),
            Column("rounds", "Rounds", Kind.COUNT, adds=True),
            Column("drop_cents", "Drop", Kind.MONEY, adds=True),
            Column("jackpot_cents", "Jackpot box", Kind.MONEY, adds=True),
        ),
        [Row(game_values(each)) for each in games],
        text="Each round under the filed game that it opened on; time under that of the last round opened there before.",
    )


def rounds_charged(sums: Sums) -> int:
    """How many rounds the fee bands count: those on a fee schedule, void ones too, less those that were corrected."""
    return sum(fees["rounds"] for fees in sums["bank_fees"])


def rounds_in_rotation(report: Report) -> dict[int, int]:
    """How many settled rounds the section on rotation counts, by the number of the table; empty without that section."""
    tables = [
        grid
        for section in report.sections
        if section["name"] == "rotation"
        for grid in section["grids"]
        if grid["name"] == "tables"
    ]
    return {
        cast("int", row.values["table"]): cast("int", row.values["rounds"])
        for grid in tables
        for row in grid_read(grid).rows
    }


def _rounds_counted(report: Report) -> Grid:
    """Say how many rounds each section counts, and why that is not the same number everywhere."""
    total = report.typed_figures["total"]
    before, after = total["voids_before_deal"], total["voids_after_deal"]
    rows: list[tuple[str, int, str]] = [
        (
            "Rounds settled",
            total["rounds_settled"],
            "Their bets closed in this time and they were settled. A correction is no further round.",
        ),
        (
            "Void",
            before + after,
            f"{before} before the deal, {after} after it. They are in no count of rounds settled.",
        ),
    ]
    if players_bank(report):
        rows.append(
            (
                "Player-dealer fees by band",
                rounds_charged(total),
                "Rounds on a fee schedule, void ones too: their fee was collected, and what was refunded of it is under refunded.",
            )
        )
    if in_rotation := rounds_in_rotation(report):
        rows.append(
            (
                "Rotation of the bank",
                sum(in_rotation.values()),
                (
                    "Settled rounds by when they were opened: a round that was open as the shift changed counts here in the "
                    "shift before, and everywhere else in the shift in which its bets closed."
                ),
            )
        )
    return Grid(
        "rounds_counted",
        "How rounds are counted",
        (Column("where", "Where"), Column("rounds", "Rounds", Kind.COUNT), Column("why", "What is counted")),
        [Row({"where": where, "rounds": rounds, "why": why}) for where, rounds, why in rows],
        text="Sections of one report may count different rounds: this says which.",
    )


def _words(name: str) -> str:
    return name.removesuffix("_cents").replace("_", " ").capitalize()


def _section_grids(sections: Sequence[Mapping[str, Any]]) -> Iterator[Grid]:
    """The grids of every section, each under the name of its section, so that no two have the same."""
    for section in sections:
        for data in section["grids"]:
            grid = grid_read(data)
            title = (
                grid.title if grid.title.startswith(section["title"]) else f"{section['title']}: {grid.title}"
            )
            named = dataclasses.replace(grid, name=f"{section['name']}_{grid.name}", title=title)
            yield _placed(named, section["name"])


def _changes(report: Report) -> Iterator[Grid]:
    if report.changes:
        yield Grid(
            "changes",
            "What this restatement changes",
            _CHANGES,
            [_change(change) for change in report.changes],
            text=f"Against the report made {_made(report.restates)}, which stays as it was made.",
        )


def _made(report: Report | None) -> str:
    assert report is not None  # what has changes restates one
    return clock(report, report.made_at)


def _change(change: Change) -> Row:
    return Row(
        {
            "where": change["where"],
            "what": change["what"],
            "was": _format_change(change, change["was"]),
            "now": _format_change(change, change["now"]),
        },
        mark=Mark.LOOK,
    )


def _format_change(change: Change, value: str | int | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, int):
        return dollars(value) if change["kind"] == Kind.MONEY else f"{value:,}"
    return value


def _heads(report: Report) -> Grid:
    return Grid(
        "heads",
        "Heads of the journal's chains",
        _HEADS,
        [Row({"chain": head.chain, "seq": head.seq, "hash": head.hash}) for head in report.chain_heads],
        text="As they stood when the report was made; `manage.py verify` walks every chain and compares.",
    )


def _notes(report: Report) -> Iterator[str]:
    left_out = (
        *(() if house_banks(report) else HOUSE_FIGURES),
        *(() if players_bank(report) else PLAYERS_FIGURES),
    )
    ways = "; ".join(
        f"{_words(figure).lower()}: {', '.join(names)}"
        for figure, names in WAYS.items()
        if figure not in left_out
    )
    yield f"Every figure of money is added up in these ways, which must agree to the cent: {ways}."
    yield f"Verification codes: inputs {report.inputs_hash}, report {report.content_hash or 'none'}."
