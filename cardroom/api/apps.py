"""Django application configuration."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "cardroom.api"
    label = "api"
