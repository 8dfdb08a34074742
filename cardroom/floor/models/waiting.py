"""Model `WaitingEntry`: who waits for a seat in which game, when they were called, and what became of it."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.names import NameField
from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import CORRECTED_BY_NEW_FACTS, Guard, changed
from games.phrases import Phrase

_ADDED = ("id", "room_id", "game", "added_at", "added_by_id")


class WaitingEntry(models.Model):
    """Somebody who waits for a seat in a game: a player of the room, or a guest by `name` until they are seated.

    They are called any number of times, and leave the list once: seated, as a no-show, or removed. What a guest was called by goes
    as they leave it: who was seated is a player of the room, and of the others it is not needed any more.
    """

    digest_policy = DigestPolicy(columns={"name": "what a guest is called by while they wait, and no fact"})

    guards = (
        Guard(
            "UPDATE",
            "who waited for what never changes; an entry ends once",
            when=lambda vendor: (
                f"OLD.ended_at IS NOT NULL OR {changed(*_ADDED, vendor=vendor)} "
                "OR (NEW.name <> OLD.name AND (NEW.name <> '' OR NEW.ended_at IS NULL))"
            ),
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    class Ended(models.TextChoices):
        SEATED = "seated", Phrase("seated")
        NO_SHOW = "no_show", Phrase("no-show")
        REMOVED = "removed", Phrase("removed")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="waiting")
    game = models.PositiveIntegerField(
        help_text="Number of the filed game that they wait for, whatever its version."
    )
    player = models.ForeignKey(
        "people.Player",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty for a guest who has not been seated yet.",
    )
    name = NameField(max_length=80, blank=True, help_text="What a guest is called by.")
    added_at = models.DateTimeField()
    added_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    called_at = models.DateTimeField(null=True, blank=True, help_text="When they were called last.")
    called_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_why = models.CharField(max_length=10, choices=Ended.choices, blank=True)
    table = models.ForeignKey(
        "floor.Table",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Where they were seated.",
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game"],
                condition=Q(ended_at__isnull=True),
                name="nobody_waits_twice_for_a_game",
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False, name="")
                | Q(player__isnull=True, ended_at__isnull=True) & ~Q(name="")
                | Q(player__isnull=True, ended_at__isnull=False, name=""),
                name="whoever_waits_has_a_name",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True, ended_why="")
                | (Q(ended_at__gte=F("added_at"), ended_by__isnull=False) & ~Q(ended_why="")),
                name="a_wait_ends_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(called_at__isnull=True, called_by__isnull=True)
                | Q(called_at__gte=F("added_at"), called_by__isnull=False),
                name="whoever_is_called_waits",
            ),
        ]

    def __str__(self) -> str:
        return self.called_name

    @property
    def called_name(self) -> str:
        """What they are called by."""
        return self.player.known_as if self.player is not None else self.name or Phrase("A guest")
