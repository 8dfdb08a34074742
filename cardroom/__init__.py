"""The site: what a cardroom's staff run their tables with."""

from cardroom.config.celery import app as celery_app

__all__ = ["celery_app"]
