"""Django application configuration."""

from django.apps import AppConfig


class CopiesConfig(AppConfig):
    name = "cardroom.copies"
    label = "copies"
    default_auto_field = "django.db.models.BigAutoField"
