import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("floor", "0001_initial"),
        ("people", "0001_initial"),
        ("people", "__first__"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Search",
            fields=[
                (
                    "room",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="rooms.room",
                    ),
                ),
                ("until", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "searches",
            },
        ),
        migrations.CreateModel(
            name="Item",
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
                        help_text="The code of its kind, as its app registers it.", max_length=20
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        help_text="What it is about, once in the room and kind.", max_length=120
                    ),
                ),
                ("gaming_day", models.DateField()),
                ("happened_at", models.DateTimeField()),
                ("found_at", models.DateTimeField()),
                (
                    "figures",
                    models.JSONField(default=dict, help_text="The numbers and names of its sentence."),
                ),
                ("evidence", models.JSONField(default=dict, help_text="Ids of what is on record about it.")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("explained", "explained"),
                            ("referred", "referred"),
                            ("closed", "closed"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "gone_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="When it was found to hold no longer: a later correction undid it.",
                        null=True,
                    ),
                ),
                (
                    "due_on",
                    models.DateField(
                        blank=True, help_text="The day by which it is to be answered.", null=True
                    ),
                ),
                ("camera", models.CharField(blank=True, max_length=60)),
                ("camera_at", models.DateTimeField(blank=True, null=True)),
                (
                    "kept_until",
                    models.DateField(blank=True, help_text="Until when the recording is kept.", null=True),
                ),
                (
                    "explained_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "owner",
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
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="rooms.room",
                    ),
                ),
                (
                    "shift",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="floor.shift",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="floor.table",
                    ),
                ),
            ],
            options={
                "ordering": ["happened_at", "id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=["room"],
                        name="items_not_closed_of_a_room",
                    ),
                    models.Index(fields=["room", "happened_at"], name="items_of_a_time"),
                    models.Index(fields=["room", "gaming_day"], name="items_of_a_day"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("room", "kind", "key"), name="an_item_is_found_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed_at__isnull", False), ("state", "closed")),
                            models.Q(
                                models.Q(("state", "closed"), _negated=True), ("closed_at__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="a_closed_item_says_when",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state__in", ["explained", "closed"]), _negated=True),
                            ("explained_by__isnull", False),
                            _connector="OR",
                        ),
                        name="an_item_is_explained_by_someone",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Dispute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("claim", models.CharField(max_length=500)),
                ("opened_at", models.DateTimeField()),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("upheld", "upheld"), ("partly", "upheld in part"), ("denied", "denied")],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("review_asked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "hold_until",
                    models.DateField(
                        blank=True, help_text="Recordings of it are held until then.", null=True
                    ),
                ),
                ("review_ended_at", models.DateTimeField(blank=True, null=True)),
                ("review_found", models.CharField(blank=True, max_length=500)),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.player",
                    ),
                ),
                (
                    "review_asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "review_ended_by",
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
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disputes",
                        to="floor.round",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="floor.table"
                    ),
                ),
                (
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="dispute", to="inbox.item"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("claim", ""), _negated=True),
                        name="a_dispute_says_what_is_claimed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("decided_at__isnull", True),
                                ("decided_by__isnull", True),
                                ("outcome", ""),
                                ("reason", ""),
                            ),
                            models.Q(
                                models.Q(("outcome", ""), _negated=True),
                                models.Q(("reason", ""), _negated=True),
                                ("decided_at__gte", models.F("opened_at")),
                                ("decided_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="a_dispute_is_decided_by_someone_for_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("hold_until__isnull", True),
                                ("review_asked_at__isnull", True),
                                ("review_asked_by__isnull", True),
                            ),
                            models.Q(
                                ("hold_until__isnull", False),
                                ("review_asked_at__isnull", False),
                                ("review_asked_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="a_review_is_asked_by_someone_with_a_hold",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("review_ended_at__isnull", True),
                                ("review_ended_by__isnull", True),
                                ("review_found", ""),
                            ),
                            models.Q(
                                ("review_asked_at__isnull", False),
                                ("review_ended_at__isnull", False),
                                ("review_ended_by__isnull", False),
                                models.Q(("review_found", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_review_ends_with_what_it_found",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemPerson",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="people", to="inbox.item"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.player",
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
                "verbose_name_plural": "item people",
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("player__isnull", True), ("staff__isnull", False)),
                            models.Q(("player__isnull", False), ("staff__isnull", True)),
                            _connector="OR",
                        ),
                        name="an_item_is_about_one_person_each",
                    ),
                    models.UniqueConstraint(fields=("item", "staff"), name="an_item_names_staff_once"),
                    models.UniqueConstraint(fields=("item", "player"), name="an_item_names_a_player_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemStep",
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
                            ("owner", "given to"),
                            ("note", "noted"),
                            ("camera", "camera noted"),
                            ("explain", "explained"),
                            ("refer", "referred"),
                            ("close", "closed"),
                            ("reopen", "reopened"),
                            ("gone", "no longer holds"),
                            ("again", "holds again"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "before",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("explained", "explained"),
                            ("referred", "referred"),
                            ("closed", "closed"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "after",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("explained", "explained"),
                            ("referred", "referred"),
                            ("closed", "closed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=500)),
                ("to", models.CharField(blank=True, help_text="To whom it was referred.", max_length=80)),
                ("made_at", models.DateTimeField()),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="The second person, who signed for its closing.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="steps", to="inbox.item"
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
                    "owner",
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
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("after", "closed"), ("approved_by__isnull", False), ("what", "close")),
                            models.Q(
                                models.Q(("what", "close"), _negated=True), ("approved_by__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="an_item_is_closed_by_two",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by__isnull", True),
                            models.Q(("approved_by", models.F("made_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="nobody_signs_for_their_own_closing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("what__in", ["note", "explain", "refer", "reopen"]), _negated=True),
                            models.Q(("note", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="a_step_says_something",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("what", "refer"), models.Q(("to", ""), _negated=True)),
                            models.Q(models.Q(("what", "refer"), _negated=True), ("to", "")),
                            _connector="OR",
                        ),
                        name="a_referral_says_to_whom",
                    ),
                ],
            },
        ),
    ]
