import datetime

import django.core.validators
import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Room",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120, unique=True)),
                (
                    "code",
                    models.SlugField(
                        help_text="Short name used in addresses and file names.", max_length=40, unique=True
                    ),
                ),
                (
                    "licence_number",
                    models.CharField(
                        blank=True, help_text="State gambling licence of the establishment.", max_length=40
                    ),
                ),
                (
                    "jurisdiction",
                    models.CharField(
                        default="california",
                        help_text="Whose rules the room plays by: it says which rulebooks may be filed and played here.",
                        max_length=40,
                    ),
                ),
                ("time_zone", models.CharField(default="America/Los_Angeles", max_length=64)),
                (
                    "gaming_day_starts",
                    models.TimeField(
                        default=datetime.time(6, 0), help_text="Local time at which a gaming day begins."
                    ),
                ),
                (
                    "fees_on_void",
                    models.CharField(
                        choices=[("refund", "refund the fees"), ("keep", "keep the fees")],
                        default="refund",
                        help_text="Fees of a round voided after the deal. A void before the deal always refunds them.",
                        max_length=10,
                    ),
                ),
                (
                    "idle_minutes",
                    models.PositiveSmallIntegerField(
                        default=15,
                        help_text="Minutes that players may sit without a round before the floor is told.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "offer_minutes",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="Minutes that the bank may stand to be offered before the floor is told.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "progressive_unit_cents",
                    models.PositiveIntegerField(
                        default=100,
                        help_text="One progressive wager in cents; no other amount is taken (ruling 43).",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "meter_contribution_cents",
                    models.PositiveIntegerField(
                        default=0, help_text="What each progressive wager adds to the meter, in cents."
                    ),
                ),
                (
                    "meter_reserve_cents",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="What each adds to the reserve, with which the next meter starts.",
                    ),
                ),
                (
                    "variance_threshold_cents",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="A drop box or tray whose count differs from what is expected by more cents than this must be explained.",
                    ),
                ),
                (
                    "variance_hours",
                    models.PositiveSmallIntegerField(
                        default=24,
                        help_text="Hours within which a variance of the drop must be explained before it is escalated.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "item_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="Days after which an exception that is not closed is old, and the floor is told.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "answer_days",
                    models.PositiveSmallIntegerField(
                        default=14,
                        help_text="Days within which the room answers a player's claim.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "records_shown_card",
                    models.BooleanField(
                        default=True,
                        help_text="Whether the table asks for the card that the bank shows, where the rules turn one up.",
                    ),
                ),
                (
                    "boxes_at_opening",
                    models.BooleanField(
                        default=False,
                        help_text="Whether opening a shift puts a drop box on every table that has none.",
                    ),
                ),
                (
                    "reliefs_sign",
                    models.BooleanField(
                        default=False,
                        help_text="Whether each relief of a push confirms with their PIN at the table; else a push relieves all at once.",
                    ),
                ),
                (
                    "hold_choices",
                    models.CharField(
                        default="5 10 20",
                        help_text="Minutes for which a seat is held by one touch: one to four numbers with blanks between.",
                        max_length=40,
                    ),
                ),
                (
                    "account_numbers",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Numbers of the accounts of a day's journal: cash = 1010, boxes = 1015.",
                        max_length=800,
                    ),
                ),
                (
                    "call_minutes",
                    models.PositiveSmallIntegerField(
                        default=10,
                        help_text="Minutes after which a call of the waiting list is marked.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "chips",
                    models.CharField(
                        default="1 5 25 100",
                        help_text="Chips on the keypads of the tables, in dollars: one to six amounts with blanks between.",
                        max_length=80,
                    ),
                ),
                (
                    "retention_years",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="Years for which records are kept at least: 7 or more (4 CCR 12312(a)).",
                        validators=[django.core.validators.MinValueValidator(7)],
                    ),
                ),
                (
                    "checkpoint_directory",
                    models.CharField(
                        blank=True,
                        help_text="Directory of the server into which each signed checkpoint is written, such as a mounted share.",
                        max_length=200,
                    ),
                ),
                (
                    "checkpoint_witness",
                    models.CharField(
                        blank=True,
                        help_text="https address of a witness to whom each signed checkpoint is sent.",
                        max_length=200,
                    ),
                ),
                ("version", models.PositiveBigIntegerField(default=0, editable=False)),
                ("chain_seq", models.PositiveBigIntegerField(default=0, editable=False)),
                ("chain_hash", models.CharField(blank=True, default="", editable=False, max_length=64)),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("progressive_unit_cents__gt", 0),
                            (
                                "progressive_unit_cents__gte",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("meter_contribution_cents"), "+", models.F("meter_reserve_cents")
                                ),
                            ),
                        ),
                        name="a_progressive_wager_adds_no_more_than_itself",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("retention_years__gte", 7)),
                        name="records_are_kept_for_seven_years",
                        violation_error_message="Records are kept for 7 years at least.",
                    ),
                ],
            },
        ),
    ]
