"""Queries on programs with their tokens and webhooks, as the API and the page show them."""

from __future__ import annotations

from typing import Annotated, TypedDict

from django.db.models import F

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant
from cardroom.people.models import Program, ProgramToken
from cardroom.people.programs import programs_of
from cardroom.rooms.models import Room

from .delivery import deliveries_failing
from .models import Webhook, WebhookTry

#: Tries that are shown of each webhook, the latest first.
MOST_TRIES_SHOWN = 20


class TokenRow(TypedDict):
    """A token of a program; the token itself is kept as a hash alone."""

    id: int
    prefix: Annotated[str, "What it begins with."]
    made_at: Instant
    made_by: str
    expires_at: Instant
    last_used_at: Annotated[Instant | None, "Within a minute; null: never."]
    revoked_at: Instant | None


class ProgramRow(TypedDict):
    """A program of the room."""

    program: Annotated[int, "Its account, as `actor` of its entries in the journal."]
    name: str
    purpose: str
    rights: list[str]
    made_at: Instant
    made_by: str
    approved_by: Annotated[str | None, "Who signed; null where nobody else could."]
    ended_at: Instant | None
    tokens: list[TokenRow]


class TryRow(TypedDict):
    """A try to deliver."""

    at: Instant
    milliseconds: Annotated[int, "How long it took."]
    delivery: Annotated[str, "The `webhook-id` that was sent."]
    status: Annotated[int | None, "What was answered; null where nothing was."]
    error: Annotated[str, "Why it was no delivery; empty for one."]


class WebhookRow(TypedDict):
    """A webhook of the room, with its last tries."""

    webhook: int
    program: int
    url: str
    kinds: Annotated[list[str], "Kinds of entries that it is told of; none: all."]
    position: Annotated[str, "Position in the feed to which deliveries were handed out."]
    before_until: Annotated[Instant | None, "Until when the secret before signs too."]
    made_at: Instant
    made_by: str
    ended_at: Instant | None
    job: Annotated[int | None, "The delivery that was not taken so far: a job of the background."]
    gave_up: Annotated[bool, "Whether that one is tried no more until somebody asks for it."]
    tries: Annotated[list[TryRow], "The last ones, the latest first; kept for thirty days."]


def program_rows(room: Room) -> list[ProgramRow]:
    """Return the programs of a room, those that work first."""
    return [_program_row(each) for each in programs_of(room)]


def webhooks_of(room: Room) -> list[Webhook]:
    """Return the webhooks of a room, those that are told first."""
    webhooks = Webhook.objects.filter(room=room).select_related("program__staff", "made_by")
    return list(webhooks.order_by(F("ended_at").asc(nulls_first=True), "pk"))


def webhook_rows(room: Room) -> list[WebhookRow]:
    """Return the webhooks of a room with their tries."""
    webhooks = webhooks_of(room)
    failing = deliveries_failing(webhooks)
    rows: list[WebhookRow] = []
    for each in webhooks:
        job = failing.get(each.pk)
        rows.append(
            {
                "webhook": each.pk,
                "program": each.program_id,
                "url": each.url,
                "kinds": each.kinds,
                "position": each.position,
                "before_until": utc_text(each.before_until),
                "made_at": utc_text(each.made_at),
                "made_by": str(each.made_by),
                "ended_at": utc_text(each.ended_at),
                "job": None if job is None else job.pk,
                "gave_up": job is not None and job.has_ended,
                "tries": [_try_row(row) for row in each.tries.all()[:MOST_TRIES_SHOWN]],
            }
        )
    return rows


def _program_row(program: Program) -> ProgramRow:
    return {
        "program": program.pk,
        "name": str(program),
        "purpose": program.purpose,
        "rights": program.rights,
        "made_at": utc_text(program.made_at),
        "made_by": str(program.made_by),
        "approved_by": None if program.approved_by is None else str(program.approved_by),
        "ended_at": utc_text(program.ended_at),
        "tokens": [_token_row(token) for token in program.tokens.all()],
    }


def _token_row(token: ProgramToken) -> TokenRow:
    return {
        "id": token.pk,
        "prefix": token.prefix,
        "made_at": utc_text(token.made_at),
        "made_by": str(token.made_by),
        "expires_at": utc_text(token.expires_at),
        "last_used_at": utc_text(token.last_used_at),
        "revoked_at": utc_text(token.revoked_at),
    }


def _try_row(each: WebhookTry) -> TryRow:
    return {
        "at": utc_text(each.at),
        "milliseconds": each.milliseconds,
        "delivery": f"job_{each.job_id}",
        "status": each.status,
        "error": each.error,
    }
