"""Django application configuration."""

from django.apps import AppConfig


class SimulationConfig(AppConfig):
    name = "cardroom.simulation"
    label = "simulation"
    default_auto_field = "django.db.models.BigAutoField"
