"""Let the database refuse changes to filed games."""

from django.db import migrations

from cardroom.offered.append_only import first_game_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [("offered", "0001_initial")]
    operations = [install_triggers(first_game_triggers)]
