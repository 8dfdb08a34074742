"""Models of stored reports, of shifts, days and months; of e-mail subscriptions; of checkpoints; and of exports."""

from __future__ import annotations

import datetime
from typing import cast

from django.db import models
from django.db.models import F, Q

from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import Guard, append_only, changed
from cardroom.floor.journal import Head

from .checkpoints.document import SignedDocument
from .sections.figure_types import Sections
from .stored.figure_types import Figures, PeriodFigures


class StoredReport(models.Model):
    """What every report that is kept as made has in common. Append-only (database triggers).

    `sections` has the shape of `cardroom.reports.sections.figure_types.Sections`. `inputs_hash` is the hex SHA-256 of what the
    report was made from, `content_hash` that of figures, sections and changes, which is in the room's journal too. `heads` are
    the heads of the journal's chains of the room and all its tables at that moment, a list of `{"chain", "seq", "hash"}`.

    When something that a report shows changes (a round is corrected later, the drop is counted), the report is made
    again as a **restatement**: one `revision` more, naming the report that it takes the place of (`restates`) and what
    `changes`, a list of `cardroom.reports.stored.diff.Change`. Both stay.
    """

    revision = models.PositiveSmallIntegerField(
        default=0, help_text="0 as made first; one more a restatement."
    )
    made_at = models.DateTimeField()
    figures = models.JSONField()
    sections = models.JSONField(default=dict)
    changes = models.JSONField(default=list)
    inputs_hash = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64, default="")
    heads = models.JSONField()

    class Meta:
        abstract = True
        ordering = ["-made_at", "-id"]

    @property
    def restated(self) -> str:
        """What a title says of a restatement: ", restatement 2"; nothing of a report as made first."""
        return f", restatement {self.revision}" if self.revision else ""

    @property
    def typed_sections(self) -> Sections:
        """`sections`, typed."""
        return cast("Sections", self.sections)

    @property
    def chain_heads(self) -> list[Head]:
        """The noted heads, typed."""
        return [Head(chain=head["chain"], seq=int(head["seq"]), hash=head["hash"]) for head in self.heads]


class ShiftReport(StoredReport):
    """The report of a closed shift. `figures` has the shape of `cardroom.reports.stored.figure_types.Figures`."""

    guards = append_only("a shift report stays as it was made")

    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, related_name="reports")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="shift_reports")
    restates = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="restatement"
    )

    class Meta(StoredReport.Meta):
        constraints = [
            models.UniqueConstraint(fields=["shift", "revision"], name="one_report_of_a_revision"),
            models.CheckConstraint(
                condition=Q(revision=0, restates__isnull=True) | Q(revision__gt=0, restates__isnull=False),
                name="a_restatement_names_what_it_restates",
            ),
        ]

    def __str__(self) -> str:
        return f"Report of {self.shift}{self.restated}"

    @property
    def is_superseded(self) -> bool:
        """Whether a restatement has taken its place."""
        return ShiftReport.objects.filter(restates=self).exists()

    @property
    def typed_figures(self) -> Figures:
        """`figures`, typed."""
        return cast("Figures", self.figures)


class PeriodReport(StoredReport):
    """The report of a gaming day or of a month of them, added up from the reports of its shifts.

    `first` is the gaming day, or the first one of the calendar month. `figures` has the shape of
    `cardroom.reports.stored.figure_types.PeriodFigures`, which names the shift reports that it rests on.
    """

    guards = append_only("a period report stays as it was made")

    class Kind(models.TextChoices):
        DAY = "day", "day"
        MONTH = "month", "month"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="period_reports")
    kind = models.CharField(max_length=5, choices=Kind.choices)
    first = models.DateField(help_text="The gaming day, or the first one of the month.")
    restates = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="restatement"
    )

    class Meta(StoredReport.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["room", "kind", "first", "revision"], name="one_period_report_of_a_revision"
            ),
            models.CheckConstraint(
                condition=Q(revision=0, restates__isnull=True) | Q(revision__gt=0, restates__isnull=False),
                name="a_restated_period_report_names_what_it_restates",
            ),
            models.CheckConstraint(
                condition=Q(kind="day") | Q(kind="month", first__day=1),
                name="a_month_begins_on_its_first_day",
            ),
        ]

    def __str__(self) -> str:
        return f"Report of {self.period_name}{self.restated}"

    @property
    def period_name(self) -> str:
        """Its day or month as addresses name it: "2026-11-20", "2026-11"."""
        return period_name(self.kind, self.first)

    @property
    def is_superseded(self) -> bool:
        """Whether a restatement has taken its place."""
        return PeriodReport.objects.filter(restates=self).exists()

    @property
    def typed_figures(self) -> PeriodFigures:
        """The figures, typed."""
        return cast("PeriodFigures", self.figures)


