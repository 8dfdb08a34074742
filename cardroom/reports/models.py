"""Shift reports as they were made."""

from __future__ import annotations

from typing import cast

from django.db import models

from cardroom.floor.journal import Head

from .figures import Figures


class ShiftReport(models.Model):
    """The report of a closed shift: made once, kept as made. Append-only (database triggers).

    `figures` has the shape of `cardroom.reports.figures.Figures`. `inputs_hash` is the hex SHA-256 of what it
    was made from (see `cardroom.reports.reading.inputs_hash`). `heads` are the heads of the journal's chains
    of the room and all its tables at that moment, a list of `{"chain", "seq", "hash"}`.
    """

    shift = models.OneToOneField("floor.Shift", on_delete=models.PROTECT, related_name="report")
    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT, related_name="shift_reports")
    made_at = models.DateTimeField()
    figures = models.JSONField()
    inputs_hash = models.CharField(max_length=64)
    heads = models.JSONField()

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return f"Report of {self.shift}"

    @property
    def sums(self) -> Figures:
        """The figures, typed."""
        return cast("Figures", self.figures)

    @property
    def chain_heads(self) -> list[Head]:
        """The noted heads, typed."""
        return [Head(chain=head["chain"], seq=head["seq"], hash=head["hash"]) for head in self.heads]
