"""Django application configuration."""

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "cardroom.reports"
    label = "reports"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.core.commands import load_commands
        from cardroom.core.sql_views import register_views
        from cardroom.inbox.kinds import register_item_kinds
        from cardroom.jobs.kinds import register_due_work, register_kinds

        from . import commands
        from .background.background_reports import BACKGROUND_PIECE_KIND, BACKGROUND_REPORT_KIND
        from .checkpoints.deliveries import DELIVERY_KINDS
        from .checkpoints.making import CHECKPOINT_KIND, checkpoints_ask
        from .checkpoints.time_stamps import STAMP_KIND
        from .emails.sending import EMAIL_KIND
        from .exports.making import EXPORT_KIND, exports_ask
        from .items import REPORT_ITEMS
        from .sql_views import VIEWS
        from .tasks import REPORT_KINDS, make_due_reports
        from .verification.runs import VERIFICATION_KINDS

        load_commands(commands)
        register_kinds(*REPORT_KINDS, EMAIL_KIND, BACKGROUND_REPORT_KIND, BACKGROUND_PIECE_KIND)
        register_kinds(CHECKPOINT_KIND, *DELIVERY_KINDS, STAMP_KIND, EXPORT_KIND)
        register_kinds(*VERIFICATION_KINDS)
        register_due_work(make_due_reports)
        register_due_work(checkpoints_ask)  # after the reports: the checkpoint of a shift names its report
        register_due_work(exports_ask)  # after the reports: a day is exported once its own is there
        register_item_kinds(*REPORT_ITEMS)
        register_views("reports", *VIEWS)
