"""Checks of commands on items: each answers why one may not be worked on so in its present state, or None."""

from __future__ import annotations

from cardroom.floor.errors import WhyNot

from .models import Item

State = Item.State


def why_not_work(item: Item) -> WhyNot | None:
    """Why nothing may be said of an item."""
    if item.is_closed:
        return WhyNot("item_closed", f"Item {item.pk} is closed: reopen it first.")
    return None


def why_not_explain(item: Item) -> WhyNot | None:
    """Why an item is not explained now. An explanation may be said anew until the item is closed."""
    return why_not_work(item)


def why_not_refer(item: Item) -> WhyNot | None:
    """Why an item is not referred now."""
    return why_not_work(item)


def why_not_camera(item: Item) -> WhyNot | None:
    """Why no camera is noted: what is closed is as it was signed."""
    return why_not_work(item)


def why_not_close(item: Item) -> WhyNot | None:
    """Why an item is not closed now."""
    if item.is_closed:
        return WhyNot("item_closed", f"Item {item.pk} is closed already.")
    if item.state != State.EXPLAINED:
        return WhyNot("item_not_explained", "It is closed once it is explained, with another person's PIN.")
    return None


def why_not_reopen(item: Item) -> WhyNot | None:
    """Why an item is not opened again."""
    if item.state == State.OPEN:
        return WhyNot("item_open", f"Item {item.pk} is open.")
    return None
