import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from cardroom.floor.append_only import collection_triggers, floor_triggers
from fees.triggers import install_triggers, install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("fees", "0003_filed_is_final"),
        ("floor", "0009_rounds_in_play"),
        ("people", "0002_initial"),
        ("rooms", "0005_boxes_at_opening"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Waiver",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rule",
                    models.CharField(
                        help_text="Key of the published rule in the schedule's document.", max_length=40
                    ),
                ),
                ("title", models.CharField(max_length=80)),
                (
                    "covers",
                    models.CharField(
                        choices=[
                            ("player", "player"),
                            ("players", "players"),
                            ("bank", "bank"),
                            ("all", "all"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "seat",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="Where the rule covers one player.", null=True
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                ("made_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddField(
            model_name="round",
            name="jackpot_cents",
            field=models.BigIntegerField(default=0, help_text="Collected into the jackpot's own box."),
        ),
        migrations.AddField(
            model_name="round",
            name="jackpot_refunded_cents",
            field=models.BigIntegerField(
                default=0, help_text="Of that, given back because the round was voided."
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="waived_cents",
            field=models.BigIntegerField(
                default=0, help_text="Fees that would have been due, but for a published waiver."
            ),
        ),
        migrations.AddField(
            model_name="seating",
            name="time_paid_to",
            field=models.DateTimeField(
                blank=True,
                help_text="Where time is collected: no period that began by then is owed; empty: since sitting down.",
                null=True,
            ),
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
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="kind",
            field=models.CharField(
                choices=[
                    ("fee", "collection fee"),
                    ("fee_refund", "fee given back"),
                    ("take", "wager taken"),
                    ("pay", "wager paid"),
                    ("toke", "tip won"),
                    ("time", "time collection"),
                    ("jackpot", "jackpot collection"),
                    ("jackpot_refund", "jackpot collection given back"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="round",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="transfers",
                to="floor.round",
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="source",
            field=models.CharField(
                choices=[
                    ("seat", "player at a seat"),
                    ("bank", "player-dealer"),
                    ("drop", "drop box"),
                    ("tokes", "toke box"),
                    ("jackpot", "jackpot box"),
                    ("tray", "house tray"),
                    ("meter", "progressive meter"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="target",
            field=models.CharField(
                choices=[
                    ("seat", "player at a seat"),
                    ("bank", "player-dealer"),
                    ("drop", "drop box"),
                    ("tokes", "toke box"),
                    ("jackpot", "jackpot box"),
                    ("tray", "house tray"),
                    ("meter", "progressive meter"),
                ],
                max_length=8,
            ),
        ),
        migrations.CreateModel(
            name="TimeCollection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("schedule_version", models.PositiveIntegerField()),
                (
                    "period",
                    models.CharField(choices=[("half_hour", "half hour"), ("hour", "hour")], max_length=10),
                ),
                ("fee_cents", models.BigIntegerField(help_text="Of one seat for one period.")),
                ("fees", models.JSONField()),
                ("periods", models.IntegerField()),
                ("cents", models.BigIntegerField()),
                ("made_at", models.DateTimeField()),
                ("reason", models.CharField(blank=True, max_length=200)),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reverses",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversal",
                        to="floor.timecollection",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "schedule",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="fees.feeschedule"
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="time_collections",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="time_collections",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddField(
            model_name="transfer",
            name="time_collection",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="transfers",
                to="floor.timecollection",
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("round__isnull", False), ("time_collection__isnull", True)),
                    models.Q(("kind", "time"), ("round__isnull", True), ("time_collection__isnull", False)),
                    _connector="OR",
                ),
                name="a_transfer_is_of_a_round_or_of_time",
            ),
        ),
        migrations.AddField(
            model_name="waiver",
            name="ordered_by",
            field=models.ForeignKey(
                help_text="The supervisor.",
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="waiver",
            name="recorded_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="waiver",
            name="room",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
            ),
        ),
        migrations.AddField(
            model_name="waiver",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="waivers", to="floor.round"
            ),
        ),
        migrations.AddField(
            model_name="waiver",
            name="schedule",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="fees.feeschedule"
            ),
        ),
        migrations.AddField(
            model_name="waiver",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="waivers", to="floor.table"
            ),
        ),
        migrations.AddField(
            model_name="waiver",
            name="withdrawn_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="timecollection",
            index=models.Index(fields=["table", "-id"], name="time_of_a_table"),
        ),
        migrations.AddConstraint(
            model_name="timecollection",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("approved_by__isnull", True),
                        ("cents__gt", 0),
                        ("periods__gt", 0),
                        ("reason", ""),
                        ("reverses__isnull", True),
                    ),
                    models.Q(
                        ("approved_by__isnull", False),
                        ("cents__lt", 0),
                        ("periods__lt", 0),
                        ("reverses__isnull", False),
                        models.Q(("reason", ""), _negated=True),
                        models.Q(("approved_by", models.F("recorded_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="time_is_taken_back_for_a_reason_by_two",
            ),
        ),
        migrations.AddConstraint(
            model_name="waiver",
            constraint=models.UniqueConstraint(
                condition=models.Q(("seat__isnull", False), ("withdrawn_at__isnull", True)),
                fields=("round", "seat"),
                name="one_waiver_of_a_seat",
            ),
        ),
        migrations.AddConstraint(
            model_name="waiver",
            constraint=models.UniqueConstraint(
                condition=models.Q(("seat__isnull", True), ("withdrawn_at__isnull", True)),
                fields=("round", "rule"),
                name="one_waiver_of_a_rule",
            ),
        ),
        migrations.AddConstraint(
            model_name="waiver",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("covers", "player"), ("seat__isnull", False)),
                    models.Q(models.Q(("covers", "player"), _negated=True), ("seat__isnull", True)),
                    _connector="OR",
                ),
                name="a_waiver_of_one_fee_names_its_seat",
            ),
        ),
        migrations.AddConstraint(
            model_name="waiver",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="a_waiver_has_a_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="waiver",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("withdrawn_at__isnull", True), ("withdrawn_by__isnull", True)),
                    models.Q(("withdrawn_at__gte", models.F("made_at")), ("withdrawn_by__isnull", False)),
                    _connector="OR",
                ),
                name="a_waiver_is_withdrawn_by_someone_later",
            ),
        ),
        install_triggers(collection_triggers),
        install_triggers_again(floor_triggers),
    ]
