"""`manage.py replay FILE`: record a file of round sheets (JSON Lines) at a table."""

from __future__ import annotations

import argparse
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cardroom.demo.replay import Played, Replay, Totals, shift_manager_of
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Table
from cardroom.rooms.command_line import room_given, rooms_known
from cardroom.rooms.models import Room

#: Without a terminal, progress is printed every so many lines.
EVERY = 500
#: On a terminal, the progress line is rewritten this often (seconds).
TICK = 0.2


class Command(BaseCommand):
    help = (
        "Play a file of round sheets (JSON Lines) through the services at a table: settings, seats, offers of the bank, "
        "fees and settlement. Prints totals and what was refused; ends with status 1 if any sheet was."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "file", type=argparse.FileType("rb"), help="round sheets, one a line; - for standard input"
        )
        parser.add_argument("--room", metavar="CODE", help="code of the room; needed where there are several")
        parser.add_argument("--table", metavar="N", type=int, help="number of the table; default: the lowest")

    def handle(self, *args: Any, **options: Any) -> None:
        table = _table(_room(options["room"]), options["table"])
        actor = shift_manager_of(table.room)
        if actor is None:
            raise CommandError(f"{table.room} has no shift manager, in whose name rounds could be replayed.")
        replay = Replay(table, actor)
        try:
            replay.prepare()
        except FloorError as refusal:
            raise CommandError(refusal.message) from refusal
        totals = Totals()
        started = self._reported_at = time.monotonic()
        for played in replay.play_all(options["file"]):
            if played.settlement is not None:
                totals.add(played.settlement)
            else:
                totals.refused += 1
                self._tell_refusal(played)
            self._tell_progress(played.line, totals)
        if self.stderr.isatty():
            self.stderr.write("\r\033[K", ending="")
        self._tell_totals(table, totals, time.monotonic() - started)
        if totals.refused:
            raise SystemExit(1)

    def _tell_refusal(self, played: Played) -> None:
        assert played.refusal is not None
        why = played.refusal
        place = f" at {why.path}" if why.path else ""
        clear = "\r\033[K" if self.stderr.isatty() else ""
        self.stderr.write(f"{clear}line {played.line}: {why.code}{place}: {why.message}")

    def _tell_progress(self, line: int, totals: Totals) -> None:
        text = f"line {line}: {totals.rounds} rounds, {totals.refused} refused"
        if not self.stderr.isatty():
            if line % EVERY == 0:
                self.stderr.write(text)
        elif time.monotonic() - self._reported_at >= TICK:
            self._reported_at = time.monotonic()
            self.stderr.write(f"\r\033[K{text}", ending="")
            self.stderr.flush()

    def _tell_totals(self, table: Table, totals: Totals, seconds: float) -> None:
        pace = f"{totals.rounds / seconds:.0f} a second" if seconds > 0 else "at once"
        rows = [
            ("rounds", f"{totals.rounds:,}"),
            ("refused", f"{totals.refused:,}"),
            ("total table action", _dollars(totals.action_cents)),
            ("fees", _dollars(totals.fees_cents)),
            ("taken", _dollars(totals.taken_cents)),
            ("paid", _dollars(totals.paid_cents)),
            ("uncovered", _dollars(totals.uncovered_cents)),
            ("tips", _dollars(totals.tips_cents)),
        ]
        width = max(len(value) for _, value in rows)
        self.stdout.write(f"{table.room}, {table}: {pace}")
        for name, value in rows:
            self.stdout.write(f"  {name:<20}{value:>{width}}")


def _room(code: str | None) -> Room:
    if code is not None:
        return room_given(code)
    rooms = list(Room.objects.all()[:2])
    if len(rooms) != 1:
        raise CommandError(f"Which room? Give --room. {rooms_known()}")
    return rooms[0]


def _table(room: Room, number: int | None) -> Table:
    tables = Table.objects.select_related("room").filter(room=room).order_by("number")
    table = tables.first() if number is None else tables.filter(number=number).first()
    if table is None:
        numbers = ", ".join(str(number) for number in tables.values_list("number", flat=True)) or "none"
        raise CommandError(
            f"{room} has no {'table' if number is None else f'table {number}'}. Tables: {numbers}."
        )
    return table


def _dollars(cents: int) -> str:
    """Cents as dollars with both places, which stand one below the other."""
    return f"${cents // 100:,}.{cents % 100:02d}"
