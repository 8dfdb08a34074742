"""Fee schedules (`Schedule`), read and validated: what players and the player-dealer owe for a round, if that is legal.

Only `read_schedule` makes a `Schedule`, and it refuses illegal documents, so that every instance can be charged. The
document's form is in `fees.document`; what each line charges is in `fees.charges`.

Bands of total table action are printed in whole dollars ("$5 - $100", "$101+"), while antes may hold cents. The band
that applies is the one with the highest lower bound not above the total, so that $100.50 is still in "$5 - $100"
(ruling 13). The printed upper bound therefore has no effect on fees. It is checked since patrons read it: the next band
starts above it, by a dollar at most. Printed so, bands are without gaps and without overlaps. All other bands are read
and checked in the same way; those of positions go up by one. Bands of a wager's own amount say from what to what it may
be placed: what lies outside them has no fee, so no such wager is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from fees.charges import BY_ANTES, Band, Bands, Charge, Rate, basis_of
from fees.document import (
    ANTE,
    BANK,
    DROP,
    HALF_HOUR,
    HOUR,
    JACKPOT,
    LARGEST_ANTE,
    OWN_ANTE,
    PERIODS,
    PLAYER,
    POSITION,
    POSITIONS,
    ROUND,
    TOTAL_TABLE_ACTION,
    WAGER,
    BandLine,
    Document,
    Problem,
    RateLine,
    WaiverRule,
    band_label,
    bound_label,
    read_document,
)
from fees.errors import ScheduleRefused
from fees.seat_time import TimeRate
from games.money import dollars
from games.phrases import Phrase
from games.rulebook import Rulebook

__all__ = ["MOST_RATES", "Problem", "Schedule", "Tariff", "problems", "read_schedule"]

#: Different non-zero rates that one table limit may have, all payers together (california:fees.8, ruling 14).
MOST_RATES = 5
#: How far above a printed upper bound the next band may start: bounds are printed in whole dollars.
_STEP_CENTS = 100


#: The code of a line that charges for a wager of which the approval lets no fee come.
WAGER_WITHOUT_FEE = "wager_without_fee"

#: What a wager that bears the table limit is called where no layout names it.
MAIN_WAGER = Phrase("main wager")
#: Units of a fee in words.
_UNITS = {
    ROUND: Phrase("round"),
    HALF_HOUR: Phrase("half hour"),
    HOUR: Phrase("hour"),
}


class Tariff(NamedTuple):
    """One posted fee: who pays (`player` or `bank`), for each of what, how many cents, and the source.

    `due` is the unit of the fee (`per` in `fees.document`); `wager` is the kind of wager, `band` the printed band, each
    empty where it does not apply. The fee goes into `box`, the drop's or the jackpot's. `main` is what the layout calls the
    main wager, empty where no layout is known.
    """

    payer: str
    due: str
    wager: str
    band: str
    cents: int
    clause: str
    box: str = DROP
    main: str = ""

    @property
    def who(self) -> str:
        """Who pays, as on the fee notice."""
        return Phrase("Each player") if self.payer == PLAYER else Phrase("The player-dealer")

    @property
    def for_each(self) -> str:
        """What the fee is due for, as on the fee notice: `Ante`, `round with total table action of $101+`."""
        into = self.box == JACKPOT
        if self.wager:
            wager = self.wager.replace("_", " ")
            if self.band:
                return Phrase("{wager} wager of {band}", wager=wager, band=self.band)
            return (
                Phrase("{wager} wager, into the jackpot", wager=wager)
                if into
                else Phrase("{wager} wager", wager=wager)
            )
        if self.due in PERIODS:
            return Phrase(
                "{period} by the clock that begins while they sit here",
                period=_UNITS[self.due],
            )
        main = self.main or MAIN_WAGER
        what = {
            ANTE: main,
            OWN_ANTE: Phrase("{wager} of {band}", wager=main, band=self.band),
            TOTAL_TABLE_ACTION: Phrase("round with total table action of {band}", band=self.band),
            LARGEST_ANTE: Phrase("round whose largest {wager} is {band}", wager=main, band=self.band),
            POSITIONS: Phrase("round with one position in play")
            if self.band == "1"
            else Phrase("round with {band} positions in play", band=self.band),
            POSITION: Phrase("position in play"),
        }.get(self.due, _UNITS.get(self.due, self.due))
        return Phrase("{what}, into the jackpot", what=what) if into else what


@dataclass(frozen=True, slots=True)
class Schedule:
    """A legal schedule: table limit in cents, what each position is charged, and what the player-dealer is.

    `ante_max_cents` None is "no limit". Bands ascend from the least amount that there can be. `bank` is one charge, or two:
    a flat fee by the round, and one for each ante or position; or none where it pays nothing and players pay by time.
    `clause` names the source of the whole. `time` is what each seat pays by the clock, and then `players` are charged nothing
    by the round; `jackpot` is collected beside all that, into its own box. `waivers` are the published rules.
    """

    number: int
    title: str
    ante_min_cents: int
    ante_max_cents: int | None
    players: tuple[Charge, ...]
    bank: tuple[Charge, ...]
    clause: str
    time: TimeRate | None = None
    jackpot: tuple[Rate, ...] = ()
    waivers: tuple[WaiverRule, ...] = ()

    @property
    def limit_label(self) -> str:
        """The table limit as printed: `$5 - $100`, or `$50 - no limit`."""
        return _limit_label(self.ante_min_cents, self.ante_max_cents)

    @property
    def bands(self) -> tuple[Band, ...]:
        """The player-dealer's bands; empty if it pays no fee by bands."""
        return next((charge.bands for charge in self.bank if isinstance(charge, Bands)), ())

    @property
    def bank_labels(self) -> tuple[str, ...]:
        """Every basis of the player-dealer's fee that a round can have on record (`Quote.bank_label`)."""
        for charge in self.bank:
            if isinstance(charge, Bands):  # which stands alone
                return (BY_ANTES,) if charge.per == OWN_ANTE else tuple(map(charge.label, charge.bands))
        flat = [basis_of(charge) for charge in self.bank if isinstance(charge, Rate)]
        return (" + ".join(flat),) if flat else ()

    @property
    def tariff(self) -> tuple[Tariff, ...]:
        """Every fee in the order of the notice: the players' first, bands from the lowest up, the jackpot last."""
        rows = [row for charge in (*self.players, *self.bank) for row in _tariff(charge)]
        if self.time is not None:
            rows.insert(0, Tariff(PLAYER, self.time.per, "", "", self.time.fee_cents, self.time.clause))
        return (*rows, *(row for rate in self.jackpot for row in _tariff(rate, JACKPOT)))

    def tariff_at(self, rulebook: Rulebook) -> tuple[Tariff, ...]:
        """The same with the wagers by their names on the layout of `rulebook`."""
        names = {wager.id: wager.name for wager in rulebook.wagers.values()}
        return tuple(
            row._replace(wager=names.get(row.wager, row.wager), main=rulebook.main_name)
            for row in self.tariff
        )

    @property
    def wagers(self) -> frozenset[str]:
        """The wagers that have a fee of their own, by id."""
        charges = (*self.players, *self.jackpot)
        return frozenset(charge.wager for charge in charges if charge.wager is not None)

    def without(self, wagers: Collection[str]) -> Schedule:
        """The same without the fees for these wagers."""

        def kept(charge: Charge) -> bool:
            return charge.wager is None or charge.wager not in wagers

        return replace(
            self,
            players=tuple(filter(kept, self.players)),
            jackpot=tuple(rate for rate in self.jackpot if kept(rate)),
        )

    def waiver(self, key: str) -> WaiverRule | None:
        """The published waiver rule of that key."""
        return next((rule for rule in self.waivers if rule.key == key), None)

    def why_outside_limits(self, cents: int, wager: str = "") -> str | None:
        """Return None for a main wager of `cents` inside the table limit, else a sentence that says what is.

        `wager` is its name on the layout.
        """
        if self.ante_min_cents <= cents and (self.ante_max_cents is None or cents <= self.ante_max_cents):
            return None
        return Phrase(
            "{wager} of {cents} is outside the table limit {limit} of {title}.",
            wager=wager or MAIN_WAGER,
            cents=dollars(cents),
            limit=self.limit_label,
            title=self.title,
        )

    def why_outside_bands(self, wager: str, cents: int, name: str = "") -> str | None:
        """Return None for a wager of `cents` that has a fee, or needs none; else a sentence that says which have one.

        `wager` is its id, `name` what the layout calls it.
        """
        bounds = self.bounds_of(wager)
        if bounds is None or (bounds[0] <= cents and (bounds[1] is None or cents <= bounds[1])):
            return None
        return Phrase(
            "{wager} of {cents} is outside {bands}, for which {title} has a fee.",
            wager=name or wager.replace("_", " "),
            cents=dollars(cents),
            bands=band_label(*bounds),
            title=self.title,
        )

    def bounds_of(self, wager: str) -> tuple[int, int | None] | None:
        """From what to what a wager may be placed, in cents, that has a fee by bands of its own amount; None: it has none."""
        for charge in self.players:
            if isinstance(charge, Bands) and charge.wager == wager:
                return charge.bands[0].lower, charge.bands[-1].upper
        return None


