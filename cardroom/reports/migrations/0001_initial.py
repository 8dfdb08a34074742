import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("floor", "0001_initial"),
        ("people", "__first__"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("entries", models.PositiveBigIntegerField(help_text="Entries of the journal up to here.")),
                ("heads", models.JSONField()),
                ("last", models.JSONField()),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="SignedCheckpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="From 1 in each room, without gaps.")),
                ("made_at", models.DateTimeField()),
                ("gaming_day", models.DateField()),
                (
                    "cause",
                    models.CharField(
                        choices=[("hour", "an hour has passed"), ("shift", "a shift was closed")],
                        max_length=5,
                    ),
                ),
                ("document", models.TextField()),
                ("hash", models.CharField(max_length=64)),
                ("signature", models.CharField(max_length=128)),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signed_checkpoints",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("room", "number"), name="one_signed_checkpoint_of_a_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("shift_report", "shift reports"),
                            ("day_report", "reports of gaming days"),
                            ("month_report", "reports of months"),
                            ("variance", "variances that nobody explained in time"),
                            ("checkpoint", "signed checkpoints"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "address",
                    models.EmailField(
                        blank=True, help_text="Where it is nobody of the staff.", max_length=254
                    ),
                ),
                (
                    "restatements",
                    models.BooleanField(
                        default=True,
                        help_text="Whether a report that takes the place of another is sent too.",
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="subscriptions",
                        to="rooms.room",
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("address", ""), ("staff__isnull", False)),
                            models.Q(("staff__isnull", True), models.Q(("address", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="a_subscription_has_one_reader",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True), ("staff__isnull", False)),
                        fields=("room", "what", "staff"),
                        name="one_subscription_of_a_person",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True), ("staff__isnull", True)),
                        fields=("room", "what", "address"),
                        name="one_subscription_of_an_address",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("ended_by__isnull", True)),
                            models.Q(("ended_at__gte", models.F("made_at")), ("ended_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_subscription_is_ended_by_someone_later",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TimeStamp",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("service", models.CharField(help_text="Address of the authority.", max_length=200)),
                ("stamped_at", models.DateTimeField()),
                ("token", models.TextField()),
                (
                    "checkpoint",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="time_stamp",
                        to="reports.signedcheckpoint",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="PeriodReport",
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
                ("sections", models.JSONField(default=dict)),
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
                        to="reports.periodreport",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="period_reports",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-id"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("room", "kind", "first", "revision"), name="one_period_report_of_a_revision"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("restates__isnull", True), ("revision", 0)),
                            models.Q(("restates__isnull", False), ("revision__gt", 0)),
                            _connector="OR",
                        ),
                        name="a_restated_period_report_names_what_it_restates",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind", "day"), models.Q(("first__day", 1), ("kind", "month")), _connector="OR"
                        ),
                        name="a_month_begins_on_its_first_day",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ShiftReport",
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
                ("sections", models.JSONField(default=dict)),
                ("changes", models.JSONField(default=list)),
                ("inputs_hash", models.CharField(max_length=64)),
                ("content_hash", models.CharField(default="", max_length=64)),
                ("heads", models.JSONField()),
                (
                    "restates",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="restatement",
                        to="reports.shiftreport",
                    ),
                ),
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
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="floor.shift"
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-id"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("shift", "revision"), name="one_report_of_a_revision"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("restates__isnull", True), ("revision", 0)),
                            models.Q(("restates__isnull", False), ("revision__gt", 0)),
                            _connector="OR",
                        ),
                        name="a_restatement_names_what_it_restates",
                    ),
                ],
            },
        ),
    ]
