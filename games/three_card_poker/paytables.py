"""Paytables: the odds of a hand by its class."""

from collections.abc import Mapping

from msgspec import Struct

from games.datafile import Entry
from games.money import Odds, parse_odds, to_one
from games.three_card_poker.hands import CLASS_IDS, SIX_CARD_IDS, HandClass

OddsByClass = tuple[Odds | None, ...]
"""Odds by number of class, None where the class pays nothing."""

OWN_LINES = ("straight_flush", "three_of_a_kind", "straight", "flush", "pair")
"""The lines every pair plus table has; `mini_royal` may be added where it pays a line of its own."""


class Paytable(Struct, frozen=True):
    """One table as its document prints it: `printed` line by line, `odds` by class for the engine."""

    id: str
    clause: str
    printed: Mapping[str, Odds]
    odds: OddsByClass


def _filled(printed: Mapping[str, Odds]) -> OddsByClass:
    """Odds by three-card class.

    A mini royal without a line of its own pays as a straight flush, one of spades as any other (rulings 1
    and 25).
    """
    odds = [printed.get(name) for name in CLASS_IDS]
    odds[HandClass.MINI_ROYAL] = odds[HandClass.MINI_ROYAL] or odds[HandClass.STRAIGHT_FLUSH]
    odds[HandClass.MINI_ROYAL_SPADES] = odds[HandClass.MINI_ROYAL_SPADES] or odds[HandClass.MINI_ROYAL]
    return tuple(odds)


def read_paytable(entry: Entry, *, classes: tuple[str, ...] = CLASS_IDS) -> Paytable:
    """A table of a rulebook's file: `id`, `clause`, and `odds` by class id."""
    table_id, clause = entry.text("id"), entry.text("clause")
    lines = entry.table("odds")
    printed: dict[str, Odds] = {}
    for name in lines.names():
        if name not in classes:
            raise lines.error(name, f"is no hand of this table, which knows {', '.join(classes)}")
        printed[name] = lines.parsed(name, parse_odds)
    if not printed:
        raise entry.error("odds", "has no line")
    lines.done()
    entry.done()
    by_class = _filled(printed) if classes is CLASS_IDS else tuple(printed.get(name) for name in classes)
    return Paytable(table_id, clause, printed, by_class)


def read_six_card_paytable(entry: Entry) -> Paytable:
    """A 6 Card Bonus table: by the class of the best five of six cards."""
    return read_paytable(entry, classes=SIX_CARD_IDS)


def room_paytable(lines: Mapping[str, int], clause: str) -> Paytable:
    """A room's own pair plus table: odds to one by hand, complete but for an own mini royal line."""
    printed = {name: to_one(number) for name, number in lines.items()}
    return Paytable("room", clause, printed, _filled(printed))


def why_below(table: Paytable, floor: Paytable) -> str | None:
    """The first hand on which `table` pays less than the printed `floor`, or None."""
    for name, own, least in zip(CLASS_IDS, table.odds, floor.odds, strict=True):
        if least is not None and (own is None or own.num * least.den < least.num * own.den):
            return name
    return None
