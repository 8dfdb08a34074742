"""Sentences on the course of a round, from a rulebook's switches: the deal, the decisions, the settlement."""

from collections.abc import Callable, Iterator

from games.money import dollars
from games.notices import Notice, format_number, in_order, listed, sentence
from games.phrases import Phrase
from games.procedures.rules import ProcedureRules
from games.rulebook import CLOCKWISE
from games.three_card_poker.hands import CLASS_IDS, HAND_NAMES, QUALIFYING_WORDS, HandClass
from games.three_card_poker.placard.content import PlacardContent
from games.three_card_poker.placard.wagers import bank_called
from games.three_card_poker.rulebook import COMPARED, NO_ACTION, PAID, PUSH
from games.three_card_poker.terms import ThreeCardTerms
from games.three_card_poker.wagers import WAGER_IDS

_ORDERS = {
    "clockwise_from_action": Phrase("clockwise from the seat at the bank's left"),
    "counterclockwise_from_action": Phrase("counter-clockwise from the seat at the bank's right"),
    "clockwise_from_first": Phrase("clockwise from the dealer's left"),
    "counterclockwise_from_last": Phrase("counterclockwise from the dealer's right"),
}
#: How a room has filed that wagers are settled: everything of one player, or one step for all.
_SETTLING: dict[str, Callable[[str], Phrase]] = {
    "seat_by_seat": lambda order: Phrase(
        "Seats are settled {order}, all of one player before the next.", order=order
    ),
    "step_by_step": lambda order: Phrase(
        "All losing wagers are collected, then all winning ones are paid, each {order}.", order=order
    ),
}
_RANKING = {
    "mini_royal": "ace, king and queen of one suit, the best straight flush",
    "straight_flush": "three in a row of one suit, down to A-2-3",
    "three_of_a_kind": "three of one rank",
    "straight": "three in a row, from A-K-Q down to A-2-3",
    "flush": "three of one suit",
    "pair": "two of one rank",
    "high_card": "none of these; cards compare from the highest down",
}
_RAKES: dict[str, Callable[[str], Phrase]] = {
    "all": lambda cents: Phrase("Every player in the round and the bank pay {amount} a round.", amount=cents),
    "all_but_bank": lambda cents: Phrase(
        "Every player in the round pays {amount} a round; the bank pays nothing.", amount=cents
    ),
    "bank_only": lambda cents: Phrase(
        "The bank pays {amount} a round; other players pay nothing.", amount=cents
    ),
}


def ranking(content: PlacardContent) -> tuple[tuple[str, Notice], ...]:
    """Three-card hands from the best down: the name, and its definition."""
    return tuple(
        (HAND_NAMES[hand], Notice(sentence(_RANKING[hand]), content.rankings[hand]))
        for hand in reversed(CLASS_IDS[: HandClass.MINI_ROYAL + 1])
    )


def card_rules(terms: ThreeCardTerms, content: PlacardContent) -> Iterator[Notice]:
    """Cards and their rank."""
    yield Notice("Cards rank from the ace down to the two.", content.topics["cards"])
    yield Notice("No suit is above another.", content.topics["suits"])
    if "six_card_bonus" in terms.offered:
        text = "any five of the six cards make the hand of the {}, ranked as in poker with five cards"
        name = terms.rulebook.wagers["six_card_bonus"].name
        yield Notice(sentence(text.format(name)), content.topics["six_cards"])


def seating(terms: ThreeCardTerms, content: PlacardContent) -> Iterator[Notice]:
    """Who sits and wagers where."""
    rulebook = terms.rulebook
    places = f"{format_number(rulebook.seats)} places"
    banks = f"{places}, one of which banks" if rulebook.player_banked else f"{places}; the house banks"
    yield Notice(sentence(banks), content.topics["seats"])
    most = rulebook.max_positions
    hands = "one hand" if most == 1 else f"up to {format_number(most)} hands"
    side = ", on seats side by side" if rulebook.positions_adjacent else ""
    yield Notice(f"A player may hold {hands} a round{side}.", content.topics["positions"])
    if not terms.tip_spots:
        yield Notice("Bets for the dealer are not taken at this table.", "ruling 8")
        return
    tips = listed(wager.name for wager in rulebook.wagers.values() if _tipped(terms, wager.id))
    yield Notice(
        f"A bet for the dealer may stand beside a wager of one's own on {tips}; it fares as that wager does.",
        rulebook.clause_id(rulebook.tip_clause),
    )


