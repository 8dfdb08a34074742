"""What a rulebook of Ultimate Texas Hold'em says of the terms of approvals, and how often the hands of trips come."""

from collections.abc import Iterator

from games.approval import PaytableWays, TermValue
from games.approved_values import common_values
from games.five_card_counts import best_five_counts
from games.five_cards import FIVE_CARD_HANDS, FIVE_CARD_IDS
from games.paytables import Paytable
from games.ultimate_texas_holdem.approval import TERMS
from games.ultimate_texas_holdem.rulebook import procedure_rules_of
from games.ultimate_texas_holdem.terms import UltimateTerms
from games.ultimate_texas_holdem.wagers import TRIPS


def approved_values(terms: UltimateTerms) -> dict[str, TermValue]:
    """What holds of each term on these terms, by key."""
    return {**common_values(terms, procedure_rules_of(terms.rulebook), TERMS), **dict(_own(terms))}


def _own(terms: UltimateTerms) -> Iterator[tuple[str, TermValue]]:
    book = terms.rulebook

    def said(key: str, value: object) -> tuple[str, TermValue]:
        return key, TermValue(value, book.sources.get(key, ""))

    for point, times in zip(_POINTS, book.raises, strict=True):
        yield said(f"play.{point}", list(times))
    yield said("fold.forfeits", sorted(book.forfeits, key=book.line_order.index))
    yield said("bank.qualifies", book.qualifies)
    yield said("bank.unqualified_ante", book.unqualified_ante)
    yield said("order.lines", list(book.line_order))
    yield "blind_table", _odds(terms, book.blind_table)
    if book.trips_table is not None:
        yield "trips_table", _odds(terms, book.trips_table)


_POINTS = ("before_flop", "flop", "river")


def _odds(terms: UltimateTerms, table: Paytable) -> TermValue:
    odds = {hand: table.printed[hand].text for hand in reversed(FIVE_CARD_IDS) if hand in table.printed}
    return TermValue(odds, terms.rulebook.clause_id(table.clause))


def paytable_ways(terms: UltimateTerms, key: str) -> PaytableWays | None:
    """How often the hands of trips come; None for the blind, in which the bank's hand and the decisions have a part."""
    if key != "trips_table" or TRIPS in terms.rulebook.forfeits:
        return None
    counts = best_five_counts(_SEVEN)
    return PaytableWays(TRIPS, sum(counts), dict(zip(FIVE_CARD_IDS, counts, strict=True)), FIVE_CARD_HANDS)


_SEVEN = 7
