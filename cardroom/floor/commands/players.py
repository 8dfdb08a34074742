"""Commands on the players of a room: who is added, what they are called, and which two entries are one person."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Final, TypedDict

from django.db import IntegrityError, transaction

from cardroom.core.json_types import Id, Label, Reason, Signature, Text, Whole
from cardroom.core.names import plain_name
from cardroom.people.exclusions import excluded_until_set
from cardroom.people.journal import person_data
from cardroom.people.models import Player, PlayerMerge, Staff
from cardroom.people.names import names_before
from cardroom.people.players import others_alike, same_person
from cardroom.people.rights import Right, roles_of
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..errors import BadInput, NotNow, WhyNot
from ..execution.carry_out import room_command
from ..execution.locks import lock_row
from ..execution.transactions import RoomTransaction
from ..models import Seating
from ..reads.players import player_of
from ..reads.seating import stays_now
from .providers import provider_named
from .second_person import check_second_person, given_reason

NAME_LENGTH: Final = 80
#: So often another number is tried where two tablets take the same one at once.
_TRIES: Final = 5
#: Numbers of players fit the column and a keypad.
MOST_NUMBER: Final = 999_999_999

Name = Annotated[str, Text(NAME_LENGTH), Label(Phrase("Name"))]
OtherName = Annotated[
    str,
    Text(NAME_LENGTH, blank=True),
    Label(Phrase("Name in another script")),
    "The name in another script, or a second one they go by.",
]
Number = Annotated[
    int | None, Whole(1, MOST_NUMBER), Label(Phrase("Number")), "Left out: the next one of the room."
]
_Approval = Annotated[Staff, Signature(right=Right.KEEP_PLAYERS)]


class PlayerAnswer(TypedDict):
    """Which player it was, and whose names look like theirs."""

    player: int
    number: Annotated[int, "The room's number of the player."]
    alike: Annotated[
        list[int], "Other players of the room whose names look like this one's: is it one of them?"
    ]


@room_command(
    "POST players",
    Right.KEEP_PLAYERS,
    bumps_version=False,
    no_check="anybody may be a player of the room",
    title=Phrase("Add a player"),
    tag="People",
    example={"name": "Lee Chan", "other_name": "陳麗"},
)
def player_add(
    tx: RoomTransaction, *, name: Name, other_name: OtherName = "", number: Number = None
) -> PlayerAnswer:
    """Add a player to the room. Two may have one name: their numbers tell them apart."""
    player = Player(room=tx.room, name=name, other_name=other_name)
    if number is not None:
        _check_number(player, number)
        player.number = number
    player_added(player)
    tx.journal("player_add", player_data(player))
    return _answer(player)


@room_command(
    "PUT players/{player_id}",
    Right.KEEP_PLAYERS,
    bumps_version=False,
    no_check="it depends on the player",
    title=Phrase("Name a player"),
    tag="People",
    example={"name": "Lee Chan"},
)
def player_set(
    tx: RoomTransaction,
    *,
    player_id: Id,
    name: Name,
    other_name: OtherName = "",
    number: Number = None,
    active: Annotated[bool, Label(Phrase("may play")), "Whether they may play in the room."] = True,
) -> PlayerAnswer:
    """Say what a player is called, and under which number; a guest who is named is none any more.

    Facts refer to the player and not to a name: every page shows the new one.
    """
    player = room_player(tx, player_id)
    before = (player.name, player.other_name, player.number, player.is_active)
    names = names_before(player, tx.actor, tx.now)
    if number is not None and number != player.number:
        _check_number(player, number)
        player.number = number
    player.is_guest = player.is_guest and name.strip() == player.name
    player.is_unused = False
    player.name, player.other_name, player.is_active = _written(player, name), other_name, active
    after = (player.name, player.other_name, player.number, player.is_active)
    if before[:2] != after[:2] and names is not None:
        names.save()
    columns = ("name", "other_name", "number", "is_active")
    changed: dict[str, Any] = {}
    for column, was, now in zip(columns, before, after, strict=True):
        if was != now:  # what the names were and are stands in the player's rows alone
            changed[column] = True if column in ("name", "other_name") else [was, now]
    if changed:
        player.save()
        tx.journal("player_set", {**player_data(player), "changed": changed})
    return _answer(player)


@room_command(
    "PUT players/{player_id}/provider",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the player",
    title=Phrase("Enter whom a player plays for"),
    tag="People",
    example={"provider_id": 1, "badge_number": "TPP-1042", "badge_expires": "2027-06-30"},
)
def player_provider_set(
    tx: RoomTransaction,
    *,
    player_id: Id,
    provider_id: Annotated[
        Annotated[int, Whole(1)] | None,
        Label(Phrase("Provider")),
        "Whose proposition player they are; left out: nobody's.",
    ] = None,
    badge_number: Annotated[str, Text(40, blank=True), Label(Phrase("Badge number"))] = "",
    badge_expires: Annotated[
        datetime.date | None, Label(Phrase("Valid through")), "Last day on which the badge is valid."
    ] = None,
) -> PlayerAnswer:
    """Enter a provider's authorized player with their badge (4 CCR 12270(b)(5)); without a provider they play for themselves."""
    player = room_player(tx, player_id)
    provider = None if provider_id is None else provider_named(tx, provider_id)
    if provider is None and (badge_number or badge_expires is not None):
        raise BadInput(
            "badge_without_provider",
            Phrase("A badge is a provider's: choose the provider, or leave the badge empty."),
            path="provider_id",
        )
    if provider is not None and player.staff_id is not None:
        raise NotNow(
            "works_here",
            Phrase("{player} works for the room, and plays for no provider.", player=player),
        )
    if provider is not None and player.merged.exists():
        raise NotNow("player_merged", _others_are_merged(player))
    player.provider, player.badge_number, player.badge_expires = provider, badge_number, badge_expires
    player.save(update_fields=["provider", "badge_number", "badge_expires"])
    data = {
        "provider": None if provider is None else {"id": provider.pk, "name": provider.name},
        "badge_number": badge_number,
        "badge_expires": None if badge_expires is None else badge_expires.isoformat(),
    }
    tx.journal("player_provider_set", {**player_data(player), **data})
    return _answer(player)


