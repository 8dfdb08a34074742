"""Fee schedules as filings: drafts are edited, a filed version never changes again."""

from __future__ import annotations

import functools
import json

from django.conf import settings
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from cardroom.rooms.filing import (
    APPROVED_BY_ANOTHER,
    CLOSED_HAS_ITS_END,
    FILED_SAYS_WHEN_AND_BY_WHOM,
    Filing,
    filed_is_final,
)
from fees.rates import Schedule, read_schedule


class FeeSchedule(Filing):
    """One version of a room's fee schedule, and the days on which it is in force.

    Database triggers keep a filed version as it was filed: closing it is all that can still happen to it. `document` is what `fees.document` reads; only a legal one can be filed.
    """

    guards = filed_is_final("document")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="fee_schedules")
    rulebook = models.CharField(max_length=40, help_text="The game that the schedule is filed for.")
    number = models.PositiveSmallIntegerField(help_text="The schedule option's number in this room.")
    version = models.PositiveSmallIntegerField(editable=False)
    title = models.CharField(max_length=80)
    document = models.JSONField(help_text="Table limit and fees, in whole cents, each with its clause.")
    filed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="fee_schedules_filed",
    )
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="fee_schedules_approved",
        help_text="The second person who signed the filing; empty: filed as a room was set up, or before it took two.",
    )

    history = HistoricalRecords(history_change_reason_field=models.CharField(max_length=200, null=True))

    class Meta(Filing.Meta):
        abstract = False
        ordering = ["room", "number", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["room", "number", "version"], name="one_fee_schedule_of_a_version"
            ),
            models.UniqueConstraint(
                fields=["room", "number"], condition=Q(status="draft"), name="one_draft_of_a_fee_schedule"
            ),
            # At most one version is open-ended; services see to it that closed periods do not overlap either.
            models.UniqueConstraint(
                fields=["room", "number"],
                condition=Q(status="filed"),
                name="one_filed_version_of_a_fee_schedule",
            ),
            models.CheckConstraint(
                condition=FILED_SAYS_WHEN_AND_BY_WHOM, name="a_filed_fee_schedule_says_when_and_by_whom"
            ),
            models.CheckConstraint(condition=CLOSED_HAS_ITS_END, name="a_closed_fee_schedule_has_its_end"),
            models.CheckConstraint(
                condition=APPROVED_BY_ANOTHER, name="a_filed_fee_schedule_is_approved_by_another"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title}, version {self.version}"

    @property
    def schedule(self) -> Schedule:
        """What this version charges. Raises ScheduleRefused for a draft that is not legal yet."""
        return _schedule_read(json.dumps(self.document), self.number, self.title)


@functools.lru_cache(maxsize=256)
def _schedule_read(document: str, number: int, title: str) -> Schedule:
    """Read a document once and keep what it says: an act at a table asks for it several times, a report at each round.

    By its text, so that a draft that is edited is another document.
    """
    return read_schedule(json.loads(document), number=number, title=title)
