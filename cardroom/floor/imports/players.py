"""Files of players. A line with a known number is that player's; without a number it is a new player, unless a name looks like somebody's."""

from __future__ import annotations

import datetime
import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cardroom.core.names import looks_like
from cardroom.people.models import Player, Provider, Staff
from cardroom.people.names import names_before
from cardroom.rooms.models import Room

from ..commands.players import MOST_NUMBER, NAME_LENGTH
from ..execution.transactions import RoomTransaction
from .kinds import (
    Fault,
    FileKind,
    Judge,
    Judged,
    Known,
    Outcome,
    day_in,
    name_in,
    number_in,
    one_of,
    rows_inserted,
    text_in,
    word,
    yes_in,
)
from .lines import Columns, Line

#: The column of the file that a column of the row comes from, where it is called otherwise.
_COLUMN_OF: Final = {"is_active": "active"}


class PlayersJudge(Judge):
    """The players and providers of a room; two queries."""

    def __init__(self, room: Room, by: Staff, decisions: Mapping[str, str]) -> None:
        super().__init__(room, by, decisions)
        self.by_number: dict[int, Player] = {}
        self.by_key: dict[str, list[Player]] = defaultdict(list)
        for player in Player.objects.filter(room=room).select_related("provider", "merged_into"):
            self.by_number[player.number] = player
            if player.merged_into is None and not player.is_unused:
                for key in {player.name_key, player.other_name_key} - {""}:
                    self.by_key[key].append(player)
        self.providers = {each.name: each for each in Provider.objects.filter(room=room)}
        self.line_of_key: dict[str, int] = {}

    def alike(self, line: Line) -> list[Known]:
        return [_known(each) for each in self.by_key.get(looks_like(line.given.get("name", "")), ())]

    def accepted(self, line: Line) -> Judged:
        number = number_in(line, "number", MOST_NUMBER, "a player")
        columns = self._columns(line)
        key = looks_like(columns["name"])
        if number is not None:
            player = self.by_number.get(number)
        else:
            known = self.decided(line, self.line_of_key.get(key))
            player = None if known is None else known.row
        if player is not None:
            _check_is(player, key)
        taken = number if player is None else player.number
        if taken is not None:
            self.take(line, "number", taken, f"number {taken}")
        self.line_of_key.setdefault(key, line.number)
        if player is None:
            return Judged(line, Outcome.NEW, columns={"number": number, **columns})
        return self._changed(line, player, columns)

    def _changed(self, line: Line, player: Player, columns: dict[str, Any]) -> Judged:
        # What the file has no column for stays as it is.
        written = {
            name: value
            for name, value in columns.items()
            if _COLUMN_OF.get(name, name) in line.given and getattr(player, name) != value
        }
        if player.staff_id is not None and written.get("provider") is not None:
            raise Fault("provider", f"{player.label} works for the room, and plays for no provider.")
        changes = {name: (word(getattr(player, name)), word(value)) for name, value in written.items()}
        outcome = Outcome.CHANGED if written else Outcome.SAME
        return Judged(line, outcome, known=_known(player), columns=written, changes=changes)

    def _columns(self, line: Line) -> dict[str, Any]:
        name, other = name_in(line, "name", NAME_LENGTH), name_in(line, "other_name", NAME_LENGTH)
        if not name:
            raise Fault("name", "No name. It is the one thing that a player must have.")
        provider = None
        if named := line.given.get("provider", ""):
            one_of(named, self.providers, "provider", "provider")
            provider = self.providers[named]
        badge, expires = text_in(line, "badge_number", 40), day_in(line, "badge_expires")
        if provider is None and (badge or expires is not None):
            raise Fault("provider", "A badge is a provider's: name the provider, or leave the badge empty.")
        return {
            "name": name,
            "other_name": other,
            "provider": provider,
            "badge_number": badge,
            "badge_expires": expires,
            "is_active": yes_in(line, "active"),
        }


class PlayersFile(FileKind):
    """Players."""

    name, one, many = "players", "player", "players"
    columns = Columns(
        "player",
        ("number", "name", "other_name", "provider", "badge_number", "badge_expires", "active"),
        "name",
    )
    about = (
        "A known number changes that player; without a number it is a new one. Exclusions are not imported."
    )
    example = "number,name\r\n41,Lee Chan\r\n"

    def judge(
        self, room: Room, by: Staff, decisions: Mapping[str, str], lines: Sequence[Line]
    ) -> PlayersJudge:
        return PlayersJudge(room, by, decisions)

    def write(self, tx: RoomTransaction, judged: Sequence[Judged], signed: dict[str, Any]) -> dict[str, Any]:
        return {"numbers": [player.number for player in players_written(tx.room, judged, tx.actor, tx.now)]}

    def rows(self, room: Room) -> Iterable[Iterable[Any]]:
        known = Player.objects.filter(room=room, merged_into__isnull=True, is_unused=False)
        for each in known.select_related("provider").order_by("number"):
            badge = each.provider, each.badge_number, each.badge_expires
            yield each.number, each.name, each.other_name, *badge, each.is_active


def players_written(
    room: Room, judged: Iterable[Judged], actor: Staff, now: datetime.datetime
) -> list[Player]:
    """Write the players that are new or change, as `actor` has given the file; return them."""
    taken = set(Player.objects.filter(room=room).values_list("name", flat=True))
    of = {
        outcome: [each for each in judged if each.outcome is outcome]
        for outcome in (Outcome.NEW, Outcome.CHANGED)
    }
    written = _added(room, [each.columns for each in of[Outcome.NEW]], taken)
    for each in of[Outcome.CHANGED]:
        assert each.known is not None
        player: Player = each.known.row
        names = names_before(player, actor, now)
        for name, value in each.columns.items():
            setattr(player, name, value)
        if "name" in each.columns:
            player.name = player.told_apart(player.name, taken)
            taken.add(player.name)
            player.is_guest = False
        player.is_unused = False
        player.save()
        if names is not None and not {"name", "other_name"}.isdisjoint(each.columns):
            names.save()
        written.append(player)
    return written


def _added(room: Room, rows: list[dict[str, Any]], taken: set[str]) -> list[Player]:
    """Insert new players: who has no number gets one after all numbers of room and file.

    `taken` are the names that players have; those of the new ones are added.
    """
    given = [columns["number"] for columns in rows if columns["number"] is not None]
    following = itertools.count(max([Player.next_number(room.pk) - 1, *given]) + 1)
    players = []
    for columns in rows:
        number = columns["number"] if columns["number"] is not None else next(following)
        player = Player(room=room, **{**columns, "number": number})
        player.name = player.told_apart(player.name, taken)
        taken.add(player.name)
        player.clean()  # how the names look, which is otherwise read as a row is saved
        players.append(player)
    return rows_inserted(players)  # a guest may have been seated under one of the numbers meanwhile


def _check_is(player: Player, key: str) -> None:
    """Raise Fault where a number is somebody else's than the name says."""
    if player.merged_into is not None:
        raise Fault(
            "number",
            f"Number {player.number} is merged into {player.merged_into.label}: give that one's number.",
        )
    if player.erased_at is not None:
        raise Fault(
            "number",
            f"Number {player.number} was erased. Give another number, or leave it empty for the next free one.",
        )
    words = set(player.name_key.split()) | set(player.other_name_key.split())
    if not player.is_guest and not words & set(key.split()):
        raise Fault(
            "number",
            f"Number {player.number} is {player.name}'s. Give another number, or leave it empty for the next free one.",
        )


def _known(player: Player) -> Known:
    return Known(str(player.number), player.label, player)
