"""Files the demo's fee schedules, games and levies, in force since before any round of a demo."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Max

from cardroom.filings import services
from cardroom.filings.models import FeeSchedule, GameFiling, Levy
from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from fees.printed import printed_schedules
from games.approval import APPROVAL

_EFFECTIVE_FROM = datetime.date(2025, 1, 1)
#: When they were filed: two weeks before.
_FILED_AT = datetime.datetime(2024, 12, 18, 18, tzinfo=datetime.UTC)

#: Numbers of schedules of the invented rooms beside the printed ones: the first of these with a waiver, and the same with
#: a collection for a jackpot; the first with players who pay by the half hour, and a seat fee by the hour and nothing else.
SHORT_HANDED, JACKPOT, BY_HOUR, BY_HALF_HOUR = 20, 21, 22, 23
#: The source of what no text prints.
_OWN = "the room's own"
_WAIVER = {
    "key": "short_handed",
    "title": "Short-handed game",
    "covers": "all",
    "most_positions": 2,
    "text": "The floor may let the fees of a round go while two players or fewer have wagers.",
}
_HOUR = {"payer": "player", "per": "hour", "fee_cents": 1500, "clause": _OWN}
_BANK_FREE = {"payer": "bank", "per": "round", "fee_cents": 0, "clause": _OWN}
_HALF_HOUR = {"payer": "player", "per": "half_hour", "fee_cents": 900, "clause": _OWN}
_FOR_JACKPOT = {"payer": "player", "per": "ante", "box": "jackpot", "fee_cents": 50, "clause": _OWN}
#: Levies of an invented city, and a fee in the form of the state's with invented amounts: no ordinance says them.
_LEVIES: tuple[dict[str, Any], ...] = (
    {
        "levied_by": "city",
        "authority": "City of Tule Slough",
        "source": "invented for the demo: Tule Slough Municipal Code 5.24.080",
        "text": "Invented: each licensee shall pay eight per cent of the first $100,000 of monthly gross revenue and eleven "
        "per cent of what is over, and no less than $2,500.",
        "period": "month",
        "base": ["collection", "jackpot"],
        "minimum_cents": 250_000,
        "lines": [
            {"per": "part", "lower_cents": 0, "upper_cents": 10_000_000, "basis_points": 800},
            {"per": "part", "lower_cents": 10_000_000, "upper_cents": None, "basis_points": 1_100},
        ],
    },
    {
        "levied_by": "city",
        "authority": "City of Tule Slough",
        "source": "invented for the demo: Tule Slough Municipal Code 5.24.090",
        "text": "Invented: $450 a quarter for each table that the license authorizes.",
        "period": "quarter",
        "base": ["collection"],
        "authorized_tables": 20,
        "lines": [{"per": "tables", "lower_tables": 1, "upper_tables": None, "fixed_cents": 45_000}],
    },
    {
        "levied_by": "state",
        "authority": "State of California, Gambling Control Fund",
        "source": "invented amounts in the form of Bus. & Prof. Code 19951(c) and (d) as they stood before 2022",
        "text": "Invented: so much a table by the number of tables, or by gross revenue of the fiscal year, whichever is greater.",
        "period": "year",
        "base": ["collection"],
        "authorized_tables": 20,
        "combine": "greatest",
        "at_bound": "upper",
        "lines": [
            {"per": "tables", "lower_tables": 1, "upper_tables": 8, "fixed_cents": 40_000},
            {"per": "tables", "lower_tables": 9, "upper_tables": None, "fixed_cents": 150_000},
            {"per": "tables_by_base", "lower_cents": 0, "upper_cents": 50_000_000, "fixed_cents": 0},
            {"per": "tables_by_base", "lower_cents": 50_000_000, "upper_cents": None, "fixed_cents": 200_000},
        ],
    },
)
_LEVY_TITLES = ("Tax on gross revenue", "Table fee", "Annual table fee")


def levies_seed(room: Room, by: Staff) -> None:
    """File the invented levies of a demo room, numbered from 1; one that is there already stays."""
    for number, (title, document) in enumerate(zip(_LEVY_TITLES, _LEVIES, strict=True), start=1):
        if not Levy.objects.filter(room=room, number=number).exists():
            services.file_at_once(
                Levy(room=room, number=number, title=title, document=document),
                by=by,
                effective_from=_EFFECTIVE_FROM,
                now=_FILED_AT,
            )


def schedules_seed(room: Room, by: Staff, *, rulebook: str = "california") -> list[FeeSchedule]:
    """File the schedules that `rulebook` prints as a demo room's own; a number it has already stays."""
    seeded = [
        schedule_seed(room, by, number, document, rulebook=rulebook)
        for number, document in printed_schedules(rulebook)
    ]
    return [filed for filed in seeded if filed is not None]


