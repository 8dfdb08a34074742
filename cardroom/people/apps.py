"""Django application configuration."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "cardroom.people"
    label = "people"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import second_factor, sessions  # noqa: F401  # their receivers of sign-ins
