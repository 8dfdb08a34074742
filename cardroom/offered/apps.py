"""Django application configuration."""

from django.apps import AppConfig


class OfferedConfig(AppConfig):
    name = "cardroom.offered"
    label = "offered"
    default_auto_field = "django.db.models.BigAutoField"
