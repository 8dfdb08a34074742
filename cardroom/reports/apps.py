"""Django application configuration."""

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "cardroom.reports"
    label = "reports"
    default_auto_field = "django.db.models.BigAutoField"
