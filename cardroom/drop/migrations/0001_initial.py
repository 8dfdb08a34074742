import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("floor", "0001_initial"),
        ("people", "__first__"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="CountSheet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("first", "first count"),
                            ("second", "second count"),
                            ("recount", "recount"),
                            ("correction", "correction"),
                        ],
                        max_length=12,
                    ),
                ),
                ("pieces", models.JSONField()),
                ("total_cents", models.BigIntegerField()),
                ("made_at", models.DateTimeField()),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("salt", models.CharField(max_length=64)),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "box",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sheets", to="floor.dropbox"
                    ),
                ),
                (
                    "corrects",
                    models.OneToOneField(
                        blank=True,
                        help_text="The sheet whose figure this one strikes through.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrected_by",
                        to="drop.countsheet",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["box", "seq"],
                "constraints": [
                    models.UniqueConstraint(fields=("box", "seq"), name="one_sheet_at_a_place"),
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "correction"), _negated=True),
                        fields=("box", "made_by"),
                        name="nobody_counts_a_box_twice",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("total_cents__gte", 0)), name="a_count_is_not_negative"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "first"), ("seq", 1)),
                            models.Q(("kind", "second"), ("seq", 2)),
                            models.Q(("kind", "recount"), ("seq", 3)),
                            models.Q(("kind", "correction"), ("seq__gte", 3)),
                            _connector="OR",
                        ),
                        name="sheets_come_in_their_order",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("approved_by__isnull", False),
                                ("corrects__isnull", False),
                                ("kind", "correction"),
                                models.Q(("reason", ""), _negated=True),
                                models.Q(("made_by", models.F("approved_by")), _negated=True),
                            ),
                            models.Q(
                                models.Q(("kind", "correction"), _negated=True),
                                ("approved_by__isnull", True),
                                ("corrects__isnull", True),
                                ("reason", ""),
                            ),
                            _connector="OR",
                        ),
                        name="a_corrected_count_has_a_reason_and_two_people",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="VarianceCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("expected_cents", models.BigIntegerField()),
                ("counted_cents", models.BigIntegerField()),
                ("threshold_cents", models.PositiveIntegerField()),
                ("disputed", models.BooleanField()),
                ("is_over", models.BooleanField()),
                ("made_at", models.DateTimeField()),
                (
                    "box",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="variance_checks",
                        to="floor.dropbox",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="drop.countsheet"
                    ),
                ),
            ],
            options={
                "ordering": ["box", "id"],
                "indexes": [models.Index(fields=["room", "is_over"], name="variance_checks_of_a_room")],
            },
        ),
        migrations.CreateModel(
            name="VarianceNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveSmallIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "open"), ("explained", "explained"), ("escalated", "escalated")],
                        max_length=10,
                    ),
                ),
                ("text", models.CharField(blank=True, max_length=500)),
                ("made_at", models.DateTimeField()),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "variance_check",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notes",
                        to="drop.variancecheck",
                    ),
                ),
            ],
            options={
                "ordering": ["variance_check", "seq"],
                "constraints": [
                    models.UniqueConstraint(fields=("variance_check", "seq"), name="one_note_at_a_place"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status", "open"), models.Q(("text", ""), _negated=True), _connector="OR"
                        ),
                        name="an_answer_to_a_variance_says_something",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("owner__isnull", False), ("status", "escalated"), _connector="OR"
                        ),
                        name="only_what_was_escalated_has_no_owner",
                    ),
                ],
            },
        ),
    ]
