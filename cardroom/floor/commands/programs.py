"""Commands on a room's programs: made with a second person, and their tokens made, revoked and ended with them.

What a program is, and what its tokens are kept as, is in `cardroom.people.programs`.
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Id, Instant, Label, OneOf, Size, Text, Whole
from cardroom.people.approval import signed_for_duty
from cardroom.people.duties import Duty
from cardroom.people.journal import person_data
from cardroom.people.models import Program, ProgramToken, Staff
from cardroom.people.programs import MOST_DAYS, NewToken, program_open, token_make
from cardroom.people.rights import PROGRAM_RIGHTS, Right, scope_of

from ..errors import BadInput, NotFound, NotNow
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction
from .second_person import signed_for

#: With the sign that it is no person, it fits the name of an account.
NAME_LENGTH = 60
PURPOSE_LENGTH = 200
SCOPES = tuple(scope_of(right) for right in PROGRAM_RIGHTS)

_Signed = Annotated[Staff, signed_for_duty(Duty.MAKE_PROGRAM)]
Days = Annotated[
    int, Whole(1, MOST_DAYS), Label("Token holds for, in days"), "Another is made before it ends."
]


class TokenAnswer(TypedDict):
    """A token was made. Its text is answered this once; it is kept as a hash."""

    program: int
    token_id: int
    token: Annotated[
        str | None, "The token. Null where the command is repeated: it was answered once; make another."
    ]
    expires_at: Instant


class ProgramAnswer(TypedDict):
    """Which program it was."""

    program: int


def shown_once(answer: Any) -> None:
    """Return what a repeated command answers of a token: it is not kept."""
    return


@room_command(
    "POST programs",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="any room may have programs",
    title="Make a program",
    tag="Programs",
    example={
        "name": "Accounting",
        "purpose": "Reads shift reports every night",
        "rights": ["see_reports"],
        "days": 90,
    },
    fresh=True,
    read_again={"token": shown_once},
)
def program_make(
    tx: RoomTransaction,
    *,
    name: Annotated[str, Text(NAME_LENGTH), Label("Name"), "As the journal names it."],
    purpose: Annotated[str, Text(PURPOSE_LENGTH), Label("What it does, and who looks after it")],
    rights: Annotated[
        list[Annotated[str, OneOf(SCOPES)]],
        Size(1, len(SCOPES)),
        Label("Rights"),
        "All that it may do; they never change.",
    ],
    days: Days = 90,
    approver: _Signed | None = None,
) -> TokenAnswer:
    """Make a program with its rights and a first token; a second person signs, where the room has one.

    Its account has no password and no PIN: it signs for nobody, and nobody signs in as it.
    """
    called = f"{name} (program)"
    if Program.objects.filter(room=tx.room, staff__display_name=called, ended_at__isnull=True).exists():
        raise NotNow("program_of_that_name", f"There is a program {name} already.")
    if not rights:
        raise BadInput("no_rights", "A program needs a right at least.", path="rights")
    signed = signed_for(tx, Duty.MAKE_PROGRAM, approver)
    second = approver if signed["approved_by"] else None
    given = [right for right in PROGRAM_RIGHTS if scope_of(right) in rights]
    program = program_open(tx.room, called, purpose, given, by=tx.actor, signed=second, now=tx.now)
    token = token_make(program, days, by=tx.actor, signed=second, now=tx.now)
    data = {
        **_data(program),
        "purpose": purpose,
        "rights": program.rights,
        **_token_data(token.row),
        **signed,
    }
    tx.journal("program_make", data)
    return _answer(token)


@room_command(
    "POST programs/{program_id}/tokens",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the program, which must not have ended",
    title="Make a token",
    tag="Programs",
    example={"days": 90},
    fresh=True,
    read_again={"token": shown_once},
)
def program_token_make(
    tx: RoomTransaction, *, program_id: Id, days: Days = 90, approver: _Signed | None = None
) -> TokenAnswer:
    """Make a further token of a program; a second person signs, where the room has one. Those before hold on.

    The program takes the new one, and the old one is revoked: nothing stands still in between.
    """
    program = program_of_room(tx, program_id)
    signed = signed_for(tx, Duty.MAKE_PROGRAM, approver)
    second = approver if signed["approved_by"] else None
    token = token_make(program, days, by=tx.actor, signed=second, now=tx.now)
    tx.journal("program_token_make", {**_data(program), **_token_data(token.row), **signed})
    return _answer(token)


@room_command(
    "POST programs/{program_id}/tokens/{token_id}/revoke",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the token, which is revoked once",
    title="Revoke a token",
    tag="Programs",
)
def program_token_revoke(tx: RoomTransaction, *, program_id: Id, token_id: Id) -> ProgramAnswer:
    """Revoke a token at once: the next request with it is refused. Nobody else need be about."""
    program = program_of_room(tx, program_id)
    token = ProgramToken.objects.filter(program=program, pk=token_id).first()
    if token is None:
        raise NotFound("unknown_token", f"{program} has no token {token_id}.")
    if token.revoked_at is not None:
        raise NotNow("token_revoked", "This token was revoked before.")
    token.revoked_at, token.revoked_by = max(tx.now, token.made_at), tx.actor
    token.save(update_fields=["revoked_at", "revoked_by"])
    tx.journal("program_token_revoke", {**_data(program), **_token_data(token)})
    return {"program": program.pk}


@room_command(
    "POST programs/{program_id}/end",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the program, which is ended once",
    title="End a program",
    tag="Programs",
)
def program_end(tx: RoomTransaction, *, program_id: Id) -> ProgramAnswer:
    """End a program at once, with all its tokens. What it did stays on record under its name."""
    program = program_of_room(tx, program_id)
    program.ended_at, program.ended_by = max(tx.now, program.made_at), tx.actor
    program.save(update_fields=["ended_at", "ended_by"])
    program.staff.is_active = False
    program.staff.save(update_fields=["is_active"])
    tx.journal("program_end", _data(program))
    return {"program": program.pk}


def program_of_room(tx: RoomTransaction, program_id: int) -> Program:
    """Return a program of the room that has not ended; its room's row, which is locked, is its lock."""
    program = Program.objects.filter(room=tx.room, pk=program_id).select_related("staff").first()
    if program is None:
        raise NotFound("unknown_program", f"This room has no program {program_id}.")
    if program.ended_at is not None:
        raise NotNow("program_ended", f"{program} was ended before.")
    return program


def _data(program: Program) -> dict[str, Any]:
    """A program as the journal names it: `person`, as every account is found there."""
    return {"person": person_data(program.staff)}


def _token_data(token: ProgramToken) -> dict[str, Any]:
    return {"token": token.prefix, "expires_at": utc_text(token.expires_at)}


def _answer(token: NewToken) -> TokenAnswer:
    row = token.row
    expires = utc_text(row.expires_at)
    assert expires is not None
    return {"program": row.program_id, "token_id": row.pk, "token": token.text, "expires_at": expires}
