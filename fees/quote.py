"""Quotes the fees of a round: what each payer owes, fixed when bets close, from the wagers placed and the schedule alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from fees.charges import Ante, Band, Owed, Place, of_position, of_round
from fees.document import PLAYER
from fees.errors import FeeError, OutsideSchedule
from fees.rates import Schedule
from games.money import dollars

__all__ = ["BANK", "Ante", "Fee", "Place", "Quote", "quote", "waived_places"]

#: How the player-dealer is shown as payer, as in the round sheet's `fees`.
BANK = "bank"


@dataclass(frozen=True, slots=True)
class Fee:
    """What one payer owes, in cents: `payer` is how they are shown, the player's name or `bank`; `clause` the figure's source.

    Who owes it is identified by `place`: the bank's is its seat, where nobody else wagers, and a player may be called "bank".
    `cents` go into the drop box and `jackpot_cents` into the jackpot's. `waived_cents` would have gone into the drop
    box without the published rule `waiver`. A fee from several lines of the schedule has the schedule's own clause.
    """

    payer: str
    seat: int
    cents: int
    clause: str
    jackpot_cents: int = 0
    waived_cents: int = 0
    waiver: str = ""
    behind: int = 0

    @property
    def place(self) -> Place:
        return self.seat, self.behind

    def to_json(self) -> dict[str, Any]:
        """Serialize the fee as a round stores it: payer, seat and cents as in the sheet, other keys if not empty."""
        kept: dict[str, Any] = {"payer": self.payer, "seat": self.seat, "cents": self.cents}
        if self.behind:
            kept["behind"] = self.behind
        if self.jackpot_cents:
            kept["jackpot"] = self.jackpot_cents
        if self.waiver:
            kept |= {"waived": self.waived_cents, "waiver": self.waiver}
        return kept


def waived_places(fees: Iterable[Mapping[str, Any]]) -> dict[Place, str]:
    """Return the keys of waiver rules by the place of the payer, from the fees that a round stores."""
    return {(fee["seat"], fee.get("behind", 0)): fee["waiver"] for fee in fees if fee.get("waiver")}


@dataclass(frozen=True, slots=True)
class Quote:
    """The fees of one round, in cents: one a position in the order given, then the player-dealer's.

    `bank_label` is the basis of the player-dealer's fee as printed: its band, or `per round`, or both of two lines; it is
    empty where the player-dealer pays nothing. `band` is None for a fee without one band of its own.
    """

    total_table_action_cents: int
    fees: tuple[Fee, ...]
    drop_cents: int
    bank_label: str
    band: Band | None

    @property
    def jackpot_cents(self) -> int:
        """What goes into the jackpot's box."""
        return sum(fee.jackpot_cents for fee in self.fees)

    @property
    def waived_cents(self) -> int:
        """What waivers kept out of the drop box."""
        return sum(fee.waived_cents for fee in self.fees)


_NOBODY: Mapping[Place, str] = MappingProxyType({})


