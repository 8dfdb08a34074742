"""Template filters and tags: dollars, clocks, cards, and the hidden fields of a command's form."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from cardroom.core.dates import day_text, moment_text
from cardroom.floor.errors import WhyNot
from cardroom.people.models import Staff
from cardroom.rooms.models import Room
from games.money import dollars
from games.rulebook import Rulebook

from ..parts.cards import Face, faces_of
from ..parts.clock import age_of, clock_of, moment_of, seconds_of
from ..parts.command_headers import KEY, VERSION, fresh_key
from ..parts.languages import format_hand, format_pays, stored, translated
from ..parts.money import typed_of
from ..parts.options import format_rake

if TYPE_CHECKING:  # commands are declared after the tags are loaded
    from ..procedures.reminders import Entry
    from ..table.page import Other

register = template.Library()

register.filter("cards", faces_of)
register.filter("rake_words", format_rake)
register.filter("translated", translated)
register.filter("stored", stored)
register.filter("format_hand", format_hand)
register.filter("format_pays", format_pays)
register.filter("typed", typed_of)


@register.filter("dollars")
def dollars_or_pending(cents: int | None) -> str:
    """Cents with their unit; a dash with its meaning for what is not known."""
    return "pending" if cents is None else dollars(cents)


@register.filter
def thousands(count: int) -> str:
    """A count with its thousands set apart: "110,482"."""
    return f"{count:,}"


@register.filter
def signed(cents: int) -> str:
    """The same with a plus sign for a gain."""
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


@register.filter
def format_chips(chips: dict[str, int]) -> str:
    """Chips by their worth in cents, in words: "40 × $25, 20 × $5"."""
    each = (f"{number:,} × {dollars(int(worth))}" for worth, number in chips.items())
    return ", ".join(part.replace("-", "−").replace(" ", "\N{NO-BREAK SPACE}") for part in each) or "none"


@register.filter
def of(texts: dict[str, str], name: str) -> str:
    """The text of that name; empty where there is none."""
    return texts.get(name, "") if texts else ""


@register.filter
def short_clause(clause: str, rulebook: Rulebook) -> str:
    """A clause without the name of its document; what the room's own document says is marked, as "◆ 7.4, page 6"."""
    own = f"{rulebook.approval.number}:" if rulebook.approval is not None else ""
    if own and clause.startswith(own):
        return f"◆ {clause.removeprefix(own)}"
    return clause.removeprefix(f"{rulebook.id}:")


@register.filter
def clock(instant: datetime.datetime, room: Room) -> str:
    """The time of day in the room."""
    return clock_of(room, instant)


@register.filter
def seconds(instant: datetime.datetime, room: Room) -> str:
    """The time of day in the room, to the second."""
    return seconds_of(room, instant)


@register.filter
def minute(instant: datetime.datetime, room: Room) -> str:
    """Day and time in the room, as pages have them: "Sat Nov 21, 2026, 9:14 PM"."""
    return f"{day_text(instant.astimezone(room.zone).date())}, {clock_of(room, instant)}"


@register.filter
def moment(instant: datetime.datetime, room: Room) -> str:
    """The same to the second and with the zone, where that is evidence: "Sat Nov 21, 2026, 9:14:05 PM PST"."""
    return moment_of(room, instant)


@register.filter
def own_moment(instant: datetime.datetime, staff: Staff) -> str:
    """The same in a person's home room; in UTC for somebody without one."""
    return moment_text(instant, datetime.UTC if staff.home is None else staff.home.zone)


@register.filter
def age(instant: datetime.datetime | None) -> str:
    """How long ago."""
    return "" if instant is None else age_of(instant, timezone.now())


@register.simple_tag
def disabled_reason(why_not: WhyNot | None) -> str:
    """Attributes of a button that may not be pressed now: greyed, and it says why when touched.

    It is not disabled: a disabled button says nothing. Without scripts the press goes through, and the floor refuses it
    with the same words.
    """
    return "" if why_not is None else disabled_because(translated(why_not.message))


@register.simple_tag
def disabled_because(message: str) -> str:
    """The same for a reason that is the page's own."""
    return format_html(' aria-disabled="true" data-why="{}"', message)


@register.inclusion_tag("web/parts/hand.html")
def hand(faces: list[Face], least: int = 0) -> dict[str, Any]:
    """Cards, drawn; those beyond the `least` that such a hand has are marked as drawn to it."""
    return {"faces": faces, "least": least or len(faces)}


@register.simple_tag(takes_context=True)
def command_meta(context: template.Context, version: int, form: str = "") -> str:
    """The hidden fields of every form: token, version, and a key of its own. `form` is the id it belongs to, if outside.

    Drawn for all users at once, a form has neither token nor key: each page puts in its own.
    """
    key = "" if context.get("everybody") else fresh_key()
    fields = (("csrfmiddlewaretoken", context.get("csrf_token", "")), (VERSION, version), (KEY, key))
    of_form = format_html(' form="{}"', form) if form else ""
    return format_html_join(
        "", '<input type="hidden" name="{}" value="{}"{}>', ((name, value, of_form) for name, value in fields)
    )


@register.simple_tag
def not_now(other: Other | Entry) -> str:
    """A command of a menu that may not be given now: its title, and why not."""
    assert other.why_not is not None  # it has no form
    return format_html(
        '<details class="command disabled"{} id="command-{}"><summary>{} <span class="not-now">{}</span></summary>'
        '<p class="why">{}</p></details>',
        mark_safe(" open") if other.open else "",
        other.command.slug,
        translated(other.title),
        _("not now"),
        translated(other.why_not.message),
    )


@register.simple_tag
def options(names: list[str]) -> str:
    """Names to choose from, as a datalist holds them."""
    return format_html_join("", '<option value="{}">', ((name,) for name in names))
