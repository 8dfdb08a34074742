"""Django application configuration."""

from django.apps import AppConfig


class TokesConfig(AppConfig):
    name = "cardroom.tokes"
    label = "tokes"
    default_auto_field = "django.db.models.BigAutoField"
