"""Models `Waiver` and `TimeCollection`: fees that no round's quote holds by itself."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import CORRECTED_BY_NEW_FACTS, Guard, append_only, changed
from cardroom.floor.places import Place
from fees.document import COVERS, PERIODS, PLAYER, whose_fees
from games.money import dollars
from games.phrases import Phrase

#: The columns of a waiver that are said once and for all.
_SAID_OF_A_WAIVER = (
    *("id", "room_id", "table_id", "round_id", "schedule_id", "rule", "title", "covers", "seat", "behind"),
    *("portion_cents", "returned_cents", "reason", "made_at", "recorded_by_id", "ordered_by_id"),
)


class Waiver(models.Model):
    """Fees of one round that are let go by a published rule of its schedule, whole or in part (Penal Code 337j(f)).

    It names the rule as it was published (`rule` is its key in the schedule's document, `title`, `covers` and
    `portion_cents` what it says), `seat` where the rule covers one player, who ordered it and why. One that was made after
    "no more bets" gave `returned_cents` back from the drop. A waiver that was withdrawn stays on record as withdrawn;
    nothing else about it ever changes (database triggers). What it came to in cents is with the round's fees.
    """

    guards = (
        Guard(
            "UPDATE",
            "a waiver never changes; it is withdrawn once, while its round is in play",
            when=lambda vendor: (
                f"OLD.withdrawn_at IS NOT NULL OR {changed(*_SAID_OF_A_WAIVER, vendor=vendor)}"
            ),
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="waivers")
    round = models.ForeignKey("floor.Round", on_delete=models.PROTECT, related_name="waivers")
    schedule = models.ForeignKey("filings.FeeSchedule", on_delete=models.PROTECT, related_name="+")
    rule = models.CharField(max_length=40, help_text="Key of the published rule in the schedule's document.")
    title = models.CharField(max_length=80)
    covers = models.CharField(max_length=8, choices=[(whose, whose) for whose in COVERS])
    seat = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Where the rule covers one player."
    )
    behind = models.PositiveSmallIntegerField(
        default=0, help_text="From 1, the player's place on the back line of that seat's spot."
    )
    portion_cents = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="How much of each fee the rule lets go; empty: all of it."
    )
    returned_cents = models.PositiveBigIntegerField(
        default=0, help_text='What went back from the drop as it was made; 0 before "no more bets".'
    )
    reason = models.CharField(max_length=200)
    made_at = models.DateTimeField()
    recorded_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    ordered_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, related_name="+", help_text="The supervisor."
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "seat", "behind"],
                condition=Q(withdrawn_at__isnull=True, seat__isnull=False),
                name="one_waiver_of_a_seat",
            ),
            models.UniqueConstraint(
                fields=["round", "rule"],
                condition=Q(withdrawn_at__isnull=True, seat__isnull=True),
                name="one_waiver_of_a_rule",
            ),
            models.CheckConstraint(
                condition=Q(covers=PLAYER, seat__isnull=False)
                | (~Q(covers=PLAYER) & Q(seat__isnull=True, behind=0)),
                name="a_waiver_of_one_fee_names_its_seat",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_waiver_has_a_reason"),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True)
                | Q(withdrawn_at__gte=F("made_at"), withdrawn_by__isnull=False),
                name="a_waiver_is_withdrawn_by_someone_later",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title}, {self.round}"

    @property
    def whose(self) -> str:
        """Whose fees it covers, in words, and how much of each where it is not all of it."""
        if self.place is None:
            return whose_fees(self.covers, self.portion_cents)
        if self.portion_cents is None:
            return Phrase("the fee of seat {place}", place=self.place)
        return Phrase(
            "{portion} of the fee of seat {place}", portion=dollars(self.portion_cents), place=self.place
        )

    @property
    def place(self) -> Place | None:
        """The place of the player whose fee it covers, where it covers one player's."""
        return None if self.seat is None else Place(self.seat, self.behind)


class TimeCollection(models.Model):
    """Time collected at a table in one command: a flat fee a seat for each period of the clock that began. Append-only.

    `fees` lists the seats that paid: `{"seat", "payer", "player", "seating", "periods", "cents", "before", "paid_to"}`,
    with the ids of player and stay, and up to which instant the stay had paid before and has paid now (ISO 8601, UTC).
    Both sums are over it: `periods`, and `cents` that went into the drop box.

    One that `reverses` another takes it back whole, with every sum negative, a reason and a second person.
    """

    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="time_collections")
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, related_name="time_collections")
    schedule = models.ForeignKey("filings.FeeSchedule", on_delete=models.PROTECT, related_name="+")
    schedule_version = models.PositiveIntegerField()
    period = models.CharField(max_length=10, choices=[(per, per.replace("_", " ")) for per in PERIODS])
    fee_cents = models.BigIntegerField(help_text="Of one seat for one period.")
    fees = models.JSONField()
    periods = models.IntegerField()
    cents = models.BigIntegerField()
    made_at = models.DateTimeField()
    recorded_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="reversal"
    )
    reason = models.CharField(max_length=200, blank=True)
    approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    reverses__isnull=True, cents__gt=0, periods__gt=0, reason="", approved_by__isnull=True
                )
                | (
                    Q(reverses__isnull=False, cents__lt=0, periods__lt=0, approved_by__isnull=False)
                    & ~Q(reason="")
                    & ~Q(approved_by=F("recorded_by"))
                ),
                name="time_is_taken_back_for_a_reason_by_two",
            )
        ]
        indexes = [models.Index(fields=["table", "-id"], name="time_of_a_table")]

    def __str__(self) -> str:
        return f"{self.table}: time of {len(self.fees)} seats"
