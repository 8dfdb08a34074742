"""The paytables of Three Card Poker: by the class of three cards, and of the best five of six."""

from collections.abc import Mapping

from games.datafile import Entry
from games.money import Odds, to_one
from games.paytables import OddsByClass, Paytable, read_lines, read_paytable
from games.three_card_poker.hands import CLASS_IDS, SIX_CARD_IDS, HandClass

OWN_LINES = ("straight_flush", "three_of_a_kind", "straight", "flush", "pair")
"""The lines every pair plus table has; `mini_royal` may be added where it pays a line of its own."""


def _filled(printed: Mapping[str, Odds]) -> OddsByClass:
    """Odds by three-card class.

    A mini royal without a line of its own pays as a straight flush, one of spades as any other (rulings 1
    and 25).
    """
    odds = [printed.get(name) for name in CLASS_IDS]
    odds[HandClass.MINI_ROYAL] = odds[HandClass.MINI_ROYAL] or odds[HandClass.STRAIGHT_FLUSH]
    odds[HandClass.MINI_ROYAL_SPADES] = odds[HandClass.MINI_ROYAL_SPADES] or odds[HandClass.MINI_ROYAL]
    return tuple(odds)


def read_three_card_paytable(entry: Entry) -> Paytable:
    """A table by the class of three cards."""
    table_id, clause, printed = read_lines(entry, CLASS_IDS)
    return Paytable(table_id, clause, printed, _filled(printed))


def read_six_card_paytable(entry: Entry) -> Paytable:
    """A 6 Card Bonus table: by the class of the best five of six cards."""
    return read_paytable(entry, SIX_CARD_IDS)


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
