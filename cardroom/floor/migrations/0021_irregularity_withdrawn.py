"""An irregularity that was entered by mistake may be withdrawn: a row of its own that names it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import cardroom.packed.fields
from cardroom.floor.append_only import conduct_triggers
from cardroom.floor.models.codes import PROCEDURES
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0020_instants"),
        ("rooms", "0001_squashed"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="procedure",
            name="a_supervisor_orders_for_a_reason",
        ),
        migrations.AddField(
            model_name="procedure",
            name="withdraws",
            field=cardroom.packed.fields.ShortKey(
                blank=True,
                db_index=False,
                help_text="The irregularity that was entered by mistake.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="withdrawals",
                to="floor.procedure",
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
                ],
                codes=PROCEDURES,
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="procedure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["recut", "count_waived", "withdrawn"]), _negated=True),
                    models.Q(("ordered_by__isnull", False), models.Q(("reason", ""), _negated=True)),
                    _connector="OR",
                ),
                name="a_supervisor_orders_for_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="procedure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "withdrawn"), ("round__isnull", False), ("withdraws__isnull", False)),
                    models.Q(models.Q(("kind", "withdrawn"), _negated=True), ("withdraws__isnull", True)),
                    _connector="OR",
                ),
                name="a_withdrawal_names_its_irregularity",
            ),
        ),
        migrations.AddConstraint(
            model_name="procedure",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdraws__isnull", False)),
                fields=("withdraws",),
                name="an_irregularity_is_withdrawn_once",
            ),
        ),
        # SQLite has made the table anew, and its triggers went with the old one.
        install_triggers_again(conduct_triggers),
    ]
