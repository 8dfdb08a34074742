"""Filters and tags of the company's page."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from cardroom.company.figures import Figures
from cardroom.reports.summary.key_figures import format_hours
from cardroom.web.templatetags.formatting import dollars_or_pending, thousands

register = template.Library()

register.filter("hours", format_hours)


@register.simple_tag
def figures_row(figures: Figures) -> SafeString:
    """The cells of a row: days, rounds, rounds an hour, drop, jackpot; each with what it is, for a narrow page."""
    cells = (
        ("days", f"{figures.days:,}"),
        ("rounds", thousands(figures.rounds)),
        ("an hour", figures.rounds_an_hour or "–"),
        ("drop expected", dollars_or_pending(figures.drop_cents)),
        ("jackpot", dollars_or_pending(figures.jackpot_cents)),
    )
    return format_html_join("", '<td class="num" data-label="{}">{}</td>', cells)
