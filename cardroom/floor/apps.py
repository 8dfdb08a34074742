"""Django application configuration."""

from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "cardroom.floor"
    label = "floor"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.core.acts import load_acts
        from cardroom.core.sql_views import register_views
        from cardroom.people.journal import register_journal

        from . import acts
        from .commands import people_journal
        from .sql_views import VIEWS

        load_acts(acts)
        register_journal(people_journal)
        register_views("floor", *VIEWS)
