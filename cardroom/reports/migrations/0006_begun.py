from django.db import migrations, models

from cardroom.reports.append_only import recomputation_triggers
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [("reports", "0005_letters")]

    operations = [
        migrations.AddField(
            model_name="recomputation",
            name="begun",
            field=models.PositiveSmallIntegerField(default=0, help_text="How often a worker has begun it."),
        ),
        # SQLite builds the table anew, and its triggers went with the old one.
        install_triggers_again(recomputation_triggers),
    ]
