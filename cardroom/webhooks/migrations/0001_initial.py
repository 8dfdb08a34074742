import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("jobs", "0001_initial"),
        ("people", "0002_programs"),
        ("rooms", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=500)),
                (
                    "kinds",
                    models.JSONField(
                        default=list, help_text="Kinds of entries, as the journal names them; empty: all."
                    ),
                ),
                (
                    "position",
                    models.TextField(help_text="Position in the feed to which deliveries were handed out."),
                ),
                ("secret", models.CharField(help_text="Encrypted by the site's key.", max_length=300)),
                ("secret_before", models.CharField(blank=True, max_length=300)),
                ("before_until", models.DateTimeField(blank=True, null=True)),
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
                    "program",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="webhooks",
                        to="people.program",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="webhooks", to="rooms.room"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="WebhookTry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("milliseconds", models.PositiveIntegerField(help_text="How long it took.")),
                (
                    "status",
                    models.PositiveSmallIntegerField(
                        help_text="Empty where nothing was answered.", null=True
                    ),
                ),
                (
                    "error",
                    models.CharField(
                        blank=True, help_text="Why it was no delivery; empty for one.", max_length=300
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="jobs.job"
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tries",
                        to="webhooks.webhook",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("program", "url"),
                name="one_webhook_of_a_program_to_an_address",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("ended_by__isnull", True)),
                    models.Q(("ended_at__gte", models.F("made_at")), ("ended_by__isnull", False)),
                    _connector="OR",
                ),
                name="a_webhook_is_ended_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("before_until__isnull", True), ("secret_before", "")),
                    models.Q(models.Q(("secret_before", ""), _negated=True), ("before_until__isnull", False)),
                    _connector="OR",
                ),
                name="a_webhooks_secret_before_holds_until",
            ),
        ),
        migrations.AddIndex(
            model_name="webhooktry",
            index=models.Index(fields=["at"], name="webhook_tries_by_time"),
        ),
    ]
