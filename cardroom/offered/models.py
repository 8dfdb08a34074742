"""Games as filings: drafts are edited, a filed version never changes again."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from cardroom.rooms.filing import CLOSED_HAS_ITS_END, FILED_SAYS_WHEN_AND_BY_WHOM, Filing
from games.rulebook import Rulebook, load_rulebook
from games.terms import Terms, read_options


class GameFiling(Filing):
    """One version of a game that a room offers: a rulebook with the room's options and own paytables put in.

    `options` are the round sheet's, without what is collected: fee schedules are filed by themselves, and a house rake
    is set at its table. Database triggers keep a filed version as it was filed (see the migrations).
    """

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
    filed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="game_filings_filed",
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
        ]

    def __str__(self) -> str:
        return f"{self.title}, version {self.version}"

    @property
    def book(self) -> Rulebook:
        return load_rulebook(self.rulebook)

    @property
    def terms(self) -> Terms:
        """The rulebook with this version's options put in: what is played under it."""
        return read_options(self.book, self.options)
