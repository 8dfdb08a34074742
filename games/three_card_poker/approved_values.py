"""What a rulebook of Three Card Poker says of the terms of approvals, and how often the hands of their paytables come."""

from collections.abc import Iterator, Mapping

from games.approval import PaytableWays, TermValue
from games.approved_values import common_values
from games.paytables import Paytable
from games.three_card_poker.approval import TERMS
from games.three_card_poker.hands import CLASS_IDS, HAND_NAMES, SIX_CARD_IDS
from games.three_card_poker.odds.showdown import ANSWERS, DEALS, beaten_counts, three_card_counts
from games.three_card_poker.odds.six_cards import SIXES, six_card_counts
from games.three_card_poker.rulebook import procedure_rules_of
from games.three_card_poker.terms import ThreeCardTerms
from games.three_card_poker.wagers import ANTE, ANTE_BONUS, BAD_BEAT, PAIR_PLUS, SIX_CARD_BONUS

#: The key of each paytable in a rulebook's file, by wager.
_TABLE_KEYS = {
    PAIR_PLUS: "pair_plus_tables",
    SIX_CARD_BONUS: "six_card_bonus_tables",
    ANTE_BONUS: "ante_bonus_tables",
    BAD_BEAT: "bad_beat_table",
}


def approved_values(terms: ThreeCardTerms) -> dict[str, TermValue]:
    """What holds of each term on these terms, by key."""
    return {**common_values(terms, procedure_rules_of(terms.rulebook), TERMS), **dict(_own(terms))}


def _own(terms: ThreeCardTerms) -> Iterator[tuple[str, TermValue]]:
    book = terms.rulebook
    source = book.sources.get
    for key, value in (
        ("fold.forfeits", sorted(terms.forfeited.get("fold", ()), key=book.line_order.index)),
        ("bank.qualifies", book.qualifies),
        ("bank.unqualified_ante", book.unqualified_ante),
        ("bank.unqualified_play", book.unqualified_play),
        ("order.lines", [line for line in book.line_order if line in terms.offered or line == ANTE_BONUS]),
    ):
        yield key, TermValue(value, source(key, ""))
    rules = procedure_rules_of(book)
    shown = book.cards.shown or ("bottom" if "bank_card" in rules.calls else "none")
    yield "cards.shown", TermValue(shown, source("cards.shown", rules.calls.get("bank_card", "")))
    tables: dict[str, Paytable | None] = {
        PAIR_PLUS: terms.pair_plus,
        SIX_CARD_BONUS: terms.six_card_bonus,
        ANTE_BONUS: terms.ante_bonus,
        BAD_BEAT: book.bad_beat_table,
    }
    for wager, table in tables.items():
        if table is not None:
            hands = reversed(SIX_CARD_IDS if wager == SIX_CARD_BONUS else CLASS_IDS)
            odds = {hand: table.printed[hand].text for hand in hands if hand in table.printed}
            yield _TABLE_KEYS[wager], TermValue(odds, book.clause_id(table.clause))


def paytable_ways(terms: ThreeCardTerms, key: str) -> PaytableWays | None:
    """How often the hands of a paytable come; None where the bank's hand has a part in it (`pair_plus_requires_win`)."""
    if key == _TABLE_KEYS[PAIR_PLUS] and terms.pair_plus_requires_win:
        return None
    return _WAYS[key]() if key in _WAYS else None


def _of_three_cards(wager: str, *, loses: bool = True) -> PaytableWays:
    return PaytableWays(wager, DEALS, _counts(CLASS_IDS, three_card_counts()), HAND_NAMES, loses)


_WAYS = {
    "pair_plus_tables": lambda: _of_three_cards(PAIR_PLUS),
    "ante_bonus_tables": lambda: _of_three_cards(ANTE, loses=False),
    "six_card_bonus_tables": lambda: PaytableWays(
        SIX_CARD_BONUS, SIXES, _counts(SIX_CARD_IDS, six_card_counts()), HAND_NAMES
    ),
    "bad_beat_table": lambda: PaytableWays(
        BAD_BEAT, DEALS * ANSWERS, _counts(CLASS_IDS, beaten_counts()), HAND_NAMES
    ),
}


def _counts(ids: tuple[str, ...], counts: tuple[int, ...]) -> Mapping[str, int]:
    return dict(zip(ids, counts, strict=True))