def schedule_seed(
    room: Room,
    by: Staff,
    number: int,
    document: dict[str, Any],
    *,
    rulebook: str = "california",
    title: str = "",
    games: Sequence[int] = (),
    reference: str = "",
) -> FeeSchedule | None:
    """File `document` as a demo room's own schedule of that number; None where the room has the number already.

    It is approved for `games`, by their numbers; left out, for every game of the rulebook that the room has on file.
    `reference` is the state's number of it.
    """
    if FeeSchedule.objects.filter(room=room, number=number).exists():
        return None
    filed = GameFiling.objects.filter(room=room, rulebook=rulebook, status=GameFiling.Status.FILED)
    approved = list(games) or list(filed.values_list("number", flat=True))
    return services.file_at_once(
        FeeSchedule(
            room=room, number=number, document=document, rulebook=rulebook, title=title, games=approved
        ),
        by=by,
        effective_from=_EFFECTIVE_FROM,
        now=_FILED_AT,
        state_reference=reference or f"demo option {number}",
    )


def schedule_for(schedule: FeeSchedule, game: GameFiling, by: Staff) -> FeeSchedule:
    """Return a schedule of the room that says what `schedule` does and is approved for `game`; file it where there is none."""
    if schedule.is_for(game):
        return schedule
    same = FeeSchedule.objects.filter(
        room=schedule.room, rulebook=game.rulebook, title=schedule.title, status=FeeSchedule.Status.FILED
    )
    for each in same.order_by("number"):
        if each.is_for(game) and each.document == schedule.document:
            return each
    highest = FeeSchedule.objects.filter(room=schedule.room).aggregate(most=Max("number"))["most"] or 0
    made = schedule_seed(
        schedule.room,
        by,
        highest + 1,
        schedule.document,
        rulebook=game.rulebook,
        title=schedule.title,
        games=[game.number],
    )
    assert made is not None  # the number is free
    return made


def own_schedules_seed(room: Room, by: Staff, *, rulebook: str = "california") -> None:
    """File the schedules that no text prints as a demo room's own; one that is there already stays.

    They are for the games that play by the text, without an approval of another document.
    """
    games = GameFiling.objects.filter(room=room, rulebook=rulebook, status=GameFiling.Status.FILED)
    by_text = [game.number for game in games if APPROVAL not in game.options]
    _, printed = next(printed_schedules(rulebook))
    short_handed = {**printed, "waivers": [_WAIVER]}
    jackpot = {**short_handed, "lines": [*printed["lines"], _FOR_JACKPOT]}
    bands = [line for line in printed["lines"] if line["payer"] == "bank"]
    documents = {
        SHORT_HANDED: short_handed,
        JACKPOT: jackpot,
        BY_HOUR: {**printed, "lines": [_HOUR, _BANK_FREE]},
        BY_HALF_HOUR: {**printed, "lines": [_HALF_HOUR, *bands]},
    }
    for number, document in documents.items():
        schedule_seed(room, by, number, document, rulebook=rulebook, games=by_text)


def games_seed(room: Room, by: Staff, *, rulebook: str = "california") -> GameFiling:
    """File `rulebook` with its options as they are as a demo room's game 1; one that is filed already stays."""
    filed = GameFiling.objects.filter(room=room, number=1).exclude(status=GameFiling.Status.DRAFT)
    return filed.first() or game_seed(room, by, 1, rulebook=rulebook)


def game_seed(
    room: Room,
    by: Staff,
    number: int,
    *,
    rulebook: str = "california",
    options: Mapping[str, Any] | None = None,
    rotation: str = "",
    title: str = "",
    reference: str = "",
) -> GameFiling:
    """File a game as a demo room's own of that number; `reference` is the state's number of it."""
    new = GameFiling(
        room=room, number=number, rulebook=rulebook, options=options or {}, rotation=rotation, title=title
    )
    return services.file_at_once(
        new,
        by=by,
        effective_from=_EFFECTIVE_FROM,
        now=_FILED_AT,
        state_reference=reference or f"demo game {number}",
    )
