"""Model `FeeSchedule`: versions of a fee schedule."""

from __future__ import annotations

import datetime
import functools
import json
from typing import Any

from django.db import models

from fees.document import Problem
from fees.errors import ScheduleRefused
from fees.printed import why_not_called
from fees.rates import WAGER_WITHOUT_FEE, Schedule, problems, read_schedule
from games.registry import load_rulebook, wagers_with_fees
from games.rulebook import Rulebook

from ..errors import FilingError
from .filing import StateFiling, filed_is_final
from .games import GameFiling
from .json_documents import storable

#: The greatest number of a filing, and how many games one schedule may be for.
_MOST = 999


class FeeSchedule(StateFiling):
    """One version of a room's fee schedule: `document` is what `fees.document` reads. Only a legal one can be filed.

    `games` are the numbers of the room's filed games that it is approved for: no table that plays another one uses it. A
    version that names none is for every game of its rulebook; it is filed only in a room with one such game at most.
    """

    word = "schedule"
    drafted = ("state_reference", "games", "document")
    guards = filed_is_final("rulebook", *drafted)

    games = models.JSONField(
        default=list,
        blank=True,
        help_text="Numbers of the room's filed games that it is approved for; none: every game of its rulebook.",
    )

    document = models.JSONField(help_text="Table limit and fees, in whole cents, each with its clause.")

    class Meta(StateFiling.Meta):
        pass

    @property
    def default_title(self) -> str:
        return f"Schedule option {self.number}"

    @property
    def schedule(self) -> Schedule:
        """What this version charges. Raises ScheduleRefused for a draft that is not legal yet."""
        return _schedule_read(json.dumps(self.document), self.number, self.title)

    @property
    def limit_label(self) -> str:
        """The table limit as printed; empty while the document is not legal yet."""
        try:
            return self.schedule.limit_label
        except ScheduleRefused:
            return ""

    def approvals(self) -> list[GameFiling]:
        """The games that it is approved for as they are filed now, by number; one that is withdrawn is none of them."""
        filed = GameFiling.objects.filter(
            room=self.room, rulebook=self.rulebook, status=GameFiling.Status.FILED
        )
        return [game for game in filed.order_by("number") if self.is_for(game)]

    def is_for(self, game: GameFiling) -> bool:
        """Whether it is approved for that game, whichever version of it."""
        return game.rulebook == self.rulebook and (not self.games or game.number in self.games)

    @property
    def books(self) -> list[Rulebook]:
        """The rulebooks of the games that it is for, with the options that they are filed with; else the rulebook as it ships.

        A version that names no game is for the one that the room has on file, where it has one.
        """
        games = self.approvals()
        judged = games if self.games or len(games) == 1 else []
        return [game.book for game in judged] or [load_rulebook(self.rulebook)]

    @property
    def layout(self) -> Rulebook:
        """The rulebook by whose layout wagers are called: that of its games, where they call them alike; else as it ships."""
        books = self.books
        names = [{wager.id: wager.name for wager in book.wagers.values()} for book in books]
        return books[0] if all(each == names[0] for each in names) else load_rulebook(self.rulebook)

    @property
    def problems(self) -> list[Problem]:
        """Why the document cannot be filed for its games, in the order of its lines; empty: it can be.

        Which wagers may bear a fee is what each of its `books` says: an approval may name others than its rulebook.
        """
        books = self.books
        bearing = [wagers for book in books if (wagers := wagers_with_fees(book)) is not None]
        found = problems(
            self.document,
            wagers=sorted(set.intersection(*map(set, bearing))) if bearing else None,
            without_fee={wager: clause for book in books for wager, clause in book.without_fee.items()},
        )
        named = why_not_called(self.rulebook, self.number, self.title, self.document)
        of_games = self._problems_of_games() if self.status == self.Status.DRAFT else []
        return [*of_games, *([] if named is None else [named]), *found]

    def _problems_of_games(self) -> list[Problem]:
        """Why the games that a draft names cannot be those that it is filed for."""
        filed = {game.number for game in self.approvals()}
        if not self.games and len(filed) > 1:
            return [
                Problem(
                    0,
                    "games_missing",
                    f"schedule: it names no game, and this room has {len(filed)} on file under {self.rulebook}: "
                    f"{', '.join(map(str, sorted(filed)))}. Choose those that it is approved for; the API takes their numbers "
                    "as games.",
                )
            ]
        return [
            Problem(
                0,
                "game_not_filed",
                f"schedule: game {number} is not one that this room has on file under {self.rulebook}; file it first, or "
                "leave it out.",
            )
            for number in self.games
            if number not in filed
        ]

    def check_draft(self) -> None:
        """A draft may be illegal, but is a JSON object that both databases can hold.

        What no room could ever file under this approval is refused at once: a fee for a wager that bears none.
        """
        super().check_draft()
        self.document = storable(self.document, self.word)
        self.games = games_named(self.games)
        if found := [problem for problem in self.problems if problem.code == WAGER_WITHOUT_FEE]:
            raise ScheduleIllegal(found)

    def check_filing(self, first: datetime.date) -> None:
        """Refuse a schedule that leaves open which games it is for, and an illegal document with every problem."""
        super().check_filing(first)
        for problem in self._problems_of_games():
            raise FilingError(problem.code, problem.message, path="games")
        if found := self.problems:
            raise ScheduleIllegal(found)


class ScheduleIllegal(FilingError):
    """A document that the law does not allow: `problems` names every line and why."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(
            "schedule_refused", "\n".join(problem.message for problem in problems), path="document"
        )
        self.problems = tuple(problems)


@functools.lru_cache(maxsize=256)
def _schedule_read(document: str, number: int, title: str) -> Schedule:
    """Read a document once and keep what it says: a command at a table asks for it several times, a report at each round.

    By its text, so that a draft that is edited is another document.
    """
    return read_schedule(json.loads(document), number=number, title=title)


def games_named(games: Any) -> list[int]:
    """Return the numbers of games that were given, each once and in their order. Raises FilingError for anything else."""
    proper = isinstance(games, list | tuple) and all(
        isinstance(number, int) and not isinstance(number, bool) and 0 < number <= _MOST for number in games
    )
    if not proper:
        raise FilingError(
            "bad_games", f"games is a list of numbers of filed games, from 1 to {_MOST}.", path="games"
        )
    return sorted(set(games))
