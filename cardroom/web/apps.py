"""Django application configuration."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "cardroom.web"
    verbose_name = "Pages"
