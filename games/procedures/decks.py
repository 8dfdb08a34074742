"""Decks at a table: how many, which one is due, and when one is in use (ruling 45)."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from games.phrases import Phrase, plural
from games.procedures.rules import Objection, ProcedureRules

PRE_SHUFFLED = "pre_shuffled"
_INSPECTORS = {"dealer": Phrase("dealer"), "floor": Phrase("floor"), "first_player": Phrase("first player")}


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
            Phrase(
                "the table has {count} and needs {least}: register another one",
                count=_decks(count),
                least=rule.least,
            ),
            clause,
        )
    if count > rule.most:
        return Objection(
            Phrase(
                "the table has {count}; {most} at most: take one away", count=_decks(count), most=rule.most
            ),
            clause,
        )
    if not shuffler and count > rule.most_without_shuffler:
        return Objection(
            Phrase(
                "{count} need a shuffling machine: register one, or take a deck away", count=_decks(count)
            ),
            rule.clauses["shuffler"],
        )
    colours = [deck.colour.casefold() for deck in serving]
    if rule.colours_differ and len(set(colours)) < count:
        return Objection(
            Phrase("two decks have {colours} backs: their colours must differ", colours=colours[0]),
            rule.clauses["colours"],
        )
    return None


def _decks(count: int) -> str:
    return plural("{n} deck", "{n} decks", count)


def deck_due(rules: ProcedureRules, decks: Sequence[Deck], *, last: str | None) -> DeckDue:
    """The deck of the next round; `last` is the deck of the round before. ValueError without a deck to deal from."""
    serving = [deck.id for deck in decks if not deck.retired]
    if not serving:
        raise ValueError("no deck is at the table")
    if not rules.decks.alternate or len(serving) == 1 or last not in serving:
        return DeckDue(
            serving[0], Phrase("deck {deck} is next", deck=serving[0]), rules.decks.clauses["number"]
        )
    following = serving[(serving.index(last) + 1) % len(serving)]
    return DeckDue(
        following,
        Phrase("deck {last} was dealt last: deck {following} is due", last=last, following=following),
        rules.decks.clauses["alternate"],
    )


def repeats(rules: ProcedureRules, decks: Sequence[Deck], deck: str, *, last: str | None) -> bool:
    """Whether `deck` would be dealt twice in a row where two take turns, also where one alone is left of them."""
    rule = rules.decks
    serving = [each.id for each in decks if not each.retired]
    return rule.alternate and deck == last and (len(serving) > 1 or rule.least > 1)


def why_not_deck(
    rules: ProcedureRules,
    decks: Sequence[Deck],
    deck: str,
    *,
    last: str | None,
    reason: str = "",
    supervisor: bool = False,
) -> Objection | None:
    """None when a round may be dealt from `deck`.

    A deck out of turn needs a `reason`; the second round in a row from one deck needs a `supervisor` too.
    """
    if deck not in [each.id for each in decks if not each.retired]:
        return Objection(
            Phrase("deck {deck} does not serve this table", deck=deck), rules.decks.clauses["number"]
        )
    due = deck_due(rules, decks, last=last)
    if deck != due.deck and not reason.strip():
        return Objection(
            Phrase("{reason}; say why deck {deck} is dealt instead", reason=due.reason, deck=deck), due.clause
        )
    if repeats(rules, decks, deck, last=last) and not (reason.strip() and supervisor):
        return Objection(
            Phrase(
                "deck {deck} was dealt last, and decks take turns: a supervisor lets it be dealt again, for a reason, or "
                "puts another one there",
                deck=deck,
            ),
            rules.decks.clauses["alternate"],
        )
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
            return Objection(
                Phrase("the {inspector} has not looked this deck over yet", inspector=_words(inspector)),
                rule.clause,
            )
    if (
        since_idle is not None
        and rule.after_idle is not None
        and not {rule.after_idle, PRE_SHUFFLED} & {*since_idle}
    ):
        assert rule.after_idle_clause is not None
        return Objection(
            Phrase(
                "the table was idle: the {after_idle} looks the cards over again",
                after_idle=_words(rule.after_idle),
            ),
            rule.after_idle_clause,
        )
    return None


def _words(inspector: str) -> str:
    return _INSPECTORS[inspector]
