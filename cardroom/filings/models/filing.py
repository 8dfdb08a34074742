"""Abstract model `Filing`, filed in versions: drafts are edited, a filed version never changes, no two are in force at once.

A kind of filing is a subclass with the columns that say what is filed. `cardroom.filings.services` takes any of them
from draft to withdrawal, and asks a version itself what it may say (`check_draft`, `check_filing`).
"""

from __future__ import annotations

import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from simple_history.models import HistoricalRecords

from cardroom.core.canonical import canonical_hash
from cardroom.core.names import plain_name
from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import Guard, changed
from cardroom.rooms.gaming_day import gaming_day
from games.phrases import Phrase
from games.registry import RULEBOOKS, WITH_RULES, load_rulebook
from games.rulebook import Rulebook

from ..errors import FilingError

_FILED = "OLD.status <> 'draft'"
_COLUMNS_OF_ALL = (
    *("id", "room_id", "number", "version", "title", "effective_from"),
    *("filed_at", "filed_by_id", "approved_by_id", "created_at", "revision", "edited_by_id"),
)


def filed_is_final(*columns: str) -> tuple[Guard, ...]:
    """Return the triggers of a kind of filing; `columns` are its own beside those that all filings have.

    Once filed, a version never says anything else and is never deleted; closing it is all that can still happen, once.
    """
    columns = (*_COLUMNS_OF_ALL, *columns)

    def refused(vendor: str) -> str:
        state = changed("status", "effective_to", vendor=vendor)
        closing = "(OLD.status = 'filed' AND NEW.status IN ('superseded', 'withdrawn'))"
        return f"{_FILED} AND ({changed(*columns, vendor=vendor)} OR ({state} AND NOT {closing}))"

    return (
        Guard("UPDATE", "a filed version stays as it was filed; draft the next version", when=refused),
        Guard("DELETE", "a filed version is never deleted; withdraw it", when=_FILED),
    )


class Filing(models.Model):
    """One version of something filed, and the gaming days of the room on which it is in force.

    draft → filed → superseded (by the next version) or withdrawn. A filed version is in force from `effective_from`
    until the day before `effective_to`, whether or not it has been closed since. Versions count from one within a
    room's `number`.
    """

    digest_policy = DigestPolicy(
        may_predate_journal="a room may be set up with what was filed before, by a file and no command",
        is_fact=lambda row: row["status"] != "draft",
    )

    #: What people call the kind, as in "schedule 3 has a draft already".
    word: ClassVar[str]
    #: Columns of the kind's own that a draft says, beside title and planned first day.
    drafted: ClassVar[tuple[str, ...]]

    class Status(models.TextChoices):
        DRAFT = "draft", "draft"
        FILED = "filed", "filed"
        SUPERSEDED = "superseded", "superseded"
        WITHDRAWN = "withdrawn", "withdrawn"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="%(class)s_versions")
    number = models.PositiveSmallIntegerField(help_text="The number of what is filed, in this room.")
    version = models.PositiveSmallIntegerField(editable=False)
    title = models.CharField(max_length=80)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT, editable=False)
    effective_from = models.DateField(null=True, blank=True, help_text="First day in force.")
    effective_to = models.DateField(
        null=True,
        blank=True,
        editable=False,
        help_text="First day no longer in force; empty: until further notice.",
    )
    filed_at = models.DateTimeField(null=True, blank=True, editable=False)
    filed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
    )
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        help_text="The second person who signed the filing; empty: filed by one, or as a room was set up.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revision = models.PositiveIntegerField(
        default=1, editable=False, help_text="Counts what the draft has said: each edit is the next."
    )
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        help_text="Who drafted it or edited it last, and so may not sign its filing.",
    )

    history = HistoricalRecords(
        inherit=True, history_change_reason_field=models.CharField(max_length=200, null=True)
    )

    class Meta:
        abstract = True
        ordering = ["room", "number", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["room", "number", "version"], name="one_%(class)s_of_a_version"),
            models.UniqueConstraint(
                fields=["room", "number"], condition=Q(status="draft"), name="one_draft_of_a_%(class)s"
            ),
            # At most one version is open-ended; services see to it that closed periods do not overlap either.
            models.UniqueConstraint(
                fields=["room", "number"],
                condition=Q(status="filed"),
                name="one_filed_version_of_a_%(class)s",
            ),
            models.CheckConstraint(
                condition=Q(status="draft", filed_at__isnull=True, filed_by__isnull=True)
                | Q(
                    status__in=["filed", "superseded", "withdrawn"],
                    filed_at__isnull=False,
                    filed_by__isnull=False,
                    effective_from__isnull=False,
                ),
                name="a_filed_%(class)s_says_when_and_by_whom",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "filed"], effective_to__isnull=True)
                | Q(status__in=["superseded", "withdrawn"], effective_to__gte=F("effective_from")),
                name="a_closed_%(class)s_has_its_end",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | (~Q(status="draft") & ~Q(approved_by=F("filed_by"))),
                name="a_filed_%(class)s_is_approved_by_another",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | ~Q(approved_by=F("edited_by")),
                name="a_filed_%(class)s_is_not_signed_by_its_editor",
            ),
        ]

    def __str__(self) -> str:
        return Phrase("{title}, version {version}", title=self.title, version=self.version)

    def content(self) -> dict[str, Any]:
        """What a version says, as plain data: title, first day, and the columns of its kind."""
        first = None if self.effective_from is None else self.effective_from.isoformat()
        columns = {name: getattr(self, name) for name in self.drafted}
        return {"title": self.title, "effective_from": first, **columns}

    @property
    def digest(self) -> str:
        """The digest of this version's present state, which its next edit, filing or withdrawal moves.

        Whoever edits, files, signs or withdraws names it, and so acts on what they have read and on nothing else.
        """
        ends = None if self.effective_to is None else self.effective_to.isoformat()
        named = {"kind": self.word, "id": self.pk, "number": self.number, "version": self.version}
        stands = {"revision": self.revision, "status": str(self.status), "effective_to": ends}
        return canonical_hash({**named, **stands, "content": self.content()})

    @property
    def default_title(self) -> str:
        """The title of a version that is given none."""
        return f"{self.word.capitalize()} {self.number}"

    def check_draft(self) -> None:
        """Raise FilingError for what not even a draft may say."""
        try:
            self.title = plain_name(self.title)
        except ValidationError as refused:
            raise FilingError("bad_text", str(refused.message), path="title") from refused
        if self.number < 1:
            raise FilingError(
                "bad_number", f"A {self.word}'s number counts from 1; {self.number} does not.", path="number"
            )

    def check_filing(self, first: datetime.date) -> None:
        """Raise FilingError for what may not be filed; `first` is the first day, from today on, on which it would hold."""

    def free_from(self, today: datetime.date) -> datetime.date:
        """Return the first gaming day that another version may take: what has been played keeps what it was played by."""
        return today + datetime.timedelta(days=1)

    def in_force(self, on: datetime.date) -> bool:
        """Tell whether this version is in force on the day `on`, whether or not it has been closed since."""
        if self.status == self.Status.DRAFT or self.effective_from is None:
            return False
        return self.effective_from <= on and (self.effective_to is None or on < self.effective_to)


