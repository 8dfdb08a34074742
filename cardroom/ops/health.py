"""Health-check views for load balancers and monitoring, without sign-in: liveness (it answers) and readiness (it can work)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardroom.config.version import VERSION
from cardroom.jobs.readiness import checks_made


@require_safe
@never_cache
def health(request: HttpRequest) -> HttpResponse:
    """Answer 200: the process is alive, regardless of its dependencies. For the supervisor that restarts it."""
    return JsonResponse({"ok": True, "version": VERSION})


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 when the site can do its work, else 503, with each check. For proxies and monitoring."""
    checks = checks_made(timezone.now())
    ok = all(check["ok"] for check in checks)
    return JsonResponse({"ok": ok, "checks": checks}, status=200 if ok else 503)
