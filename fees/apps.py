"""Django application configuration."""

from django.apps import AppConfig


class FeesConfig(AppConfig):
    name = "fees"
    label = "fees"
    verbose_name = "Collection fees"
    default_auto_field = "django.db.models.BigAutoField"
