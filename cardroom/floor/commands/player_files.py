"""Commands that read a file of players: a dry run that writes nothing, and the import that two people sign."""

from __future__ import annotations

import base64
import hashlib
import itertools
from collections import Counter
from typing import Annotated, Any, Final, TypedDict

from django.db import IntegrityError, transaction

from cardroom.core.canonical import canonical_bytes
from cardroom.core.json_types import Signature, Text
from cardroom.core.row_digests import row_note, rows_create
from cardroom.people.journal import person_data
from cardroom.people.models import Player, Staff
from cardroom.people.player_file import (
    MOST_BYTES,
    FileRefused,
    Judged,
    Outcome,
    judge,
    read_lines,
    refused_csv,
)
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..errors import BadInput, NotNow
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction
from .command_types import base64_text, bytes_given
from .second_person import check_second_person

_EXAMPLE: Final = {"content": base64.b64encode(b"number,name\r\n41,Lee Chan\r\n").decode()}
_Approval = Annotated[Staff, Signature(right=Right.APPROVE_ADMINISTRATION)]

Content = Annotated[str, base64_text(MOST_BYTES), "The bytes of the file, CSV or TOML, in Base64 (RFC 4648)."]
Decisions = Annotated[
    dict[str, Annotated[str, Text(12)]],
    "By the number of a line whose name looks like somebody's: the number of who it is, or `new`.",
]


class ImportLine(TypedDict):
    """A line that needs a decision, is left out, or changes a player."""

    line: int
    text: Annotated[str, "The line as it stands."]
    outcome: str
    why: str
    column: str
    number: Annotated[int | None, "The player whom it changes."]
    alike: Annotated[list[int], "Numbers of players whose names look like its name."]
    changes: Annotated[dict[str, list[str]], "Each column that changes, before and after."]


class ImportAnswer(TypedDict):
    """What becomes of a file's lines; the five counts add up to the file."""

    sha256: Annotated[str, "Of the file."]
    plan: Annotated[str, "Digest of what is written; it changes as the room does."]
    new: int
    changed: int
    same: int
    alike: Annotated[int, "Lines that wait for a decision, and are left out without one."]
    refused: int
    lines: list[ImportLine]
    left_out: Annotated[str, "The lines that are left out, as a CSV file to mend."]


@room_command(
    "POST players/import/check",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it writes nothing",
    title=Phrase("Check a file of players"),
    tag="People",
    example=_EXAMPLE,
)
def players_import_check(
    tx: RoomTransaction, *, content: Content, decisions: Decisions | None = None
) -> ImportAnswer:
    """Say what an import of the file would do, line by line, and write nothing."""
    return import_answer(*_judged(tx.room, content, decisions or {}))


@room_command(
    "POST players/import",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the file, whose faults are told line by line",
    title=Phrase("Import a file of players"),
    tag="People",
    example={**_EXAMPLE, "plan": "0" * 64},
)
def players_import(
    tx: RoomTransaction,
    *,
    content: Content,
    plan: Annotated[str, Text(64), "The digest that the check answered."],
    approver: _Approval,
    decisions: Decisions | None = None,
) -> ImportAnswer:
    """Write the lines of a file as one act, or none of them; lines that are refused are left out and come back.

    A second person signs what the check has shown (`plan`): where a player has changed since, it is refused.
    """
    data, judged = _judged(tx.room, content, decisions or {})
    answer = import_answer(data, judged)
    if answer["plan"] != plan:
        raise NotNow(
            "plan_changed",
            Phrase(
                "The room's players have changed since the file was checked. Check it again, and sign that."
            ),
        )
    check_second_person(tx, approver, Right.APPROVE_ADMINISTRATION, Phrase("imports players"))
    written = _write(tx.room, judged)
    counts = {each.value: answer[each.value] for each in Outcome}
    signed = {"sha256": answer["sha256"], **counts, "approved_by": person_data(approver)}
    tx.journal("players_import", {**signed, "numbers": written})
    return answer


def import_answer(data: bytes, judged: list[Judged]) -> ImportAnswer:
    """Return what becomes of the lines of a file as plain data."""
    counts = Counter(each.outcome for each in judged)
    shown = [each for each in judged if each.outcome not in (Outcome.NEW, Outcome.SAME)]
    return {
        "sha256": hashlib.sha256(data).hexdigest(),
        "plan": hashlib.sha256(canonical_bytes([_planned(each) for each in judged])).hexdigest(),
        "new": counts[Outcome.NEW],
        "changed": counts[Outcome.CHANGED],
        "same": counts[Outcome.SAME],
        "alike": counts[Outcome.ALIKE],
        "refused": counts[Outcome.REFUSED],
        "lines": [_line(each) for each in shown],
        "left_out": refused_csv(judged),
    }


def _judged(room: Room, content: str, decisions: dict[str, str]) -> tuple[bytes, list[Judged]]:
    data = bytes_given(content)
    try:
        return data, judge(room, read_lines(data), decisions)
    except FileRefused as refused:
        raise BadInput("bad_file", str(refused), path="content") from None


def _write(room: Room, judged: list[Judged]) -> list[int]:
    """Write what is to be written; returns the numbers of the players."""
    taken = set(Player.objects.filter(room=room).values_list("name", flat=True))
    added = _add(room, [each.columns for each in judged if each.outcome is Outcome.NEW], taken)
    numbers = [player.number for player in added]
    for each in judged:
        if each.outcome is Outcome.CHANGED and (player := each.player) is not None:
            for name, value in each.columns.items():
                setattr(player, name, value)
            if "name" in each.columns:
                player.name = player.told_apart(player.name, taken)
                taken.add(player.name)
                player.is_guest = False
            player.is_unused = False
            player.save()
            numbers.append(player.number)
    return numbers


def _add(room: Room, rows: list[dict[str, Any]], taken: set[str]) -> list[Player]:
    """Insert new players at once, with their history: who has no number gets one after all numbers of room and file.

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
    try:
        with transaction.atomic():
            rows_create(players)
            for row in Player.history.bulk_history_create(players) or ():
                row_note(row, whole=True)
    except IntegrityError:
        raise NotNow(
            "busy", Phrase("Other players are being added at this moment. Nothing was changed; try again.")
        ) from None
    return players


def _planned(each: Judged) -> Any:
    columns = {name: str(value) for name, value in each.columns.items()}
    player = None if each.player is None else each.player.pk
    return [
        each.line.number,
        each.outcome.value,
        player,
        columns,
        {k: list(v) for k, v in each.changes.items()},
    ]


def _line(each: Judged) -> ImportLine:
    return {
        "line": each.line.number,
        "text": each.line.text,
        "outcome": each.outcome.value,
        "why": each.why,
        "column": each.column,
        "number": None if each.player is None else each.player.number,
        "alike": [player.number for player in each.alike],
        "changes": {name: list(change) for name, change in each.changes.items()},
    }
