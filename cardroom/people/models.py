"""People: staff and the roles they hold in a room, players, and providers of proposition players."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords


class Staff(AbstractUser):
    """One person, one account. What the person may do comes from `Employment`, never from Django's permissions."""

    display_name = models.CharField(max_length=80, help_text="As shown on table screens and reports.")
    badge = models.CharField(max_length=20, blank=True)
    licence_number = models.CharField(
        max_length=40, blank=True, help_text="Work permit or key employee licence."
    )
    licence_expires = models.DateField(null=True, blank=True)

    history = HistoricalRecords(excluded_fields=["password", "last_login"])

    class Meta:
        verbose_name_plural = "staff"

    def __str__(self) -> str:
        return self.display_name or self.username


class Role(models.TextChoices):
    """The roles of the house."""

    DEALER = "dealer", "Dealer"
    FLOOR = "floor", "Floor"
    SHIFT_MANAGER = "shift_manager", "Shift manager"
    COUNT = "count", "Count team"
    COMPLIANCE = "compliance", "Compliance"
    ROOM_MANAGER = "room_manager", "Room manager"
    PROVIDER_LEAD = "provider_lead", "Provider lead"
    INSPECTOR = "inspector", "Inspector"
    SUPPORT = "support", "Support staff"


class Provider(models.Model):
    """A third-party provider of proposition player services under contract with the room."""

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="providers")
    name = models.CharField(max_length=120)
    contract_number = models.CharField(max_length=40, blank=True)
    is_active = models.BooleanField(default=True)

    history = HistoricalRecords()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["room", "name"], name="one_provider_of_a_name")]

    def __str__(self) -> str:
        return self.name


class Employment(models.Model):
    """A role that a person holds in a room. A provider lead's role names the provider it is held for."""

    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="employments")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="employments")
    role = models.CharField(max_length=20, choices=Role.choices)
    provider = models.ForeignKey(
        Provider, on_delete=models.PROTECT, null=True, blank=True, related_name="leads"
    )

    history = HistoricalRecords()

    class Meta:
        ordering = ["room", "staff", "role"]
        constraints = [
            models.UniqueConstraint(fields=["staff", "room", "role"], name="one_employment_of_a_role"),
            models.CheckConstraint(
                condition=Q(role=Role.PROVIDER_LEAD, provider__isnull=False)
                | (~Q(role=Role.PROVIDER_LEAD) & Q(provider__isnull=True)),
                name="provider_lead_names_a_provider",
                violation_error_message="A provider lead needs a provider, and no other role has one.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.staff} · {self.get_role_display()} · {self.room}"


class Player(models.Model):
    """A patron of the room, or a provider's proposition player. `staff` marks house employees who play (ruling 41)."""

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=80)
    provider = models.ForeignKey(
        Provider, on_delete=models.PROTECT, null=True, blank=True, related_name="players"
    )
    staff = models.OneToOneField(
        Staff, on_delete=models.PROTECT, null=True, blank=True, related_name="player"
    )
    is_active = models.BooleanField(default=True)

    history = HistoricalRecords()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["room", "name"], name="one_player_of_a_name"),
            # The settlement names the bank's fee payer "bank": a player of that name could not be told from it.
            models.CheckConstraint(
                condition=~Q(name__iexact="bank") & ~Q(name=""),
                name="player_has_a_name_of_their_own",
                violation_error_message="A player needs a name, and it may not be 'bank'.",
            ),
        ]

    def __str__(self) -> str:
        return self.name
