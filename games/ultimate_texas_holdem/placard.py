"""What a table of Ultimate Texas Hold'em posts: wagers with their paytables and odds, the hands, a round, order and cover."""

from collections.abc import Iterator
from functools import lru_cache

from games.five_cards import FIVE_CARD_HANDS, FIVE_CARD_IDS
from games.notices import Notice, back_line_notice, format_number, format_odds, listed
from games.odds import Situation
from games.paytables import Paytable
from games.phrases import Phrase
from games.placard import GamePlacard, PostedTable, PostedWager, Section, action_notices
from games.procedures.placard import dealing_rules, deck_rules, irregularity_rules
from games.ultimate_texas_holdem.odds import odds_on
from games.ultimate_texas_holdem.rulebook import COMPARED, PAID, procedure_rules_of
from games.ultimate_texas_holdem.terms import UltimateTerms
from games.ultimate_texas_holdem.wagers import ANTE, BLIND, PLAY, TRIPS

_SAYS = {
    "royal_flush": "ten to ace of one suit",
    "straight_flush": "five ranks in a row, of one suit",
    "four_of_a_kind": "four cards of one rank",
    "full_house": "three cards of one rank and two of another",
    "flush": "five cards of one suit",
    "straight": "five ranks in a row; the ace is high, or low below the two",
    "three_of_a_kind": "three cards of one rank",
    "two_pair": "two cards of one rank and two of another",
    "pair": "two cards of one rank",
    "high_card": "none of these: the highest card decides, then the next",
}
_QUALIFYING = {
    "pair": Phrase("a pair"),
    "two_pair": Phrase("two pair"),
    "three_of_a_kind": Phrase("three of a kind"),
}


@lru_cache(maxsize=64)
def game_placard_of(terms: UltimateTerms, situation: Situation | None = None) -> GamePlacard:
    """The placard on these terms."""
    rulebook = terms.rulebook
    clause, rules = rulebook.clause_id, procedure_rules_of(rulebook)
    ranked = clause("cards.1")
    seats = rulebook.sources.get("seats") or clause("table.1")
    back_line = rulebook.sources.get("positions.back_line") or clause("table.2")
    return GamePlacard(
        rulebook=rulebook,
        terms=terms,
        wagers=tuple(
            _posted(terms, wager, situation) for wager in rulebook.wagers if wager in terms.offered
        ),
        spots_clause=clause("wagers.1"),
        ranking=tuple((FIVE_CARD_HANDS[hand], Notice(f"{_SAYS[hand].capitalize()}.", ranked)) for hand in reversed(FIVE_CARD_IDS)),
        sections=(
            Section("cards", "Cards", (
                Notice(Phrase("One deck of 52 cards; the best five of a hand's two cards and the five of the board count."), clause("cards.2")),
            )),
            Section("seats", "Seats and hands", (
                Notice(f"{format_number(rulebook.seats).capitalize()} places, one of which banks.", seats),
                *back_line_notice(terms.back_line, back_line),
            )),
            Section("round", "A round", tuple(_round(terms))),
            Section("order", Phrase("Order of settlement"), (
                Notice(Phrase("Hands are settled from the seat where the action begins, each in full."), clause("bank.3")),
            )),
            Section("bank", Phrase("What the bank covers"), (
                Notice(
                    Phrase("The bank pays and collects in this order until its wager is used up; the rest goes back."),
                    rulebook.sources.get("bank.coverage") or clause("bank.4"),
                ),
            )),
        ),
        procedures=(
            Section("decks", "Decks", tuple(deck_rules(rules))),
            Section("dealing", "Dealing and counting", tuple(dealing_rules(rules))),
            Section("irregularities", "When something goes wrong", tuple(irregularity_rules(rules))),
        ),
        rake=(),
        general_notices=(),
    )  # fmt: skip


def posted_tables(terms: UltimateTerms, wager: str) -> tuple[PostedTable, ...]:
    """The paytable of a wager, where it has one."""
    tables = {BLIND: terms.rulebook.blind_table, TRIPS: terms.rulebook.trips_table}
    table = tables.get(wager)
    return () if table is None else (_table(terms, table),)


