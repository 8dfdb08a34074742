import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0001_initial"),
        ("rooms", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="part_of",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The job whose piece it is.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="pieces",
                to="jobs.job",
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("part_of__isnull", False)),
                fields=["part_of", "state"],
                name="jobs_by_whole",
            ),
        ),
    ]
