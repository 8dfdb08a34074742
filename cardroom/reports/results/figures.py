"""The figures by which times are compared: what each is called, where its rows are, and how it differs from an earlier one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from cardroom.documents.formatting import tenths_text
from games.money import dollars

from ..queries.banking import Banking
from ..queries.query import Scope
from ..queries.rounds_in_scope import report_address
from ..summary.comparison import percent_text
from .result import Result


@dataclasses.dataclass(frozen=True)
class Figure:
    """A figure: `read` takes it from a result, `report` of the catalogue names its rows; `about` says what it is, below its heading.

    A pace is in tenths, and its difference is told without per cent. Of over / (short), a difference itself, and of what was out
    of the ordinary (`is_counted`) none is told. What stands apart (`is_apart`) is in no other figure.
    """

    name: str
    heading: str
    read: Callable[[Result], int | None]
    report: str
    about: str
    is_money: bool = True
    is_counted: bool = False
    is_pace: bool = False
    is_difference: bool = False
    is_apart: bool = False

    def text(self, value: int | None) -> str:
        """Return a value as it is printed; a dash for what is not known."""
        if value is None:
            return "–"
        if self.is_difference:
            return over_short_text(value)
        if self.is_pace:
            return tenths_text(value)
        return dollars(value) if self.is_money else f"{value:,}"

    def change_text(self, now: int | None, was: int | None) -> str:
        """Return by how much it differs from the earlier one, as both are printed: "+$702 · +9.4%", "−0.1"; empty if unknown."""
        if now is None or was is None or self.is_difference or self.is_counted:
            return ""
        change = now - was
        sign = "−" if change < 0 else "+" if change else "±"
        text = f"{sign}{self.text(abs(change))}"
        return f"{text} · {percent_text(now, was)}" if self.is_money and was > 0 else text

    def address(self, scope: Scope) -> str:
        """Return where the rows are that make it in some time."""
        if self.name == "exceptions":
            asked = urlencode({"state": "all", "from": scope.first, "to": scope.last})
            return f"{reverse('web:inbox', args=[scope.room.code])}?{asked}"
        if self.name == "over_short" and scope.shift is not None:
            return reverse("web:count_sheet", args=[scope.shift.pk])
        return report_address(scope, self.report)


DROP: Final = Figure(
    "drop", "Drop", lambda result: result.drop_cents, "collection", "fees put into the drop boxes"
)
#: The same where the house banks as well: players buy chips at those tables, and the cash goes into the box.
DROP_WITH_CASH: Final = dataclasses.replace(DROP, about="fees and buy-ins put into the drop boxes")
OVER_SHORT: Final = Figure(
    "over_short",
    "Over / (short)",
    lambda result: result.over_short_cents,
    "count",
    "boxes counted, against what they should hold",
    is_difference=True,
)
CASH: Final = Figure(
    "cash", "Cash bought in", lambda result: result.buy_ins_cents, "house-win", "paid for chips at tables"
)
WIN: Final = Figure(
    "win", "House win", lambda result: result.win_cents, "house-win", "won at tables that the house banks"
)
PACE: Final = Figure(
    "pace",
    "Rounds an hour",
    lambda result: result.pace,
    "breakdown",
    "at a table with a dealer",
    is_money=False,
    is_pace=True,
)
TIPS: Final = Figure("tips", "Tips", lambda result: result.tips_cents, "tips", "given to dealers")
UNCOVERED: Final = Figure(
    "uncovered",
    "Uncovered",
    lambda result: result.uncovered_cents,
    "coverage",
    "wagers returned: the bank ran out",
)
EXCEPTIONS: Final = Figure(
    "exceptions",
    "Exceptions",
    lambda result: result.exceptions,
    "exceptions",
    "out of the ordinary: explained, then closed",
    is_money=False,
    is_counted=True,
)
JACKPOT: Final = Figure(
    "jackpot",
    "Jackpot box",
    lambda result: result.jackpot_cents,
    "collection",
    "a box of its own, not in the drop",
    is_apart=True,
)


def figures_of(banking: Banking) -> Sequence[Figure]:
    """Return the figures that a room is told by: where players bank, where the house does, or both."""
    return [
        *(((DROP_WITH_CASH if banking.house else DROP),) if banking.players else ()),
        *((WIN, CASH) if banking.house else ()),
        *(OVER_SHORT, PACE, TIPS),
        *((UNCOVERED,) if banking.players else ()),
        EXCEPTIONS,
        *((JACKPOT,) if banking.players else ()),
    ]


def over_short_text(cents: int) -> str:
    """Return what boxes were over or, in brackets, short: "$2", "($3)"."""
    return f"({dollars(-cents)})" if cents < 0 else dollars(cents)
