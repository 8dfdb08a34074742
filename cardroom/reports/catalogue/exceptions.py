"""Report on exceptions: voids, waivers, corrections and time taken back, with the people who did it and why.

As a report of its own it has the exceptions in the rotation of the bank too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.documents.formatting import several
from cardroom.floor.models import ExpiryOverride, Procedure, Round, TimeCollection, Waiver
from cardroom.inbox.floor_kinds import (
    CORRECTION,
    OVERRIDE,
    VOID,
    WAIVER,
    override_key,
    rotation_keys,
    round_key,
    waived_cents,
    waiver_key,
)
from cardroom.inbox.kinds import ItemKind
from cardroom.inbox.models import Item
from cardroom.inbox.reads.items import item_address, items_by_key
from cardroom.people.rights import Right
from games.money import dollars

from ..queries.banking import players_banked
from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import counts, round_address, round_name, rounds_of
from ..sections.listed import CountAnswer, count_answers
from ..sections.rotation import EXCEPTIONS as ROTATION_COLUMNS
from ..stored.game_fees import drop_counted
from .irregularities import SETTLED_THOUGH_VOID, settled_though_void, stood_grid
from .off_file import off_file, off_file_grid
from .rotation import AT_ONCE, exception_rows, stretches_of, tables_reviewed

EXCEPTION_ANSWERS = (
    CountAnswer("voids_before_deal", "Voids before the deal"),
    CountAnswer("voids_after_deal", "Voids after the deal"),
    CountAnswer("refunded_cents", "Refunded of void rounds", kind=Kind.MONEY),
    CountAnswer("waivers", "Waivers of fees"),
    CountAnswer("corrections", "Corrections"),
    CountAnswer("without_box", "Tables let collect without a box"),
    CountAnswer("overrides", "Expired badges and permits overridden", if_any=Mark.LOOK, if_none=Mark.DONE),
    SETTLED_THOUGH_VOID,
    CountAnswer("off_file", "Rounds not played on what is filed", if_any=Mark.STOP, if_none=Mark.DONE),
)
_PLACE = (Column("round", "Round"), Column("table", "Table", Kind.COUNT))
_NOTES = (
    "A round counts in the shift that was open when its bets closed, or when it was voided before that.",
    "A correction counts in the shift in which it was made; amounts are what it changes: new less old.",
    "Whoever voids or corrects a round never approves it: the database refuses one person for both.",
)
_OF_WAIVERS = (
    "A waiver rests on a rule that the filed schedule publishes. What was waived after “no more bets” went back from the drop; "
    "before that it was never dropped."
)


#: Items of the inbox by their kind and key; a stored report has none, as an item may come after it.
_Items = Mapping[tuple[str, str], Item]


def exceptions(query: ReportQuery, *, with_items: bool = False) -> ReportDocument:
    """List them all; `with_items`: each with the way to its item in the inbox."""
    rounds = rounds_of(query).order_by("gaming_day", "table__number", "number", "revision")
    voids = list(
        rounds.filter(state=Round.State.VOID).select_related("table", "voided_by", "void_approved_by")
    )
    corrections = list(
        rounds.filter(corrects__isnull=False)
        .select_related("table", "corrected_by", "correction_approved_by")
        .annotate(
            changed_drop=drop_counted(),
            changed_jackpot=counts("jackpot_cents"),
            changed_taken=counts("taken_cents"),
            changed_paid=counts("paid_cents"),
        )
        .defer("bets", "sheet", "settlement")
    )
    waivers, times = _waivers(query), _times(query)
    stood, boxless = settled_though_void(query), _boxless(query)
    unfiled = off_file(query)
    overrides = _overrides(query)
    keys = [
        *((VOID.code, round_key(each)) for each in voids),
        *((CORRECTION.code, round_key(each)) for each in corrections),
        *((WAIVER.code, waiver_key(each)) for each in waivers),
        *((OVERRIDE.code, override_key(each)) for each in boxless),
        *((OVERRIDE.code, override_key(each)) for each in overrides),
    ]
    items = items_by_key(query.room, keys if with_items else [])
    after_deal = sum(1 for void in voids if void.dealt_at is not None)
    # Where no player banks, no fee is collected that could be waived or taken back.
    collects = players_banked(query.room, query.shifts)
    found = {
        "voids_before_deal": len(voids) - after_deal,
        "voids_after_deal": after_deal,
        "corrections": len(corrections),
        "without_box": len(boxless),
        "overrides": len(overrides),
        "settled_though_void": len(stood),
        "off_file": sum(each.rounds for each in unfiled),
    }
    if collects:
        found["refunded_cents"] = sum(void.refunded_cents + void.jackpot_refunded_cents for void in voids)
        found["waivers"] = sum(1 for waiver in waivers if waiver.withdrawn_at is None)
    texts = {"refunded_cents": _format_jackpot(voids), "waivers": _format_returned(waivers)}
    return query.document(
        "exceptions",
        "Voids, waivers and corrections",
        answers=[
            dataclasses.replace(answer, text=texts.get(answer.name, ""))
            for answer in count_answers(EXCEPTION_ANSWERS, found)
        ],
        grids=[
            _voids_grid(voids, items, with_fees=collects),
            *([_waivers_grid(waivers, items)] if collects else []),
            _corrections_grid(corrections, items),
            *([_times_grid(times)] if collects else []),
            _boxless_grid(boxless, items),
            stood_grid(stood),
            off_file_grid(unfiled),
            _overrides_grid(overrides, items),
        ],
        notes=(*_NOTES, _OF_WAIVERS) if collects else _NOTES,
    )


def _to_item(items: _Items, kind: ItemKind, key: str) -> dict[str, str]:
    """The link of a row's reason to its item."""
    return {"reason": item_address(items[kind.code, key])} if (kind.code, key) in items else {}


