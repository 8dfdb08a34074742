"""Let the database itself refuse to change or remove what was counted."""

from django.db import migrations

from cardroom.count.append_only import count_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [("count", "0001_initial")]
    operations = [install_triggers(count_triggers)]
