"""Django application configuration."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "cardroom.webhooks"
    label = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.core.commands import load_commands
        from cardroom.jobs.kinds import register_due_work, register_kinds

        from . import commands
        from .delivery import WEBHOOK_KIND, deliveries_ask

        load_commands(commands)
        register_kinds(WEBHOOK_KIND)
        register_due_work(deliveries_ask)
