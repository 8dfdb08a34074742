from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0015_indexes_of_reports"),
    ]

    operations = [
        migrations.AlterField(
            model_name="errand",
            name="cause",
            field=models.CharField(
                choices=[
                    ("shift_closed", "the shift was closed"),
                    ("round_corrected", "a round of it was corrected later"),
                    ("drop_counted", "its drop is counted"),
                    ("alert_answered", "an alert of it was answered later"),
                    ("period_over", "the day or month is over"),
                    ("report_restated", "the report of the shift was made again"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="errand",
            name="kind",
            field=models.CharField(
                choices=[
                    ("shift_report", "make or restate the report of a shift"),
                    ("day_report", "make or restate the report of the day of a shift"),
                    ("month_report", "make or restate the report of the month of a shift"),
                ],
                max_length=20,
            ),
        ),
    ]
