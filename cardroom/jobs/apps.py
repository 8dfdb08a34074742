"""Django application configuration."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "cardroom.jobs"
    label = "jobs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import task_log

        task_log.connect()
