"""Commands that read files of a room's people: of each kind a dry run that writes nothing, and the import that two people sign.

The kinds are declared in `cardroom.floor.imports`; here are the lock, the right, the second person, the plan and the journal.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from typing import Annotated, Final, TypedDict

from cardroom.core.json_types import Base64, Signature, Text
from cardroom.people.journal import person_data
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..errors import BadInput, Forbidden, NotNow
from ..execution.carry_out import RoomCommand, room_command
from ..execution.transactions import RoomTransaction
from ..imports.kinds import LEFT_OUT, WRITTEN, FileKind, Judged, Outcome, plan_of
from ..imports.lines import MOST_BYTES, FileRefused, read_lines
from ..imports.players import PlayersFile
from ..imports.providers import ProvidersFile
from ..imports.staff import StaffFile
from .command_types import bytes_given
from .second_person import check_second_person

_Approval = Annotated[Staff, Signature(right=Right.APPROVE_ADMINISTRATION)]

Content = Annotated[str, Base64.of(MOST_BYTES), "The bytes of the file, CSV or TOML, in Base64 (RFC 4648)."]
#: As long as the keys of those whom a decision may name.
DECISION_LENGTH: Final = 12
Decisions = Annotated[
    dict[str, Annotated[str, Text(DECISION_LENGTH)]],
    "By the number of a line whose name looks like somebody's: the key of who it is (`alike`), or `new`.",
]


class ImportLine(TypedDict):
    """A line that needs a decision, is left out, or changes something."""

    line: int
    text: Annotated[str, "The line as it stands."]
    outcome: str
    why: str
    column: str
    known: Annotated[
        str | None, "The key of what it changes: a player's number, the id of a person or a provider."
    ]
    alike: Annotated[list[str], "The keys of those whose names look like its name."]
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


class ImportCommands:
    """The commands of one kind of file, declared as this is made: `check` and `carry_out`."""

    def __init__(self, kind: FileKind) -> None:
        self.kind = kind
        example = {"content": base64.b64encode(kind.example.encode()).decode()}

        def check(
            tx: RoomTransaction, *, content: Content, decisions: Decisions | None = None
        ) -> ImportAnswer:
            """Say what an import of the file would do, line by line, and write nothing."""
            return import_answer(kind, *self._judged(tx, content, decisions or {}))

        def carry_out(
            tx: RoomTransaction,
            *,
            content: Content,
            plan: Annotated[str, Text(64), "The digest that the check answered."],
            approver: _Approval,
            decisions: Decisions | None = None,
        ) -> ImportAnswer:
            """Write the lines of a file by one command, or none of them; lines that are refused are left out and come back.

            A second person signs what the check has shown (`plan`): where something has changed since, it is refused.
            """
            return self._imported(tx, content, plan, approver, decisions or {})

        check.__name__, carry_out.__name__ = f"{kind.name}_import_check", f"{kind.name}_import"
        self.check: RoomCommand[...] = room_command(
            f"POST {kind.name}/import/check",
            Right.SET_PEOPLE,
            bumps_version=False,
            no_check="it writes nothing",
            title=f"Check a file of {kind.many}",
            tag="People",
            example=example,
        )(check)
        self.carry_out: RoomCommand[...] = room_command(
            f"POST {kind.name}/import",
            Right.SET_PEOPLE,
            bumps_version=False,
            no_check="it depends on the file, whose faults are told line by line",
            title=f"Import a file of {kind.many}",
            tag="People",
            example={**example, "plan": "0" * 64},
            fresh=kind.fresh,
        )(carry_out)

    def _judged(
        self, tx: RoomTransaction, content: str, decisions: dict[str, str]
    ) -> tuple[bytes, list[Judged]]:
        data = bytes_given(content)
        try:
            lines = read_lines(self.kind.columns, data)
        except FileRefused as refused:
            raise BadInput("bad_file", str(refused), path="content") from None
        return data, self.kind.judged(tx.room, tx.actor, decisions, lines)

    def _imported(
        self, tx: RoomTransaction, content: str, plan: str, approver: Staff, decisions: dict[str, str]
    ) -> ImportAnswer:
        kind = self.kind
        data, judged = self._judged(tx, content, decisions)
        answer = import_answer(kind, data, judged)
        if answer["plan"] != plan:
            raise NotNow(
                "plan_changed",
                Phrase(
                    "What the room has of {what} has changed since the file was checked. Check it again, and sign that.",
                    what=kind.many,
                ),
            )
        check_second_person(
            tx, approver, Right.APPROVE_ADMINISTRATION, Phrase("imports {what}", what=kind.many)
        )
        if (own := next((each for each in judged if each.about == approver), None)) is not None:
            raise Forbidden(
                "approver_may_not",
                Phrase(
                    "{person} may not sign for this: line {line} is about them. Somebody else signs, or the line is left out.",
                    person=approver,
                    line=own.line.number,
                ),
                path="approver",
            )
        signed = {"approved_by": person_data(approver), "file": answer["sha256"]}
        told = kind.write(tx, [each for each in judged if each.outcome in WRITTEN], signed)
        counts = {each.value: answer[each.value] for each in Outcome}
        tx.journal(f"{kind.name}_import", {**signed, **counts, **told})
        return answer


def import_answer(kind: FileKind, data: bytes, judged: list[Judged]) -> ImportAnswer:
    """Return what becomes of the lines of a file as plain data."""
    counts = Counter(each.outcome for each in judged)
    return {
        "sha256": hashlib.sha256(data).hexdigest(),
        "plan": plan_of(judged),
        "new": counts[Outcome.NEW],
        "changed": counts[Outcome.CHANGED],
        "same": counts[Outcome.SAME],
        "alike": counts[Outcome.ALIKE],
        "refused": counts[Outcome.REFUSED],
        "lines": [
            _line(each) for each in judged if each.outcome in LEFT_OUT or each.outcome is Outcome.CHANGED
        ],
        "left_out": kind.left_out(judged),
    }


def _line(each: Judged) -> ImportLine:
    return {
        "line": each.line.number,
        "text": each.line.text,
        "outcome": each.outcome.value,
        "why": each.why,
        "column": each.column,
        "known": None if each.known is None else each.known.key,
        "alike": [known.key for known in each.alike],
        "changes": {name: list(change) for name, change in each.changes.items()},
    }


players_files = ImportCommands(PlayersFile())
staff_files = ImportCommands(StaffFile())
providers_files = ImportCommands(ProvidersFile())
#: The kinds of files, by name.
FILES: Final[dict[str, ImportCommands]] = {
    each.kind.name: each for each in (players_files, staff_files, providers_files)
}
