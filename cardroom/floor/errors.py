"""Exceptions of the floor, all of one base class; page and API each turn them into responses in one place."""

from __future__ import annotations

from typing import Any, NamedTuple

from cardroom.people.pins import PinRefused


class WhyNot(NamedTuple):
    """Why something may not be done: a stable code, and a sentence that says what to do about it.

    `clause` is its source, where it has one: it is shown beside the sentence and never in it.
    """

    code: str
    message: str
    clause: str = ""

    @property
    def extra(self) -> dict[str, Any]:
        """What a refusal says beside its sentence."""
        return {"clause": self.clause} if self.clause else {}


class FloorError(Exception):
    """Base of all refusals of the floor. Nothing has been written when it is raised.

    `status` is the HTTP status that says the same, `code` a stable word for programs, `message` a sentence for
    people, `path` the place in the input where there is one, `extra` further JSON-able facts: `clause` among them, the
    source of a refusal by the rules.
    """

    status = 409

    def __init__(
        self, code: str, message: str, *, path: str = "", extra: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.extra = extra or {}


class NotNow(FloorError):
    """The command is a proper one, but not in the present state of the table or room (409)."""

    status = 409

    @classmethod
    def because(cls, why: WhyNot) -> NotNow:
        return cls(why.code, why.message, extra=why.extra)


class BadInput(FloorError):
    """The request itself cannot be carried out in any state (422), or is no proper form at all (400)."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        path: str = "",
        status: int = 422,
        extra: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(code, message, path=path, extra=extra)
        self.status = status

    @classmethod
    def because(cls, why: WhyNot, path: str) -> BadInput:
        return cls(why.code, why.message, path=path, extra=why.extra)


class Forbidden(FloorError):
    """The person may not do this here (403)."""

    status = 403


class SignatureRefused(Forbidden):
    """A second person's name and PIN do not sign here (403), or rest after too many wrong ones (429)."""

    def __init__(self, refused: PinRefused, path: str) -> None:
        super().__init__(refused.code, refused.message, path=path)
        self.status = refused.status


class NotFound(FloorError):
    """There is no such thing, or it is in a room where the person has no role (404)."""

    status = 404


class Stale(FloorError):
    """The command was given on an older state (412); `extra["state"]` holds the present one."""

    status = 412


class Busy(FloorError):
    """The table's row stayed locked for longer than two seconds (409). Trying again is safe."""

    status = 409
