"""Models `Table` and `Seating`: tables of a room and who sits at them."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q
from simple_history.models import HistoricalRecords

from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import Guard
from cardroom.floor.places import Place
from fees.rake import OPTION, Rake
from games.phrases import Phrase
from games.registry import rulebook_with
from games.rotation.profile import HOUSE_BANKS
from games.rulebook import Rulebook


class Table(models.Model):
    """One table. Its row is the lock of everything that happens at it.

    What is played is a filed game: `rulebook`, `options`, `rotation` and the rake are copies of what `game` says, written
    with it (`cardroom.floor.commands.tables`). A table set otherwise, in older data, opens no round.

    `version` goes up by one with every command, and is what `If-Match` names. `chain_seq` and `chain_hash` are
    the head of the table's journal chain. `offer_cycle` numbers the runs of offers of the bank (ruling 40): offers
    of an older cycle are history. Closing and opening the table leaves it, and `offers_start_after`, as they are.
    """

    digest_policy = DigestPolicy(
        may_predate_journal="a table is added by a command or by a room's file, closed and with no game",
        columns={
            "number": "a table may be renumbered; checked against its history",
            "version": "a counter for If-Match, which moves with every command",
            "chain_seq": "the head of the chain: proved with it",
            "chain_hash": "the head of the chain: proved with it",
        },
    )

    guards = (
        # That a filing is in force on the day is for the services to check.
        Guard(
            "UPDATE",
            "a table opens on a filed game, and on a filed fee schedule or the game's rake unless the house banks",
            when="OLD.state <> 'open' AND NEW.state = 'open' AND NOT "
            "(NEW.game_id IS NOT NULL AND (NEW.schedule_id IS NOT NULL OR NEW.rake_mode <> '' "
            f"OR NEW.rotation = '{HOUSE_BANKS}'))",
        ),
    )

    class State(models.TextChoices):
        CLOSED = "closed", "closed"
        OPEN = "open", "open"

    class Recording(models.TextChoices):
        CARDS = "cards", Phrase("everything: wagers, cards and decisions")
        FEES = "fees", Phrase("wagers and fees alone: not carded")

    class Shuffler(models.TextChoices):
        """The shuffling machine on the table; one that counts each deck takes the stub count's place."""

        NONE = "none", Phrase("no machine: by hand")
        SHUFFLES = "shuffles", Phrase("a machine that shuffles")
        COUNTS = "counts", Phrase("a machine that shuffles and counts")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(help_text="The number painted on the table.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.CLOSED, editable=False)
    rulebook = models.CharField(
        max_length=40, default="california", help_text="Id of the rulebook played here."
    )
    options = models.JSONField(
        default=dict,
        blank=True,
        help_text="The room's choices within the rulebook, as in the round sheet; what is left out takes its default.",
    )
    game = models.ForeignKey(
        "filings.GameFiling", on_delete=models.PROTECT, null=True, blank=True, related_name="tables",
        help_text="The filed game that is played here, which says rulebook, options, rotation and rake; empty: none yet.",
    )  # fmt: skip
    schedule = models.ForeignKey(
        "filings.FeeSchedule", on_delete=models.PROTECT, null=True, blank=True, related_name="tables",
        help_text="The filed fee schedule in force; empty where the game has a house rake, or none is set yet.",
    )  # fmt: skip
    rake_mode = models.CharField(
        max_length=20,
        blank=True,
        default="",
        help_text="Who pays the house rake, where the rules know one and no schedule is in force; empty: nobody.",
    )
    rake_cents = models.BigIntegerField(
        null=True, blank=True, help_text="What each of them pays a round, in cents."
    )
    wager_limits = models.JSONField(
        default=dict,
        blank=True,
        help_text='Limits by wager in cents, tips too: {"pair_plus": [100, 10000]}; the ante\'s come from the schedule.',
    )
    rotation = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="Id of the profile by which the bank rotates here, as filed with the game; house_banks: the house does; "
        "empty: the rulebook's.",
    )
    shuffler = models.CharField(
        max_length=10, choices=Shuffler.choices, default=Shuffler.SHUFFLES, help_text="What shuffles here."
    )
    dealing = models.CharField(
        max_length=20,
        blank=True,
        default="",
        help_text="Id of the way of dealing, where the rules name some; empty: the first one.",
    )
    recording = models.CharField(
        max_length=10,
        choices=Recording.choices,
        default=Recording.CARDS,
        help_text="How much of a round is recorded here.",
    )
    meter = models.ForeignKey(
        "floor.ProgressiveMeter", on_delete=models.PROTECT, null=True, blank=True, editable=False,
        related_name="tables", help_text="The progressive meter that is played for here; empty: none was opened yet.",
    )  # fmt: skip
    must_move_to = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="must_moves",
        help_text="The table of the same game whose free seats are filled from here, who sat longest first; empty: none.",
    )  # fmt: skip
    opened_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When it opened last: the game began then."
    )
    version = models.PositiveBigIntegerField(default=0, editable=False)
    chain_seq = models.PositiveBigIntegerField(default=0, editable=False)
    chain_hash = models.CharField(max_length=64, default="", blank=True, editable=False)
    offer_cycle = models.PositiveBigIntegerField(default=0, editable=False)
    offers_start_after = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="Seat of the last bank, after which offers go round; none: seat 1 is first.",
    )

    history = HistoricalRecords(
        excluded_fields=[
            *("version", "chain_seq", "chain_hash", "offer_cycle", "offers_start_after", "state", "opened_at")
        ]
    )

    class Meta:
        ordering = ["room", "number"]
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="one_table_of_a_number"),
            models.CheckConstraint(
                condition=Q(schedule__isnull=True) | Q(rake_mode=""),
                name="fees_or_rake_never_both",
                violation_error_message="A table collects fees by a schedule or takes a house rake, never both.",
            ),
            models.CheckConstraint(
                condition=Q(rake_mode="", rake_cents__isnull=True)
                | (~Q(rake_mode="") & Q(rake_cents__isnull=False, rake_cents__gt=0)),
                name="a_rake_has_its_form_and_amount",
                violation_error_message="A house rake has a form and an amount above 0.",
            ),
            models.CheckConstraint(
                condition=~Q(rotation=HOUSE_BANKS) | Q(schedule__isnull=True, rake_mode=""),
                name="a_house_that_banks_collects_nothing",
                violation_error_message="Where the house banks, it collects neither fees nor a rake.",
            ),
            models.CheckConstraint(
                condition=Q(rake_mode="") | Q(recording="cards"),
                name="a_rake_is_taken_by_the_cards",
                violation_error_message="Dead hands pay no rake: a table that takes one records cards.",
            ),
        ]

    def __str__(self) -> str:
        return Phrase("Table {number}", number=self.number)

    @property
    def book(self) -> Rulebook:
        """The rulebook as it is played here, with the approval and what a filing says of seats and wagers."""
        return rulebook_with(self.rulebook, self.options)

    @property
    def rake(self) -> Rake | None:
        """The house rake that is taken here."""
        return Rake(self.rake_mode, self.rake_cents) if self.rake_mode and self.rake_cents else None

    @property
    def house_banks(self) -> bool:
        """Whether the house banks here, and not a player."""
        return self.rotation == HOUSE_BANKS

    @property
    def sheet_options(self) -> dict[str, Any]:
        """The options of a round sheet played here: the table's, with its house rake as one of them."""
        return self.options if self.rake is None else {**self.options, OPTION: self.rake._asdict()}


