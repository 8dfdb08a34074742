"""Games as filings: drafts are edited, a filed version never changes again."""

from __future__ import annotations

from typing import Any

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
from fees.rake import OPTION, Rake
from games.rulebook import Rulebook, load_rulebook
from games.terms import Terms, read_options


class GameFiling(Filing):
    """One version of a game that a room offers: rulebook, options, own paytables, rotation profile and house rake.

    `options` are the round sheet's, without the fee schedule, which is filed by itself; a house rake is one of them.
    Database triggers keep a filed version as it was filed.
    """

    guards = filed_is_final("options", "rotation")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="game_filings")
    rulebook = models.CharField(max_length=40, help_text="Id of the rulebook that is played.")
    number = models.PositiveSmallIntegerField(help_text="The game's number in this room.")
    version = models.PositiveSmallIntegerField(editable=False)
    title = models.CharField(max_length=80)
    options = models.JSONField(
        default=dict,
        blank=True,
        help_text="The room's choices within the rulebook, as in the round sheet; what is left out takes its default.",
    )
    rotation = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="Id of the profile by which the bank rotates; empty: the rulebook's own.",
    )
    filed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="game_filings_filed",
    )
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="game_filings_approved",
        help_text="The second person who signed the filing; empty: filed as a room was set up, or before it took two.",
    )

    history = HistoricalRecords(history_change_reason_field=models.CharField(max_length=200, null=True))

    class Meta(Filing.Meta):
        abstract = False
        ordering = ["room", "number", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["room", "number", "version"], name="one_game_of_a_version"),
            models.UniqueConstraint(
                fields=["room", "number"], condition=Q(status="draft"), name="one_draft_of_a_game"
            ),
            # At most one version is open-ended; services see to it that closed periods do not overlap either.
            models.UniqueConstraint(
                fields=["room", "number"], condition=Q(status="filed"), name="one_filed_version_of_a_game"
            ),
            models.CheckConstraint(
                condition=FILED_SAYS_WHEN_AND_BY_WHOM, name="a_filed_game_says_when_and_by_whom"
            ),
            models.CheckConstraint(condition=CLOSED_HAS_ITS_END, name="a_closed_game_has_its_end"),
            models.CheckConstraint(condition=APPROVED_BY_ANOTHER, name="a_filed_game_is_approved_by_another"),
        ]

    def __str__(self) -> str:
        return f"{self.title}, version {self.version}"

    @property
    def book(self) -> Rulebook:
        return load_rulebook(self.rulebook)

    @property
    def rake(self) -> Rake | None:
        """The house rake that is filed with the game."""
        rake = self.options.get(OPTION)
        return None if rake is None else Rake(**rake)

    @property
    def play_options(self) -> dict[str, Any]:
        """The options without the rake: what a table keeps of them beside its rake."""
        return {name: value for name, value in self.options.items() if name != OPTION}

    @property
    def profile_id(self) -> str:
        """The rotation profile that is filed, or else the rulebook's own; empty where the house banks."""
        return self.rotation or self.book.rotation or ""

    @property
    def terms(self) -> Terms:
        """The rulebook with this version's options put in: what is played under it."""
        return read_options(self.book, self.options)
