"""A simulated day many times over: its shifts, rounds and transfers copied into earlier gaming days, in SQL."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from django.db import connection, models, transaction

from cardroom.floor.models import Round, Shift, Transfer

#: Columns that hold an instant or a day, and go back by whole days with the copy.
_TIMES = (models.DateTimeField, models.DateField)


def copy_until(rounds: int, tell: Callable[[str], None]) -> int:
    """Copy the last day of the room into one earlier gaming day after another until so many rounds are stored."""
    day = Shift.objects.latest("opened_at").gaming_day
    stored = Round.objects.count()
    while stored < rounds:
        back = (day - Shift.objects.earliest("opened_at").gaming_day).days + 1
        with transaction.atomic():
            stored += _copy(day, back)
        tell(f"{stored:,} rounds stored")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "sqlite":
            # A room's own log is never as long as that of a million rounds written at once.
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return stored


def _copy(day: datetime.date, back: int) -> int:
    """Copy gaming day `day` to the one `back` days before; return how many rounds it has."""
    shifts = Shift.objects.filter(gaming_day=day)
    ids = ", ".join(str(pk) for pk in shifts.values_list("pk", flat=True))
    up = {model: _offset(model) for model in (Shift, Round, Transfer)}
    of_shifts = f"shift_id IN ({ids})"
    _insert(Shift, f"id IN ({ids})", back, id=f"id + {up[Shift]}")
    _insert(
        Round,
        of_shifts,
        back,
        id=f"id + {up[Round]}",
        shift_id=f"shift_id + {up[Shift]}",
        corrects_id=f"corrects_id + {up[Round]}",
    )
    _insert(
        Transfer,
        of_shifts,
        back,
        id=f"id + {up[Transfer]}",
        shift_id=f"shift_id + {up[Shift]}",
        round_id=f"round_id + {up[Round]}",
        reverses_id=f"reverses_id + {up[Transfer]}",
    )
    return Round.objects.filter(shift__in=shifts).count()


def _offset(model: type[models.Model]) -> int:
    highest: int = model._default_manager.aggregate(highest=models.Max("id"))["highest"]
    return highest


def _insert(model: type[models.Model], where: str, back: int, **columns: str) -> None:
    names, values = [], []
    for field in model._meta.concrete_fields:
        value = columns.get(field.column, f'"{field.column}"')
        if isinstance(field, _TIMES):
            value = _earlier(field, back)
        names.append(f'"{field.column}"')
        values.append(value)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(values)} FROM {table} WHERE {where}"
        )
        if connection.vendor == "postgresql":
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
            )


def _earlier(field: models.Field[object, object], back: int) -> str:
    name = f'"{field.column}"'
    if connection.vendor == "postgresql":
        kind = "timestamptz" if isinstance(field, models.DateTimeField) else "date"
        return f"({name} - interval '{back} days')::{kind}"
    if isinstance(field, models.DateTimeField):
        return f"strftime('%Y-%m-%d %H:%M:%f', {name}, '-{back} days')"
    return f"date({name}, '-{back} days')"