def period_name(kind: str, first: datetime.date) -> str:
    """Return the day or month that begins with `first` as addresses name it, after ISO 8601."""
    return f"{first:%Y-%m}" if kind == PeriodReport.Kind.MONTH else first.isoformat()


#: The columns of a subscription that are said once and for all.
_SAID_OF_A_SUBSCRIPTION = (
    "id",
    "room_id",
    "what",
    "staff_id",
    "address",
    "restatements",
    "made_at",
    "made_by_id",
)


class Subscription(models.Model):
    """A subscription to e-mails of a room: one of the staff, or an address that was given.

    It is ended once and never changes otherwise (database triggers); to get something else takes another one. One of the
    staff gets nothing while they may not see it on the site.
    """

    guards = (
        Guard(
            "UPDATE",
            "a subscription never changes; end it and make another",
            when=lambda vendor: (
                f"OLD.ended_at IS NOT NULL OR {changed(*_SAID_OF_A_SUBSCRIPTION, vendor=vendor)}"
            ),
        ),
        Guard("DELETE", "a subscription is never deleted; end it"),
    )

    class What(models.TextChoices):
        SHIFT_REPORT = "shift_report", "shift reports"
        DAY_REPORT = "day_report", "reports of gaming days"
        MONTH_REPORT = "month_report", "reports of months"
        VARIANCE = "variance", "variances that nobody explained in time"
        CHECKPOINT = "checkpoint", "signed checkpoints"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="subscriptions")
    what = models.CharField(max_length=20, choices=What.choices)
    staff = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    address = models.EmailField(blank=True, help_text="Where it is nobody of the staff.")
    restatements = models.BooleanField(
        default=True, help_text="Whether a report that takes the place of another is sent too."
    )
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(staff__isnull=False, address="") | (Q(staff__isnull=True) & ~Q(address="")),
                name="a_subscription_has_one_reader",
            ),
            models.UniqueConstraint(
                fields=["room", "what", "staff"],
                condition=Q(ended_at__isnull=True, staff__isnull=False),
                name="one_subscription_of_a_person",
            ),
            models.UniqueConstraint(
                fields=["room", "what", "address"],
                condition=Q(ended_at__isnull=True, staff__isnull=True),
                name="one_subscription_of_an_address",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__gte=F("made_at"), ended_by__isnull=False),
                name="a_subscription_is_ended_by_someone_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_what_display()} to {self.reader}"

    @property
    def reader(self) -> str:
        """Who gets it, in words."""
        return self.address if self.staff is None else str(self.staff)

    @property
    def sent_to(self) -> str:
        """The address that it is sent to now; empty for one of the staff who has none."""
        return self.address if self.staff is None else self.staff.email


class Checkpoint(models.Model):
    """Where a run of `verify` has ended that found no break; `verify --since-checkpoint` goes on from the newest.

    `heads` are the last entries of all chains, a list of `{"chain", "seq", "hash"}`; `last` is the highest id of each table
    of facts.
    """

    guards = append_only("a checkpoint says where verify has ended; make another")
    digest_policy = DigestPolicy(
        not_digested="where verify has ended, by itself: a whole run compares its heads with the chains"
    )

    made_at = models.DateTimeField()
    entries = models.PositiveBigIntegerField(help_text="Entries of the journal up to here.")
    heads = models.JSONField()
    last = models.JSONField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"Checkpoint {self.pk} at entry {self.entries}"

    @property
    def chain_heads(self) -> list[Head]:
        """The heads, typed."""
        return [Head(chain=head["chain"], seq=int(head["seq"]), hash=head["hash"]) for head in self.heads]


