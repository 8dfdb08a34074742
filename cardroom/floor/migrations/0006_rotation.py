import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from cardroom.floor.append_only import floor_triggers, pause_triggers
from fees.triggers import install_triggers, install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("fees", "0003_filed_is_final"),
        ("floor", "0005_board_indexes"),
        ("people", "0002_initial"),
        ("rooms", "0002_alert_minutes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Pause",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "cycle",
                    models.PositiveBigIntegerField(help_text="The run of offers that nobody accepted."),
                ),
                ("minutes", models.PositiveSmallIntegerField()),
                ("began_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddField(
            model_name="historicaltable",
            name="rotation",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Id of the profile by which the bank rotates here; empty: the rulebook's.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="rotation",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Profile by which the bank rotated as it opened; empty: not recorded, the rulebook's.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="opened_at",
            field=models.DateTimeField(
                blank=True, editable=False, help_text="When it opened last: the game began then.", null=True
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="rotation",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Id of the profile by which the bank rotates here; empty: the rulebook's.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="turn",
            name="rotation",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Profile by which the bank rotated as it began; empty: not recorded, the rulebook's.",
                max_length=40,
            ),
        ),
        migrations.AddIndex(
            model_name="offer",
            index=models.Index(fields=["table", "answered_at"], name="offers_of_a_time"),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(fields=["table", "opened_at"], name="rounds_of_a_time"),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(fields=["table", "began_at"], name="turns_of_a_time"),
        ),
        migrations.AddField(
            model_name="pause",
            name="after_turn",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="pauses_after", to="floor.turn"
            ),
        ),
        migrations.AddField(
            model_name="pause",
            name="recorded_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="pause",
            name="room",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
            ),
        ),
        migrations.AddField(
            model_name="pause",
            name="shift",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="pauses", to="floor.shift"
            ),
        ),
        migrations.AddField(
            model_name="pause",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="pauses", to="floor.table"
            ),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.UniqueConstraint(fields=("table", "cycle"), name="one_pause_a_cycle"),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.CheckConstraint(condition=models.Q(("minutes__gt", 0)), name="a_pause_lasts"),
        ),
        install_triggers(pause_triggers),
        install_triggers_again(floor_triggers),
    ]
