import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from cardroom.floor.append_only import floor_triggers, withdrawal_triggers
from fees.triggers import install_triggers, install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("fees", "0003_filed_is_final"),
        ("floor", "0007_procedures"),
        ("people", "0002_initial"),
        ("rooms", "0002_alert_minutes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Withdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("withdrawn_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="offer",
            name="one_answer_a_seat_a_cycle",
        ),
        migrations.RemoveConstraint(
            model_name="offer",
            name="one_accepted_offer_a_cycle",
        ),
        migrations.RemoveConstraint(
            model_name="round",
            name="one_round_of_a_number_a_day",
        ),
        migrations.RemoveConstraint(
            model_name="round",
            name="a_settled_round_has_its_sheet",
        ),
        migrations.RemoveIndex(
            model_name="transfer",
            name="transfers_of_a_shift",
        ),
        migrations.AddField(
            model_name="historicaltable",
            name="recording",
            field=models.CharField(
                choices=[
                    ("cards", "everything: wagers, cards and decisions"),
                    ("fees", "wagers and fees alone: the room settles by eye"),
                ],
                default="cards",
                help_text="How much of a round is recorded here.",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="offer",
            name="attempt",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="Answers of this run that had been withdrawn before this one was given."
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="corrected_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="round",
            name="corrected_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="correction_approved_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="correction_reason",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="round",
            name="corrects",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="correction",
                to="floor.round",
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="recording",
            field=models.CharField(
                choices=[
                    ("cards", "everything: wagers, cards and decisions"),
                    ("fees", "wagers and fees alone: the room settles by eye"),
                ],
                default="cards",
                help_text="How much the table recorded as the round opened.",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="revision",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="0 as it was recorded first; one more with every correction."
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="recording",
            field=models.CharField(
                choices=[
                    ("cards", "everything: wagers, cards and decisions"),
                    ("fees", "wagers and fees alone: the room settles by eye"),
                ],
                default="cards",
                help_text="How much of a round is recorded here.",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="transfer",
            name="reverses",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reversal",
                to="floor.transfer",
            ),
        ),
        migrations.AlterField(
            model_name="turn",
            name="ended_why",
            field=models.CharField(
                blank=True,
                choices=[
                    ("passed", "the bank was accepted by another player"),
                    ("renewed", "everybody declined; the same player began a new turn"),
                    ("left", "the player gave up the bank"),
                    ("closed", "the table closed"),
                    ("mistake", "the answer that began it was recorded by mistake"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddIndex(
            model_name="transfer",
            index=models.Index(
                fields=["shift", "table", "kind", "target", "cents"], name="transfers_of_a_shift"
            ),
        ),
        migrations.AddConstraint(
            model_name="offer",
            constraint=models.UniqueConstraint(
                fields=("table", "cycle", "attempt", "seat"), name="one_answer_a_seat_a_cycle"
            ),
        ),
        migrations.AddConstraint(
            model_name="offer",
            constraint=models.UniqueConstraint(
                condition=models.Q(("answer", "accepted")),
                fields=("table", "cycle", "attempt"),
                name="one_accepted_offer_a_cycle",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(
                fields=("table", "gaming_day", "number", "revision"), name="one_round_of_a_number_a_day"
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("recording", "cards"),
                        ("settlement__isnull", False),
                        ("sheet__isnull", False),
                        ("state", "settled"),
                    ),
                    models.Q(
                        ("exhausted", False),
                        ("paid_cents", 0),
                        ("recording", "fees"),
                        ("settlement__isnull", True),
                        ("sheet__isnull", True),
                        ("state", "settled"),
                        ("taken_cents", 0),
                        ("tokes_cents", 0),
                        ("uncovered_cents", 0),
                    ),
                    models.Q(
                        models.Q(("state", "settled"), _negated=True),
                        ("settlement__isnull", True),
                        ("sheet__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="a_settled_round_has_its_sheet",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("corrected_at__isnull", True),
                        ("corrected_by__isnull", True),
                        ("correction_approved_by__isnull", True),
                        ("correction_reason", ""),
                        ("corrects__isnull", True),
                        ("revision", 0),
                    ),
                    models.Q(
                        ("corrected_at__isnull", False),
                        ("corrected_by__isnull", False),
                        ("correction_approved_by__isnull", False),
                        ("corrects__isnull", False),
                        ("revision__gt", 0),
                        ("state", "settled"),
                        models.Q(("correction_reason", ""), _negated=True),
                        models.Q(("corrected_by", models.F("correction_approved_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="a_correction_has_a_reason_and_two_people",
            ),
        ),
        migrations.AddField(
            model_name="withdrawal",
            name="offer",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="withdrawal", to="floor.offer"
            ),
        ),
        migrations.AddField(
            model_name="withdrawal",
            name="room",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
            ),
        ),
        migrations.AddField(
            model_name="withdrawal",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="withdrawals", to="floor.table"
            ),
        ),
        migrations.AddField(
            model_name="withdrawal",
            name="withdrawn_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        install_triggers(withdrawal_triggers),
        install_triggers_again(floor_triggers),
    ]
