"""Letters to subscribers: written with what they tell of, sent by a worker, tried again when that fails.

A letter is a row of the outbox. Whoever sends it claims it first, so that of two workers one sends. It is marked as sent
when the mail server has taken it. A worker that is killed between the two leaves it claimed; after `CLAIM` another one
sends it again, and its reader may get it twice, with the same Message-ID. It is never not sent: once for certain, and twice
where nobody can know whether the first went out.
"""

from __future__ import annotations

import datetime
import functools
import logging
from collections.abc import Iterable

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.utils import timezone

from cardroom.documents.document import Kind
from cardroom.documents.formatting import said
from cardroom.documents.pdf import pdf_of
from cardroom.drop.models import VarianceNote
from cardroom.floor.acts.commands import Answer, AtRoom, room_command
from cardroom.floor.acts.errands import work_try_again
from cardroom.floor.outbox import work_tried
from cardroom.jobs.notify_worker import ring
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from .email_text import Words, report_words, variance_words
from .exports import name_of_revision, shift_file_name
from .models import Letter, RollUp, ShiftReport, Subscription
from .report_document import SIGNED_BY, Report
from .roll_up_document import roll_up_paper
from .shift_document import shift_paper
from .subscriptions import why_not_sent

logger = logging.getLogger(__name__)

#: So long nobody else sends a letter that somebody has claimed: longer than any task may run.
CLAIM = datetime.timedelta(minutes=6)

#: Whoever gets the reports of days or months.
_ROLLED = {
    RollUp.Kind.DAY: Subscription.What.DAY_REPORT,
    RollUp.Kind.MONTH: Subscription.What.MONTH_REPORT,
}


def letters_of_report(report: Report, now: datetime.datetime) -> None:
    """Write the letters about a report that was just stored, of a shift, day or month, in the same transaction."""
    restated = Q(restatements=True) if report.revision else Q()
    if isinstance(report, ShiftReport):
        _write(report.room, Q(what=Subscription.What.SHIFT_REPORT) & restated, now, report=report)
    else:
        what = _ROLLED[RollUp.Kind(report.kind)]
        _write(report.room, Q(what=what) & restated, now, roll_up=report)


def letters_of_variance(note: VarianceNote, now: datetime.datetime) -> None:
    """Write the letters about a variance that has just been escalated, in the same transaction."""
    _write(note.room, Q(what=Subscription.What.VARIANCE), now, note=note)


def _write(
    room: Room,
    what: Q,
    now: datetime.datetime,
    *,
    report: ShiftReport | None = None,
    roll_up: RollUp | None = None,
    note: VarianceNote | None = None,
) -> None:
    held = Subscription.objects.filter(what, room=room, ended_at__isnull=True)
    readers = [each for each in held.select_related("staff", "room") if why_not_sent(each) is None]
    for each in readers:
        Letter.objects.create(
            room=room,
            subscription=each,
            address=each.sent_to,
            report=report,
            roll_up=roll_up,
            note=note,
            made_at=now,
            not_before=min(now, timezone.now()),
        )
    if readers:
        ring()


def letters_due(now: datetime.datetime) -> list[int]:
    """Return the ids of the letters that are to be sent by now, the oldest first."""
    return list(Letter.objects.filter(_due(now)).order_by("pk").values_list("pk", flat=True))


def letter_send(letter_id: int) -> bool:
    """Send one letter and note how that went; False when there is nothing to send, or somebody else is at it."""
    now = timezone.now()
    if Letter.objects.filter(_due(now), pk=letter_id).update(begun_at=now) != 1:
        return False
    told = ("report__shift", "roll_up", "note")
    letter = Letter.objects.select_related("room", *told, "subscription__made_by").get(pk=letter_id)
    error = work_tried(letter, functools.partial(_hand_over, letter), timezone.now)
    if error is not None:
        logger.warning("letter %s was not sent and is tried again: %s", letter_id, error)
    return error is None


def _due(now: datetime.datetime) -> Q:
    unclaimed = Q(begun_at__isnull=True) | Q(begun_at__lt=now - CLAIM)
    return Q(done_at__isnull=True, not_before__lte=now, tries__lt=Letter.MOST_TRIES) & unclaimed


def _hand_over(letter: Letter) -> None:
    """Give the letter to the mail server; raises what it says against it."""
    words, attached = _drawn(letter)
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2]
    EmailMessage(
        subject=words.subject,
        body=words.body,
        to=[letter.address],
        headers={
            "Message-ID": f"<{letter.room.code}.letter.{letter.pk}@{domain}>",
            "Auto-Submitted": "auto-generated",
        },
        attachments=list(attached),
    ).send()


def _drawn(letter: Letter) -> tuple[Words, Iterable[tuple[str, bytes, str]]]:
    """Return the words of a letter, and what is attached to it."""
    if letter.note is not None:
        return variance_words(letter.note, letter.path, letter.subscription), ()
    if letter.roll_up is not None:
        paper = roll_up_paper(letter.roll_up)
        name = name_of_revision(f"{letter.room.code}-{letter.roll_up.period_name}", letter.roll_up)
    else:
        assert letter.report is not None  # a letter tells of one thing
        paper = shift_paper(letter.report)
        name = name_of_revision(shift_file_name(letter.report.shift), letter.report)
    pdf = pdf_of(
        paper,
        printed_by=f"the house, for {letter.address}",
        printed_at=said(timezone.now(), Kind.INSTANT, paper.zone),
        signed_by=SIGNED_BY,
    )
    attached = (f"{name}.pdf", pdf, "application/pdf")
    return report_words(paper, letter.path, letter.subscription), (attached,)


@room_command(Right.TRY_AGAIN, moves=False)
def letter_try_again(at: AtRoom, *, letter_id: int) -> Answer:
    """Have a letter that was not sent tried at once, whether it waits or was given up."""
    return work_try_again(at, "letter", letter_id, Letter.objects.filter(room=at.room, pk=letter_id).first())
