"""Models of webhooks: what is sent where, and the tries that were made."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import CORRECTED_BY_NEW_FACTS, Guard, changed

_WEBHOOK = ("id", "room_id", "program_id", "url", "kinds", "made_at", "made_by_id", "approved_by_id")


class Webhook(models.Model):
    """An address that is told of new entries of the journal, for a program that reads them (`cardroom.webhooks.delivery`).

    Address and kinds never change. Its secret is encrypted by the site's key, for a signature takes it as it is; one that was given
    another keeps the one before until `before_until`, and signs with both.
    """

    digest_policy = DigestPolicy(
        columns={"position": "how far deliveries have come, which moves on with each"}
    )
    guards = (
        Guard(
            "UPDATE",
            "a webhook never changes; it is given another secret, and is ended once",
            when=lambda vendor: f"OLD.ended_at IS NOT NULL OR {changed(*_WEBHOOK, vendor=vendor)}",
        ),
        Guard("DELETE", CORRECTED_BY_NEW_FACTS),
    )

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="webhooks")
    program = models.ForeignKey("people.Program", on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=500)
    kinds = models.JSONField(
        default=list, help_text="Kinds of entries, as the journal names them; empty: all."
    )
    position = models.TextField(help_text="Position in the feed to which deliveries were handed out.")
    secret = models.CharField(max_length=300, help_text="Encrypted by the site's key.")
    secret_before = models.CharField(max_length=300, blank=True)
    before_until = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.Staff", on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+",
        help_text="Empty where nobody else could sign yet.",
    )  # fmt: skip
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        "people.Staff", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["program", "url"],
                condition=Q(ended_at__isnull=True),
                name="one_webhook_of_a_program_to_an_address",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__gte=F("made_at"), ended_by__isnull=False),
                name="a_webhook_is_ended_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(secret_before="", before_until__isnull=True)
                | (~Q(secret_before="") & Q(before_until__isnull=False)),
                name="a_webhooks_secret_before_holds_until",
            ),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.program}"


class WebhookTry(models.Model):
    """One try to deliver, as it went: kept for thirty days."""

    digest_policy = DigestPolicy(not_digested="a log of tries, which is cleared after thirty days")

    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="tries")
    job = models.ForeignKey("jobs.Job", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField(help_text="How long it took.")
    status = models.PositiveSmallIntegerField(null=True, help_text="Empty where nothing was answered.")
    error = models.CharField(max_length=300, blank=True, help_text="Why it was no delivery; empty for one.")

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["at"], name="webhook_tries_by_time")]

    def __str__(self) -> str:
        return f"{self.webhook} at {self.at:%Y-%m-%d}: {self.status or 'no answer'}"
