"""Recomputes settlement and fees of rounds: by the engine and rulebook of each sheet, and by the schedule as it was filed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from django.db.models import QuerySet

from cardroom.floor.models import Round, Shift
from cardroom.floor.settling.fixing import fix_settlement
from games.engine import read_recorded_sheet
from games.refusal import Refusal

from ..queries.rounds_in_scope import round_name
from .fee_audit import STRIDE, audit_fees

#: The columns of a round that its settlement says again.
_SAYS: Final = (
    *("sheet", "settlement", "taken_cents", "paid_cents", "meter_cents", "uncovered_cents", "tips_cents"),
    "exhausted",
)
_READ: Final = ("pk", "table__number", "gaming_day", "number", "revision", "fees", *_SAYS)


def rounds_settled_again(
    of: QuerySet[Round], on_progress: Callable[[int], None] = lambda _: None
) -> Iterator[str]:
    """Settle each settled round of a query again; yield every one that comes out otherwise than it is recorded."""
    rounds = of.filter(settlement__isnull=False).order_by("pk").values_list(*_READ)
    again = Round()  # one for all rounds: its columns are set anew by each
    for done, (pk, table, day, number, revision, fees, *recorded) in enumerate(
        rounds.iterator(chunk_size=STRIDE), start=1
    ):
        again.fees = fees
        named = f"round {pk} (table {table}, {round_name(day, number, revision)})"
        try:
            # The rake of a game with one is charged again with the fees.
            fix_settlement(again, read_recorded_sheet(recorded[0]), takes_rake=False)
        except (Refusal, LookupError, TypeError, ValueError, AttributeError) as error:
            yield f"{named}: what was recorded cannot be settled again: {error}"
            continue
        for column, was in zip(_SAYS, recorded, strict=True):
            if getattr(again, column) != was:
                yield f"{named}: its {column} is not what the engine settles"
        if done % STRIDE == 0:
            on_progress(done)


def rounds_charged_again(
    of: QuerySet[Round], on_progress: Callable[[int], None] = lambda _: None
) -> Iterator[str]:
    """Charge each round of a query again by its filed schedule; yield every figure that comes out otherwise."""
    played_in = of.order_by().values("shift")
    shifts = Shift.objects.filter(pk__in=played_in).order_by("pk").values_list("pk", flat=True)
    for found in audit_fees(of, shifts, on_progress).found:
        yield (
            f"round {found['round']} (table {found['table']}, {found['name']}): its {found['figure']} "
            f"is recorded as {found['recorded']}, and {found['computed']} follow from its filed schedule"
        )
