import django.db.models.deletion
from django.db import migrations, models

from cardroom.reports.append_only import roll_up_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0016_roll_ups"),
        ("reports", "0003_restatements"),
        ("rooms", "0006_retention"),
    ]

    operations = [
        migrations.CreateModel(
            name="RollUp",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "revision",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="0 as made first; one more a restatement."
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("figures", models.JSONField()),
                ("sections", models.JSONField(default=list)),
                ("changes", models.JSONField(default=list)),
                ("inputs_hash", models.CharField(max_length=64)),
                ("content_hash", models.CharField(default="", max_length=64)),
                ("heads", models.JSONField()),
                ("kind", models.CharField(choices=[("day", "day"), ("month", "month")], max_length=5)),
                ("first", models.DateField(help_text="The gaming day, or the first one of the month.")),
                (
                    "restates",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="restatement",
                        to="reports.rollup",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="roll_ups", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-id"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("room", "kind", "first", "revision"), name="one_roll_up_of_a_revision"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("restates__isnull", True), ("revision", 0)),
                            models.Q(("restates__isnull", False), ("revision__gt", 0)),
                            _connector="OR",
                        ),
                        name="a_restated_roll_up_names_what_it_restates",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind", "day"), models.Q(("first__day", 1), ("kind", "month")), _connector="OR"
                        ),
                        name="a_month_is_rolled_up_from_its_first_day",
                    ),
                ],
            },
        ),
        install_triggers(roll_up_triggers),
    ]
