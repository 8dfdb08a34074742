"""Everything that a table posts about its game, from the terms that its rounds are settled by."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from games.three_card_poker.odds.listing import Situation
from games.three_card_poker.placard.content import load_placard_content
from games.three_card_poker.placard.notices import Notice
from games.three_card_poker.placard.play import (
    bank_rules,
    card_rules,
    order_rules,
    rake_rules,
    ranking,
    round_rules,
    seating,
)
from games.three_card_poker.placard.procedures import dealing_rules, deck_rules, irregularity_rules
from games.three_card_poker.placard.wagers import PostedWager, posted_wagers
from games.three_card_poker.procedure_rules import load_procedure_rules
from games.three_card_poker.rulebook import Rulebook
from games.three_card_poker.terms import Terms


@dataclass(frozen=True, slots=True)
class Section:
    """Sentences that belong together, under a heading; pages ask for one by its `id`."""

    id: str
    title: str
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GamePlacard:
    """What is posted of a game: `ranking` from the best hand down, `sections` in the order of a round.

    `spots_clause` is where the areas of the layout are named; `rake` is empty where a rulebook knows none.
    """

    rulebook: Rulebook
    terms: Terms
    wagers: tuple[PostedWager, ...]
    spots_clause: str
    ranking: tuple[tuple[str, Notice], ...]
    sections: tuple[Section, ...]
    procedures: tuple[Section, ...]
    rake: tuple[Notice, ...]
    general_notices: tuple[Notice, ...]

    def section(self, section_id: str) -> Section:
        """The section of that id; KeyError when there is none."""
        for section in (*self.sections, *self.procedures):
            if section.id == section_id:
                return section
        raise KeyError(section_id)

    def notices(self) -> Iterator[Notice]:
        """Every sentence of it with its clause."""
        for wager in self.wagers:
            yield from wager.says
        yield from (made for _, made in self.ranking)
        for section in (*self.sections, *self.procedures):
            yield from section.notices
        yield from self.rake
        yield from self.general_notices


@lru_cache(maxsize=256)
def game_placard_of(terms: Terms, situation: Situation | None = None) -> GamePlacard:
    """The placard on these terms, which are compiled once for each set of choices, and cached."""
    rulebook = terms.rulebook
    content, rules = load_placard_content(rulebook.id), load_procedure_rules(rulebook.id)
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
            Section("order", "Order of settlement", tuple(order_rules(terms, content))),
            Section("bank", "What the bank covers", tuple(bank_rules(terms, content))),
        ),
        procedures=(
            Section("decks", "Decks", tuple(deck_rules(rules))),
            Section("dealing", "Dealing and counting", tuple(dealing_rules(rules))),
            Section("irregularities", "When something goes wrong", tuple(irregularity_rules(rules))),
        ),
        rake=tuple(rake_rules(terms, content)),
        general_notices=content.general_notices,
    )