_ANY: Mapping[str, str] = MappingProxyType({})


def problems(
    document: object, *, wagers: Collection[str] | None = None, without_fee: Mapping[str, str] = _ANY
) -> list[Problem]:
    """Return why `document` cannot be filed: problems of form, or if there are none, of law. Empty: legal.

    `wagers` are the ids of those that its game may charge a fee for (`games.registry.wagers_with_fees`); None: any.
    `without_fee` are those of which the approval lets no fee come, with its clause (`Rulebook.without_fee`).
    Problems are in the order of their lines; those of the head (limits, what is missing) come first, as
    line 0.
    """
    read, of_form = read_document(document)
    if read is None:
        found = of_form
    else:
        found = [problem for check in _CHECKS for problem in check(read)]
        found += _wagers(read, wagers, without_fee)
    return sorted(found, key=lambda problem: problem.line)


def read_schedule(document: Mapping[str, object], *, number: int, title: str) -> Schedule:
    """Return the schedule in `document` (see `fees.document`), as number `number` of its room.

    Raises ScheduleRefused with every problem when the document cannot be read or is not legal.
    """
    if found := problems(document):
        raise ScheduleRefused(found)
    read, _ = read_document(document)
    assert read is not None
    return Schedule(
        number=number,
        title=title,
        ante_min_cents=read.ante_min_cents,
        ante_max_cents=read.ante_max_cents,
        players=_charges(read, PLAYER),
        bank=_charges(read, BANK),
        clause=read.clause,
        time=_time(read),
        jackpot=tuple(
            Rate(line.payer, line.per, line.wager, line.fee_cents, line.clause or read.clause)
            for payer in (PLAYER, BANK)
            for line in _rate_lines(read, payer, JACKPOT)
        ),
        waivers=read.waivers,
    )


