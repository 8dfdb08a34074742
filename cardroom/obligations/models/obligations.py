"""Models `Obligation` and `ObligationStep`: what the room is to do by a day, and what was done about it."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import Guard, append_only, changed

TITLE_LENGTH = 120
RESTS_ON_LENGTH = 300
REFERENCE_LENGTH = 200
NOTE_LENGTH = 500
#: Days before its due day on which an obligation is shown as due soon, where its room says nothing else.
REMIND_DAYS = 30
MOST_REMIND_DAYS = 366

_FIXED = ("id", "room_id", "follows_id", "made_at", "made_by_id")
#: What stands on record of an obligation that is done or does not apply, until it is reopened.
_SETTLED = (
    *("kind", "title", "rests_on", "due_on", "every", "last_day", "day_of_month", "remind_days", "takes_two"),
    *("owner_id", "reference", "document_id", "reason", "closed_at", "closed_by_id", "confirmed_by_id"),
)


def _refused(vendor: str) -> str:
    settled = changed(*_SETTLED, vendor=vendor)
    return f"({changed(*_FIXED, vendor=vendor)}) OR (OLD.state <> 'open' AND NEW.state <> 'open' AND ({settled}))"


class Obligation(models.Model):
    """Something that the room is to do by a day of its calendar: by whom, on what it rests, and by what it was proved.

    Kinds, days and clauses are what the room typed. `due_on` is a day on the room's own calendar; one that recurs is followed by
    the next (`follows`) once it is done or does not apply. What is done, and what does not apply, stands as it is until it is reopened.
    """

    guards = (
        Guard(
            "UPDATE",
            "an obligation that is done, or does not apply, stays as it is until it is reopened",
            when=_refused,
        ),
        Guard("DELETE", "an obligation is never deleted; say that it does not apply"),
    )

    class Kind(models.TextChoices):
        FILING = "filing", "Filing"
        LICENCE = "licence", "Licence"
        PERMIT = "permit", "Permit"
        CONTRACT = "contract", "Contract"
        TAX = "tax", "Tax"
        TABLE_FEE = "table_fee", "Table fee"
        OTHER = "other", "Other"

    class Every(models.TextChoices):
        ONCE = "once", "once"
        MONTH = "month", "every month"
        QUARTER = "quarter", "every quarter"
        HALF_YEAR = "half_year", "every half year"
        YEAR = "year", "every year"
        TWO_YEARS = "two_years", "every two years"

    class State(models.TextChoices):
        OPEN = "open", "open"
        DONE = "done", "done"
        NOT_APPLICABLE = "not_applicable", "not applicable"

    room = models.ForeignKey(
        "rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="obligations"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    title = models.CharField(max_length=TITLE_LENGTH)
    rests_on = models.CharField(
        max_length=RESTS_ON_LENGTH,
        blank=True,
        help_text="The clause or contract that it rests on, as the room has it.",
    )
    due_on = models.DateField(help_text="The day by whose end it is to be done, on the room's calendar.")
    every = models.CharField(max_length=10, choices=Every.choices, default=Every.ONCE)
    last_day = models.BooleanField(default=False, help_text="Whether it recurs on the last day of a month.")
    day_of_month = models.PositiveSmallIntegerField(
        help_text="The day of the month on which it recurs, where the month has it."
    )
    remind_days = models.PositiveSmallIntegerField(
        default=REMIND_DAYS, help_text="Days before the due day on which it is shown as due soon."
    )
    takes_two = models.BooleanField(default=False, help_text="Whether a second person signs that it is done.")
    owner = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    follows = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="next_one"
    )
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    state = models.CharField(max_length=15, choices=State.choices, default=State.OPEN)
    reference = models.CharField(
        max_length=REFERENCE_LENGTH,
        blank=True,
        help_text="By what it is proved: a number of confirmation, a receipt.",
    )
    document = models.ForeignKey(
        "filings.FiledDocument",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The document that proves it, by its checksum.",
    )
    reason = models.CharField(max_length=NOTE_LENGTH, blank=True, help_text="Why it does not apply.")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    confirmed_by = models.ForeignKey(
        "people.Staff",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The second person, who signed that it is done.",
    )

    class Meta:
        ordering = ["due_on", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    state="open", closed_at__isnull=True, closed_by__isnull=True, confirmed_by__isnull=True
                )
                | (~Q(state="open") & Q(closed_at__isnull=False, closed_by__isnull=False)),
                name="an_obligation_is_closed_by_someone",
            ),
            models.CheckConstraint(
                condition=~Q(state="done") | ~Q(reference="") | Q(document__isnull=False),
                name="an_obligation_is_done_with_proof",
            ),
            models.CheckConstraint(
                condition=(Q(state="not_applicable") & ~Q(reason=""))
                | (~Q(state="not_applicable") & Q(reason="")),
                name="an_obligation_that_does_not_apply_says_why",
            ),
            models.CheckConstraint(
                condition=~Q(state="done", takes_two=True) | Q(confirmed_by__isnull=False),
                name="an_obligation_of_two_is_confirmed",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by__isnull=True) | ~Q(confirmed_by=F("closed_by")),
                name="nobody_confirms_what_they_have_done",
            ),
            models.CheckConstraint(
                condition=Q(day_of_month__gte=1, day_of_month__lte=31, remind_days__lte=MOST_REMIND_DAYS),
                name="an_obligation_recurs_on_a_day",
            ),
        ]
        indexes = [
            models.Index(fields=["room", "due_on"], name="obligations_of_a_time"),
            models.Index(
                fields=["room"], condition=Q(closed_at__isnull=True), name="obligations_open_of_a_room"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    def said(self) -> dict[str, Any]:
        """What it says, as a step and the journal have it."""
        return {
            "kind": str(self.kind),
            "title": self.title,
            "rests_on": self.rests_on,
            "due_on": self.due_on.isoformat(),
            "every": str(self.every),
            "last_day": self.last_day,
            "remind_days": self.remind_days,
            "takes_two": self.takes_two,
        }


class ObligationStep(models.Model):
    """One thing that was done about an obligation: who, when, what, from which state to which. Append-only."""

    guards = append_only("what was done about an obligation stays; a further step says what is new")

    class What(models.TextChoices):
        ADD = "add", "added"
        CHANGE = "change", "changed"
        OWNER = "owner", "given to"
        NOTE = "note", "noted"
        DOCUMENT = "document", "attached a document"
        DONE = "done", "said that it is done"
        NOT_APPLICABLE = "not_applicable", "said that it does not apply"
        REOPEN = "reopen", "reopened"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    obligation = models.ForeignKey(Obligation, on_delete=models.PROTECT, related_name="steps")
    what = models.CharField(max_length=15, choices=What.choices)
    before = models.CharField(max_length=15, choices=Obligation.State.choices)
    after = models.CharField(max_length=15, choices=Obligation.State.choices)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    reference = models.CharField(max_length=REFERENCE_LENGTH, blank=True)
    document = models.ForeignKey(
        "filings.FiledDocument", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    owner = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    changes = models.JSONField(
        default=dict, blank=True, help_text="What was changed, by its name: before and after."
    )
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | (Q(what="done") & ~Q(approved_by=F("made_by"))),
                name="a_step_is_confirmed_by_another",
            ),
            models.CheckConstraint(
                condition=~Q(what__in=["note", "not_applicable", "reopen"]) | ~Q(note=""),
                name="a_step_of_an_obligation_says_why",
            ),
            models.CheckConstraint(
                condition=~Q(what="done") | ~Q(reference="") | Q(document__isnull=False),
                name="a_step_that_is_done_has_proof",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.obligation}: {self.get_what_display()}"
