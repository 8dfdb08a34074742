"""The Celery application: `celery -A cardroom worker` and `celery -A cardroom beat`.

A message only wakes a worker: the database says which work is due. Tasks take ids and are idempotent, so a message that
is lost or delivered twice does no harm. Its settings are the CELERY_* ones of `cardroom.config.settings`.
"""

from __future__ import annotations

import logging.config
import os
from typing import Any

from celery import Celery, signals
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.config.settings")

app = Celery("cardroom")
# By name: neither importing this package nor naming a task reads the settings.
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Binds a task's id and name to what it logs.
app.steps["worker"].add(DjangoStructLogInitStep)


@signals.setup_logging.connect
def _keep_the_sites_logging(**kwargs: Any) -> None:
    """Keep Django's logging configuration: a receiver of `setup_logging` stops Celery from installing its own."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
