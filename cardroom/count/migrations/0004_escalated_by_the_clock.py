import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from cardroom.count.append_only import count_triggers
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("count", "0003_jackpot_boxes"),
        ("rooms", "0007_variance_hours"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="variancenote",
            name="owner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="variancenote",
            constraint=models.CheckConstraint(
                condition=models.Q(("owner__isnull", False), ("status", "escalated"), _connector="OR"),
                name="only_what_was_escalated_has_no_owner",
            ),
        ),
        install_triggers_again(count_triggers),
    ]
