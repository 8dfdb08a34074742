"""Type of a betting spot: a place on the layout where a wager is laid."""

from typing import NamedTuple

PROGRESSIVE = "progressive"
"""The id of a wager on a meter, in every game that has one."""


class Spot(NamedTuple):
    """One wager on the layout.

    `main`: it bears the table limit, is charged a fee and counts toward total table action. `placed`: it is laid before
    the deal, else it follows from a decision. `needs` says which wager it requires (`nothing`, or a word of the game).
    `tip`: a bet for the dealer may stand beside it. `meter`: it is a progressive wager of one fixed amount.
    """

    id: str
    name: str
    clause: str
    main: bool
    placed: bool
    needs: str
    tip: bool
    meter: bool
