"""Model `StoredAnswer` (idempotency): the answer to a command, kept so that a repeated one gets it instead of a second effect."""

from __future__ import annotations

from django.db import models

from cardroom.core.row_digests import DigestPolicy


class StoredAnswer(models.Model):
    """The answer to a command, under the idempotency key that came with it. Kept for seven days."""

    digest_policy = DigestPolicy(not_digested="kept seven days for a repeat of a command, and no fact")

    room = models.ForeignKey("rooms.Room", on_delete=models.CASCADE, related_name="+")
    actor = models.ForeignKey("people.Staff", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=80)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of the command and its body.")
    answer = models.JSONField()
    made_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["actor", "key"], name="one_answer_a_key")]

    def __str__(self) -> str:
        return f"{self.actor_id}:{self.key}"
