"""Types of a stored report's sections: numbers, names and ids, from which tables and answers are drawn when asked for.

As with `cardroom.reports.stored.figure_types`, money is integer cents in names ending `_cents`, instants are ISO 8601 in UTC
ending in `Z`, and a figure that is not known is null, never 0. Sums and differences that follow from others are not stored.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class CountedShift(TypedDict):
    """How what a shift dropped becomes what is expected in its boxes of one kind, and what was counted there.

    `boxes` hung in it and `counted` of them have a verified count; `expected_cents` and `counted_cents` are over these.
    `change_cents` is what boxes bring that hung over a change of shift; null, as is `dropped_cents`, while a box with money of
    the shift is not counted.
    """

    shift: int
    shift_name: str
    boxes: int
    counted: int
    dropped_cents: int | None
    change_cents: int | None
    without_box_cents: int
    expected_cents: int
    counted_cents: int


class CountedBox(TypedDict):
    """A box with a verified count. `status` is that of its variance (`VarianceNote.Status`), empty without one."""

    box: int
    box_name: str
    table: int
    shift_name: str
    dropped_at: str | None
    counted_by: list[str]
    expected_cents: int
    counted_cents: int
    status: str
    owner: str
    text: str


class CountedTable(TypedDict):
    """The counted boxes of a table in a month. `table` is its number, `status` the worst of their variances."""

    table: int
    expected_cents: int
    counted_cents: int
    status: str


class BoxesFigures(TypedDict):
    """The boxes of one kind: in a report of a shift or a day box by box, in one of a month by table."""

    shifts: list[CountedShift]
    boxes: list[CountedBox]
    tables: list[CountedTable]


class BoxOverChange(TypedDict):
    """A counted box that hung over a change of shift: above 0, money of `other_name` in a box of this shift; below 0, the reverse."""

    shift_name: str
    box: int
    box_name: str
    kind: str
    other_name: str
    cents: int


class CollectedWithoutBox(TypedDict):
    """What a table, by its number, collected in a shift without a box of a `kind` (`DropBox.Kind`)."""

    shift: int
    shift_name: str
    table: int
    kind: str
    cents: int


class CountFigures(TypedDict):
    """What was counted in the boxes, and what was expected there. `jackpot` is null where nothing was collected for one.

    `waiting` boxes are not counted, `waiting_elsewhere` neither: they hung in another shift and hold money of this one.
    `unexplained` are variances that nobody has explained. A month does not list `over_change`.
    """

    drop: BoxesFigures
    jackpot: BoxesFigures | None
    over_change: list[BoxOverChange]
    without_box: list[CollectedWithoutBox]
    waiting: int
    waiting_elsewhere: int
    unexplained: int


class CollectedSums(TypedDict):
    """What was collected: `rounds` settled, void rounds' fees in and `given_back_cents` of them. `drop_cents` is what the boxes keep."""

    rounds: int
    total_table_action_cents: int
    player_fees_cents: int
    bank_fees_cents: int
    rake_cents: int
    time_cents: int
    given_back_cents: int
    drop_cents: int
    jackpot_cents: int
    waived_cents: int


class CollectedByBand(CollectedSums):
    """What one band of a filed schedule collected; `number` and `version` are 0 for rounds on none."""

    number: int
    version: int
    band: str


class CollectedInHour(CollectedSums):
    """What was collected in an hour of the gaming day, by its name ("9 PM"); past the end of the day with the date."""

    hour: str


class CollectionFigures(TypedDict):
    """What was collected by band, and by hour: of a shift every hour of its gaming day, in the day's order.

    `difference_cents` is by how much rounds and transfers differ.
    """

    schedules: list[CollectedByBand]
    hours: list[CollectedInHour]
    difference_cents: int


class TableRotation(TypedDict):
    """How the bank went round at a table, by its number: turns, answers, rounds by when they were opened.

    `banks` are the players who banked a settled round. Whoever banked in several shifts is one of the banks of each: in a
    report of a day or month it is null.
    """

    table: int
    exceptions: int
    turns: int
    renewed: int
    banks: int | None
    rounds: int
    voids: int
    accepted: int
    declined: int
    absent: int
    ineligible: int
    withdrawn: int
    stops: int


