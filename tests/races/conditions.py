"""What decides whether an act is taken at a table: each condition with its value as a table stands.

The values of a condition exclude each other. Two acts that are taken with no value of one condition in common are never
taken together: that is the reason which docs/races.md names.
"""

from __future__ import annotations

from cardroom.floor.checks.boxes import boxes_missing
from cardroom.floor.checks.procedures import why_no_shown_card
from cardroom.floor.checks.tray import opener_of
from cardroom.floor.models import Round, Table
from cardroom.floor.reads.meters import linked_tables
from cardroom.floor.reads.table_reading import TableReading
from cardroom.floor.seat_time import rate_of


def conditions_of(reading: TableReading) -> dict[str, str]:
    """The value of each condition, by its name."""
    return {
        "shift": "open" if reading.shift else "none open",
        "table": "open" if reading.table.state == Table.State.OPEN else "closed",
        "round": _round(reading),
        "void": "no" if reading.voiding is None else "due",
        "bank": _bank(reading),
        "round and bank": f"{_round(reading)}, {_bank(reading)}",
        "next": reading.step.kind,
        "tray": _tray(reading),
        "box": "missing" if boxes_missing(reading) else "there",
        "box waiver": "given" if reading.box_waiver else "none",
        "cards": "by eye" if _by_eye(reading) else "recorded",
        "meter": _meter(reading),
        "count": _count(reading),
        "decks": "some" if reading.procedures.decks else "none",
        "shuffler": str(reading.table.shuffler),
        "shown card": "no" if why_no_shown_card(reading) else "yes",
        "back line": "yes" if reading.terms.back_line else "no",
        "time": "no" if rate_of(reading) is None else "yes",
        "waivers": "yes" if reading.schedule is not None and reading.schedule.waivers else "no",
    }


def _round(reading: TableReading) -> str:
    live = reading.live
    if live is None:
        return "none"
    if live.state == Round.State.BETTING:
        return "betting"
    return "bets closed" if live.dealt_at is None else "dealt"


def _bank(reading: TableReading) -> str:
    if reading.house_banks:
        return "the house's"
    return "nobody's" if reading.turn is None else "a player's"


def _tray(reading: TableReading) -> str:
    if not reading.house_banks:
        return "none"
    return "closed" if opener_of(reading) is None else "open"


def _by_eye(reading: TableReading) -> bool:
    if reading.live is not None:
        return reading.live.by_eye
    return bool(reading.table.recording == Table.Recording.FEES)


def _meter(reading: TableReading) -> str:
    if reading.rulebook.meter is None:
        return "none"
    if reading.procedures.pending:
        return "win waits"
    return "linked" if linked_tables(reading.table).exists() else "own"


def _count(reading: TableReading) -> str:
    due = reading.procedures.count_due if reading.procedure_rules.stub.every_rounds is not None else None
    if due is None:
        return "never"
    if not due.due:
        return "not due"
    return "waived" if reading.procedures.count_waived else "due"
