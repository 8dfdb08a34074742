"""The Celery application: `celery -A cardroom worker` and `celery -A cardroom beat`.

A message is only a doorbell. The database says what is due, tasks take ids and may run twice, so that a message that
is lost or delivered again does no harm. Its settings are the CELERY_* ones of `cardroom.config.settings`.
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
def _keep_the_house_logging(**kwargs: Any) -> None:
    """Log as the site does; a receiver of this signal keeps Celery from setting up its own."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