class Seating(models.Model):
    """A player's stay at a seat (numbered clockwise, 1 at the house dealer's left), or on the back line of its spot.

    Where the rules let one player hold several positions, each is a stay of its own; all but one are `beside` that one.
    Where they let further bettors wager on a player's spot, these stand `behind` its seat: they bet, and are not offered
    the bank.
    """

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seatings")
    seat = models.PositiveSmallIntegerField()
    behind = models.PositiveSmallIntegerField(
        default=0, help_text="0 at the seat itself; from 1, the place on the back line of its spot."
    )
    # Found by `stays_of_a_player`.
    player = models.ForeignKey(
        "people.Player", on_delete=models.PROTECT, db_index=False, related_name="seatings"
    )
    seated_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    time_paid_to = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Where time is collected: no period that began by then is owed; empty: since sitting down.",
    )
    held_until = models.DateTimeField(
        null=True,
        blank=True,
        help_text="While the seat is held for its player: until when; empty: they are there.",
    )

    beside = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        db_index=False,
        null=True,
        blank=True,
        related_name="+",
        help_text="The player's first stay at the table, where this is a further position of theirs.",
    )

    class Meta:
        ordering = ["table", "seat", "behind", "seated_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "seat", "behind"],
                condition=Q(left_at__isnull=True),
                name="one_player_at_a_place",
            ),
            # Players are a room's: the same person is another player in another room.
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(left_at__isnull=True, beside__isnull=True),
                name="one_seat_of_a_player",
            ),
            models.CheckConstraint(
                condition=Q(left_at__isnull=True) | Q(left_at__gte=F("seated_at")),
                name="seating_ends_after_it_begins",
            ),
        ]
        indexes = [
            # Who sat there in a stretch of time are those who left after it began: years of stays lie before.
            models.Index(fields=["table", "left_at"], name="stays_of_a_time"),
            models.Index(fields=["player", "-id"], name="stays_of_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} at seat {self.place} of {self.table}"

    @property
    def place(self) -> Place:
        """Where the player sits or stands."""
        return Place(self.seat, self.behind)
