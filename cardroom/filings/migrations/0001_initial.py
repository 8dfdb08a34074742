import django.db.models.deletion
import django.utils.timezone
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("people", "__first__"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="FiledDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(help_text="The name of its file.", max_length=120)),
                (
                    "sha256",
                    models.CharField(
                        help_text="Checksum of its bytes (FIPS 180-4, 256 bits), in hexadecimal digits.",
                        max_length=64,
                    ),
                ),
                ("size", models.PositiveIntegerField(help_text="Its bytes.")),
                ("content", models.BinaryField()),
                ("added_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "added_by",
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
                        related_name="filed_documents",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("room", "sha256", "name"), name="one_document_of_a_name_and_content"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("size__gt", 0), ("size__lte", 10000000)),
                        name="a_document_has_its_size",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GameFiling",
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
                ("rulebook", models.CharField(help_text="Id of the rulebook of the game.", max_length=40)),
                (
                    "state_reference",
                    models.CharField(
                        blank=True,
                        help_text="The Bureau's number of the filing, or of the letter that approves it.",
                        max_length=80,
                    ),
                ),
                (
                    "options",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="The room's choices within the rulebook, as in the round sheet; what is left out takes its default.",
                    ),
                ),
                (
                    "rotation",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Id of the profile by which the bank rotates; empty: the rulebook's own.",
                        max_length=40,
                    ),
                ),
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
                    "document",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        help_text="The room's own document by which it may offer the game.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="games",
                        to="filings.fileddocument",
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
                        fields=("room", "number", "version"), name="one_gamefiling_of_a_version"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "draft")),
                        fields=("room", "number"),
                        name="one_draft_of_a_gamefiling",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "filed")),
                        fields=("room", "number"),
                        name="one_filed_version_of_a_gamefiling",
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
                        name="a_filed_gamefiling_says_when_and_by_whom",
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
                        name="a_closed_gamefiling_has_its_end",
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
                        name="a_filed_gamefiling_is_approved_by_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by__isnull", True),
                            models.Q(("approved_by", models.F("edited_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="a_filed_gamefiling_is_not_signed_by_its_editor",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status", "draft"),
                            models.Q(("state_reference", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="a_filed_gamefiling_has_the_states_number",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="HistoricalFeeSchedule",
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
                ("rulebook", models.CharField(help_text="Id of the rulebook of the game.", max_length=40)),
                (
                    "state_reference",
                    models.CharField(
                        blank=True,
                        help_text="The Bureau's number of the filing, or of the letter that approves it.",
                        max_length=80,
                    ),
                ),
                (
                    "games",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Numbers of the room's filed games that it is approved for; none: every game of its rulebook.",
                    ),
                ),
                (
                    "document",
                    models.JSONField(help_text="Table limit and fees, in whole cents, each with its clause."),
                ),
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
                "verbose_name": "historical fee schedule",
                "verbose_name_plural": "historical fee schedules",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalGameFiling",
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
                ("rulebook", models.CharField(help_text="Id of the rulebook of the game.", max_length=40)),
                (
                    "state_reference",
                    models.CharField(
                        blank=True,
                        help_text="The Bureau's number of the filing, or of the letter that approves it.",
                        max_length=80,
                    ),
                ),
                (
                    "options",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="The room's choices within the rulebook, as in the round sheet; what is left out takes its default.",
                    ),
                ),
                (
                    "rotation",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Id of the profile by which the bank rotates; empty: the rulebook's own.",
                        max_length=40,
                    ),
                ),
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
                    "document",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        help_text="The room's own document by which it may offer the game.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="filings.fileddocument",
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
                "verbose_name": "historical game filing",
                "verbose_name_plural": "historical game filings",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalLevy",
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
                    "document",
                    models.JSONField(
                        help_text="Who takes what of which sum, in tiers, with the section that says it."
                    ),
                ),
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
                "verbose_name": "historical levy",
                "verbose_name_plural": "historical levies",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="Levy",
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
                    "document",
                    models.JSONField(
                        help_text="Who takes what of which sum, in tiers, with the section that says it."
                    ),
                ),
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
                "verbose_name": "levy",
                "verbose_name_plural": "levies",
                "ordering": ["room", "number", "-version"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        fields=("room", "number", "version"), name="one_levy_of_a_version"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "draft")),
                        fields=("room", "number"),
                        name="one_draft_of_a_levy",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "filed")),
                        fields=("room", "number"),
                        name="one_filed_version_of_a_levy",
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
                        name="a_filed_levy_says_when_and_by_whom",
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
                        name="a_closed_levy_has_its_end",
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
                        name="a_filed_levy_is_approved_by_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by__isnull", True),
                            models.Q(("approved_by", models.F("edited_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="a_filed_levy_is_not_signed_by_its_editor",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FeeSchedule",
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
                ("rulebook", models.CharField(help_text="Id of the rulebook of the game.", max_length=40)),
                (
                    "state_reference",
                    models.CharField(
                        blank=True,
                        help_text="The Bureau's number of the filing, or of the letter that approves it.",
                        max_length=80,
                    ),
                ),
                (
                    "games",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Numbers of the room's filed games that it is approved for; none: every game of its rulebook.",
                    ),
                ),
                (
                    "document",
                    models.JSONField(help_text="Table limit and fees, in whole cents, each with its clause."),
                ),
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
                        fields=("room", "number", "version"), name="one_feeschedule_of_a_version"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "draft")),
                        fields=("room", "number"),
                        name="one_draft_of_a_feeschedule",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "filed")),
                        fields=("room", "number"),
                        name="one_filed_version_of_a_feeschedule",
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
                        name="a_filed_feeschedule_says_when_and_by_whom",
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
                        name="a_closed_feeschedule_has_its_end",
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
                        name="a_filed_feeschedule_is_approved_by_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by__isnull", True),
                            models.Q(("approved_by", models.F("edited_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="a_filed_feeschedule_is_not_signed_by_its_editor",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status", "draft"),
                            models.Q(("state_reference", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="a_filed_feeschedule_has_the_states_number",
                    ),
                ],
            },
        ),
    ]
