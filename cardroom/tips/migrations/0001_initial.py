import django.db.models.deletion
import django.utils.timezone
import simple_history.models
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
            name="HistoricalPoolRule",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                (
                    "number",
                    models.PositiveSmallIntegerField(help_text="The number of what is filed, in this room."),
                ),
                ("version", models.PositiveSmallIntegerField(editable=False)),
                ("title", models.CharField(max_length=80)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("filed", "filed"),
                            ("superseded", "superseded"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="draft",
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("effective_from", models.DateField(blank=True, help_text="First day in force.", null=True)),
                (
                    "effective_to",
                    models.DateField(
                        blank=True,
                        editable=False,
                        help_text="First day no longer in force; empty: until further notice.",
                        null=True,
                    ),
                ),
                ("filed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "revision",
                    models.PositiveIntegerField(
                        default=1,
                        editable=False,
                        help_text="Counts what the draft has said: each edit is the next.",
                    ),
                ),
                ("history_change_reason", models.CharField(max_length=200, null=True)),
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
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
                    ),
                ),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        help_text="The second person who signed the filing; empty: filed by one, or as a room was set up.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        help_text="Who drafted it or edited it last, and so may not sign its filing.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "filed_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical pool rule",
                "verbose_name_plural": "historical pool rules",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="PoolRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveSmallIntegerField(help_text="The number of what is filed, in this room."),
                ),
                ("version", models.PositiveSmallIntegerField(editable=False)),
                ("title", models.CharField(max_length=80)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("filed", "filed"),
                            ("superseded", "superseded"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="draft",
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("effective_from", models.DateField(blank=True, help_text="First day in force.", null=True)),
                (
                    "effective_to",
                    models.DateField(
                        blank=True,
                        editable=False,
                        help_text="First day no longer in force; empty: until further notice.",
                        null=True,
                    ),
                ),
                ("filed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "revision",
                    models.PositiveIntegerField(
                        default=1,
                        editable=False,
                        help_text="Counts what the draft has said: each edit is the next.",
                    ),
                ),
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
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        help_text="The second person who signed the filing; empty: filed by one, or as a room was set up.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        help_text="Who drafted it or edited it last, and so may not sign its filing.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "filed_by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="%(class)s_versions",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "ordering": ["room", "number", "-version"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("room", "number", "version"), name="one_poolrule_of_a_version"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "draft")),
                        fields=("room", "number"),
                        name="one_draft_of_a_poolrule",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "filed")),
                        fields=("room", "number"),
                        name="one_filed_version_of_a_poolrule",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("filed_at__isnull", True), ("filed_by__isnull", True), ("status", "draft")
                            ),
                            models.Q(
                                ("effective_from__isnull", False),
                                ("filed_at__isnull", False),
                                ("filed_by__isnull", False),
                                ("status__in", ["filed", "superseded", "withdrawn"]),
                            ),
                            _connector="OR",
                        ),
                        name="a_filed_poolrule_says_when_and_by_whom",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("effective_to__isnull", True), ("status__in", ["draft", "filed"])),
                            models.Q(
                                ("effective_to__gte", models.F("effective_from")),
                                ("status__in", ["superseded", "withdrawn"]),
                            ),
                            _connector="OR",
                        ),
                        name="a_closed_poolrule_has_its_end",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by__isnull", True),
                            models.Q(
                                models.Q(("status", "draft"), _negated=True),
                                models.Q(("approved_by", models.F("filed_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_filed_poolrule_is_approved_by_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by__isnull", True),
                            models.Q(("approved_by", models.F("edited_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="a_filed_poolrule_is_not_signed_by_its_editor",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number", 1)), name="a_room_has_one_pool_rule"
                    ),
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
