"""Which room each account of before belongs to. In a migration of its own: PostgreSQL alters no table with rows just changed."""

from typing import Any

from django.db import migrations


def homes_found(apps: Any, schema_editor: Any) -> None:
    """Give each account its home: the room that employed the person first, else the one whose manager made it.

    An account that nobody employs and that no manager of exactly one room made has none: administrators of the site
    give it one.
    """
    accounts = apps.get_model("people", "Staff").objects
    roles = apps.get_model("people", "Employment").objects
    history = apps.get_model("people", "HistoricalStaff")
    for staff, room in roles.order_by("pk").values_list("staff", "room"):
        accounts.filter(pk=staff, home__isnull=True).update(home=room)
    made = history.objects.filter(history_type="+", history_user__isnull=False).order_by("history_date")
    for staff, maker in made.values_list("id", "history_user"):
        kept = set(roles.filter(staff=maker, role="room_manager").values_list("room", flat=True))
        row = accounts.filter(pk=staff)
        row.filter(added_by__isnull=True).update(added_by=maker)
        if len(kept) == 1:
            row.filter(home__isnull=True, is_superuser=False).update(home=kept.pop())


class Migration(migrations.Migration):
    dependencies = [("people", "0004_homes_of_accounts")]

    operations = [migrations.RunPython(homes_found, migrations.RunPython.noop)]
