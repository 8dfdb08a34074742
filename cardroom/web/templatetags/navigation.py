"""The template tag of the bar that every page begins with."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import RequestContext

from cardroom.floor.reads.reach import rooms_with_roles

from ..access import Permissions
from ..navigation import bar_of

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
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    page = match.url_name if match is not None and match.namespace == "web" else None
    return {"room": permissions.room, "bar": bar_of(permissions, page)}
