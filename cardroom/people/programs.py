"""Programs: accounts without a password that work by the API, each in one room with a list of rights, by tokens.

A token is 256 random bits. The database keeps its SHA-256, by which it is found: nothing that was copied from there signs in, and
there is no secret to compare letter by letter. It is shown once, as it is made.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import re
import secrets
from collections.abc import Sequence
from typing import Final

from django.db import DatabaseError, transaction
from django.db.models import F, Q, QuerySet

from cardroom.rooms.models import Room

from .models import Employment, Program, ProgramToken, Role, Staff
from .rights import Right, scope_of

#: What every token begins with, so that people and scanners of repositories know one where it should not be.
TOKEN_BEGIN: Final = "crp_"  # noqa: S105  # no token, but how each begins
#: So many letters of a token are kept to tell it by: the beginning, and six of its 43.
PREFIX_LENGTH: Final = len(TOKEN_BEGIN) + 6
#: How long a token holds at most; another is made before it ends.
MOST_DAYS: Final = 366
#: A token's last use is written once in so long.
_USE_NOTED: Final = datetime.timedelta(minutes=1)
_TOKEN = re.compile(rf"{TOKEN_BEGIN}[A-Za-z0-9_-]{{43}}")


class TokenRefused(Exception):
    """A token opens nothing. `code` is stable, `message` says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclasses.dataclass(frozen=True)
class NewToken:
    """A token as it is made: the only time that its text is there."""

    text: str = dataclasses.field(repr=False)
    row: ProgramToken


def program_open(
    room: Room,
    name: str,
    purpose: str,
    rights: Sequence[Right],
    *,
    by: Staff,
    signed: Staff | None,
    now: datetime.datetime,
) -> Program:
    """Write a program with its account and role, inside the transaction of a command. `signed`: who signed, where somebody could."""
    account = Staff(
        username=f"program.{room.pk}.{secrets.token_hex(6)}", display_name=name, home=room, added_by=by
    )
    account.set_unusable_password()
    account.save(force_insert=True)
    Employment.objects.create(staff=account, room=room, role=Role.PROGRAM)
    return Program.objects.create(
        staff=account,
        room=room,
        rights=[scope_of(right) for right in rights],
        purpose=purpose,
        made_at=now,
        made_by=by,
        approved_by=signed,
    )


def token_make(
    program: Program, days: int, *, by: Staff, signed: Staff | None, now: datetime.datetime
) -> NewToken:
    """Write a token that holds for `days`, inside the transaction of a command."""
    text = TOKEN_BEGIN + secrets.token_urlsafe(32)
    row = ProgramToken.objects.create(
        program=program,
        prefix=text[:PREFIX_LENGTH],
        hash=token_hash(text),
        expires_at=now + datetime.timedelta(days=days),
        made_at=now,
        made_by=by,
        approved_by=signed,
    )
    return NewToken(text, row)


def token_hash(text: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(text.encode()).hexdigest()


def token_read(text: str, now: datetime.datetime) -> ProgramToken:
    """Return the token whose text this is, with its program and account, and note its use.

    Raises TokenRefused: `bad_token` (no token, or nobody's), `token_expired`, `token_revoked`.
    """
    if not _TOKEN.fullmatch(text):
        raise TokenRefused(
            "bad_token",
            f"This is no token: one is {TOKEN_BEGIN} and 43 letters. Send it whole, after 'Bearer '.",
        )
    found = ProgramToken.objects.select_related("program__staff", "program__room")
    token = found.filter(hash=token_hash(text)).first()
    if token is None:
        raise TokenRefused(
            "bad_token", "Nobody has this token. A room manager makes one on the page Programs."
        )
    # What the account is asked for in this request is known already.
    token.program.staff.program = token.program
    if (
        token.revoked_at is not None
        or token.program.ended_at is not None
        or not token.program.staff.is_active
    ):
        raise TokenRefused(
            "token_revoked", "This token was revoked. A room manager makes another on the page Programs."
        )
    if token.expires_at <= now:
        raise TokenRefused(
            "token_expired",
            f"This token expired on {token.expires_at:%Y-%m-%d}. A room manager makes another on the page Programs.",
        )
    _note_use(token, now)
    return token


def _note_use(token: ProgramToken, now: datetime.datetime) -> None:
    """Write when a token was used last; a database that takes no changes is no reason to read nothing from it."""
    long_ago = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now - _USE_NOTED)
    try:
        with transaction.atomic():
            ProgramToken.objects.filter(long_ago, pk=token.pk).update(last_used_at=now)
    except DatabaseError:
        return


def programs_of(room: Room) -> QuerySet[Program]:
    """Return the programs of a room, those that work first, by name; each with its tokens."""
    programs = Program.objects.filter(room=room).select_related("staff", "made_by", "approved_by", "ended_by")
    in_order = programs.order_by(F("ended_at").asc(nulls_first=True), "staff__display_name", "pk")
    return in_order.prefetch_related("tokens__made_by")
