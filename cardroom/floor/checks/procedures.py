"""Precondition checks: decks, stub counts, irregularities and progressive wins.

They remind of most and block little: no sixth round without a count or a supervisor's word, nothing but the void in a
round that an irregularity or a wrong count voids (rulings 44, 45), and no new round while a progressive win waits
(ruling 46).
"""

from __future__ import annotations

from games.phrases import Phrase, capital
from games.procedures.dealing import why_not_recut
from games.procedures.rules import Objection
from games.registry import procedure_rules_of
from games.rulebook import Rulebook

from ..errors import WhyNot
from ..models import Procedure, Round, Table
from ..reads.meters import linked_tables
from ..reads.table_procedures import TableProcedures
from ..reads.table_state import TableState, cached_per_state


@cached_per_state
def why_count_due(state: TableState) -> WhyNot | None:
    """A round without the count that is due takes a supervisor's word (ruling 45); most rules ask for no count."""
    if state.procedure_rules.stub.every_rounds is None:
        return None
    objection = state.procedures.count_objection()
    return None if objection is None else objected("count_due", objection)


@cached_per_state
def why_win_waits(state: TableState) -> WhyNot | None:
    """The last round is over when each of its progressive wins has been keyed in and confirmed (ruling 46)."""
    if state.rulebook.meter is None:
        return None
    why = state.procedures.win_objection()
    return None if why is None else WhyNot("win_waits", Phrase("{why}.", why=capital(why)))


@cached_per_state
def why_void_due(state: TableState) -> WhyNot | None:
    """A round that the rules void is voided and nothing else (rulings 44, 45).

    An irregularity that was entered by mistake is taken back by an undo, which a second person signs; after a wrong
    count another count may put it right.
    """
    if (fact := state.voiding) is None:
        return None
    assert state.live is not None  # what voids it is of the round in play
    counted = fact.kind == Procedure.Kind.STUB_COUNT
    otherwise = Phrase("count again") if counted else Phrase("undo the entry if it was made by mistake")
    return WhyNot(
        "void_due",
        Phrase(
            "{text}: round {number} is void by the rules. Void it, or {otherwise}.",
            text=capital(Phrase(fact.text)),
            number=state.live.number,
            otherwise=otherwise,
        ),
        fact.clause,
    )


def procedures_at_deal(state: TableState, round_: Round | None) -> TableProcedures:
    """The procedures as the deal asks for them, from what is read already: decks, the deal before it, and the round's facts.

    Where no deck is registered, nothing is asked.
    """
    return TableProcedures(
        table=state.table,
        live=round_,
        last=None,
        rules=procedure_rules_of(state.table.book if round_ is None else round_.book),
        decks=state.decks,
        deals=[state.last_deal] if state.decks and state.last_deal is not None else [],
        facts=[] if round_ is None else state.facts,
        wins=[],
    )


@cached_per_state
def why_deck_repeats(state: TableState) -> WhyNot | None:
    """The second round in a row from one deck takes a supervisor and a reason, where two take turns (ruling 45)."""
    if not state.procedure_rules.decks.alternate:
        return None
    objection = procedures_at_deal(state, state.live).repeat_objection()
    return None if objection is None else objected("deck_repeats", objection)


@cached_per_state
def why_not_place_deck(state: TableState) -> WhyNot | None:
    """Decks come to the table between rounds."""
    return _why_in_play(state, Phrase("Decks come to the table between rounds."))


@cached_per_state
def why_not_retire_deck(state: TableState) -> WhyNot | None:
    """Decks leave the table between rounds; the one that a wrong count has shown leaves at once, by the count."""
    if why := _why_in_play(state, Phrase("Decks leave the table between rounds.")):
        return why
    return _why_no_deck(state)


@cached_per_state
def why_not_inspect(state: TableState) -> WhyNot | None:
    """A deck is looked over whenever there is one."""
    return _why_no_deck(state)


@cached_per_state
def why_not_choose_deck(state: TableState) -> WhyNot | None:
    """The deck of a round is chosen before its first card; a deal that was recorded, if by mistake, has named it."""
    return _why_dealt(state, Phrase("deck")) or why_void_due(state) or _why_no_deck(state)


