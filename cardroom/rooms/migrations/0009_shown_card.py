"""A room may leave the card that the bank shows unrecorded."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0008_jurisdiction"),
    ]

    operations = [
        migrations.AddField(
            model_name="historicalroom",
            name="records_shown_card",
            field=models.BooleanField(
                default=True,
                help_text="Whether the table asks for the card that the bank shows, where the rules turn one up.",
            ),
        ),
        migrations.AddField(
            model_name="room",
            name="records_shown_card",
            field=models.BooleanField(
                default=True,
                help_text="Whether the table asks for the card that the bank shows, where the rules turn one up.",
            ),
        ),
    ]
