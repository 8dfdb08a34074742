import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import cardroom.packed.fields
from cardroom.reports.append_only import long_report_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0020_instants"),
        ("people", "0003_support_staff"),
        ("reports", "0006_begun"),
        ("rooms", "0007_variance_hours"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LongReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first", models.DateField(help_text="First gaming day.")),
                ("last", models.DateField(help_text="Last gaming day, included.")),
                ("asked_at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("finished", "finished"),
                            ("failed", "failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("total", models.PositiveIntegerField(default=0, help_text="Rounds to be computed.")),
                ("done", models.PositiveIntegerField(default=0)),
                ("says", models.CharField(blank=True, help_text="Why it failed.", max_length=200)),
                (
                    "begun",
                    models.PositiveSmallIntegerField(default=0, help_text="How often a worker has begun it."),
                ),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("told_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("report", models.CharField(max_length=40)),
                ("options", models.JSONField(default=dict)),
                ("question", models.CharField(max_length=400)),
                ("paper", cardroom.packed.fields.PackedJSONField(blank=True, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "provider",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.provider",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="long_reports",
                        to="rooms.room",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["room", "question"], name="long_reports_by_question")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["waiting", "running"])),
                        fields=("room", "question"),
                        name="one_long_report_of_a_question",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("state__in", ["waiting", "running"])),
                            models.Q(("ended_at__isnull", False), ("state__in", ["finished", "failed"])),
                            _connector="OR",
                        ),
                        name="a_long_report_ends_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("last__gte", models.F("first"))),
                        name="a_long_report_has_its_days_in_order",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("paper__isnull", False), ("state", "finished")),
                            models.Q(models.Q(("state", "finished"), _negated=True), ("paper__isnull", True)),
                            _connector="OR",
                        ),
                        name="a_finished_long_report_has_its_paper",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("provider__isnull", False), ("report", "statement")),
                            models.Q(
                                models.Q(("report", "statement"), _negated=True), ("provider__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="a_long_statement_names_its_provider",
                    ),
                ],
            },
        ),
        install_triggers(long_report_triggers),
    ]
