"""Model `Round`: a round as it is played and as it was recorded."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.expressions import Combinable, NegatedExpression

from cardroom.core.dates import day_text
from cardroom.core.triggers import Guard
from fees.rake import OPTION, Rake
from games.cards import CARD_NUMBERS
from games.ran_out import Laid, wagers_in_order
from games.registry import rulebook_with, terms_of
from games.rotation.profile import HOUSE_BANKS
from games.rulebook import Rulebook
from games.terms import Terms

from .tables import Table


class Round(models.Model):
    """One round at a table: `betting` → `bets_closed` (fees fixed and dropped) → `settled`, or `void`.

    `bets_closed` begins at "no more bets"; `dealt_at` marks the first card after it, for a void before and after the deal
    are different things (ruling 13). While it is open, `bets` holds the wagers by seat: a list of
    `{"seat", "player", "wagers", "tips"}` in cents as in the round sheet. At settlement `sheet` and `settlement` hold
    both documents as recorded and the columns hold their sums in cents. A settled or void round is never changed again
    (database triggers).

    A round of a table that records `fees` alone is settled by eye: it has neither document, and no transfers but fees.
    Its `later_bets` were placed after the deal, and `ran_out` says where its bank ran out, if it did (ruling 55).
    Where the house takes a rake, its form and amount are among `options` from the start, and `fees` lists who paid it
    as the round is settled: only then is it known which hands are dead (ruling 20).

    `shift` is the shift that was open when bets were closed, or when a round was voided before that.

    `shown_card` is the bank's card that lies face up before the players decide, where the rules turn one up (ruling 49). It
    is a fact of the round and no key of its sheet; when the round is settled it must be one of the bank's three cards.

    `board` and `decided` are what was recorded as it happened, where positions decide at several points: the cards of the
    board so far, and by seat the path of decisions so far. The sheet that settles the round
    must agree.

    A **correction** is a settled round of its own that names the round it `corrects`: the same number and instants,
    one `revision` more, and the shift that was open when it was made. Its transfers take those of the other round back
    and move what should have moved. Each round is corrected once at most; a second correction corrects the first.
    """

    guards = (
        Guard("UPDATE", "a settled or void round never changes", when="OLD.state IN ('settled', 'void')"),
        Guard("DELETE", "a round is never deleted"),
        # One that is recorded as ended may lack a game: rounds from elsewhere, which the exception report lists.
        Guard(
            "INSERT", "a round begins on a filed game", when="NEW.ended_at IS NULL AND NEW.game_id IS NULL"
        ),
    )

    class State(models.TextChoices):
        BETTING = "betting", "betting"
        # "No more bets" was called: wagers and fees are fixed. `dealt_at` says when the cards came, in this state.
        BETS_CLOSED = "bets_closed", "bets closed"
        SETTLED = "settled", "settled"
        VOID = "void", "void"

    class Source(models.TextChoices):
        STEPS = "steps", "step by step"
        RECORD = "record", "whole sheet"

    # Without an index of their own are keys that are never queried alone, or that an index below begins with.
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="rounds")
    table = models.ForeignKey("floor.Table", on_delete=models.PROTECT, db_index=False, related_name="rounds")
    gaming_day = models.DateField()
    number = models.PositiveIntegerField(help_text="Counts a table's rounds in a gaming day, without gaps.")
    revision = models.PositiveSmallIntegerField(
        default=0, help_text="0 as it was recorded first; one more with every correction."
    )
    state = models.CharField(max_length=12, choices=State.choices, default=State.BETTING)
    source = models.CharField(max_length=10, choices=Source.choices)
    recording = models.CharField(
        max_length=10,
        choices=Table.Recording.choices,
        default=Table.Recording.CARDS,
        help_text="How much the table recorded as the round opened.",
    )

    shift = models.ForeignKey(
        "floor.Shift", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="rounds"
    )
    dealer = models.ForeignKey("people.Staff", on_delete=models.PROTECT, db_index=False, related_name="+")
    turn = models.ForeignKey(
        "floor.Turn", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="played"
    )
    turn_round = models.PositiveIntegerField(
        null=True, blank=True, help_text="Its place in the turn, from 1, once settled."
    )
    bank_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    bank_player = models.ForeignKey(
        "people.Player", on_delete=models.PROTECT, null=True, blank=True, related_name="banked"
    )
    bank_wager_cents = models.BigIntegerField(null=True, blank=True)

    game = models.ForeignKey(
        "filings.GameFiling",
        on_delete=models.PROTECT,
        db_index=False,
        null=True,
        blank=True,
        related_name="rounds",
        help_text="The filed game that it opened on; empty: a round from before filings were asked for, or elsewhere.",
    )
    rulebook = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    rotation = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="Profile by which the bank rotated as it opened; house_banks: the house banked; empty: not recorded, "
        "the rulebook's.",
    )
    schedule = models.ForeignKey(
        "filings.FeeSchedule",
        on_delete=models.PROTECT,
        db_index=False,
        null=True,
        blank=True,
        related_name="rounds",
    )
    schedule_version = models.PositiveIntegerField(null=True, blank=True)
    action_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    shown_card = models.CharField(
        max_length=2,
        blank=True,
        default="",
        help_text="The bank's card that lay face up before the players decided, as in Kh; empty: not recorded.",
    )
    board = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="The cards of the board that were recorded as they were shown, as in 9h 9c 4d.",
    )
    decided = models.JSONField(
        default=dict,
        help_text="Decisions that were recorded as they were made: by seat, what was decided at each point.",
    )
    bets = models.JSONField(default=list)
    later_bets = models.JSONField(
        default=list,
        blank=True,
        help_text="Wagers placed after the deal where no cards are recorded, as in bets; no part of fees or table action.",
    )
    fees = models.JSONField(
        default=list,
        help_text="The quote fixed when bets closed, as in the round sheet, or the house rake as it was taken.",
    )

    opened_at = models.DateTimeField()
    bets_closed_at = models.DateTimeField(null=True, blank=True)
    dealt_at = models.DateTimeField(null=True, blank=True, help_text="When the first card was dealt.")
    ended_at = models.DateTimeField(null=True, blank=True)

    sheet = models.JSONField(null=True, blank=True)
    settlement = models.JSONField(null=True, blank=True)
    positions = models.PositiveSmallIntegerField(default=0)
    total_table_action_cents = models.BigIntegerField(default=0)
    player_fees_cents = models.BigIntegerField(default=0)
    bank_fee_cents = models.BigIntegerField(default=0)
    bank_fee_band = models.CharField(
        max_length=40, blank=True, help_text="The band of the schedule that set the bank's fee."
    )
    refunded_cents = models.BigIntegerField(
        default=0, help_text="Fees given back because the round was voided."
    )
    waived_cents = models.BigIntegerField(
        default=0, help_text="Fees that would have been due, but for a published waiver."
    )
    jackpot_cents = models.BigIntegerField(default=0, help_text="Collected into the jackpot's own box.")
    jackpot_refunded_cents = models.BigIntegerField(
        default=0, help_text="Of that, given back because the round was voided."
    )
    rake_cents = models.BigIntegerField(
        default=0, help_text="House rake taken as the round was settled; dead hands paid none."
    )
    taken_cents = models.BigIntegerField(default=0)
    paid_cents = models.BigIntegerField(default=0)
    meter_cents = models.BigIntegerField(
        default=0, help_text="Of what was paid, the wins that the progressive meter paid and not the bank."
    )
    uncovered_cents = models.BigIntegerField(default=0)
    tips_cents = models.BigIntegerField(default=0)
    exhausted = models.BooleanField(default=False)
    ran_out = models.JSONField(
        null=True,
        blank=True,
        help_text="Where no cards are recorded: the place at which the bank ran out, and in cents what was paid, taken and "
        "returned there; empty: it covered all.",
    )

    void_reason = models.CharField(max_length=200, blank=True)
    voided_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="+"
    )
    void_approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="+"
    )

    corrects = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="correction"
    )
    corrected_at = models.DateTimeField(null=True, blank=True)
    correction_reason = models.CharField(max_length=200, blank=True)
    corrected_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="+"
    )
    correction_approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "gaming_day", "number", "revision"], name="one_round_of_a_number_a_day"
            ),
            models.UniqueConstraint(
                fields=["table"],
                condition=Q(state__in=["betting", "bets_closed"]),
                name="one_live_round_at_a_table",
            ),
            models.CheckConstraint(
                condition=Q(state="betting", bets_closed_at__isnull=True, dealt_at__isnull=True)
                | Q(state="void")
                | Q(state__in=["bets_closed", "settled"], bets_closed_at__isnull=False, shift__isnull=False),
                name="bets_are_closed_before_the_deal",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["betting", "bets_closed"], ended_at__isnull=True)
                | Q(state__in=["settled", "void"], ended_at__isnull=False, shift__isnull=False),
                name="an_ended_round_has_its_end_and_shift",
            ),
            models.CheckConstraint(
                condition=Q(
                    state="settled",
                    recording="cards",
                    sheet__isnull=False,
                    settlement__isnull=False,
                    ran_out__isnull=True,
                )
                | Q(
                    state="settled",
                    recording="fees",
                    sheet__isnull=True,
                    settlement__isnull=True,
                    taken_cents=0,
                    paid_cents=0,
                    meter_cents=0,
                    tips_cents=0,
                )
                | (~Q(state="settled") & Q(sheet__isnull=True, settlement__isnull=True)),
                name="a_settled_round_has_its_sheet",
            ),
            models.CheckConstraint(
                condition=Q(recording="cards")
                | Q(ran_out__isnull=True, uncovered_cents=0, exhausted=False)
                | Q(state="settled", ran_out__isnull=False, exhausted=True),
                name="a_bank_ran_out_where_it_says",
            ),
            models.CheckConstraint(
                condition=(
                    ~Q(state="void")
                    & Q(void_reason="", voided_by__isnull=True, void_approved_by__isnull=True)
                )
                | (
                    Q(state="void", voided_by__isnull=False, void_approved_by__isnull=False)
                    & ~Q(void_reason="")
                    & ~Q(voided_by=F("void_approved_by"))
                ),
                name="a_void_has_a_reason_and_two_people",
            ),
            models.CheckConstraint(
                condition=Q(
                    revision=0,
                    corrects__isnull=True,
                    corrected_at__isnull=True,
                    correction_reason="",
                    corrected_by__isnull=True,
                    correction_approved_by__isnull=True,
                )
                | (
                    Q(
                        revision__gt=0,
                        state="settled",
                        corrects__isnull=False,
                        corrected_at__isnull=False,
                        corrected_by__isnull=False,
                        correction_approved_by__isnull=False,
                    )
                    & ~Q(correction_reason="")
                    & ~Q(corrected_by=F("correction_approved_by"))
                ),
                name="a_correction_has_a_reason_and_two_people",
            ),
            models.CheckConstraint(
                condition=Q(shown_card="") | Q(shown_card__in=sorted(CARD_NUMBERS)),
                name="the_shown_card_is_a_card",
            ),
            models.CheckConstraint(
                condition=Q(bank_wager_cents__isnull=True) | Q(bank_wager_cents__gt=0),
                name="bank_wager_is_positive",
            ),
            models.CheckConstraint(
                condition=~Q(rotation=HOUSE_BANKS)
                | Q(
                    turn__isnull=True,
                    bank_seat__isnull=True,
                    bank_player__isnull=True,
                    bank_wager_cents__isnull=True,
                    schedule__isnull=True,
                    rake_cents=0,
                ),
                name="a_round_that_the_house_banks_has_no_bank_at_a_seat",
            ),
            models.CheckConstraint(
                condition=Q(rake_cents=0) | Q(rake_cents__gt=0, schedule__isnull=True, state="settled"),
                name="rake_of_a_settled_round_without_fees",
            ),
        ]
        indexes = [
            # The board counts by it alone: rounds of the shift, and those of the last hour.
            models.Index(
                fields=["shift", "table", "state", "corrects", "ended_at"], name="rounds_of_a_shift"
            ),
            # Found by what needs no value: SQLite takes a partial index for no condition on a bound parameter. `ended_at` is
            # in it too: without statistics, SQLite prefers whichever index matches more columns.
            models.Index(
                fields=["table", "ended_at"], condition=Q(ended_at__isnull=True), name="rounds_in_play"
            ),
            models.Index(fields=["table", "-id"], name="last_rounds_of_a_table"),
            models.Index(fields=["table", "opened_at"], name="rounds_of_a_time"),
        ]

    def __str__(self) -> str:
        revised = f", correction {self.revision}" if self.revision else ""
        return f"{self.table} round {self.number} of {day_text(self.gaming_day)}{revised}"

    @property
    def is_live(self) -> bool:
        """Whether the round is still in play."""
        return self.state in (self.State.BETTING, self.State.BETS_CLOSED)

    @property
    def house_banks(self) -> bool:
        """Whether the house banks the round: it has no seat at the bank, no turn and no wager of a bank."""
        return self.rotation == HOUSE_BANKS

    @property
    def rake(self) -> Rake | None:
        """The house rake in force as the round opened."""
        rake = self.options.get(OPTION)
        return Rake(**rake) if rake else None

    @property
    def book(self) -> Rulebook:
        """The rulebook that the round is played by, with the approval and what a filing says of seats and wagers."""
        return rulebook_with(self.rulebook, self.options)

    @property
    def terms(self) -> Terms:
        """The terms that the round is played on."""
        return terms_of(self.rulebook, self.options)

    @property
    def drop_cents(self) -> int:
        """What went into the drop box for the round, less what was given back: the round's own columns.

        The report adds it up a second time from the transfers and a third from the documents (`cardroom.reports.shift.tie_out`);
        the count of a box and the board read the transfers (`cardroom.drop.reads.expected`, `cardroom.floor.reads.board`).
        """
        return self.player_fees_cents + self.bank_fee_cents + self.rake_cents - self.refunded_cents

    @property
    def by_eye(self) -> bool:
        """Whether the round is settled by eye: nothing is recorded of it but wagers, fees and where the bank ran out."""
        return self.recording == Table.Recording.FEES

    @property
    def laid_in_order(self) -> list[Laid]:
        """All its wagers, those after the deal too, in the order in which they are settled."""
        first = self.bank_seat if self.action_seat is None else self.action_seat
        return wagers_in_order(self.bets, self.later_bets, self.book, first)


def is_current() -> NegatedExpression[Combinable]:
    """The condition on rounds that no correction has taken their place.

    A subquery, not a join on `correction`: for that SQLite would index all rounds there are, at every question.
    """
    return ~Exists(Round.objects.filter(corrects=OuterRef("pk")))
