"""Sentences on the table's procedures, from its procedure rules and of rotation."""

from collections.abc import Iterator

from games.rotation import AFTER_PAUSE, NEVER, Profile
from games.three_card_poker.placard.notices import Notice, listed, number_in_words, sentence
from games.three_card_poker.procedure_rules import ProcedureRules

_INSPECTORS = {"dealer": "the dealer", "floor": "the floor", "first_player": "the first player to sit down"}
_CARDS = {
    "in_play": "the cards stay in play",
    "set_aside": "the card is set aside",
    "reshuffle": "the cards are shuffled anew",
    "retire_deck": "the deck is taken away",
}


def deck_rules(rules: ProcedureRules) -> Iterator[Notice]:
    """Decks, and who inspects them."""
    decks, inspection = rules.decks, rules.inspection
    number = number_in_words(decks.most)
    if decks.least < decks.most:
        number = f"{number_in_words(decks.least)} or {number}"
    yield Notice(
        sentence(f"{number} deck{'s' * (decks.most > 1)} of 52 cards, without jokers"),
        decks.clauses["number"],
    )
    if "shuffler" in decks.clauses:
        yield Notice("A second deck takes a shuffling machine.", decks.clauses["shuffler"])
    if decks.colours_differ:
        yield Notice("Two decks have backs of two colours.", decks.clauses["colours"])
    if decks.alternate:
        yield Notice("Two decks take turns, round by round.", decks.clauses["alternate"])
    who = listed(_INSPECTORS[inspector] for inspector in inspection.by)
    yield Notice(f"Before a deck is in use {who} look it over.", inspection.clause)
    if inspection.after_idle is not None and inspection.after_idle_clause is not None:
        again = _INSPECTORS[inspection.after_idle]
        yield Notice(f"After an idle spell {again} looks it over again.", inspection.after_idle_clause)
    yield Notice(
        "A supervisor may have the cards cut again before the first one is dealt.", rules.recut_clause
    )


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
        every = number_in_words(stub.every_rounds)
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


def rotation_rules(profile: Profile) -> Iterator[Notice]:
    """The rotation of the bank under a profile, and the profile's legal status."""
    if profile.offer_after_rounds is not None:
        rounds = profile.offer_after_rounds
        many = "one round" if rounds == 1 else f"{number_in_words(rounds)} rounds in a row"
        yield Notice(
            f"A player may bank {many}; then the bank is offered clockwise, seat by seat.", profile.clause
        )
    if profile.offer_after_minutes is not None:
        yield Notice(
            f"A player may bank for {profile.offer_after_minutes} minutes; then the bank is offered clockwise, "
            "seat by seat.",
            profile.clause,
        )
    yield Notice("Nobody has to take the bank, and staff of the house may not.", "ruling 41")
    yield Notice(_renewal(profile), profile.renew_clause)
    if not profile.provider_may_renew:
        yield Notice("After a provider's player somebody else takes the next turn.", profile.renew_clause)
    if profile.others is not None:
        yield Notice(
            f"In any {profile.others.within_minutes} minutes at least {number_in_words(profile.others.needed)} "
            "players other than a provider's must have banked, or the game ends.",
            profile.clause,
        )


def _renewal(profile: Profile) -> str:
    if profile.renewal == NEVER:
        return "Whoever has banked waits until another player has, before banking again."
    if profile.renewal == AFTER_PAUSE:
        minutes = number_in_words(profile.pause_minutes)
        return (
            f"If everybody else declines, the game stops for {minutes} minutes before the last bank goes on."
        )
    return "If everybody else declines, the last bank may take a new turn."
