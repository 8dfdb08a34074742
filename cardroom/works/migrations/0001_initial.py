from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="LastRun",
            fields=[
                ("task", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("error", models.CharField(blank=True, max_length=100)),
            ],
        ),
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
                        name="works_heartbeat_kind_known",
                    )
                ],
            },
        ),
    ]
