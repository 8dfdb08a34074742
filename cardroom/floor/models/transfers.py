"""Model `Transfer`: every movement of cents at a table, one row each."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import append_only

from .rounds import Round


class Transfer(models.Model):
    """Cents that moved from one account to another inside a round, a collection of time or a buy-in. Append-only; always positive.

    `seat` is the seat whose account is meant where one side is `seat`. Stakes that were not won do not move.
    A transfer that `reverses` another is of its kind and moves the same cents back, from its target to its source.

    One into or out of a box names the `box` that hung at the table just then: the fee lies in it, whichever shift counts
    the round (ruling 58). What is given back once another box hangs comes out of that one.
    """

    guards = append_only()

    class Account(models.TextChoices):
        SEAT = "seat", "player at a seat"
        BANK = "bank", "player-dealer"
        DROP = "drop", "drop box"
        TIPS = "tips", "tip box"
        JACKPOT = "jackpot", "jackpot box"
        TRAY = "tray", "house tray"
        METER = "meter", "progressive meter"

    class Kind(models.TextChoices):
        FEE = "fee", "collection fee"
        FEE_REFUND = "fee_refund", "fee refund"
        TAKE = "take", "wager taken"
        PAY = "pay", "wager paid"
        TIP = "tip", "tip won"
        TIME = "time", "time collection"
        JACKPOT = "jackpot", "jackpot collection"
        JACKPOT_REFUND = "jackpot_refund", "jackpot collection refund"
        RAKE = "rake", "house rake"
        BUY_IN = "buy_in", "cash for chips"

    #: Kinds that a house collects for playing.
    COLLECTION_KINDS = (Kind.FEE, Kind.FEE_REFUND, Kind.TIME, Kind.RAKE)
    #: Kinds that touch the drop box: the collection, and cash for chips where the house banks.
    DROP_KINDS = (*COLLECTION_KINDS, Kind.BUY_IN)
    #: Kinds that touch the jackpot's own box.
    JACKPOT_KINDS = (Kind.JACKPOT, Kind.JACKPOT_REFUND)

    # There are more transfers than of anything else: each index is one that reports or commands ask for.
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, db_index=False, related_name="+")
    shift = models.ForeignKey(
        "floor.Shift", on_delete=models.PROTECT, db_index=False, related_name="transfers"
    )
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, null=True, blank=True, related_name="transfers"
    )
    time_collection = models.ForeignKey(
        "floor.TimeCollection",
        on_delete=models.PROTECT,
        db_index=False,
        null=True,
        blank=True,
        related_name="transfers",
    )
    buy_in = models.ForeignKey(
        "floor.BuyIn",
        on_delete=models.PROTECT,
        db_index=False,
        null=True,
        blank=True,
        related_name="transfers",
    )
    box = models.ForeignKey(
        "floor.DropBox", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="transfers",
        help_text="The box that it went into or came out of; none where none hung.",
    )  # fmt: skip
    kind = models.CharField(max_length=16, choices=Kind.choices)
    source = models.CharField(max_length=8, choices=Account.choices)
    target = models.CharField(max_length=8, choices=Account.choices)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    player = models.ForeignKey(
        "people.Player", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="+"
    )
    wager = models.CharField(max_length=20, blank=True)
    line = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Line of the settlement it comes from."
    )
    cents = models.BigIntegerField()
    reverses = models.ForeignKey(
        "self", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="reversals"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(cents__gt=0), name="a_transfer_moves_something"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="a_transfer_moves_somewhere"),
            models.CheckConstraint(
                condition=Q(box__isnull=True)
                | Q(source__in=["drop", "jackpot"])
                | Q(target__in=["drop", "jackpot"]),
                name="only_what_is_dropped_names_a_box",
            ),
            models.CheckConstraint(
                condition=Q(round__isnull=False, time_collection__isnull=True, buy_in__isnull=True)
                | Q(round__isnull=True, time_collection__isnull=False, buy_in__isnull=True, kind="time")
                | Q(round__isnull=True, time_collection__isnull=True, buy_in__isnull=False, kind="buy_in"),
                name="a_transfer_is_of_a_round_of_time_or_of_a_buy_in",
            ),
            models.UniqueConstraint(
                fields=["reverses"],
                condition=Q(reverses__isnull=False),
                name="a_transfer_is_taken_back_once",
            ),
        ]
        indexes = [
            # With the cents, so that the drop of a table or a box is summed up without a look at the rows.
            models.Index(
                fields=["shift", "table", "kind", "target", "box", "cents"], name="transfers_of_a_shift"
            ),
            models.Index(
                fields=["box", "shift", "target", "cents"],
                condition=Q(box__isnull=False),
                name="transfers_of_a_box",
            ),
            models.Index(
                fields=["time_collection"],
                condition=Q(time_collection__isnull=False),
                name="transfers_of_a_time_collection",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cents} {self.source}→{self.target}"
