"""A table may collect without a drop box at a supervisor's word; an alert says that it has none."""

from django.conf import settings
from django.db import migrations, models

import cardroom.packed.fields
from cardroom.floor.append_only import alert_triggers, conduct_triggers
from cardroom.floor.models.codes import PROCEDURES
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0024_rounds_on_file"),
        ("rooms", "0001_squashed"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="procedure",
            name="a_supervisor_orders_for_a_reason",
        ),
        migrations.AlterField(
            model_name="alert",
            name="kind",
            field=models.CharField(
                choices=[
                    ("rotation_due", "bank to be offered"),
                    ("rotation_broken", "rotation broken"),
                    ("bank_exhausted", "bank exhausted"),
                    ("stub_count_due", "stub count due"),
                    ("meter_win_pending", "progressive win to confirm"),
                    ("table_idle", "players without a round"),
                    ("time_due", "time to be collected"),
                    ("sync_lost", "screen without a line"),
                    ("variance_overdue", "variance not explained"),
                    ("clock_back", "server clock set back"),
                    ("no_drop_box", "no drop box"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="procedure",
            name="kind",
            field=cardroom.packed.fields.WordField(
                choices=[
                    ("inspected", "deck looked over"),
                    ("idle_ended", "first player came to an idle table"),
                    ("deck_chosen", "deck dealt out of turn"),
                    ("dealt", "round dealt"),
                    ("fees_dropped", "fees dropped"),
                    ("bank_card", "card of the bank turned up"),
                    ("recut", "recut"),
                    ("stub_count", "stub counted"),
                    ("device_count", "wrong deck reported by the shuffler"),
                    ("count_waived", "round let go without a count"),
                    ("irregularity", "irregularity"),
                    ("withdrawn", "irregularity withdrawn"),
                    ("box_waived", "table let collect without a drop box"),
                ],
                codes=PROCEDURES,
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="procedure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind__in", ["recut", "count_waived", "withdrawn", "box_waived"]), _negated=True
                    ),
                    models.Q(("ordered_by__isnull", False), models.Q(("reason", ""), _negated=True)),
                    _connector="OR",
                ),
                name="a_supervisor_orders_for_a_reason",
            ),
        ),
        # SQLite has made the tables anew, and their triggers went with the old ones.
        install_triggers_again(alert_triggers),
        install_triggers_again(conduct_triggers),
    ]
