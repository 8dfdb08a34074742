"""Say whose rules a room plays by; the rooms that there are play by those of California."""

from django.db import migrations, models

import cardroom.rooms.models


class Migration(migrations.Migration):
    dependencies = [
        ("rooms", "0001_squashed"),
    ]

    operations = [
        migrations.AddField(
            model_name="historicalroom",
            name="jurisdiction",
            field=models.CharField(
                choices=cardroom.rooms.models.jurisdiction_choices,
                default="california",
                help_text="Whose rules the room plays by: it says which rulebooks may be filed and played here.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="room",
            name="jurisdiction",
            field=models.CharField(
                choices=cardroom.rooms.models.jurisdiction_choices,
                default="california",
                help_text="Whose rules the room plays by: it says which rulebooks may be filed and played here.",
                max_length=40,
            ),
        ),
    ]
