"""Django application configuration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class RoomsConfig(AppConfig):
    name = "cardroom.rooms"
    label = "rooms"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .zone_offsets import zone_offsets_renew

        post_migrate.connect(zone_offsets_renew, sender=self)
