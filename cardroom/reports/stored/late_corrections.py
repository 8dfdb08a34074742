"""Computes the totals of a time once rounds were corrected in other shifts: the one place that decides it, for every report.

What was moved counts in the shift in which it was moved, where boxes, trays and their counts have it: there a correction
counts in the shift in which it was made, as what it changes. What no transfer moves (`OF_THE_RECORD`) is a fact of the
round alone and counts with its round, by its current record. Beside either, reports show what was changed since.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, cast

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable

from cardroom.floor.models import Round, Table
from games.money import dollars

from .figure_types import WAYS, CorrectionMade, Figures, PeriodFigures, Sums, TableFigures

#: Figures of a report that no transfer moves, and so count with their round.
OF_THE_RECORD: Final = (*(name for name, ways in WAYS.items() if "transfers" not in ways), "exhausted_banks")

#: What a correction can change: the figure of reports, its heading, and the columns of the round that it adds up.
CHANGES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "total_table_action_cents": ("Table action", ("total_table_action_cents",)),
    "player_fees_cents": ("Player fees", ("player_fees_cents",)),
    "bank_fees_cents": ("Bank's fees", ("bank_fee_cents",)),
    "rake_cents": ("House rake", ("rake_cents",)),
    "drop_expected_cents": ("Drop", ("player_fees_cents", "bank_fee_cents", "rake_cents")),
    "jackpot_expected_cents": ("Jackpot box", ("jackpot_cents",)),
    "fees_waived_cents": ("Waived", ("waived_cents",)),
    "taken_cents": ("Taken", ("taken_cents",)),
    "paid_cents": ("Paid", ("paid_cents",)),
    "uncovered_cents": ("Uncovered", ("uncovered_cents",)),
    "tips_cents": ("Tips", ("tips_cents",)),
    "exhausted_banks": ("Banks exhausted", ()),
}
#: Those that no round has where the house banks.
CHANGES_OF_PLAYERS: Final = frozenset(
    {
        *("player_fees_cents", "bank_fees_cents", "rake_cents", "drop_expected_cents"),
        *("jackpot_expected_cents", "fees_waived_cents", "uncovered_cents", "exhausted_banks"),
    }
)


@dataclasses.dataclass(frozen=True)
class Correction:
    """A correction, a round of its own: `round_shift` is the shift of the first record, `changed` new less old by figure."""

    round: Round
    round_shift: int
    changed: Mapping[str, int]

    @property
    def is_late(self) -> bool:
        """Whether it was made in another shift than that of its round."""
        return self.round.shift_id != self.round_shift


@dataclasses.dataclass(frozen=True)
class Corrections:
    """The corrections that concern some shifts, each kind in the order in which they were made.

    `of_rounds` are those of rounds first recorded there, whenever they were made; `brought` those made there of rounds
    first recorded elsewhere.
    """

    shifts: frozenset[int]
    of_rounds: Sequence[Correction]
    brought: Sequence[Correction]

    @property
    def later(self) -> list[Correction]:
        """Those of its rounds that were made in other shifts: they are in no sum of what was moved there."""
        return [each for each in self.of_rounds if each.round.shift_id not in self.shifts]

    def since(self, figure: str) -> int:
        """By how much those have changed a figure."""
        return sum(each.changed[figure] for each in self.later)

    def in_words(self, figure: str) -> str:
        """The same for a line below the figure; empty without a change."""
        return format_since(figure, self.since(figure))


def corrections_of(shifts: Iterable[int], table: Table | None = None) -> Corrections:
    """Read the corrections that concern shifts, given by their ids, at one table or at all: a few queries."""
    ids = frozenset(shifts)
    played = Round.objects.filter(shift__in=ids).order_by()
    if table is not None:
        played = played.filter(table=table)
    # By the ids of what was corrected: through a join, SQLite would walk through all rounds there are.
    corrected = played.filter(Exists(Round.objects.filter(corrects=OuterRef("pk"))), revision=0)
    shift_of = cast("dict[int, int]", dict(corrected.values_list("pk", "shift")))
    of_rounds: list[Correction] = []
    waiting = set(shift_of)
    while waiting:  # a correction may be corrected again
        made = [
            Correction(each, shift_of[cast("int", each.corrects_id)], _changed(each))
            for each in _with_changes(Round.objects.filter(corrects__in=waiting))
        ]
        shift_of |= {each.round.pk: each.round_shift for each in made}
        waiting = {each.round.pk for each in made}
        of_rounds += made
    found = {each.round.pk for each in of_rounds}
    made_here = played.filter(revision__gt=0).values_list("pk", flat=True)
    brought = _read(Round.objects.filter(pk__in=set(made_here) - found))
    return Corrections(ids, _in_order(of_rounds), brought)


def corrections_made_in(shift: int) -> list[Correction]:
    """Read the corrections that were made in a shift, of whichever rounds."""
    return _read(Round.objects.filter(shift=shift, revision__gt=0))


def standing_rounds(corrections: Corrections, table: Table | None = None) -> QuerySet[Round]:
    """Return each round first recorded in the shifts, by its current record, in no order."""
    replaced = {each.round.corrects_id for each in corrections.of_rounds}
    last = {each.round.pk for each in corrections.of_rounds} - replaced
    standing = Q(shift__in=corrections.shifts, revision=0)
    if last:
        standing = (standing & ~Q(pk__in=replaced)) | Q(pk__in=last)
    rounds = Round.objects.filter(standing).order_by()
    return rounds if table is None else rounds.filter(table=table)


def _read(rounds: QuerySet[Round]) -> list[Correction]:
    made = list(_with_changes(rounds))
    if not made:
        return []
    places = {(each.table_id, each.gaming_day, each.number) for each in made}
    first = Round.objects.filter(
        table__in={table for table, _, _ in places},
        gaming_day__in={day for _, day, _ in places},
        number__in={number for _, _, number in places},
        revision=0,
    ).values_list("table", "gaming_day", "number", "shift")
    shift_of = {(table, day, number): shift for table, day, number, shift in first}
    return _in_order(
        Correction(each, shift_of[each.table_id, each.gaming_day, each.number], _changed(each))
        for each in made
    )


def _in_order(corrections: Iterable[Correction]) -> list[Correction]:
    return sorted(corrections, key=lambda each: (each.round.corrected_at, each.round.pk))


def _with_changes(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Corrections, annotated with what they change."""
    changes = {f"d_{name}": _change(columns) for name, (_, columns) in CHANGES.items() if columns}
    people = ("table", "shift", "schedule", "corrected_by", "correction_approved_by")
    return (
        rounds.order_by()
        .annotate(was_exhausted=F("corrects__exhausted"), corrects_shift=F("corrects__shift"), **changes)
        .select_related(*people)
        .defer("bets", "fees", "sheet", "settlement")
    )


