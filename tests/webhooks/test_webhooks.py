"""Webhooks: what is new reaches the address signed, in order and at least once, or waits as a job that a person sees."""

from __future__ import annotations

import base64
import datetime
import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import override_settings
from django.utils import timezone

from cardroom.floor.commands.jobs import job_cancel, job_try_again
from cardroom.floor.commands.players import player_add
from cardroom.floor.commands.programs import program_end
from cardroom.floor.errors import FloorError
from cardroom.floor.models import JournalEntry
from cardroom.jobs.lifecycle import job_ask, job_run
from cardroom.jobs.models import Job
from cardroom.webhooks.commands.webhooks import webhook_end, webhook_make, webhook_secret_make
from cardroom.webhooks.delivery import MOST_ENTRIES, MOST_TRIES, WEBHOOK, deliveries_ask, deliveries_purge
from cardroom.webhooks.models import Webhook, WebhookTry
from tests.api.client import Caller
from tests.api.programs import calling, make_program
from tests.cast import Cast, closed_cast

from .receiver import Receiver, receiving

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    """The room with the doors closed, in an installation that may send to this machine."""
    with override_settings(WEBHOOKS_INSIDE=True):
        yield closed_cast()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as there:
        yield there


def make(cast: Cast, url: str, *kinds: str, program: dict[str, Any] | None = None) -> tuple[Webhook, str]:
    """Make a webhook of a program that reads the journal; return it with its secret."""
    program = program or make_program(cast, "see_reports", name=f"Feed of {url}"[:50])
    answer = cast.send_room(
        webhook_make,
        "room_manager",
        program_id=program["program"],
        url=url,
        kinds=list(kinds),
        approver=cast.people["compliance"],
    )
    return Webhook.objects.get(pk=answer["webhook"]), answer["secret"]


def add(cast: Cast, name: str) -> int:
    """Add a player, which is an entry of the room's chain; return its number there."""
    cast.send_room(player_add, "floor", name=name)
    return JournalEntry.objects.filter(chain=f"room:{cast.room.pk}").latest("seq").seq


def work() -> int:
    """Do what workers do now: hand out what is new, and run what is due; return how many jobs were run."""
    deliveries_ask()
    due = Job.objects.filter(kind="webhook", state=Job.State.WAITING, next_try_at__lte=timezone.now())
    return sum(job_run(pk) for pk in list(due.values_list("pk", flat=True)))


def told(receiver: Receiver) -> list[int]:
    """The numbers of the entries that came, in their order."""
    return [entry["seq"] for _, content in receiver.came for entry in json.loads(content)["data"]["entries"]]


