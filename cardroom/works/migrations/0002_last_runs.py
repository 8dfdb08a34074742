from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("works", "0001_initial"),
    ]

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
    ]
