"""Filed games and schedules for tests, and the settings of a table that plays them.

`table_settings(room, …)` takes what a test is about (rulebook, options, schedule, rake, rotation) and returns what
`table_set` takes: it files the game, and a schedule that charges nothing where none is named.
"""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.utils import timezone

from cardroom.demo.filings import schedule_for
from cardroom.filings import services
from cardroom.filings.models import FeeSchedule, GameFiling, Levy
from cardroom.floor.checks.limits import limited_wagers
from cardroom.people.models import Employment, Role, Staff
from cardroom.rooms.models import Room
from fees.rake import OPTION
from games.jurisdictions import jurisdictions
from games.rotation.profile import Profile

#: Before any round of a test.
SINCE = datetime.date(2025, 1, 1)
#: The state's number of every game, unless a test is about games of several approvals.
REFERENCE = "GEGA-000123"
#: Number of the schedule that charges nothing.
FREE = 90
#: Limits that no test runs into by chance: one cent to ten thousand dollars.
WIDE = [1, 1_000_000]
#: What a room files of a game that is settled by eye; its tables have a back line.
TILES: dict[str, Any] = {
    "name": "Pai Gow Tiles",
    "seats": 8,
    "decks": 1,
    "back_line": 1,
    "spots": [{"id": "bet", "name": "Bet", "main": True, "tip": True}, {"id": "pairs", "name": "Pairs"}],
}


def table_settings(
    room: Room,
    *,
    rulebook: str = "california",
    options: dict[str, Any] | None = None,
    schedule_id: int | None = None,
    rake: dict[str, Any] | None = None,
    rotation: str = "",
    wager_limits: dict[str, list[int]] | None = None,
    reference: str = REFERENCE,
    **more: Any,
) -> dict[str, Any]:
    """Return the arguments of `table_set`; what is not filed yet is filed, limits that are not given are wide."""
    game = filed_game(
        room, rulebook=rulebook, options=options, rake=rake, rotation=rotation, reference=reference
    )
    if game.charged_by_schedule:
        schedule = (
            free_schedule(room, rulebook) if schedule_id is None else FeeSchedule.objects.get(pk=schedule_id)
        )
        if schedule.rulebook == game.rulebook and schedule.status == FeeSchedule.Status.FILED:
            schedule = schedule_for(schedule, game, filer(room))
        schedule_id = schedule.pk
    return {
        "game_id": game.pk,
        "schedule_id": schedule_id,
        "wager_limits": {
            **wide_limits(game, main_by_schedule=game.charged_by_schedule),
            **(wager_limits or {}),
        },
        **more,
    }


def wide_limits(game: GameFiling, *, main_by_schedule: bool = True) -> dict[str, list[int]]:
    """Return wide limits for every wager of a game."""
    wagers = limited_wagers(game.rulebook, game.options, main_by_schedule=main_by_schedule)
    return {each.key: list(WIDE) for each in wagers}


def schedule_draft(*, by: Staff, rulebook: str = "california", **columns: Any) -> FeeSchedule:
    """Draft a fee schedule; where the room has more than one game of the rulebook on file it names each of them."""
    columns.setdefault("games", games_to_name(columns["room"], rulebook))
    return services.draft(FeeSchedule(rulebook=rulebook, **columns), by=by)


def games_to_name(room: Room, rulebook: str) -> list[int]:
    """Return the numbers of a room's games that a schedule for all of a rulebook names: none where there is one at most."""
    filed = GameFiling.objects.filter(room=room, rulebook=rulebook, status=GameFiling.Status.FILED)
    numbers = list(filed.order_by("number").values_list("number", flat=True))
    return numbers if len(numbers) > 1 else []


def filed_long_ago(schedule: FeeSchedule, by: Staff) -> FeeSchedule:
    """Store a schedule as one that was filed before what it says was refused."""
    schedule.version, schedule.status = 1, FeeSchedule.Status.FILED
    schedule.effective_from, schedule.state_reference = SINCE, "filed long ago"
    schedule.filed_at, schedule.filed_by = timezone.now(), by
    schedule.save()
    return schedule