def is_signed(headers: dict[str, str], content: bytes, secret: str) -> bool:
    """Verify a request as docs/programs.md says, without the product's code."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + content
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{wanted}" in headers["webhook-signature"].split(" ")


def test_a_new_entry_of_its_kind_is_told_signed_and_thin(cast: Cast, receiver: Receiver) -> None:
    add(cast, "Before")
    webhook, secret = make(cast, receiver.url, "player_add")
    assert work() == 0  # what was before, and entries of other kinds, are not told
    seq = add(cast, "Lou")
    assert work() == 1
    [(headers, content)] = receiver.came
    assert is_signed(headers, content, secret)
    assert not is_signed(headers, content + b" ", secret)
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    said = json.loads(content)
    assert said["type"] == "journal.entries"
    assert said["data"]["entries"] == [
        {"kind": "player_add", "chain": f"room:{cast.room.pk}", "seq": seq, "table": None}
    ]
    assert b"Lou" not in content
    tried = WebhookTry.objects.get()
    assert (tried.status, tried.error, tried.webhook) == (204, "", webhook)


def test_the_program_fetches_the_rest_from_the_position_that_it_was_told(
    cast: Cast, receiver: Receiver
) -> None:
    program = make_program(cast, "see_reports")
    make(cast, receiver.url, "player_add", program=program)
    seq = add(cast, "Lou")
    work()
    data = json.loads(receiver.came[0][1])["data"]
    page = calling(cast, program["token"]).get(f"rooms/{cast.room.pk}/feed?after={data['after']}").said
    assert [each["seq"] for each in page["results"] if each["command"] == "player_add"] == [seq]
    assert page["position"] == data["position"]


def test_what_is_not_taken_is_sent_again_with_growing_waits_and_nothing_overtakes_it(
    cast: Cast, receiver: Receiver
) -> None:
    receiver.statuses = [500, 500, 204]
    make(cast, receiver.url, "player_add")
    first = add(cast, "Lou")
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        assert work() == 1
        second = add(cast, "Max")
        assert work() == 0
        waits = []
        for _ in range(2):
            job = Job.objects.get(kind="webhook", state=Job.State.WAITING)
            waits.append((job.next_try_at - timezone.now()).total_seconds())
            clock.move_to(job.next_try_at)
            work()
        assert waits == [30, 60]
        work()
    assert told(receiver) == [first, first, first, second]
    same = {(headers["webhook-id"], content) for headers, content in receiver.came[:3]}
    assert len(same) == 1
    assert [each.status for each in WebhookTry.objects.order_by("pk")] == [500, 500, 204, 204]


def test_given_up_it_waits_for_a_person_among_the_failures_and_then_goes_on_where_it_was(
    cast: Cast, receiver: Receiver
) -> None:
    receiver.statuses = [503]
    make(cast, receiver.url, "player_add")
    first = add(cast, "Lou")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(MOST_TRIES):
            work()
            clock.shift(datetime.timedelta(hours=1))
        failed = Job.objects.get(kind="webhook")
        assert (failed.state, failed.tries) == (Job.State.FAILED, MOST_TRIES)
        assert "503" in failed.error
        second = add(cast, "Max")
        assert work() == 0
        receiver.statuses = [204]
        receiver.came.clear()
        cast.send_room(job_try_again, "shift_manager", job_id=failed.pk)
        work()
        work()
    assert told(receiver) == [first, second]
    listed = Caller(cast, "room_manager").get(f"rooms/{cast.room.pk}/webhooks").said
    assert [each["status"] for each in listed[0]["tries"][:3]] == [204, 204, 503]


def test_a_delivery_that_a_person_cancels_is_left_out_and_the_next_one_goes(
    cast: Cast, receiver: Receiver
) -> None:
    receiver.statuses = [500]
    make(cast, receiver.url, "player_add")
    add(cast, "Lou")
    work()
    cast.send_room(job_cancel, "shift_manager", job_id=Job.objects.get(kind="webhook").pk)
    receiver.statuses, receiver.came[:] = [204], []
    second = add(cast, "Max")
    work()
    assert told(receiver) == [second]


def test_a_worker_that_is_lost_after_the_answer_sends_the_same_again(
    cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At least once: the address tells a repeat by its `webhook-id`."""
    make(cast, receiver.url, "player_add")
    add(cast, "Lou")
    with time_machine.travel(timezone.now(), tick=False) as clock, monkeypatch.context() as lost:
        lost.setattr("cardroom.jobs.lifecycle._finish", lambda *_: False)
        work()
        lost.undo()
        clock.shift(datetime.timedelta(minutes=10))
        assert job_run(Job.objects.get(kind="webhook").pk)
    one, other = receiver.came
    assert (one[0]["webhook-id"], one[1]) == (other[0]["webhook-id"], other[1])


def test_many_entries_go_in_several_deliveries_one_after_the_other(cast: Cast, receiver: Receiver) -> None:
    webhook, _ = make(cast, receiver.url, "player_add")
    added = [add(cast, f"Player {number}") for number in range(MOST_ENTRIES + 5)]
    work()
    assert (
        Job.objects.filter(kind="webhook", state=Job.State.WAITING).count() == 1
    )  # asked for at the end of the first
    work()
    assert told(receiver) == added
    assert len(receiver.came) == 2
    webhook.refresh_from_db()
    assert work() == 0


def test_another_secret_signs_beside_the_one_before_for_a_day(cast: Cast, receiver: Receiver) -> None:
    webhook, before = make(cast, receiver.url, "player_add")
    answer = cast.send_room(
        webhook_secret_make, "room_manager", webhook_id=webhook.pk, approver=cast.people["compliance"]
    )
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for name, after in (("Lou", 23), ("Max", 2)):
            clock.shift(datetime.timedelta(hours=after))
            add(cast, name)
            work()
    assert [is_signed(*each, before) for each in receiver.came] == [True, False]
    assert [is_signed(*each, answer["secret"]) for each in receiver.came] == [True, True]
    rows = str([*Webhook.objects.values()]) + str([*JournalEntry.objects.values_list("data", flat=True)])
    assert before not in rows and answer["secret"] not in rows


def test_with_another_key_of_the_site_a_delivery_fails_and_says_what_to_do(
    cast: Cast, receiver: Receiver
) -> None:
    webhook, _ = make(cast, receiver.url, "player_add")
    add(cast, "Lou")
    with override_settings(SECRET_KEY="another key, of a site that was set up anew from a backup"):
        work()
        failing = Job.objects.get(kind="webhook")
        assert (receiver.came, "make another secret" in failing.error) == ([], True)
        answer = cast.send_room(
            webhook_secret_make, "room_manager", webhook_id=webhook.pk, approver=cast.people["compliance"]
        )
        cast.send_room(job_try_again, "shift_manager", job_id=failing.pk)
        work()
    assert is_signed(*receiver.came[0], answer["secret"])