class StateFiling(Filing):
    """What the state approves: it is of one game of the room's jurisdiction, and has the state's number of the filing."""

    rulebook = models.CharField(max_length=40, help_text="Id of the rulebook of the game.")
    state_reference = models.CharField(
        max_length=80,
        blank=True,
        help_text="The Bureau's number of the filing, or of the letter that approves it.",
    )

    class Meta(Filing.Meta):
        abstract = True
        constraints = [
            *Filing.Meta.constraints,
            models.CheckConstraint(
                condition=Q(status="draft") | ~Q(state_reference=""),
                name="a_filed_%(class)s_has_the_states_number",
            ),
        ]

    @property
    def book(self) -> Rulebook:
        return load_rulebook(self.rulebook)

    @property
    def has_rules(self) -> bool:
        """Whether the rulebook has wagers and payouts of its own to show; else a game's filing says what there is."""
        return self.rulebook in WITH_RULES

    def check_draft(self) -> None:
        """Refuse a rulebook that is unknown, or that may not be filed in the room's jurisdiction."""
        if self.rulebook not in RULEBOOKS:
            raise FilingError(
                "unknown_rulebook",
                f"There is no rulebook {self.rulebook!r}; known are {', '.join(RULEBOOKS)}.",
                path="rulebook",
            )
        self._check_jurisdiction(None)
        self.state_reference = self.state_reference.strip()
        super().check_draft()

    def check_filing(self, first: datetime.date) -> None:
        """Refuse a filing without the state's number, or one of another jurisdiction on that day."""
        self.state_reference = self.state_reference.strip()
        if not self.state_reference:
            raise FilingError(
                "state_reference_missing",
                "A filing needs the Bureau's number of it: fill in state_reference.",
                path="state_reference",
            )
        self._check_jurisdiction(first)

    def _check_jurisdiction(self, day: datetime.date | None) -> None:
        if why := self.room.rules_of.why_not(self.rulebook, day):
            raise FilingError("rulebook_of_another_jurisdiction", why, path="rulebook")


def today(filing: Filing, now: datetime.datetime | None = None) -> datetime.date:
    """The gaming day of the filing's room."""
    return gaming_day(filing.room, now or timezone.now())