def _waivers(query: ReportQuery) -> list[Waiver]:
    """The waivers of the rounds asked about; a round that is still in play has no shift and no fee yet."""
    made = Waiver.objects.filter(round__shift__in=[shift.pk for shift in query.shifts])
    if query.table is not None:
        made = made.filter(table=query.table)
    people = made.select_related("table", "round", "recorded_by", "ordered_by", "withdrawn_by")
    return list(people.order_by("round__gaming_day", "table__number", "round__number", "id"))


def _times(query: ReportQuery) -> list[TimeCollection]:
    shifts = [shift.pk for shift in query.shifts]
    back = TimeCollection.objects.filter(shift__in=shifts, reverses__isnull=False)
    if query.table is not None:
        back = back.filter(table=query.table)
    return list(back.select_related("table", "recorded_by", "approved_by").order_by("made_at", "id"))


def _overrides(query: ReportQuery) -> list[ExpiryOverride]:
    """The overrides of the gaming days asked about, of a shift those that were made in it."""
    made = ExpiryOverride.objects.filter(room=query.room, made_at__gte=query.since, made_at__lt=query.until)
    if query.table is not None:
        made = made.filter(table=query.table)
    people = made.select_related("table", "player", "staff", "ordered_by", "recorded_by")
    return list(people.order_by("made_at", "id"))


def _overrides_grid(overrides: Iterable[ExpiryOverride], items: _Items) -> Grid:
    columns = (
        Column("made_at", "Made", Kind.INSTANT),
        Column("table", "Table", Kind.COUNT),
        Column("person", "Person"),
        Column("what", "What"),
        Column("number", "Number"),
        Column("expired_on", "Valid through", Kind.DAY),
        Column("reason", "Reason"),
        Column("ordered_by", "Ordered by"),
        Column("recorded_by", "Recorded by"),
    )
    rows = [
        Row(
            {
                "made_at": made.made_at,
                "table": made.table.number,
                "person": str(made.staff) if made.player is None else made.player.ref,
                "what": made.what,
                "number": made.number,
                "expired_on": made.expired_on,
                "reason": made.reason,
                "ordered_by": str(made.ordered_by),
                "recorded_by": str(made.recorded_by),
            },
            _to_item(items, OVERRIDE, override_key(made)),
        )
        for made in overrides
    ]
    text = "Each holds for one gaming day: a player sat or banked, or a dealer dealt, on what had expired."
    empty = "Nobody played or dealt on an expired badge or permit."
    return Grid("overrides", "Expired badges and permits overridden", columns, rows, text=text, empty=empty)


_VOIDS = (
    *_PLACE,
    Column("voided_at", "Voided", Kind.INSTANT),
    Column("when", "When"),
    Column("reason", "Reason"),
    Column("voided_by", "Voided by"),
    Column("approved_by", "Approved by"),
)
_FEES_OF_VOIDS = (
    Column("fees_cents", "Fees", Kind.MONEY, adds=True),
    Column("given_back_cents", "Refunded", Kind.MONEY, adds=True),
    Column("jackpot_cents", "Jackpot", Kind.MONEY, adds=True),
    Column("jackpot_given_back_cents", "Jackpot refunded", Kind.MONEY, adds=True),
)


