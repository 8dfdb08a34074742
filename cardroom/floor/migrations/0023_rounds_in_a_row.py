"""A turn keeps the rounds in a row that it began with, and an answer to an offer is its player's, not its seat's."""

from django.db import migrations, models

from cardroom.floor.append_only import floor_triggers
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0022_clock_back"),
    ]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="rounds_before",
            field=models.PositiveIntegerField(
                default=0,
                help_text="Settled rounds in a row of the same player's earlier turns at the table; 0: the count began anew.",
            ),
        ),
        migrations.RemoveConstraint(model_name="offer", name="one_answer_a_seat_a_cycle"),
        migrations.AddConstraint(
            model_name="offer",
            constraint=models.UniqueConstraint(
                fields=["table", "cycle", "attempt", "player"], name="one_answer_a_player_a_cycle"
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="offers_start_after",
            field=models.PositiveSmallIntegerField(
                null=True,
                blank=True,
                editable=False,
                help_text="Seat of the last bank, after which offers go round; none: seat 1 is first.",
            ),
        ),
        install_triggers_again(floor_triggers),
    ]
