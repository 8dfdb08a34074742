import django.db.models.deletion
from django.db import migrations, models

from cardroom.reports.append_only import reports_triggers
from fees.triggers import install_triggers_again


class Migration(migrations.Migration):
    dependencies = [
        ("floor", "0013_errands"),
        ("reports", "0002_recomputations"),
        ("rooms", "0005_boxes_at_opening"),
    ]

    operations = [
        migrations.AddField(
            model_name="shiftreport",
            name="changes",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="shiftreport",
            name="content_hash",
            field=models.CharField(default="", max_length=64),
        ),
        migrations.AddField(
            model_name="shiftreport",
            name="restates",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="restatement",
                to="reports.shiftreport",
            ),
        ),
        migrations.AddField(
            model_name="shiftreport",
            name="revision",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="0 as made first; one more a restatement."
            ),
        ),
        migrations.AddField(
            model_name="shiftreport",
            name="sections",
            field=models.JSONField(default=list),
        ),
        migrations.AlterField(
            model_name="shiftreport",
            name="shift",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="floor.shift"
            ),
        ),
        migrations.AddConstraint(
            model_name="shiftreport",
            constraint=models.UniqueConstraint(fields=("shift", "revision"), name="one_report_of_a_revision"),
        ),
        migrations.AddConstraint(
            model_name="shiftreport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("restates__isnull", True), ("revision", 0)),
                    models.Q(("restates__isnull", False), ("revision__gt", 0)),
                    _connector="OR",
                ),
                name="a_restatement_names_what_it_restates",
            ),
        ),
        install_triggers_again(reports_triggers),
    ]
