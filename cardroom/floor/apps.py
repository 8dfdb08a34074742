"""Django application configuration."""

from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "cardroom.floor"
    label = "floor"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.db.models.signals import post_save

        from cardroom.core.commands import load_commands
        from cardroom.core.sql_views import register_views
        from cardroom.people.journal import register_journal
        from cardroom.people.models import Player

        from . import commands
        from .commands.watch import player_saved
        from .execution.carry_out import people_journal
        from .sql_views import VIEWS

        load_commands(commands)
        post_save.connect(player_saved, sender=Player, dispatch_uid="watch_inactive_players")
        register_journal(people_journal)
        register_views("floor", *VIEWS)