@pytest.mark.parametrize("ended", ["webhook", "program"])
def test_nothing_is_sent_once_it_was_ended(cast: Cast, receiver: Receiver, ended: str) -> None:
    receiver.statuses = [500]
    webhook, _ = make(cast, receiver.url)
    add(cast, "Lou")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        work()
        if ended == "webhook":
            cast.send_room(webhook_end, "room_manager", webhook_id=webhook.pk)
        else:
            cast.send_room(program_end, "room_manager", program_id=webhook.program_id)
        clock.shift(datetime.timedelta(hours=1))
        add(cast, "Max")
        work()
    assert len(receiver.came) == 1
    assert Job.objects.get(kind="webhook").result == {"ended": True}


def test_a_redirect_is_not_followed(cast: Cast, receiver: Receiver) -> None:
    with receiving() as other:
        receiver.statuses, receiver.headers = [307], {"Location": other.url}
        make(cast, receiver.url, "player_add")
        add(cast, "Lou")
        work()
        assert (len(receiver.came), other.came) == (1, [])
    assert "redirects are not followed" in Job.objects.get(kind="webhook").error


def test_an_address_of_a_private_network_is_told_nothing(cast: Cast, receiver: Receiver) -> None:
    """One that was public as it was entered, and means this machine by now."""
    make(cast, receiver.url, "player_add")
    add(cast, "Lou")
    with override_settings(WEBHOOKS_INSIDE=False):
        work()
    assert receiver.came == []
    assert "private network" in Job.objects.get(kind="webhook").error


@pytest.mark.parametrize(
    ("given", "code", "path"),
    [
        ({"url": "http://books.example/"}, "bad_address", "url"),
        ({"url": "ftp://books.example/"}, "bad_address", "url"),
        ({"url": "https://user:word@books.example/"}, "bad_address", "url"),
        ({"url": "https://books.example/#part"}, "bad_address", "url"),
        ({"url": "https://books.example:99999/"}, "bad_address", "url"),
        ({"url": "https://localhost/"}, "bad_address", "url"),
        ({"url": "https://books.localhost./"}, "bad_address", "url"),
        ({"url": "https://10.0.0.7:8443/hook"}, "bad_address", "url"),
        ({"url": "https://[::1]/"}, "bad_address", "url"),
        ({"url": "https://[::ffff:192.168.1.1]/"}, "bad_address", "url"),
        ({"kinds": ["no_such_kind"]}, "unknown_kind", "kinds"),
    ],
)
@override_settings(WEBHOOKS_INSIDE=False)
def test_what_is_no_webhook_is_refused_and_says_where(
    db: None, given: dict[str, Any], code: str, path: str
) -> None:
    cast = closed_cast()
    program = make_program(cast, "see_reports")
    body = {"url": "https://books.example/", "kinds": [], **given}
    manager = Caller(cast, "room_manager")
    reply = manager.post(f"rooms/{cast.room.pk}/programs/{program['program']}/webhooks", body)
    assert (reply.status, reply.code, reply.path) == (422, code, path)
    assert not Webhook.objects.exists()


def test_a_program_that_reads_no_journal_has_no_webhook(cast: Cast) -> None:
    program = make_program(cast, "see_floor")
    with pytest.raises(FloorError) as refused:
        make(cast, "https://books.example/", program=program)
    assert refused.value.code == "program_reads_no_journal"


def test_what_is_done_is_kept_for_thirty_days_and_what_is_not_until_it_is(
    cast: Cast, receiver: Receiver
) -> None:
    make(cast, receiver.url, "player_add")
    add(cast, "Lou")
    work()
    [done] = Job.objects.all()
    ends = [
        ("cancelled", {"state": "cancelled", "ended_at": done.ended_at}),
        ("failed", {"state": "failed", "ended_at": done.ended_at}),
        ("waiting", {"state": "waiting", "next_try_at": done.asked_at}),
    ]
    for key, values in ends:
        job_ask(WEBHOOK, room=cast.room, at=done.asked_at, cause="entries", arguments=done.arguments, key=key)
        Job.objects.filter(key=key).update(**values)
    job_ask("mail", room=cast.room, at=done.asked_at, cause="entries", arguments={}, key="another kind")
    Job.objects.filter(kind="mail").update(state="finished", result={}, ended_at=done.ended_at)
    assert deliveries_purge(now=timezone.now() + datetime.timedelta(days=29)) == (0, 0)
    assert deliveries_purge(now=timezone.now() + datetime.timedelta(days=31)) == (1, 1)
    assert not WebhookTry.objects.exists()
    kept = set(Job.objects.values_list("key", flat=True))
    assert kept == {*(key for key, _ in ends), "another kind"}
    for job in Job.objects.all():
        with pytest.raises(IntegrityError, match="a job is never deleted"), transaction.atomic():
            Job.objects.filter(pk=job.pk).delete()
    # The next one goes on from where the one that is gone had come.
    add(cast, "Kim")
    assert work() == 2  # with the one that waits
    first, *more = told(receiver)
    assert sorted(more) == [first, first + 1]
