"""Odds of Ultimate Texas Hold'em: trips exactly, from every seven cards; ante and blind are not worked out.

What an ante is worth with its blind and its play follows from the best decision at three points, over some 10^15 deals.
"""

from fractions import Fraction

from games.five_card_counts import best_five_counts
from games.odds import OddsRow, Situation
from games.phrases import Phrase
from games.ultimate_texas_holdem.rulebook import load_rulebook
from games.ultimate_texas_holdem.terms import UltimateTerms, read_options
from games.ultimate_texas_holdem.wagers import ANTE, BLIND, TRIPS

_SEVEN = 7
_REMARKS = {
    ANTE: Phrase("with the play that follows it, by the best decision at three points"),
    BLIND: Phrase("it is paid when the hand wins, which the decisions of the ante settle"),
}


def odds_on(terms: UltimateTerms, situation: Situation | None = None) -> list[OddsRow]:
    """The odds of every wager on these terms; trips beside an ante that may be folded, as the terms have it."""
    rulebook = terms.rulebook
    rows = [
        OddsRow(rulebook.id, wager, None, None, None, remarks=(_REMARKS[wager],)) for wager in (ANTE, BLIND)
    ]
    if rulebook.trips_table is None:
        return rows
    if TRIPS in rulebook.forfeits:
        remark = Phrase("a fold loses it, so it goes by the decisions of the ante")
        return [*rows, OddsRow(rulebook.id, TRIPS, None, None, None, remarks=(remark,))]
    counts = best_five_counts(_SEVEN)
    won, hits = Fraction(0), 0
    for ways, odds in zip(counts, rulebook.trips_table.odds, strict=True):
        if odds is not None:
            hits += ways
            won += ways * (Fraction(odds.num, odds.den) - odds.for_one)
    every = sum(counts)
    published = tuple(each for each in rulebook.published if each.wager == TRIPS)
    row = OddsRow(rulebook.id, TRIPS, None, (every - hits - won) / every, Fraction(hits, every), published)
    return [*rows, row]


def odds_of(rulebook_id: str, situation: Situation | None = None) -> list[OddsRow]:
    """The odds of every wager of a rulebook. KeyError for an id that is no rulebook's."""
    return odds_on(read_options(load_rulebook(rulebook_id), {}), situation)
