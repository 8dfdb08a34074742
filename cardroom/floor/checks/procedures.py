"""What may be done about decks, counts, irregularities and wins now.

They remind of most and block little: no sixth round without a count or a supervisor's word, nothing but the void in a
round that an irregularity or a wrong count voids (rulings 44, 45), and no new round while a progressive win waits
(ruling 46).
"""

from __future__ import annotations

from games.phrases import Phrase, capital
from games.procedures.dealing import why_not_recut
from games.procedures.rules import Objection
from games.registry import load_procedure_rules

from ..errors import WhyNot
from ..models import Procedure, Round, Table
from ..reads.meters import linked_tables
from ..reads.table_procedures import TableProcedures
from ..reads.table_reading import TableReading, once_a_reading


@once_a_reading
def why_count_due(reading: TableReading) -> WhyNot | None:
    """A round without the count that is due takes a supervisor's word (ruling 45); most rules ask for no count."""
    if reading.procedure_rules.stub.every_rounds is None:
        return None
    objection = reading.procedures.count_objection()
    return None if objection is None else objected("count_due", objection)


@once_a_reading
def why_win_waits(reading: TableReading) -> WhyNot | None:
    """The last round is over when each of its progressive wins has been keyed in and confirmed (ruling 46)."""
    if reading.rulebook.meter is None:
        return None
    why = reading.procedures.win_objection()
    return None if why is None else WhyNot("win_waits", Phrase("{why}.", why=capital(why)))


@once_a_reading
def why_void_due(reading: TableReading) -> WhyNot | None:
    """A round that the rules void is voided and nothing else (rulings 44, 45).

    An irregularity that was entered by mistake is taken back by an undo, which a second person signs; after a wrong
    count another count may put it right.
    """
    if (fact := reading.voiding) is None:
        return None
    assert reading.live is not None  # what voids it is of the round in play
    counted = fact.kind == Procedure.Kind.STUB_COUNT
    otherwise = Phrase("count again") if counted else Phrase("undo the entry if it was made by mistake")
    return WhyNot(
        "void_due",
        Phrase(
            "{says}: round {number} is void by the rules. Void it, or {otherwise}.",
            says=capital(Phrase(fact.says)),
            number=reading.live.number,
            otherwise=otherwise,
        ),
        fact.clause,
    )


def procedures_at_deal(reading: TableReading, round_: Round | None) -> TableProcedures:
    """The procedures as the deal asks for them, from what is read already: decks, the deal before it, and the round's facts.

    Where no deck is registered, nothing is asked.
    """
    return TableProcedures(
        table=reading.table,
        live=round_,
        last=None,
        rules=load_procedure_rules(reading.table.rulebook if round_ is None else round_.rulebook),
        decks=reading.decks,
        deals=[reading.last_deal] if reading.decks and reading.last_deal is not None else [],
        facts=[] if round_ is None else reading.facts,
        wins=[],
    )


@once_a_reading
def why_deck_repeats(reading: TableReading) -> WhyNot | None:
    """The second round in a row from one deck takes a supervisor and a reason, where two take turns (ruling 45)."""
    if not reading.procedure_rules.decks.alternate:
        return None
    objection = procedures_at_deal(reading, reading.live).repeat_objection()
    return None if objection is None else objected("deck_repeats", objection)


@once_a_reading
def why_not_place_deck(reading: TableReading) -> WhyNot | None:
    """Decks come to the table between rounds."""
    return _why_in_play(reading, Phrase("Decks come to the table between rounds."))


@once_a_reading
def why_not_retire_deck(reading: TableReading) -> WhyNot | None:
    """Decks leave the table between rounds; the one that a wrong count has shown leaves at once, by the count."""
    if why := _why_in_play(reading, Phrase("Decks leave the table between rounds.")):
        return why
    return _why_no_deck(reading)


@once_a_reading
def why_not_inspect(reading: TableReading) -> WhyNot | None:
    """A deck is looked over whenever there is one."""
    return _why_no_deck(reading)


@once_a_reading
def why_not_choose_deck(reading: TableReading) -> WhyNot | None:
    """The deck of a round is chosen before its first card; a deal that was recorded, if by mistake, has named it."""
    return _why_dealt(reading, Phrase("deck")) or why_void_due(reading) or _why_no_deck(reading)


