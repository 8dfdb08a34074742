"""Let the database refuse changes to filed fee schedules."""

from django.db import migrations

from fees.append_only import first_fee_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [("fees", "0002_initial")]
    operations = [install_triggers(first_fee_triggers)]
