"""Django application configuration."""

from django.apps import AppConfig


class ObligationsConfig(AppConfig):
    name = "cardroom.obligations"
    label = "obligations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.core.commands import load_commands
        from cardroom.inbox.kinds import register_item_kinds

        from . import commands
        from .items import OVERDUE
        from .known import KNOWN
        from .sources import register_sources

        load_commands(commands)
        register_item_kinds(OVERDUE)
        register_sources(*KNOWN)
