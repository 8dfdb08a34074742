"""A program of a cast's room, and its requests: an API client by token for tests."""

from __future__ import annotations

from typing import Any

from django.test import Client

from cardroom.floor.commands.programs import program_make
from tests.cast import Cast

from .client import Caller


def make_program(cast: Cast, *rights: str, name: str = "Accounting", days: int = 90) -> dict[str, Any]:
    """Make a program with these rights, signed by two; return the answer, which has its token."""
    answer: dict[str, Any] = cast.send_room(
        program_make,
        "room_manager",
        name=name,
        purpose="reads the journal",
        rights=list(rights),
        days=days,
        approver=cast.people["compliance"],
    )
    return answer


def calling(cast: Cast, token: str) -> Caller:
    """Return a client that sends this token, and has no session."""
    caller = Caller(cast, None)
    caller.client = Client(headers={"Authorization": f"Bearer {token}"})
    return caller
