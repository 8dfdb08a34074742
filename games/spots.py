"""Type of a betting spot: a place on the layout where a wager is laid."""

from typing import NamedTuple

PROGRESSIVE = "progressive"
"""The id of a wager on a meter, in every game that has one."""


class Spot(NamedTuple):
    """One wager on the layout.

    `limited`: the table posts limits for it. `charged`: a schedule's fee for a wager comes of it, within the schedule's
    limits. `action`: it counts toward total table action. `placed`: it is laid before the deal, else it follows from a
    decision. `needs` says which wager it requires (`nothing`, or a word of the game). `equals`: the wager that it is as high
    as, and with which it is laid; None where it is laid for itself. `tip`: a bet for the dealer may stand beside it.
    `meter`: it is a progressive wager of one fixed amount.
    """

    id: str
    name: str
    clause: str
    limited: bool
    charged: bool
    action: bool
    placed: bool
    needs: str
    equals: str | None
    tip: bool
    meter: bool
