"""Parses and sums what was counted in a drop box: pieces by denomination, in cents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple, TypedDict

from cardroom.core.json_types import MOST_ROWS, AnyNumber, Size, Text
from cardroom.floor.errors import BadInput

CHIP, BILL, COIN = "chip", "bill", "coin"


class Denomination(NamedTuple):
    """A kind of piece and what one is worth in cents. Coin is counted in cents, for all coins."""

    kind: str
    cents: int

    @property
    def key(self) -> str:
        """Its name in forms: `chip-500`."""
        return f"{self.kind}-{self.cents}"


#: The greatest first, as they are stacked; half-dollar chips are for rooms whose fees have half dollars.
DENOMINATIONS: tuple[Denomination, ...] = (
    *(
        Denomination(CHIP, cents)
        for cents in (100000, 50000, 10000, 2500, 2000, 1000, 500, 300, 200, 100, 50)
    ),
    *(Denomination(BILL, cents) for cents in (10000, 5000, 2000, 1000, 500, 200, 100)),
    Denomination(COIN, 1),
)
#: More pieces of one kind than any box holds.
MOST_PIECES = 100_000


class PiecesCounted(TypedDict):
    """How many pieces of a denomination were counted."""

    kind: Annotated[str, Text(10), "`chip`, `bill` or `coin`; coin is counted in cents."]
    cents: Annotated[AnyNumber, "What one piece is worth."]
    pieces: AnyNumber


Pieces = Annotated[list[PiecesCounted], Size(0, MOST_ROWS)]


def pieces_read(given: Iterable[Any], *, path: str = "pieces") -> tuple[Pieces, int]:
    """Return what was counted in the order of `DENOMINATIONS`, without zeros, and its sum in cents.

    `given` is a list of `{"kind", "cents", "pieces"}`; an empty one is an empty box. Raises BadInput with the place
    (`pieces[2].pieces`) for a denomination that there is none of or that is listed twice, and for a number of
    pieces that is no whole number from 0 to `MOST_PIECES`.
    """
    counted: dict[Denomination, int] = {}
    for index, row in enumerate(given):
        here = f"{path}[{index}]"
        if not isinstance(row, dict) or set(row) != {"kind", "cents", "pieces"}:
            raise BadInput(
                "wrong_type", "A line of a count has kind, cents and pieces, and nothing else.", path=here
            )
        denomination = Denomination(row["kind"], row["cents"])
        if type(row["cents"]) is not int or denomination not in DENOMINATIONS:
            raise BadInput(
                "unknown_denomination",
                f"There is no {row['kind']} of {row['cents']} cents. Count it under what it is worth, or as coin.",
                path=f"{here}.cents",
            )
        if denomination in counted:
            raise BadInput(
                "denomination_twice",
                f"The {row['kind']} of {row['cents']} cents is listed twice. Add the two lines up.",
                path=f"{here}.cents",
            )
        number = row["pieces"]
        if type(number) is not int or not 0 <= number <= MOST_PIECES:
            raise BadInput(
                "bad_pieces",
                f"Pieces are a whole number from 0 to {MOST_PIECES:,}. Count them again.",
                path=f"{here}.pieces",
            )
        counted[denomination] = number
    pieces: Pieces = [
        {"kind": each.kind, "cents": each.cents, "pieces": counted[each]}
        for each in DENOMINATIONS
        if counted.get(each)
    ]
    return pieces, pieces_cents(pieces)


def pieces_cents(pieces: Pieces) -> int:
    """Return what `pieces` are worth in cents."""
    return sum(row["cents"] * row["pieces"] for row in pieces)
