"""Queries on the tray of a table that the house banks: what should lie in it, and what makes it up, in cents.

A tray is open from an opener to the closer that follows it: its stretch. Within it

    expected = opener + fills - credits - bought in + won - lost

where `won` are wagers taken into the tray and `lost` what is paid out of it. A correction of a round counts in the stretch
in which it is made.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, Q, QuerySet, Sum, When

from ..models import Shift, Table, Transfer, TraySlip

_TRAY = Transfer.Account.TRAY
_KIND = TraySlip.Kind


@dataclasses.dataclass(frozen=True)
class Tray:
    """One stretch of a tray: its opener, the closer where there is one, and what moved between them in cents."""

    opener: TraySlip
    closer: TraySlip | None
    filled_cents: int
    credited_cents: int
    bought_in_cents: int
    won_cents: int
    lost_cents: int

    @property
    def opened_cents(self) -> int:
        return self.opener.cents

    @property
    def counted_cents(self) -> int | None:
        """What the closer counted; None while the tray is open."""
        return None if self.closer is None else self.closer.cents

    @property
    def expected_cents(self) -> int:
        """What should lie in the tray now, or as it was closed."""
        moved = self.filled_cents - self.credited_cents - self.bought_in_cents
        return self.opened_cents + moved + self.won_cents - self.lost_cents

    @property
    def variance_cents(self) -> int | None:
        """Counted less expected; negative is short."""
        return None if self.closer is None else self.closer.cents - self.expected_cents


def last_count(table: Table) -> TraySlip | None:
    """Return the latest opener or closer of a table; the tray is open where it is an opener."""
    counts = TraySlip.objects.filter(table=table, kind__in=TraySlip.COUNTS).select_related("shift")
    return counts.order_by("-id").first()


def open_tray(table: Table) -> Tray | None:
    """Return the stretch of a table's tray that no closer has ended; four queries, and None where it is closed."""
    opener = last_count(table)
    return None if opener is None or opener.kind != _KIND.OPENER else tray_since(opener)


def last_tray(table: Table) -> Tray | None:
    """Return the stretch that is open, or else the last one; None before the first opener."""
    last = last_count(table)
    if last is None or last.kind == _KIND.OPENER:
        return None if last is None else tray_since(last)
    opener = TraySlip.objects.filter(table=table, kind=_KIND.OPENER, pk__lt=last.pk).order_by("-id").first()
    return None if opener is None else tray_since(opener, last)


def tray_since(opener: TraySlip, closer: TraySlip | None = None) -> Tray:
    """Return the stretch from `opener` to `closer`, or until now."""
    slips = TraySlip.objects.filter(table=opener.table_id, pk__gt=opener.pk)
    transfers = Transfer.objects.filter(
        shift__in=_shifts_since(opener), table=opener.table_id, made_at__gt=opener.made_at
    )
    if closer is not None:
        slips = slips.filter(pk__lt=closer.pk)
        transfers = transfers.filter(made_at__lte=closer.made_at)
    moved = dict(slips.order_by().values_list("kind").annotate(moved=Sum("cents")))
    through = {kind: cents or 0 for kind, cents in _into_the_tray(transfers)}
    won, bought_in = through.pop(Transfer.Kind.TAKE, 0), -through.pop(Transfer.Kind.BUY_IN, 0)
    return Tray(
        opener=opener,
        closer=closer,
        filled_cents=moved.get(_KIND.FILL, 0),
        credited_cents=moved.get(_KIND.CREDIT, 0),
        bought_in_cents=bought_in,
        won_cents=won,
        lost_cents=-sum(through.values()),
    )


def tables_with_open_trays(tables: QuerySet[Table]) -> list[Table]:
    """Return those of `tables` whose tray no closer has counted since its last opener; one query."""
    later = TraySlip.objects.filter(table=OuterRef("table"), kind=_KIND.CLOSER, pk__gt=OuterRef("pk"))
    openers = TraySlip.objects.filter(~Exists(later), kind=_KIND.OPENER, table=OuterRef("pk"))
    return list(tables.filter(Exists(openers)).order_by("number"))


def _shifts_since(opener: TraySlip) -> list[int]:
    """The shift of an opener and those after it: transfers are found by them, and corrections may come late."""
    since = Shift.objects.filter(room=opener.room_id, opened_at__gte=opener.shift.opened_at)
    return list(since.values_list("pk", flat=True))


def _into_the_tray(transfers: QuerySet[Transfer]) -> Iterable[tuple[str, int | None]]:
    """What went into a tray less what came out of it, in cents by the kind of transfer."""
    into = Case(When(target=_TRAY, then=F("cents")), default=-F("cents"), output_field=BigIntegerField())
    through = transfers.filter(Q(source=_TRAY) | Q(target=_TRAY)).order_by()
    return through.values_list("kind").annotate(cents=Sum(into))