def _tipped(terms: ThreeCardTerms, wager: str) -> bool:
    return wager in terms.tip_spots and wager in terms.offered


def round_rules(terms: ThreeCardTerms, content: PlacardContent, rules: ProcedureRules) -> Iterator[Notice]:
    """A round from the last bet to the showdown."""
    rulebook, bank = terms.rulebook, bank_called(terms)
    causes, names = rulebook.clauses, _names(terms)
    calls = rules.calls
    if "no_more_bets" in calls:
        yield Notice("The house dealer calls “no more bets” before the first card.", calls["no_more_bets"])
    yield Notice(
        "After “no more bets” nothing is placed, raised or withdrawn.",
        content.topics["closing"],
    )
    if "fee_drop" in calls:
        yield Notice("Fees go into the drop box then, before the cards.", calls["fee_drop"])
    way = "clockwise" if rulebook.direction == CLOCKWISE else "counter-clockwise"
    yield Notice(f"Three cards go to every player and to {bank}, {way}.", rules.order_clause)
    if "bank_card" in calls:
        yield Notice(f"A card of {bank} is exposed before anybody decides.", calls["bank_card"])
    yield Notice(
        f"Whoever has placed the {names['ante']} then lays the {names['play']}, of the same size, or folds.",
        content.needs["play"],
    )
    yield Notice(_fold(terms), rulebook.clause_id(causes["ante"]["folded"]))
    if stays := [names[wager] for wager in ("six_card_bonus",) if _stays(terms, wager)]:
        yield Notice(f"{listed(stays)} stands on a folded hand too.", content.topics["stays"])
    if "surrender" in rulebook.decisions:
        lost = listed(_named(terms, terms.forfeited["surrender"]))
        yield Notice(
            f"A hand may also be given up unseen, {lost} with it; the house alone then knows its cards.",
            rulebook.clause_id(causes["ante"]["surrendered"]),
        )
    yield from _showdown(terms, content)


def _names(terms: ThreeCardTerms) -> dict[str, str]:
    return {wager.id: wager.name for wager in terms.rulebook.wagers.values()}


def _named(terms: ThreeCardTerms, wagers: frozenset[str]) -> list[str]:
    names = _names(terms)
    return [names[wager] for wager in WAGER_IDS if wager in wagers and wager in terms.offered]


def _fold(terms: ThreeCardTerms) -> str:
    lost = listed(_named(terms, terms.forfeited["fold"]))
    looked = "; Pair Plus is still looked at" if "pair_plus" not in terms.forfeited["fold"] else ""
    return f"A fold loses {lost}{looked}."


def _stays(terms: ThreeCardTerms, wager: str) -> bool:
    return wager in terms.offered and wager not in terms.rulebook.forfeited["fold"]


def _showdown(terms: ThreeCardTerms, content: PlacardContent) -> Iterator[Notice]:
    rulebook, bank, names = terms.rulebook, bank_called(terms), _names(terms)
    ante = rulebook.clauses["ante"]
    both = f"{names['ante']} and {names['play']}"
    qualifying = QUALIFYING_WORDS[rulebook.qualifies]
    yield Notice(f"{sentence(bank)[:-1]} qualifies with {qualifying}.", content.topics["qualifies"])
    yield from _unqualified(terms, bank, names)
    when = f"When {bank} qualifies"
    yield Notice(f"{when}, a better hand wins even money on {both}.", rulebook.clause_id(ante["beats"]))
    yield Notice(f"{when}, a lower hand loses {both}.", rulebook.clause_id(ante["loses"]))
    yield Notice(f"Equal hands push on {both}.", rulebook.clause_id(ante["ties"]))
    if terms.ante_bonus is not None:
        yield Notice(
            f"The bonus on {names['ante']} is paid whatever {bank} holds, once {names['play']} was laid.",
            rulebook.clause_id(rulebook.clauses["ante_bonus"]["pays"]),
        )


_PLAY_UNQUALIFIED = {
    PUSH: "pushes",
    NO_ACTION: "has no action and goes back",
    PAID: "wins even money, whatever the hand",
    COMPARED: "wins even money for the better hand, and else goes back",
}


