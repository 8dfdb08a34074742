"""Django application configuration."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "cardroom.jobs"
    label = "jobs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import notify_worker, task_log

        notify_worker.wake_when_ready()
        task_log.connect()
