"""Django application configuration."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "cardroom.demo"
    label = "demo"
    default_auto_field = "django.db.models.BigAutoField"
