"""The rooms, as 0001 to 0007 make them, for a database that has none of those."""

import datetime

import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import simple_history.models
from django.conf import settings
from django.db import migrations, models

import cardroom.rooms.models


class Migration(migrations.Migration):
    replaces = [
        ("rooms", "0001_initial"),
        ("rooms", "0002_alert_minutes"),
        ("rooms", "0003_progressive"),
        ("rooms", "0004_variance_threshold"),
        ("rooms", "0005_boxes_at_opening"),
        ("rooms", "0006_retention"),
        ("rooms", "0007_variance_hours"),
    ]

    initial = True

    dependencies = [
        ("people", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="HistoricalRoom",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                ("name", models.CharField(db_index=True, max_length=120)),
                (
                    "code",
                    models.SlugField(help_text="Short name used in addresses and file names.", max_length=40),
                ),
                (
                    "licence_number",
                    models.CharField(
                        blank=True, help_text="State gambling licence of the establishment.", max_length=40
                    ),
                ),
                (
                    "time_zone",
                    models.CharField(
                        default="America/Los_Angeles",
                        max_length=64,
                        validators=[cardroom.rooms.models.validate_time_zone],
                    ),
                ),
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
                        help_text="A drop box whose count differs from what is expected by more cents than this must be explained.",
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
                    "boxes_at_opening",
                    models.BooleanField(
                        default=False,
                        help_text="Whether opening a shift puts a drop box on every table that has none.",
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
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
                    ),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "historical room",
                "verbose_name_plural": "historical rooms",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
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
                    "time_zone",
                    models.CharField(
                        default="America/Los_Angeles",
                        max_length=64,
                        validators=[cardroom.rooms.models.validate_time_zone],
                    ),
                ),
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
                        help_text="A drop box whose count differs from what is expected by more cents than this must be explained.",
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
                    "boxes_at_opening",
                    models.BooleanField(
                        default=False,
                        help_text="Whether opening a shift puts a drop box on every table that has none.",
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
