"""Django application configuration."""

from django.apps import AppConfig


class CompanyConfig(AppConfig):
    name = "cardroom.company"
    label = "company"

    def ready(self) -> None:
        from . import checks  # noqa: F401  # registers them