@once_a_reading
def why_not_set_dealing(reading: TableReading) -> WhyNot | None:
    """How a table shuffles and deals changes between rounds only."""
    return _why_in_play(reading, Phrase("How this table deals changes between rounds."))


def why_shuffler_missing(reading: TableReading, rulebook: str) -> WhyNot | None:
    """A game whose rules ask for an automatic shuffler comes to a table that has one, or that plays without one by leave."""
    clause = load_procedure_rules(rulebook).shuffler_clause
    if (
        clause is None
        or reading.table.shuffler != Table.Shuffler.NONE
        or (reading.procedure_rules.shuffler_clause is not None)
    ):
        return None
    return WhyNot(
        "shuffler_missing",
        Phrase(
            "This game is dealt from an automatic shuffler, and {table} has none. Set one first, under Shuffling and dealing.",
            table=reading.table,
        ),
        clause,
    )


@once_a_reading
def why_not_count_stub(reading: TableReading) -> WhyNot | None:
    """The stub is counted at an open table, in a round or after it."""
    if reading.table.state != Table.State.OPEN:
        return WhyNot(
            "table_closed", Phrase("{table} is closed. The floor opens it first.", table=reading.table)
        )
    return None


@once_a_reading
def why_not_waive_count(reading: TableReading) -> WhyNot | None:
    """A supervisor lets a round go without a count when one is due, and once for it."""
    due = reading.procedures.count_due if reading.procedure_rules.stub.every_rounds is not None else None
    if due is None or not due.due:
        reason = Phrase("these rules ask for no regular count") if due is None else due.reason
        return WhyNot("no_count_due", Phrase("No count is due: {reason}.", reason=reason))
    if reading.procedures.count_waived:
        return WhyNot("count_waived", Phrase("The next round may be dealt without a count already."))
    return None


@once_a_reading
def why_not_report_device(reading: TableReading) -> WhyNot | None:
    """A shuffler that counts may report a wrong deck."""
    if reading.table.shuffler != Table.Shuffler.COUNTS:
        return WhyNot(
            "no_counting_shuffler",
            Phrase("{table} has no shuffler that counts its decks.", table=reading.table),
        )
    return _why_no_deck(reading)


@once_a_reading
def why_not_recut_now(reading: TableReading) -> WhyNot | None:
    """The cut is done again between "no more bets" and the first card."""
    if reading.live is None or reading.live.state != Round.State.BETS_CLOSED:
        return WhyNot("bets_open", Phrase('A recut comes after "no more bets" and before the first card.'))
    if why := why_void_due(reading):
        return why
    dealt = reading.live.dealt_at is not None
    objection = why_not_recut(reading.procedure_rules, supervisor=True, reason="asked for", dealt=dealt)
    return None if objection is None else objected("cards_dealt", objection)


@once_a_reading
def why_not_report(reading: TableReading) -> WhyNot | None:
    """An irregularity is one of the round in play."""
    if reading.live is None:
        return WhyNot(
            "no_round", Phrase("No round is in play. An irregularity is written down in its round.")
        )
    return None


@once_a_reading
def why_not_show_card(reading: TableReading) -> WhyNot | None:
    """The bank's card is recorded after the deal and before the settlement, where the rules turn one up.

    A card that was entered wrongly is recorded anew until then (ruling 49).
    """
    if why := why_no_shown_card(reading):
        return why
    if reading.live is None or reading.live.dealt_at is None:
        return WhyNot("not_dealt", Phrase("The bank shows a card when the round has been dealt."))
    if reading.live.by_eye:
        return WhyNot(
            "settled_by_eye",
            Phrase("{table} records wagers and fees alone, and no cards.", table=reading.table),
        )
    return why_void_due(reading)


@once_a_reading
def why_no_shown_card(reading: TableReading) -> WhyNot | None:
    """Whether a shown card is recorded at all: the rules turn one up, and the room has it recorded."""
    if "bank_card" not in reading.procedure_rules.calls:
        return WhyNot(
            "no_card_up", Phrase("In {name} no dealer card is exposed.", name=reading.rulebook.name)
        )
    if not reading.table.room.records_shown_card:
        return WhyNot(
            "shown_card_off",
            Phrase("{room} does not record the card that the bank shows.", room=reading.table.room),
        )
    return None


