"""Django application configuration."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "cardroom.ops"
    label = "ops"
    default_auto_field = "django.db.models.BigAutoField"