@room_command(
    "PUT players/{player_id}/staff",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the player",
    title=Phrase("Mark a player as one of the staff"),
    tag="People",
    example={"staff_id": 1},
)
def player_staff_set(
    tx: RoomTransaction,
    *,
    player_id: Id,
    staff_id: Annotated[
        Annotated[int, Whole(1)] | None, Label(Phrase("Works here as")), "Left out: they do not work here."
    ] = None,
) -> PlayerAnswer:
    """Say that a player is a member of the room's own staff, who may not take the bank (ruling 41), or is none any more."""
    player = room_player(tx, player_id)
    staff = None
    if staff_id is not None:
        staff = Staff.objects.filter(pk=staff_id).first()
        if staff is None or not roles_of(staff, tx.room):
            raise BadInput(
                "unknown_person",
                Phrase("Nobody of this room's staff has the number {staff_id}.", staff_id=staff_id),
                path="staff_id",
            )
        other = Player.objects.filter(room=tx.room, staff=staff).exclude(pk=player.pk).first()
        if other is not None:
            raise NotNow(
                "player_of_staff",
                Phrase(
                    "{staff} is {player} already: take the mark off there first.",
                    staff=staff,
                    player=other.label,
                ),
            )
        if player.provider_id is not None:
            raise NotNow(
                "plays_for_provider",
                Phrase(
                    "{player} plays for {provider}: nobody of the staff does.",
                    player=player,
                    provider=player.provider,
                ),
            )
    player.staff = staff
    player.save(update_fields=["staff"])
    tx.journal("player_staff_set", {**player_data(player), "staff": person_data(staff)})
    return _answer(player)


