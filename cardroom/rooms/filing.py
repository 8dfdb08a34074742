"""What a room files, in versions: drafts are edited, a filed version never changes, and no two are in force at once.

Fee schedules and the games that a room offers are filed alike. This is what they share; what they say is their own.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from cardroom.core.triggers import Guard, changed

from .models import Room

_ONE_DAY = datetime.timedelta(days=1)
Version = TypeVar("Version", bound="Filing")


class Filing(models.Model):
    """One version of something filed, and the calendar days of the room on which it is in force.

    draft → filed → superseded (by the next version) or withdrawn. A filed version is in force from `effective_from`
    until the day before `effective_to`, whether or not it has been closed since.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", "draft"
        FILED = "filed", "filed"
        SUPERSEDED = "superseded", "superseded"
        WITHDRAWN = "withdrawn", "withdrawn"

    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT, editable=False)
    effective_from = models.DateField(null=True, blank=True, help_text="First day in force.")
    effective_to = models.DateField(
        null=True,
        blank=True,
        editable=False,
        help_text="First day no longer in force; empty: until further notice.",
    )
    state_reference = models.CharField(
        max_length=80,
        blank=True,
        help_text="The Bureau's number of the filing, or of the letter that approves it.",
    )
    filed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True

    def in_force(self, on: datetime.date) -> bool:
        """Tell whether this version is in force on the day `on`, whether or not it has been closed since."""
        if self.status == self.Status.DRAFT or self.effective_from is None:
            return False
        return self.effective_from <= on and (self.effective_to is None or on < self.effective_to)


_FILED = "OLD.status <> 'draft'"
_SAID_OF_A_FILING = (
    *("id", "room_id", "rulebook", "number", "version", "title", "effective_from", "state_reference"),
    *("filed_at", "filed_by_id", "approved_by_id", "created_at"),
)
#: A draft was filed by nobody yet; of what is filed it is known when, by whom, from which day and under what number.
FILED_SAYS_WHEN_AND_BY_WHOM = Q(status="draft", filed_at__isnull=True, filed_by__isnull=True) | (
    Q(status__in=["filed", "superseded", "withdrawn"])
    & Q(filed_at__isnull=False, filed_by__isnull=False, effective_from__isnull=False)
    & ~Q(state_reference="")
)
#: A draft was approved by nobody yet; the person who approved a filing is not the one who filed it.
APPROVED_BY_ANOTHER = Q(approved_by__isnull=True) | (~Q(status="draft") & ~Q(approved_by=F("filed_by")))
#: What is closed has an end, not before its beginning; what is not has none.
CLOSED_HAS_ITS_END = Q(status__in=["draft", "filed"], effective_to__isnull=True) | Q(
    status__in=["superseded", "withdrawn"], effective_to__gte=F("effective_from")
)


def filed_is_final(*said: str) -> tuple[Guard, ...]:
    """Return the guards of a table of filings; `said` are its own columns beside those that all filings have.

    Once filed, a version never says anything else and is never deleted; closing it is all that can still happen, once.
    """
    columns = (*_SAID_OF_A_FILING, *said)

    def refused(vendor: str) -> str:
        state = changed("status", "effective_to", vendor=vendor)
        closing = "(OLD.status = 'filed' AND NEW.status IN ('superseded', 'withdrawn'))"
        return f"{_FILED} AND ({changed(*columns, vendor=vendor)} OR ({state} AND NOT {closing}))"

    return (
        Guard("UPDATE", "a filed version stays as it was filed; draft the next version", when=refused),
        Guard("DELETE", "a filed version is never deleted; withdraw it", when=_FILED),
    )


class Overlap(NamedTuple):
    """Why a version cannot begin on the day asked for; `code` is `too_early` or `periods_overlap`."""

    code: str
    message: str


def tomorrow(room: Room) -> datetime.date:
    """The day after today in the room's time zone: the first on which something new may take the place of the old."""
    return timezone.localdate(timezone=room.zone) + _ONE_DAY


def way_for(
    draft: Filing, others: Iterable[Version], effective_from: datetime.date, *, tomorrow: datetime.date
) -> tuple[Version | None, Overlap | None]:
    """Return the filed version among `others` that ends on `effective_from`, where `draft` begins, if there is one.

    Or else why `draft` cannot begin then: a day on which rounds have been played keeps what they were played by, so
    that a version takes another's place tomorrow at the earliest; and closed periods do not overlap either.
    """
    closing = None
    for other in others:
        if other.pk == draft.pk or other.effective_from is None:
            continue
        if other.status == Filing.Status.FILED:
            earliest = max(tomorrow, other.effective_from)
            if effective_from < earliest:
                return None, Overlap(
                    "too_early",
                    f"{other} is filed from {other.effective_from}; {draft} can take its place "
                    f"from {earliest} on, not from {effective_from}.",
                )
            closing = other
        elif (
            other.effective_to is not None and max(effective_from, other.effective_from) < other.effective_to
        ):
            return None, Overlap(
                "periods_overlap",
                f"{other} is in force until {other.effective_to}; {draft} can start that day, "
                f"not on {effective_from}.",
            )
    return closing, None
