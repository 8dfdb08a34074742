"""Django application configuration."""

from django.apps import AppConfig


class FilingsConfig(AppConfig):
    name = "cardroom.filings"
    label = "filings"
    default_auto_field = "django.db.models.BigAutoField"
