from django.db import migrations, models

from cardroom.floor.append_only import floor_triggers
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [("floor", "0010_collections")]

    operations = [
        migrations.AddField(
            model_name="historicaltable",
            name="rake_cents",
            field=models.BigIntegerField(
                blank=True, help_text="What each of them pays a round, in cents.", null=True
            ),
        ),
        migrations.AddField(
            model_name="historicaltable",
            name="rake_mode",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Who pays the house rake, where the rules know one and no schedule is in force; empty: nobody.",
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="rake_cents",
            field=models.BigIntegerField(
                default=0, help_text="House rake taken as the round was settled; dead hands paid none."
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="rake_cents",
            field=models.BigIntegerField(
                blank=True, help_text="What each of them pays a round, in cents.", null=True
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="rake_mode",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Who pays the house rake, where the rules know one and no schedule is in force; empty: nobody.",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="fees",
            field=models.JSONField(
                default=list,
                help_text="The quote fixed when bets closed, as in the round sheet, or the house rake as it was taken.",
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="kind",
            field=models.CharField(
                choices=[
                    ("fee", "collection fee"),
                    ("fee_refund", "fee given back"),
                    ("take", "wager taken"),
                    ("pay", "wager paid"),
                    ("toke", "tip won"),
                    ("time", "time collection"),
                    ("jackpot", "jackpot collection"),
                    ("jackpot_refund", "jackpot collection given back"),
                    ("rake", "house rake"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("rake_cents", 0),
                    models.Q(("rake_cents__gt", 0), ("schedule__isnull", True), ("state", "settled")),
                    _connector="OR",
                ),
                name="rake_of_a_settled_round_without_fees",
            ),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(("schedule__isnull", True), ("rake_mode", ""), _connector="OR"),
                name="fees_or_rake_never_both",
                violation_error_message="A table collects fees by a schedule or takes a house rake, never both.",
            ),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("rake_cents__isnull", True), ("rake_mode", "")),
                    models.Q(
                        models.Q(("rake_mode", ""), _negated=True),
                        ("rake_cents__gt", 0),
                        ("rake_cents__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="a_rake_has_its_form_and_amount",
                violation_error_message="A house rake has a form and an amount above 0.",
            ),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(("rake_mode", ""), ("recording", "cards"), _connector="OR"),
                name="a_rake_is_taken_by_the_cards",
                violation_error_message="Dead hands pay no rake: a table that takes one records cards.",
            ),
        ),
        install_triggers_again(floor_triggers),
    ]
