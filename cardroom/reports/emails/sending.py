"""Sends e-mails to subscribers: a job with what to report is enqueued, a worker sends it and retries when that fails.

An e-mail is a job. Of two workers one claims it and sends. It has finished when the mail server has taken it. A
worker that is killed between the two leaves it claimed; after `PATIENCE` another one sends it again, and its reader
may get it twice, with the same Message-ID. It is never not sent: once for certain, and twice where it cannot be known
whether the first went out.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable, Sequence
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.utils import timezone

from cardroom.documents.document import Kind
from cardroom.documents.formatting import formatted
from cardroom.documents.pdf import pdf_of
from cardroom.drop.models import VarianceNote
from cardroom.jobs.kinds import JobKind, JobLabels
from cardroom.jobs.lifecycle import job_ask
from cardroom.jobs.models import Job
from cardroom.jobs.progress import Progress
from cardroom.rooms.models import Room

from ..checkpoints.document import SUFFIX
from ..models import PeriodReport, ShiftReport, SignedCheckpoint, Subscription
from ..periods.document import period_report_document
from ..shift.document import shift_document_of
from ..stored.document import SIGNED_BY
from ..stored.exports import name_of_revision, shift_file_name
from ..stored.reading import Report
from .subscriptions import why_not_sent
from .text import EmailText, checkpoint_text, report_text, variance_text

EMAIL: Final = "email"
#: For so long no other worker sends an e-mail that one has claimed: longer than any task may run.
PATIENCE: Final = datetime.timedelta(minutes=6)

#: The subscribers to the reports of days or months.
_PERIODS = {
    PeriodReport.Kind.DAY: Subscription.What.DAY_REPORT,
    PeriodReport.Kind.MONTH: Subscription.What.MONTH_REPORT,
}


@dataclasses.dataclass(frozen=True)
class Email:
    """One report (of a shift, day or month), variance or signed checkpoint to one subscriber: a job, read.

    `address` is as it was when the e-mail was asked for.
    """

    job: Job
    subscription: Subscription
    about: ShiftReport | PeriodReport | VarianceNote | SignedCheckpoint

    @property
    def address(self) -> str:
        return str(self.job.arguments["address"])

    @property
    def about_words(self) -> str:
        """What it reports, as text."""
        return str(self.about.variance_check.box if isinstance(self.about, VarianceNote) else self.about)

    @property
    def path(self) -> str:
        """The path of the page on what it reports."""
        about = self.about
        if isinstance(about, VarianceNote):
            return f"/boxes/{about.variance_check.box_id}/"
        if isinstance(about, SignedCheckpoint):
            return f"/rooms/{self.job.at_room.code}/checkpoints/"
        if isinstance(about, PeriodReport):
            return f"/rooms/{self.job.at_room.code}/roll-ups/{about.period_name}/?revision={about.revision}"
        return f"/shifts/{about.shift_id}/report/?revision={about.revision}"


def emails_read(jobs: Iterable[Job]) -> list[Email]:
    """Return what jobs are to send, in as many queries for many as for one."""
    jobs = list(jobs)

    def named(argument: str) -> set[int]:
        return {job.arguments[argument] for job in jobs if argument in job.arguments}

    subscriptions = Subscription.objects.select_related("made_by", "staff").in_bulk(named("subscription"))
    reports = ShiftReport.objects.select_related("shift", "room").in_bulk(named("report"))
    period_reports = PeriodReport.objects.select_related("room").in_bulk(named("period_report"))
    notes = VarianceNote.objects.select_related(
        "room", "variance_check__box__table", "variance_check__box__shift"
    )
    checkpoints = SignedCheckpoint.objects.select_related("room").in_bulk(named("checkpoint"))
    subjects: dict[
        str,
        dict[int, ShiftReport]
        | dict[int, PeriodReport]
        | dict[int, VarianceNote]
        | dict[int, SignedCheckpoint],
    ] = {
        "report": reports,
        "period_report": period_reports,
        "checkpoint": checkpoints,
        "note": notes.in_bulk(named("note")),
    }
    read = []
    for job in jobs:
        [(argument, pk)] = [(name, job.arguments[name]) for name in subjects if name in job.arguments]
        read.append(Email(job, subscriptions[job.arguments["subscription"]], subjects[argument][pk]))
    return read


def emails_of_report(report: Report, now: datetime.datetime) -> None:
    """Ask for the e-mails about a report that was just stored, of a shift, day or month, in the same transaction."""
    restated = Q(restatements=True) if report.revision else Q()
    if isinstance(report, ShiftReport):
        _ask(report.room, Q(what=Subscription.What.SHIFT_REPORT) & restated, now, "report", report.pk)
    else:
        what = _PERIODS[PeriodReport.Kind(report.kind)]
        _ask(report.room, Q(what=what) & restated, now, "period_report", report.pk)


def emails_of_variance(note: VarianceNote, now: datetime.datetime) -> None:
    """Ask for the e-mails about a variance that has just been escalated, in the same transaction."""
    _ask(note.room, Q(what=Subscription.What.VARIANCE), now, "note", note.pk)


def emails_of_checkpoint(checkpoint: SignedCheckpoint, now: datetime.datetime) -> None:
    """Ask for the e-mails about a checkpoint that was just signed, in the same transaction."""
    _ask(checkpoint.room, Q(what=Subscription.What.CHECKPOINT), now, "checkpoint", checkpoint.pk)


def _ask(room: Room, what: Q, now: datetime.datetime, about: str, pk: int) -> None:
    """Ask for one e-mail a subscription, however often that is tried."""
    current = Subscription.objects.filter(what, room=room, ended_at__isnull=True)
    for each in current.select_related("staff", "room"):
        if why_not_sent(each) is None:
            job_ask(
                EMAIL,
                room=room,
                at=now,
                cause="subscribed",
                arguments={"subscription": each.pk, "address": each.sent_to, about: pk},
                key=f"{about} {pk} to subscription {each.pk}",
                at_most_one=Job.AtMostOne.EVER,
            )


def _send(job: Job, progress: Progress) -> dict[str, str]:
    """Give the e-mail to the mail server; raises what it says against it."""
    [email] = emails_read([job])
    words, attached = _drawn(email)
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2]
    message_id = f"<{job.at_room.code}.email.{job.pk}@{domain}>"
    EmailMessage(
        subject=words.subject,
        body=words.body,
        to=[email.address],
        headers={"Message-ID": message_id, "Auto-Submitted": "auto-generated"},
        attachments=list(attached),
    ).send()
    return {"message_id": message_id}


def _drawn(email: Email) -> tuple[EmailText, Iterable[tuple[str, bytes, str]]]:
    """Return the words of an e-mail, and what is attached to it."""
    about = email.about
    if isinstance(about, VarianceNote):
        return variance_text(about, email.path, email.subscription), ()
    if isinstance(about, SignedCheckpoint):
        attached = (about.file_name + SUFFIX, about.signed.file(), "application/octet-stream")
        return checkpoint_text(about, email.path, email.subscription), (attached,)
    if isinstance(about, PeriodReport):
        document = period_report_document(about)
        name = name_of_revision(f"{about.room.code}-{about.period_name}", about)
    else:
        document = shift_document_of(about)
        name = name_of_revision(shift_file_name(about.shift), about)
    pdf = pdf_of(
        document,
        printed_by=f"the system, for {email.address}",
        printed_at=formatted(timezone.now(), Kind.INSTANT, document.zone),
        signed_by=SIGNED_BY,
    )
    attached = (f"{name}.pdf", pdf, "application/pdf")
    return report_text(document, email.path, email.subscription), (attached,)


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    return [
        JobLabels(
            what=f"email to {email.address}",
            about=email.about_words,
            link=email.path,
            cause=f"subscribed to {email.subscription.get_what_display()}",
        )
        for email in emails_read(jobs)
    ]


EMAIL_KIND = JobKind(name=EMAIL, run=_send, labels=_labels, patience=PATIENCE)
