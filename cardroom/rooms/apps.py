"""Django application configuration."""

from django.apps import AppConfig


class RoomsConfig(AppConfig):
    name = "cardroom.rooms"
    label = "rooms"
    default_auto_field = "django.db.models.BigAutoField"
