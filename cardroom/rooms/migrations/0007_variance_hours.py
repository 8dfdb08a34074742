import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0006_retention"),
    ]

    operations = [
        migrations.AddField(
            model_name="historicalroom",
            name="variance_hours",
            field=models.PositiveSmallIntegerField(
                default=24,
                help_text="Hours within which a variance of the drop must be explained before it is escalated.",
                validators=[django.core.validators.MinValueValidator(1)],
            ),
        ),
        migrations.AddField(
            model_name="room",
            name="variance_hours",
            field=models.PositiveSmallIntegerField(
                default=24,
                help_text="Hours within which a variance of the drop must be explained before it is escalated.",
                validators=[django.core.validators.MinValueValidator(1)],
            ),
        ),
    ]
