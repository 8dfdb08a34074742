"""File the rotation profile with the game, and keep who signed a filing beside the person who filed it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from cardroom.offered.append_only import game_triggers
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("offered", "0002_filed_is_final"),
        ("rooms", "0008_jurisdiction"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="gamefiling",
            name="approved_by",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                help_text="The second person who signed the filing; empty: filed as a room was set up, or before it took two.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="game_filings_approved",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="gamefiling",
            name="rotation",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Id of the profile by which the bank rotates; empty: the rulebook's own.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="historicalgamefiling",
            name="approved_by",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                editable=False,
                help_text="The second person who signed the filing; empty: filed as a room was set up, or before it took two.",
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="historicalgamefiling",
            name="rotation",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Id of the profile by which the bank rotates; empty: the rulebook's own.",
                max_length=40,
            ),
        ),
        migrations.AddConstraint(
            model_name="gamefiling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by__isnull", True),
                    models.Q(
                        models.Q(("status", "draft"), _negated=True),
                        models.Q(("approved_by", models.F("filed_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="a_filed_game_is_approved_by_another",
            ),
        ),
        install_triggers_again(game_triggers),
    ]
