"""Django application configuration."""

from django.apps import AppConfig


class CountConfig(AppConfig):
    name = "cardroom.count"
    label = "count"
    default_auto_field = "django.db.models.BigAutoField"