def _table(terms: UltimateTerms, table: Paytable) -> PostedTable:
    """A paytable line by line as printed, the best of its hands first."""
    lines = sorted(table.printed.items(), key=lambda line: FIVE_CARD_IDS.index(line[0]), reverse=True)
    posted = tuple((FIVE_CARD_HANDS[hand], format_odds(odds)) for hand, odds in lines)
    return PostedTable("", terms.rulebook.clause_id(table.clause), posted)


def _posted(terms: UltimateTerms, wager: str, situation: Situation | None) -> PostedWager:
    rule = terms.rulebook.wagers[wager]
    return PostedWager(
        id=wager,
        name=rule.name,
        spot=rule.name.upper(),
        clause=terms.rulebook.clause_id(rule.clause),
        text=(*_says(terms, wager), *action_notices(terms, wager)),
        tables=posted_tables(terms, wager),
        odds=tuple(row for row in odds_on(terms, situation) if row.wager == wager),
    )


def _says(terms: UltimateTerms, wager: str) -> Iterator[Notice]:
    rulebook = terms.rulebook
    names = {each.id: each.name for each in rulebook.wagers.values()}
    clauses = terms.clauses[wager]
    ante = names[ANTE]
    if wager == ANTE:
        yield Notice(Phrase("Plays against the hand of the bank, and wins even money."), clauses["beats"])
    elif wager == BLIND:
        yield Notice(
            Phrase("Equals the {ante}, and is laid with it.", ante=ante),
            rulebook.clause_id(rulebook.wagers[BLIND].clause),
        )
        yield Notice(
            Phrase("Is paid by its table when the hand wins; a win that has no line there is a push."),
            clauses["pays"],
        )
    elif wager == PLAY:
        yield Notice(
            Phrase("Is laid once in a round, as its points allow, and wins even money."), clauses["beats"]
        )
    else:
        yield Notice(Phrase("Looks at the player's best five and at nothing else."), clauses["pays"])
        if terms.needs[TRIPS] == ANTE:
            where = rulebook.sources.get("wagers.trips.needs") or rulebook.clause_id("wagers.5")
            yield Notice(Phrase("May be placed beside the {ante}.", ante=ante), where)  # fmt: skip


def _round(terms: UltimateTerms) -> Iterator[Notice]:
    rulebook = terms.rulebook
    names = {each.id: each.name for each in rulebook.wagers.values()}
    clause, source = rulebook.clause_id, rulebook.sources.get
    yield Notice(Phrase("After “no more bets” nothing is placed, raised or withdrawn."), clause("bank.1"))
    yield Notice(Phrase("Each position and the bank get two cards."), clause("play.1"))
    said = (
        ("before_flop", Phrase("Before the flop a position checks, or plays {times} times the {ante}."), "play.2"),
        ("flop", Phrase("After three cards of the board one that checked checks again, or plays {times} times the {ante}."), "play.3"),
        ("river", Phrase("On the whole board one that checked twice plays {times} times the {ante}, or folds."), "play.4"),
    )  # fmt: skip
    for (point, text, where), times in zip(said, rulebook.raises, strict=True):
        parts = {"times": _either(times), "ante": names[ANTE]}
        yield Notice(Phrase(text, **parts), source(f"play.{point}") or clause(where))
    lost = listed(names[wager] for wager in rulebook.line_order if wager in rulebook.forfeits)
    yield Notice(Phrase("A fold loses {wagers}.", wagers=lost), source("fold.forfeits") or clause("play.5"))
    if rulebook.qualifies in _QUALIFYING:
        parts = {"hand": _QUALIFYING[rulebook.qualifies], "ante": names[ANTE]}
        text = Phrase(
            "The bank qualifies with {hand} or better; if it does not, the {ante} goes back.", **parts
        )
        if rulebook.unqualified_ante == PAID:
            text = Phrase(
                "The bank qualifies with {hand} or better; if it does not, the {ante} is paid.", **parts
            )
        elif rulebook.unqualified_ante == COMPARED:
            text = Phrase("The bank qualifies with {hand} or better; if it does not, the {ante} is compared all the same.", **parts)  # fmt: skip
        yield Notice(text, terms.clauses[ANTE]["unqualified"])
    yield Notice(Phrase("Equal hands are a push."), terms.clauses[ANTE]["ties"])


def _either(times: tuple[int, ...]) -> str:
    words = [format_number(each) for each in sorted(times)]
    if len(words) == 1:
        return words[0]
    return Phrase("{times} or {more}", times=", ".join(words[:-1]), more=words[-1])
