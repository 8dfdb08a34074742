import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0001_initial"),
        ("rooms", "0001_initial"),
    ]

    operations = [
        migrations.AlterField(
            model_name="employment",
            name="role",
            field=models.CharField(
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
                    ("program", "Program"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="historicalemployment",
            name="role",
            field=models.CharField(
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
                    ("program", "Program"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Program",
            fields=[
                (
                    "staff",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="program",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rights",
                    models.JSONField(
                        help_text="Names of rights in small letters, in their order: see_floor."
                    ),
                ),
                (
                    "purpose",
                    models.CharField(help_text="What it does, and who looks after it.", max_length=200),
                ),
                ("made_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty where nobody else could sign yet.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                        on_delete=django.db.models.deletion.PROTECT, related_name="programs", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["staff"],
            },
        ),
        migrations.CreateModel(
            name="ProgramToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "prefix",
                    models.CharField(help_text="What it begins with, as it was shown.", max_length=12),
                ),
                (
                    "hash",
                    models.CharField(help_text="What is kept of the token (`token_hash`).", max_length=64),
                ),
                ("expires_at", models.DateTimeField()),
                ("made_at", models.DateTimeField()),
                (
                    "last_used_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Within a minute: it is not written with each request.",
                        null=True,
                    ),
                ),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
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
                    "program",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tokens",
                        to="people.program",
                    ),
                ),
                (
                    "revoked_by",
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
        migrations.AddConstraint(
            model_name="program",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("ended_by__isnull", True)),
                    models.Q(("ended_at__gte", models.F("made_at")), ("ended_by__isnull", False)),
                    _connector="OR",
                ),
                name="a_program_is_ended_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="programtoken",
            constraint=models.UniqueConstraint(fields=("hash",), name="one_token_of_a_hash"),
        ),
        migrations.AddConstraint(
            model_name="programtoken",
            constraint=models.CheckConstraint(
                condition=models.Q(("expires_at__gt", models.F("made_at"))),
                name="a_token_expires_after_it_was_made",
            ),
        ),
        migrations.AddConstraint(
            model_name="programtoken",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("revoked_at__isnull", True), ("revoked_by__isnull", True)),
                    models.Q(("revoked_at__gte", models.F("made_at")), ("revoked_by__isnull", False)),
                    _connector="OR",
                ),
                name="a_token_is_revoked_by_somebody",
            ),
        ),
    ]
