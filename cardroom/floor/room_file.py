"""Exports and imports a room's set-up as a file that people read and write: settings, schedules, games, levies and tables.

    [room]
    name = "Alder Creek"
    code = "alder-creek"
    gaming_day_starts = 06:00:00

    [[schedule]]        # as in cardroom.filings.schedule_file, with effective_from and state_reference
    [[game]]            # number, rulebook, title, rotation, effective_from, state_reference and [game.options]
    [[levy]]            # number, title, effective_from and [levy.document] as fees.levy reads it
    [[table]]           # number, game, schedule, limits, dealing, decks in use, must_move_to

What is written is what is in force and what is filed for a coming day; drafts, people and what was played are not in
it. A room is read in whole or not at all: one slip, and nothing has been written.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone

from cardroom.core.row_digests import rows_gathered
from cardroom.filings.approval_file import json_of
from cardroom.filings.errors import FilingError
from cardroom.filings.models import FeeSchedule, Filing, GameFiling, Levy
from cardroom.filings.schedule_file import (
    ScheduleFileRefused,
    ScheduleInFile,
    schedule_of_entry,
    schedule_table,
)
from cardroom.filings.selectors import in_force
from cardroom.filings.services import file_at_once
from cardroom.people.models import Staff
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from games.datafile import DataFileError, Entry, read_data
from games.registry import RULEBOOKS, load_rulebook
from games.terms import DECKS
from games.tomltext import toml_text

from .commands.decks import dealing_set
from .commands.filings import MOST_NUMBER
from .commands.must_move import must_move_set
from .commands.tables import table_set
from .errors import FloorError
from .execution.clock import command_time
from .execution.transactions import TableTransaction
from .models import Table

F = TypeVar("F", bound=Filing)

#: What an option is called that a room leaves out: TOML knows no null.
_NONE = "none"
#: Columns of a room that count and chain, and are no settings.
_NO_SETTINGS = frozenset({"id", "version", "chain_seq", "chain_hash"})


#: The kinds of a room's settings, and what each is called.
_KINDS: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    str: "a text",
    datetime.time: "a time of day",
}


class RoomFileRefused(ValueError):
    """A room's file that cannot be read: the file, the place, and what to mend. Nothing was written."""


@dataclasses.dataclass(frozen=True)
class SetUp:
    """What reading a file has made."""

    room: Room
    schedules: int
    games: int
    levies: int
    tables: int

    def __str__(self) -> str:
        return (
            f"{self.room} ({self.room.code}): {self.schedules} fee schedules, {self.games} games, "
            f"{self.levies} levies, {self.tables} tables"
        )


def written_room(room: Room) -> str:
    """Return the current set-up of `room` as the text of a file."""
    today = gaming_day(room, timezone.now())
    settings = {
        field.name: getattr(room, field.name)
        for field in Room._meta.concrete_fields
        if field.name not in _NO_SETTINGS
    }
    tables = room.tables.select_related("game", "schedule", "must_move_to")
    lists = {
        "schedule": [schedule_table(each) for each in _current(room.feeschedule_versions.all(), today)],
        "game": [_game_table(each) for each in _current(room.gamefiling_versions.all(), today)],
        "levy": [_levy_table(each) for each in _current(room.levy_versions.all(), today)],
        "table": [_table_table(each) for each in tables],
    }
    return toml_text({"room": settings, **{name: entries for name, entries in lists.items() if entries}})


def _current(versions: models.QuerySet[F], today: datetime.date) -> Iterator[F]:
    """The versions in force or to come, in the order in which they were filed."""
    for version in versions.order_by("number", "version"):
        if version.status in (Filing.Status.FILED, Filing.Status.SUPERSEDED) and (
            version.effective_to is None or version.effective_to > today
        ):
            yield version


def _game_table(game: GameFiling) -> dict[str, Any]:
    return {
        "number": game.number,
        "rulebook": game.rulebook,
        "title": game.title,
        "effective_from": game.effective_from,
        "state_reference": game.state_reference,
        **({"rotation": game.rotation} if game.rotation else {}),
        "options": _options_written(game.options),
    }


def _levy_table(levy: Levy) -> dict[str, Any]:
    return {
        "number": levy.number,
        "title": levy.title,
        "effective_from": levy.effective_from,
        "document": _without_nulls(levy.document),
    }


def _without_nulls(document: Any) -> Any:
    """A levy's document without its keys of null, which say the same as keys that are left out."""
    if isinstance(document, dict):
        return {key: _without_nulls(value) for key, value in document.items() if value is not None}
    return [_without_nulls(each) for each in document] if isinstance(document, list) else document


