"""Commands on exclusions: who may not play in the room from a day on, and who may again."""

from __future__ import annotations

import datetime
from typing import Annotated, TypedDict

from cardroom.core.dates import day_text
from cardroom.core.json_types import Id, Label, OneOf, Reason, Signature
from cardroom.people.exclusions import excluded_until_set
from cardroom.people.journal import person_data
from cardroom.people.models import Exclusion, Player, Staff
from cardroom.people.permits import local_day
from cardroom.people.players import same_person
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..errors import BadInput, NotFound, NotNow
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction
from .players import player_data, room_player
from .second_person import check_second_person, given_reason

_Approval = Annotated[Staff, Signature(right=Right.KEEP_EXCLUSIONS)]


class ExclusionAnswer(TypedDict):
    """Which exclusion it was."""

    exclusion: int


@room_command(
    "POST players/{player_id}/exclusions",
    Right.KEEP_EXCLUSIONS,
    bumps_version=False,
    no_check="anybody may be excluded, at once",
    title=Phrase("Exclude a player"),
    tag="People",
    example={"kind": "self_excluded", "reason": "form of today, signed", "ends_on": "2031-12-31"},
)
def exclusion_enter(
    tx: RoomTransaction,
    *,
    player_id: Id,
    kind: Annotated[str, OneOf(Exclusion.Kind), Label(Phrase("Kind"))],
    reason: Reason,
    ends_on: Annotated[
        datetime.date | None, Label(Phrase("Last day")), "Left out: until it is lifted."
    ] = None,
) -> ExclusionAnswer:
    """Say that somebody may not play in the room, from now on: one person enters it, at once (4 CCR 12463 to 12466).

    They are not seated, get no bank and place no wagers from the next round on, whichever of their entries is named; who
    sits already is an urgent alert.
    """
    player = room_player(tx, player_id)
    today = local_day(tx.room, tx.now)
    if ends_on is not None and ends_on < today:
        raise BadInput(
            "bad_last_day",
            Phrase("The last day lies before today, {today}.", today=day_text(today)),
            path="ends_on",
        )
    exclusion = Exclusion.objects.create(
        room=tx.room,
        player=player,
        kind=kind,
        reason=given_reason(reason, Phrase("An exclusion")),
        began_on=today,
        ends_on=ends_on,
        entered_at=tx.now,
        entered_by=tx.actor,
    )
    excluded_until_set(Player.objects.filter(same_person(player)))
    # Why is need-to-know: it stands in the row, which the entry covers.
    tx.journal("exclusion_enter", {"exclusion": exclusion.pk, **player_data(player)})
    return {"exclusion": exclusion.pk}


@room_command(
    "POST exclusions/{exclusion_id}/lift",
    Right.KEEP_EXCLUSIONS,
    bumps_version=False,
    no_check="it depends on the exclusion",
    title=Phrase("Lift an exclusion"),
    tag="People",
    example={"reason": "entered for the wrong person"},
)
def exclusion_lift(
    tx: RoomTransaction, *, exclusion_id: Id, reason: Reason, approver: _Approval
) -> ExclusionAnswer:
    """Let somebody play again before the last day; a second person signs. It stays on record."""
    exclusion = (
        Exclusion.objects.filter(pk=exclusion_id, room=tx.room).select_related("player", "room").first()
    )
    if exclusion is None:
        raise NotFound("unknown_exclusion", Phrase("This room has no exclusion {id}.", id=exclusion_id))
    if exclusion.lifted_at is not None:
        raise NotNow("already_lifted", Phrase("This exclusion is lifted already."))
    reason = given_reason(reason, Phrase("Lifting an exclusion"))
    check_second_person(tx, approver, Right.KEEP_EXCLUSIONS, Phrase("lifts an exclusion"))
    exclusion.lifted_at, exclusion.lifted_by, exclusion.lifted_approved_by = tx.now, tx.actor, approver
    exclusion.lifted_reason = reason
    exclusion.save()
    excluded_until_set(Player.objects.filter(same_person(exclusion.player)))
    data = {"exclusion": exclusion.pk, **player_data(exclusion.player)}
    tx.journal("exclusion_lift", {**data, "approved_by": person_data(approver)})
    return {"exclusion": exclusion.pk}
