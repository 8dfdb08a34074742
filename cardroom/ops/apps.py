"""Django application configuration."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "cardroom.ops"
    label = "ops"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import checkpoint_check, pooling_check, replica_check, schema_check, site_role  # noqa: F401  # register the checks of a deployment
