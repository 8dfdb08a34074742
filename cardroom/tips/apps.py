"""Django application configuration."""

from django.apps import AppConfig


class TipsConfig(AppConfig):
    name = "cardroom.tips"
    label = "tips"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.floor.open_items import register_open_items

        from .open_items import tips_open

        register_open_items(tips_open)
