"""Deliveries: what is new in the journal is handed to a job, one after the other for each webhook, and the job sends it.

A webhook knows its position in the feed (`cardroom.floor.reads.feed`). A worker reads on from there, and moves the position in the
transaction that leaves the job: no entry of the webhook's kinds is in none, and none in two. While a delivery waits, runs or has
failed, no other one of the webhook is handed out, so that they arrive in order and an address that is away collects no heap.

A delivery is finished when the address has answered 2xx. A worker that is killed, or loses the database, between that answer
and the end of the job sends it again with the same `webhook-id`: at least once, and more than once in such cases.
"""

from __future__ import annotations

import datetime
import json
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from cardroom.config.version import VERSION
from cardroom.core.dates import utc_text
from cardroom.core.outgoing import NotSent, post
from cardroom.floor.errors import FloorError
from cardroom.floor.reads.feed import feed_between, feed_read
from cardroom.jobs.kinds import JobKind, JobLabels, WriteEnd, end_now, error_words
from cardroom.jobs.lifecycle import job_ask
from cardroom.jobs.models import Job
from cardroom.jobs.progress import Progress

from .models import Webhook, WebhookTry
from .signing import SecretClosed, headers

logger = logging.getLogger(__name__)

WEBHOOK: Final = "webhook"
#: Entries in one delivery at most, and pages of the feed that are looked through for them at once.
MOST_ENTRIES: Final = 100
_MOST_PAGES: Final = 50
#: Waits of 30 seconds, a minute and so on up to an hour: given up after some fourteen hours.
MOST_TRIES: Final = 20
#: Seconds that an address may take to answer.
SECONDS: Final = 15.0
#: How long tries and deliveries that are done stay: whoever runs the address looks into what came, and asks about it, meanwhile.
KEPT: Final = datetime.timedelta(days=30)
#: A delivery of these is not over: the next one waits for it.
_IN_THE_WAY: Final = (Job.State.WAITING, Job.State.RUNNING, Job.State.FAILED)
_TYPE: Final = "journal.entries"


def live_webhooks() -> QuerySet[Webhook]:
    """Return the webhooks that are told of entries: neither they nor their programs have ended."""
    return Webhook.objects.filter(ended_at__isnull=True, program__ended_at__isnull=True)


def deliveries_ask() -> None:
    """Hand out what is new to each webhook. One that fails keeps no other from its own."""
    for webhook in live_webhooks().select_related("room").order_by("pk"):
        try:
            delivery_ask(webhook)
        except FloorError:  # the journal is not the one that it was read from
            logger.exception("%s is told nothing more. End it, and make another.", webhook)


def delivery_ask(webhook: Webhook) -> Job | None:
    """Leave the next delivery of a webhook to a worker; None where nothing is new, or one is not over."""
    if _in_the_way(webhook):
        return None
    position, entries = webhook.position, 0
    for _ in range(_MOST_PAGES):
        page = feed_read(webhook.room, position, MOST_ENTRIES)
        position = page.position
        entries = sum(not webhook.kinds or each["command"] in webhook.kinds for each in page.entries)
        if entries or not page.more:
            break
    if position == webhook.position:
        return None
    now = timezone.now()
    with transaction.atomic():
        # Whoever moves the position hands out what was between.
        moved = live_webhooks().filter(pk=webhook.pk, position=webhook.position).update(position=position)
        if not moved or _in_the_way(webhook):
            transaction.set_rollback(True)
            return None
        if not entries:
            return None
        return job_ask(
            WEBHOOK,
            room=webhook.room,
            at=now,
            cause="entries",
            arguments={
                "webhook": webhook.pk,
                "after": webhook.position,
                "position": position,
                "entries": entries,
            },
            key=_key(webhook),
            at_most_one=Job.AtMostOne.OPEN,
        )


def content_of(job: Job, webhook: Webhook) -> bytes:
    """Return the body of a delivery: the same in every try, for the job has two positions, and nothing between them changes."""
    told = job.arguments
    entries = feed_between(job.at_room, told["after"], told["position"], webhook.kinds)
    return json.dumps(
        {
            "type": _TYPE,
            "timestamp": utc_text(job.asked_at),
            "data": {
                "room": job.room_id,
                "webhook": told["webhook"],
                "after": told["after"],
                "position": told["position"],
                "entries": entries,
            },
        },
        separators=(",", ":"),
    ).encode()


def message_of(job: Job) -> str:
    """Return the `webhook-id` of a delivery: the same in every try."""
    return f"job_{job.pk}"