def _unqualified(terms: ThreeCardTerms, bank: str, names: dict[str, str]) -> Iterator[Notice]:
    """What ante and play do against a bank that does not qualify."""
    rulebook = terms.rulebook
    if rulebook.qualifies == "nothing":
        return
    ante, play = rulebook.clauses["ante"], rulebook.clauses["play"]
    yield Notice(
        f"When {bank} does not qualify, {names['play']} {_PLAY_UNQUALIFIED[rulebook.unqualified_play]}.",
        rulebook.clause_id(play["unqualified"]),
    )
    if rulebook.unqualified_ante == COMPARED:
        yield Notice(
            f"{names['ante']} is compared even then: a better hand wins even money.",
            rulebook.clause_id(ante["beats_unqualified"]),
        )
        yield Notice(
            f"Otherwise {names['ante']} pushes and goes back.", rulebook.clause_id(ante["holds_unqualified"])
        )
    elif rulebook.unqualified_ante == PUSH:
        yield Notice(
            f"{names['ante']} pushes and goes back then.", rulebook.clause_id(ante["holds_unqualified"])
        )
    else:
        yield Notice(
            f"{names['ante']} then wins even money, whatever the hand.",
            rulebook.clause_id(ante["wins_unqualified"]),
        )


def order_rules(terms: ThreeCardTerms, content: PlacardContent) -> Iterator[Notice]:
    """In which order wagers are settled."""
    rulebook = terms.rulebook
    order = _ORDERS[rulebook.seat_order]
    if terms.settling is None:
        yield Notice(Phrase("Seats are settled {order}.", order=order), content.topics["order"])
    else:
        clause = rulebook.clause_id(rulebook.clauses["settling"][terms.settling])
        yield Notice(_SETTLING[terms.settling](order), clause)
    lines = in_order(_lines(terms, terms.rulebook.line_order))
    at_a_seat = (
        Phrase("At a seat: {lines}.", lines=lines)
        if terms.tips_last or not terms.tip_spots
        else Phrase("At a seat: {lines}, and last the bets for the dealer.", lines=lines)
    )
    yield Notice(at_a_seat, content.topics["lines"])
    if rulebook.player_banked and terms.forfeits_first:
        yield Notice(Phrase("Wagers of folded hands are taken before all others."), "ruling 9")
    if terms.tips_last:
        text = Phrase(
            "Bets for the dealer are settled after all wagers of the players, in the same order of seats."
        )
        yield Notice(text, "ruling 8")
    if rulebook.after_all_seats:
        after = in_order(_lines(terms, terms.rulebook.after_all_seats))
        how = _ORDERS[rulebook.after_all_seats_order]
        yield Notice(
            Phrase("After all seats: {lines}, {order}.", lines=after, order=how), content.topics["lines"]
        )


def _lines(terms: ThreeCardTerms, lines: tuple[str, ...]) -> list[str]:
    names = {"ante_bonus": Phrase("ante bonus"), "envy": Phrase("envy"), **_names(terms)}
    return [names[line] for line in lines if line in terms.offered or line in ("ante_bonus", "envy")]


def bank_rules(terms: ThreeCardTerms, content: PlacardContent) -> Iterator[Notice]:
    """What the bank covers, and what happens when it cannot."""
    covers, exhausted = content.topics["coverage"], content.exhausted
    if exhausted is None:
        yield Notice(Phrase("The house pays and takes every wager in full."), covers)
        return
    if terms.coverage == "gross":
        yield Notice(
            Phrase(
                "Every dollar that the bank pays or takes uses up its wager for the round: "
                "it can neither win nor lose more than that."
            ),
            covers,
        )
        yield Notice(Phrase("What it has not reached by then is returned to the players."), exhausted)
    elif terms.coverage == "net":
        yield Notice(
            Phrase(
                "The bank can lose its wager for the round and win as much, no more either way; "
                "what it takes covers what it pays."
            ),
            covers,
        )
        yield Notice(Phrase("What it cannot cover is returned to the players."), exhausted)
    else:
        yield Notice(
            Phrase(
                "The bank's funds cover a hand as a whole or not at all; they grow by what is taken "
                "and shrink by what is paid."
            ),
            covers,
        )
        yield Notice(Phrase("A hand that they do not cover is dead, and all its wagers go back."), exhausted)


def rake_rules(terms: ThreeCardTerms, content: PlacardContent) -> Iterator[Notice]:
    """The form of the house rake and its amount (ruling 20); nothing where a rulebook knows none."""
    if not content.rake:
        return
    if terms.rake is None:
        yield Notice(Phrase("The house takes no rake at this table."), content.rake["none"])
        return
    text = _RAKES[terms.rake.mode](dollars(terms.rake.cents))
    yield Notice(text, content.rake[terms.rake.mode])
    yield Notice(Phrase("A hand that the bank could not cover pays none."), content.rake["dead_hand"])
