"""What each simulated table plays and collects: fees by the round, fees by time, or a house rake; never two of them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any

from cardroom.floor.models import Table
from fees.models import FeeSchedule
from games.collection import ALL, ALL_BUT_BANK, BANK_ONLY, Rake

#: What is played for fees, and what for a rake: the one knows no rake, for the other no fees are printed.
RULEBOOK, RAKED_RULEBOOK = "california", "designated_player"
#: The rules with a rake print no table for the one wager: whoever offers it names one. Pair Plus by their own table
#: favours the players unless the hand must win too.
_RAKED_OPTIONS = {"six_card_bonus_table": "TCP-6B4", "pair_plus_requires_win": True}
#: A rake in each of its forms; together with the fees of the other tables they come to about the same an hour.
RAKES = (Rake(ALL, 100), Rake(ALL_BUT_BANK, 150), Rake(BANK_ONLY, 500))


@dataclasses.dataclass(frozen=True)
class Charge:
    """What is played and charged at a table: by a filed `schedule`, or by a `rake` with limits of the ante in cents."""

    rulebook: str
    schedule: FeeSchedule | None = None
    rake: Rake | None = None
    limits: tuple[int, int | None] = (1, None)

    @property
    def collects_jackpot(self) -> bool:
        return self.schedule is not None and bool(self.schedule.schedule.jackpot)

    @property
    def plain(self) -> bool:
        """Whether it is by the round alone, without waivers or a jackpot."""
        if self.schedule is None:
            return False
        schedule = self.schedule.schedule
        return not (schedule.waivers or schedule.jackpot or schedule.time)

    @property
    def settings(self) -> dict[str, Any]:
        """What `table_set` is told."""
        least, most = self.limits
        return {
            "rulebook": self.rulebook,
            "options": {} if self.rake is None else dict(_RAKED_OPTIONS),
            "schedule_id": None if self.schedule is None else self.schedule.pk,
            "rake": None if self.rake is None else self.rake._asdict(),
            # A schedule has limits of its own.
            "wager_limits": {} if self.schedule is not None or most is None else {"ante": [least, most]},
        }

    def is_set(self, table: Table) -> bool:
        """Whether the table plays and charges so already."""
        wanted = self.settings
        return (table.rake, table.schedule_id) == (self.rake, wanted["schedule_id"]) and all(
            getattr(table, name) == wanted[name] for name in ("rulebook", "options", "wager_limits")
        )


def limits_of(table: Table) -> tuple[int, int | None]:
    """Return the least and the greatest ante of a table in cents; the greatest None for no limit."""
    if table.schedule is not None:
        return table.schedule.schedule.ante_min_cents, table.schedule.schedule.ante_max_cents
    least, most = table.wager_limits.get("ante", (1, None))
    return least, most


def charges_of(filed: Sequence[FeeSchedule]) -> list[Charge]:
    """Return what tables charge, one after the other: by the round, by time and by a rake in turns, as far as there are.

    `filed` are schedules of `RULEBOOK`; the limits of the first hold for antes where a rake is taken.
    """
    first = filed[0].schedule
    by_round, by_time = (
        [Charge(RULEBOOK, schedule) for schedule in filed if (schedule.schedule.time is not None) == timed]
        for timed in (False, True)
    )
    limits = first.ante_min_cents, first.ante_max_cents
    raked = [Charge(RAKED_RULEBOOK, rake=rake, limits=limits) for rake in RAKES]
    turns = itertools.zip_longest(by_round, by_time, raked)
    return [charge for charge in itertools.chain.from_iterable(turns) if charge is not None]
