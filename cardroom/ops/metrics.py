"""View of `/metrics`: the site's metrics in the Prometheus text format.

Requests and commands are those of the process that answers. All else is read from the database and the broker, and is the
same from every process. Requires CARDROOM_METRICS_TOKEN as bearer token; without that variable /metrics answers 404.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator

import redis
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from cardroom.core.counters import REGISTRY
from cardroom.floor.models import Round
from cardroom.jobs.readiness import broker, checks_made, heartbeat_ages
from cardroom.reports.stored.selectors import reports_due

logger = logging.getLogger(__name__)


class SystemCollector(Collector):
    """Prometheus collector that queries the database and the broker at each scrape."""

    def collect(self) -> Iterator[Metric]:
        for looked in (_checks, _heartbeats, _queue, _due, _rounds):
            yield from _as_far_as_it_goes(looked)

    def describe(self) -> Iterator[Metric]:
        """Return nothing: registering a collector must not query the database."""
        yield from ()


REGISTRY.register(SystemCollector())


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Serve the metrics to a request with the right bearer token."""
    token = settings.METRICS_TOKEN
    if token is None:
        raise Http404
    brought = request.headers.get("Authorization", "")
    if not secrets.compare_digest(brought.encode(), f"Bearer {token}".encode()):
        return HttpResponse(
            "Bring the token of CARDROOM_METRICS_TOKEN: Authorization: Bearer …\n",
            status=401,
            headers={"WWW-Authenticate": "Bearer"},
            content_type="text/plain; charset=utf-8",
        )
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def _as_far_as_it_goes(look: Callable[[], Metric]) -> Iterator[Metric]:
    """Omit a metric whose source is unreachable: missing is not 0."""
    try:
        yield look()
    except (DatabaseError, redis.RedisError) as fault:
        logger.warning("a metric is missing: %s", fault)


def _checks() -> Metric:
    found = GaugeMetricFamily("cardroom_ready", "1 when a check of /ready/ holds, else 0.", labels=["check"])
    for check in checks_made(timezone.now()):
        found.add_metric([check["name"]], int(check["ok"]))
    return found


def _heartbeats() -> Metric:
    found = GaugeMetricFamily(
        "cardroom_heartbeat_age_seconds", "Seconds since beat and worker last showed life.", labels=["kind"]
    )
    for kind, age in heartbeat_ages(timezone.now()).items():
        found.add_metric([kind], age)
    return found


def _queue() -> Metric:
    with broker() as asked:
        waiting = asked.llen(settings.CELERY_TASK_DEFAULT_QUEUE)
    return GaugeMetricFamily("cardroom_queue_messages", "Messages that no worker has taken yet.", waiting)


def _due() -> Metric:
    return GaugeMetricFamily(
        "cardroom_reports_due", "Closed shifts that have no report yet.", len(reports_due(timezone.now()))
    )


def _rounds() -> Metric:
    found = GaugeMetricFamily(
        "cardroom_rounds_settled", "Rounds settled in the shift that is open, by room.", labels=["room"]
    )
    settled = Round.objects.filter(
        state=Round.State.SETTLED, shift__closed_at__isnull=True, shift__isnull=False
    )
    for room, rounds in settled.values_list("room__code").annotate(rounds=Count("pk")).order_by("room__code"):
        found.add_metric([room], rounds)
    return found
