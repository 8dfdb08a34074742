import django.db.models.deletion
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
            name="Heartbeat",
            fields=[
                (
                    "kind",
                    models.CharField(
                        choices=[("beat", "beat"), ("worker", "worker")],
                        max_length=10,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["beat", "worker"])),
                        name="a_heartbeat_is_of_beat_or_worker",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=80)),
                ("arguments", models.JSONField(default=dict)),
                ("key", models.CharField(blank=True, max_length=400)),
                (
                    "at_most_one",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "any number"),
                            ("open", "one waiting or running"),
                            ("ever", "one, ever"),
                        ],
                        max_length=4,
                    ),
                ),
                ("cause", models.CharField(help_text="Why it was asked for, as a word.", max_length=40)),
                ("asked_at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("finished", "finished"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("next_try_at", models.DateTimeField(help_text="When it is tried next, while it waits.")),
                ("tries", models.PositiveSmallIntegerField(default=0, help_text="Failures so far.")),
                (
                    "claims",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="How often a worker has claimed it."
                    ),
                ),
                (
                    "claimed_by",
                    models.CharField(blank=True, help_text="Host and process of the worker.", max_length=200),
                ),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                (
                    "done",
                    models.PositiveIntegerField(default=0, help_text="How far it has come, of `total`."),
                ),
                ("total", models.PositiveIntegerField(default=0)),
                (
                    "result",
                    models.JSONField(
                        blank=True, help_text="What came of it, once it has finished.", null=True
                    ),
                ),
                (
                    "error",
                    models.CharField(blank=True, help_text="That of the last failure.", max_length=500),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty where a command caused it.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty for a task that beat sends again and again.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="rooms.room",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["waiting", "running", "failed"])),
                        fields=["kind", "next_try_at"],
                        name="jobs_not_done",
                    ),
                    models.Index(fields=["room", "ended_at", "id"], name="jobs_by_end"),
                    models.Index(
                        condition=models.Q(("state__in", ["waiting", "failed"])),
                        fields=["room"],
                        name="jobs_to_look_at",
                    ),
                    models.Index(fields=["kind", "key"], name="jobs_by_key"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("at_most_one", "open"), ("state__in", ["waiting", "running"])),
                        fields=("room", "kind", "key"),
                        name="one_open_job_of_a_key",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("at_most_one", "ever")),
                        fields=("room", "kind", "key"),
                        name="one_job_of_a_key_ever",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("room__isnull", True)),
                        fields=("kind",),
                        name="one_row_of_a_recurring_task",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("room__isnull", True), ("state__in", ["waiting", "running"])),
                            models.Q(("ended_at__isnull", True), ("state__in", ["waiting", "running"])),
                            models.Q(
                                ("ended_at__gte", models.F("asked_at")),
                                ("state__in", ["finished", "failed", "cancelled"]),
                            ),
                            _connector="OR",
                        ),
                        name="a_job_ends_once_after_it_was_asked_for",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "running"), _negated=True),
                            models.Q(("claimed_at__isnull", False), ("claimed_until__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_running_job_is_claimed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("result__isnull", False), ("state", "finished")),
                            models.Q(
                                models.Q(("state", "finished"), _negated=True), ("result__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="a_finished_job_has_its_result",
                    ),
                ],
            },
        ),
    ]
