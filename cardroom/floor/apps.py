"""Django application configuration."""

from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "cardroom.floor"
    label = "floor"
    default_auto_field = "django.db.models.BigAutoField"
