"""Collection fees as a rulebook prints them, what a schedule charges for the antes of a round, and a house rake.

Flat cents, fixed before the cards are dealt; nothing here can see a card, an outcome or a percentage
(ruling 13, california fees.1 to fees.8).
"""

from typing import NamedTuple

from games.datafile import Entry
from games.phrases import Phrase

#: The forms of a house rake (designated_player rake.i to rake.iii).
ALL, ALL_BUT_BANK, BANK_ONLY = "all", "all_but_bank", "bank_only"


class PrintedBand(NamedTuple):
    """From `lower_cents` of total table action up to the next band the bank pays `fee_cents`."""

    lower_cents: int
    fee_cents: int
    clause: str


class PrintedSchedule(NamedTuple):
    """One schedule option: limits of the ante, what each ante pays, what the bank pays by band.

    `ante_max_cents` None means no maximum. Bands are in rising order, the first at the least ante.
    """

    number: int
    ante_min_cents: int
    ante_max_cents: int | None
    player_fee_cents: int
    bands: tuple[PrintedBand, ...]
    clause: str
    player_clause: str


class Rake(NamedTuple):
    """A flat house rake: who pays it (ruling 20) and how much each."""

    mode: str
    cents: int

    @property
    def hand_cents(self) -> int:
        """What each live hand pays."""
        return 0 if self.mode == BANK_ONLY else self.cents

    def bank_cents(self, live_hands: int) -> int:
        """What the bank pays beside so many live hands; beside none it pays none."""
        return 0 if self.mode == ALL_BUT_BANK or not live_hands else self.cents


def why_outside_limits(schedule: PrintedSchedule, ante_cents: int) -> str | None:
    """None when the schedule's table limit allows the ante, else which bound it breaks."""
    if ante_cents < schedule.ante_min_cents:
        return Phrase("below the least ante of {cents} cents", cents=schedule.ante_min_cents)
    if schedule.ante_max_cents is not None and ante_cents > schedule.ante_max_cents:
        return Phrase("above the highest ante of {cents} cents", cents=schedule.ante_max_cents)
    return None


def band_for(schedule: PrintedSchedule, total_table_action: int) -> PrintedBand:
    """The highest band whose lower bound is not above the total; ValueError below the first band."""
    found = None
    for band in schedule.bands:
        if band.lower_cents > total_table_action:
            break
        found = band
    if found is None:
        raise ValueError(
            f"schedule {schedule.number} has no band for a total table action of {total_table_action} cents"
        )
    return found


def read_schedules(entry: Entry) -> tuple[PrintedSchedule, ...]:
    """The `[collection]` table of a rulebook's file."""
    most_rates = entry.number("most_rates", least=1)
    schedules = []
    for table in entry.tables("schedules"):
        bands = []
        for line in table.tables("bands"):
            bands.append(
                PrintedBand(line.number("from_cents"), line.number("fee_cents"), line.text("clause"))
            )
            line.done()
        schedule = PrintedSchedule(
            number=table.number("number", least=1),
            ante_min_cents=table.number("ante_min_cents", least=1),
            ante_max_cents=table.number("ante_max_cents", least=1) if table.has("ante_max_cents") else None,
            player_fee_cents=table.number("player_fee_cents"),
            bands=tuple(bands),
            clause=table.text("limit_clause"),
            player_clause=table.text("player_clause"),
        )
        lowers = [band.lower_cents for band in bands]
        if not lowers or lowers != sorted(set(lowers)) or lowers[0] > schedule.ante_min_cents:
            raise table.error("bands", "must rise from the least ante on")
        rates = {schedule.player_fee_cents, *(band.fee_cents for band in bands)} - {0}
        if len(rates) > most_rates:
            raise table.error("bands", f"make {len(rates)} rates with the player fee, more than {most_rates}")
        table.done()
        schedules.append(schedule)
    entry.done()
    return tuple(schedules)
