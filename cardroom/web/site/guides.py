"""Registry of the guides: one page for each kind of work in a room, and which of them explains a page.

The texts are the templates of `templates/web/site/guides/`; their pictures, which `make screenshots` takes, are static files.
"""

from __future__ import annotations

from collections.abc import Collection

from cardroom.people.models import Role

#: Guides by the name in their address, with what the page is called.
GUIDES = {
    "dealer": "Dealer",
    "floor": "Floor supervisor",
    "manager": "Shift manager",
    "count": "Count team",
    "compliance": "Compliance officer",
}

#: Pages that one guide explains, by the name of their address; the sections of the bar name that of their other pages.
_PAGES = {
    **dict.fromkeys(("table", "command", "settlement", "set_aside", "procedures", "display"), "dealer"),
    **dict.fromkeys(("floor", "alerts", "alert_answer"), "floor"),
    **dict.fromkeys(("room", "open_shift", "close_shift"), "manager"),
}

#: The guide of a role, the first that a person holds; somebody with none of these roles reads the dealer's.
_ROLES = {
    Role.SHIFT_MANAGER: "manager",
    Role.FLOOR: "floor",
    Role.DEALER: "dealer",
    Role.COUNT: "count",
    Role.COMPLIANCE: "compliance",
    Role.INSPECTOR: "compliance",
    Role.SURVEILLANCE: "compliance",
    Role.ROOM_MANAGER: "manager",
}


def guide_of(page: str | None, section_guide: str | None, roles: Collection[Role]) -> str:
    """Return the guide that explains a page: its own, else that of its section, else that of the reader's role."""
    if page in _PAGES:
        return _PAGES[page]
    return section_guide or next((guide for role, guide in _ROLES.items() if role in roles), "dealer")
