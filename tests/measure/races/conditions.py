"""What decides whether a command is taken at a table: each condition with its value as a table stands.

The values of a condition exclude each other. Two commands that are taken with no value of one condition in common are never
taken together: that is the reason which docs/measured/races.md names.
"""

from __future__ import annotations

from cardroom.floor.checks.boxes import boxes_missing
from cardroom.floor.checks.procedures import why_no_shown_card
from cardroom.floor.checks.tray import opener_of
from cardroom.floor.models import Round, Table
from cardroom.floor.reads.meters import linked_tables
from cardroom.floor.reads.table_state import TableState
from cardroom.floor.seat_time import rate_of


def conditions_of(state: TableState) -> dict[str, str]:
    """The value of each condition, by its name."""
    return {
        "shift": "open" if state.shift else "none open",
        "table": "open" if state.table.state == Table.State.OPEN else "closed",
        "round": _round(state),
        "void": "no" if state.voiding is None else "due",
        "bank": _bank(state),
        "round and bank": f"{_round(state)}, {_bank(state)}",
        "next": state.step.kind,
        "tray": _tray(state),
        "box": "missing" if boxes_missing(state) else "there",
        "box waiver": "given" if state.box_waiver else "none",
        "cards": "by eye" if _by_eye(state) else "recorded",
        "meter": _meter(state),
        "count": _count(state),
        "decks": "some" if state.procedures.decks else "none",
        "shuffler": str(state.table.shuffler),
        "shown card": "no" if why_no_shown_card(state) else "yes",
        "back line": "yes" if state.terms.back_line else "no",
        "time": "no" if rate_of(state) is None else "yes",
        "waivers": "yes" if state.schedule is not None and state.schedule.waivers else "no",
        "round and last step": f"{_round(state)}, {'none' if state.step_back is None else state.step_back.command}",
    }


def _round(state: TableState) -> str:
    live = state.live
    if live is None:
        return "none"
    if live.state == Round.State.BETTING:
        return "betting"
    return "bets closed" if live.dealt_at is None else "dealt"


def _bank(state: TableState) -> str:
    if state.house_banks:
        return "the house's"
    return "nobody's" if state.turn is None else "a player's"


def _tray(state: TableState) -> str:
    if not state.house_banks:
        return "none"
    return "closed" if opener_of(state) is None else "open"


def _by_eye(state: TableState) -> bool:
    if state.live is not None:
        return state.live.by_eye
    return bool(state.table.recording == Table.Recording.FEES)


def _meter(state: TableState) -> str:
    if state.rulebook.meter is None:
        return "none"
    if state.procedures.pending:
        return "win waits"
    return "linked" if linked_tables(state.table).exists() else "own"


def _count(state: TableState) -> str:
    due = state.procedures.count_due if state.procedure_rules.stub.every_rounds is not None else None
    if due is None:
        return "never"
    if not due.due:
        return "not due"
    return "waived" if state.procedures.count_waived else "due"
