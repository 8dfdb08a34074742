"""Commands on webhooks: made for a program with a second person, given another secret, ended."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict
from urllib.parse import urlsplit

from django.conf import settings

from cardroom.config.values import BadValue, webhook_address
from cardroom.core.dates import utc_text
from cardroom.core.json_types import Id, Instant, Label, Size, Text
from cardroom.core.outgoing import is_inside
from cardroom.floor.commands.programs import program_of_room, shown_once
from cardroom.floor.commands.second_person import signed_for
from cardroom.floor.errors import BadInput, NotFound, NotNow
from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.reads.feed import LATEST, feed_read
from cardroom.people.approval import signed_for_duty
from cardroom.people.duties import Duty
from cardroom.people.journal import person_data
from cardroom.people.models import Staff
from cardroom.people.rights import Right, program_rights, scope_of

from ..kinds import unknown_kinds
from ..models import Webhook
from ..signing import OVERLAP, new_secret, sealed

URL_LENGTH = 500
MOST_KINDS = 100
MOST_WEBHOOKS = 20

_Signed = Annotated[Staff, signed_for_duty(Duty.MAKE_PROGRAM)]


class SecretAnswer(TypedDict):
    """A webhook has a new secret. It is answered this once, and kept encrypted."""

    webhook: int
    secret: Annotated[
        str | None,
        "whsec_ and Base64. Null where the command is repeated: it was answered once; make another.",
    ]
    before_until: Annotated[Instant | None, "Until when the secret before signs too."]


class WebhookAnswer(TypedDict):
    """Which webhook it was."""

    webhook: int


@room_command(
    "POST programs/{program_id}/webhooks",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the program, which must read the journal",
    title="Make a webhook",
    tag="Programs",
    example={"url": "https://books.example/cardroom", "kinds": ["round_settle"]},
    fresh=True,
    read_again={"secret": shown_once},
)
def webhook_make(
    tx: RoomTransaction,
    *,
    program_id: Id,
    url: Annotated[
        str,
        Text(URL_LENGTH),
        Label("Address"),
        "https; private networks only where the installation allows it.",
    ],
    kinds: Annotated[
        list[Annotated[str, Text(40)]],
        Size(0, MOST_KINDS),
        Label("Kinds of entries"),
        "As the journal names them, such as round_settle; none: all.",
    ],
    approver: _Signed | None = None,
) -> SecretAnswer:
    """Have an address told of new entries of the journal, from now on; a second person signs, where the room has one.

    For a program that may read them: what is sent are kinds and places of entries, and the program fetches the rest.
    """
    program = program_of_room(tx, program_id)
    scope = scope_of(Right.SEE_REPORTS)
    if scope not in program_rights(program.staff):
        raise NotNow(
            "program_reads_no_journal",
            f"{program} has no right {scope!r}: it could not read what it would be told of. Make a program with it.",
        )
    try:
        webhook_address(url, inside=settings.WEBHOOKS_INSIDE)
    except BadValue as bad:
        raise BadInput("bad_address", f"{url[:80]!r} {bad}.", path="url") from bad
    if not settings.WEBHOOKS_INSIDE and is_inside(urlsplit(url).hostname or ""):
        raise BadInput(
            "bad_address",
            f"{url[:80]!r} is this machine or an address of a private network: give one of the public internet, or have whoever runs "
            "the site set CARDROOM_WEBHOOKS_INSIDE.",
            path="url",
        )
    if unknown := unknown_kinds(tx.room, kinds):
        raise BadInput(
            "unknown_kind",
            f"The journal has no kind of entry {unknown[0]!r}. A kind is the name of a command, such as round_settle.",
            path="kinds",
        )
    live = Webhook.objects.filter(program=program, ended_at__isnull=True)
    if live.filter(url=url).exists():
        raise NotNow("webhook_is_there", f"{program} has a webhook to this address. End that to change it.")
    if live.count() >= MOST_WEBHOOKS:
        raise NotNow("too_many_webhooks", f"A program has at most {MOST_WEBHOOKS} webhooks. End one first.")
    signed, secret = signed_for(tx, Duty.MAKE_PROGRAM, approver), new_secret()
    made = Webhook.objects.create(
        room=tx.room,
        program=program,
        url=url,
        kinds=sorted(set(kinds)),
        position=feed_read(tx.room, LATEST, 1).position,
        secret=sealed(secret),
        made_at=tx.now,
        made_by=tx.actor,
        approved_by=approver if signed["approved_by"] else None,
    )
    tx.journal("webhook_make", {**_data(made), "kinds": made.kinds, **signed})
    return {"webhook": made.pk, "secret": secret, "before_until": None}


@room_command(
    "POST webhooks/{webhook_id}/secret",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the webhook, which must not have ended",
    title="Make another secret",
    tag="Programs",
    fresh=True,
    read_again={"secret": shown_once},
)
def webhook_secret_make(
    tx: RoomTransaction, *, webhook_id: Id, approver: _Signed | None = None
) -> SecretAnswer:
    """Give a webhook another secret; a second person signs, where the room has one. For 24 hours both sign what is sent."""
    webhook = _webhook(tx, webhook_id)
    signed, secret = signed_for(tx, Duty.MAKE_PROGRAM, approver), new_secret()
    webhook.secret_before, webhook.secret = webhook.secret, sealed(secret)
    webhook.before_until = tx.now + OVERLAP
    webhook.save(update_fields=["secret", "secret_before", "before_until"])
    until = utc_text(webhook.before_until)
    tx.journal("webhook_secret_make", {**_data(webhook), "before_until": until, **signed})
    return {"webhook": webhook.pk, "secret": secret, "before_until": until}


@room_command(
    "POST webhooks/{webhook_id}/end",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the webhook, which is ended once",
    title="End a webhook",
    tag="Programs",
)
def webhook_end(tx: RoomTransaction, *, webhook_id: Id) -> WebhookAnswer:
    """End a webhook at once: nothing is sent to its address any more, nor what was not taken yet."""
    webhook = _webhook(tx, webhook_id)
    webhook.ended_at, webhook.ended_by = max(tx.now, webhook.made_at), tx.actor
    webhook.save(update_fields=["ended_at", "ended_by"])
    tx.journal("webhook_end", _data(webhook))
    return {"webhook": webhook.pk}


def _webhook(tx: RoomTransaction, webhook_id: int) -> Webhook:
    """Return a webhook of the room that has not ended."""
    found = Webhook.objects.filter(room=tx.room, pk=webhook_id).select_related("program__staff").first()
    if found is None:
        raise NotFound("unknown_webhook", f"This room has no webhook {webhook_id}.")
    if found.ended_at is not None:
        raise NotNow("webhook_ended", "This webhook was ended before.")
    return found


def _data(webhook: Webhook) -> dict[str, Any]:
    return {"person": person_data(webhook.program.staff), "webhook": webhook.pk, "url": webhook.url}
