"""Filters and tags of the company's page."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from cardroom.company.figures import Figures
from cardroom.reports.summary.key_figures import format_hours
from cardroom.web.templatetags.formatting import dollars_or_pending, thousands

register = template.Library()

register.filter("hours", format_hours)


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
