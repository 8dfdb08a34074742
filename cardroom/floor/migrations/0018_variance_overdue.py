from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0017_work_begun"),
    ]

    operations = [
        migrations.AlterField(
            model_name="alert",
            name="kind",
            field=models.CharField(
                choices=[
                    ("rotation_due", "bank to be offered"),
                    ("rotation_broken", "rotation broken"),
                    ("bank_exhausted", "bank exhausted"),
                    ("stub_count_due", "stub count due"),
                    ("meter_win_pending", "progressive win to confirm"),
                    ("table_idle", "players without a round"),
                    ("time_due", "time to be collected"),
                    ("sync_lost", "screen without a line"),
                    ("variance_overdue", "variance not explained"),
                ],
                max_length=20,
            ),
        ),
    ]
