"""Model `Room`: one gambling establishment with its own clock and house rules."""

from __future__ import annotations

import datetime
import zoneinfo
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from simple_history.models import HistoricalRecords

from cardroom.config.values import BadValue, witness_address
from cardroom.core.names import NameField
from cardroom.core.row_digests import DigestPolicy
from games.jurisdictions import CALIFORNIA, Jurisdiction, jurisdictions

from .account_numbers import MOST_LETTERS, read_account_numbers
from .chips import FIRST_CHIPS, chips_in_dollars, read_chips
from .hold_minutes import FIRST_HOLDS, read_holds

#: Retention that the state asks for accounting records (4 CCR 12312(a)); a room may keep them longer.
LEAST_RETENTION_YEARS = 7


class Room(models.Model):
    """One gambling establishment.

    `version` counts the commands on the room itself (shifts), and `chain_seq` and `chain_hash` are the head of the
    room's own journal chain; tables have their own (see `cardroom.floor.journal`).
    """

    digest_policy = DigestPolicy(
        may_predate_journal="set up by a command or a file, and compared with its history until a command changes it",
        columns={
            "version": "a counter, which moves with every command",
            "chain_seq": "the head of the chain, which is walked",
            "chain_hash": "the head of the chain, which is walked",
        },
    )

    class FeesOnVoid(models.TextChoices):
        """What becomes of collected fees when a round is voided after the deal (ruling 13)."""

        REFUND = "refund", "refund the fees"
        KEEP = "keep", "keep the fees"

    name = NameField(max_length=120, unique=True)
    code = models.SlugField(
        max_length=40, unique=True, help_text="Short name used in addresses and file names."
    )
    licence_number = models.CharField(
        max_length=40, blank=True, help_text="State gambling licence of the establishment."
    )
    jurisdiction = models.CharField(
        max_length=40,
        default=CALIFORNIA,
        help_text="Whose rules the room plays by: it says which rulebooks may be filed and played here.",
    )
    time_zone = models.CharField(max_length=64, default="America/Los_Angeles")
    gaming_day_starts = models.TimeField(
        default=datetime.time(6), help_text="Local time at which a gaming day begins."
    )
    fees_on_void = models.CharField(
        max_length=10,
        choices=FeesOnVoid.choices,
        default=FeesOnVoid.REFUND,
        help_text="Fees of a round voided after the deal. A void before the deal always refunds them.",
    )
    idle_minutes = models.PositiveSmallIntegerField(
        default=15,
        validators=[MinValueValidator(1)],
        help_text="Minutes that players may sit without a round before the floor is told.",
    )
    offer_minutes = models.PositiveSmallIntegerField(
        default=5,
        validators=[MinValueValidator(1)],
        help_text="Minutes that the bank may stand to be offered before the floor is told.",
    )
    progressive_unit_cents = models.PositiveIntegerField(
        default=100,
        validators=[MinValueValidator(1)],
        help_text="One progressive wager in cents; no other amount is taken (ruling 43).",
    )
    meter_contribution_cents = models.PositiveIntegerField(
        default=0, help_text="What each progressive wager adds to the meter, in cents."
    )
    meter_reserve_cents = models.PositiveIntegerField(
        default=0, help_text="What each adds to the reserve, with which the next meter starts."
    )
    variance_threshold_cents = models.PositiveIntegerField(
        default=0,
        help_text="A drop box or tray whose count differs from what is expected by more cents than this must be explained.",
    )
    variance_hours = models.PositiveSmallIntegerField(
        default=24,
        validators=[MinValueValidator(1)],
        help_text="Hours within which a variance of the drop must be explained before it is escalated.",
    )
    item_days = models.PositiveSmallIntegerField(
        default=7,
        validators=[MinValueValidator(1)],
        help_text="Days after which an exception that is not closed is old, and the floor is told.",
    )
    answer_days = models.PositiveSmallIntegerField(
        default=14,
        validators=[MinValueValidator(1)],
        help_text="Days within which the room answers a player's claim.",
    )
    records_shown_card = models.BooleanField(
        default=True,
        help_text="Whether the table asks for the card that the bank shows, where the rules turn one up.",
    )
    boxes_at_opening = models.BooleanField(
        default=False,
        help_text="Whether opening a shift puts a drop box on every table that has none.",
    )
    reliefs_sign = models.BooleanField(
        default=False,
        help_text="Whether each relief of a push confirms with their PIN at the table; else a push relieves all at once.",
    )
    hold_choices = models.CharField(
        max_length=40,
        default=FIRST_HOLDS,
        help_text="Minutes for which a seat is held by one touch: one to four numbers with blanks between.",
    )
    account_numbers = models.CharField(
        max_length=MOST_LETTERS,
        blank=True,
        default="",
        help_text="Numbers of the accounts of a day's journal: cash = 1010, boxes = 1015.",
    )
    call_minutes = models.PositiveSmallIntegerField(
        default=10,
        validators=[MinValueValidator(1)],
        help_text="Minutes after which a call of the waiting list is marked.",
    )
    chips = models.CharField(
        max_length=80,
        default=FIRST_CHIPS,
        help_text="Chips on the keypads of the tables, in dollars: one to six amounts with blanks between.",
    )
    retention_years = models.PositiveSmallIntegerField(
        default=LEAST_RETENTION_YEARS,
        validators=[MinValueValidator(LEAST_RETENTION_YEARS)],
        help_text="Years for which records are kept at least: 7 or more (4 CCR 12312(a)).",
    )
    checkpoint_directory = models.CharField(
        max_length=200,
        blank=True,
        help_text="Directory of the server into which each signed checkpoint is written, such as a mounted share.",
    )
    checkpoint_witness = models.CharField(
        max_length=200,
        blank=True,
        help_text="https address of a witness to whom each signed checkpoint is sent.",
    )
    version = models.PositiveBigIntegerField(default=0, editable=False)
    chain_seq = models.PositiveBigIntegerField(default=0, editable=False)
    chain_hash = models.CharField(max_length=64, default="", blank=True, editable=False)

    #: The history's rows refer to people, and people to rooms: it is in the app of people so that each app has one
    #: initial migration.
    history = HistoricalRecords(app="people", excluded_fields=["version", "chain_seq", "chain_hash"])

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    progressive_unit_cents__gt=0,
                    progressive_unit_cents__gte=F("meter_contribution_cents") + F("meter_reserve_cents"),
                ),
                name="a_progressive_wager_adds_no_more_than_itself",
            ),
            models.CheckConstraint(
                condition=Q(retention_years__gte=LEAST_RETENTION_YEARS),
                name="records_are_kept_for_seven_years",
                violation_error_message="Records are kept for 7 years at least.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse a jurisdiction that no file describes, and a time zone that the IANA database does not hold.

        Checked here and not by field choices, so that migrations do not import the lists.
        """
        refused = {}
        if self.jurisdiction not in jurisdictions():
            known = ", ".join(jurisdictions())
            refused["jurisdiction"] = ValidationError(
                f"{self.jurisdiction!r} is no jurisdiction; there are {known}.", code="invalid_choice"
            )
        if self.time_zone not in zoneinfo.available_timezones():
            refused["time_zone"] = ValidationError(
                f"{self.time_zone!r} is no IANA time zone; write one such as 'America/Los_Angeles'.",
                code="time_zone",
            )
        if self.checkpoint_directory and not Path(self.checkpoint_directory).is_absolute():
            refused["checkpoint_directory"] = ValidationError(
                "Write the absolute path of a directory, such as /mnt/checkpoints.", code="directory"
            )
        if self.checkpoint_witness:
            try:
                witness_address(self.checkpoint_witness)
            except BadValue as fault:
                refused["checkpoint_witness"] = ValidationError(f"The address {fault}.", code="witness")
        try:
            self.chips = chips_in_dollars(self.chip_cents)
        except ValidationError as fault:
            refused["chips"] = fault
        try:
            self.hold_choices = " ".join(str(minutes) for minutes in self.hold_minutes)
        except ValidationError as fault:
            refused["hold_choices"] = fault
        try:
            read_account_numbers(self.account_numbers)
        except ValidationError as fault:
            refused["account_numbers"] = fault
        if refused:
            raise ValidationError(refused)

    @property
    def account_number_of(self) -> dict[str, str]:
        """The number of each account of a day's journal that has one."""
        return read_account_numbers(self.account_numbers)

    @property
    def chip_cents(self) -> tuple[int, ...]:
        """The chips on the keypads in cents, the least first."""
        return read_chips(self.chips)

    @property
    def hold_minutes(self) -> tuple[int, ...]:
        """The minutes for which a seat is held by one touch, the fewest first."""
        return read_holds(self.hold_choices)

    @property
    def rules_of(self) -> Jurisdiction:
        """The room's jurisdiction with what may be filed there."""
        return jurisdictions()[self.jurisdiction]

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The room's time zone."""
        return zoneinfo.ZoneInfo(self.time_zone)
