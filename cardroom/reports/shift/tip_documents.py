"""Builds the tip documents of a shift: the pool's sheet, and what one person brought and gets of it."""

from __future__ import annotations

from collections.abc import Iterable

from cardroom.core.dates import day_text
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.models import Shift
from cardroom.people.models import Staff
from cardroom.tips.models import PoolSheet
from cardroom.tips.reads.earned import RoundTips, tips_won
from cardroom.tips.reads.pools import HandLine, Pool

from ..queries.rounds_in_scope import round_address, round_name
from ..sections.tips import down_tips, downs_grid, tips_drawn, tips_figures

#: Whose signature the printed sheet has a line for.
SIGNED_BY = ("Shift manager", "For the dealers")

_NOTES = (
    (
        "Tips won are what the rounds of the shift moved into the tip boxes: the stake of a tip wager that won and what the "
        "player-dealer paid on it. They are those of the dealer in whose down the round was opened. A void round brings none."
    ),
    "A correction counts as what it changes, in the shift in which it was made.",
    (
        "Hours are those of the downs, as far as they lie in the shift. Shares are whole cents: the cents that are left over "
        "go to the greatest remainders, so that the shares come to the tips exactly."
    ),
    "A supervisor has no part in tips (Lab. Code 351). What one was tipped while dealing goes to the dealers by hours.",
)

_HAND_INS = (
    Column("handed_at", "When", Kind.INSTANT),
    Column("dealer", "Dealer"),
    Column("table", "Table", Kind.COUNT),
    Column("received_by", "Received by"),
    Column("handed_cents", "Handed in", Kind.MONEY, adds=True),
    Column("text", "Reversed"),
)
_ROUNDS = (
    Column("round", "Round"),
    Column("table", "Table", Kind.COUNT),
    Column("opened_at", "Opened", Kind.INSTANT),
    Column("won_cents", "Won", Kind.MONEY, adds=True),
)


def pool_document(shift: Shift, pool: Pool, sheet: PoolSheet | None) -> ReportDocument:
    """Tell the pool's sheet of a shift; `sheet` is what it was closed as, None while it is not."""
    drawn = tips_drawn(tips_figures(pool, is_closed=sheet is not None))
    dealers, downs = drawn.grids
    closed = (
        [] if sheet is None else [f"Closed by {sheet.made_by}. Verification code of the sheet: {sheet.hash}."]
    )
    return ReportDocument(
        name="tips",
        title="Tips of the shift",
        room=str(shift.room),
        zone=shift.room.zone,
        period=_period(shift),
        answers=drawn.answers,
        grids=[dealers, _support(pool), downs, _hand_ins(pool.hand_ins)],
        notes=[*closed, f"The rule: {pool.rule_text}", *_NOTES],
    )


def person_document(shift: Shift, pool: Pool, sheet: PoolSheet | None, staff: Staff) -> ReportDocument:
    """Tell what one person brought in a shift, worked and gets of its tips; with the rounds that make what was won."""
    rounds = tips_won(shift, staff.pk)
    lines = [line for line in pool.dealers if line.staff == staff.pk]
    support = [line for line in pool.support if line.staff == staff.pk]
    share = sum(line.share_cents for line in lines) + sum(line.share_cents for line in support)
    seconds = sum(line.seconds for line in lines) + sum(line.seconds for line in support)
    grids = [
        downs_grid(
            [down_tips(line) for line in pool.downs if line.staff == staff.pk],
            empty="No down in this shift.",
        ),
        _hand_ins([line for line in pool.hand_ins if line.staff == staff.pk]),
        Grid("rounds", "Rounds with tips", _ROUNDS, [_round(each) for each in rounds]),
    ]
    why = [line.why_not for line in lines if line.why_not] or [
        line.why_not for line in support if line.why_not
    ]
    return ReportDocument(
        name="tips",
        title=f"Tips of {staff}",
        room=str(shift.room),
        zone=shift.room.zone,
        period=_period(shift),
        answers=[
            Answer("won_cents", "Won", sum(line.won_cents for line in lines), Kind.MONEY),
            Answer("handed_cents", "Handed in", sum(line.handed_cents for line in lines), Kind.MONEY),
            Answer("worked_seconds", "Worked", seconds, Kind.SPAN),
            Answer(
                "share_cents",
                "Share so far" if sheet is None else "Share",
                share,
                Kind.MONEY,
                Mark.NONE if sheet is None else Mark.DONE,
            ),
        ],
        grids=grids,
        notes=[f"The rule: {pool.rule_text}", *why, *_NOTES[:3]],
    )


def _period(shift: Shift) -> str:
    return f"gaming day {day_text(shift.gaming_day)}, shift {shift.name}"


def _support(pool: Pool) -> Grid:
    return Grid(
        "support",
        "Support staff",
        (
            Column("name", "Name"),
            Column("work", "Work"),
            Column("worked_seconds", "Worked", Kind.SPAN, adds=True),
            Column("share_cents", "Share", Kind.MONEY, adds=True),
            Column("text", "Excluded because"),
        ),
        [
            Row(
                {
                    "name": line.name,
                    "work": line.work,
                    "worked_seconds": line.seconds,
                    "share_cents": line.share_cents,
                    "text": line.why_not,
                },
                mark=Mark.LOOK if line.why_not else Mark.NONE,
            )
            for line in pool.support
        ],
        empty="No hours of support staff were entered.",
    )


def _hand_ins(lines: Iterable[HandLine]) -> Grid:
    return Grid(
        "hand_ins",
        "Handed in",
        _HAND_INS,
        [
            Row(
                {
                    "handed_at": line.at,
                    "dealer": line.name,
                    "table": line.table_number,
                    "received_by": line.received_by,
                    "handed_cents": line.cents,
                    "text": line.reason,
                },
                mark=Mark.LOOK if line.reverses else Mark.NONE,
            )
            for line in lines
        ],
        empty="Nothing was handed in.",
    )


def _round(each: RoundTips) -> Row:
    return Row(
        {
            "round": round_name(each.gaming_day, each.number, each.revision),
            "table": each.table_number,
            "opened_at": each.opened_at,
            "won_cents": each.cents,
        },
        {"round": round_address(each.round)},
    )
