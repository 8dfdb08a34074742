"""Reports by email: who gets them, what is in them, and that each goes out, and goes out once."""

from __future__ import annotations

import datetime
import smtplib
import threading
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import JournalEntry, Shift
from cardroom.jobs.lifecycle import job_claim, job_run, jobs_due
from cardroom.jobs.models import Job
from cardroom.people.models import Employment, Role
from cardroom.reports.background.overview import background_of
from cardroom.reports.commands.subscriptions import subscription_end, subscription_make
from cardroom.reports.emails.sending import EMAIL, emails_of_report
from cardroom.reports.models import ShiftReport, Subscription
from cardroom.reports.tasks import make_due_reports
from tests.cast import Cast, new_key, sheet
from tests.floor.test_corrections import as_recorded
from tests.kept import kept

from ..commands import as_superuser

OWNER = "owner@cardroom.example"
PAGE = "/rooms/cache-slough/subscriptions/"
#: A task is killed when it has run for so long.
TASK_SECONDS = datetime.timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT)


def build() -> Cast:
    """A round of the open shift is settled; the owner and the shift manager get the reports."""
    cast = Cast()
    cast.people["shift_manager"].email = "manager@cardroom.example"
    cast.people["shift_manager"].save()
    cast.open()
    cast.bank_to(3)
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 5: 2000}))
    subscribe(cast, address=OWNER)
    subscribe(cast, staff_id=cast.people["shift_manager"].pk, restatements=False)
    return cast


@pytest.fixture
def cast(db: None) -> Cast:
    return kept(build)


def subscribe(cast: Cast, who: str = "room_manager", **fields: Any) -> Subscription:
    made = cast.send_room(subscription_make, who, **{"what": "shift_report", **fields})
    return Subscription.objects.get(pk=made["subscription"])


def close(cast: Cast) -> ShiftReport:
    """Close the shift; the worker makes its report."""
    cast.send_room(
        shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get(closed_at=None).pk
    )
    make_due_reports()
    return ShiftReport.objects.latest("pk")


def emails() -> QuerySet[Job]:
    return Job.objects.filter(kind=EMAIL).order_by("pk")


def to_owner() -> Job:
    return emails().get(arguments__address=OWNER)


def due(now: datetime.datetime) -> list[int]:
    return list(jobs_due(now, EMAIL).values_list("pk", flat=True))


def send_all() -> list[EmailMessage]:
    """What the worker sends of what is due now."""
    before = len(mail.outbox)
    for email in due(timezone.now()):
        job_run(email)
    return mail.outbox[before:]


def browser(cast: Cast, who: str = "room_manager") -> Client:
    client = Client()
    client.force_login(cast.people[who])
    return client


def test_a_report_is_written_to_each_subscriber_and_sent_once_with_its_pdf(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "PUBLIC_URL", "https://floor.example")
    report = close(cast)
    sent = send_all()
    assert sorted(email.to[0] for email in sent) == ["manager@cardroom.example", OWNER]
    assert send_all() == [], "what is sent is done"
    email = sent[0]
    assert email.subject.startswith("Cache Slough: Shift report, Swing shift, gaming day ")
    assert "Drop expected" in email.body and "  $3\n" in email.body
    assert f"https://floor.example/shifts/{report.shift_id}/report/?revision=0" in email.body
    ((name, content, kind),) = email.attachments
    assert name == f"cache-slough-{report.shift.gaming_day}-swing.pdf" and kind == "application/pdf"
    assert content.startswith(b"%PDF-")
    assert email.extra_headers["Message-ID"] != sent[1].extra_headers["Message-ID"]
    assert {each.labels.what for each in background_of(cast.room, timezone.now()).ended} >= {
        f"email to {OWNER}"
    }


def test_without_a_public_address_a_letter_leads_nowhere(cast: Cast) -> None:
    close(cast)
    assert all("http" not in email.body and "On the site" not in email.body for email in send_all())


def test_a_restatement_names_what_changed_and_goes_to_those_who_asked_for_it(cast: Cast) -> None:
    close(cast)
    send_all()
    cast.send_room(shift_open, "shift_manager", name="Graveyard")
    [round_] = cast.table.rounds.all()
    record = as_recorded(round_)
    record["positions"][0] |= {"hand": "Js Jh 5c", "wagers": {"ante": 1500}}
    cast.send(round_correct, "dealer", **record, reason="misread", approver=cast.people["floor"])
    make_due_reports()
    (email,) = send_all()
    assert email.to == [OWNER]
    assert "Shift report, restatement 1" in email.subject
    assert "What this restatement changes:" in email.body
    assert "what Rounds corrected since, was 0, is now 1" in email.body
    assert email.attachments[0][0].endswith("-restatement-1.pdf")


