"""Template context of one version of a fee schedule: what it charges, where its fees jump, what the one before said."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from cardroom.filings.models import FeeSchedule
from cardroom.filings.selectors import changes_since, version_before
from fees.charges import Band
from fees.cliffs import Cliff, cliffs
from fees.diff import Change
from fees.document import BANK
from fees.rates import Problem, Schedule, Tariff

#: The staircase of the bank's fees, in pixels.
COLUMN, HEIGHT, TOP, FOOT = 152, 168, 36, 44


@dataclasses.dataclass(frozen=True)
class Column:
    """One band of the staircase: its bar, and the labels on it and under it. `jump` is the step up to it, in cents."""

    x: int
    y: float
    height: float
    width: int
    band: Band
    jump: Cliff | None

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def label_y(self) -> float:
        return self.y - 8


@dataclasses.dataclass(frozen=True)
class Staircase:
    """The bank's fee by its bands as a picture: a column a band, as high as its fee; `basis` is what the bands are of."""

    columns: list[Column]
    basis: str

    @property
    def width(self) -> int:
        return COLUMN * len(self.columns)

    @property
    def height(self) -> int:
        return TOP + HEIGHT + FOOT

    @property
    def baseline(self) -> int:
        return TOP + HEIGHT

    @property
    def foot(self) -> int:
        return self.baseline + 20


@dataclasses.dataclass(frozen=True)
class Filing:
    """One version as its page shows it.

    `schedule` is None and `problems` say why while a draft is not legal; `before` is the version that it follows, and
    `changes` are what it says otherwise (None: the two cannot be compared yet).
    """

    version: FeeSchedule
    schedule: Schedule | None
    tariff: tuple[Tariff, ...]
    problems: list[Problem]
    cliffs: tuple[Cliff, ...]
    staircase: Staircase | None
    before: FeeSchedule | None
    changes: tuple[Change, ...] | None


def filing_of(version: FeeSchedule) -> Filing:
    """Return one version with what it charges and what it changes."""
    found = version.problems
    schedule = None if found else version.schedule
    before = version_before(version)
    return Filing(
        version=version,
        schedule=schedule,
        tariff=() if schedule is None else schedule.tariff_at(version.layout),
        problems=found,
        cliffs=() if schedule is None else cliffs(schedule),
        staircase=None if schedule is None or len(schedule.bands) < 2 else _staircase(schedule),
        before=before,
        changes=None if before is None else changes_since(before, version),
    )


def _staircase(schedule: Schedule) -> Staircase:
    return Staircase(list(_columns(schedule)), schedule.bands[0].per.replace("_", " "))


def _columns(schedule: Schedule) -> Iterator[Column]:
    dearest = max(band.fee_cents for band in schedule.bands) or 1
    jumps = {cliff.above: cliff for cliff in cliffs(schedule) if cliff.payer == BANK}
    for place, band in enumerate(schedule.bands):
        height = round(HEIGHT * band.fee_cents / dearest, 1)
        yield Column(
            x=place * COLUMN,
            y=TOP + HEIGHT - height,
            height=height,
            width=COLUMN,
            band=band,
            jump=jumps.get(band.lower),
        )