def _time(read: Document) -> TimeRate | None:
    for line in _time_lines(read):
        return TimeRate(line.per, PERIODS[line.per], line.fee_cents, line.clause or read.clause)
    return None


def _charges(read: Document, payer: str) -> tuple[Charge, ...]:
    """What `payer` is charged: the rates in the order written, then the bands of each kind as one charge."""
    charges: list[Charge] = [
        Rate(payer, line.per, line.wager, line.fee_cents, line.clause or read.clause)
        for line in _rate_lines(read, payer)
    ]
    for lines in _band_tables(read, payer):
        per, wager = lines[0].per, lines[0].wager
        bands = tuple(
            Band(line.lower, line.upper, line.fee_cents, line.clause or read.clause, per) for line in lines
        )
        charges.append(Bands(payer, per, bands, wager))
    return tuple(charges)


def _tariff(charge: Charge, box: str = DROP) -> Iterator[Tariff]:
    if isinstance(charge, Rate):
        yield Tariff(charge.payer, charge.per, charge.wager or "", "", charge.fee_cents, charge.clause, box)
        return
    for band in charge.bands:
        yield Tariff(charge.payer, charge.per, charge.wager or "", band.label, band.fee_cents, band.clause)


def _limit_label(ante_min_cents: int, ante_max_cents: int | None) -> str:
    if ante_max_cents is None:
        return Phrase("{least} - no limit", least=dollars(ante_min_cents))
    return band_label(ante_min_cents, ante_max_cents)


def _rate_lines(read: Document, payer: str, box: str = DROP) -> list[RateLine]:
    """The flat lines of `payer` that are due by the round, into `box`."""
    rates = [line for line in read.lines if isinstance(line, RateLine) and not line.by_time]
    return [line for line in rates if line.payer == payer and line.box == box]


def _time_lines(read: Document) -> list[RateLine]:
    return [line for line in read.lines if isinstance(line, RateLine) and line.by_time]


def _band_tables(read: Document, payer: str) -> list[list[BandLine]]:
    """The bands of `payer`, by what they are of."""
    tables: dict[str, list[BandLine]] = {}
    for line in read.lines:
        if isinstance(line, BandLine) and line.payer == payer:
            tables.setdefault(line.basis, []).append(line)
    return list(tables.values())


def _limits(read: Document) -> Iterator[Problem]:
    """The least ante is above 0, and not above the greatest."""
    label = _limit_label(read.ante_min_cents, read.ante_max_cents)
    if read.ante_min_cents <= 0:
        yield Problem(
            0,
            "limit_not_positive",
            f"table limit {label}: the least main wager is above 0; raise ante_min_cents.",
        )
    if read.ante_max_cents is not None and read.ante_max_cents < read.ante_min_cents:
        yield Problem(
            0,
            "limits_reversed",
            f"table limit {label}: the greatest main wager is below the least; swap ante_min_cents and ante_max_cents, or "
            "write null for no limit.",
        )


