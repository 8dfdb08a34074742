"""Types of a report's figures: what page, JSON and CSV are made from, and what `verify` re-adds.

`ShiftReport.figures` holds a `Figures`, `PeriodReport.figures` a `PeriodFigures`. All money is integer cents in names ending `_cents`; instants are ISO
8601 in UTC ending in `Z`; days are ISO dates. A figure that is not known is null, never 0.

Every money figure is added up in two or more ways (`WAYS`) by the database, and they must agree to the cent:

* `transfers`   the cents that moved between accounts,
* `rounds`      the sums in the columns of the rounds, of the collections of time and of the buy-ins,
* `settlements` the lines of the settlements as recorded,
* `quotes`      the fees as quoted when bets closed, and of each seat as time was collected, and the rake of
              each as it was taken,
* `bets`        the wagers as they stood when bets closed.

A figure shows its first way. Where any way differs, in the sum or in a single round, `differences` names the
table, the figure, all its ways and the rounds at fault; a report with a difference is not to be relied on.

What the house won at a table that it banks is known twice: from the rounds (`house_win_cents`, itself in three ways), and
from the slips about its tray and the cash that players bought chips for (`win_by_slips_cents`). These may differ, by what
was counted in the tray otherwise than it should have held: the tray's variance.
"""

from __future__ import annotations

from typing import Final, Literal, NotRequired, TypedDict

#: Goes up when the shape below changes, so that a stored report can be read for what it is.
SHAPE: Final = 6

#: Ways of adding up each money figure, the one that is shown first. Also the order of the figures.
WAYS: Final[dict[str, tuple[str, ...]]] = {
    "total_table_action_cents": ("rounds", "bets"),
    "player_fees_cents": ("transfers", "rounds", "quotes"),
    "bank_fees_cents": ("transfers", "rounds", "quotes"),
    "time_fees_cents": ("transfers", "rounds", "quotes"),
    "rake_cents": ("transfers", "rounds", "quotes"),
    "buy_ins_cents": ("transfers", "rounds"),
    "fees_waived_cents": ("rounds", "quotes"),
    "fees_refunded_cents": ("transfers", "rounds"),
    "drop_expected_cents": ("transfers", "rounds"),
    "jackpot_expected_cents": ("transfers", "rounds"),
    "tips_cents": ("transfers", "rounds", "settlements"),
    "taken_cents": ("transfers", "rounds", "settlements"),
    "paid_cents": ("transfers", "rounds", "settlements"),
    "uncovered_cents": ("rounds", "settlements"),
    "house_win_cents": ("transfers", "rounds", "settlements"),
    "meter_wins_cents": ("transfers", "rounds", "settlements"),
}
#: Figures of tables that the house banks alone: where it banks none, no report shows them.
HOUSE_FIGURES: Final = ("buy_ins_cents", "house_win_cents", "meter_wins_cents")
#: Figures of tables at which players bank, which a report of a house that banks every table leaves out.
PLAYERS_FIGURES: Final = (
    *("player_fees_cents", "bank_fees_cents", "time_fees_cents", "rake_cents", "fees_waived_cents"),
    *("fees_refunded_cents", "jackpot_expected_cents", "uncovered_cents"),
)

#: Who banked at a table in the time of a report.
BankedBy = Literal["players", "house", "both"]


class BankFees(TypedDict):
    """Fees of the player-dealers in one band of one filed schedule.

    `schedule` is the id of the filed schedule, `number` and `version` what it is filed as; `band` as it is
    printed there ("$5 - $100"); `fee_cents` is the fee of one round. `rounds` counts rounds whose fee was set
    by this band and `cents` sums them, rounds voided later included: what went back to the payers is in
    `fees_refunded_cents`.
    """

    schedule: int
    number: int
    version: int
    band: str
    fee_cents: int
    rounds: int
    cents: int


