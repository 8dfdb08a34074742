import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0002_pieces_of_jobs"),
        ("reports", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="PieceScratch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("data", models.BinaryField()),
                (
                    "piece",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="scratch", to="jobs.job"
                    ),
                ),
            ],
        ),
    ]