@cached_per_state
def why_not_set_dealing(state: TableState) -> WhyNot | None:
    """How a table shuffles and deals changes between rounds only."""
    return _why_in_play(state, Phrase("How this table deals changes between rounds."))


def why_shuffler_missing(state: TableState, rulebook: Rulebook) -> WhyNot | None:
    """A game whose rules ask for an automatic shuffler comes to a table that has one, or that plays without one by leave."""
    clause = procedure_rules_of(rulebook).shuffler_clause
    if (
        clause is None
        or state.table.shuffler != Table.Shuffler.NONE
        or (state.procedure_rules.shuffler_clause is not None)
    ):
        return None
    return WhyNot(
        "shuffler_missing",
        Phrase(
            "This game is dealt from an automatic shuffler, and {table} has none. Set one first, under Shuffling and dealing.",
            table=state.table,
        ),
        clause,
    )


@cached_per_state
def why_not_count_stub(state: TableState) -> WhyNot | None:
    """The stub is counted at an open table, in a round or after it."""
    if state.table.state != Table.State.OPEN:
        return WhyNot(
            "table_closed", Phrase("{table} is closed. The floor opens it first.", table=state.table)
        )
    return None


@cached_per_state
def why_not_waive_count(state: TableState) -> WhyNot | None:
    """A supervisor lets a round go without a count when one is due, and once for it."""
    due = state.procedures.count_due if state.procedure_rules.stub.every_rounds is not None else None
    if due is None or not due.due:
        reason = Phrase("these rules ask for no regular count") if due is None else due.reason
        return WhyNot("no_count_due", Phrase("No count is due: {reason}.", reason=reason))
    if state.procedures.count_waived:
        return WhyNot("count_waived", Phrase("The next round may be dealt without a count already."))
    return None


@cached_per_state
def why_not_report_device(state: TableState) -> WhyNot | None:
    """A shuffler that counts may report a wrong deck."""
    if state.table.shuffler != Table.Shuffler.COUNTS:
        return WhyNot(
            "no_counting_shuffler",
            Phrase("{table} has no shuffler that counts its decks.", table=state.table),
        )
    return _why_no_deck(state)


@cached_per_state
def why_not_recut_now(state: TableState) -> WhyNot | None:
    """The cut is done again between "no more bets" and the first card."""
    if state.live is None or state.live.state != Round.State.BETS_CLOSED:
        return WhyNot("bets_open", Phrase('A recut comes after "no more bets" and before the first card.'))
    if why := why_void_due(state):
        return why
    dealt = state.live.dealt_at is not None
    objection = why_not_recut(state.procedure_rules, supervisor=True, reason="asked for", dealt=dealt)
    return None if objection is None else objected("cards_dealt", objection)


@cached_per_state
def why_not_report(state: TableState) -> WhyNot | None:
    """An irregularity is one of the round in play."""
    if state.live is None:
        return WhyNot(
            "no_round", Phrase("No round is in play. An irregularity is written down in its round.")
        )
    return None


@cached_per_state
def why_not_show_card(state: TableState) -> WhyNot | None:
    """The bank's card is recorded after the deal and before the settlement, where the rules turn one up.

    A card that was entered wrongly is recorded anew until then (ruling 49).
    """
    if why := why_no_shown_card(state):
        return why
    if state.live is None or state.live.dealt_at is None:
        return WhyNot("not_dealt", Phrase("The bank shows a card when the round has been dealt."))
    if state.live.by_eye:
        return WhyNot(
            "settled_by_eye",
            Phrase("{table} records wagers and fees alone, and no cards.", table=state.table),
        )
    return why_void_due(state)


@cached_per_state
def why_no_shown_card(state: TableState) -> WhyNot | None:
    """Whether a shown card is recorded at all: the rules turn one up, and the room has it recorded."""
    if "bank_card" not in state.procedure_rules.calls:
        return WhyNot("no_card_up", Phrase("In {name} no dealer card is exposed.", name=state.rulebook.name))
    if not state.table.room.records_shown_card:
        return WhyNot(
            "shown_card_off",
            Phrase("{room} does not record the card that the bank shows.", room=state.table.room),
        )
    return None


