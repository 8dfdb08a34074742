"""What acts take and answer as objects: wagers and results by seat, and documents whose shape the API has by hand."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from cardroom.core.acts import Cents, Document, Seat, Text

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

#: Longer than any hand of cards or decision; the engine says which ones there are.
EngineWords = Annotated[str, Text(80)]
TableHands = Annotated[
    dict[str, EngineWords],
    "The hands of the table by key, of a game that has others than the bank's: `player_hand`, `banker_hand`.",
]
ShownCard = Annotated[
    str,
    Text(3, blank=True),
    "The bank's card that lay face up before the decisions, as in `Kh`, if it was not recorded before.",
]
_Decision = Annotated[EngineWords, "`play` or `fold`."]


class SheetDocument(Document):
    """A round sheet."""


class SettlementDocument(Document):
    """What a settlement says, line by line."""


class FollowsDocument(Document):
    """What follows from an event by the rules."""


class MovedDocument(Document):
    """What a correction moves for one account."""


class FeeDocument(Document):
    """One fee as it was quoted."""


class PositionBets(TypedDict):
    """The wagers of a seat."""

    seat: Seat
    wagers: Annotated[dict[str, Cents], "Cents by wager; none at all means sitting out."]
    tips: NotRequired[Annotated[dict[str, Cents], "Dealer tip wagers, in cents by spot."]]


class PositionResult(TypedDict):
    """The cards and the decision of a seat."""

    seat: Seat
    hand: NotRequired[
        Annotated[
            EngineWords | None,
            "Left out or null for a folded hand that was not exposed and on which no wager hangs.",
        ]
    ]
    decision: NotRequired[_Decision | None]
    tips: NotRequired[Annotated[dict[str, Cents], "A tip on `play`, which comes with the decision."]]


class CorrectedPosition(PositionBets):
    """A seat as it should have been recorded."""

    hand: NotRequired[
        Annotated[
            EngineWords | None,
            "Left out where no cards are recorded, or where a folded hand was not exposed.",
        ]
    ]
    decision: NotRequired[_Decision | None]


class SeatAnswer(TypedDict):
    """Of which seat it was."""

    seat: int