def _voids_grid(voids: Iterable[Round], items: _Items, *, with_fees: bool) -> Grid:
    columns = (*_VOIDS, *(_FEES_OF_VOIDS if with_fees else ()))
    rows = [
        Row(
            {
                **_place(void),
                "voided_at": void.ended_at,
                "when": "before the deal" if void.dealt_at is None else "after the deal",
                "reason": void.void_reason,
                "voided_by": str(void.voided_by),
                "approved_by": str(void.void_approved_by),
                **(_fees_of(void) if with_fees else {}),
            },
            _link(void) | _to_item(items, VOID, round_key(void)),
        )
        for void in voids
    ]
    return Grid("voids", "Voids", columns, rows, empty="No round was voided.")


def _format_jackpot(voids: Iterable[Round]) -> str:
    cents = sum(void.jackpot_refunded_cents for void in voids)
    return f"{dollars(cents)} of it from jackpot boxes" if cents else ""


def _fees_of(void: Round) -> dict[str, int]:
    return {
        "fees_cents": void.player_fees_cents + void.bank_fee_cents,
        "given_back_cents": void.refunded_cents,
        "jackpot_cents": void.jackpot_cents,
        "jackpot_given_back_cents": void.jackpot_refunded_cents,
    }


def _waivers_grid(waivers: Iterable[Waiver], items: _Items) -> Grid:
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
        Column("returned_cents", "Of it returned from the drop", Kind.MONEY, adds=True),
    )
    rows = [
        Row(
            {
                **_place(waiver.round),
                "made_at": waiver.made_at,
                "rule": waiver.title,
                "covers": _format_covers(waiver),
                "reason": waiver.reason,
                "ordered_by": str(waiver.ordered_by),
                "recorded_by": str(waiver.recorded_by),
                "withdrawn_by": str(waiver.withdrawn_by) if waiver.withdrawn_by else "",
                "waived_cents": waived_cents(waiver),
                "returned_cents": 0 if waiver.withdrawn_at is not None else waiver.returned_cents,
            },
            _link(waiver.round) | _to_item(items, WAIVER, waiver_key(waiver)),
        )
        for waiver in waivers
    ]
    return Grid("waivers", "Waivers", columns, rows, empty="No fee was waived.")


def _format_covers(waiver: Waiver) -> str:
    covers = f"seat {waiver.place}" if waiver.place else waiver.covers
    return (
        covers if waiver.portion_cents is None else f"{covers}, {dollars(waiver.portion_cents)} of each fee"
    )


def _format_returned(waivers: Iterable[Waiver]) -> str:
    """How much of what was waived went back from the drop, after "no more bets"."""
    cents = sum(waiver.returned_cents for waiver in waivers if waiver.withdrawn_at is None)
    return f"{dollars(cents)} returned from the drop" if cents else ""


def _corrections_grid(corrections: Iterable[Any], items: _Items) -> Grid:
    """The corrections, rounds with what they change beside them."""
    columns = (
        *_PLACE,
        Column("corrected_at", "Corrected", Kind.INSTANT),
        Column("reason", "Reason"),
        Column("corrected_by", "Corrected by"),
        Column("approved_by", "Approved by"),
        Column("drop_cents", "Drop", Kind.MONEY, adds=True),
        Column("jackpot_cents", "Jackpot box", Kind.MONEY, adds=True),
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
                "jackpot_cents": correction.changed_jackpot,
                "taken_cents": correction.changed_taken,
                "paid_cents": correction.changed_paid,
            },
            _link(correction) | _to_item(items, CORRECTION, round_key(correction)),
        )
        for correction in corrections
    ]
    text = "Amounts are what the correction changes: new less old."
    return Grid("corrections", "Corrections", columns, rows, text=text, empty="No round was corrected.")


