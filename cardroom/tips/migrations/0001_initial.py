import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("floor", "0001_initial"),
        ("rooms", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PoolRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("title", models.CharField(max_length=80)),
                (
                    "sharing",
                    models.CharField(
                        choices=[
                            ("keep", "every dealer keeps their own"),
                            ("hours", "dealers pool by hours worked"),
                        ],
                        max_length=8,
                    ),
                ),
                ("break_minutes", models.PositiveSmallIntegerField(default=0)),
                (
                    "support",
                    models.CharField(
                        choices=[
                            ("none", "nothing"),
                            ("share", "a share of the pool, by hours"),
                            ("hourly", "a sum an hour"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "support_bp",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Basis points of the pool: the share, or the most that the hourly sums may take.",
                    ),
                ),
                ("support_hourly_cents", models.PositiveIntegerField(default=0)),
                ("support_roles", models.JSONField(blank=True, default=list)),
                ("effective_from", models.DateField(help_text="First gaming day in force.")),
                ("made_at", models.DateTimeField()),
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
                        related_name="pool_rules",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "ordering": ["room", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("room", "number"), name="one_pool_rule_of_a_number"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("support", "none"), ("support_bp", 0), ("support_hourly_cents", 0)),
                            models.Q(
                                ("support", "share"),
                                ("support_bp__range", (1, 10000)),
                                ("support_hourly_cents", 0),
                            ),
                            models.Q(
                                ("support", "hourly"),
                                ("support_bp__range", (1, 10000)),
                                ("support_hourly_cents__gt", 0),
                            ),
                            _connector="OR",
                        ),
                        name="support_staff_get_what_the_rule_says",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("sharing__in", ["keep", "hours"])), name="dealers_keep_or_pool"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PoolSheet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("total_cents", models.BigIntegerField()),
                ("body", models.JSONField()),
                ("hash", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField()),
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
                        related_name="pool_sheets",
                        to="rooms.room",
                    ),
                ),
                (
                    "rule",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sheets",
                        to="tips.poolrule",
                    ),
                ),
                (
                    "shift",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pool_sheet",
                        to="floor.shift",
                    ),
                ),
            ],
            options={
                "ordering": ["-shift"],
            },
        ),
        migrations.CreateModel(
            name="WorkedHours",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("work", models.CharField(help_text="As what: chip runner, host.", max_length=60)),
                ("minutes", models.IntegerField()),
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
                    "made_by",
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
                        to="tips.workedhours",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="worked_hours",
                        to="floor.shift",
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "worked hours",
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("approved_by__isnull", True),
                                ("minutes__gt", 0),
                                ("reason", ""),
                                ("reverses__isnull", True),
                                models.Q(("staff", models.F("made_by")), _negated=True),
                            ),
                            models.Q(
                                ("approved_by__isnull", False),
                                ("minutes__lt", 0),
                                ("reverses__isnull", False),
                                models.Q(("reason", ""), _negated=True),
                                models.Q(("made_by", models.F("approved_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="nobody_enters_their_own_hours",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="HandIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                    "dealer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "down",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="floor.down",
                    ),
                ),
                (
                    "received_by",
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
                        to="tips.handin",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="hand_ins", to="floor.shift"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "hand-ins",
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("approved_by__isnull", True),
                                ("cents__gt", 0),
                                ("reason", ""),
                                ("reverses__isnull", True),
                                models.Q(("dealer", models.F("received_by")), _negated=True),
                            ),
                            models.Q(
                                ("approved_by__isnull", False),
                                ("cents__lt", 0),
                                ("reverses__isnull", False),
                                models.Q(("reason", ""), _negated=True),
                                models.Q(("received_by", models.F("approved_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_hand_in_has_two_people",
                    )
                ],
            },
        ),
    ]
