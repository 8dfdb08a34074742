"""Template tag of the navigation bar that every page begins with."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import RequestContext
from django.utils import timezone

from cardroom.floor.reads.access import rooms_with_roles
from cardroom.floor.reads.past_day import past_day_text, shift_past_day

from ..parts.access import Permissions
from ..parts.navigation import bar_of, home_page_of

register = template.Library()


@register.inclusion_tag("web/parts/navigation.html", takes_context=True)
def navigation(context: RequestContext) -> dict[str, Any]:
    """The room's name, its sections and a guide; on a page of no room those of the only room that a person works in.

    Reads the page's `permissions`, and nothing before somebody has signed in.
    """
    permissions = context.get("permissions")
    user = context.get("user")
    if permissions is None and user is not None and user.is_authenticated:
        rooms = rooms_with_roles(user)
        if len(rooms) == 1:
            permissions = Permissions(user, rooms[0][0], frozenset(rooms[0][1]))
    if permissions is None:
        return {"room": None, "bar": None}
    return {"room": permissions.room, "bar": bar_of(permissions, _page(context), counts=True)}


@register.inclusion_tag("web/parts/past_day.html", takes_context=True)
def past_day(context: RequestContext) -> dict[str, Any]:
    """What home pages say of a shift that is open past its gaming day: the one of a room, and the list of rooms."""
    page, permissions, now = _page(context), context.get("permissions"), timezone.now()
    rooms = []
    if page == "home":
        rooms = [each.room for each, _ in context.get("rooms") or ()]
    elif permissions is not None and home_page_of(permissions) == f"web:{page}":
        rooms = [permissions.room]
    shifts = [shift for room in rooms if (shift := shift_past_day(room, now)) is not None]
    return {"overdue": [past_day_text(shift, now) for shift in shifts]}


def _page(context: RequestContext) -> str | None:
    """The name of the address of the page that is drawn; None for one of a package."""
    match = getattr(context.get("request"), "resolver_match", None)
    return match.url_name if match is not None and match.namespace == "web" else None
