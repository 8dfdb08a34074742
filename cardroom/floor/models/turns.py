"""Models of turns at the bank and the offers that lead to them: `Turn`, `Offer`, `Pause`, `Withdrawal`."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import Guard, append_only
from games.phrases import Phrase


class Turn(models.Model):
    """A player's stay at the bank: `rounds` settled rounds in a row (a void does not count, ruling 40).

    The limit of the rotation profile is compared with `in_a_row`: rounds of the same player's earlier turns count too,
    unless the count has begun anew. `rounds_before` is derived from the turns before as the turn begins
    (`cardroom/floor/reads/table_state.py`); reviews and reports count the rounds themselves and do not read it.
    `renewed` marks a turn that its holder may take because every other player declined the bank after their last one.
    A turn of a provider goes on as its rack is handed over (`RackCount`, ruling 62): `player` is who holds it, or held it
    last, `relieved` are those who held it before, and each round says who banked it.
    """

    guards = (
        Guard("UPDATE", "a turn that has ended never changes", when="OLD.ended_at IS NOT NULL"),
        Guard("DELETE", "a turn is never deleted"),
    )

    class Ended(models.TextChoices):
        PASSED = "passed", "the bank was accepted by another player"
        RENEWED = "renewed", "everybody declined; the same player began a new turn"
        LEFT = "left", "the player gave up the bank"
        CLOSED = "closed", "the table closed"
        INACTIVE = "inactive", "the player may no longer play here"
        GAME = "game", "a game of another approval began"
        MISTAKE = "mistake", "the answer that began it was recorded by mistake"

    #: Ends after which nobody holds the bank.
    WITHOUT_SUCCESSOR = (Ended.LEFT, Ended.INACTIVE, Ended.CLOSED, Ended.GAME)

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, db_index=False, related_name="turns")
    shift = models.ForeignKey(
        "floor.Shift",
        on_delete=models.PROTECT,
        db_index=False,
        related_name="turns",
        help_text="Open as it began.",
    )
    player = models.ForeignKey("people.Player", on_delete=models.PROTECT, related_name="turns")
    relieved = models.JSONField(
        default=list,
        blank=True,
        help_text="Ids of the players who held it and handed their provider's rack over, the first first.",
    )
    seat = models.PositiveSmallIntegerField()
    cycle = models.PositiveBigIntegerField(help_text="The run of offers that led to this turn.")
    renewed = models.BooleanField(default=False)
    rotation = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="Profile by which the bank rotated as it began; empty: not recorded, the rulebook's.",
    )
    game = models.ForeignKey(
        "filings.GameFiling",
        on_delete=models.PROTECT,
        db_index=False,
        null=True,
        blank=True,
        related_name="+",
        help_text="The filed game as it began, whose terms say who may bank; empty: not recorded.",
    )
    rounds = models.PositiveIntegerField(default=0, help_text="Settled rounds in this turn.")
    rounds_before = models.PositiveIntegerField(
        default=0,
        help_text="Settled rounds in a row of the same player's earlier turns at the table; 0: the count began anew.",
    )
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_why = models.CharField(max_length=10, choices=Ended.choices, blank=True)

    class Meta:
        ordering = ["-began_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at__isnull=True), name="one_bank_at_a_table"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_why="")
                | (Q(ended_at__gte=F("began_at")) & ~Q(ended_why="")),
                name="turn_ends_for_a_reason",
            ),
        ]
        indexes = [
            # The last turns of a table, and the rotation of a day: what went on there in a stretch of time. In the whole
            # order that they are read in: to part two of one instant, PostgreSQL would look for one more, through years.
            models.Index(fields=["table", "began_at", "id"], name="turns_of_a_time"),
            # In the order in which a shift report counts them: SQLite would walk through all turns for that.
            models.Index(fields=["shift", "table"], name="turns_of_a_shift"),
        ]

    def __str__(self) -> str:
        return f"{self.player} banks {self.table} from seat {self.seat}"

    @property
    def in_a_row(self) -> int:
        """Settled rounds in a row that count against the limit of the rotation profile (ruling 40)."""
        return self.rounds_before + self.rounds

    @property
    def begun_by(self) -> int:
        """The id of the player who began it."""
        return int(self.relieved[0]) if self.relieved else self.player_id

    def was_held_by(self, player_id: int) -> bool:
        """Whether a player holds it or held it."""
        return player_id == self.player_id or player_id in self.relieved


class Pause(models.Model):
    """The game stopped, as the rotation profile asks of it before the last bank may go on. Append-only.

    It lasts `minutes` at least; the next bank, if any, begins its turn after it. Of 0 minutes it is the end of a game:
    everybody had declined, the profile ends the game then, and the table closed (ruling 53).
    """

    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="pauses")
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, related_name="pauses")
    cycle = models.PositiveBigIntegerField(help_text="The run of offers that nobody accepted.")
    after_turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="pauses_after")
    minutes = models.PositiveSmallIntegerField()
    began_at = models.DateTimeField()
    recorded_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["table", "cycle"], name="one_pause_a_cycle"),
        ]

    def __str__(self) -> str:
        if self.ends_game:
            return f"{self.table}: the game ended"
        return f"{self.table}: a stop of {self.minutes} minutes"

    @property
    def ends_game(self) -> bool:
        """Whether the game was over, and did not go on after a while."""
        return self.minutes == 0


class Offer(models.Model):
    """The bank was offered to a seat, and this was the answer of the player there. Append-only.

    A run of offers has one `cycle`. It ends when a player takes the bank, or when all are asked again; it goes on when
    the bank is given up, and after the table has closed and opened. An answer holds for its player: one who moves is not
    asked twice, and another who sits down at the same seat is asked. An answer that was recorded by mistake has a
    `withdrawal`; the seat is then asked again in the same run of offers, under an `attempt` one higher.
    """

    guards = append_only()

    class Answer(models.TextChoices):
        ACCEPTED = "accepted", Phrase("accepted")
        DECLINED = "declined", Phrase("declined")
        ABSENT = "absent", Phrase("absent")
        INELIGIBLE = "ineligible", Phrase("ineligible")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, db_index=False, related_name="offers")
    shift = models.ForeignKey("floor.Shift", on_delete=models.PROTECT, db_index=False, related_name="offers")
    cycle = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField(
        default=0, help_text="Answers of this run that had been withdrawn before this one was given."
    )
    after_turn = models.ForeignKey(
        Turn, on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="offers_after"
    )
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        "people.Player", on_delete=models.PROTECT, db_index=False, related_name="offers"
    )
    answer = models.CharField(max_length=10, choices=Answer.choices)
    reason = models.CharField(
        max_length=200, blank=True, help_text="Why the seat was offered, or why it may not bank."
    )
    game = models.ForeignKey(
        "filings.GameFiling",
        on_delete=models.PROTECT,
        db_index=False,
        null=True,
        blank=True,
        related_name="+",
        help_text="The filed game by whose terms the seat was asked; empty: not recorded.",
    )
    passed_over = models.BooleanField(
        default=False,
        help_text="Nobody asked: by the record the player may not bank or is away, as the reason says.",
    )
    answered_at = models.DateTimeField()
    recorded_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "cycle", "attempt", "player"], name="one_answer_a_player_a_cycle"
            ),
            models.UniqueConstraint(
                fields=["table", "cycle", "attempt"],
                condition=Q(answer="accepted"),
                name="one_accepted_offer_a_cycle",
            ),
        ]
        indexes = [
            models.Index(fields=["table", "answered_at"], name="offers_of_a_time"),
            models.Index(fields=["shift", "table", "answer"], name="offers_of_a_shift"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: seat {self.seat} {self.answer}"


class Withdrawal(models.Model):
    """An answer to an offer was recorded by mistake, and counts no more. Append-only; the answer stays on record."""

    guards = append_only()

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="withdrawals")
    offer = models.OneToOneField(Offer, on_delete=models.PROTECT, related_name="withdrawal")
    withdrawn_at = models.DateTimeField()
    withdrawn_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.offer}, withdrawn"
