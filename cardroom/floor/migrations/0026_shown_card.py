"""The card that the bank shows before the players decide is a fact of the round."""

from django.conf import settings
from django.db import migrations, models

from cardroom.floor.append_only import filing_triggers, floor_triggers
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("fees", "0001_squashed"),
        ("floor", "0025_without_drop_box"),
        ("people", "0003_support_staff"),
        ("rooms", "0009_shown_card"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="shown_card",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The bank's card that lay face up before the players decided, as in Kh; empty: not recorded.",
                max_length=2,
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("shown_card", ""),
                    (
                        "shown_card__in",
                        [
                            "2c",
                            "2d",
                            "2h",
                            "2s",
                            "3c",
                            "3d",
                            "3h",
                            "3s",
                            "4c",
                            "4d",
                            "4h",
                            "4s",
                            "5c",
                            "5d",
                            "5h",
                            "5s",
                            "6c",
                            "6d",
                            "6h",
                            "6s",
                            "7c",
                            "7d",
                            "7h",
                            "7s",
                            "8c",
                            "8d",
                            "8h",
                            "8s",
                            "9c",
                            "9d",
                            "9h",
                            "9s",
                            "Ac",
                            "Ad",
                            "Ah",
                            "As",
                            "Jc",
                            "Jd",
                            "Jh",
                            "Js",
                            "Kc",
                            "Kd",
                            "Kh",
                            "Ks",
                            "Qc",
                            "Qd",
                            "Qh",
                            "Qs",
                            "Tc",
                            "Td",
                            "Th",
                            "Ts",
                        ],
                    ),
                    _connector="OR",
                ),
                name="the_shown_card_is_a_card",
            ),
        ),
        # SQLite has made the table anew, and its triggers went with the old one.
        install_triggers_again(floor_triggers),
        install_triggers_again(filing_triggers),
    ]
