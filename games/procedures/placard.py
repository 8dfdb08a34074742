"""Sentences for a placard on a table's procedures, from its procedure rules."""

from collections.abc import Iterator

from games.notices import Notice, format_number, listed, sentence
from games.procedures.rules import ProcedureRules

_INSPECTORS = {"dealer": "the dealer", "floor": "the floor", "first_player": "the first player to sit down"}
_CARDS = {
    "in_play": "the cards stay in play",
    "set_aside": "the card is set aside",
    "reshuffle": "the cards are shuffled anew",
    "retire_deck": "the deck is taken away",
}


def deck_rules(rules: ProcedureRules, *, unit: str = "deck") -> Iterator[Notice]:
    """Decks, and who inspects them; `unit` is what the table has one or more of."""
    decks, inspection = rules.decks, rules.inspection
    number = format_number(decks.most)
    if decks.least < decks.most:
        number = f"{format_number(decks.least)} or {number}"
    yield Notice(
        sentence(f"{number} {_many(unit, decks.most)} of 52 cards, without jokers"),
        decks.clauses["number"],
    )
    if "shuffler" in decks.clauses:
        yield Notice(f"A second {unit} takes a shuffling machine.", decks.clauses["shuffler"])
    if decks.colours_differ:
        yield Notice(f"Two {_many(unit, 2)} have backs of two colours.", decks.clauses["colours"])
    if decks.alternate:
        yield Notice(f"Two {_many(unit, 2)} take turns, round by round.", decks.clauses["alternate"])
    who = listed(_INSPECTORS[inspector] for inspector in inspection.by)
    yield Notice(f"Before a {unit} is in use {who} inspect it.", inspection.clause)
    if inspection.after_idle is not None and inspection.after_idle_clause is not None:
        again = _INSPECTORS[inspection.after_idle]
        yield Notice(f"After an idle spell {again} inspects it again.", inspection.after_idle_clause)
    yield Notice(
        "A supervisor may have the cards cut again before the first one is dealt.", rules.recut_clause
    )


def _many(unit: str, count: int) -> str:
    """`decks`, `shoes of eight decks`: the first word takes the plural."""
    first, *rest = unit.split(" ", 1)
    return " ".join([f"{first}{'s' * (count > 1)}", *rest])


def dealing_rules(rules: ProcedureRules) -> Iterator[Notice]:
    """Ways of dealing, and the count of what is left of the deck."""
    for method in rules.methods.values():
        machine = "; it takes a shuffling machine" if method.needs_shuffler else ""
        yield Notice(
            f"Cards may be dealt: {method.name[:1].lower()}{method.name[1:]}{machine}.", method.clause
        )
    if rules.removal_clause is not None:
        yield Notice(
            "A machine leaves the table before another way of shuffling or dealing is used.",
            rules.removal_clause,
        )
    stub = rules.stub
    if stub.every_rounds is not None:
        every = format_number(stub.every_rounds)
        clause = next(iter(stub.methods.values()), stub.clauses["wrong"])
        yield Notice(f"What is left of the deck is counted every {every} rounds at least.", clause)
    if "counting_shuffler" in stub.clauses:
        yield Notice(
            "No count is due where the shuffler counts each deck.", stub.clauses["counting_shuffler"]
        )
    yield Notice("A count that comes out wrong voids the round.", stub.clauses["misdeal"])


def irregularity_rules(rules: ProcedureRules) -> Iterator[Notice]:
    """Irregularities and their consequences. Of a void round every stake goes back (ruling 44)."""
    for each in rules.irregularities:
        fate = "the round is void" if each.consequence.round == "void" else "the round goes on"
        yield Notice(f"{each.name}: {fate}, {_CARDS[each.consequence.cards]}.", each.consequence.clause)
    yield Notice("Of a void round every stake goes back, bets for the dealer too.", "ruling 44")
