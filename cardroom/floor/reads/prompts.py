"""Computes the reminders due at a table now: procedures that the procedure rules ask for, each with its clause.

They remind. What `blocks`, a check blocks, and no prompt says so that no check does (`cardroom.floor.checks.procedures`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from cardroom.core.dates import time_text
from games.meter import why_not_end_game
from games.money import dollars
from games.notices import in_a_row
from games.phrases import Phrase, capital, no_capital, plural
from games.procedures.rules import RESHUFFLE, RETIRE_DECK, Objection

from ..checks.boxes import boxes_missing, why_no_box
from ..checks.procedures import shown_card_due
from ..checks.waivers import may_be_withdrawn
from ..models import Procedure, Round, Table, Waiver
from ..places import place_of
from ..seat_time import format_due, time_due
from .table_procedures import TableProcedures, win_of
from .table_state import TableState

#: What ties a drop box to its table.
BOX_CLAUSE = "4 CCR 12384"
#: The kind of the reminder that the round in play is void by the rules.
VOID = "void"
#: The kind of the reminder that no box hangs into which the table could collect.
NO_BOX = "no_box"


class Prompt(NamedTuple):
    """One reminder. `command` names the service that answers it, where one does; `says` is a sentence for the floor.

    `given` are the arguments of that service that are known already; `does` names the touch that would give it.
    """

    kind: str
    text: str
    clause: str
    command: str
    blocks: bool
    given: Mapping[str, int | str] = MappingProxyType({})
    does: str = ""


def prompts_of(state: TableState) -> list[Prompt]:
    """Return the reminders that hold now: what blocks first, then in the order of a round.

    At a closed table there are none.
    """
    if state.table.state != Table.State.OPEN:
        return []
    procedures = state.procedures
    if procedures.voiding is not None:
        return [_void(procedures.voiding)]
    found = [
        *_box(state),
        *_time(state),
        *_waived(state),
        *_held(state),
        *_wins(state, procedures),
        *_count(state, procedures),
        *_calls(state, procedures),
        *_cards(state, procedures),
        *_decks(state, procedures),
    ]
    return sorted(found, key=lambda prompt: not prompt.blocks)


def _void(fact: Procedure) -> Prompt:
    """The round in play is to be voided by the rules; nothing else is done in it before."""
    text = {
        RESHUFFLE: Phrase("Void the round, then reshuffle: every stake goes back."),
        RETIRE_DECK: Phrase("Void the round, then take another deck: every stake goes back."),
    }.get(fact.card_fate, Phrase("Void the round: every stake goes back."))
    text = Phrase("{text} {then}", text=_sentence(Phrase(fact.text)), then=text)
    return Prompt(VOID, text, fact.clause, "round_void", blocks=True)


def _box(state: TableState) -> Iterator[Prompt]:
    """A table that collects and has no box to collect into, or was let collect without one."""
    missing = boxes_missing(state)
    if not missing or state.shift is None:
        return
    if state.box_waiver is not None:
        text = Phrase(
            "No drop box: {ordered_by} lets the table collect without one until it has one.",
            ordered_by=state.box_waiver.ordered_by,
        )
        yield Prompt("box_waived", text, BOX_CLAUSE, "", False)
    elif why := why_no_box(state, missing):
        yield Prompt(NO_BOX, why.message, BOX_CLAUSE, "box_waive", True)


def _time(state: TableState) -> Iterator[Prompt]:
    """Time that seats owe by the clock."""
    dues = time_due(state)
    if dues and state.shift is not None:
        cents = sum(due.cents for due in dues)
        text = Phrase("Collect time: {dues}.", dues=format_due(dues))
        yield Prompt(
            "time_due",
            text,
            dues[0].rate.clause,
            "time_collect",
            False,
            {},
            Phrase("{cents} collected", cents=dollars(cents)),
        )


def _held(state: TableState) -> Iterator[Prompt]:
    """Seats that are held for longer than was said."""
    for seat, sitting in state.seatings.items():
        if sitting.held_until is not None and sitting.held_until < state.now:
            text = Phrase(
                "Seat {seat} was held for {player} until {time}. Let them leave, or hold it anew.",
                seat=seat,
                player=sitting.player,
                time=time_text(sitting.held_until, state.table.room.zone),
            )
            yield Prompt("held_over", text, "", "seat_hold_end", False, {"seat": seat}, Phrase("Back"))


def _waived(state: TableState) -> Iterator[Prompt]:
    """Fees of the round in play that are waived: seen by all until the first card, or what went back till the round ends."""
    if state.live is None or state.schedule is None:
        return
    for waiver in state.waivers:
        if state.live.dealt_at is not None and not waiver.returned_cents:
            continue
        open_yet = may_be_withdrawn(waiver, state)
        rule = state.schedule.waiver(waiver.rule)
        text = Phrase(
            "Waived by {ordered_by}: {whose} ({title}: {reason}).",
            ordered_by=waiver.ordered_by,
            whose=waiver.whose,
            title=waiver.title,
            reason=waiver.reason,
        )
        if waiver.returned_cents:
            text = Phrase(
                "{text} Return from the drop box: {fees}.", text=text, fees=_returned(state.live, waiver)
            )
        clause = rule.clause if rule is not None and rule.clause else state.schedule.clause
        given = {"waiver_id": waiver.pk} if open_yet else {}
        yield Prompt("waived", text, clause, "waiver_withdraw", False, given, "Withdraw" if open_yet else "")


def _returned(live: Round, waiver: Waiver) -> str:
    """What went back to whom by a waiver: `$1 to seat 4, $1 to seat 5, $2 to the player-dealer`."""
    given: Phrase | None = None
    for fee in live.fees:
        if fee.get("waiver") != waiver.rule or waiver.place not in (None, place_of(fee)) or not fee["waived"]:
            continue
        cents = dollars(fee["waived"])
        one = (
            Phrase("{cents} to the player-dealer", cents=cents)
            if fee["seat"] == live.bank_seat
            else Phrase("{cents} to seat {place}", cents=cents, place=place_of(fee))
        )
        given = one if given is None else Phrase("{several}, {one}", several=given, one=one)
    return given or ""


def _wins(state: TableState, procedures: TableProcedures) -> Iterator[Prompt]:
    """Progressive wins that wait, or that were not keyed in; the next round waits for them."""
    if state.rulebook.meter is None or state.live is not None or state.last is None:
        return
    clause = state.rulebook.clause_id(state.rulebook.meter.clause)
    for win in procedures.pending:
        text = Phrase("The progressive win at seat {seat} waits for a supervisor.", seat=win.seat)
        yield Prompt("win_pending", text, clause, "win_confirm", True, {"win_id": win.pk})
    keyed = [win_of(win) for win in procedures.wins if win not in procedures.pending]
    lines = (state.last.settlement or {}).get("lines", [])
    seats_won = {win.seat for win in procedures.wins}
    unkeyed = [line for line in lines if line["seat"] not in seats_won]
    if why := why_not_end_game(unkeyed, keyed):
        yield Prompt("win_to_key", _sentence(why), clause, "win_key", True)


def _count(state: TableState, procedures: TableProcedures) -> Iterator[Prompt]:
    """The stub is to be counted before the next round."""
    due = procedures.count_due
    if not due.due or due.clause is None:
        return
    if procedures.count_waived:
        text = Phrase("The next round goes without a count, by a supervisor; count the stub after it.")
        yield Prompt("stub_count", text, due.clause, "stub_count", False)
    else:
        yield Prompt("stub_count", _sentence(due.reason), due.clause, "stub_count", state.live is None)


def _calls(state: TableState, procedures: TableProcedures) -> Iterator[Prompt]:
    """What the house dealer calls, drops and turns up in a round."""
    live, calls = state.live, procedures.rules.calls
    if live is None:
        return
    if live.state == Round.State.BETS_CLOSED:
        yield from _column(state, live)
    if live.state == Round.State.BETS_CLOSED and live.dealt_at is None and live.fees and "fee_drop" in calls:
        yield Prompt(
            "fee_drop",
            Phrase('"Deal" confirms that the fees are in the drop box.'),
            calls["fee_drop"],
            "round_deal",
            False,
        )
    if live.dealt_at is not None and not live.shown_card and "bank_card" in calls:
        yield Prompt(
            "bank_card",
            Phrase("Expose the player-dealer's bottom card before the players decide, and record it.")
            if shown_card_due(state)
            else Phrase("Expose the player-dealer's bottom card before the players decide."),
            calls["bank_card"],
            "bank_card_show",
            False,
        )


def _column(state: TableState, live: Round) -> Iterator[Prompt]:
    """What a wager pays that goes by the number of hands, which "no more bets" has fixed (`000` 12(e))."""
    column = state.terms.column(live.positions)
    if column is None or not any(column.wager in bet["wagers"] for bet in live.bets):
        return
    pays = in_a_row(
        Phrase("{hand} {odds}", hand=no_capital(Phrase(hand)), odds=Phrase(odds))
        for hand, odds in column.lines
    )
    text = plural(
        "{n} hand is in play: {name} pays {pays}.",
        "{n} hands are in play: {name} pays {pays}.",
        live.positions,
        name=column.name,
        pays=pays,
    )
    yield Prompt(
        "column",
        text,
        column.clause,
        "",
        False,
    )


def _cards(state: TableState, procedures: TableProcedures) -> Iterator[Prompt]:
    """The deck of the round, and what has become of it."""
    if (fact := procedures.reshuffle) is not None:
        yield Prompt("reshuffle", Phrase("Reshuffle before the next round."), fact.clause, "", False)
    if state.live is None or state.live.dealt_at is not None:
        return
    for fact in procedures.of_round(Procedure.Kind.RECUT)[-1:]:
        text = Phrase("The deck is cut again, by order of {ordered_by}.", ordered_by=fact.ordered_by)
        yield Prompt("recut", text, fact.clause, "", False)
    if procedures.chosen is not None and procedures.in_play is not None:
        text = Phrase("This round is dealt from the {in_play}, out of turn.", in_play=procedures.in_play)
        yield Prompt("deck", text, procedures.chosen.clause, "deck_choose", False)
    elif objection := procedures.repeat_objection():
        yield Prompt("deck", _sentence(objection.reason), objection.clause, "deck_choose", True)
    elif procedures.deck_due is not None and procedures.last_deck is not None and len(procedures.decks) > 1:
        yield Prompt(
            "deck", _sentence(procedures.deck_due.reason), procedures.deck_due.clause, "deck_choose", False
        )


def _decks(state: TableState, procedures: TableProcedures) -> Iterator[Prompt]:
    """Decks that are missing, and looks that are not taken yet; between rounds, when there is time for them."""
    if state.live is not None:
        return
    if objection := procedures.deck_objection():
        yield _objected("decks", objection, "deck_place")
    for deck in procedures.decks:
        if objection := procedures.inspection_objection(deck):
            by = procedures.inspector_due(deck)
            yield Prompt(
                "inspection",
                Phrase("{deck}: {reason}.", deck=capital(str(deck)), reason=objection.reason),
                objection.clause,
                "deck_inspect",
                False,
                {"deck_id": deck.pk, "by": by},
                Phrase("{label} has looked", label=Procedure.Inspector(by).label),
            )


def _objected(kind: str, objection: Objection, command: str) -> Prompt:
    return Prompt(kind, _sentence(objection.reason), objection.clause, command, False)


def _sentence(words: str) -> str:
    text = capital(words)
    return text if text.endswith(".") else Phrase("{text}.", text=text)
