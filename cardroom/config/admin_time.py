"""Middleware: activates the time zone of the user's rooms on admin pages, for times shown and times typed."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from cardroom.people.rights import rooms_of
from cardroom.rooms.models import Room


class AdminTimeMiddleware:
    """Middleware: answer pages of the admin, known by their URL's namespace, in the time zone of the user's rooms.

    `cardroom.config.formats` writes each instant with the abbreviation of its zone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with timezone.override(
            timezone.get_default_timezone()
        ):  # ends the time zone that `process_view` activated
            return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> None:
        match = request.resolver_match
        if match is not None and match.namespaces[:1] == ["admin"]:
            timezone.activate(admin_zone(request))


def admin_zone(request: HttpRequest) -> zoneinfo.ZoneInfo:
    """Return the time zone of the rooms that employ the user (all rooms if none does); UTC if they differ."""
    zones: set[str] = set()
    if request.user.is_authenticated:
        zones = {room.time_zone for room in rooms_of(request.user)}
        zones = zones or set(Room.objects.order_by().values_list("time_zone", flat=True).distinct())
    return zoneinfo.ZoneInfo(zones.pop() if len(zones) == 1 else "UTC")
