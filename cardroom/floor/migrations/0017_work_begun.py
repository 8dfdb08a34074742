from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0016_roll_ups"),
    ]

    operations = [
        migrations.AddField(
            model_name="errand",
            name="begun_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the try began that is under way, or the one that did it.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="errand",
            name="tries",
            field=models.PositiveSmallIntegerField(default=0, help_text="Failures so far."),
        ),
    ]
