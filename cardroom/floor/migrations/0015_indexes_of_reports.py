from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0014_packed"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="alert",
            index=models.Index(fields=["room", "raised_at"], name="alerts_of_a_time"),
        ),
        migrations.AddIndex(
            model_name="down",
            index=models.Index(fields=["table", "ended_at"], name="downs_of_a_time"),
        ),
        migrations.AddIndex(
            model_name="offer",
            index=models.Index(fields=["shift", "table", "answer"], name="offers_of_a_shift"),
        ),
        migrations.AddIndex(
            model_name="seating",
            index=models.Index(fields=["table", "left_at"], name="stays_of_a_time"),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(fields=["shift", "table"], name="turns_of_a_shift"),
        ),
    ]
