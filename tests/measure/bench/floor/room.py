"""A room to measure in: forty tables that are playing, and years of rounds behind them."""

from __future__ import annotations

import datetime
from typing import Any

from django.db import connection, models, transaction

from cardroom.floor.commands.bank import offer_answer
from cardroom.floor.commands.boxes import boxes_place
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.seats import down_start, player_seat
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.models import Round, Shift, Table, Transfer
from cardroom.people.models import Player, Role
from tests.cast import PLAYERS, Cast, sheet
from tests.filing import table_settings
from tests.measure.bench.copies import database_settled

from . import ROUND_SECONDS, SHIFT_ROUNDS, TABLES

#: Who plays at each table; the first has the bank.
BANK, BETTORS = 1, (2, 4, 5, 6, 7)
ANTES = dict.fromkeys(BETTORS, 1000)


class Floor:
    """The room, its forty tables, and the shift manager who may act at all of them."""

    def __init__(self) -> None:
        self.cast = Cast()
        self.room = self.cast.room
        self.cast.table.delete()
        self.cast.second_table.delete()
        self.tables = [Table.objects.create(room=self.room, number=number) for number in range(1, TABLES + 1)]
        self.cast.send_room(shift_open, "shift_manager", name="Day")
        for table in self.tables:
            self._open(table)
        boxes = [{"table": table.pk, "number": table.number} for table in self.tables]
        self.cast.send_room(boxes_place, "shift_manager", boxes=boxes)
        template = self._played()
        self.cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=template.pk)
        self.cast.send_room(shift_open, "shift_manager", name="Swing")
        self._played()

    def send(self, command: TableCommand[...], table: Table, /, **arguments: Any) -> dict[str, Any]:
        return self.cast.send(command, "shift_manager", table, **arguments)

    def _open(self, table: Table) -> None:
        dealer = self.cast.hire(f"dealer_of_{table.number}", Role.DEALER)
        filed = self.cast.schedule(1).pk
        self.send(
            table_set,
            table,
            **table_settings(self.room, rulebook="california", options={}, schedule_id=filed),
        )
        self.send(table_open, table)
        self.send(down_start, table, dealer_id=dealer.pk)
        for seat in (BANK, *BETTORS):
            player = Player.objects.create(room=self.room, name=f"{PLAYERS[seat]} {table.number}")
            self.send(player_seat, table, seat=seat, player_id=player.pk)
        self.send(offer_answer, table, seat=BANK, answer="accepted")

    def _played(self) -> Shift:
        """One round at every table, in the open shift, for the others to be copied from."""
        for table in self.tables:
            document = sheet(ANTES, bank=BANK)
            for position in document["positions"]:
                position["player"] += f" {table.number}"
            self.send(round_record, table, sheet=document)
        return Shift.objects.get(room=self.room, closed_at__isnull=True)

    def fill(self, rounds: int) -> None:
        """Copy each table's rounds: `SHIFT_ROUNDS` into the open shift, and `rounds` in all into the one before.

        They end one after another, `ROUND_SECONDS` apart: the board counts those of the last hour. Those of the open shift
        have all their fees, the others one each: the board adds up the open shift alone.
        """
        earlier, now = Shift.objects.filter(room=self.room).order_by("id")
        with transaction.atomic():
            _copy(earlier, rounds // TABLES, days_back=1, fees=1, until=SHIFT_ROUNDS + 1)
            _copy(now, SHIFT_ROUNDS, days_back=0, fees=len(BETTORS) + 1, until=1)
        database_settled()

    def fill_shift(self, shift: Shift, times: int) -> None:
        """Copy each table's round of `shift` so many times within it, as recorded and with all its transfers.

        They bear numbers past those that their table has had on the day, and a rotation by the hour: by one that counts
        rounds, each of them would be an exception, and a report of thousands is none that a room has.
        """
        for original in Round.objects.filter(shift=shift):
            highest = Round.objects.aggregate(highest=models.Max("id"))["highest"]
            number = f"number + {SHIFT_ROUNDS} + n"
            _insert(
                Round,
                f"id = {original.pk}",
                times,
                id=f"{highest} + n",
                number=number,
                rotation="'every_hour'",
            )
            _insert(Transfer, f"round_id = {original.pk}", times, round_id=f"{highest} + n", id=None)


def _copy(shift: Shift, times: int, *, days_back: int, fees: int, until: int = 0) -> None:
    """Copy the round of each table in `shift` so many times, with so many of its fees; in SQL, for speed.

    The last copy lies `until` rounds before the original, each other one round before the next.
    """
    earlier = f"{ROUND_SECONDS} * ({until} + {times} - n)"
    originals = Round.objects.filter(shift=shift)
    for original in originals:
        highest = Round.objects.aggregate(highest=models.Max("id"))["highest"]
        day = (shift.gaming_day - datetime.timedelta(days=days_back)).isoformat()
        _insert(
            Round,
            f"id = {original.pk}",
            times,
            id=f"{highest} + n",
            number="number + n",
            gaming_day=f"'{day}'" if connection.vendor == "sqlite" else f"DATE '{day}'",
            # What a round holds in full has no part in the board; a million of them would only fill the disk.
            sheet="'{}'",
            settlement="'{}'",
            bets="'[]'",
            fees="'[]'",
            **{
                name: _earlier(name, earlier)
                for name in ("opened_at", "bets_closed_at", "dealt_at", "ended_at")
            },
        )
        paid = Transfer.objects.filter(round=original, kind=Transfer.Kind.FEE).values_list("pk", flat=True)
        _insert(
            Transfer,
            f"id IN ({', '.join(map(str, paid[:fees]))})",
            times,
            round_id=f"{highest} + n",
            made_at=_earlier("made_at", earlier),
            id=None,
        )


def _earlier(column: str, seconds: str) -> str:
    """An instant so many seconds before the one in `column`, in SQL."""
    if connection.vendor == "sqlite":
        return f"strftime('%Y-%m-%d %H:%M:%f', {column}, '-' || ({seconds}) || ' seconds')"
    return f"{column} - {seconds} * INTERVAL '1 second'"


def _insert(model: type[models.Model], where: str, times: int, **columns: str | None) -> None:
    names, values = [], []
    for field in model._meta.concrete_fields:
        value = columns.get(field.column, f'"{field.column}"')
        if value is not None:
            names.append(f'"{field.column}"')
            values.append(value)
    series = (
        f"(WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < {times}) SELECT n FROM up)"
        if connection.vendor == "sqlite"
        else f"(SELECT generate_series(1, {times}) AS n)"
    )
    table = model._meta.db_table
    sql = (
        f"INSERT INTO {table} ({', '.join(names)}) "
        f"SELECT {', '.join(values)} FROM {table} CROSS JOIN {series} AS series WHERE {where}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql)
        if connection.vendor == "postgresql":
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
            )
