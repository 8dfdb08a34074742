"""The progressive meter: its movements, and wins that are keyed in, confirmed or withdrawn (rulings 43 and 46).

Pure functions: the floor stores the meter and the wins. People are identified by text that the floor chooses. Amounts
are cents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from games.phrases import Phrase
from games.rulebook import Rulebook
from games.spots import PROGRESSIVE

PENDING, CONFIRMED, WITHDRAWN = ("pending", "confirmed", "withdrawn")


class MeterRule(NamedTuple):
    """A room's meter: its seed, one progressive wager, and what each wager adds to meter and reserve.

    What a wager adds is a fixed number of cents, 0 until a room sets it.
    """

    seed_cents: int
    unit_cents: int
    contribution_cents: int
    reserve_contribution_cents: int
    clause: str


class Meter(NamedTuple):
    """What the meter shows and what is in reserve for its next start."""

    shown_cents: int
    reserve_cents: int


class Movement(NamedTuple):
    """One change of the meter, to be logged: the reason, the amount, and what it shows afterwards."""

    kind: str
    cents: int
    shown_cents: int
    reserve_cents: int
    reason: str


@dataclass(frozen=True, slots=True)
class Win:
    """A progressive win as keyed in at a seat."""

    seat: int
    state: str
    keyed_by: str
    answered_by: str | None = None


def meter_rule(
    rulebook: Rulebook,
    *,
    unit_cents: int = 100,
    contribution_cents: int = 0,
    reserve_contribution_cents: int = 0,
) -> MeterRule:
    """The meter of a rulebook with a progressive; ValueError where it has none, or for amounts that cannot be."""
    if rulebook.meter is None:
        raise ValueError(f"{rulebook.id} has no progressive wager")
    added = contribution_cents + reserve_contribution_cents
    if unit_cents <= 0 or min(contribution_cents, reserve_contribution_cents) < 0 or added > unit_cents:
        raise ValueError("a wager is above 0 and adds between nothing and itself")
    clause = rulebook.clause_id(rulebook.meter.clause)
    seed = rulebook.meter.seed_cents
    return MeterRule(seed, unit_cents, contribution_cents, reserve_contribution_cents, clause)


def opened(rule: MeterRule) -> tuple[Meter, Movement]:
    """A new meter: it shows its seed."""
    return Meter(rule.seed_cents, 0), Movement("opened", rule.seed_cents, rule.seed_cents, 0, "a new meter")


def wagered(rule: MeterRule, meter: Meter, wagers: int) -> tuple[Meter, Movement | None]:
    """The meter after so many progressive wagers; no movement if they add nothing."""
    to_meter, to_reserve = wagers * rule.contribution_cents, wagers * rule.reserve_contribution_cents
    if not to_meter and not to_reserve:
        return meter, None
    after = Meter(meter.shown_cents + to_meter, meter.reserve_cents + to_reserve)
    return after, Movement("wagered", to_meter, *after, f"{wagers} progressive wagers")


def set_to(meter: Meter, shown_cents: int, reserve_cents: int, reason: str) -> tuple[Meter, Movement]:
    """A meter that a supervisor sets, as when it comes from another system; ValueError for amounts below 0."""
    if min(shown_cents, reserve_cents) < 0:
        raise ValueError("a meter and its reserve never show less than nothing")
    after = Meter(shown_cents, reserve_cents)
    return after, Movement("set", shown_cents - meter.shown_cents, *after, reason)


def handed_over(
    rule: MeterRule, own: Meter, other: Meter, reason: str
) -> tuple[tuple[Movement, ...], tuple[Meter, Movement | None]]:
    """What moves when a table leaves its own meter for another one: the movements of `own`, then `other` after its one.

    What lies above the seed, and the reserve, go into the other meter. The seed is the house's and goes back to it, so
    that each meter holds one seed, however many tables come and go.
    """
    above = max(0, own.shown_cents - rule.seed_cents)
    seed = own.shown_cents - above
    left = [Movement("handed", -above, seed, 0, reason)] if above or own.reserve_cents else []
    left.append(Movement("closed", -seed, 0, 0, "its seed goes back to the house"))
    if not above and not own.reserve_cents:
        return tuple(left), (other, None)
    after = Meter(other.shown_cents + above, other.reserve_cents + own.reserve_cents)
    return tuple(left), (after, Movement("taken", above, *after, reason))


def why_not_unit(rule: MeterRule, cents: int) -> str | None:
    """None for a progressive wager of the room's one unit, else what it has to be (ruling 43)."""
    return (
        None
        if cents == rule.unit_cents
        else Phrase("a progressive wager is {cents} cents here, no other amount", cents=rule.unit_cents)
    )


