"""What a table posts of its game: wagers with paytables and odds, rankings, and sentences with their clauses (ruling 47)."""

from collections.abc import Iterator
from dataclasses import dataclass

from games.notices import Notice
from games.odds import OddsRow
from games.phrases import Phrase
from games.rulebook import Rulebook
from games.terms import Terms


@dataclass(frozen=True, slots=True)
class PostedTable:
    """One paytable as it is posted: its name, its clause, and each hand with what it pays, best hand first.

    `players` is set on a table that holds for so many players in the round.
    """

    name: str
    clause: str
    lines: tuple[tuple[str, str], ...]
    players: int | None = None


@dataclass(frozen=True, slots=True)
class PostedWager:
    """One wager: its name, the words of its area on the layout, sentences about it, its tables and its odds.

    `odds` hold one row, or one for each table of `tables` where the payouts go by the number of players.
    """

    id: str
    name: str
    spot: str
    clause: str
    text: tuple[Notice, ...]
    tables: tuple[PostedTable, ...]
    odds: tuple[OddsRow, ...]


def action_notices(terms: Terms, wager: str) -> Iterator[Notice]:
    """Whether a wager counts toward total table action, where that is not as of every main wager and of no other."""
    counts, book = wager in terms.action, terms.rulebook
    if counts == (wager in terms.main):
        return
    text = (
        Phrase("It counts toward total table action.")
        if counts
        else Phrase("It does not count toward total table action.")
    )
    yield Notice(
        text, book.sources.get(f"wagers.{wager}.action") or book.clause_id(book.wagers[wager].clause)
    )


@dataclass(frozen=True, slots=True)
class Section:
    """Sentences that belong together, under a heading; pages ask for one by its `id`."""

    id: str
    title: str
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GamePlacard:
    """What is posted of a game: `ranking` from the best hand down under `ranking_title`, `sections` in the order of a round.

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
    ranking_title: str = Phrase("Hands, best first")

    def section(self, section_id: str) -> Section:
        """The section of that id; KeyError when there is none."""
        for section in (*self.sections, *self.procedures):
            if section.id == section_id:
                return section
        raise KeyError(section_id)

    def notices(self) -> Iterator[Notice]:
        """Every sentence of it with its clause."""
        for wager in self.wagers:
            yield from wager.text
        yield from (made for _, made in self.ranking)
        for section in (*self.sections, *self.procedures):
            yield from section.notices
        yield from self.rake
        yield from self.general_notices
