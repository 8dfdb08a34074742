"""House advantages and hit frequencies that a rule document itself prints, kept to the digits it prints.

They decide nothing: `games.odds` shows them beside what it counts.
"""

from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from games.datafile import Entry
from games.wagers import WAGER_IDS


class Published(NamedTuple):
    """What a document says of one wager on one table: percentages as printed, `8.56`, or None.

    `table` is a paytable's id; of an ante it is its bonus table's.
    """

    wager: str
    table: str
    edge_percent: Decimal | None
    hit_percent: Decimal | None
    clause: str


def _percent(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError(f"is {text!r}, not a figure such as 8.56") from None


def read_published(entry: Entry) -> Published:
    """One `[[published]]` table of a rulebook's file; DataFileError when it gives no figure."""
    figures = {
        key: entry.parsed(key, _percent) if entry.has(key) else None
        for key in ("edge_percent", "hit_percent")
    }
    if not any(figures.values()):
        raise entry.error("edge_percent", "or hit_percent must be given")
    published = Published(
        wager=entry.one_of("wager", WAGER_IDS),
        table=entry.text("table"),
        clause=entry.text("clause"),
        **figures,
    )
    entry.done()
    return published