def _table_table(table: Table) -> dict[str, Any]:
    row: dict[str, Any] = {"number": table.number}
    if table.game is not None:
        row["game"] = table.game.number
    if table.schedule is not None:
        row["schedule"] = table.schedule.number
    if table.dealing:
        row["dealing"] = table.dealing
    if (decks := _decks_chosen(table)) is not None:
        row["decks"] = decks
    if table.must_move_to is not None:
        row["must_move_to"] = table.must_move_to.number
    row |= {"recording": table.recording, "shuffler": table.shuffler}
    if table.wager_limits:
        row["wager_limits"] = table.wager_limits
    return row


def _decks_chosen(table: Table) -> int | None:
    """The decks in use that the table has chosen, where its game leaves them to it."""
    rule = None if table.game is None else table.game.book.options.get(DECKS)
    chosen = table.options.get(DECKS)
    return chosen if rule is not None and rule.at_table and isinstance(chosen, int) else None


def _options_written(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _NONE if value is None else value for name, value in options.items()}


def room_set_up(data: bytes, *, file: str, by: Staff, dry_run: bool = False) -> SetUp:
    """Make the room that the bytes of a file called `file` describe, in the name of `by`; all of it or nothing.

    `dry_run` makes it, and takes it all back. Raises RoomFileRefused, also when there is a room of that code already:
    what is in use is changed by filing the next version, and at its tables.
    """
    try:
        with transaction.atomic():
            made = _set_up(read_data(data, file), file, by)
            transaction.set_rollback(dry_run)
    except (DataFileError, ScheduleFileRefused) as error:
        raise RoomFileRefused(str(error)) from error
    return made


def _set_up(entry: Entry, file: str, by: Staff) -> SetUp:
    room = _room(entry.table("room"))
    schedules = [(each, schedule_of_entry(each, file=file)) for each in entry.tables("schedule")]
    for place, schedule in schedules:
        if not schedule.games:  # for every game of its rulebook: filed before there is one
            _file_schedule(place, room, schedule, by)
    games = entry.tables("game")
    for each in games:
        _file_game(each, room, by)
    for place, schedule in schedules:
        if schedule.games:  # after the games that it names
            _file_schedule(place, room, schedule, by)
    levies = entry.tables("levy")
    for each in levies:
        _file_levy(each, room, by)
    tables = entry.tables("table")
    for each, (table, moves_to) in [(each, _set_table(each, room, by)) for each in tables]:
        if moves_to is not None:  # a table that may come after it in the file
            _pair_table(each, table, moves_to, by)
    entry.done()
    return SetUp(room, len(schedules), len(games), len(levies), len(tables))


def _room(entry: Entry) -> Room:
    columns = {field.name: field for field in Room._meta.concrete_fields if field.name not in _NO_SETTINGS}
    given: dict[str, Any] = {}
    for name in [name for name in entry.names() if name in columns]:
        value = entry.given(name)
        # What a setting is shows in its default; true and false are whole numbers to Python, and must not pass for one.
        kind = next(kind for kind in _KINDS if isinstance(columns[name].get_default(), kind))
        if type(value) is not kind:
            raise entry.error(name, f"must be {_KINDS[kind]}, not {value!r}")
        given[name] = value
    entry.done()
    for name in ("name", "code"):
        if not given.get(name):
            raise entry.error(name, "is missing")
    if Room.objects.filter(code=given["code"]).exists():
        raise entry.error(
            "code",
            f"is {given['code']!r}, and there is such a room already: a file sets up a new one. Choose another code, "
            "or change the room that there is on its own pages.",
        )
    room = Room(**given)
    try:
        room.full_clean()
    except ValidationError as error:
        name, messages = next(iter(error.message_dict.items()))
        raise entry.error("" if name == "__all__" else name, f"is refused: {messages[0]}") from None
    room.save()
    return room


def _file_schedule(place: Entry, room: Room, schedule: ScheduleInFile, by: Staff) -> None:
    if schedule.effective_from is None or not schedule.state_reference:
        missing = "effective_from" if schedule.effective_from is None else "state_reference"
        raise place.error(missing, "is missing: a room is set up with what was filed")
    try:
        file_at_once(
            FeeSchedule(
                room=room,
                number=schedule.number,
                document=schedule.document,
                title=schedule.title,
                rulebook=schedule.rulebook,
                games=schedule.games,
            ),
            by=by,
            effective_from=schedule.effective_from,
            state_reference=schedule.state_reference,
        )
    except FilingError as error:
        at = "games" if error.path == "games" else ""
        raise place.error(at, f"cannot be filed: {error.message}") from None


