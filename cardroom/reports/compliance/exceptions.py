"""What was taken back or let go, with the people who did it and why: voids, waivers, corrections, time taken back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardroom.floor.models import Round, TimeCollection, Waiver
from cardroom.papers.paper import Answer, Column, Grid, Kind, Paper, Row
from cardroom.people.rights import Right

from ..asked import Asked, Report
from ..played import counts, round_address, round_name, rounds_of

_PLACE = (Column("round", "Round"), Column("table", "Table", Kind.COUNT))
_NOTES = (
    "A round stands in the shift that was open when its bets closed, or when it was voided before that.",
    "A correction stands in the shift in which it was made; amounts are what it changes: new less old.",
    "Whoever voids or corrects a round never approves it: the database refuses one person for both.",
    "A waiver rests on a rule that the filed schedule publishes, and is made before the fees are fixed.",
)


def exceptions(asked: Asked) -> Paper:
    """List them all."""
    rounds = rounds_of(asked).order_by("gaming_day", "table__number", "number", "revision")
    voids = list(
        rounds.filter(state=Round.State.VOID).select_related("table", "voided_by", "void_approved_by")
    )
    corrections = list(
        rounds.filter(corrects__isnull=False)
        .select_related("table", "corrected_by", "correction_approved_by")
        .annotate(
            changed_drop=counts("player_fees_cents") + counts("bank_fee_cents") + counts("rake_cents"),
            changed_taken=counts("taken_cents"),
            changed_paid=counts("paid_cents"),
        )
        .defer("bets", "sheet", "settlement")
    )
    waivers, times = _waivers(asked), _times(asked)
    after_deal = sum(1 for void in voids if void.dealt_at is not None)
    return asked.paper(
        "exceptions",
        "Voids, waivers and corrections",
        answers=[
            Answer("voids_before_deal", "Voids before the deal", len(voids) - after_deal, Kind.COUNT),
            Answer("voids_after_deal", "Voids after the deal", after_deal, Kind.COUNT),
            Answer(
                "waivers",
                "Waivers of fees",
                sum(1 for waiver in waivers if waiver.withdrawn_at is None),
                Kind.COUNT,
            ),
            Answer("corrections", "Corrections", len(corrections), Kind.COUNT),
        ],
        grids=[
            _voids_grid(voids),
            _waivers_grid(waivers),
            _corrections_grid(corrections),
            _times_grid(times),
        ],
        notes=_NOTES,
    )


def _waivers(asked: Asked) -> list[Waiver]:
    """The waivers of the rounds asked about; a round that is still in play has no shift and no fee yet."""
    made = Waiver.objects.filter(round__shift__in=[shift.pk for shift in asked.shifts])
    if asked.table is not None:
        made = made.filter(table=asked.table)
    people = made.select_related("table", "round", "recorded_by", "ordered_by", "withdrawn_by")
    return list(people.order_by("round__gaming_day", "table__number", "round__number", "id"))


def _times(asked: Asked) -> list[TimeCollection]:
    shifts = [shift.pk for shift in asked.shifts]
    back = TimeCollection.objects.filter(shift__in=shifts, reverses__isnull=False)
    if asked.table is not None:
        back = back.filter(table=asked.table)
    return list(back.select_related("table", "recorded_by", "approved_by").order_by("made_at", "id"))


def _voids_grid(voids: Iterable[Round]) -> Grid:
    columns = (
        *_PLACE,
        Column("voided_at", "Voided", Kind.INSTANT),
        Column("when", "When"),
        Column("reason", "Reason"),
        Column("voided_by", "Voided by"),
        Column("approved_by", "Approved by"),
        Column("fees_cents", "Fees", Kind.MONEY, adds=True),
        Column("given_back_cents", "Given back", Kind.MONEY, adds=True),
    )
    rows = [
        Row(
            {
                **_place(void),
                "voided_at": void.ended_at,
                "when": "before the deal" if void.dealt_at is None else "after the deal",
                "reason": void.void_reason,
                "voided_by": str(void.voided_by),
                "approved_by": str(void.void_approved_by),
                "fees_cents": void.player_fees_cents + void.bank_fee_cents,
                "given_back_cents": void.refunded_cents,
            },
            _link(void),
        )
        for void in voids
    ]
    return Grid("voids", "Voids", columns, rows, empty="No round was voided.")


def _waivers_grid(waivers: Iterable[Waiver]) -> Grid:
    columns = (
        *_PLACE,
        Column("made_at", "Made", Kind.INSTANT),
        Column("rule", "Published rule"),
        Column("covers", "Covers"),
        Column("reason", "Reason"),
        Column("ordered_by", "Ordered by"),
        Column("recorded_by", "Recorded by"),
        Column("withdrawn_by", "Withdrawn by"),
        Column("waived_cents", "Waived", Kind.MONEY, adds=True),
    )
    rows = [
        Row(
            {
                **_place(waiver.round),
                "made_at": waiver.made_at,
                "rule": waiver.title,
                "covers": f"seat {waiver.seat}" if waiver.seat else waiver.covers,
                "reason": waiver.reason,
                "ordered_by": str(waiver.ordered_by),
                "recorded_by": str(waiver.recorded_by),
                "withdrawn_by": str(waiver.withdrawn_by) if waiver.withdrawn_by else "",
                "waived_cents": _waived_by(waiver),
            },
            _link(waiver.round),
        )
        for waiver in waivers
    ]
    return Grid("waivers", "Waivers", columns, rows, empty="No fee was waived.")


def _waived_by(waiver: Waiver) -> int:
    """What a waiver came to, in cents: the fees of the round that carry its rule; nothing once it was withdrawn."""
    if waiver.withdrawn_at is not None:
        return 0
    return sum(
        fee.get("waived", 0)
        for fee in waiver.round.fees
        if fee.get("waiver") == waiver.rule and waiver.seat in (None, fee["seat"])
    )


def _corrections_grid(corrections: Iterable[Any]) -> Grid:
    """The corrections, rounds with what they change beside them."""
    columns = (
        *_PLACE,
        Column("corrected_at", "Corrected", Kind.INSTANT),
        Column("reason", "Reason"),
        Column("corrected_by", "Corrected by"),
        Column("approved_by", "Approved by"),
        Column("drop_cents", "Into the drop", Kind.MONEY, adds=True),
        Column("taken_cents", "Wagers taken", Kind.MONEY, adds=True),
        Column("paid_cents", "Winnings paid", Kind.MONEY, adds=True),
    )
    rows = [
        Row(
            {
                **_place(correction),
                "corrected_at": correction.corrected_at,
                "reason": correction.correction_reason,
                "corrected_by": str(correction.corrected_by),
                "approved_by": str(correction.correction_approved_by),
                "drop_cents": correction.changed_drop,
                "taken_cents": correction.changed_taken,
                "paid_cents": correction.changed_paid,
            },
            _link(correction),
        )
        for correction in corrections
    ]
    says = "Amounts are what the correction changes: new less old."
    return Grid("corrections", "Corrections", columns, rows, says=says, empty="No round was corrected.")


def _times_grid(times: Iterable[TimeCollection]) -> Grid:
    columns = (
        Column("taken_back_at", "Taken back", Kind.INSTANT),
        Column("table", "Table", Kind.COUNT),
        Column("reason", "Reason"),
        Column("recorded_by", "Taken back by"),
        Column("approved_by", "Approved by"),
        Column("given_back_cents", "Given back", Kind.MONEY, adds=True),
    )
    rows = [
        Row(
            {
                "taken_back_at": time.made_at,
                "table": time.table.number,
                "reason": time.reason,
                "recorded_by": str(time.recorded_by),
                "approved_by": str(time.approved_by),
                "given_back_cents": -time.cents,
            }
        )
        for time in times
    ]
    return Grid("times", "Time taken back", columns, rows, empty="No collection of time was taken back.")


def _place(round_: Round) -> dict[str, str | int]:
    name = round_name(round_.gaming_day, round_.number, round_.revision)
    return {"round": name, "table": round_.table.number}


def _link(round_: Round) -> dict[str, str]:
    return {"round": round_address(round_.pk)}


EXCEPTIONS = Report(
    name="exceptions",
    title="Voids, waivers and corrections",
    says="What was voided, waived or corrected, by whom, approved by whom, and why?",
    right=Right.SEE_REPORTS,
    make=exceptions,
    by_shift=True,
)
