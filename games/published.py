"""House advantages and hit frequencies that a rule document itself prints, kept to the digits it prints.

They have no effect on settlement: odds are shown beside them (`games.odds`).
"""

from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from games.datafile import Entry

FIGURES = ("edge", "hit")


class Published(NamedTuple):
    """One figure a document prints: the `edge` or `hit` of a wager on a table, in percent as printed.

    `table` is a paytable's id; of an ante it is its bonus table's.
    """

    wager: str
    table: str
    figure: str
    percent: Decimal
    clause: str

    @property
    def half_a_digit(self) -> Decimal:
        """Half of the last digit printed: an exact figure further away than this is not the one printed."""
        return Decimal((0, (5,), int(self.percent.as_tuple().exponent) - 1))


def _percent(text: str) -> Decimal:
    try:
        percent = Decimal(text)
    except InvalidOperation:
        percent = Decimal("NaN")
    if not percent.is_finite():
        raise ValueError(f"is {text!r}, not a figure such as 8.56")
    return percent


def read_published(entry: Entry, wagers: tuple[str, ...]) -> Published:
    """One `[[published]]` table of a rulebook's file."""
    published = Published(
        wager=entry.one_of("wager", wagers),
        table=entry.text("table"),
        figure=entry.one_of("figure", FIGURES),
        percent=entry.parsed("percent", _percent),
        clause=entry.text("clause"),
    )
    entry.done()
    return published