def _player_fees(read: Document) -> Iterator[Problem]:
    """There is one player fee per ante, position or band of own ante; 0 says that players pay none.

    Fees per wager stand beside it, one for each kind of wager, flat or by bands. Players who pay by time have no other fee.
    """
    rates, tables, times = _rate_lines(read, PLAYER), _band_tables(read, PLAYER), _time_lines(read)
    for line in times:
        yield from _amount(line)
    by_round: list[RateLine | BandLine] = [*rates, *(table[0] for table in tables)]
    if times and by_round:
        yield Problem(
            by_round[0].number,
            "time_and_rounds",
            f"{by_round[0].place}: {times[0].place} collects time already; players pay by time or by the round, "
            "never both. Remove one.",
        )
    for line in times[1:]:
        yield Problem(
            line.number,
            "player_fee_twice",
            f"{line.place}: {times[0].place} has set it already; all players pay the same: keep one.",
        )
    if not by_round and not times:
        yield Problem(
            0,
            "player_fee_missing",
            "schedule: no line says what a player pays per main wager; write 0 if players pay none.",
        )
    yield from _twice("player_fee_twice", by_round, "all players pay the same: keep one.")
    for line in rates:
        yield from _amount(line)
    for table in tables:
        if table[0].per == WAGER:
            yield from _bands(table, None, f"a {table[0].wager} wager", bounded=True)
        else:
            yield from _bands(table, read.ante_min_cents, "a main wager", read.ante_max_cents)


def _bank_fees(read: Document) -> Iterator[Problem]:
    """The player-dealer pays by one thing: bands of one kind, or a rate per ante, position or round.

    A rate per round may stand beside one per ante or position. Where players pay by time, no line says that it pays nothing.
    """
    rates, tables = _rate_lines(read, BANK), _band_tables(read, BANK)
    if not rates and not tables and not _time_lines(read):
        yield Problem(
            0,
            "bank_fee_missing",
            "schedule: no line says what the player-dealer pays; write 0 per round if it pays nothing.",
        )
    yield from _bank_twice(sorted([*rates, *(table[0] for table in tables)], key=lambda line: line.number))
    for line in rates:
        yield from _amount(line)
    for table in tables:
        per = table[0].per
        if per == POSITIONS:
            yield from _bands(table, 1, "the number of positions")
        elif per == TOTAL_TABLE_ACTION:
            yield from _bands(table, read.ante_min_cents, "total table action")
        else:
            yield from _bands(table, read.ante_min_cents, "a main wager", read.ante_max_cents)


def _bank_twice(lines: list[RateLine | BandLine]) -> Iterator[Problem]:
    """Report every line but the first, unless the two are a flat fee by the round and one for each ante or position."""
    kept: list[RateLine | BandLine] = []
    for line in lines:
        if not kept or (len(kept) == 1 and {kept[0].per, line.per} in ({ROUND, ANTE}, {ROUND, POSITION})):
            kept.append(line)
            continue
        yield Problem(
            line.number,
            "bank_fee_twice",
            f"{line.place}: {kept[0].place} has set it already; the player-dealer pays by one thing alone, or a flat "
            "fee by the round and so much for each main wager or position: keep one.",
        )


def _wagers(
    read: Document, known: Collection[str] | None, without_fee: Mapping[str, str]
) -> Iterator[Problem]:
    """A fee for a wager is for one that lies there before the deal, and that the approval lets bear one (ruling 13)."""
    for line in read.lines:
        if line.wager is None:
            continue
        if clause := without_fee.get(line.wager):
            yield Problem(
                line.number,
                WAGER_WITHOUT_FEE,
                f"{line.place}: no fee comes of a {line.wager} wager under this approval ({clause}), into no box and "
                f"under no number. Remove the line, or name under games those alone whose own approval says that it bears one "
                f"(wagers.{line.wager}.fee).",
            )
        elif known is not None and line.wager not in known:
            may = f"write one of {', '.join(known)}" if known else "no wager of this game has one"
            yield Problem(
                line.number,
                "unknown_wager",
                f"{line.place}: {line.wager!r} is no wager of this game that lies there before the deal and may have "
                f"a fee of its own; {may}.",
            )