def _change(columns: Sequence[str]) -> Combinable:
    first, *others = (F(column) - F(f"corrects__{column}") for column in columns)
    return sum(others, first)


def _changed(made: Any) -> dict[str, int]:
    """What a correction, annotated with its changes, changes."""
    changed = {name: getattr(made, f"d_{name}") for name, (_, columns) in CHANGES.items() if columns}
    return {**changed, "exhausted_banks": int(made.exhausted) - int(made.was_exhausted)}


def format_since(figure: str, change: int) -> str:
    """Return a later change for a line below a figure: "−$3 since, by later corrections"; empty for none."""
    return f"{format_changed(figure, change)} since, by later corrections" if change else ""


def format_changed(figure: str, change: int) -> str:
    """Return a change as reports write it: "−$3", "+1"."""
    size = dollars(abs(change)) if figure.endswith("_cents") else f"{abs(change):,}"
    return f"{'−' if change < 0 else '+'}{size}"


@dataclasses.dataclass(frozen=True)
class Standing:
    """The figures of stored reports with later corrections: `total` and `tables` (in their order).

    What was moved is as it was reported, `OF_THE_RECORD` is by the current record of the rounds of these shifts. `later` are the
    corrections of their rounds made elsewhere, `brought` those made there of rounds of other shifts.
    """

    total: Sums
    tables: Sequence[TableFigures]
    later: Sequence[CorrectionMade]
    brought: Sequence[CorrectionMade]

    def in_words(self, table: int | None = None) -> str:
        """What was changed since, of one table (its id) or all: "Uncovered −$3, Banks exhausted −1"; empty for nothing."""
        since = added_up(each for each in self.later if table in (None, each["table"]))
        return ", ".join(
            f"{CHANGES[name][0]} {format_changed(name, change)}" for name, change in since.items() if change
        )


def standing(figures: Figures | PeriodFigures) -> Standing:
    """Return the figures of a stored report with later corrections."""
    shifts = _shifts(figures)
    later, brought = later_of(figures, shifts), brought_of(figures, shifts)

    def stands(sums: Any, table: int | None) -> Any:
        more = added_up(each for each in later if table in (None, each["table"]))
        less = added_up(each for each in brought if table in (None, each["table"]))
        return {**sums, **changed_sums(sums, more, less)}

    return Standing(
        total=stands(figures["total"], None),
        tables=[stands(table, table["table"]) for table in figures["tables"]],
        later=later,
        brought=brought,
    )


def later_of(figures: Mapping[str, Any], shifts: Collection[int]) -> list[CorrectionMade]:
    """The corrections of the rounds of stored figures that were made in none of `shifts`."""
    return [each for each in figures.get("later") or [] if each["shift"] not in shifts]


def brought_of(figures: Mapping[str, Any], shifts: Collection[int]) -> list[CorrectionMade]:
    """The corrections in stored figures of rounds first recorded in none of `shifts`."""
    return [each for each in figures["corrections"] if each.get("round_shift") not in (None, *shifts)]


def changed_sums(
    sums: Mapping[str, int | None], since: Mapping[str, int], brought: Mapping[str, int]
) -> dict[str, int]:
    """Those of reported `sums` that later corrections changed; one that is not known stays so."""
    return {
        name: known + since.get(name, 0) - brought.get(name, 0)
        for name in OF_THE_RECORD
        if (known := sums.get(name)) is not None
    }


def added_up(corrections: Iterable[CorrectionMade]) -> dict[str, int]:
    """What corrections change together, by figure."""
    sums = dict.fromkeys(CHANGES, 0)
    for each in corrections:
        for name, change in each["changed"].items():
            sums[name] += change
    return sums


def _shifts(figures: Figures | PeriodFigures) -> set[int]:
    """The ids of the shifts that a stored report is about."""
    about = cast("Mapping[str, Any]", figures)
    return {part["shift"] for part in about.get("parts", [about["subject"]])}
