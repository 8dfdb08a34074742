"""Django application configuration."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_delete, post_migrate, post_save, pre_migrate


class CoreConfig(AppConfig):
    name = "cardroom.core"
    label = "core"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.config.databases import leave_read_only_servers

        from . import row_digests, site_rights, sql_views, triggers, view_dependents

        connection_created.connect(leave_read_only_servers)

        # For each app in turn, once its tables are made.
        post_migrate.connect(triggers.install)
        pre_migrate.connect(site_rights.refuse_migrate)
        pre_migrate.connect(view_dependents.refuse_migrate)
        pre_migrate.connect(sql_views.drop_views)
        post_migrate.connect(sql_views.make_views)
        # Of every model: what a command writes is covered by its journal entry.
        post_save.connect(row_digests.on_save)
        post_delete.connect(row_digests.on_delete)
