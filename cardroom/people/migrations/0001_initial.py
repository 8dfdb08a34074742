import datetime

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Staff",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                ),
                (
                    "display_name",
                    models.CharField(help_text="As shown on table screens and reports.", max_length=80),
                ),
                (
                    "badge",
                    models.CharField(
                        blank=True,
                        help_text="As a reader types it; it signs at a table, with the person's PIN.",
                        max_length=20,
                    ),
                ),
                (
                    "licence_number",
                    models.CharField(
                        blank=True, help_text="Work permit or key employee licence.", max_length=40
                    ),
                ),
                ("licence_expires", models.DateField(blank=True, null=True)),
                (
                    "language",
                    models.CharField(
                        default="en",
                        editable=False,
                        help_text="Of table pages; each person chooses their own. A code of the settings' LANGUAGES.",
                        max_length=10,
                    ),
                ),
                (
                    "must_change_password",
                    models.BooleanField(
                        default=False,
                        editable=False,
                        help_text="Somebody else set the password: the person sets another first.",
                    ),
                ),
                (
                    "added_by",
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
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "home",
                    models.ForeignKey(
                        blank=True,
                        help_text="Room that the account belongs to; empty: administrators of the site alone change it.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "staff",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("badge", ""), _negated=True),
                        fields=("home", "badge"),
                        name="one_badge_of_a_number_in_a_room",
                        violation_error_message="Somebody of this room has this badge already.",
                    )
                ],
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Pin",
            fields=[
                (
                    "staff",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="pin",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("hash", models.CharField(max_length=128)),
                ("set_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="HistoricalProvider",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=120)),
                ("contract_number", models.CharField(blank=True, max_length=40)),
                ("is_active", models.BooleanField(default=True)),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
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
                "verbose_name": "historical provider",
                "verbose_name_plural": "historical providers",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalRoom",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                ("name", models.CharField(db_index=True, max_length=120)),
                (
                    "code",
                    models.SlugField(help_text="Short name used in addresses and file names.", max_length=40),
                ),
                (
                    "licence_number",
                    models.CharField(
                        blank=True, help_text="State gambling licence of the establishment.", max_length=40
                    ),
                ),
                (
                    "jurisdiction",
                    models.CharField(
                        default="california",
                        help_text="Whose rules the room plays by: it says which rulebooks may be filed and played here.",
                        max_length=40,
                    ),
                ),
                ("time_zone", models.CharField(default="America/Los_Angeles", max_length=64)),
                (
                    "gaming_day_starts",
                    models.TimeField(
                        default=datetime.time(6, 0), help_text="Local time at which a gaming day begins."
                    ),
                ),
                (
                    "fees_on_void",
                    models.CharField(
                        choices=[("refund", "refund the fees"), ("keep", "keep the fees")],
                        default="refund",
                        help_text="Fees of a round voided after the deal. A void before the deal always refunds them.",
                        max_length=10,
                    ),
                ),
                (
                    "idle_minutes",
                    models.PositiveSmallIntegerField(
                        default=15,
                        help_text="Minutes that players may sit without a round before the floor is told.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "offer_minutes",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="Minutes that the bank may stand to be offered before the floor is told.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "progressive_unit_cents",
                    models.PositiveIntegerField(
                        default=100,
                        help_text="One progressive wager in cents; no other amount is taken (ruling 43).",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "meter_contribution_cents",
                    models.PositiveIntegerField(
                        default=0, help_text="What each progressive wager adds to the meter, in cents."
                    ),
                ),
                (
                    "meter_reserve_cents",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="What each adds to the reserve, with which the next meter starts.",
                    ),
                ),
                (
                    "variance_threshold_cents",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="A drop box or tray whose count differs from what is expected by more cents than this must be explained.",
                    ),
                ),
                (
                    "variance_hours",
                    models.PositiveSmallIntegerField(
                        default=24,
                        help_text="Hours within which a variance of the drop must be explained before it is escalated.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "item_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="Days after which an exception that is not closed is old, and the floor is told.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "answer_days",
                    models.PositiveSmallIntegerField(
                        default=14,
                        help_text="Days within which the room answers a player's claim.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "records_shown_card",
                    models.BooleanField(
                        default=True,
                        help_text="Whether the table asks for the card that the bank shows, where the rules turn one up.",
                    ),
                ),
                (
                    "boxes_at_opening",
                    models.BooleanField(
                        default=False,
                        help_text="Whether opening a shift puts a drop box on every table that has none.",
                    ),
                ),
                (
                    "reliefs_sign",
                    models.BooleanField(
                        default=False,
                        help_text="Whether each relief of a push confirms with their PIN at the table; else a push relieves all at once.",
                    ),
                ),
                (
                    "hold_choices",
                    models.CharField(
                        default="5 10 20",
                        help_text="Minutes for which a seat is held by one touch: one to four numbers with blanks between.",
                        max_length=40,
                    ),
                ),
                (
                    "account_numbers",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Numbers of the accounts of a day's journal: cash = 1010, boxes = 1015.",
                        max_length=800,
                    ),
                ),
                (
                    "call_minutes",
                    models.PositiveSmallIntegerField(
                        default=10,
                        help_text="Minutes after which a call of the waiting list is marked.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "chips",
                    models.CharField(
                        default="1 5 25 100",
                        help_text="Chips on the keypads of the tables, in dollars: one to six amounts with blanks between.",
                        max_length=80,
                    ),
                ),
                (
                    "retention_years",
                    models.PositiveSmallIntegerField(
                        default=7,
                        help_text="Years for which records are kept at least: 7 or more (4 CCR 12312(a)).",
                        validators=[django.core.validators.MinValueValidator(7)],
                    ),
                ),
                (
                    "checkpoint_directory",
                    models.CharField(
                        blank=True,
                        help_text="Directory of the server into which each signed checkpoint is written, such as a mounted share.",
                        max_length=200,
                    ),
                ),
                (
                    "checkpoint_witness",
                    models.CharField(
                        blank=True,
                        help_text="https address of a witness to whom each signed checkpoint is sent.",
                        max_length=200,
                    ),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
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
            ],
            options={
                "verbose_name": "historical room",
                "verbose_name_plural": "historical rooms",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalStaff",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        db_index=True,
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                ),
                (
                    "display_name",
                    models.CharField(help_text="As shown on table screens and reports.", max_length=80),
                ),
                (
                    "badge",
                    models.CharField(
                        blank=True,
                        help_text="As a reader types it; it signs at a table, with the person's PIN.",
                        max_length=20,
                    ),
                ),
                (
                    "licence_number",
                    models.CharField(
                        blank=True, help_text="Work permit or key employee licence.", max_length=40
                    ),
                ),
                ("licence_expires", models.DateField(blank=True, null=True)),
                (
                    "language",
                    models.CharField(
                        default="en",
                        editable=False,
                        help_text="Of table pages; each person chooses their own. A code of the settings' LANGUAGES.",
                        max_length=10,
                    ),
                ),
                (
                    "must_change_password",
                    models.BooleanField(
                        default=False,
                        editable=False,
                        help_text="Somebody else set the password: the person sets another first.",
                    ),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
                    ),
                ),
                (
                    "added_by",
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
                    "home",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        help_text="Room that the account belongs to; empty: administrators of the site alone change it.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical staff",
                "verbose_name_plural": "historical staff",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalWorkPermit",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                ("number", models.CharField(max_length=40)),
                (
                    "expires",
                    models.DateField(
                        blank=True, help_text="Last day on which the permit is valid.", null=True
                    ),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
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
                (
                    "staff",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "historical work permit",
                "verbose_name_plural": "historical work permits",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="Lockout",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("pin", "PIN"),
                            ("password", "Password"),
                            ("second_factor", "Second factor"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "subject",
                    models.CharField(
                        help_text="The person, or the digest of a name that is nobody's.", max_length=80
                    ),
                ),
                ("tries", models.PositiveIntegerField(default=0)),
                (
                    "refused",
                    models.PositiveIntegerField(default=0, help_text="Tries that came while it was locked."),
                ),
                ("last_try_at", models.DateTimeField()),
                ("locked_until", models.DateTimeField(null=True)),
                ("until_lifted", models.BooleanField(default=False)),
                (
                    "staff",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lockouts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-last_try_at"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("kind", "subject"), name="one_count_of_wrong_tries_a_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PasswordReset",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                ("password", models.CharField(blank=True, editable=False, max_length=128)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting for the other room"),
                            ("done", "password set"),
                            ("refused", "refused"),
                        ],
                        default="waiting",
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("asked_at", models.DateTimeField(editable=False)),
                ("ended_at", models.DateTimeField(editable=False, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
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
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="password_resets",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "waiting")),
                        fields=("staff",),
                        name="one_password_reset_waits_for_a_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("state", "waiting")),
                            models.Q(
                                models.Q(("state", "waiting"), _negated=True),
                                ("ended_at__isnull", False),
                                ("ended_by__isnull", False),
                                ("password", ""),
                            ),
                            _connector="OR",
                        ),
                        name="a_password_reset_that_ended_keeps_no_password",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PasswordConsent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("given_at", models.DateTimeField()),
                (
                    "given_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "reset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="consents",
                        to="people.passwordreset",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("reset", "room"), name="a_room_consents_once"),
                    models.UniqueConstraint(
                        fields=("reset", "given_by"), name="a_person_consents_for_one_room"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(
                        blank=True, help_text="The room's number of the player; left empty, the next one."
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                (
                    "name_key",
                    models.CharField(
                        editable=False,
                        help_text="What all names have in common that look like this one (cardroom.core.names).",
                        max_length=400,
                    ),
                ),
                (
                    "other_name",
                    models.CharField(
                        blank=True,
                        help_text="The name in another script, or a second one they go by.",
                        max_length=80,
                    ),
                ),
                ("other_name_key", models.CharField(blank=True, editable=False, max_length=400)),
                (
                    "name_salt",
                    models.CharField(
                        blank=True, editable=False, help_text="Random; erased with the names.", max_length=64
                    ),
                ),
                (
                    "name_digest",
                    models.CharField(
                        editable=False,
                        help_text="What proves both names while they are there (cardroom.people.names).",
                        max_length=64,
                        verbose_name="name",
                    ),
                ),
                (
                    "erased_at",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When the names were erased, at the person's wish.",
                        null=True,
                    ),
                ),
                (
                    "is_guest",
                    models.BooleanField(default=False, help_text="Seated before the room knew their name."),
                ),
                (
                    "is_unused",
                    models.BooleanField(
                        default=False,
                        editable=False,
                        help_text="Added for a seat, and taken off it by an undo: nobody, until the entry is used for the next guest.",
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                (
                    "excluded_until",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When the last of their exclusions ends that are in force; `FOR_GOOD` for one without an end.",
                        null=True,
                    ),
                ),
                (
                    "badge_number",
                    models.CharField(
                        blank=True, help_text="Of a provider's authorized player.", max_length=40
                    ),
                ),
                (
                    "badge_expires",
                    models.DateField(
                        blank=True, help_text="Last day on which the badge is valid.", null=True
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        help_text="Who this is, where two entries turned out to be one person; never one that was merged itself.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merged",
                        to="people.player",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="players", to="rooms.room"
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="players",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "indexes": [models.Index(fields=["room", "name_key"], name="players_whose_names_look_alike")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("erased_at__isnull", True)),
                        fields=("room", "name"),
                        name="one_player_of_a_name",
                    ),
                    models.UniqueConstraint(
                        fields=("room", "number"),
                        name="one_player_of_a_number",
                        violation_error_message="Another player of this room has this number.",
                    ),
                    models.UniqueConstraint(fields=("room", "staff"), name="one_player_of_a_member_of_staff"),
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True),
                        name="player_has_a_name",
                        violation_error_message="A player needs a name.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("name", django.db.models.functions.text.Trim(models.F("name"))),
                            models.Q(("name__contains", "  "), _negated=True),
                            models.Q(("name__contains", "\t"), _negated=True),
                            models.Q(("name__contains", "\n"), _negated=True),
                            models.Q(("name__contains", "\r"), _negated=True),
                            models.Q(("name__contains", "\x85"), _negated=True),
                            models.Q(("name__contains", "\xa0"), _negated=True),
                            models.Q(("name__contains", "\xad"), _negated=True),
                            models.Q(("name__contains", "\u200b"), _negated=True),
                            models.Q(("name__contains", "\u200c"), _negated=True),
                            models.Q(("name__contains", "\u200d"), _negated=True),
                            models.Q(("name__contains", "\u200e"), _negated=True),
                            models.Q(("name__contains", "\u200f"), _negated=True),
                            models.Q(("name__contains", "\u2028"), _negated=True),
                            models.Q(("name__contains", "\u2029"), _negated=True),
                            models.Q(("name__contains", "\u202a"), _negated=True),
                            models.Q(("name__contains", "\u202b"), _negated=True),
                            models.Q(("name__contains", "\u202c"), _negated=True),
                            models.Q(("name__contains", "\u202d"), _negated=True),
                            models.Q(("name__contains", "\u202e"), _negated=True),
                            models.Q(("name__contains", "\u2060"), _negated=True),
                            models.Q(("name__contains", "\u2066"), _negated=True),
                            models.Q(("name__contains", "\u2067"), _negated=True),
                            models.Q(("name__contains", "\u2068"), _negated=True),
                            models.Q(("name__contains", "\u2069"), _negated=True),
                            models.Q(("name__contains", "\u3000"), _negated=True),
                            models.Q(("name__contains", "\ufeff"), _negated=True),
                        ),
                        name="a_players_name_is_plain",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("other_name", django.db.models.functions.text.Trim(models.F("other_name"))),
                            models.Q(("other_name__contains", "  "), _negated=True),
                            models.Q(("other_name__contains", "\t"), _negated=True),
                            models.Q(("other_name__contains", "\n"), _negated=True),
                            models.Q(("other_name__contains", "\r"), _negated=True),
                            models.Q(("other_name__contains", "\x85"), _negated=True),
                            models.Q(("other_name__contains", "\xa0"), _negated=True),
                            models.Q(("other_name__contains", "\xad"), _negated=True),
                            models.Q(("other_name__contains", "\u200b"), _negated=True),
                            models.Q(("other_name__contains", "\u200c"), _negated=True),
                            models.Q(("other_name__contains", "\u200d"), _negated=True),
                            models.Q(("other_name__contains", "\u200e"), _negated=True),
                            models.Q(("other_name__contains", "\u200f"), _negated=True),
                            models.Q(("other_name__contains", "\u2028"), _negated=True),
                            models.Q(("other_name__contains", "\u2029"), _negated=True),
                            models.Q(("other_name__contains", "\u202a"), _negated=True),
                            models.Q(("other_name__contains", "\u202b"), _negated=True),
                            models.Q(("other_name__contains", "\u202c"), _negated=True),
                            models.Q(("other_name__contains", "\u202d"), _negated=True),
                            models.Q(("other_name__contains", "\u202e"), _negated=True),
                            models.Q(("other_name__contains", "\u2060"), _negated=True),
                            models.Q(("other_name__contains", "\u2066"), _negated=True),
                            models.Q(("other_name__contains", "\u2067"), _negated=True),
                            models.Q(("other_name__contains", "\u2068"), _negated=True),
                            models.Q(("other_name__contains", "\u2069"), _negated=True),
                            models.Q(("other_name__contains", "\u3000"), _negated=True),
                            models.Q(("other_name__contains", "\ufeff"), _negated=True),
                        ),
                        name="a_players_other_name_is_plain",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gt", 0)), name="players_are_numbered_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("merged_into__isnull", True),
                            models.Q(("merged_into", models.F("pk")), _negated=True),
                            _connector="OR",
                        ),
                        name="nobody_is_merged_into_themselves",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("self_excluded", "Self-excluded"),
                            ("barred", "Barred by the room"),
                            ("by_order", "By order of a court or the state"),
                        ],
                        max_length=20,
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                (
                    "began_on",
                    models.DateField(help_text="The day on the room's calendar on which it was entered."),
                ),
                (
                    "ends_on",
                    models.DateField(
                        blank=True, help_text="Its last day; empty: until it is lifted.", null=True
                    ),
                ),
                ("entered_at", models.DateTimeField()),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
                ("lifted_reason", models.CharField(blank=True, max_length=200)),
                (
                    "entered_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "lifted_approved_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "lifted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exclusions",
                        to="people.player",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ends_on__isnull", True), ("ends_on__gte", models.F("began_on")), _connector="OR"
                        ),
                        name="an_exclusion_ends_after_it_began",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("lifted_approved_by__isnull", True),
                                ("lifted_at__isnull", True),
                                ("lifted_by__isnull", True),
                                ("lifted_reason", ""),
                            ),
                            models.Q(
                                ("lifted_approved_by__isnull", False),
                                ("lifted_at__gte", models.F("entered_at")),
                                ("lifted_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="an_exclusion_is_lifted_by_two",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayerMerge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                ("made_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "into",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merges_into",
                        to="people.player",
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
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="merges", to="people.player"
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
                (
                    "undone_approved_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "undone_by",
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
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=("player",),
                        name="a_player_is_merged_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("player", models.F("into")), _negated=True),
                        name="a_merge_is_of_two",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("undone_approved_by__isnull", True),
                                ("undone_at__isnull", True),
                                ("undone_by__isnull", True),
                            ),
                            models.Q(
                                ("undone_approved_by__isnull", False),
                                ("undone_at__gte", models.F("made_at")),
                                ("undone_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="a_merge_is_undone_by_two",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayerName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("other_name", models.CharField(blank=True, max_length=80)),
                ("name_salt", models.CharField(max_length=64)),
                ("name_digest", models.CharField(help_text="As the player's row had it.", max_length=64)),
                ("ended_at", models.DateTimeField(help_text="When they were given another name.")),
                (
                    "ended_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="names", to="people.player"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="PlayerPhoto",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("content", models.BinaryField(help_text="A JPEG.")),
                ("salt", models.CharField(help_text="Random; goes with the photograph.", max_length=64)),
                ("digest", models.CharField(help_text="What proves it while it is there.", max_length=64)),
                ("set_at", models.DateTimeField()),
                (
                    "set_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddField(
            model_name="player",
            name="photo",
            field=models.OneToOneField(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="player",
                to="people.playerphoto",
            ),
        ),
        migrations.CreateModel(
            name="Provider",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("contract_number", models.CharField(blank=True, max_length=40)),
                ("is_active", models.BooleanField(default=True)),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="providers", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(fields=("room", "name"), name="one_provider_of_a_name")
                ],
            },
        ),
        migrations.AddField(
            model_name="player",
            name="provider",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="players",
                to="people.provider",
            ),
        ),
        migrations.CreateModel(
            name="HistoricalPlayer",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                (
                    "number",
                    models.PositiveIntegerField(
                        blank=True, help_text="The room's number of the player; left empty, the next one."
                    ),
                ),
                (
                    "name_digest",
                    models.CharField(
                        editable=False,
                        help_text="What proves both names while they are there (cardroom.people.names).",
                        max_length=64,
                        verbose_name="name",
                    ),
                ),
                (
                    "erased_at",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When the names were erased, at the person's wish.",
                        null=True,
                    ),
                ),
                (
                    "is_guest",
                    models.BooleanField(default=False, help_text="Seated before the room knew their name."),
                ),
                (
                    "is_unused",
                    models.BooleanField(
                        default=False,
                        editable=False,
                        help_text="Added for a seat, and taken off it by an undo: nobody, until the entry is used for the next guest.",
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                (
                    "excluded_until",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When the last of their exclusions ends that are in force; `FOR_GOOD` for one without an end.",
                        null=True,
                    ),
                ),
                (
                    "badge_number",
                    models.CharField(
                        blank=True, help_text="Of a provider's authorized player.", max_length=40
                    ),
                ),
                (
                    "badge_expires",
                    models.DateField(
                        blank=True, help_text="Last day on which the badge is valid.", null=True
                    ),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
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
                (
                    "staff",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        help_text="Who this is, where two entries turned out to be one person; never one that was merged itself.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="people.player",
                    ),
                ),
                (
                    "photo",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="people.playerphoto",
                    ),
                ),
                (
                    "provider",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="people.provider",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical player",
                "verbose_name_plural": "historical players",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalEmployment",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("dealer", "Dealer"),
                            ("floor", "Floor"),
                            ("shift_manager", "Shift manager"),
                            ("count", "Count team"),
                            ("compliance", "Compliance"),
                            ("room_manager", "Room manager"),
                            ("provider_lead", "Provider lead"),
                            ("inspector", "Inspector"),
                            ("surveillance", "Surveillance"),
                            ("support", "Support staff"),
                        ],
                        max_length=20,
                    ),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
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
                (
                    "staff",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "provider",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="people.provider",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical employment",
                "verbose_name_plural": "historical employments",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="Employment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("dealer", "Dealer"),
                            ("floor", "Floor"),
                            ("shift_manager", "Shift manager"),
                            ("count", "Count team"),
                            ("compliance", "Compliance"),
                            ("room_manager", "Room manager"),
                            ("provider_lead", "Provider lead"),
                            ("inspector", "Inspector"),
                            ("surveillance", "Surveillance"),
                            ("support", "Support staff"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="employments",
                        to="rooms.room",
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="employments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "provider",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leads",
                        to="people.provider",
                    ),
                ),
            ],
            options={
                "ordering": ["room", "staff", "role"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("staff", "room", "role"), name="one_employment_of_a_role"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("provider__isnull", False), ("role", "provider_lead")),
                            models.Q(
                                models.Q(("role", "provider_lead"), _negated=True), ("provider__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="provider_lead_names_a_provider",
                        violation_error_message="A provider lead needs a provider, and no other role has one.",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ProviderContract",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.CharField(max_length=40)),
                ("begins_on", models.DateField()),
                (
                    "ends_on",
                    models.DateField(
                        blank=True, help_text="Its last day; empty: until it is ended.", null=True
                    ),
                ),
                (
                    "games",
                    models.JSONField(
                        blank=True, default=list, help_text="Numbers of filed games; empty: all."
                    ),
                ),
                (
                    "tables",
                    models.JSONField(blank=True, default=list, help_text="Numbers of tables; empty: all."),
                ),
                (
                    "opens_at",
                    models.TimeField(
                        blank=True, help_text="With `closes_at`: the hours of each day.", null=True
                    ),
                ),
                (
                    "closes_at",
                    models.TimeField(blank=True, help_text="Before `opens_at`: on the day after.", null=True),
                ),
                ("entered_at", models.DateTimeField()),
                (
                    "ended_on",
                    models.DateField(
                        blank=True, help_text="The last day on which it held, where it was ended.", null=True
                    ),
                ),
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
                    "entered_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "provider",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="contracts",
                        to="people.provider",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["provider", "begins_on", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ends_on__isnull", True),
                            ("ends_on__gte", models.F("begins_on")),
                            _connector="OR",
                        ),
                        name="a_contract_ends_after_it_begins",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closes_at__isnull", True), ("opens_at__isnull", True)),
                            models.Q(
                                ("closes_at__isnull", False),
                                ("opens_at__isnull", False),
                                models.Q(("opens_at", models.F("closes_at")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_contract_has_both_hours_or_none",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_by__isnull", True), ("ended_on__isnull", True)),
                            models.Q(("ended_by__isnull", False), ("ended_on__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_contract_is_ended_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WorkPermit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.CharField(max_length=40)),
                (
                    "expires",
                    models.DateField(
                        blank=True, help_text="Last day on which the permit is valid.", null=True
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="permits", to="rooms.room"
                    ),
                ),
                (
                    "staff",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="permits",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["room", "staff"],
                "constraints": [
                    models.UniqueConstraint(fields=("staff", "room"), name="one_work_permit_in_a_room")
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("erased_at__isnull", True),
                    models.Q(
                        ("is_active", False), ("name_salt", ""), ("other_name", ""), ("photo__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="who_is_erased_has_no_names",
            ),
        ),
    ]
