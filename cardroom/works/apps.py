"""Django application configuration."""

from django.apps import AppConfig


class WorksConfig(AppConfig):
    name = "cardroom.works"
    label = "works"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import task_log

        task_log.connect()
