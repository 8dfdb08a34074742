"""Keep who signed a filing beside the person who filed it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from fees.append_only import fee_triggers
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("fees", "0001_squashed"),
        ("rooms", "0008_jurisdiction"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="feeschedule",
            name="approved_by",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                help_text="The second person who signed the filing; empty: filed as a room was set up, or before it took two.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="fee_schedules_approved",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="historicalfeeschedule",
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
        migrations.AddConstraint(
            model_name="feeschedule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by__isnull", True),
                    models.Q(
                        models.Q(("status", "draft"), _negated=True),
                        models.Q(("approved_by", models.F("filed_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="a_filed_fee_schedule_is_approved_by_another",
            ),
        ),
        install_triggers_again(fee_triggers),
    ]
