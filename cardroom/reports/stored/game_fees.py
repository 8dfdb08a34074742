"""Sums what a shift collected by filed game: under which approval each fee was taken.

A round names the filed game that it opened on. Time is collected at a table and names none: it counts for the game of the
last round that had been opened there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import Count, F, OuterRef, Q, Subquery, Sum
from django.db.models.expressions import Combinable

from cardroom.documents.document import Value
from cardroom.filings.models import GameFiling
from cardroom.floor.models import Round, TimeCollection
from games.rotation.profile import HOUSE_BANKS

from ..queries.rounds_in_scope import counts
from .figure_types import GameFees

#: What a report says of a round on no filed game: from before filings were asked for, or from elsewhere.
NO_GAME = "no filed game"


def game_of_time() -> Subquery:
    """Return the game for which a time collection counts, by its id."""
    played = Round.objects.filter(table=OuterRef("table"), opened_at__lte=OuterRef("made_at"))
    return Subquery(played.order_by("-opened_at", "-pk").values("game")[:1])


def drop_counted() -> Combinable:
    """Return what a round counts in the drop, in cents; of a correction, what it changes."""
    return (
        counts("player_fees_cents")
        + counts("bank_fee_cents")
        + counts("rake_cents")
        - counts("refunded_cents")
    )


def filing_text(game: GameFiling | None) -> str:
    """Return a game's number and version as reports write it: "3, version 2"."""
    return "none" if game is None else f"{game.number}, version {game.version}"


def game_fees_read(shift: int) -> list[GameFees]:
    """Read what the tables at which players bank collected in a shift, by filed game; three queries."""
    sums: defaultdict[int | None, dict[str, int]] = defaultdict(
        lambda: {"rounds": 0, "drop": 0, "jackpot": 0}
    )
    played = Round.objects.filter(shift=shift, bets_closed_at__isnull=False).exclude(rotation=HOUSE_BANKS)
    by_game = played.order_by().values("game")
    first = Q(state=Round.State.SETTLED, corrects__isnull=True)
    of_rounds = by_game.annotate(
        rounds=Count("id", filter=first),
        drop=Sum(drop_counted()),
        jackpot=Sum(counts("jackpot_cents") - counts("jackpot_refunded_cents")),
    )
    timed = TimeCollection.objects.filter(shift=shift).annotate(game=game_of_time()).order_by()
    of_time: Any = timed.values("game").annotate(drop=Sum(F("cents")))
    for row in (*of_rounds, *of_time):
        found = sums[row["game"]]
        for name in found:
            found[name] += int(row.get(name) or 0)
    games = GameFiling.objects.in_bulk([pk for pk in sums if pk is not None])
    named = [_named(None if pk is None else games[pk], found) for pk, found in sums.items()]
    return sorted(named, key=lambda row: (row["number"], row["version"]))


def games_added_up(several: Iterable[Iterable[GameFees]]) -> list[GameFees]:
    """Add up what several shifts collected by filed game."""
    games: dict[int | None, GameFees] = {}
    for each in (game for games_of_shift in several for game in games_of_shift):
        known = games.get(each["game"])
        games[each["game"]] = {
            **each,
            "rounds": each["rounds"] + (known["rounds"] if known else 0),
            "drop_cents": each["drop_cents"] + (known["drop_cents"] if known else 0),
            "jackpot_cents": each["jackpot_cents"] + (known["jackpot_cents"] if known else 0),
        }
    return sorted(games.values(), key=lambda each: (each["number"], each["version"]))


def game_values(fees: GameFees) -> dict[str, Value]:
    """Return the cells of the row on one game."""
    return {
        "game": fees["title"],
        "filing": "none" if fees["game"] is None else f"{fees['number']}, version {fees['version']}",
        "reference": fees["reference"],
        "rounds": fees["rounds"],
        "drop_cents": fees["drop_cents"],
        "jackpot_cents": fees["jackpot_cents"],
    }


def _named(game: GameFiling | None, found: dict[str, int]) -> GameFees:
    return {
        "game": None if game is None else game.pk,
        "number": 0 if game is None else game.number,
        "version": 0 if game is None else game.version,
        "title": NO_GAME if game is None else game.title,
        "reference": "" if game is None else game.state_reference,
        "rounds": found["rounds"],
        "drop_cents": found["drop"],
        "jackpot_cents": found["jackpot"],
    }