def game_draft(*, by: Staff, **columns: Any) -> GameFiling:
    """Draft a game."""
    return services.draft(GameFiling(**columns), by=by)


def filed_game(
    room: Room,
    *,
    rulebook: str = "california",
    options: dict[str, Any] | None = None,
    rake: dict[str, Any] | None = None,
    rotation: str = "",
    reference: str = REFERENCE,
    by: Staff | None = None,
) -> GameFiling:
    """Return the filed game that says this; it is filed as the next number where there is none.

    A room that may not file the rulebook is moved to a jurisdiction that may: real rooms cannot be.
    """
    fields = {**(options or {}), **({OPTION: rake} if rake is not None else {})}
    room = _permitting(room, rulebook)
    numbers = [0]
    for game in GameFiling.objects.filter(room=room):
        numbers.append(game.number)
        if game.status == GameFiling.Status.FILED and (game.rulebook, game.options, game.rotation) == (
            rulebook,
            fields,
            rotation,
        ):
            return game
    by = by or filer(room)
    draft = game_draft(
        room=room, number=max(numbers) + 1, rulebook=rulebook, by=by, options=fields, rotation=rotation
    )
    # An approval has its number already.
    number = draft.state_reference or reference
    return services.file(draft, by=by, effective_from=SINCE, state_reference=number)


def free_schedule(room: Room, rulebook: str = "california") -> FeeSchedule:
    """Return the room's filed schedule that charges nothing and takes antes from a cent up."""
    room = _permitting(room, rulebook)
    found = FeeSchedule.objects.filter(room=room, number__gte=FREE, rulebook=rulebook).first()
    if found is not None:
        return found
    by = filer(room)
    lines = [
        {"payer": payer, "per": per, "fee_cents": 0, "clause": "the room's own"}
        for payer, per in (("player", "ante"), ("bank", "round"))
    ]
    document = {"clause": "the room's own", "ante_min_cents": 1, "ante_max_cents": None, "lines": lines}
    number = FREE + FeeSchedule.objects.filter(room=room, number__gte=FREE).count()
    draft = schedule_draft(
        room=room, number=number, document=document, by=by, rulebook=rulebook, title="No collection"
    )
    return services.file(draft, by=by, effective_from=SINCE, state_reference="free")


def lift_suspensions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a suspended profile be filed and played for a test of what it does: its dates alone count."""

    def by_dates(profile: Profile, day: datetime.date) -> bool:
        since, until = profile.in_force_from, profile.in_force_until
        return (since is None or since <= day) and (until is None or day < until)

    monkeypatch.setattr(Profile, "in_force", by_dates)


def filer(room: Room) -> Staff:
    """Return the manager of a room, who files."""
    return (
        Employment.objects.select_related("staff")
        .filter(room=room, role=Role.ROOM_MANAGER)
        .earliest("pk")
        .staff
    )


def _permitting(room: Room, rulebook: str) -> Room:
    room = Room.objects.get(pk=room.pk)
    if not room.rules_of.permits(rulebook):
        room.jurisdiction = next(each.id for each in jurisdictions().values() if each.permits(rulebook))
        room.save(update_fields=["jurisdiction"])
    return room


#: What a city takes in a test: invented.
CITY_LEVY: dict[str, Any] = {
    "levied_by": "city",
    "authority": "City of Cache Slough",
    "source": "Code 5.24.080",
    "period": "month",
    "base": ["collection"],
    "lines": [
        {"per": "part", "lower_cents": 0, "upper_cents": 1_000, "basis_points": 825},
        {"per": "part", "lower_cents": 1_000, "upper_cents": None, "basis_points": 1_100},
    ],
}


def filed_levy(
    room: Room, by: Staff, document: dict[str, Any] = CITY_LEVY, number: int = 1, since: datetime.date = SINCE
) -> Levy:
    """Return the levy that a room has filed under that number; filed now where there is none."""
    found = Levy.objects.filter(room=room, number=number, status=Levy.Status.FILED).first()
    return found or services.file_at_once(
        Levy(room=room, number=number, document=document), by=by, effective_from=since
    )
