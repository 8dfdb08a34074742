"""The stub count (cards left of the deck after dealing): when it is due, and its consequences (ruling 45)."""

from typing import NamedTuple

from games.phrases import Phrase, plural
from games.procedures.rules import (
    IN_PLAY,
    RESHUFFLE,
    RETIRE_DECK,
    ROUND_STANDS,
    ROUND_VOID,
    Consequence,
    Objection,
    ProcedureRules,
)

WRONG_COUNT, MISDEAL = "wrong_deck_count", "wrong_number_of_cards"


class CountDue(NamedTuple):
    """Whether the stub is to be counted before the next round, and why or why not."""

    due: bool
    reason: str
    clause: str | None


def cards_missing(*, cards: int, dealt: int, stub: int) -> int:
    """Cards that should be in use and are not there; negative when there are too many.

    `cards` are those of all decks in use (`Deal.cards`), `dealt` those that are out of the stub, however many a hand should have.
    """
    return cards - dealt - stub


def count_due(rules: ProcedureRules, method: str, rounds: int, *, shuffler_counts: bool) -> CountDue:
    """Whether a count is due after `rounds` rounds since the last one, under this way of dealing.

    A shuffler that counts the deck after each shuffle takes the count's place. KeyError for a way of dealing that
    the rules of a counting rulebook do not have.
    """
    rule = rules.stub
    if rule.every_rounds is None:
        return CountDue(False, Phrase("these rules ask for no regular count"), None)
    clause = rule.methods[method]
    if shuffler_counts:
        return CountDue(False, Phrase("the shuffler counts the deck"), rule.clauses["counting_shuffler"])
    if rounds < rule.every_rounds:
        left = rule.every_rounds - rounds
        text = plural(
            "a count falls due after {n} more round", "a count falls due after {n} more rounds", left
        )
        return CountDue(False, text, clause)
    text = Phrase("{rounds} rounds since the last count: count the stub", rounds=rounds)
    return CountDue(True, text, clause)


def why_not_deal(
    rules: ProcedureRules, method: str, rounds: int, *, shuffler_counts: bool, supervisor: bool
) -> Objection | None:
    """None when the next round may be dealt; with a count outstanding only a supervisor lets it go on."""
    due = count_due(rules, method, rounds, shuffler_counts=shuffler_counts)
    if not due.due or supervisor:
        return None
    assert due.clause is not None
    return Objection(Phrase("{reason}, or ask a supervisor", reason=due.reason), due.clause)


def what_follows(rules: ProcedureRules, *, missing: int, misdealt: bool) -> Consequence:
    """The consequence of a count.

    `missing` are the cards that the deck or shoe lacks, all cards out of it counted in (`cards_missing`); `misdealt`
    says that some hand has more or fewer than it should.
    """
    clauses = rules.stub.clauses
    if missing:
        cards = (
            plural("{n} card missing", "{n} cards missing", missing)
            if missing > 0
            else plural("{n} card too many", "{n} cards too many", -missing)
        )
        return Consequence(
            ROUND_VOID,
            RETIRE_DECK,
            WRONG_COUNT,
            Phrase("{cards}: the round is void, the deck is retired", cards=cards),
            clauses["wrong"],
        )
    if misdealt:
        return Consequence(
            ROUND_VOID, RESHUFFLE, MISDEAL, Phrase("a hand was misdealt and the deck is whole: the round is void"),
            clauses["misdeal"],
        )  # fmt: skip
    return Consequence(
        ROUND_STANDS,
        IN_PLAY,
        None,
        Phrase("the deck is whole: play goes on"),
        clauses.get("right", clauses["wrong"]),
    )


def device_follows(rules: ProcedureRules) -> Consequence:
    """The consequence of a shuffler's report of a wrong number of cards: its deck is retired, no round is affected."""
    clause = rules.stub.clauses.get("device_wrong", rules.stub.clauses["wrong"])
    return Consequence(
        ROUND_STANDS, RETIRE_DECK, None, Phrase("the shuffler counts a wrong deck: it is retired"), clause
    )
