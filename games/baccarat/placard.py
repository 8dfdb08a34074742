"""What a baccarat table posts: wagers with their payouts and odds, counts of cards, drawing rules, order and cover."""

from collections.abc import Iterator
from functools import lru_cache

from games.baccarat.hands import BANKER_DRAWS_ON
from games.baccarat.odds import odds_on
from games.baccarat.rulebook import PUSHES, procedure_rules_of
from games.baccarat.terms import BaccaratTerms
from games.baccarat.wagers import BANKER, DRAGON_7, PANDA_8, PLAYER, TIE
from games.notices import Notice, back_line_notice, format_number, format_odds, sentence
from games.odds import Situation
from games.phrases import Phrase, plural
from games.placard import GamePlacard, PostedTable, PostedWager, Section, action_notices
from games.procedures.placard import dealing_rules, deck_rules, irregularity_rules

_SAYS = {
    PLAYER: Phrase("Wins when the player's hand counts more; a tie goes back."),
    BANKER: Phrase("Wins when the banker's hand counts more; a tie goes back."),
    TIE: Phrase("Wins when both hands count the same."),
    DRAGON_7: Phrase("Wins when the banker's hand wins with a seven of three cards."),
    PANDA_8: Phrase("Wins when the player's hand wins with an eight of three cards."),
}
_WINS_ON = {
    PLAYER: Phrase("Player's hand wins"),
    BANKER: Phrase("Banker's hand wins"),
    TIE: Phrase("Tie"),
    DRAGON_7: Phrase("Banker wins with a three-card seven"),
    PANDA_8: Phrase("Player wins with a three-card eight"),
}
_COUNTS = (
    (Phrase("Two to nine"), "count their number"),
    (Phrase("Ace"), "counts one"),
    (Phrase("Ten, jack, queen, king"), "count nothing"),
)


@lru_cache(maxsize=64)
def game_placard_of(terms: BaccaratTerms, situation: Situation | None = None) -> GamePlacard:
    """The placard on these terms."""
    rulebook = terms.rulebook
    clause, rules = rulebook.clause_id, procedure_rules_of(rulebook)
    return GamePlacard(
        rulebook=rulebook,
        terms=terms,
        wagers=tuple(_posted(terms, wager, situation) for wager in rulebook.line_order),
        spots_clause=clause("wagers.1"),
        ranking=tuple((name, Notice(sentence(what), clause("cards.1"))) for name, what in _COUNTS),
        sections=(
            Section("cards", "Cards", (
                *_decks(terms),
                Notice("A hand counts the last figure of the sum of its cards.", clause("cards.2")),
            )),
            Section("seats", "Seats and hands", (
                Notice(f"{format_number(rulebook.seats).capitalize()} places, one of which banks.", rulebook.sources.get("seats") or clause("table.1")),
                *back_line_notice(terms.back_line, rulebook.sources.get("positions.back_line") or clause("table.2")),
            )),
            Section("round", "A round", (*_round(terms),)),
            Section("order", Phrase("Order of settlement"), (
                Notice(Phrase("Wagers are settled clockwise from the seat where the action begins, spot by spot."), clause("bank.2")),
            )),
            Section("bank", Phrase("What the bank covers"), (
                Notice(Phrase("The bank pays and collects in this order until its wager is used up; the rest goes back."), clause("bank.3")),
            )),
        ),
        procedures=(
            Section("decks", "Decks", tuple(deck_rules(rules, unit=_in_shoe(terms)))),
            Section("dealing", "Dealing and counting", tuple(dealing_rules(rules))),
            Section("irregularities", "When something goes wrong", tuple(irregularity_rules(rules))),
        ),
        rake=(),
        general_notices=(),
        ranking_title=Phrase("What cards count"),
    )  # fmt: skip


def _posted(terms: BaccaratTerms, wager: str, situation: Situation | None) -> PostedWager:
    rulebook = terms.rulebook
    rule, pays = rulebook.wagers[wager], format_odds(rulebook.pays[wager])
    clause = rulebook.clause_id(rule.clause)
    text = [Notice(_SAYS[wager], clause)]
    if wager == BANKER and rulebook.three_card_seven == PUSHES:
        said = Phrase("A win with a seven of three cards goes back too.")
        text.append(Notice(said, terms.clauses[BANKER]["seven"]))
    where = rulebook.sources.get(f"wagers.{wager}.needs")
    if rule.needs == "main":
        said = Phrase("May be placed beside a wager on player or banker.")
        text.append(Notice(said, where or rulebook.clause_id("wagers.6")))
    elif where is not None:
        text.append(Notice(Phrase("May be placed by itself."), where))
    rows = tuple(row for row in odds_on(terms, situation) if row.wager == wager)
    return PostedWager(
        id=wager,
        name=rule.name,
        spot=rule.name.upper(),
        clause=clause,
        text=(*text, *action_notices(terms, wager)),
        tables=(PostedTable("", terms.clauses[wager]["pays"], ((_WINS_ON[wager], pays),)),),
        odds=rows,
    )


def _decks(terms: BaccaratTerms) -> Iterator[Notice]:
    """The decks in use, and between what numbers the rules leave them to the table."""
    least, most = terms.rulebook.cards.decks
    where = terms.rulebook.sources.get("cards.decks") or terms.rulebook.clause_id("table.3")
    yield Notice(
        plural("{n} deck of 52 cards is in use.", "{n} decks of 52 cards are in use.", terms.decks),
        where,
    )
    if least < most:
        text = Phrase(
            "From {least} to {most} decks may be.", least=format_number(least), most=format_number(most)
        )
        yield Notice(text, where)


def _in_shoe(terms: BaccaratTerms) -> str:
    return "deck" if terms.decks == 1 else f"shoe of {format_number(terms.decks)} decks"


def _round(terms: BaccaratTerms) -> list[Notice]:
    clause = terms.rulebook.clause_id
    notices = [
        Notice("After “no more bets” nothing is placed, raised or withdrawn.", clause("bank.1")),
        Notice("Player and banker get two cards each.", clause("draw.1")),
        Notice("An eight or a nine of two cards ends the round: no hand draws.", clause("draw.1")),
        Notice("The player's hand draws on five or less.", clause("draw.2")),
        Notice("If the player's hand did not draw, the banker's draws on five or less.", clause("draw.3")),
    ]
    for of_two, thirds in enumerate(BANKER_DRAWS_ON):
        if thirds:
            against = "every third card" if len(thirds) == 10 else f"a third card of {_row(sorted(thirds))}"
            notices.append(
                Notice(f"Else the banker's hand draws on {of_two} against {against}.", clause("draw.3"))
            )
    return notices


def _row(values: list[int]) -> str:
    """Values in a row, runs shortened: `0 to 7 and 9`."""
    runs: list[list[int]] = []
    for value in values:
        if runs and runs[-1][-1] == value - 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return " and ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
