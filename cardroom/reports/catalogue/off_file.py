"""Exceptions table of rounds played on something else than the room has filed: imported rounds, and those of older times.

A round names the filed game that it opened on. One that names none is compared with every game that was in force on its
gaming day: rulebook, options, rake and rotation profile must be those of one of them.
"""

from __future__ import annotations

import datetime
import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.db.models import Q

from cardroom.documents.document import Column, Grid, Kind, Row
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.rooms.models import Room
from games.refusal import Refusal
from games.registry import RULEBOOKS, load_rulebook, read_options
from games.rotation.profile import HOUSE_BANKS, profile_id_of, why_not_play_by
from games.terms import without_table_choices

from ..queries.query import ReportQuery
from ..queries.rounds_in_scope import round_address, rounds_of

_COLUMNS = (
    Column("gaming_day", "Gaming day", Kind.DAY),
    Column("table", "Table", Kind.COUNT),
    Column("rounds", "Rounds"),
    Column("count", "How many", Kind.COUNT, adds=True),
    Column("why", "What was not filed or not in force"),
)
#: What of a round says what it was played on.
_TERMS = ("gaming_day", "game", "schedule", "rulebook", "rotation", "options")


class OffFile(NamedTuple):
    """Rounds of one table that follow each other by number and lack the same: the first and last, and why."""

    gaming_day: datetime.date
    table: int
    first: int
    last: int
    rounds: int
    why: str
    first_id: int


def off_file(query: ReportQuery) -> list[OffFile]:
    """Return the rounds asked about whose bets closed on terms that were not filed and in force, table by table.

    A correction keeps the terms of the round it corrects, so the first revisions stand for all. What was played is read
    once for each set of terms, and round by round only where the terms are at fault.
    """
    played = rounds_of(query).filter(bets_closed_at__isnull=False, revision=0)
    filed_terms = FiledTerms(query.room)
    faults: dict[tuple[Any, ...], str] = {}
    astray = Q(pk__in=[])
    for terms in played.values(*_TERMS).distinct():
        if off := filed_terms.why_off(**terms):
            faults[_key(terms)] = off
            astray |= Q(
                **{name: terms[name] for name in _TERMS if name != "options" and terms[name] is not None}
            )
    if not faults:
        return []
    rows = played.filter(astray).order_by("gaming_day", "table__number", "number")
    found = (
        (row, why)
        for row in rows.values("pk", "table__number", "number", *_TERMS)
        if (why := faults.get(_key(row)))
    )
    return list(_runs(found))


def off_file_grid(rounds: Iterable[OffFile]) -> Grid:
    """Show them: a row a run of rounds that lack the same, with the page of its first."""
    rows = [
        Row(
            {
                "gaming_day": each.gaming_day,
                "table": each.table,
                "rounds": str(each.first) if each.first == each.last else f"{each.first} to {each.last}",
                "count": each.rounds,
                "why": each.why,
            },
            {"rounds": round_address(each.first_id)},
        )
        for each in rounds
    ]
    return Grid(
        "off_file",
        "Rounds not played on what is filed",
        _COLUMNS,
        rows,
        text="Rounds from elsewhere and of older times: the floor opens none on anything that is not filed.",
        empty="Every round was played on a filed game, a filed schedule or the game's rake, and a profile in force.",
    )


class FiledTerms:
    """Judges terms by what one room has filed, all of which it reads once."""

    def __init__(self, room: Room) -> None:
        self.room = room
        filed = GameFiling.objects.filter(room=room).exclude(status=GameFiling.Status.DRAFT)
        self.games = {game.pk: game for game in filed}

    @functools.cached_property
    def schedules(self) -> dict[int, FeeSchedule]:
        return {each.pk: each for each in FeeSchedule.objects.filter(room=self.room)}

    def why_off(
        self,
        *,
        gaming_day: datetime.date,
        game: int | None,
        schedule: int | None,
        rulebook: str,
        rotation: str,
        options: Mapping[str, Any],
    ) -> str:
        """Say what is wrong with the terms of a round; empty where all of them were filed and in force."""
        if rulebook not in RULEBOOKS:
            return f"unknown rulebook {rulebook}"
        faults = [
            *self._jurisdiction(rulebook, gaming_day),
            *self._game(gaming_day, game, (rulebook, rotation, options)),
            *self._profile(rulebook, rotation, gaming_day),
            *self._collection(gaming_day, schedule, rulebook, options),
        ]
        return "; ".join(faults)

    def _jurisdiction(self, rulebook: str, day: datetime.date) -> Iterator[str]:
        if not self.room.rules_of.permits(rulebook, day):
            yield f"rulebook {rulebook} is foreign to {self.room.rules_of.name}"

    def _game(
        self, day: datetime.date, game: int | None, terms: tuple[str, str, Mapping[str, Any]]
    ) -> Iterator[str]:
        if game is None:
            if not any(each.in_force(day) and _plays(each, *terms) for each in self.games.values()):
                yield "no filed game in force says what was played"
            return
        filed = self.games.get(game)
        if filed is None:
            yield "the game is no filing of this room"
            return
        if not filed.in_force(day):
            yield f"{filed} was not in force"
        if not _plays(filed, *terms):
            yield f"otherwise than {filed} says"

    def _profile(self, rulebook: str, rotation: str, day: datetime.date) -> Iterator[str]:
        book = load_rulebook(rulebook)
        if rotation == HOUSE_BANKS and not book.player_banked:
            return
        if why_not_play_by(rotation, book, day) is not None:
            yield f"rotation profile {rotation or 'of the rulebook'} was not in force"

    def _collection(
        self, day: datetime.date, schedule: int | None, rulebook: str, options: Mapping[str, Any]
    ) -> Iterator[str]:
        if schedule is None:
            if load_rulebook(rulebook).player_banked and not options.get("house_rake"):
                yield "neither a filed schedule nor a rake"
            return
        filed = self.schedules.get(schedule)
        if filed is None or not filed.in_force(day):
            yield f"{filed or 'the schedule'} was not in force"
        elif filed.rulebook != rulebook:
            yield f"{filed} is filed for {filed.rulebook}"


def _plays(game: GameFiling, rulebook: str, rotation: str, options: Mapping[str, Any]) -> bool:
    """Whether a filed game says this rulebook, these options (a rake among them) and this profile."""
    if game.rulebook != rulebook or profile_id_of(rotation, game.book) != game.profile_id:
        return False
    if game.options == options:
        return True
    try:
        played, filed = read_options(game.book, options).options, game.terms.options
        return without_table_choices(game.book, played) == without_table_choices(game.book, filed)
    except Refusal:  # options that the rulebook knew once, or never
        return False


def _key(terms: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(repr(terms[name]) if name == "options" else terms[name] for name in _TERMS)


def _runs(found: Iterable[tuple[Mapping[str, Any], str]]) -> Iterator[OffFile]:
    """Put rounds together whose numbers follow each other; `found` is in the order of tables and numbers."""

    def run(item: tuple[int, tuple[Mapping[str, Any], str]]) -> tuple[Any, ...]:
        place, (row, why) = item
        return row["gaming_day"], row["table__number"], why, row["number"] - place

    for (day, table, why, _), group in itertools.groupby(enumerate(found), key=run):
        rows = [row for _, (row, _) in group]
        numbers = [row["number"] for row in rows]
        yield OffFile(day, table, numbers[0], numbers[-1], len(rows), why, rows[0]["pk"])
