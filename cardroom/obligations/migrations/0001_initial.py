import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("filings", "0001_initial"),
        ("people", "__first__"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Obligation",
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
                            ("filing", "Filing"),
                            ("licence", "Licence"),
                            ("permit", "Permit"),
                            ("contract", "Contract"),
                            ("tax", "Tax"),
                            ("table_fee", "Table fee"),
                            ("other", "Other"),
                        ],
                        max_length=10,
                    ),
                ),
                ("title", models.CharField(max_length=120)),
                (
                    "rests_on",
                    models.CharField(
                        blank=True,
                        help_text="The clause or contract that it rests on, as the room has it.",
                        max_length=300,
                    ),
                ),
                (
                    "due_on",
                    models.DateField(
                        help_text="The day by whose end it is to be done, on the room's calendar."
                    ),
                ),
                (
                    "every",
                    models.CharField(
                        choices=[
                            ("once", "once"),
                            ("month", "every month"),
                            ("quarter", "every quarter"),
                            ("half_year", "every half year"),
                            ("year", "every year"),
                            ("two_years", "every two years"),
                        ],
                        default="once",
                        max_length=10,
                    ),
                ),
                (
                    "last_day",
                    models.BooleanField(
                        default=False, help_text="Whether it recurs on the last day of a month."
                    ),
                ),
                (
                    "day_of_month",
                    models.PositiveSmallIntegerField(
                        help_text="The day of the month on which it recurs, where the month has it."
                    ),
                ),
                (
                    "remind_days",
                    models.PositiveSmallIntegerField(
                        default=30, help_text="Days before the due day on which it is shown as due soon."
                    ),
                ),
                (
                    "takes_two",
                    models.BooleanField(
                        default=False, help_text="Whether a second person signs that it is done."
                    ),
                ),
                ("made_at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("done", "done"), ("not_applicable", "not applicable")],
                        default="open",
                        max_length=15,
                    ),
                ),
                (
                    "reference",
                    models.CharField(
                        blank=True,
                        help_text="By what it is proved: a number of confirmation, a receipt.",
                        max_length=200,
                    ),
                ),
                ("reason", models.CharField(blank=True, help_text="Why it does not apply.", max_length=500)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="The second person, who signed that it is done.",
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
                        help_text="The document that proves it, by its checksum.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="filings.fileddocument",
                    ),
                ),
                (
                    "follows",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="next_one",
                        to="obligations.obligation",
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
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="obligations",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "ordering": ["due_on", "id"],
                "indexes": [
                    models.Index(fields=["room", "due_on"], name="obligations_of_a_time"),
                    models.Index(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=["room"],
                        name="obligations_open_of_a_room",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("closed_at__isnull", True),
                                ("closed_by__isnull", True),
                                ("confirmed_by__isnull", True),
                                ("state", "open"),
                            ),
                            models.Q(
                                models.Q(("state", "open"), _negated=True),
                                ("closed_at__isnull", False),
                                ("closed_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="an_obligation_is_closed_by_someone",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "done"), _negated=True),
                            models.Q(("reference", ""), _negated=True),
                            ("document__isnull", False),
                            _connector="OR",
                        ),
                        name="an_obligation_is_done_with_proof",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "not_applicable"), models.Q(("reason", ""), _negated=True)),
                            models.Q(models.Q(("state", "not_applicable"), _negated=True), ("reason", "")),
                            _connector="OR",
                        ),
                        name="an_obligation_that_does_not_apply_says_why",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "done"), ("takes_two", True), _negated=True),
                            ("confirmed_by__isnull", False),
                            _connector="OR",
                        ),
                        name="an_obligation_of_two_is_confirmed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("confirmed_by__isnull", True),
                            models.Q(("confirmed_by", models.F("closed_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="nobody_confirms_what_they_have_done",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("day_of_month__gte", 1), ("day_of_month__lte", 31), ("remind_days__lte", 366)
                        ),
                        name="an_obligation_recurs_on_a_day",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ObligationStep",
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
                            ("add", "added"),
                            ("change", "changed"),
                            ("owner", "given to"),
                            ("note", "noted"),
                            ("document", "attached a document"),
                            ("done", "said that it is done"),
                            ("not_applicable", "said that it does not apply"),
                            ("reopen", "reopened"),
                        ],
                        max_length=15,
                    ),
                ),
                (
                    "before",
                    models.CharField(
                        choices=[("open", "open"), ("done", "done"), ("not_applicable", "not applicable")],
                        max_length=15,
                    ),
                ),
                (
                    "after",
                    models.CharField(
                        choices=[("open", "open"), ("done", "done"), ("not_applicable", "not applicable")],
                        max_length=15,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=500)),
                ("reference", models.CharField(blank=True, max_length=200)),
                (
                    "changes",
                    models.JSONField(
                        blank=True, default=dict, help_text="What was changed, by its name: before and after."
                    ),
                ),
                ("made_at", models.DateTimeField()),
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
                    "document",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="filings.fileddocument",
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
                    "obligation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="steps",
                        to="obligations.obligation",
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
                            ("approved_by__isnull", True),
                            models.Q(
                                ("what", "done"),
                                models.Q(("approved_by", models.F("made_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="a_step_is_confirmed_by_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("what__in", ["note", "not_applicable", "reopen"]), _negated=True),
                            models.Q(("note", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="a_step_of_an_obligation_says_why",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("what", "done"), _negated=True),
                            models.Q(("reference", ""), _negated=True),
                            ("document__isnull", False),
                            _connector="OR",
                        ),
                        name="a_step_that_is_done_has_proof",
                    ),
                ],
            },
        ),
    ]
