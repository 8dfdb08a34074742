"""Computes the shares of a shift's tips: who gets how many whole cents under which terms. Pure arithmetic.

A sum is parted by the largest remainder: each person gets the whole cents of their exact part, and the cents that are
left go one by one to the greatest remainders, on equal ones to the person with the lower number. So the parts always
come to the sum, and the same figures always give the same parts. A sum below nothing (a correction took back more than
the shift earned) is parted in the same way, as what is taken back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from enum import StrEnum

#: Basis points of the whole.
WHOLE_BP = 10_000
_HOUR = 3600


class Sharing(StrEnum):
    """What dealers do with their tips."""

    KEEP = "keep"
    HOURS = "hours"


class Support(StrEnum):
    """What support staff get of them."""

    NONE = "none"
    SHARE = "share"
    HOURLY = "hourly"


@dataclasses.dataclass(frozen=True)
class Terms:
    """A rule in figures. `support_bp` is the share of the pool in basis points, or the most that an hourly sum may take."""

    sharing: str = Sharing.KEEP
    support: str = Support.NONE
    support_bp: int = 0
    support_hourly_cents: int = 0


@dataclasses.dataclass(frozen=True)
class Dealt:
    """What one dealer brought in, in cents, and worked, in seconds. Who may not share brings, and gets nothing."""

    staff: int
    cents: int
    seconds: int
    may_share: bool = True


@dataclasses.dataclass(frozen=True)
class Shares:
    """Cents by the number of the person. `held_cents` is what has no recipient: 0 wherever a dealer may share."""

    dealers: Mapping[int, int]
    support: Mapping[int, int]
    held_cents: int


def parted(cents: int, weights: Mapping[int, int]) -> dict[int, int]:
    """Part `cents` by whole, non-negative weights, exactly; by weights that are all 0 nothing is parted."""
    whole = sum(weights.values())
    if whole == 0:
        return dict.fromkeys(weights, 0)
    sign, amount = (-1, -cents) if cents < 0 else (1, cents)
    parts = {each: amount * weight // whole for each, weight in weights.items()}
    left = amount - sum(parts.values())
    for each in sorted(weights, key=lambda each: (-(amount * weights[each] % whole), each))[:left]:
        parts[each] += 1
    return {each: sign * part for each, part in parts.items()}


def shared_out(terms: Terms, dealers: Sequence[Dealt], support_seconds: Mapping[int, int]) -> Shares:
    """Share out what `dealers` brought. `support_seconds` are the support staff's by the number of the person.

    Support staff are paid first, out of a pool that is above nothing. What is left goes to the dealers by their
    hours; or each keeps their own, and gives to support staff in proportion to it. What was brought by a person who
    may not share goes to the dealers by their hours under either rule. Where no dealer has hours, they go by what
    each has brought.
    """
    total = sum(dealer.cents for dealer in dealers)
    support = _support(terms, total, support_seconds)
    sharers = [dealer for dealer in dealers if dealer.may_share]
    hours = {dealer.staff: dealer.seconds for dealer in sharers}
    if not any(hours.values()):
        hours = {dealer.staff: max(dealer.cents, 0) for dealer in sharers}
    paid = sum(support.values())
    if terms.sharing == Sharing.HOURS:
        shares = parted(total - paid, hours)
    else:
        own = sum(dealer.cents for dealer in sharers)
        extra = parted(total - own, hours)
        gross = {dealer.staff: dealer.cents + extra[dealer.staff] for dealer in sharers}
        given = parted(paid, {staff: max(cents, 0) for staff, cents in gross.items()})
        shares = {staff: cents - given[staff] for staff, cents in gross.items()}
    return Shares(shares, support, total - paid - sum(shares.values()))


def _support(terms: Terms, total: int, seconds: Mapping[int, int]) -> dict[int, int]:
    if terms.support == Support.NONE or total <= 0:
        return dict.fromkeys(seconds, 0)
    most = total * terms.support_bp // WHOLE_BP
    if terms.support == Support.SHARE:
        return parted(most, seconds)
    # Halves of a cent up.
    earned = {
        staff: (2 * terms.support_hourly_cents * worked + _HOUR) // (2 * _HOUR)
        for staff, worked in seconds.items()
    }
    return earned if sum(earned.values()) <= most else parted(most, earned)
