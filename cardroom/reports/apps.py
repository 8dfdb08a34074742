"""Django application configuration."""

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "cardroom.reports"
    label = "reports"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.core.acts import load_acts
        from cardroom.core.sql_views import register_views

        from . import acts
        from .sql_views import VIEWS

        load_acts(acts)
        register_views("reports", *VIEWS)
