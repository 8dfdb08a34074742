"""Django application configuration."""

from django.apps import AppConfig


class InboxConfig(AppConfig):
    name = "cardroom.inbox"
    label = "inbox"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.core.commands import load_commands
        from cardroom.floor.names_needed import register_names_needed
        from cardroom.jobs.kinds import register_due_work

        from . import commands
        from .disputes import DISPUTE, why_named
        from .floor_kinds import FLOOR_KINDS
        from .kinds import register_item_kinds
        from .search import items_search

        load_commands(commands)
        register_item_kinds(*FLOOR_KINDS, DISPUTE)
        register_due_work(items_search)
        register_names_needed(why_named)
