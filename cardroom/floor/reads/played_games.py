"""The filed games that turns, offers and rounds were played by: their rulebooks with the room's approvals, read once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Case, DateTimeField, F, Field, JSONField, Value, When

from cardroom.filings.models import GameFiling
from games.registry import load_rulebook
from games.rotation.profile import profile_id_of, profile_under
from games.rotation.record import PlayedGame
from games.rulebook import Rulebook


class PlayedGames:
    """The filed games of some rooms by id, read in one query."""

    def __init__(self, rooms: Iterable[int]) -> None:
        """`rooms` are ids, or a query of them."""
        filed = GameFiling.objects.filter(room__in=rooms).exclude(status=GameFiling.Status.DRAFT)
        self.games = {game.pk: PlayedGame(game.profile_id, game.book, game.approval_key) for game in filed}

    def of_asking(self, column: str, field: Field[Any, Any]) -> Case:
        """A column of rounds whose rules of the bank go by what was wagered, else null: an expression on rounds."""
        asking = [
            pk
            for pk, game in self.games.items()
            if profile_under(game.rulebook, game.profile).has_eligibility
        ]
        if not asking:
            return Case(default=Value(None, field), output_field=field)
        return Case(When(game__in=asking, then=F(column)), default=None, output_field=field)

    @property
    def wagered(self) -> dict[str, Case]:
        """What is read of rounds to tell who wagered in them, where that is asked for; null elsewhere."""
        return {
            "wagers": self.of_asking("bets", JSONField()),
            "wagers_closed_at": self.of_asking("bets_closed_at", DateTimeField()),
        }

    def game(self, pk: int | None) -> PlayedGame | None:
        """What was played by the filing of that id; None where it is not known."""
        return None if pk is None else self.games.get(pk)

    def rulebook(self, pk: int | None, rulebook: str) -> Rulebook:
        """The rulebook of a round: of its filing, or else as it ships."""
        game = self.game(pk)
        return load_rulebook(rulebook) if game is None or game.rulebook.id != rulebook else game.rulebook

    def approval(self, pk: int | None) -> str:
        """What tells the approval from others; empty where it is not known."""
        game = self.game(pk)
        return "" if game is None else game.approval

    def are_apart(self, one: int | None, other: int | None) -> bool:
        """Whether two filings are of different approvals: no count carries over (ruling 53)."""
        return (
            one != other and "" not in (keys := {self.approval(one), self.approval(other)}) and len(keys) > 1
        )

    def profile(self, pk: int | None, rotation: str, otherwise: str) -> str:
        """The id of the profile: the one that was noted, else that of the filing."""
        game = self.game(pk)
        if rotation or game is None:
            return rotation or otherwise
        return profile_id_of("", game.rulebook)
