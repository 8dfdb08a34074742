"""Django application configuration."""

from django.apps import AppConfig


class TipsConfig(AppConfig):
    name = "cardroom.tips"
    label = "tips"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.core.commands import load_commands
        from cardroom.core.sql_views import register_views
        from cardroom.floor.open_items import register_open_items

        from . import commands
        from .open_items import tips_open
        from .sql_views import VIEWS

        load_commands(commands)

        register_open_items(tips_open)
        register_views("tips", *VIEWS)
