"""Amounts of money as text for people."""

from __future__ import annotations


def money(cents: int) -> str:
    """Return dollars with their unit: "$1,240", "$7.50", "−$10"; cents only when there are any."""
    whole, part = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}${whole:,}" + (f".{part:02}" if part else "")