class RotationException(TypedDict):
    """A deviation from the rule that was played by. `table_id` is the table's id; `round` that of the round in which it shows.

    Its rotation is that of `shift`, or where that is null of `gaming_day`.
    """

    happened_at: str
    table_id: int
    table: int
    seat: int | None
    player: str
    rule: str
    text: str
    clause: str
    round: int | None
    gaming_day: str
    shift: int | None


class RotationFigures(TypedDict):
    """How the bank went round. `out_of_force` counts days at a table by a rule that was not in force."""

    tables: list[TableRotation]
    exceptions: list[RotationException]
    out_of_force: int


class DealerTips(TypedDict):
    """What a dealer brought, worked and gets of the tips of `shift`; of several shifts where that is null.

    `why_not` says why a person who dealt has no part; empty for all others.
    """

    shift: int | None
    staff: int
    name: str
    won_cents: int
    handed_cents: int
    worked_seconds: int
    share_cents: int
    why_not: str


class DownTips(TypedDict):
    """A dealer's down as far as it lies in the shift, and the tips of its time. `table` is the table's number."""

    table: int
    name: str
    begins_at: str
    ends_at: str
    worked_seconds: int
    won_cents: int
    handed_cents: int


class TipsFigures(TypedDict):
    """The tips of a shift, or of several. `downs` is null in a report of a month; its days list them.

    `sheets_closed` and `sheets_open` are the sheets of the tip pool, one a shift.
    """

    dealers: list[DealerTips]
    downs: list[DownTips] | None
    support_cents: int
    sheets_closed: int
    sheets_open: int


class Listed(TypedDict):
    """A section of lists: its `grids` as `cardroom.documents.stored` writes them, beside counts that are figures of their own."""

    grids: list[dict[str, Any]]


class ExhaustedAtTable(TypedDict):
    """Rounds at a table, by its number, in which the bank was exhausted."""

    table: int
    banks: int
    taken_cents: int
    paid_cents: int
    uncovered_cents: int


class CoverageFigures(Listed):
    """Banks that were exhausted, and what went back uncovered or was paid short because of it."""

    tables: list[ExhaustedAtTable]
    exhausted: int
    uncovered_cents: int
    short_cents: int


class ExceptionFigures(Listed):
    """Voids, waivers, corrections and what was let pass. Refunds and waivers are there where players bank."""

    voids_before_deal: int
    voids_after_deal: int
    refunded_cents: NotRequired[int]
    waivers: NotRequired[int]
    corrections: int
    without_box: int
    overrides: int
    settled_though_void: int
    off_file: int


class IrregularityKind(TypedDict):
    """Entries of one irregularity."""

    irregularity: str
    times: int
    void_by_rule: int
    withdrawn: int


class IrregularityFigures(Listed):
    """Irregularities at the tables; `void_by_rule` of them void their round."""

    kinds: list[IrregularityKind]
    irregularities: int
    void_by_rule: int
    withdrawn: int
    without_shuffler: int
    settled_though_void: int


class AlertKind(TypedDict):
    """Alerts of one kind; `longest_seconds` unanswered is null while one is not answered."""

    kind: str
    alerts: int
    urgent: int
    unanswered: int
    longest_seconds: int | None


class AlertFigures(Listed):
    """Alerts of the floor."""

    kinds: list[AlertKind]
    alerts: int
    urgent: int
    unanswered: int


class CorrectedFigures(Listed):
    """Rounds that were corrected in later shifts."""

    corrected: int


class TabletGaps(TypedDict):
    """How often and how long a tablet at a table, by its number, was out of touch; `over` 24 hours so often."""

    table: int
    tablet: str
    times: int
    longest_seconds: int
    total_seconds: int
    over: int


class OfflineFigures(Listed):
    """Entries given offline, `earlier` in an earlier shift or recorded `late`, after it; `gaps` of tablets, `over` 24 hours."""

    tablets: list[TabletGaps]
    entries: int
    earlier: int
    late: int
    gaps: int
    over: int


class Sections(TypedDict):
    """The sections of a stored report by name. Some make no sense where only the house banks, or only players do."""

    house_win: NotRequired[Listed]
    collection: NotRequired[CollectionFigures]
    rotation: NotRequired[RotationFigures]
    coverage: NotRequired[CoverageFigures]
    tips: TipsFigures
    exceptions: ExceptionFigures
    irregularities: IrregularityFigures
    count: CountFigures
    alerts: AlertFigures
    corrected_since: CorrectedFigures
    offline: OfflineFigures
