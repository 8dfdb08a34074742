"""Django application configuration."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "cardroom.ops"
    label = "ops"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import site_role  # noqa: F401  # registers the check of a deployment