def win_keyed(seat: int, by: str) -> Win:
    """A win as the dealer keys it in: pending until a supervisor confirms it."""
    return Win(seat, PENDING, by)


def why_not_confirm(win: Win, lines: Sequence[Mapping[str, Any]], by: str) -> str | None:
    """None when `by` may confirm the win: a second person, and the settlement's `lines` bear it out."""
    if win.state != PENDING:
        return Phrase("this win is {state} already", state=Phrase(win.state))
    if by == win.keyed_by:
        return Phrase("whoever keyed a win in does not confirm it: call a supervisor")
    if _won_line(lines, win.seat) is None:
        return Phrase("seat {seat} has no progressive win in this round: withdraw the entry", seat=win.seat)
    return None


def win_confirmed(
    rule: MeterRule,
    meter: Meter,
    win: Win,
    lines: Sequence[Mapping[str, Any]],
    by: str,
    *,
    added_since: int = 0,
) -> tuple[Win, Meter, tuple[Movement, ...]]:
    """The win confirmed, and the meter after it; ValueError where `why_not_confirm` objects.

    A win of the whole meter pays what it showed as the round was settled and sets it to its seed and what was in
    reserve. What wagers at other tables of the meter have added since then (`added_since`) stays in it. Any other win
    comes from the tray and leaves the meter as it is.
    """
    if why := why_not_confirm(win, lines, by):
        raise ValueError(why)
    confirmed = replace(win, state=CONFIRMED, answered_by=by)
    line = _won_line(lines, win.seat)
    assert line is not None
    if not off_the_meter(line):
        return confirmed, meter, ()
    paid = int(line["paid"])
    if paid + added_since != meter.shown_cents:
        raise ValueError(f"the round pays {paid} cents and the meter shows {meter.shown_cents}: check it")
    started = rule.seed_cents + meter.reserve_cents
    after = Meter(started + added_since, 0)
    return (
        confirmed,
        after,
        (
            Movement("win", -paid, added_since, meter.reserve_cents, f"seat {win.seat} won the meter"),
            Movement("reseeded", started, *after, "seed and reserve"),
        ),
    )


def why_not_withdraw(win: Win) -> str | None:
    """None while a win is pending: a mistyped win can be withdrawn, a confirmed one cannot."""
    return None if win.state == PENDING else Phrase("this win is {state} already", state=Phrase(win.state))


def win_withdrawn(win: Win, by: str) -> Win:
    """The win withdrawn; ValueError where `why_not_withdraw` objects."""
    if why := why_not_withdraw(win):
        raise ValueError(why)
    return replace(win, state=WITHDRAWN, answered_by=by)


def meter_seats(lines: Sequence[Mapping[str, Any]]) -> set[int]:
    """The seats that a settlement's lines pay the meter to."""
    return {line["seat"] for line in lines if _is_win(line) and off_the_meter(line)}


def why_not_end_game(lines: Sequence[Mapping[str, Any]], wins: Sequence[Win]) -> str | None:
    """None when every progressive win of the round has been keyed in and confirmed, and nothing is pending."""
    for win in wins:
        if win.state == PENDING:
            return Phrase("the win at seat {seat} waits for a supervisor", seat=win.seat)
    confirmed = {win.seat for win in wins if win.state == CONFIRMED}
    for line in lines:
        if _is_win(line) and line["seat"] not in confirmed:
            return Phrase("seat {seat} has a progressive win that was not keyed in", seat=line["seat"])
    return None


def _is_win(line: Mapping[str, Any]) -> bool:
    return bool(line["wager"] == PROGRESSIVE and line["outcome"] == "win")


def _won_line(lines: Sequence[Mapping[str, Any]], seat: int) -> Mapping[str, Any] | None:
    return next((line for line in lines if _is_win(line) and line["seat"] == seat), None)


def off_the_meter(line: Mapping[str, Any]) -> bool:
    """Whether a line of a settlement is paid by what the meter shows, and not from the tray."""
    return str(line["odds"]).endswith("of the meter")
