"""Tables of a stored report's figures, a row a table of the room: fees, coverage, conduct, trays and house win, bands, games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cardroom.documents.document import Column, Grid, Kind, Mark, Row, Value

from ..shift.trays import format_hold
from .figure_types import GameFees, TableFigures
from .game_fees import game_values
from .reading import Report, is_banked_by, players_bank

#: A grid of figures by table: its name, its title, and of each figure the name in `Sums` and the heading.
_Figures = tuple[str, str, tuple[tuple[str, str], ...]]

#: Those of tables at which players bank. A name that ends in `_cents` is money.
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


def figure_tables(report: Report, tables: Sequence[TableFigures]) -> Iterator[Grid]:
    """Draw the figures of `tables`, as they stand: of those that the house banks, then of those at which players bank."""
    of_house = [table for table in tables if is_banked_by(table, "house")]
    if of_house:
        yield _wins(of_house)
        yield _figure_grid(_OF_TRAYS, of_house, text=_SAYS_TRAYS)
        for each in _OF_THE_HOUSE:
            yield _figure_grid(each, of_house)
    if players_bank(report):
        of_players = [table for table in tables if is_banked_by(table, "players")]
        for each in _FIGURES:
            yield _figure_grid(each, of_players)
        yield _bands(report)
        if games := report.typed_figures["games"]:
            yield _games(games)


def _figure_grid(figures: _Figures, tables: Sequence[TableFigures], text: str = "") -> Grid:
    name, title, columns = figures
    return Grid(
        name,
        title,
        (Column("table", "Table", Kind.COUNT), *(_column(*column) for column in columns)),
        [_table(table, columns) for table in tables],
        text=text,
    )


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
