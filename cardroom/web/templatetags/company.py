"""Filters and tags of the company's page."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from cardroom.company.figures import Figures
from cardroom.web.templatetags.formatting import dollars_or_pending, thousands

register = template.Library()


@register.simple_tag
def figures_row(figures: Figures) -> SafeString:
    """The cells of a row: days, rounds, rounds an hour, drop, jackpot."""
    cell = '<td class="num">{}</td>'
    return format_html(
        cell * 5,
        figures.days,
        thousands(figures.rounds),
        figures.rounds_an_hour or "none",
        dollars_or_pending(figures.drop_cents),
        dollars_or_pending(figures.jackpot_cents),
    )


@register.filter
def hours(seconds: int) -> str:
    """Hours with a tenth, half a tenth up: "48.0"."""
    tenths = (2 * seconds + 360) // 720
    return f"{tenths // 10:,}.{tenths % 10}"
