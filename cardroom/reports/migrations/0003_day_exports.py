import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reports", "0002_piece_scratch"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="DayExport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("gaming_day", models.DateField()),
                (
                    "version",
                    models.PositiveIntegerField(help_text="From 1 for each gaming day, higher ones later."),
                ),
                ("made_at", models.DateTimeField()),
                (
                    "schema",
                    models.PositiveSmallIntegerField(help_text="Schema of the files (docs/parquet.md)."),
                ),
                ("manifest", models.TextField()),
                ("manifest_hash", models.CharField(max_length=64)),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="day_exports",
                        to="reports.periodreport",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="day_exports",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "ordering": ["-gaming_day", "-version"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("room", "gaming_day", "version"), name="one_export_of_a_version"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gt", 0)), name="versions_of_an_export_begin_with_one"
                    ),
                ],
            },
        ),
    ]