@room_command(
    "POST players/{player_id}/merge",
    Right.KEEP_PLAYERS,
    bumps_version=False,
    no_check="it depends on the two players: why_not_merge",
    title=Phrase("Merge a player into another"),
    tag="People",
    example={"into_id": 1, "reason": "the guest gave his name"},
)
def player_merge(
    tx: RoomTransaction,
    *,
    player_id: Id,
    into_id: Annotated[Id, Label(Phrase("is in fact"))],
    reason: Reason,
    approver: _Approval,
) -> PlayerAnswer:
    """Say that two entries are one person: `player_id` is known as `into_id` from now on, a second person signs.

    Facts keep the entry that they refer to; every page, report and statement names the person. It can be undone.
    """
    player, into = room_player(tx, player_id), room_player(tx, into_id, path="into_id")
    if why := why_not_merge(player, into):
        raise NotNow.because(why)
    reason = given_reason(reason, Phrase("A merge"))
    check_second_person(tx, approver, Right.KEEP_PLAYERS, Phrase("merges players"))
    PlayerMerge.objects.create(
        room=tx.room,
        player=player,
        into=into,
        reason=reason,
        made_at=tx.now,
        made_by=tx.actor,
        approved_by=approver,
    )
    for entry in Player.objects.filter(same_person(player)):
        _point(entry, into)
    excluded_until_set(Player.objects.filter(same_person(into)))
    data = {**player_data(player), "into": player_data(into), "approved_by": person_data(approver)}
    tx.journal("player_merge", data, reason=reason)
    return _answer(into)


@room_command(
    "POST players/{player_id}/unmerge",
    Right.KEEP_PLAYERS,
    bumps_version=False,
    no_check="it depends on the player, who must be merged into another",
    title=Phrase("Undo a merge"),
    tag="People",
    example={"reason": "two people after all"},
)
def player_unmerge(
    tx: RoomTransaction, *, player_id: Id, reason: Reason, approver: _Approval
) -> PlayerAnswer:
    """Say that a player who was merged into another is somebody else after all; a second person signs."""
    player = room_player(tx, player_id, merged=True)
    merge = PlayerMerge.objects.filter(player=player, undone_at__isnull=True).first()
    if merge is None:
        raise NotNow("not_merged", Phrase("{player} is merged into nobody.", player=player.label))
    reason = given_reason(reason, Phrase("Undoing a merge"))
    check_second_person(tx, approver, Right.KEEP_PLAYERS, Phrase("undoes a merge"))
    merge.undone_at, merge.undone_by, merge.undone_approved_by = tx.now, tx.actor, approver
    merge.save()
    _point(player, None)
    for entry in Player.objects.filter(pk__in=_followers(player)):
        _point(entry, player)
    for one in (player, merge.into):
        excluded_until_set(Player.objects.filter(same_person(one)))
    data = {**player_data(player), "from": player_data(merge.into), "approved_by": person_data(approver)}
    tx.journal("player_unmerge", data, reason=reason)
    return _answer(player)


def why_not_merge(player: Player, into: Player) -> WhyNot | None:
    """Two entries are one person unless the record says otherwise: both sit, or the one merged is a provider's or of the staff."""
    if player == into:
        return WhyNot(
            "same_player", Phrase("{player} is one entry: choose another one.", player=player.label)
        )
    for entry in (player, into):
        if entry.provider is not None:
            return WhyNot(
                "plays_for_provider",
                Phrase(
                    "{player} plays for {provider}: the provider's statements are of this entry alone, and it is merged with none.",
                    player=entry.label,
                    provider=entry.provider,
                ),
            )
    if player.staff_id is not None:
        return WhyNot(
            "works_here",
            Phrase(
                "{player} is marked as one of the staff. Merge the other one into it, or take the mark off.",
                player=player.label,
            ),
        )
    seated = stays_now([player, into])
    here = seated.get(player.pk), seated.get(into.pk)
    if here[0] is not None and here[1] is not None:
        return WhyNot(
            "both_seated",
            Phrase(
                "{player} sits at {table}, and {other} at {other_table}: let one of them leave first.",
                player=player.label,
                table=here[0].table,
                other=into.label,
                other_table=here[1].table,
            ),
        )
    return None