class GameFees(TypedDict):
    """What was collected on one filed game where players bank: `game` is its id, null for rounds on none.

    `number` and `version` are what it is filed as, `reference` is the state's number of the approval. `rounds` are those
    settled, as recorded first; `drop_cents` and `jackpot_cents` what went into the boxes, less what went back.
    """

    game: int | None
    number: int
    version: int
    title: str
    reference: str
    rounds: int
    drop_cents: int
    jackpot_cents: int


class Offers(TypedDict):
    """Answers to the offers of the bank, by answer."""

    accepted: int
    declined: int
    absent: int
    ineligible: int


class Sums(TypedDict):
    """The figures of one table, or of all of them.

    A round belongs to the shift that was open when its bets closed (or when it was voided before that). Its first
    record counts there and stays; a correction counts in the shift in which it is made, as what it changes: new less
    old.
    """

    rounds_settled: int  # as recorded first: a correction is no further round
    rounds_by_eye: int  # of these, settled by eye: what their banks took and paid is not known, and in no sum
    corrections: int  # made in this shift, of rounds of this one or an earlier one
    voids_before_deal: int
    voids_after_deal: int
    total_table_action_cents: int  # main wagers of settled rounds
    player_fees_cents: int  # collected, rounds voided later included
    bank_fees_cents: int  # the same, from player-dealers
    bank_fees: list[BankFees]  # bank_fees_cents by band; by schedule number, version, fee_cents
    time_fees_cents: int  # collected of seats by the clock, what was taken back left out
    rake_cents: int  # house rake of settled rounds, from players and player-dealers; dead hands pay none
    fees_waived_cents: int  # would have been due at "no more bets", but for a published waiver
    fees_refunded_cents: int  # given back because a round was voided
    buy_ins_cents: (
        int  # cash that players bought chips for where the house banks, what was taken back left out
    )
    drop_expected_cents: (
        int  # player fees + bank fees + time + rake + buy-ins - refunds: what the drop box must hold
    )
    jackpot_expected_cents: int  # what the jackpot's own box must hold, refunds left out
    tips_cents: int  # won tips with their stakes: what went into the tip box
    taken_cents: int  # wagers taken by player-dealers, or by the house where it banks
    paid_cents: int  # winnings paid by them, on tips and off the meter too
    uncovered_cents: int  # stakes returned because the player-dealer's wager was exhausted
    house_win_cents: int  # taken less paid where the house banks; what the meter paid is left out
    meter_wins_cents: int  # winnings that the progressive meter paid
    meter_contributions_cents: int  # what progressive wagers added to the meter
    tray_opened_cents: int  # counted by the openers of trays
    tray_fills_cents: int  # brought from the cage
    tray_credits_cents: int  # taken to the cage
    tray_closed_cents: int | None  # counted by the closers; null while a tray has not been closed
    win_by_slips_cents: int | None  # closers + credits + buy-ins - openers - fills; null with it
    tray_variance_cents: int | None  # win by slips less house win; null with it
    tray_noted_cents: int | None  # of it, what the closers counted less what they should have
    trays_not_closed: int  # trays that do not have a closer for each opener
    exhausted_banks: int  # settled rounds whose settlement says `exhausted`
    turns_begun: int
    offers: Offers
    runs_over_limit: int  # runs of rounds in a row over the limit: must be 0


class TableFigures(Sums):
    """The figures of one table. `table` is its id, `number` the number painted on it.

    `banked_by` follows from the facts; of a table at which nothing happened, from what the rules of its room allow.
    """

    table: int
    number: int
    banked_by: BankedBy


class RoundRef(TypedDict):
    """A round as it is named on a report: `id`, and the number it bears in its gaming day at its table."""

    id: int
    gaming_day: str
    number: int


