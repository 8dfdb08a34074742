import django.db.models.deletion
from django.db import migrations, models

from cardroom.reports.append_only import reports_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("floor", "0003_append_only"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="ShiftReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("figures", models.JSONField()),
                ("inputs_hash", models.CharField(max_length=64)),
                ("heads", models.JSONField()),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shift_reports",
                        to="rooms.room",
                    ),
                ),
                (
                    "shift",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="report",
                        to="floor.shift",
                    ),
                ),
            ],
            options={"ordering": ["-made_at", "-id"]},
        ),
        install_triggers(reports_triggers),
    ]