def room_player(tx: RoomTransaction, player_id: int, *, path: str = "", merged: bool = False) -> Player:
    """Return a player about whom something is done; one that was merged into another only where `merged` asks for it."""
    player = player_of(tx.room, player_id, path=path)
    if player.erased_at is not None:
        raise NotNow(
            "player_erased",
            Phrase(
                "#{number} was erased, and stays so. Whoever comes back is added as a new player.",
                number=player.number,
            ),
        )
    if player.merged_into is not None and not merged:
        raise NotNow(
            "player_merged",
            Phrase(
                "#{number} is merged into {into}: choose that one, or undo the merge.",
                number=player.number,
                into=player.merged_into.label,
            ),
        )
    return player


def player_data(player: Player) -> dict[str, Any]:
    """A player as the journal has them: by id and number."""
    return {"player": player.pk, "number": player.number}


def player_added(player: Player) -> None:
    """Write a new player under the room's next number; where two tables take the same one at once, under the next again."""
    given, name = player.number is not None, player.name
    for _ in range(_TRIES):
        if not given:
            player.number = Player.next_number(player.room_id)
        player.name = _written(player, f"Guest {player.number}" if player.is_guest else name)
        try:
            with transaction.atomic():
                player.save(force_insert=True)
        except IntegrityError:
            if given:
                raise
        else:
            return
    raise NotNow(
        "busy", Phrase("Other players are being added at this moment. Nothing was changed; try again.")
    )


def guest_added(room: Room, name: str = "") -> Player:
    """Return a new player whom nobody knew: of that name, or else a guest called by their number.

    Who was added for a seat and taken off it by an undo is nobody: their entry is used again, so that numbers have no gaps.
    """
    unused = Player.objects.filter(room=room, is_unused=True).order_by("number")
    for pk in unused.values_list("pk", flat=True):
        player = lock_row(Player, pk)
        if player.is_unused:  # another table has not taken it meanwhile
            player.is_unused, player.is_guest = False, not name.strip()
            player.name = _written(player, name if name.strip() else f"Guest {player.number}")
            player.save()
            return player
    player = Player(room=room, name=name, is_guest=not name.strip())
    player_added(player)
    return player


def guest_unused(player: Player, name_digest: str) -> bool:
    """Mark a player as nobody who was added for a seat that they never had, under the names that have this digest; not one who has been somebody since."""
    stays = Seating.objects.filter(player=player).count()
    if (
        stays > 1
        or player.name_digest != name_digest
        or player.photo_id is not None
        or player.merged_into_id is not None
        or player.merged.exists()
    ):
        return False
    player.is_unused = player.is_guest = True
    player.name = _written(player, f"Guest {player.number}")
    player.save()
    return True


def _written(player: Player, name: str) -> str:
    """How a player's name is written: with the number, where another player of the room has that name."""
    name = plain_name(name)
    others = Player.objects.filter(room=player.room_id, name=name).exclude(pk=player.pk)
    return player.told_apart(name, [name] if others.exists() else [])


def _check_number(player: Player, number: int) -> None:
    other = Player.objects.filter(room=player.room_id, number=number).exclude(pk=player.pk).first()
    if other is not None:
        raise BadInput(
            "number_taken",
            Phrase("Number {number} is {player}'s. Choose another.", number=number, player=other.known_as),
            path="number",
        )


def _point(player: Player, into: Player | None) -> None:
    player.merged_into = into
    player.save(update_fields=["merged_into"])


def _followers(player: Player) -> set[int]:
    """Those who were merged into a player, and those who had been merged into them before, as far as nothing was undone."""
    found: set[int] = set()
    ahead = {player.pk}
    while ahead:
        merges = PlayerMerge.objects.filter(into__in=ahead, undone_at__isnull=True)
        ahead = set(merges.values_list("player", flat=True)) - found
        found |= ahead
    return found


def _others_are_merged(player: Player) -> str:
    return Phrase(
        "Others are merged into {player}, and none of them plays for a provider. Undo the merges first.",
        player=player.label,
    )


def _answer(player: Player) -> PlayerAnswer:
    alike = [other.pk for other in others_alike(player)]
    return {"player": player.pk, "number": player.number, "alike": alike}
