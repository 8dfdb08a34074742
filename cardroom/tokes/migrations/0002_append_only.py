"""Let the database itself refuse to change or remove what stands about tips."""

from django.db import migrations

from cardroom.tokes.append_only import toke_triggers
from fees.triggers import install_triggers


class Migration(migrations.Migration):
    dependencies = [("tokes", "0001_initial")]
    operations = [install_triggers(toke_triggers)]
