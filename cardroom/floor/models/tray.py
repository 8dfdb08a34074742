"""Models of the tray of a house-banked table: `TraySlip` moves and counts its chips, `BuyIn` is cash for chips."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import append_only


class TraySlip(models.Model):
    """One slip about a tray, signed by two people: chips that were counted in it, or moved between it and the cage.

    `opener` and `closer` count what lies in the tray, and `expected_cents` is what should: at the opener what the last
    closer counted, null before the first one. `fill` brings chips from the cage, `credit` takes them there. `chips` is
    the number of chips by their worth, as in {"2500": 40} for forty of $25; `cents` is their sum. `number` counts a
    room's slips without gaps. Append-only: a slip that was wrong is taken back whole by one of its kind that `reverses`
    it, with the cents negative and a reason.
    """

    guards = append_only()

    class Kind(models.TextChoices):
        OPENER = "opener", "opener"
        FILL = "fill", "fill"
        CREDIT = "credit", "credit"
        CLOSER = "closer", "closer"

    #: Kinds that count the tray; the others move chips.
    COUNTS = (Kind.OPENER, Kind.CLOSER)

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="+")
    table = models.ForeignKey(
        "floor.Table", on_delete=models.PROTECT, db_index=False, related_name="tray_slips"
    )
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, related_name="tray_slips")
    number = models.PositiveIntegerField(help_text="Counts the room's slips, without gaps.")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    chips = models.JSONField(help_text='Number of chips by their worth in cents: {"2500": 40}.')
    cents = models.BigIntegerField()
    expected_cents = models.BigIntegerField(
        null=True, blank=True, help_text="What should lie in the tray, of a slip that counts it."
    )
    note = models.CharField(max_length=200, blank=True, help_text="What explains a difference.")
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, db_index=False, related_name="+")
    approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="reversal"
    )
    reason = models.CharField(max_length=200, blank=True, help_text="Why the other slip is taken back.")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="one_tray_slip_of_a_number"),
            models.CheckConstraint(condition=~Q(made_by=F("approved_by")), name="a_tray_slip_has_two_people"),
            models.CheckConstraint(
                condition=Q(kind__in=["opener", "closer"]) | Q(expected_cents__isnull=True),
                name="a_tray_slip_that_counts_has_what_is_expected",
            ),
            models.CheckConstraint(
                condition=Q(reverses__isnull=True, reason="", cents__gte=0)
                | (Q(reverses__isnull=False, kind__in=["fill", "credit"], cents__lt=0) & ~Q(reason="")),
                name="a_tray_slip_is_taken_back_for_a_reason",
            ),
        ]
        indexes = [models.Index(fields=["table", "-id"], name="tray_slips_of_a_table")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number} of {self.table}"

    @property
    def difference_cents(self) -> int | None:
        """Counted less expected, of a slip that counts where something was expected; negative is short."""
        return None if self.expected_cents is None else self.cents - self.expected_cents


class SlipCounter(models.Model):
    """The last number of a room's tray slips. Its row is the lock under which the next one is given."""

    digest_policy = DigestPolicy(not_digested="a counter; the numbers of slips are counted again")

    room = models.OneToOneField(
        "rooms.Room", on_delete=models.PROTECT, primary_key=True, related_name="slip_counter"
    )
    last = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"slips of {self.room} to {self.last}"


class BuyIn(models.Model):
    """Cash that a player gave for chips at a table: it goes into the drop box, the chips come from the tray.

    Append-only: one that was wrong is taken back whole by one that `reverses` it, with the cents negative and a reason.
    """

    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, db_index=False, related_name="buy_ins")
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, related_name="buy_ins")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey("people.Player", on_delete=models.PROTECT, related_name="buy_ins")
    cents = models.BigIntegerField()
    made_at = models.DateTimeField()
    recorded_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="reversal"
    )
    reason = models.CharField(max_length=200, blank=True)
    approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(reverses__isnull=True, cents__gt=0, reason="", approved_by__isnull=True)
                | (
                    Q(reverses__isnull=False, cents__lt=0, approved_by__isnull=False)
                    & ~Q(reason="")
                    & ~Q(approved_by=F("recorded_by"))
                ),
                name="a_buy_in_is_taken_back_for_a_reason_by_two",
            )
        ]
        indexes = [models.Index(fields=["table", "-id"], name="buy_ins_of_a_table")]

    def __str__(self) -> str:
        return f"{self.table}: {self.cents} bought in at seat {self.seat}"
