"""Precondition check: whether an alert may be acknowledged."""

from __future__ import annotations

from games.phrases import Phrase

from ..errors import WhyNot
from ..models import Alert


def why_not_acknowledge(alert: Alert) -> WhyNot | None:
    """An alert is answered once; who did it first is who has seen it."""
    if alert.acknowledged_at is not None:
        return WhyNot(
            "answered_before",
            Phrase(
                "{acknowledged_by} has answered this alert already.", acknowledged_by=alert.acknowledged_by
            ),
        )
    return None
