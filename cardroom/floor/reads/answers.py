"""Queries on stored answers: whether a command under an idempotency key has been carried out already."""

from __future__ import annotations

from typing import Any

from cardroom.people.models import Staff

from ..models import StoredAnswer


def was_answered(actor: Staff, key: str) -> bool:
    """Tell whether `actor` gave a command under `key` that was carried out: the same form, posted twice."""
    return StoredAnswer.objects.filter(actor=actor, key=key).exists()


def answer_given(actor: Staff, key: str) -> dict[str, Any] | None:
    """Return what the command that `actor` gave under `key` was answered with; None where none was carried out."""
    return StoredAnswer.objects.filter(actor=actor, key=key).values_list("answer", flat=True).first()
