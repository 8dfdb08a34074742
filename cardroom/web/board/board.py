"""Template context of the floor board: a card a table, the most urgent first, and one line of totals."""

from __future__ import annotations

import dataclasses

from cardroom.documents.document import Chart
from cardroom.floor.models import Shift
from cardroom.floor.reads.board import Attention, BoardRow
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..parts.access import Permissions

#: What can be chosen to be seen, by the word in the address.
FILTERS = {"all": "All", "attention": "Attention", "open": "Open", "closed": "Closed"}


@dataclasses.dataclass(frozen=True)
class Choice:
    """One of the filters: the word in the address, its name on the page, and how many cards it leaves."""

    word: str
    name: str
    count: int


@dataclasses.dataclass(frozen=True)
class Board:
    """What the board shows. `show` is the filter that was chosen; sums are of the open shift, in cents."""

    room: Room
    permissions: Permissions
    shift: Shift | None
    cards: list[BoardRow]
    show: str = "all"

    @property
    def may_answer(self) -> bool:
        return self.permissions.may(Right.ANSWER_ALERTS)

    @property
    def choices(self) -> list[Choice]:
        return [
            Choice(word, name, sum(shows(card, word) for card in self.cards))
            for word, name in FILTERS.items()
        ]

    @property
    def none_shown(self) -> bool:
        return not any(shows(card, self.show) for card in self.cards)

    @property
    def open_tables(self) -> int:
        return sum(card.is_open for card in self.cards)

    @property
    def pace_at_a_table(self) -> int:
        """Rounds of the last hour at an open table, to the whole round."""
        return (2 * self.pace + self.open_tables) // (2 * self.open_tables) if self.open_tables else 0

    @property
    def house_banks(self) -> bool:
        """Whether the house banks every table."""
        return bool(self.cards) and all(card.state.house_banks for card in self.cards)

    @property
    def chart(self) -> Chart:
        """The rounds of the open shift at each table that is open, by its number."""
        shown = sorted((card for card in self.cards if card.is_open), key=lambda card: card.table.number)
        labels = [f"Table {card.table.number}" for card in shown]
        return Chart(
            "by-table", "Rounds this shift, by table", labels, [card.rounds for card in shown], unit="rounds"
        )

    @property
    def players(self) -> int:
        return sum(card.players for card in self.cards)

    @property
    def rounds(self) -> int:
        return sum(card.rounds for card in self.cards)

    @property
    def pace(self) -> int:
        return sum(card.pace for card in self.cards)

    @property
    def drop_cents(self) -> int:
        return sum(card.drop_cents or 0 for card in self.cards)

    @property
    def waiting(self) -> int:
        return sum(len(card.waiting) for card in self.cards)


def board_of(
    room: Room, permissions: Permissions, shift: Shift | None, glances: list[BoardRow], show: str = "all"
) -> Board:
    """Put the board together: what needs a look comes first, and within that the numbers on the tables."""
    cards = sorted(glances, key=lambda glance: (glance.attention, glance.table.number))
    return Board(room, permissions, shift, cards, show if show in FILTERS else "all")


def shows(card: BoardRow, word: str) -> bool:
    """Tell whether a card is seen under a filter."""
    if word == "attention":
        return card.attention <= Attention.LOOK
    return word == "all" or card.is_open == (word == "open")
