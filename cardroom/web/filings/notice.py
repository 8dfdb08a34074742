"""The printed notice of a fee schedule: what is charged, what it changes, and at which tables it is charged from when."""

from __future__ import annotations

from cardroom.core.dates import day_text, time_text
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.reads.filing_tables import FilingTables

from .schedule_version import Filing

_FEES = (
    Column("who", "Who pays"),
    Column("for_each", "For each"),
    Column("fee_cents", "Fee", Kind.MONEY),
    Column("clause", "Source"),
)
_CHANGES = (Column("what", "What"), Column("before", "Before"), Column("after", "Now"))
_TABLES = (Column("table", "Table"), Column("now", "Set to"), Column("then", "Then"))

_NOTE = (
    "A table is set to a version by the floor, between rounds; from its first gaming day on no round is dealt there on the "
    "version before it."
)


def notice_of(filing: Filing, tables: FilingTables) -> ReportDocument:
    """Return the notice of a version that can be read."""
    version, room = filing.version, filing.version.room
    first = "not set yet" if tables.first is None else day_text(tables.first)
    begins = (
        ""
        if tables.begins_at is None
        else f"the gaming day begins at {time_text(tables.begins_at, room.zone)}"
    )
    fees = [
        Row(
            {"who": str(fee.who), "for_each": str(fee.for_each), "fee_cents": fee.cents, "clause": fee.clause}
        )
        for fee in filing.tariff
    ]
    changes = [
        Row({"what": each.what, "before": each.before or "–", "after": each.after or "–"})
        for each in filing.changes or ()
    ]
    grids = [Grid("fees", "Collection fees", _FEES, fees)]
    if filing.before is not None:
        title = f"What it changes of version {filing.before.version}"
        grids.append(Grid("changes", title, _CHANGES, changes, empty="Nothing is charged otherwise."))
    grids.append(Grid("tables", "Tables", _TABLES, _rows(filing, tables), empty="This room has no table."))
    return ReportDocument(
        name="notice",
        title=f"Fee notice: {version.title}, version {version.version}",
        room=room.name,
        zone=room.zone,
        period=f"from {first}",
        answers=[
            Answer("first", "First gaming day", first, text=begins),
            Answer("status", "Status", version.get_status_display().capitalize()),
            Answer("reference", "State's number", version.state_reference or "–"),
        ],
        grids=grids,
        notes=[_NOTE],
    )


def _rows(filing: Filing, tables: FilingTables) -> list[Row]:
    number = filing.version.version
    then = f"version {number}" + ("" if tables.first is None else f" from {day_text(tables.first)}")
    rows = [(table, f"version {number}", "no change", Mark.NONE) for table in tables.set_to_it]
    rows += [
        (each.table, str(each.before), f"{then}: {each.why_not}" if each.why_not else then, Mark.LOOK)
        for each in tables.changes
    ]
    rows += [(each.table, "–", f"no change: {each.why}", Mark.NONE) for each in tables.kept]
    rows.sort(key=lambda row: row[0].number)
    return [
        Row({"table": str(table), "now": now_set, "then": after}, mark=mark)
        for table, now_set, after, mark in rows
    ]