class CorrectionMade(TypedDict):
    """A correction: `round` is its own row, `corrects` the id of the round that it takes the place of.

    `shift` is the one in which it was made, `corrects_shift` that of what it corrects, `round_shift` that of the first
    record of the round. `changed` gives what it changes in each figure: new less old.
    """

    table: int
    number: int
    round: RoundRef
    revision: int
    shift: int
    corrects: int
    corrects_shift: int
    round_shift: int
    reason: str
    changed: dict[str, int]


class OverLimit(TypedDict):
    """A run over the limit: settled rounds banked by one player without a complete cycle of offers between.

    `limit` is what the rotation profile of the rulebook allows. `rounds` are those of the run, oldest first;
    a run that reaches back into an earlier shift shows `limit` rounds of it.
    """

    table: int
    number: int
    player: int
    limit: int
    rounds: list[RoundRef]


class Difference(TypedDict):
    """A money figure of one table whose ways of adding up differ, in the sum or in single rounds.

    `ways` gives cents by way, the one that is shown first. `rounds` are the rounds at fault; it is cut off
    after `MOST_ROUNDS`, and `rounds_at_fault` counts them all. A period report names the `shift` too, as id and in words.
    """

    table: int
    number: int
    figure: str
    ways: dict[str, int]
    rounds: list[RoundRef]
    rounds_at_fault: int
    shift: NotRequired[int]
    shift_name: NotRequired[str]


MOST_ROUNDS: Final = 200


class Place(TypedDict):
    """Where it was."""

    room: int
    room_name: str
    time_zone: str


class Subject(Place):
    """What a shift report is about."""

    shift: int
    shift_name: str
    gaming_day: str
    opened_at: str
    opened_by: str
    closed_at: str
    closed_by: str
    #: When its gaming day ended; a report made before ruling 60 does not say it.
    day_ends_at: NotRequired[str]


class RanIn(TypedDict):
    """A shift of an earlier gaming day that was still open in a period (ruling 60); its figures stay with its own day."""

    shift: int
    shift_name: str
    gaming_day: str
    closed_at: str


class PeriodSubject(Place):
    """What a period report is about: gaming days `first` to `last`, both included; `ends_at` is the first instant after."""

    kind: str
    first: str
    last: str
    begins_at: str
    ends_at: str
    ran_in: NotRequired[list[RanIn]]


class FiguresBase(TypedDict):
    """The figures themselves. `tables` are by number: every table of the room, and any other that has a part in them.

    `differences` and `over_limit` are empty when all is well. `corrections` were made in the time, of its rounds or earlier
    ones; `later` are those of its rounds that were made in other shifts, and in no sum here (`late_corrections.standing`).
    The journal's heads are beside it, in the report's `heads`.
    """

    shape: int
    tables: list[TableFigures]
    total: Sums
    differences: list[Difference]
    over_limit: list[OverLimit]
    games: list[GameFees]
    corrections: list[CorrectionMade]
    later: list[CorrectionMade]


class Figures(FiguresBase):
    """All that a shift report adds up."""

    subject: Subject


class Counted(TypedDict):
    """What was expected and counted in the drop boxes of a shift, and beside them in the jackpot's; null while one is not counted."""

    boxes_expected_cents: int | None
    counted_cents: int | None
    count_difference_cents: int | None
    jackpot_counted_cents: int | None
    jackpot_difference_cents: int | None


class Part(Counted):
    """A shift that a period report rests on: which of its reports, with its hash, and what that says of it as a whole.

    `differences` counts the figures that do not tie out.
    """

    shift: int
    shift_name: str
    gaming_day: str
    report: int
    revision: int
    content_hash: str
    rounds_settled: int
    total_table_action_cents: int
    drop_expected_cents: int
    tips_cents: int
    buy_ins_cents: int
    house_win_cents: int
    win_by_slips_cents: int | None
    tray_variance_cents: int | None
    differences: int


class PeriodFigures(FiguresBase):
    """All that a period report adds up: the sums of its shifts' reports. `parts` are in the order in which the shifts opened."""

    subject: PeriodSubject
    parts: list[Part]