def test_a_report_that_does_not_tie_out_says_so_in_its_subject(cast: Cast) -> None:
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_round SET bank_fee_cents = bank_fee_cents + 100")
    close(cast)
    email = send_all()[0]
    assert email.subject.endswith("does not tie out")
    assert "bank fees at Table 7: transfers $1, rounds $2, quotes $1" in email.body
    assert "Figures that do not tie out:" in email.body and "(!)" in email.body


@pytest.mark.postgresql
def test_however_often_the_worker_runs_a_letter_is_there_once(cast: Cast) -> None:
    report = close(cast)
    for _ in range(2):
        make_due_reports()
    assert emails().count() == 2
    send_all()
    with pytest.raises(IntegrityError), transaction.atomic():
        emails_of_report(report, timezone.now())


class Broken(EmailBackend):
    """A mail server that refuses everything."""

    def send_messages(self, messages: Any) -> int:
        raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")


def test_a_letter_that_is_not_taken_keeps_its_error_is_tried_again_and_in_the_end_by_a_persons_leave(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    close(cast)
    with monkeypatch.context() as patch:
        patch.setattr(settings, "EMAIL_BACKEND", f"{__name__}.Broken")
        assert send_all() == []
        email = to_owner()
        assert email.error == "SMTPServerDisconnected: Connection unexpectedly closed"
        assert (email.tries, email.state, email.claimed_at, email.ended_at) == (1, "waiting", None, None)
        assert due(timezone.now()) == [], "it waits before it is tried again"
        assert due(email.next_try_at) != []
        emails().update(tries=7, next_try_at=email.asked_at)
        send_all()
    assert due(timezone.now() + datetime.timedelta(days=9)) == []
    failed = background_of(cast.room, timezone.now()).failures
    assert {(each.job.kind, each.job.state) for each in failed} == {(EMAIL, "failed")}
    shown = browser(cast).get("/rooms/cache-slough/background/").content.decode()
    assert "SMTPServerDisconnected" in shown
    form = {"version": "0", "idempotency_key": new_key()}
    again = browser(cast).post(f"/rooms/cache-slough/background/{email.pk}/try-again/", form)
    assert again.status_code == 302
    assert JournalEntry.objects.get(command="job_try_again").data["job"] == email.pk
    (sent,) = send_all()
    assert sent.to == [OWNER]


def test_one_that_was_claimed_is_not_sent_by_another_until_its_worker_must_be_dead(cast: Cast) -> None:
    close(cast)
    now = timezone.now()
    for email in due(now):
        assert job_claim(email) is not None
    assert due(now + TASK_SECONDS) == [] and not job_run(email)
    emails().update(claimed_until=now - datetime.timedelta(seconds=1))
    assert len(send_all()) == 2


@pytest.mark.postgresql
def test_a_worker_killed_between_sending_and_noting_it_sends_again_under_the_same_message_id(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What at-least-once means, and the most that can be doubled."""
    close(cast)
    email = to_owner()

    class Killed(BaseException):
        pass

    send = EmailMessage.send

    def die(message: EmailMessage) -> None:
        send(message)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", die)
        with pytest.raises(Killed):
            job_run(email.pk)
    assert to_owner().ended_at is None
    emails().filter(pk=email.pk).update(claimed_until=timezone.now() - datetime.timedelta(seconds=1))
    assert job_run(email.pk)
    first, second = mail.outbox
    assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_two_workers_at_the_same_letter_one_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    cast = build()
    close(cast)
    email = to_owner()
    at_once, sent = threading.Barrier(2), []

    def work() -> None:
        at_once.wait()
        sent.append(job_run(email.pk))
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(sent) == [False, True]
    assert [each.to for each in mail.outbox] == [[OWNER]]


def test_a_letter_is_written_with_its_report_or_not_at_all(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("cardroom.reports.shift.making.emails_of_report", fail)
        cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get().pk)
        make_due_reports()
    assert not ShiftReport.objects.exists() and not emails().exists()


def test_one_of_the_staff_gets_nothing_once_they_may_not_see_it(cast: Cast) -> None:
    Employment.objects.filter(staff=cast.people["shift_manager"]).update(role=Role.DEALER)
    cast.hire("floor_2", Role.SHIFT_MANAGER)
    cast.send_room(shift_close, "floor_2", confirmed=True, shift_id=Shift.objects.get().pk)
    make_due_reports()
    assert [email.to for email in send_all()] == [[OWNER]]
    assert "nothing is sent now" in browser(cast).get(PAGE).content.decode()


@pytest.mark.postgresql
def test_who_gets_what_is_kept_with_its_history(cast: Cast) -> None:
    held = Subscription.objects.get(address=OWNER)
    with pytest.raises(NotNow, match="already"):
        subscribe(cast, address=OWNER)
    cast.send_room(subscription_end, "compliance", subscription_id=held.pk)
    with pytest.raises(NotNow, match="ended before"):
        cast.send_room(subscription_end, "compliance", subscription_id=held.pk)
    assert subscribe(cast, address=OWNER).pk != held.pk
    commands = JournalEntry.objects.order_by("pk")
    found = [
        (entry.command, entry.data["to"]) for entry in commands if entry.command.startswith("subscription_")
    ]
    assert found[2:] == [
        ("subscription_end", OWNER),
        ("subscription_make", OWNER),
    ]
    shown = browser(cast, "inspector").get(PAGE).content.decode()
    assert "Ended" in shown and "Compliance" in shown and "Send from now on" not in shown
    for change in (
        lambda: Subscription.objects.filter(pk=held.pk).update(ended_by=cast.people["floor"]),
        lambda: Subscription.objects.update(address="other@cardroom.example"),
        lambda: Subscription.objects.filter(pk=held.pk).delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


@pytest.mark.postgresql
def test_a_letter_that_was_sent_never_changes_and_none_goes_away(cast: Cast) -> None:
    close(cast)
    send_all()
    for change in (lambda: emails().update(error="x"), emails().delete):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"address": "owner"}, "bad_address"),
        ({"address": "a@room.example, b@room.example"}, "bad_address"),
        ({"address": "owner@room.example\nBcc: x@y.example"}, "bad_text"),
        ({}, "one_reader"),
        ({"what": "gossip", "address": OWNER}, "unknown_choice"),
        ({"staff": "dealer"}, "may_not_see"),
        ({"staff": "inspector"}, "no_address"),
        ({"staff": "rival_inspector"}, "unknown_staff"),
    ],
)
def test_a_reader_who_cannot_be_is_refused(cast: Cast, fields: dict[str, str], code: str) -> None:
    before = Subscription.objects.count()
    given: dict[str, Any] = dict(fields)
    if who := given.pop("staff", ""):
        given["staff_id"] = cast.people[who].pk
    with pytest.raises(BadInput) as refused:
        subscribe(cast, **given)
    assert refused.value.code == code and Subscription.objects.count() == before


@pytest.mark.parametrize(
    ("who", "refusal"),
    [
        ("shift_manager", Forbidden),
        ("inspector", Forbidden),
        ("outsider", NotFound),
        ("rival_compliance", NotFound),
    ],
)
def test_those_say_who_gets_reports_who_may(cast: Cast, who: str, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        subscribe(cast, who, address="x@y.example")
    with pytest.raises(NotFound):
        cast.send_room(
            subscription_end, "rival_compliance", cast.rival, subscription_id=Subscription.objects.first().pk
        )


def test_page_and_api_do_the_same(cast: Cast) -> None:
    manager = browser(cast)
    form = {
        "what": "variance",
        "staff_id": "",
        "address": OWNER,
        "version": "0",
        "idempotency_key": new_key(),
    }
    for _ in range(2):  # the button pressed twice
        assert manager.post(PAGE, form).status_code == 302
    held = Subscription.objects.get(what="variance")
    refused = manager.post(PAGE, {**form, "idempotency_key": new_key()})
    assert refused.status_code == 409 and "gets variances" in refused.content.decode()
    assert manager.post(PAGE, {**form, "what": "gossip"}).status_code == 422
    assert "No mail server is set" not in manager.get(PAGE).content.decode()
    api = f"/api/rooms/{cast.room.pk}/subscriptions"
    assert {each["reader"] for each in manager.get(api).json()} == {OWNER, "Shift manager"}

    def headers() -> dict[str, str]:
        return {"Idempotency-Key": new_key(), "If-Match": '"0"'}

    ended = manager.post(f"{api}/{held.pk}/end", content_type="application/json", headers=headers())
    assert ended.status_code == 200, ended.json()
    made = manager.post(
        api, {"what": "variance", "address": OWNER}, content_type="application/json", headers=headers()
    )
    assert made.status_code == 200, made.json()
    end = {"version": "0", "idempotency_key": new_key()}
    last = Subscription.objects.latest("pk")
    assert manager.post(f"{PAGE}{last.pk}/end/", end).status_code == 302
    assert manager.post(f"{PAGE}999999/end/", {**end, "idempotency_key": new_key()}).status_code == 404
    assert browser(cast, "outsider").get(PAGE).status_code == 404
    assert browser(cast, "dealer").get(PAGE).status_code == 403


def test_without_a_mail_server_letters_go_to_the_log_and_the_page_says_so(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(settings, "EMAIL_BACKEND", "cardroom.config.mail.LoggedMail")
    close(cast)
    with caplog.at_level("INFO"):
        send_all()
    assert f"to: {OWNER}" in caplog.text and "attached: cache-slough-" in caplog.text
    assert "%PDF" not in caplog.text
    assert "No mail server is set" in browser(cast).get(PAGE).content.decode()