def shown_card_due(state: TableState) -> bool:
    """Whether the shown card is what the table asks for next: cards are out and it is not recorded yet."""
    return why_not_show_card(state) is None and state.live is not None and not state.live.shown_card


@cached_per_state
def why_not_key_win(state: TableState) -> WhyNot | None:
    """A win is keyed in after the settlement of its round and before the next round."""
    if state.rulebook.meter is None:
        return WhyNot("no_progressive", Phrase("{name} has no progressive wager.", name=state.rulebook.name))
    if why := _why_in_play(state, Phrase("A progressive win is keyed in when its round has been settled.")):
        return why
    if state.last is None:
        return WhyNot("no_round", Phrase("No round has been settled at this table."))
    return None


@cached_per_state
def why_not_set_meter(state: TableState) -> WhyNot | None:
    """A meter is set between rounds, and while no win of it waits."""
    if state.rulebook.meter is None:
        return WhyNot("no_progressive", Phrase("{name} has no progressive wager.", name=state.rulebook.name))
    if why := _why_in_play(state, Phrase("The meter is set between rounds.")):
        return why
    if state.procedures.pending:
        return WhyNot(
            "win_waits", Phrase("A win of the meter waits for a supervisor. Confirm or withdraw it first.")
        )
    return None


@cached_per_state
def why_not_link_meter(state: TableState) -> WhyNot | None:
    """A table with a meter of its own joins another one between rounds, and not while a win of its last round waits."""
    if (why := _why_own_meter(state)) is not None and why.code != "meter_not_linked":
        return why
    if why is None:
        return WhyNot(
            "meter_linked", Phrase("{table} shares its meter already. Unlink it first.", table=state.table)
        )
    return _why_in_play(state, Phrase("Meters are linked between rounds.")) or why_win_waits(state)


@cached_per_state
def why_not_unlink_meter(state: TableState) -> WhyNot | None:
    """A table that shares its meter leaves it between rounds, and not while a win of its last round waits."""
    if why := _why_own_meter(state):
        return why
    return _why_in_play(state, Phrase("Meters are unlinked between rounds.")) or why_win_waits(state)


@cached_per_state
def _why_own_meter(state: TableState) -> WhyNot | None:
    """None for a table that shares its meter with others; one query where the game has a progressive."""
    if state.rulebook.meter is None:
        return WhyNot("no_progressive", Phrase("{name} has no progressive wager.", name=state.rulebook.name))
    if not linked_tables(state.table).exists():
        return WhyNot("meter_not_linked", Phrase("{table} has a meter of its own.", table=state.table))
    return None


@cached_per_state
def why_not_answer_win(state: TableState) -> WhyNot | None:
    """A win is confirmed or withdrawn while it waits."""
    if state.rulebook.meter is None or not state.procedures.pending:
        return WhyNot("no_win", Phrase("No progressive win waits at this table."))
    return None


def objected(code: str, objection: Objection) -> WhyNot:
    """An objection of the rules as the floor's refusal: the sentence, and its clause."""
    return WhyNot(code, Phrase("{reason}.", reason=capital(objection.reason)), objection.clause)


def _why_no_deck(state: TableState) -> WhyNot | None:
    if not state.procedures.decks:
        return WhyNot(
            "no_deck",
            Phrase("No deck is registered at {table}. The floor puts one there first.", table=state.table),
        )
    return None


def _why_in_play(state: TableState, when: str) -> WhyNot | None:
    if state.live is not None:
        return WhyNot(
            "round_live", Phrase("Round {number} is in play. {when}", number=state.live.number, when=when)
        )
    return None


def _why_dealt(state: TableState, what: str) -> WhyNot | None:
    if state.live is None:
        return WhyNot("no_round", Phrase("No round is open. The {what} is chosen for a round.", what=what))
    if state.live.dealt_at is not None or state.procedures.of_round(Procedure.Kind.DEALT):
        return WhyNot(
            "cards_dealt", Phrase("The cards of round {number} have been dealt.", number=state.live.number)
        )
    return None