def deliveries_purge(*, now: datetime.datetime) -> tuple[int, int]:
    """Delete tries, and deliveries that are done, which are older than thirty days; return how many of each.

    Nothing is lost by it: what was told is in the journal, which a delivery names by two positions. One that waits or has failed stays
    until it is taken or cancelled, and one that was cancelled for good.
    """
    before = now - KEPT
    tries, _ = WebhookTry.objects.filter(at__lt=before).delete()
    deliveries = 0
    told = ~Exists(WebhookTry.objects.filter(job=OuterRef("pk")))
    # By the index of a room's jobs by their end; a thousand in a transaction, so that nobody waits for more.
    for room in Webhook.objects.order_by().values_list("room", flat=True).distinct():
        done = Job.objects.filter(
            told, room=room, ended_at__lt=before, kind=WEBHOOK, state=Job.State.FINISHED
        )
        while found := list(done.order_by("ended_at", "pk").values_list("pk", flat=True)[:1000]):
            deliveries += Job.objects.filter(pk__in=found).delete()[0]
    return tries, deliveries


def _key(webhook: Webhook) -> str:
    return f"webhook {webhook.pk}"


def _in_the_way(webhook: Webhook) -> bool:
    jobs = Job.objects.filter(room=webhook.room_id, kind=WEBHOOK, key=_key(webhook))
    return jobs.filter(state__in=_IN_THE_WAY).exists()


def _send(job: Job, progress: Progress) -> Mapping[str, Any]:
    """Send a delivery; raises NotSent for one that was not taken. What was ended meanwhile is not sent."""
    webhook = Webhook.objects.select_related("program__staff").get(pk=job.arguments["webhook"])
    if webhook.ended_at is not None or webhook.program.ended_at is not None:
        return {"ended": True}
    content, now, begun = content_of(job, webhook), timezone.now(), time.monotonic()
    status, error = None, ""
    try:
        answer = post(
            webhook.url,
            content,
            {
                "Content-Type": "application/json",
                "User-Agent": f"Cardroom/{VERSION}",
                **headers(webhook, message_of(job), content, now),
            },
            inside=settings.WEBHOOKS_INSIDE,
            seconds=SECONDS,
        )
    except (NotSent, SecretClosed) as fault:
        error = str(fault)
    else:
        status = answer.status
        if not 200 <= status < 300:
            follows = "; redirects are not followed" if 300 <= status < 400 else ""
            error = f"It answers {status} {answer.reason}{follows}"
    WebhookTry.objects.create(
        webhook=webhook,
        job=job,
        at=now,
        milliseconds=int((time.monotonic() - begun) * 1000),
        status=status,
        error=error[:300],
    )
    if error:
        raise NotSent(error)
    return {"status": status}


def _error(error: Exception) -> str:
    """Return what is kept of an error: of an address that takes nothing, what it answered."""
    return str(error) if isinstance(error, NotSent) else error_words(error)


def _write_end(job: Job, write: WriteEnd) -> bool:
    """Write the end of a delivery, and hand out the next: what has come meanwhile waits for no minute to pass."""
    ended = end_now(job, write)
    webhook = live_webhooks().filter(pk=job.arguments["webhook"]).select_related("room").first()
    if ended and webhook is not None:
        delivery_ask(webhook)
    return ended


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    webhooks = Webhook.objects.select_related("program__staff").in_bulk(
        [job.arguments["webhook"] for job in jobs]
    )
    return [
        JobLabels(
            what=f"tell {webhooks[job.arguments['webhook']].url}",
            about=f"{job.arguments['entries']} entries for {webhooks[job.arguments['webhook']].program}",
            link=f"/rooms/{job.at_room.code}/programs/",
            cause="the journal has new entries",
        )
        for job in jobs
    ]


WEBHOOK_KIND = JobKind(
    name=WEBHOOK,
    run=_send,
    labels=_labels,
    error=_error,
    most_tries=MOST_TRIES,
    write_end=_write_end,
    is_listed_done=False,
)


def deliveries_failing(webhooks: Sequence[Webhook]) -> dict[int, Job]:
    """Return, by webhook, the delivery that was tried and not taken, where it is not over."""
    keys = {_key(each): each.pk for each in webhooks}
    jobs = Job.objects.filter(kind=WEBHOOK, key__in=keys, state__in=_IN_THE_WAY)
    return {keys[job.key]: job for job in jobs if job.has_failed}
