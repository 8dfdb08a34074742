"""A database that its owner rewrites whole: facts changed, then every digest, hash, head, report and checkpoint made anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection

from cardroom.config.checkpoint_key import private_key_read
from cardroom.core.row_digests import digests_read
from cardroom.core.triggers import triggers_lifted
from cardroom.floor.journal import Head, chain_name, entry_hash
from cardroom.floor.models import JournalEntry, Table
from cardroom.floor.verification.rows import digested_models
from cardroom.reports.checkpoints.document import signed
from cardroom.reports.models import PeriodReport, ShiftReport, SignedCheckpoint
from cardroom.reports.periods.making import figures_again, period_inputs_hash
from cardroom.reports.sections.registry import sections_read
from cardroom.reports.shift.inputs import inputs_hash, inputs_read
from cardroom.reports.shift.making import figures_of
from cardroom.reports.stored.store import content_hash
from cardroom.rooms.models import Room

_MODELS = {model._meta.db_table: model for model in digested_models()}


def database_rewritten(change: Callable[[JournalEntry], None]) -> None:
    """Let `change` alter each entry and the rows that it names, and make everything that depends on them fit again.

    What is signed is signed anew, with the key of the site: its owner has that too.
    """
    with triggers_lifted(connection):
        entries = list(JournalEntry.objects.order_by("pk"))
        for entry in entries:
            change(entry)
        Rewriter(entries).run()


class Rewriter:
    """Goes through all entries in the order in which they were written, and computes each anew."""

    def __init__(self, entries: list[JournalEntry]) -> None:
        self._entries = entries
        #: The new hash of each entry, by chain and number.
        self._hashes: dict[tuple[str, int], str] = {}
        #: Which entry has the newest digest of a row.
        self._newest = {
            (table, pk): entry.pk for entry in entries for table, rows in entry.rows.items() for pk in rows
        }
        self._made_anew: dict[str, Callable[[dict[str, Any]], None]] = {
            "shift_close": self._shift_close,
            "shift_report": self._shift_report,
            "period_report": self._period_report,
            "checkpoint": self._checkpoint,
        }

    def run(self) -> None:
        last: dict[str, JournalEntry] = {}
        for entry in self._entries:
            if again := self._made_anew.get(entry.command):
                again(entry.data)
            for table, rows in entry.rows.items():
                own = [pk for pk in rows if self._newest[table, pk] == entry.pk and rows[pk]]
                found = {str(pk): digest for pk, digest in digests_read(_MODELS[table], own)}
                rows.update({pk: found[pk] for pk in own if found.get(pk)})
            before = last.get(entry.chain)
            entry.hash = entry_hash(entry, "" if before is None else before.hash)
            JournalEntry.objects.filter(pk=entry.pk).update(data=entry.data, rows=entry.rows, hash=entry.hash)
            self._hashes[entry.chain, entry.seq] = entry.hash
            last[entry.chain] = entry
        for holder in (*Room.objects.all(), *Table.objects.all()):
            if ends := last.get(chain_name(holder)):
                type(holder)._default_manager.filter(pk=holder.pk).update(
                    chain_seq=ends.seq, chain_hash=ends.hash
                )

    def _heads(self, heads: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Heads as they are now."""
        return [{**head, "hash": self._hashes.get((head["chain"], head["seq"]), "")} for head in heads]

    def _shift_close(self, data: dict[str, Any]) -> None:
        for table, head in data["table_heads"].items():
            head[1] = self._hashes.get((f"table:{table}", head[0]), "")

    def _shift_report(self, data: dict[str, Any]) -> None:
        report = ShiftReport.objects.get(pk=data["report"])
        inputs = inputs_read(report.shift)
        report.figures, report.sections = figures_of(report.shift, inputs), sections_read(report.shift)
        self._report(report, data, lambda heads: inputs_hash(inputs, heads))

    def _period_report(self, data: dict[str, Any]) -> None:
        report = PeriodReport.objects.get(pk=data["report"])
        report.figures = figures_again(report)
        self._report(report, data, lambda heads: period_inputs_hash(report.typed_figures, heads))

    def _report(
        self, report: ShiftReport | PeriodReport, data: dict[str, Any], inputs: Callable[[list[Head]], str]
    ) -> None:
        report.heads = self._heads(report.heads)
        report.inputs_hash = inputs(report.chain_heads)
        report.content_hash = content_hash(report)
        report.save(update_fields=["figures", "sections", "heads", "inputs_hash", "content_hash"])
        data |= {"content_hash": report.content_hash, "inputs_hash": report.inputs_hash}

    def _checkpoint(self, data: dict[str, Any]) -> None:
        checkpoint = SignedCheckpoint.objects.get(pk=data["checkpoint"])
        before = SignedCheckpoint.objects.filter(room=checkpoint.room, number=checkpoint.number - 1).first()
        facts = checkpoint.signed.facts
        facts |= {"heads": self._heads(facts["heads"]), "previous": "" if before is None else before.hash}
        for part in facts["reports"]:
            model = ShiftReport if part["command"] == "shift_report" else PeriodReport
            part["content_hash"] = model._default_manager.get(pk=part["report"]).content_hash
        document = signed(facts, private_key_read(settings.CHECKPOINT_KEY_FILE))
        SignedCheckpoint.objects.filter(pk=checkpoint.pk).update(
            document=document.text, hash=document.hash, signature=document.signature
        )
        data |= {"hash": document.hash, "key": facts["key"]}
