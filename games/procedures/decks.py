"""Decks at a table: how many, which one is due, and when one is in use (ruling 45)."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from games.procedures.rules import Objection, ProcedureRules

PRE_SHUFFLED = "pre_shuffled"


class Deck(NamedTuple):
    """A deck registered at a table: a name, the colour of its backs, and whether it has been retired."""

    id: str
    colour: str
    retired: bool = False


class DeckDue(NamedTuple):
    """The deck that the next round is dealt from, and why."""

    deck: str
    reason: str
    clause: str


def why_not_decks(rules: ProcedureRules, decks: Sequence[Deck], *, shuffler: bool) -> Objection | None:
    """None when these decks may serve a table, with or without a shuffling machine, else the first objection.

    Retired decks do not count: a table that has lost one asks for its replacement.
    """
    rule = rules.decks
    serving = [deck for deck in decks if not deck.retired]
    count, clause = len(serving), rule.clauses["number"]
    if count < rule.least:
        return Objection(
            f"the table has {_decks(count)} and needs {rule.least}: register another one", clause
        )
    if count > rule.most:
        return Objection(f"the table has {_decks(count)}; {rule.most} at most: take one away", clause)
    if not shuffler and count > rule.most_without_shuffler:
        return Objection(
            f"{_decks(count)} need a shuffling machine: register one, or take a deck away",
            rule.clauses["shuffler"],
        )
    colours = [deck.colour.casefold() for deck in serving]
    if rule.colours_differ and len(set(colours)) < count:
        return Objection(
            f"two decks have {colours[0]} backs: their colours must differ", rule.clauses["colours"]
        )
    return None


def _decks(count: int) -> str:
    return "1 deck" if count == 1 else f"{count} decks"


def deck_due(rules: ProcedureRules, decks: Sequence[Deck], *, last: str | None) -> DeckDue:
    """The deck of the next round; `last` is the deck of the round before. ValueError without a deck to deal from."""
    serving = [deck.id for deck in decks if not deck.retired]
    if not serving:
        raise ValueError("no deck is at the table")
    if not rules.decks.alternate or len(serving) == 1 or last not in serving:
        return DeckDue(serving[0], f"deck {serving[0]} is next", rules.decks.clauses["number"])
    following = serving[(serving.index(last) + 1) % len(serving)]
    return DeckDue(
        following, f"deck {last} was dealt last: deck {following} is due", rules.decks.clauses["alternate"]
    )


def why_not_deck(
    rules: ProcedureRules, decks: Sequence[Deck], deck: str, *, last: str | None, reason: str = ""
) -> Objection | None:
    """None when a round may be dealt from `deck`; a deck out of turn needs a `reason`."""
    if deck not in [each.id for each in decks if not each.retired]:
        return Objection(f"deck {deck} does not serve this table", rules.decks.clauses["number"])
    due = deck_due(rules, decks, last=last)
    if deck != due.deck and not reason.strip():
        return Objection(f"{due.reason}; say why deck {deck} is dealt instead", due.clause)
    return None


def why_not_in_use(
    rules: ProcedureRules, notes: Collection[str], *, since_idle: Collection[str] | None = None
) -> Objection | None:
    """None when a deck's inspection is complete.

    `notes` say who has looked this deck over since it arrived (`dealer`, `floor`, `first_player`), or that it came
    `pre_shuffled`. `since_idle` are the notes since the table was last idle; None when it has not been. Only a deck
    that was in use before an idle spell is looked over again: the looks of its arrival come first.
    """
    rule = rules.inspection
    pre_shuffled = PRE_SHUFFLED in notes and rule.pre_shuffled_clause is not None
    for inspector in () if pre_shuffled else rule.by:
        if inspector not in notes:
            return Objection(f"the {_words(inspector)} has not looked this deck over yet", rule.clause)
    if (
        since_idle is not None
        and rule.after_idle is not None
        and not {rule.after_idle, PRE_SHUFFLED} & {*since_idle}
    ):
        assert rule.after_idle_clause is not None
        return Objection(
            f"the table was idle: the {_words(rule.after_idle)} looks the cards over again",
            rule.after_idle_clause,
        )
    return None


def _words(inspector: str) -> str:
    return inspector.replace("_", " ")
