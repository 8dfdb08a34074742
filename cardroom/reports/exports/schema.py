"""The schema of exported Parquet: files, columns, types. docs/parquet.md has the same tables (`tests/reports/exports`).

A file holds what a gaming day's shifts did, so that its rows add up to the reports of that day. Names of people and free
texts are in none: a player, and who of the staff did something, are ids, which erasing a name leaves as they are. A change
of files, columns, types or meanings counts `SCHEMA` up; `cardroom.reports.exports.manifest` refuses another one.
"""

from __future__ import annotations

import dataclasses
from typing import Final, Literal

#: Goes up with each change below.
SCHEMA: Final = 1

#: `id` and `cents` are int64, `int` int32, `text` a string, `day` a date, `instant` microseconds in UTC, `flag` a boolean,
#: `microseconds` int64.
Type = Literal["id", "int", "cents", "text", "day", "instant", "flag", "microseconds"]


@dataclasses.dataclass(frozen=True)
class Column:
    """A column of a file. `of` is what the SQL view calls it; empty: the same."""

    name: str
    type: Type
    text: str
    nullable: bool = False
    of: str = ""

    @property
    def source(self) -> str:
        """Its name in the view."""
        return self.of or self.name


@dataclasses.dataclass(frozen=True)
class Dataset:
    """A file a gaming day: one row is `row`.

    `view` is the SQL view that it is read from, empty where the reports' own queries answer
    (`cardroom.reports.exports.reading`); `day` what of the view names the gaming day; `order` sorts the rows.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    view: str = ""
    day: str = "gaming_day"
    order: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.parquet"


def _id(name: str, text: str, *, nullable: bool = False) -> Column:
    return Column(name, "id", text, nullable)


_ROOM: Final = Column("room", "text", "code of the room")
_TABLE: Final = Column("table_number", "int", "number painted on the table")
_SHIFT: Final = Column("shift", "text", "name of the shift")
_PLACE: Final = (_ROOM, Column("gaming_day", "day", "gaming day of the shift"), _SHIFT, _TABLE)
_ROUND: Final = (
    _id("round_id", "the round", nullable=True),
    Column("round_gaming_day", "day", "gaming day on which the round was opened", nullable=True),
    Column("round_number", "int", "its number that day at that table", nullable=True),
)
_GAME: Final = (
    Column("game", "text", "title of the filed game", nullable=True),
    Column("game_number", "int", "its number", nullable=True),
    Column("game_version", "int", "its version", nullable=True),
)
_MADE: Final = Column("made_utc", "instant", "when it was recorded")

ROUNDS: Final = Dataset(
    "rounds",
    "a round as recorded, and each correction of it, in the shift in which it was made",
    (
        _ROOM,
        Column("gaming_day", "day", "gaming day of the shift", of="shift_gaming_day"),
        _SHIFT,
        _TABLE,
        _id("round_id", "the round, or the correction"),
        Column("round_gaming_day", "day", "gaming day on which it was opened", of="gaming_day"),
        Column("round_number", "int", "its number that day at that table"),
        Column("revision", "int", "0 as recorded first, one more a correction"),
        _id("corrects_id", "the round that this takes the place of", nullable=True),
        Column("state", "text", "`settled` or `void`"),
        Column("rulebook", "text", "name of the rulebook"),
        *_GAME,
        Column("recording", "text", "how it was recorded"),
        _id("dealer_id", "who dealt, of the staff"),
        Column("bank_seat", "int", "seat of the bank", nullable=True),
        _id("bank_player_id", "the player who banked", nullable=True),
        _id("turn_id", "the turn at the bank", nullable=True),
        Column("bank_wager_cents", "cents", "what the bank put up", nullable=True),
        Column("positions", "int", "positions that wagered", nullable=True),
        Column("total_table_action_cents", "cents", "main wagers", nullable=True),
        Column("player_fees_cents", "cents", "fees of the players"),
        Column("bank_fee_cents", "cents", "fee of the bank"),
        Column("rake_cents", "cents", "rake"),
        Column("waived_cents", "cents", "what waivers let go"),
        Column("refunded_cents", "cents", "what a void gave back"),
        Column("drop_cents", "cents", "what the drop box keeps of it"),
        Column("jackpot_cents", "cents", "what the jackpot's box keeps of it"),
        Column("taken_cents", "cents", "wagers that the bank took"),
        Column("paid_cents", "cents", "winnings that it paid"),
        Column("meter_cents", "cents", "of these, what the progressive meter paid"),
        Column("uncovered_cents", "cents", "stakes that the bank did not cover"),
        Column("tips_cents", "cents", "tips won"),
        Column("opened_utc", "instant", "when it was opened"),
        Column("ended_utc", "instant", "when it was settled or void", nullable=True),
    ),
    view="rounds",
    day="shift_gaming_day",
    order=("round_id",),
)
FEES: Final = Dataset(
    "fees",
    "a fee that went into a box, or came back out of it (negative)",
    (
        *_PLACE,
        _id("fee_id", "the transfer"),
        *_ROUND,
        Column("kind", "text", "`fee`, `fee_refund`, `time`, `rake`, `jackpot`, `jackpot_refund`"),
        *_GAME,
        Column("box", "text", "`drop` or `jackpot`"),
        Column("paid_by", "text", "`seat`, or `bank` for the player-dealer"),
        Column("seat", "int", "the seat", nullable=True),
        _id("player_id", "the player", nullable=True),
        Column("cents", "cents", "the fee"),
        _MADE,
        _id("time_collection_id", "the collection of time", nullable=True),
        _id("reverses_id", "the transfer that this reverses", nullable=True),
    ),
    view="fees",
    order=("fee_id",),
)
TRANSFERS: Final = Dataset(
    "transfers",
    "a movement of cents from one account to another, always positive",
    (
        *_PLACE,
        _id("transfer_id", "the transfer"),
        *_ROUND,
        Column("kind", "text", "as `floor_transfer.kind`"),
        Column("source", "text", "`seat`, `bank`, `drop`, `tips`, `jackpot`, `tray`, `meter`"),
        Column("target", "text", "the same"),
        Column("seat", "int", "the seat", nullable=True),
        _id("player_id", "the player", nullable=True),
        Column("wager", "text", "the wager; empty: none"),
        Column("cents", "cents", "the cents that changed hands"),
        _MADE,
        _id("time_collection_id", "the collection of time", nullable=True),
        _id("buy_in_id", "the buy-in", nullable=True),
        _id("box_id", "the box that it went into or came out of", nullable=True),
        _id("reverses_id", "the transfer that this reverses", nullable=True),
    ),
    view="transfers",
    order=("transfer_id",),
)
OFFERS: Final = Dataset(
    "offers",
    "an answer to an offer of the bank",
    (
        *_PLACE,
        _id("offer_id", "the offer"),
        Column("cycle", "id", "the run of offers at the table"),
        Column("attempt", "int", "how often it was made in this run"),
        Column("seat", "int", "the seat"),
        _id("player_id", "the player"),
        Column("answer", "text", "`accepted`, `declined`, `absent`, `ineligible`"),
        Column("passed_over", "flag", "nobody was asked: by the record the player is ineligible to bank"),
        Column("answered_utc", "instant", "when"),
        _id("recorded_by_id", "who of the staff recorded it"),
        Column("withdrawn_utc", "instant", "when it was withdrawn as a mistake", nullable=True),
    ),
    view="offers",
    order=("offer_id",),
)
TIPS: Final = Dataset(
    "tips",
    "a tip handed in by a dealer, or won in a round; one that was reversed is negative",
    (
        _ROOM,
        Column("gaming_day", "day", "gaming day of the shift"),
        _SHIFT,
        Column("table_number", "int", "number painted on the table", nullable=True),
        Column("source", "text", "`hand_in` or `won`"),
        _id("source_id", "the hand-in, or the transfer"),
        Column("round_number", "int", "number of the round", nullable=True),
        _id("dealer_id", "the dealer"),
        Column("cents", "cents", "the tip"),
        _MADE,
    ),
    view="tips",
    order=("source", "source_id"),
)
COUNTS: Final = Dataset(
    "counts",
    "a count sheet of a box that hung in the day's shifts, once its count is verified",
    (
        *_PLACE,
        _id("count_sheet_id", "the sheet"),
        _id("box_id", "the box"),
        Column("box_number", "int", "number of the box"),
        Column("box", "text", "`drop` or `jackpot`"),
        Column("seq", "int", "which sheet of the box"),
        Column("kind", "text", "as `drop_countsheet.kind`"),
        Column("stands", "flag", "no later sheet takes its place"),
        Column("counted_cents", "cents", "what was counted"),
        Column("expected_cents", "cents", "what was expected", nullable=True),
        Column("other_shifts_cents", "cents", "what other shifts dropped into it"),
        Column(
            "difference_cents", "cents", "over or (short): the count less what was expected", nullable=True
        ),
        _id("counted_by_id", "who of the staff counted"),
        _id("approved_by_id", "who approved a correction", nullable=True),
        _MADE,
        Column("dropped_utc", "instant", "when the box was taken off its table", nullable=True),
    ),
    view="counts",
    order=("count_sheet_id",),
)
EXCEPTIONS: Final = Dataset(
    "exceptions",
    "a command that took something back, let something go or overrode a refusal",
    (
        _ROOM,
        Column("gaming_day", "day", "gaming day of the shift in which it counts"),
        Column("shift", "text", "name of the shift", nullable=True),
        _TABLE,
        Column("kind", "text", "as in [the view](sql.md)"),
        _id("source_id", "the row of its kind"),
        Column("round_number", "int", "number of the round", nullable=True),
        Column("cents", "cents", "what it came to", nullable=True),
        Column("jackpot_cents", "cents", "the jackpot's part, which `cents` leaves out", nullable=True),
        _MADE,
    ),
    view="exceptions",
    order=("kind", "source_id"),
)
TABLE_TIME: Final = Dataset(
    "table_time",
    "how long a dealer was at a table in a shift",
    (
        *_PLACE,
        _id("dealer_id", "the dealer"),
        Column("microseconds", "microseconds", "as far as it lies in the shift"),
    ),
)
BANK_TIME: Final = Dataset(
    "bank_time",
    "what a player did at the bank of a table between the bounds of the gaming day",
    (
        _ROOM,
        Column("gaming_day", "day", "the gaming day"),
        _TABLE,
        _id("player_id", "the player"),
        _id("provider_id", "the provider that the player played for", nullable=True),
        Column("provider", "text", "name of that firm", nullable=True),
        Column("turns", "int", "turns that began"),
        Column(
            "rounds", "int", "settled rounds that were opened, as they are on record when the file is written"
        ),
        Column("microseconds", "microseconds", "time at the bank"),
    ),
)

#: Every file of a gaming day, in the order in which they are written.
DATASETS: Final = (ROUNDS, FEES, TRANSFERS, OFFERS, TIPS, COUNTS, EXCEPTIONS, TABLE_TIME, BANK_TIME)
BY_NAME: Final = {dataset.name: dataset for dataset in DATASETS}
