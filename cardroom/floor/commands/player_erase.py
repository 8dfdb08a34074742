"""Command that erases the names of a player at the person's wish, and what has to be over or old enough first."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Iterator
from typing import Annotated, Final

from cardroom.core.dates import day_text
from cardroom.core.json_types import Id, Reason, Signature
from cardroom.people.journal import person_data
from cardroom.people.models import Exclusion, Player, PlayerName, Staff
from cardroom.people.permits import local_day
from cardroom.people.players import same_person
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..errors import NotNow, WhyNot
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction
from ..names_needed import whys_names_needed
from .players import PlayerAnswer, player_data, room_player
from .second_person import check_second_person, given_reason

#: So many years a room keeps by name what the law has it keep so (4 CCR 12312(a)).
KEPT_YEARS: Final = 7
_Approval = Annotated[Staff, Signature(right=Right.APPROVE_ADMINISTRATION)]


@room_command(
    "POST players/{player_id}/erase",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the player: whys_not_erase",
    title=Phrase("Erase a player's names"),
    tag="People",
    example={"reason": "asked for it in writing"},
)
def player_erase(tx: RoomTransaction, *, player_id: Id, reason: Reason, approver: _Approval) -> PlayerAnswer:
    """Erase the names of a player for good, those of before and the photograph too: they are *Player #41* from then on. A second person signs.

    Facts stay as they are: they refer to the player. The entry is used no more; who comes back is a new player.
    """
    player = room_player(tx, player_id)
    if (why := next(whys_not_erase(player, tx.now), None)) is not None:
        raise NotNow.because(why)
    reason = given_reason(reason, Phrase("Erasing names"))
    check_second_person(tx, approver, Right.APPROVE_ADMINISTRATION, Phrase("erases names"))
    entries = list(Player.objects.filter(same_person(player)).select_related("photo").order_by("pk"))
    for before in PlayerName.objects.filter(player__in=entries):
        before.delete()
    for entry in entries:
        photo, entry.photo = entry.photo, None
        entry.name, entry.other_name, entry.name_salt = entry.nameless, "", ""
        entry.erased_at, entry.is_active, entry.is_guest = tx.now, False, False
        entry.save()
        if photo is not None:
            photo.delete()
    merged = [entry.pk for entry in entries if entry.pk != player.pk]
    data = {**player_data(player), **({"merged": merged} if merged else {})}
    tx.journal("player_erase", {**data, "approved_by": person_data(approver)}, reason=reason)
    return {"player": player.pk, "number": player.number, "alike": []}


def whys_not_erase(player: Player, now: datetime.datetime) -> Iterator[WhyNot]:
    """Nobody is erased who is in the room, whom something open or a rule needs by name, or whom the law has it keep by name for years."""
    entries, today = (
        list(Player.objects.filter(same_person(player)).order_by("pk")),
        local_day(player.room, now),
    )
    if any(entry.staff_id is not None for entry in entries):
        yield WhyNot(
            "works_here",
            Phrase("{player} is marked as one of the staff. Take the mark off first.", player=player.label),
        )
    yield from whys_names_needed(player, today)
    if any(entry.provider_id is not None for entry in entries):
        yield WhyNot(
            "plays_for_provider",
            Phrase(
                "{player} plays for {provider}: the room keeps a provider's players by name and badge.",
                player=player.label,
                provider=player.provider,
            ),
            "4 CCR 12270",
        )
    excluded = Exclusion.objects.filter(same_person(player, "player__")).select_related("room")
    over = [each for each in excluded if not each.holds_at(now)]
    if len(over) < len(excluded):
        yield WhyNot(
            "player_excluded",
            Phrase(
                "{player} may not play here, which nobody could tell without the name. Ask a shift manager.",
                player=player.label,
            ),
            "4 CCR 12463",
        )
    ended = [min(each.lifted_at or each.ends_at, each.ends_at) for each in over]
    kept = [_years_later(local_day(player.room, at)) for at in (*ended, *_left_providers(entries))]
    if (until := max(kept, default=None)) is not None and until > today:
        yield WhyNot(
            "kept_by_name",
            Phrase(
                "The room keeps {player} by name for {years} years after the last badge or exclusion: until {day}.",
                player=player.label,
                years=KEPT_YEARS,
                day=day_text(until),
            ),
            "4 CCR 12312",
        )


def _left_providers(entries: list[Player]) -> list[datetime.datetime]:
    """When each entry stopped playing for a provider, by its history."""
    found = []
    for entry in entries:
        rows = Player.history.filter(id=entry.pk).order_by("history_date", "history_id")
        changes = list(rows.values_list("provider", "history_date"))
        found += [at for (before, _), (after, at) in itertools.pairwise(changes) if before and not after]
    return found


def _years_later(day: datetime.date) -> datetime.date:
    """The day so many years later on which what was over on `day` is kept by name no more."""
    leap = day.month == 2 and day.day == 29
    return day.replace(year=day.year + KEPT_YEARS, day=28 if leap else day.day)