class SignedCheckpoint(models.Model):
    """A checkpoint as it was signed: the heads of a room's chains at one moment. Append-only, and in the room's journal.

    `document` is the text that was signed (`cardroom.reports.checkpoints.document`), `hash` its SHA-256, which the next
    one names, and `signature` the Ed25519 signature of it, both in hexadecimal digits. What `verify --against` believes
    are the same texts outside the database; this row is the site's own copy.
    """

    guards = append_only("a signed checkpoint stays as it was signed")

    class Cause(models.TextChoices):
        HOUR = "hour", "an hour has passed"
        SHIFT = "shift", "a shift was closed"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="signed_checkpoints")
    number = models.PositiveIntegerField(help_text="From 1 in each room, without gaps.")
    made_at = models.DateTimeField()
    gaming_day = models.DateField()
    cause = models.CharField(max_length=5, choices=Cause.choices)
    document = models.TextField()
    hash = models.CharField(max_length=64)
    signature = models.CharField(max_length=128)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="one_signed_checkpoint_of_a_number")
        ]

    def __str__(self) -> str:
        return f"Checkpoint {self.number} of {self.room}"

    @property
    def signed(self) -> SignedDocument:
        """The document with its signature."""
        return SignedDocument(self.document, self.signature)

    @property
    def file_name(self) -> str:
        """The name of its file, without what it ends with."""
        return f"{self.room.code}-{self.number:06}"


class TimeStamp(models.Model):
    """A time stamp (RFC 3161) on the last checkpoint of a gaming day. Append-only, and in the room's journal.

    `token` is the whole response of the authority, DER in Base64; `stamped_at` is the time that it says.
    """

    guards = append_only("a time stamp stays as it was given")

    checkpoint = models.OneToOneField(SignedCheckpoint, on_delete=models.PROTECT, related_name="time_stamp")
    service = models.CharField(max_length=200, help_text="Address of the authority.")
    stamped_at = models.DateTimeField()
    token = models.TextField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"Time stamp of {self.checkpoint}"


class PieceScratch(models.Model):
    """What a piece of a verification tells the step that puts all together: which ids its entries name, and which rows stay open.

    Deleted once that is done. `data` is JSON, compressed by zlib (`cardroom.reports.verification.pieces`).
    """

    digest_policy = DigestPolicy(
        not_digested="what pieces of a verification say to one another; gone when it has ended"
    )

    piece = models.OneToOneField("jobs.Job", on_delete=models.PROTECT, related_name="scratch")
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"Scratch of {self.piece}"


class DayExport(models.Model):
    """A version of a closed gaming day as it was written as Parquet. Append-only, and in the room's journal.

    `manifest` is the text of its manifest (`cardroom.reports.exports.manifest`), which names each file with its SHA-256;
    `manifest_hash` is the SHA-256 of that. `report` is the report of the day that its rows add up to. A day is written
    again, as the next `version`, when its report is restated, or when somebody asks for it; the former version stays.
    """

    guards = append_only("an export says what was written; write the day again")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="day_exports")
    gaming_day = models.DateField()
    version = models.PositiveIntegerField(help_text="From 1 for each gaming day, higher ones later.")
    report = models.ForeignKey(PeriodReport, on_delete=models.PROTECT, related_name="day_exports")
    made_at = models.DateTimeField()
    schema = models.PositiveSmallIntegerField(help_text="Schema of the files (docs/parquet.md).")
    manifest = models.TextField()
    manifest_hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["-gaming_day", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["room", "gaming_day", "version"], name="one_export_of_a_version"),
            models.CheckConstraint(condition=Q(version__gt=0), name="versions_of_an_export_begin_with_one"),
        ]

    def __str__(self) -> str:
        return f"Export of gaming day {self.gaming_day.isoformat()}, version {self.version}"
