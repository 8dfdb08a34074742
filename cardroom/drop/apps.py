"""Django application configuration."""

from django.apps import AppConfig


class DropConfig(AppConfig):
    name = "cardroom.drop"
    label = "drop"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.core.commands import load_commands
        from cardroom.core.sql_views import register_views
        from cardroom.inbox.kinds import register_item_kinds

        from . import commands
        from .items import VARIANCE
        from .sql_views import VIEWS

        load_commands(commands)
        register_views("drop", *VIEWS)
        register_item_kinds(VARIANCE)
