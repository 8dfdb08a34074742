"""Chooses what each simulated table plays and collects: fees by the round, fees by time, or a house rake; never two of them."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.floor.checks.limits import limited_wagers, limits_proposed
from cardroom.floor.models import Table
from fees.rake import OPTION
from games.collection import ALL, ALL_BUT_BANK, BANK_ONLY, Rake
from games.registry import main_wagers

#: What is played for fees, and what for a rake: the one knows no rake, for the other no fees are printed.
RULEBOOK, RAKED_RULEBOOK = "california", "designated_player"
#: The rules with a rake print no table for the one wager: a room that offers it names one. Pair Plus by their own table
#: favours the players unless the hand must win too.
_RAKED_OPTIONS = {"six_card_bonus_table": "TCP-6B4", "pair_plus_requires_win": True}
#: A rake in each of its forms; together with the fees of the other tables they come to about the same an hour.
RAKES = (Rake(ALL, 100), Rake(ALL_BUT_BANK, 150), Rake(BANK_ONLY, 500))
#: Limits of the ante in cents where a rake is taken, and no schedule has any.
RAKED_LIMITS = (500, 10_000)


@dataclasses.dataclass(frozen=True)
class Charge:
    """What is played and charged at a table: a filed `game`, and a filed `schedule` where it has no house rake.

    `recording` says how much of a round is recorded, one of `Table.Recording`.
    """

    game: GameFiling
    schedule: FeeSchedule | None = None
    recording: str = Table.Recording.CARDS

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
        """The arguments of `table_set`."""
        wagers = limited_wagers(
            self.game.rulebook, self.game.options, main_by_schedule=self.schedule is not None
        )
        return {
            "game_id": self.game.pk,
            "schedule_id": None if self.schedule is None else self.schedule.pk,
            "wager_limits": limits_proposed(
                wagers, None if self.schedule is None else self.schedule.schedule
            ),
            "recording": str(self.recording),
        }

    def is_set(self, table: Table) -> bool:
        """Whether the table plays and charges so already."""
        wanted = self.settings
        return all(getattr(table, name) == value for name, value in wanted.items())


def limits_of(table: Table) -> tuple[int, int | None]:
    """Return the least and the greatest main wager of a table in cents; the greatest None for no limit."""
    if table.schedule is not None:
        return table.schedule.schedule.ante_min_cents, table.schedule.schedule.ante_max_cents
    for wager in main_wagers(table.rulebook, table.options):
        least, most = table.wager_limits.get(wager, (1, None))
        return least, most
    return 1, None


def raked_options() -> Iterator[dict[str, Any]]:
    """Give the options of a raked game for each form of rake."""
    for rake in RAKES:
        yield {**_RAKED_OPTIONS, OPTION: rake._asdict()}


def charges_of(games: Sequence[GameFiling], filed: Sequence[FeeSchedule]) -> list[Charge]:
    """Return what tables charge, one after the other: by the round, by time and by a rake in turns, as far as there are.

    `games` and `filed` are in force; every schedule goes with the first game that it is approved for.
    """
    played = {
        schedule.pk: [game for game in games if game.rake is None and schedule.is_for(game)]
        for schedule in filed
    }
    by_round, by_time = (
        [
            Charge(played[schedule.pk][0], schedule)
            for schedule in filed
            if played[schedule.pk] and (schedule.schedule.time is not None) == timed
        ]
        for timed in (False, True)
    )
    raked = [Charge(game) for game in games if game.rake is not None]
    turns = itertools.zip_longest(by_round, by_time, raked)
    return [charge for charge in itertools.chain.from_iterable(turns) if charge is not None]
