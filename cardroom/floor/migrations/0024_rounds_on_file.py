"""Let a round name the filed game that it opened on, and tables open and rounds begin on one alone."""

import django.db.models.deletion
from django.db import migrations, models

import cardroom.packed.fields
from cardroom.floor.append_only import filing_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("fees", "0004_approved_by"),
        ("floor", "0023_rounds_in_a_row"),
        ("offered", "0003_rotation_and_approval"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="game",
            field=cardroom.packed.fields.ShortKey(
                blank=True,
                db_index=False,
                help_text="The filed game that it opened on; empty: a round from before filings were asked for, or elsewhere.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rounds",
                to="offered.gamefiling",
            ),
        ),
        migrations.AlterField(
            model_name="historicaltable",
            name="game",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                help_text="The filed game that is played here, which says rulebook, options, rotation and rake; empty: none yet.",
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="offered.gamefiling",
            ),
        ),
        migrations.AlterField(
            model_name="historicaltable",
            name="rotation",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Id of the profile by which the bank rotates here, as filed with the game; empty: the rulebook's.",
                max_length=40,
            ),
        ),
        migrations.AlterField(
            model_name="historicaltable",
            name="schedule",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                help_text="The filed fee schedule in force; empty where the game has a house rake, or none is set yet.",
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="fees.feeschedule",
            ),
        ),
        migrations.AlterField(
            model_name="historicaltable",
            name="wager_limits",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text='Limits by wager in cents, tips too: {"pair_plus": [100, 10000]}; the ante\'s come from the schedule.',
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="game",
            field=models.ForeignKey(
                blank=True,
                help_text="The filed game that is played here, which says rulebook, options, rotation and rake; empty: none yet.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tables",
                to="offered.gamefiling",
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="rotation",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Id of the profile by which the bank rotates here, as filed with the game; empty: the rulebook's.",
                max_length=40,
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="schedule",
            field=models.ForeignKey(
                blank=True,
                help_text="The filed fee schedule in force; empty where the game has a house rake, or none is set yet.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tables",
                to="fees.feeschedule",
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="wager_limits",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text='Limits by wager in cents, tips too: {"pair_plus": [100, 10000]}; the ante\'s come from the schedule.',
            ),
        ),
        install_triggers(filing_triggers),
    ]
