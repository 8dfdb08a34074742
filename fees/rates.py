"""Fee schedules: what players and the player-dealer owe for a round, and whether the law allows it.

A `Schedule` comes from `read_schedule` alone, which refuses whatever is illegal: one that exists can be
charged.

Bands of total table action are printed in whole dollars ("$5 - $100", "$101+"), while antes may hold cents.
The band that applies is the one with the highest lower bound not above the total, so that $100.50 is still in
"$5 - $100" (ruling 13). The printed upper bound therefore decides nothing. It is checked all the same, since
patrons read it: the next band starts above it, by a dollar at most. Printed so, bands are without gaps and
without overlaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from fees.document import BandLine, Document, PlayerLine, Problem, band_label, dollars, read_document
from fees.errors import OutsideSchedule, ScheduleRefused

__all__ = ["MOST_RATES", "Band", "Problem", "Schedule", "problems", "read_schedule"]

#: Different non-zero rates that one table limit may have, all payers together (california:fees.8, ruling 14).
MOST_RATES = 5
#: How far above a printed upper bound the next band may start: bounds are printed in whole dollars.
_STEP_CENTS = 100


@dataclass(frozen=True, slots=True)
class Band:
    """A band of total table action and the player-dealer's fee in it, in cents; `upper_cents` as printed."""

    lower_cents: int
    upper_cents: int | None
    fee_cents: int
    clause: str

    @property
    def label(self) -> str:
        """The band as printed: `$5 - $100`, or `$101+`."""
        return band_label(self.lower_cents, self.upper_cents)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A legal schedule: table limit, the player's fee for each ante, the player-dealer's by band, in cents.

    `ante_max_cents` None is "no limit". `bands` ascend from the table minimum; the last one is open. `clause`
    names the source of the whole, `player_clause` that of the player fee.
    """

    number: int
    title: str
    ante_min_cents: int
    ante_max_cents: int | None
    player_fee_cents: int
    bands: tuple[Band, ...]
    clause: str
    player_clause: str

    @property
    def limit_label(self) -> str:
        """The table limit as printed: `$5 - $100`, or `$50 - no limit`."""
        return _limit_label(self.ante_min_cents, self.ante_max_cents)

    def why_not_ante(self, cents: int) -> str | None:
        """Return None for an ante of `cents` inside the table limit, else a sentence that says what is."""
        if self.ante_min_cents <= cents and (self.ante_max_cents is None or cents <= self.ante_max_cents):
            return None
        limit = f"the table limit {self.limit_label} of {self.title} ({self.clause})"
        return f"An ante of {dollars(cents)} is outside {limit}."

    def band_for(self, total_table_action_cents: int) -> Band:
        """Return the highest band whose lower bound is not above the total (ruling 13).

        Raises OutsideSchedule for a total below the first band, which is less than one least ante.
        """
        for band in reversed(self.bands):
            if band.lower_cents <= total_table_action_cents:
                return band
        raise OutsideSchedule(
            "below_first_band",
            f"Total table action of {dollars(total_table_action_cents)} is below the first band "
            f"{self.bands[0].label} of {self.title}: it takes at least one ante ({self.clause}).",
        )


def problems(document: object) -> list[Problem]:
    """Return why `document` cannot be filed: its form first, and once it can be read, the law. Empty: legal.

    Problems stand in the order of their lines; those of the head (limits, what is missing) come first, as
    line 0.
    """
    read, of_form = read_document(document)
    found = of_form if read is None else [*_limits(read), *_player_fee(read), *_bands(read), *_rates(read)]
    return sorted(found, key=lambda problem: problem.line)


def read_schedule(document: Mapping[str, object], *, number: int, title: str) -> Schedule:
    """Return the schedule that `document` (see `fees.document`) says, as number `number` of its room.

    Raises ScheduleRefused with every problem when the document cannot be read or is not legal.
    """
    if found := problems(document):
        raise ScheduleRefused(found)
    read, _ = read_document(document)
    assert read is not None
    (player,) = _player_lines(read)
    return Schedule(
        number=number,
        title=title,
        ante_min_cents=read.ante_min_cents,
        ante_max_cents=read.ante_max_cents,
        player_fee_cents=player.fee_cents,
        bands=tuple(
            Band(line.lower_cents, line.upper_cents, line.fee_cents, line.clause or read.clause)
            for line in _band_lines(read)
        ),
        clause=read.clause,
        player_clause=player.clause or read.clause,
    )


def _limit_label(ante_min_cents: int, ante_max_cents: int | None) -> str:
    if ante_max_cents is None:
        return f"{dollars(ante_min_cents)} - no limit"
    return band_label(ante_min_cents, ante_max_cents)


def _player_lines(read: Document) -> list[PlayerLine]:
    return [line for line in read.lines if isinstance(line, PlayerLine)]


def _band_lines(read: Document) -> list[BandLine]:
    return [line for line in read.lines if isinstance(line, BandLine)]


def _limits(read: Document) -> Iterator[Problem]:
    """The least ante is above 0, and not above the greatest."""
    label = _limit_label(read.ante_min_cents, read.ante_max_cents)
    if read.ante_min_cents <= 0:
        yield Problem(
            0, "limit_not_positive", f"table limit {label}: the least ante is above 0; raise ante_min_cents."
        )
    if read.ante_max_cents is not None and read.ante_max_cents < read.ante_min_cents:
        yield Problem(
            0,
            "limits_reversed",
            f"table limit {label}: the greatest ante is below the least; swap them, or write null.",
        )


def _player_fee(read: Document) -> Iterator[Problem]:
    """There is one player fee per ante; 0 says that players pay none."""
    lines = _player_lines(read)
    if not lines:
        yield Problem(
            0,
            "player_fee_missing",
            "schedule: no line says what a player pays per ante; write 0 if players pay none.",
        )
    for line in lines[1:]:
        yield Problem(
            line.number,
            "player_fee_twice",
            f"{line.place}: {lines[0].place} has set it already; all players pay the same: keep one.",
        )
    for line in lines:
        yield from _amount(line)


def _bands(read: Document) -> Iterator[Problem]:
    """Bands start at the table minimum, go up without gap or overlap, and never end."""
    lines = _band_lines(read)
    if not lines:
        yield Problem(
            0,
            "bands_missing",
            "schedule: no line says what the player-dealer pays by total table action; write an open band.",
        )
        return
    for line in lines:
        yield from _amount(line)
        if line.upper_cents is not None and line.upper_cents < line.lower_cents:
            yield Problem(
                line.number,
                "band_reversed",
                f"{line.place}: the upper bound is below the lower; swap or correct them.",
            )
    first, last = lines[0], lines[-1]
    if first.lower_cents != read.ante_min_cents:
        yield Problem(
            first.number,
            "bands_start",
            f"{first.place}: the first band starts at the table minimum, {dollars(read.ante_min_cents)}, "
            "the least that total table action can be.",
        )
    for lower, upper in pairwise(lines):
        yield from _step(lower, upper)
    if last.upper_cents is not None:
        yield Problem(
            last.number,
            "last_band_closed",
            f"{last.place}: total table action above {dollars(last.upper_cents)} has no fee; "
            "leave the last band open (upper_cents null).",
        )


def _step(lower: BandLine, upper: BandLine) -> Iterator[Problem]:
    """The step from one band to the next: up, and from the printed upper bound by a dollar at most."""
    if upper.lower_cents <= lower.lower_cents:
        yield Problem(
            upper.number,
            "bands_not_ascending",
            f"{upper.place}: it does not start above {lower.place}; write bands from lowest to highest.",
        )
    elif lower.upper_cents is None:
        yield Problem(
            lower.number,
            "open_band_not_last",
            f"{lower.place}: only the last band is open; end this one below {dollars(upper.lower_cents)}.",
        )
    elif upper.lower_cents <= lower.upper_cents:
        yield Problem(
            upper.number,
            "bands_overlap",
            f"{upper.place}: it overlaps {lower.place}; {dollars(upper.lower_cents)} would have two fees.",
        )
    elif upper.lower_cents > lower.upper_cents + _STEP_CENTS:
        yield Problem(
            upper.number,
            "bands_gap",
            f"{upper.place}: no band is printed between {dollars(lower.upper_cents)} and "
            f"{dollars(upper.lower_cents)}; start it at most {dollars(_STEP_CENTS)} above {lower.place}.",
        )


def _amount(line: PlayerLine | BandLine) -> Iterator[Problem]:
    if line.fee_cents < 0:
        yield Problem(
            line.number,
            "negative_fee",
            f"{line.place}: a fee of {dollars(line.fee_cents)}; write 0 or more cents.",
        )


def _rates(read: Document) -> Iterator[Problem]:
    """One table limit has at most five different rates; each line that brings one more is named."""
    rates: set[int] = set()
    for line in read.lines:
        if line.fee_cents > 0 and line.fee_cents not in rates:
            rates.add(line.fee_cents)
            if len(rates) > MOST_RATES:
                yield Problem(
                    line.number,
                    "too_many_rates",
                    f"{line.place}: {dollars(line.fee_cents)} is rate number {len(rates)}; one table limit "
                    f"may have {MOST_RATES} different rates, players' and player-dealer's together "
                    "(Penal Code 337j(f); california:fees.8). Use a rate that is there already.",
                )
