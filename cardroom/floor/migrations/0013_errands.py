import django.db.models.deletion
from django.db import migrations, models

from cardroom.floor.append_only import errand_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0012_game_filings"),
        ("rooms", "0005_boxes_at_opening"),
    ]

    operations = [
        migrations.CreateModel(
            name="Errand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("shift_report", "make or restate the report of a shift")], max_length=20
                    ),
                ),
                (
                    "cause",
                    models.CharField(
                        choices=[
                            ("shift_closed", "the shift was closed"),
                            ("round_corrected", "a round of it was corrected later"),
                            ("drop_counted", "its drop is counted"),
                        ],
                        max_length=20,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("not_before", models.DateTimeField(help_text="When it is tried next.")),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("error", models.CharField(blank=True, max_length=500)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="errands", to="floor.shift"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("done_at__isnull", True)),
                        fields=["not_before"],
                        name="errands_to_do",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("done_at__isnull", True), ("done_at__gte", models.F("made_at")), _connector="OR"
                        ),
                        name="an_errand_is_done_after_it_was_made",
                    )
                ],
            },
        ),
        install_triggers(errand_triggers),
    ]
