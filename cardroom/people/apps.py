"""Django application configuration."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "cardroom.people"
    label = "people"
    default_auto_field = "django.db.models.BigAutoField"