def _file_game(entry: Entry, room: Room, by: Staff) -> None:
    number, rulebook = entry.number("number", least=1), entry.one_of("rulebook", RULEBOOKS)
    title, effective_from = entry.text("title"), entry.day("effective_from")
    state_reference = entry.text("state_reference")
    rotation = entry.text("rotation") if entry.has("rotation") else ""
    options = _options(entry, rulebook)
    entry.done()
    try:
        file_at_once(
            GameFiling(
                room=room, number=number, rulebook=rulebook, options=options, rotation=rotation, title=title
            ),
            by=by,
            effective_from=effective_from,
            state_reference=state_reference,
        )
    except FilingError as error:
        raise entry.error(error.path, f"cannot be filed: {error.message}") from None


def _file_levy(entry: Entry, room: Room, by: Staff) -> None:
    number, title = entry.number("number", least=1), entry.text("title")
    effective_from, document = entry.day("effective_from"), json_of(entry.given("document"))
    entry.done()
    try:
        file_at_once(
            Levy(room=room, number=number, title=title, document=document),
            by=by,
            effective_from=effective_from,
        )
    except FilingError as error:
        raise entry.error(error.path, f"cannot be filed: {error.message}") from None


def _options(entry: Entry, rulebook: str) -> dict[str, Any]:
    """Options as they are written: `none` is an option left out, where the rulebook lets it be."""
    if not entry.has("options"):
        return {}
    table, rules = entry.table("options"), load_rulebook(rulebook).options
    given = {name: json_of(table.given(name)) for name in table.names()}
    return {
        name: None if value == _NONE and name in rules and rules[name].may_be_null else value
        for name, value in given.items()
    }


def _set_table(entry: Entry, room: Room, by: Staff) -> tuple[Table, int | None]:
    """Set up a table; returns it with the number of the table whose seats its players fill."""
    number = entry.number("number", least=1)
    if number > MOST_NUMBER:
        raise entry.error("number", f"must be at most {MOST_NUMBER}, not {number}")
    if room.tables.filter(number=number).exists():
        raise entry.error("number", f"is {number}, and there is such a table already")
    now = command_time(room).now
    settings = _played(entry, room, gaming_day(room, now))
    dealing = entry.text("dealing") if entry.has("dealing") else ""
    shuffler: str = Table.Shuffler.SHUFFLES
    if entry.has("shuffler"):
        shuffler = entry.one_of("shuffler", tuple(Table.Shuffler.values))
    if entry.has("decks"):
        settings["decks"] = entry.number("decks", least=1)
    moves_to = entry.number("must_move_to", least=1) if entry.has("must_move_to") else None
    entry.done()
    if "game_id" not in settings and settings.keys() - {"recording"}:
        raise entry.error(
            "game", "is missing: limits and a schedule are set beside the filed game that is played"
        )
    table = Table.objects.create(room=room, number=number, shuffler=shuffler)
    tx = TableTransaction(table=table, actor=by, now=now)
    try:
        with rows_gathered():
            if "game_id" in settings:
                table_set.run(tx, **settings)
            dealing_set.run(tx, shuffler=shuffler, dealing=dealing)
    except FloorError as error:
        raise entry.error(error.path, f"cannot be set: {error.message}") from None
    return table, moves_to


def _pair_table(entry: Entry, table: Table, number: int, by: Staff) -> None:
    """Make a table of the file the must-move of another one in it."""
    other = table.room.tables.filter(number=number).first()
    if other is None:
        raise entry.error("must_move_to", f"is {number}, and there is no such table in this file")
    tx = TableTransaction(table=table, actor=by, now=command_time(table).now)
    try:
        with rows_gathered():
            must_move_set.run(tx, to_table=other.pk)
    except FloorError as error:
        raise entry.error("must_move_to", f"cannot be set: {error.message}") from None


def _played(entry: Entry, room: Room, today: datetime.date) -> dict[str, Any]:
    """The arguments of `table_set`: filings in force by their numbers, and limits; nothing for a table without a game."""
    settings: dict[str, Any] = {}
    if entry.has("game"):
        settings["game_id"] = _filed(entry, "game", in_force(GameFiling, room, today))
    if entry.has("schedule"):
        settings["schedule_id"] = _filed(entry, "schedule", in_force(FeeSchedule, room, today))
    if entry.has("recording"):
        settings["recording"] = entry.text("recording")
    if entry.has("wager_limits"):
        limits = entry.table("wager_limits")
        settings["wager_limits"] = {wager: limits.given(wager) for wager in limits.names()}
    if "game_id" not in settings and settings.keys() - {"recording"}:
        raise entry.error(
            "game", "is missing: limits and a schedule are set beside the filed game that is played"
        )
    return settings


def _filed(entry: Entry, key: str, in_force: models.QuerySet[F]) -> int:
    """The id of the version of a number that is in force."""
    number = entry.number(key, least=1)
    found = in_force.filter(number=number).first()
    if found is None:
        raise entry.error(key, f"is {number}, of which no version in this file is in force today")
    return int(found.pk)
