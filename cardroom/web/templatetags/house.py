"""What templates need of the house: dollars, clocks, cards, and the envelope of a form."""

from __future__ import annotations

import datetime
from typing import Any

from django import template
from django.utils import timezone

from cardroom.rooms.models import Room

from ..cards import Face, faces_of
from ..clock import age_of, clock_of, moment_of
from ..envelopes import fresh_key
from ..money import dollars_of

register = template.Library()

register.filter("cards", faces_of)


@register.filter
def dollars(cents: int | None) -> str:
    """Cents with their unit; a dash with its meaning for what is not known."""
    return "not known" if cents is None else dollars_of(cents)


@register.filter
def signed(cents: int) -> str:
    """The same with a plus sign for a gain."""
    return f"+{dollars_of(cents)}" if cents > 0 else dollars_of(cents)


@register.filter
def clock(instant: datetime.datetime, room: Room) -> str:
    """The time of day in the room."""
    return clock_of(room, instant)


@register.filter
def moment(instant: datetime.datetime, room: Room) -> str:
    """Day, time and zone in the room."""
    return moment_of(room, instant)


@register.filter
def age(instant: datetime.datetime | None) -> str:
    """How long ago."""
    return "" if instant is None else age_of(instant, timezone.now())


@register.inclusion_tag("web/parts/hand.html")
def hand(faces: list[Face]) -> dict[str, Any]:
    """Cards, drawn."""
    return {"faces": faces}


@register.inclusion_tag("web/parts/envelope.html", takes_context=True)
def envelope(context: template.Context, version: int, form: str = "") -> dict[str, Any]:
    """The hidden fields of every form: token, version, and a key of its own. `form` is the id it belongs to, if outside."""
    return {"version": version, "key": fresh_key(), "csrf_token": context.get("csrf_token"), "form": form}
