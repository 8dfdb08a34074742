"""Let the database itself refuse to change or remove the floor's facts."""

from django.db import migrations

from cardroom.floor.append_only import floor_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [("floor", "0002_initial")]
    operations = [install_triggers(floor_triggers)]
