import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from cardroom.reports.append_only import letter_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("count", "0004_escalated_by_the_clock"),
        ("reports", "0004_roll_ups"),
        ("rooms", "0007_variance_hours"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
            },
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("not_before", models.DateTimeField(help_text="When it is tried next.")),
                (
                    "begun_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="When the try began that is under way, or the one that did it.",
                        null=True,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0, help_text="Failures so far.")),
                ("error", models.CharField(blank=True, max_length=500)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "address",
                    models.EmailField(help_text="As it was when the letter was written.", max_length=254),
                ),
                (
                    "note",
                    models.ForeignKey(
                        blank=True,
                        help_text="The escalation of a variance.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="letters",
                        to="count.variancenote",
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="letters",
                        to="reports.shiftreport",
                    ),
                ),
                (
                    "roll_up",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="letters",
                        to="reports.rollup",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="letters", to="rooms.room"
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="letters",
                        to="reports.subscription",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("address", ""), ("staff__isnull", False)),
                    models.Q(("staff__isnull", True), models.Q(("address", ""), _negated=True)),
                    _connector="OR",
                ),
                name="a_subscription_has_one_reader",
            ),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True), ("staff__isnull", False)),
                fields=("room", "what", "staff"),
                name="one_subscription_of_a_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True), ("staff__isnull", True)),
                fields=("room", "what", "address"),
                name="one_subscription_of_an_address",
            ),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("ended_by__isnull", True)),
                    models.Q(("ended_at__gte", models.F("made_at")), ("ended_by__isnull", False)),
                    _connector="OR",
                ),
                name="a_subscription_is_ended_by_someone_later",
            ),
        ),
        migrations.AddIndex(
            model_name="letter",
            index=models.Index(
                condition=models.Q(("done_at__isnull", True)), fields=["not_before"], name="letters_to_send"
            ),
        ),
        migrations.AddConstraint(
            model_name="letter",
            constraint=models.UniqueConstraint(
                fields=("subscription", "report"), name="one_letter_of_a_report"
            ),
        ),
        migrations.AddConstraint(
            model_name="letter",
            constraint=models.UniqueConstraint(
                fields=("subscription", "roll_up"), name="one_letter_of_a_roll_up"
            ),
        ),
        migrations.AddConstraint(
            model_name="letter",
            constraint=models.UniqueConstraint(
                fields=("subscription", "note"), name="one_letter_of_an_escalation"
            ),
        ),
        migrations.AddConstraint(
            model_name="letter",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("note__isnull", True), ("report__isnull", False), ("roll_up__isnull", True)),
                    models.Q(("note__isnull", True), ("report__isnull", True), ("roll_up__isnull", False)),
                    models.Q(("note__isnull", False), ("report__isnull", True), ("roll_up__isnull", True)),
                    _connector="OR",
                ),
                name="a_letter_tells_of_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="letter",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("done_at__isnull", True), ("done_at__gte", models.F("made_at")), _connector="OR"
                ),
                name="a_letter_is_sent_after_it_was_written",
            ),
        ),
        install_triggers(letter_triggers),
    ]
