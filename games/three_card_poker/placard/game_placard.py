"""Everything that a table posts about its game, from the terms that its rounds are settled by."""

from functools import lru_cache

from games.odds import Situation
from games.phrases import Phrase
from games.placard import GamePlacard, Section
from games.procedures.placard import dealing_rules, deck_rules, irregularity_rules
from games.three_card_poker.placard.content import placard_content_of
from games.three_card_poker.placard.play import (
    bank_rules,
    card_rules,
    order_rules,
    rake_rules,
    ranking,
    round_rules,
    seating,
)
from games.three_card_poker.placard.wagers import posted_wagers
from games.three_card_poker.rulebook import procedure_rules_of
from games.three_card_poker.terms import ThreeCardTerms


@lru_cache(maxsize=256)
def game_placard_of(terms: ThreeCardTerms, situation: Situation | None = None) -> GamePlacard:
    """The placard content on these terms, which are compiled once for each set of choices, and cached."""
    rulebook = terms.rulebook
    content, rules = placard_content_of(rulebook), procedure_rules_of(rulebook)
    return GamePlacard(
        rulebook=rulebook,
        terms=terms,
        wagers=posted_wagers(terms, content, situation or Situation()),
        spots_clause=content.topics["spots"],
        ranking=ranking(content),
        sections=(
            Section("cards", "Cards", tuple(card_rules(terms, content))),
            Section("seats", "Seats and hands", tuple(seating(terms, content))),
            Section("round", "A round", tuple(round_rules(terms, content, rules))),
            Section("order", Phrase("Order of settlement"), tuple(order_rules(terms, content))),
            Section("bank", Phrase("What the bank covers"), tuple(bank_rules(terms, content))),
        ),
        procedures=(
            Section("decks", "Decks", tuple(deck_rules(rules))),
            Section("dealing", "Dealing and counting", tuple(dealing_rules(rules))),
            Section("irregularities", "When something goes wrong", tuple(irregularity_rules(rules))),
        ),
        rake=tuple(rake_rules(terms, content)),
        general_notices=content.general_notices,
    )
