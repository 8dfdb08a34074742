"""Model `JournalEntry`: every command, in one append-only hash chain a table (and one a room for commands at no table)."""

from __future__ import annotations

from django.db import models

from cardroom.core.row_digests import DigestPolicy
from cardroom.core.triggers import append_only


class JournalEntry(models.Model):
    """One command. `hash` covers all other columns and the hash before it (see `cardroom.floor.journal`). Append-only."""

    digest_policy = DigestPolicy(not_digested="the chain itself, which its own hashes prove")

    guards = append_only()

    # Entries are found by their chain: no index of a table, a room or a person would be asked for.
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, db_index=False, related_name="journal")
    table = models.ForeignKey(
        "floor.Table", on_delete=models.PROTECT, db_index=False, null=True, blank=True, related_name="journal",
        help_text="Empty in the chain of the room itself.",
    )  # fmt: skip
    chain = models.CharField(max_length=40, help_text="room:N or table:N.")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    actor = models.ForeignKey("people.Staff", on_delete=models.PROTECT, db_index=False, related_name="+")
    actor_name = models.CharField(max_length=80)
    roles = models.CharField(max_length=120, help_text="Roles the actor held in the room at that moment.")
    command = models.CharField(max_length=40)
    data = models.JSONField(
        default=dict, help_text="What was done, with before and after where something changed."
    )
    reason = models.CharField(max_length=200, blank=True)
    rows = models.JSONField(
        default=dict, blank=True,
        help_text="Digests of the rows that the command wrote, by table and id; docs/verify.md says how they are computed.",
    )  # fmt: skip
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["chain", "seq"]
        verbose_name_plural = "journal entries"
        constraints = [
            models.UniqueConstraint(fields=["chain", "seq"], name="one_entry_at_a_place_of_a_chain")
        ]
        indexes = [
            # The last entries of a command, and those around an instant: a chain has years of entries.
            models.Index(fields=["chain", "command", "seq"], name="entries_of_a_command"),
            models.Index(fields=["chain", "at"], name="entries_of_a_time"),
        ]

    def __str__(self) -> str:
        return f"{self.chain} #{self.seq} {self.command}"
