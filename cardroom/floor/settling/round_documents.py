"""JSON types of a round: the round sheet that goes into the engine and the settlement that comes out."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, NotRequired, TypedDict

from cardroom.core.json_types import Document, Group, Key, OneOf, field_of, group_of
from games.registry import table_hands

_CARDS = 'Cards are written rank then suit, parted by blanks: "Ah Td 2c".'
_AMOUNTS = "Whole cents above 0 by wager; one that is not placed is left out."


class SheetBank(TypedDict):
    """The bank of a sheet."""

    seat: int
    wager: Annotated[int, "Cents."]


class SheetPosition(TypedDict):
    """One bettor of a sheet."""

    seat: Annotated[int, "Several bettors may wager on one, where the game has a back line."]
    player: NotRequired[Annotated[str, 'Who plays it; default "seat N".']]
    hand: NotRequired[
        Annotated[
            str | None,
            f"{_CARDS} Null in the record of a round for a folded hand that was not exposed. "
            "Left out where the game deals no cards to positions.",
        ]
    ]
    wagers: Annotated[dict[str, int], _AMOUNTS]
    tips: NotRequired[Annotated[dict[str, int], "Dealer tip wagers, in cents by spot."]]
    decision: NotRequired[Annotated[str, "What the position decided, by the game's own words."]]


class RoundSheet(TypedDict):
    """All that lay on the table in one round."""

    rulebook: str
    options: NotRequired[Annotated[dict[str, Any], "The room's choices; what is left out takes its default."]]
    bank: NotRequired[Annotated[SheetBank, "Where a player banks, and only there."]]
    action_seat: NotRequired[Annotated[int, "Where settling starts."]]
    meter: NotRequired[Annotated[int, "The progressive meter in cents."]]
    positions: list[SheetPosition]


def _round_sheet() -> Group:
    """The sheet with a hand for each that some game deals to the table: the bank's is one."""
    sheet = group_of(RoundSheet)
    hands = []
    for game, hand in table_hands():
        cards = str(hand.least) if hand.least == hand.most else f"{hand.least} to {hand.most}"
        said = f"{hand.label}, in {game.name}: {cards} cards, as dealt. {_CARDS}"
        hands.append(field_of(hand.id, NotRequired[Annotated[str, said]]))
    return dataclasses.replace(sheet, fields=(*sheet.fields, *hands))


#: A round sheet of any game. The engine reads it; this refuses nothing.
SHEET = Document(_round_sheet())
SHEET_EXAMPLE: dict[str, Any] = {
    "rulebook": "california",
    "bank": {"seat": 3, "wager": 20000},
    "bank_hand": "Qs 7d 4c",
    "positions": [
        {
            "seat": 4,
            "hand": "9h 9c 2d",
            "wagers": {"ante": 1000, "pair_plus": 500},
            "tips": {"ante": 100},
            "decision": "play",
        },
        {"seat": 5, "hand": "Th 8c 3d", "wagers": {"ante": 1000}, "decision": "fold"},
    ],
}


class Fee(TypedDict):
    """One fee as it was quoted."""

    payer: Annotated[str, 'The player\'s name, or "bank" at the seat that banks.']
    seat: int
    behind: NotRequired[
        Annotated[int, "Place on the back line of the seat's spot, from 1; none for the player of the seat."]
    ]
    cents: int
    jackpot: NotRequired[Annotated[int, "Cents into the jackpot's own box, where there are any."]]
    waived: NotRequired[Annotated[int, "Cents that would have been due, where the fee was waived."]]
    waiver: NotRequired[Annotated[str, "Key of the published rule by which it was waived."]]


class SettlementLine(TypedDict):
    """What became of one wager."""

    seq: int
    seat: int
    player: str
    wager: str
    stake: int
    outcome: Annotated[str, OneOf(("win", "lose", "push", "no_action", "forfeit", "uncovered"))]
    odds: str | None
    owed: Annotated[int, "What a win is worth in full."]
    paid: Annotated[int, "What the bank pays of it."]
    taken: Annotated[int, "What the bank takes of the stake."]
    returned: Annotated[int, "What goes back of the stake."]
    toked: Annotated[int, "What a won tip brings to the tip box, its stake included."]
    short: Annotated[int, "What a win is short of: owed - paid."]
    uncovered: Annotated[int, "What had no action because the bank ran out; in `returned` too."]
    bank_remaining: int | None
    clause: str
    reason: str
    #: `for` is a word of Python's.
    for_: Annotated[str, Key("for"), OneOf(("player", "dealer")), "`dealer`: a tip wager."]


class BankResult(TypedDict):
    """What a round came to for the bank."""

    seat: int
    wager: int
    won: int
    lost: int
    net: int
    remaining: int
    exhausted: bool


class Settlement(TypedDict):
    """What a round came to. Lines are in settlement order."""

    rulebook: str
    qualified: bool
    total_table_action: int
    fees: list[Fee]
    lines: list[SettlementLine]
    bank: BankResult | None
    net: Annotated[dict[str, int], "By player, fees left out."]
    drop: int
    tokes: int
    meter_paid: int