def shown_card_due(reading: TableReading) -> bool:
    """Whether the shown card is what the table asks for next: cards are out and it is not recorded yet."""
    return why_not_show_card(reading) is None and reading.live is not None and not reading.live.shown_card


@once_a_reading
def why_not_key_win(reading: TableReading) -> WhyNot | None:
    """A win is keyed in after the settlement of its round and before the next round."""
    if reading.rulebook.meter is None:
        return WhyNot(
            "no_progressive", Phrase("{name} has no progressive wager.", name=reading.rulebook.name)
        )
    if why := _why_in_play(reading, Phrase("A progressive win is keyed in when its round has been settled.")):
        return why
    if reading.last is None:
        return WhyNot("no_round", Phrase("No round has been settled at this table."))
    return None


@once_a_reading
def why_not_set_meter(reading: TableReading) -> WhyNot | None:
    """A meter is set between rounds, and while no win of it waits."""
    if reading.rulebook.meter is None:
        return WhyNot(
            "no_progressive", Phrase("{name} has no progressive wager.", name=reading.rulebook.name)
        )
    if why := _why_in_play(reading, Phrase("The meter is set between rounds.")):
        return why
    if reading.procedures.pending:
        return WhyNot(
            "win_waits", Phrase("A win of the meter waits for a supervisor. Confirm or withdraw it first.")
        )
    return None


@once_a_reading
def why_not_link_meter(reading: TableReading) -> WhyNot | None:
    """A table with a meter of its own joins another one between rounds, and not while a win of its last round waits."""
    if (why := _why_own_meter(reading)) is not None and why.code != "meter_not_linked":
        return why
    if why is None:
        return WhyNot(
            "meter_linked", Phrase("{table} shares its meter already. Unlink it first.", table=reading.table)
        )
    return _why_in_play(reading, Phrase("Meters are linked between rounds.")) or why_win_waits(reading)


@once_a_reading
def why_not_unlink_meter(reading: TableReading) -> WhyNot | None:
    """A table that shares its meter leaves it between rounds, and not while a win of its last round waits."""
    if why := _why_own_meter(reading):
        return why
    return _why_in_play(reading, Phrase("Meters are unlinked between rounds.")) or why_win_waits(reading)


@once_a_reading
def _why_own_meter(reading: TableReading) -> WhyNot | None:
    """None for a table that shares its meter with others; one query where the game has a progressive."""
    if reading.rulebook.meter is None:
        return WhyNot(
            "no_progressive", Phrase("{name} has no progressive wager.", name=reading.rulebook.name)
        )
    if not linked_tables(reading.table).exists():
        return WhyNot("meter_not_linked", Phrase("{table} has a meter of its own.", table=reading.table))
    return None


@once_a_reading
def why_not_answer_win(reading: TableReading) -> WhyNot | None:
    """A win is confirmed or withdrawn while it waits."""
    if reading.rulebook.meter is None or not reading.procedures.pending:
        return WhyNot("no_win", Phrase("No progressive win waits at this table."))
    return None


def objected(code: str, objection: Objection) -> WhyNot:
    """An objection of the rules as the floor's refusal: the sentence, and the clause behind it."""
    return WhyNot(code, Phrase("{reason}.", reason=capital(objection.reason)), objection.clause)


def _why_no_deck(reading: TableReading) -> WhyNot | None:
    if not reading.procedures.decks:
        return WhyNot(
            "no_deck",
            Phrase("No deck is registered at {table}. The floor puts one there first.", table=reading.table),
        )
    return None


def _why_in_play(reading: TableReading, when: str) -> WhyNot | None:
    if reading.live is not None:
        return WhyNot(
            "round_live", Phrase("Round {number} is in play. {when}", number=reading.live.number, when=when)
        )
    return None


def _why_dealt(reading: TableReading, what: str) -> WhyNot | None:
    if reading.live is None:
        return WhyNot("no_round", Phrase("No round is open. The {what} is chosen for a round.", what=what))
    if reading.live.dealt_at is not None or reading.procedures.of_round(Procedure.Kind.DEALT):
        return WhyNot(
            "cards_dealt", Phrase("The cards of round {number} have been dealt.", number=reading.live.number)
        )
    return None