def _jackpot(read: Document) -> Iterator[Problem]:
    """Each payer has one jackpot line for the hand, and one for each kind of wager."""
    for payer in (PLAYER, BANK):
        lines = _rate_lines(read, payer, JACKPOT)
        yield from _twice("jackpot_twice", lines, "the jackpot is collected once: keep one.")
        for line in lines:
            yield from _amount(line)


def _waivers(read: Document) -> Iterator[Problem]:
    """Each published waiver rule has a key of its own, and covers fees that are due by the round."""
    first: dict[str, WaiverRule] = {}
    for rule in read.waivers:
        if (earlier := first.setdefault(rule.key, rule)) is not rule:
            yield Problem(
                0, "waiver_twice", f"{rule.place}: {earlier.place} has that key; give it one of its own."
            )
        if _time_lines(read) and rule.covers != BANK:
            yield Problem(
                0,
                "waiver_of_time",
                f"{rule.place}: players pay by time here, and a waiver is of a round's fees; write bank.",
            )
        if rule.portion_cents is not None and rule.portion_cents <= 0:
            yield Problem(
                0,
                "portion_not_positive",
                f"{rule.place}: it lets go of {dollars(rule.portion_cents)}; write how many cents of each fee, or leave "
                "portion_cents out for the whole of it.",
            )


def _twice(code: str, lines: Sequence[RateLine | BandLine], hint: str) -> Iterator[Problem]:
    """Report every line that charges for the same thing as an earlier line."""
    first: dict[str, RateLine | BandLine] = {}
    for line in sorted(lines, key=lambda line: line.number):
        # Per ante, per position and by band all charge for the hand itself; each kind of wager is charged by itself.
        earlier = first.setdefault(line.wager or "hand", line)
        if earlier is not line:
            yield Problem(line.number, code, f"{line.place}: {earlier.place} has set it already; {hint}")


def _bands(
    lines: list[BandLine], least: int | None, what: str, most: int | None = None, *, bounded: bool = False
) -> Iterator[Problem]:
    """Bands start at `least`, go up without gap or overlap, and end at `most` at the earliest; None: the last is open.

    `bounded` bands say themselves from what to what they go: they start above 0 and may end anywhere.
    """
    for line in lines:
        yield from _amount(line)
        if line.upper is not None and line.upper < line.lower:
            yield Problem(
                line.number,
                "band_reversed",
                f"{line.place}: the upper bound is below the lower; swap or correct them.",
            )
    first, last = lines[0], lines[-1]
    if bounded and first.lower <= 0:
        yield Problem(
            first.number, "bands_start", f"{first.place}: {what} is above 0; start the first band there."
        )
    elif least is not None and first.lower != least:
        start = "1" if first.per == POSITIONS else f"the table minimum, {dollars(least)}"
        yield Problem(
            first.number,
            "bands_start",
            f"{first.place}: the first band starts at {start}, the least that {what} can be.",
        )
    for lower, upper in pairwise(lines):
        yield from _step(lower, upper)
    if not bounded and last.upper is not None and (most is None or last.upper < most):
        upper_key = "upper_positions" if last.per == POSITIONS else "upper_cents"
        yield Problem(
            last.number,
            "last_band_closed",
            f"{last.place}: {what} above {bound_label(last.upper, last.per)} has no fee; "
            f"leave the last band open ({upper_key} null).",
        )


def _step(lower: BandLine, upper: BandLine) -> Iterator[Problem]:
    """The step from one band to the next: up, and from the printed upper bound by a dollar at most, or by a position."""
    most, step = (1, "1") if upper.per == POSITIONS else (_STEP_CENTS, dollars(_STEP_CENTS))
    start = bound_label(upper.lower, upper.per)
    if upper.lower <= lower.lower:
        yield Problem(
            upper.number,
            "bands_not_ascending",
            f"{upper.place}: it does not start above {lower.place}; write bands from lowest to highest.",
        )
    elif lower.upper is None:
        yield Problem(
            lower.number,
            "open_band_not_last",
            f"{lower.place}: only the last band is open; end this one below {start}.",
        )
    elif upper.lower <= lower.upper:
        yield Problem(
            upper.number,
            "bands_overlap",
            f"{upper.place}: it overlaps {lower.place}; {start} would have two fees.",
        )
    elif upper.lower > lower.upper + most:
        yield Problem(
            upper.number,
            "bands_gap",
            f"{upper.place}: no band is printed between {bound_label(lower.upper, lower.per)} and "
            f"{start}; start it at most {step} above {lower.place}.",
        )


def _amount(line: RateLine | BandLine) -> Iterator[Problem]:
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


_CHECKS = (_limits, _player_fees, _bank_fees, _jackpot, _rates, _waivers)
