"""What a rulebook of baccarat says of the terms of approvals."""

from collections.abc import Iterator

from games.approval import TermValue
from games.approved_values import common_values
from games.baccarat.approval import TERMS
from games.baccarat.rulebook import procedure_rules_of
from games.baccarat.terms import BaccaratTerms
from games.baccarat.wagers import BANKER


def approved_values(terms: BaccaratTerms) -> dict[str, TermValue]:
    """What holds of each term on these terms, by key."""
    return {**common_values(terms, procedure_rules_of(terms.rulebook), TERMS), **dict(_own(terms))}


def _own(terms: BaccaratTerms) -> Iterator[tuple[str, TermValue]]:
    book = terms.rulebook
    source = book.sources.get
    for wager, odds in book.pays.items():
        yield f"pays.{wager}", TermValue(odds.text, terms.clauses[wager]["pays"])
    yield "banker.three_card_seven", TermValue(book.three_card_seven, terms.clauses[BANKER]["seven"])
    yield "order.lines", TermValue(list(book.line_order), source("order.lines", ""))
    yield "cards.decks", TermValue(list(book.cards.decks), source("cards.decks", ""))
