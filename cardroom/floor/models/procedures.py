"""Models `Deck` and `Procedure`: what is done at a table beside the money, as its procedure rules ask for it (ruling 45)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.triggers import CORRECTED_BY_NEW_FACTS, Guard, append_only
from games.phrases import Phrase
from games.procedures.decks import PRE_SHUFFLED
from games.procedures.rules import CARD_FATES, ROUND_FATES


class Deck(models.Model):
    """A deck of cards at a table, from when it was put there until it is retired. Then it never changes again.

    `name` is what staff call it: the colour of its backs, with a number where the table has two of one colour.
    """

    guards = (
        Guard("UPDATE", "a deck that was retired never changes", when="OLD.retired_at IS NOT NULL"),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, related_name="decks")
    name = models.CharField(max_length=24)
    colour = models.CharField(max_length=20)
    placed_at = models.DateTimeField()
    placed_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    retired_at = models.DateTimeField(null=True, blank=True)
    retired_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    retired_why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "name"], condition=Q(retired_at__isnull=True), name="one_deck_of_a_name"
            ),
            models.CheckConstraint(
                condition=Q(retired_at__isnull=True, retired_by__isnull=True, retired_why="")
                | (Q(retired_at__gte=F("placed_at"), retired_by__isnull=False) & ~Q(retired_why="")),
                name="a_deck_is_retired_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return Phrase("{name} deck", name=self.name)


class Procedure(models.Model):
    """One thing that was done or that happened at a table beside the money, in the order of its doing. Append-only.

    What follows from it by the rules is stored with it as it was answered: `round_fate` and `card_fate` are those of
    `games.procedures.rules`, `void_reason` the rulebook's id of the reason, `says` the sentence and `clause` its source.

    By kind, `subject` is who looked the deck over, the irregularity's id or the card that was turned up, and
    `number` the cards in the stub or how often the irregularity has happened in the round.

    An irregularity that was entered by mistake stays; a row of kind `withdrawn` names it (`withdraws`), with a reason
    and the second person who signed (`ordered_by`).
    """

    guards = append_only()

    class Kind(models.TextChoices):
        INSPECTED = "inspected", "deck inspected"
        IDLE_ENDED = "idle_ended", "first player came to an idle table"
        DECK_CHOSEN = "deck_chosen", "deck dealt out of turn"
        DEALT = "dealt", "round dealt"
        FEES_DROPPED = "fees_dropped", "fees dropped"
        BANK_CARD = "bank_card", "dealer card exposed"
        RECUT = "recut", "recut"
        STUB_COUNT = "stub_count", "stub counted"
        DEVICE_COUNT = "device_count", "wrong deck reported by the shuffler"
        COUNT_WAIVED = "count_waived", "round let go without a count"
        IRREGULARITY = "irregularity", "irregularity"
        WITHDRAWN = "withdrawn", "irregularity withdrawn"
        BOX_WAIVED = "box_waived", "table let collect without a drop box"
        NO_SHUFFLER = "no_shuffler", "table let play without the automatic shuffler"
        SHUFFLER_BACK = "shuffler_back", "automatic shuffler no longer missing"

    class Inspector(models.TextChoices):
        """Who looks a deck over (`games.procedures.rules.INSPECTORS`), or that it came shuffled."""

        DEALER = "dealer", Phrase("the dealer")
        FLOOR = "floor", Phrase("the floor")
        FIRST_PLAYER = "first_player", Phrase("the first player")
        PRE_SHUFFLED = PRE_SHUFFLED, Phrase("came pre-shuffled")

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="+")
    table = models.ForeignKey(
        "floor.Table", on_delete=models.PROTECT, db_index=False, related_name="procedures"
    )
    round = models.ForeignKey(
        "floor.Round", on_delete=models.PROTECT, null=True, blank=True, related_name="procedures",
        help_text="The round that was in play; empty between rounds.",
    )  # fmt: skip
    deck = models.ForeignKey(
        Deck, on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="procedures"
    )
    kind = models.CharField(max_length=16, choices=Kind.choices)
    subject = models.CharField(max_length=40, blank=True)
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    round_fate = models.CharField(max_length=8, blank=True, choices=[(fate, fate) for fate in ROUND_FATES])
    card_fate = models.CharField(max_length=12, blank=True, choices=[(fate, fate) for fate in CARD_FATES])
    void_reason = models.CharField(max_length=40, blank=True)
    text = models.CharField(max_length=300, blank=True)
    clause = models.CharField(max_length=80, blank=True)
    withdraws = models.ForeignKey(
        "self", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="withdrawals",
        help_text="The irregularity that was entered by mistake.",
    )  # fmt: skip
    reason = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField()
    recorded_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    ordered_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="+",
        help_text="The supervisor who ordered it, where it takes one.",
    )  # fmt: skip

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["round"], condition=Q(kind="dealt"), name="a_round_is_dealt_once"
            ),
            models.UniqueConstraint(
                fields=["round"], condition=Q(kind="fees_dropped"), name="fees_are_dropped_once_a_round"
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["deck_chosen", "dealt", "fees_dropped", "bank_card", "recut"])
                | Q(round__isnull=False),
                name="a_procedure_of_a_round_names_it",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["recut", "count_waived", "withdrawn", "box_waived", "no_shuffler"])
                | (Q(ordered_by__isnull=False) & ~Q(reason="")),
                name="a_supervisor_orders_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(kind="withdrawn", withdraws__isnull=False, round__isnull=False)
                | (~Q(kind="withdrawn") & Q(withdraws__isnull=True)),
                name="a_withdrawal_names_its_irregularity",
            ),
            models.UniqueConstraint(
                fields=["withdraws"],
                condition=Q(withdraws__isnull=False),
                name="an_irregularity_is_withdrawn_once",
            ),
            models.CheckConstraint(
                condition=Q(round_fate="void") | Q(void_reason=""), name="only_a_void_has_a_void_reason"
            ),
        ]
        indexes = [
            models.Index(fields=["table", "kind", "-id"], name="procedures_of_a_kind"),
            models.Index(fields=["table", "kind", "made_at"], name="procedures_of_a_time"),
            models.Index(fields=["table", "-id"], name="procedures_of_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.get_kind_display()}"