def quote(
    schedule: Schedule, antes: Sequence[Ante], *, bank_seat: int, waived: Mapping[Place, str] = _NOBODY
) -> Quote:
    """Return what `antes` cost under `schedule`, with the player-dealer in `bank_seat` (ruling 13).

    `waived` names by the payer's place the published rule by which their fee is waived, or the rule's portion of it. A
    jackpot collection is never waived: it is the players' own money.

    Every position costs its player what the schedule charges for it, a player with two seats twice, one with two main wagers the
    fee by bands of each (ruling 56), and each of several
    bettors on one spot. Where the
    player-dealer pays by total table action, that is the sum of what counts toward it (`Ante.action`). A fee of 0 is
    quoted like any other. A schedule that charges the player-dealer nothing quotes it 0.

    A position whose wagers stand without an ante is charged for itself and for its wagers, and has no table limit.

    Raises OutsideSchedule for a main wager outside the table limit, each by itself (ruling 56), for a wager outside the
    bands of its own, and for a round without antes, which is not a round;
    FeeError `seat_twice` when somebody antes twice at a place or anybody does at the bank's seat.
    """
    check_antes(antes, bank_seat)
    for ante in antes:
        if ante.cents or not ante.has_wagers:
            _check_limit(schedule, ante)
        _check_bands(schedule, ante)
    total_cents = sum(ante.action for ante in antes)
    bank = _of_bank(schedule, antes) if antes else None
    if bank is None:
        first = f" {schedule.bands[0].label}" if schedule.bands else ""
        raise OutsideSchedule(
            "below_first_band",
            f"Total table action of {dollars(total_cents)} is below the first band{first} of {schedule.title}: "
            "it takes at least one wager that counts toward it.",
        )
    jackpot = [rate for rate in schedule.jackpot if rate.payer == BANK]
    pays = Fee(
        BANK,
        bank_seat,
        bank.cents,
        bank.clause or schedule.clause,
        sum(owed.cents for rate in jackpot if (owed := of_round(rate, antes)) is not None),
    )
    due = (*(_of(schedule, ante) for ante in antes), pays)
    fees = tuple(_waived(schedule, fee, waived[fee.place]) if fee.place in waived else fee for fee in due)
    return Quote(total_cents, fees, sum(fee.cents for fee in fees), bank.label, bank.band)


def _of_bank(schedule: Schedule, antes: Sequence[Ante]) -> Owed | None:
    """What the player-dealer owes by all its charges; None where an amount is below the first band of one."""
    owed = [of_round(charge, antes) for charge in schedule.bank]
    due = [each for each in owed if each is not None]
    if len(due) < len(owed):
        return None
    if len(due) == 1:
        return due[0]
    return Owed(sum(each.cents for each in due), "", " + ".join(each.label for each in due))


def _check_bands(schedule: Schedule, ante: Ante) -> None:
    for wager, cents in (ante.beside or {}).items():
        if cents and (why := schedule.why_outside_bands(wager, cents)):
            raise OutsideSchedule("outside_bands", f"Seat {ante.seat}: {why}")


def _check_limit(schedule: Schedule, ante: Ante) -> None:
    for wager, cents in (ante.mains or {"": ante.cents}).items():
        if why := schedule.why_outside_limits(cents, wager):
            raise OutsideSchedule("outside_table_limits", f"Seat {ante.seat}: {why}")


def check_antes(antes: Sequence[Ante], bank_seat: int) -> None:
    """Raise FeeError `seat_twice` when somebody antes twice at one place, or anybody at the seat that banks."""
    there: set[Place] = set()
    for ante in antes:
        if ante.seat == bank_seat or ante.place in there:
            raise FeeError(
                "seat_twice", f"Seat {ante.seat} cannot wager: it holds the bank or has its wagers already."
            )
        there.add(ante.place)


def _of(schedule: Schedule, ante: Ante) -> Fee:
    """The fee of one position: all that its player is charged for it."""
    owed = [each for charge in schedule.players if (each := of_position(charge, ante)) is not None]
    clause = (owed[0].clause if len(owed) == 1 else "") or schedule.clause
    jackpot = [rate for rate in schedule.jackpot if rate.payer == PLAYER]
    jackpot_cents = sum(each.cents for rate in jackpot if (each := of_position(rate, ante)) is not None)
    cents = sum(each.cents for each in owed)
    return Fee(ante.player, ante.seat, cents, clause, jackpot_cents, behind=ante.behind)


def _waived(schedule: Schedule, fee: Fee, key: str) -> Fee:
    """The fee as waived by the rule `key`: `waived_cents` records what of it goes into no box."""
    rule = schedule.waiver(key)
    waived_cents = fee.cents if rule is None else rule.waived_cents(fee.cents)
    return replace(fee, cents=fee.cents - waived_cents, waived_cents=waived_cents, waiver=key)
