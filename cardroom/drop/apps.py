"""Django application configuration."""

from django.apps import AppConfig


class DropConfig(AppConfig):
    name = "cardroom.drop"
    label = "drop"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.core.commands import load_commands
        from cardroom.core.sql_views import register_views
        from cardroom.floor.commands.shifts import register_boxes_at_opening
        from cardroom.floor.open_items import register_open_items

        from . import commands
        from .commands.boxes import boxes_at_opening
        from .open_items import boxes_open
        from .sql_views import VIEWS

        load_commands(commands)
        register_boxes_at_opening(boxes_at_opening)
        register_open_items(boxes_open)
        register_views("drop", *VIEWS)
