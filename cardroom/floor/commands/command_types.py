"""Request and answer types that several commands share: wagers and results by seat, the bytes of a file."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, NotRequired, TypedDict

from cardroom.core.json_types import Cents, Seat, Text, Whole

from ..errors import BadInput

#: Longer than any hand of cards or decision; the engine says which ones there are.
EngineWords = Annotated[str, Text(80)]
TableHands = Annotated[
    dict[str, EngineWords],
    "The hands of the table by key, of a game that has others than the bank's.",
]
ShownCard = Annotated[
    str,
    Text(3, blank=True),
    "The bank's card that lay face up before the decisions, as in `Kh`, if it was not recorded before.",
]
_Decision = Annotated[
    EngineWords, "What the game lets a position decide; at several points one after the other: `check 2x`."
]


#: Twelve seats, one of which banks, with seven bettors on each back line.
MOST_POSITIONS = 88

#: Several bettors may wager on the spot of one seat, where the filed game has a back line.
Behind = Annotated[
    int,
    Whole(0, 7),
    "From 1, the bettor's place on the back line of the seat's spot; left out, the seat's player.",
]

#: A bettor's place on the back line of a seat's spot.
OnBackLine = Annotated[int, Whole(1, 7)]


class PositionBets(TypedDict):
    """The wagers of a seat, or of a bettor on the back line of its spot."""

    seat: Seat
    behind: NotRequired[Behind]
    wagers: Annotated[dict[str, Cents], "Cents by wager; none at all means sitting out."]
    tips: NotRequired[Annotated[dict[str, Cents], "Dealer tip wagers, in cents by spot."]]


class PositionDecision(TypedDict):
    """What a seat decides at the present point of a round."""

    seat: Seat
    decision: Annotated[EngineWords, "A decision of the present point."]


class PositionResult(TypedDict):
    """The cards and the decision of a seat, or of a bettor on the back line of its spot."""

    seat: Seat
    behind: NotRequired[Behind]
    hand: NotRequired[
        Annotated[
            EngineWords | None,
            "Left out or null for a folded hand that was not exposed and on which no wager hangs.",
        ]
    ]
    decision: NotRequired[_Decision | None]
    tips: NotRequired[Annotated[dict[str, Cents], "A tip that comes with the decision."]]


class CorrectedPosition(PositionBets):
    """A seat as it should have been recorded."""

    hand: NotRequired[
        Annotated[
            EngineWords | None,
            "Left out where no cards are recorded, or where a folded hand was not exposed.",
        ]
    ]
    decision: NotRequired[_Decision | None]


class RanOutAt(TypedDict):
    """Where the bank ran out at a game that is settled by eye: what stands before it was covered, what stands behind it went back."""

    seat: Seat
    behind: NotRequired[Behind]
    spot: NotRequired[
        Annotated[
            EngineWords, "The wager at which it ran out; left out, it is about all wagers of the place."
        ]
    ]
    paid_cents: Annotated[Cents, "What the wagers there were paid, in part."]
    taken_cents: Annotated[Cents, "What of them the bank took, in part."]
    returned_cents: Annotated[Cents, "What of them went back."]


class LaterBets(TypedDict):
    """The wagers after the deal of a seat, or of a bettor on the back line of its spot."""

    seat: Seat
    behind: NotRequired[Behind]
    wagers: Annotated[dict[str, Cents], "Cents by wager; none at all takes them back."]


class SeatAnswer(TypedDict):
    """Of which seat it was."""

    seat: int


class PlaceAnswer(SeatAnswer):
    """Of which place it was."""

    behind: Annotated[int, "0 at the seat itself; from 1, the place on the back line of its spot."]


def bytes_given(content: str) -> bytes:
    """Return the bytes of a file that came in Base64 as `content`; raises BadInput."""
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("bad_base64", "The content is no Base64.", path="content") from None