def _times_grid(times: Iterable[TimeCollection]) -> Grid:
    columns = (
        Column("taken_back_at", "Reversed", Kind.INSTANT),
        Column("table", "Table", Kind.COUNT),
        Column("reason", "Reason"),
        Column("recorded_by", "Reversed by"),
        Column("approved_by", "Approved by"),
        Column("given_back_cents", "Refunded", Kind.MONEY, adds=True),
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
    return Grid("times", "Time reversed", columns, rows, empty="No time collection was reversed.")


def _boxless(query: ReportQuery) -> list[Procedure]:
    """The words of supervisors by which a table collected without a drop box, in the shifts asked about."""
    given = Q(pk__in=[])
    for shift in query.shifts:
        given |= Q(made_at__gte=shift.opened_at, made_at__lt=shift.closed_at or query.now)
    tables = query.room.tables.all() if query.table is None else [query.table]
    words = Procedure.objects.filter(given, table__in=tables, kind=Procedure.Kind.BOX_WAIVED)
    return list(words.select_related("table", "recorded_by", "ordered_by").order_by("made_at", "id"))


def _boxless_grid(words: Iterable[Procedure], items: _Items) -> Grid:
    columns = (
        Column("made_at", "When", Kind.INSTANT),
        Column("table", "Table", Kind.COUNT),
        Column("reason", "Reason"),
        Column("ordered_by", "Ordered by"),
        Column("recorded_by", "Recorded by"),
    )
    rows = [
        Row(
            {
                "made_at": word.made_at,
                "table": word.table.number,
                "reason": word.reason,
                "ordered_by": str(word.ordered_by),
                "recorded_by": str(word.recorded_by),
            },
            _to_item(items, OVERRIDE, override_key(word)),
            mark=Mark.LOOK,
        )
        for word in words
    ]
    text = "Until a box was put on, or the shift closed; what was collected is in the report on drop against count."
    return Grid("without_box", "Collected without a drop box", columns, rows, text=text, empty="None.")


def _place(round_: Round) -> dict[str, str | int]:
    name = round_name(round_.gaming_day, round_.number, round_.revision)
    return {"round": name, "table": round_.table.number}


def _link(round_: Round) -> dict[str, str]:
    return {"round": round_address(round_.pk)}


#: Tables that share a worksheet, by name.
_PARTS = {
    "voids": "Voids and corrections",
    "corrections": "Voids and corrections",
    "waivers": "Waivers and refunds",
    "times": "Waivers and refunds",
}


def exceptions_with_rotation(query: ReportQuery) -> ReportDocument:
    """List them all, and beside them every deviation from the rotation of the bank, where players bank.

    The shift report has both as sections of their own.
    """
    document = exceptions(query, with_items=True)
    document = dataclasses.replace(
        document,
        grids=[dataclasses.replace(grid, part=_PARTS.get(grid.name, "")) for grid in document.grids],
    )
    if not players_banked(query.room, query.shifts):
        return document
    rows: list[Row] = []
    for each in tables_reviewed(query, stretches_of(query)):
        keys = rotation_keys(each)
        items = items_by_key(query.room, keys)
        for row, key in zip(exception_rows(query, each, each.exceptions, Mark.STOP), keys, strict=True):
            to_item = {"rule": item_address(items[key])} if key in items else {}
            rows.append(dataclasses.replace(row, links={**row.links, **to_item}))
    mark = Mark.STOP if rows else Mark.DONE
    return dataclasses.replace(
        document,
        answers=[
            *document.answers,
            Answer("rotation", "Exceptions in the rotation", len(rows), Kind.COUNT, mark),
        ],
        grids=[
            *document.grids,
            Grid(
                "rotation",
                "Rotation of the bank",
                ROTATION_COLUMNS,
                rows,
                text="Each checked against the rule in force when it happened; rounds in a row count from the first.",
                empty="None: the bank went round by the rule.",
            ),
        ],
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    counted = (
        ("waivers", "waiver", ""),
        ("corrections", "correction", ""),
        ("rotation", "exception in the rotation", "exceptions in the rotation"),
        ("off_file", "round not played on what is filed", "rounds not played on what is filed"),
        ("settled_though_void", "round settled that the rules void", "rounds settled that the rules void"),
    )
    voids = len(figures.rows("voids"))
    told = [several(voids, "void")] if voids else []
    told += [figures.several(name, *words) for name, *words in counted if figures.number(name)]
    if not told:
        return "Nothing was voided, waived or corrected in this time"
    refunded = figures.number("refunded_cents")
    back = f", {figures.text('refunded_cents')} refunded" if refunded else ""
    return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told) + back


EXCEPTIONS = Report(
    name="exceptions",
    title="Voids, waivers and corrections",
    text="What was voided, waived or corrected, by whom and why, and where did the bank not go round?",
    right=Right.SEE_REPORTS,
    make=exceptions_with_rotation,
    answer=_answer,
    by_shift=True,
    at_once=AT_ONCE,
)
