"""Digests of what a round recorded: the journal keeps them where it would else repeat the documents.

The command that ends a round notes SHA-256 of the canonical JSON (sorted keys, no blanks, UTF-8) of each document in the
round's row. A round that has ended never changes, and a correction is a round of its own, so each row, corrected or not,
is proved by one entry (`round_documents_verify`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from cardroom.core.canonical import canonical_hash

from .models import JournalEntry, Round

#: The documents of a round's row; those that are empty have no digest.
DOCUMENTS = ("bets", "fees", "sheet", "settlement")
#: The commands that end a round, each with an entry that names it.
ENDS = ("round_settle", "round_finish", "round_void", "round_correct")
_SUFFIX = "_sha256"
#: So many entries are held against their rounds together.
_AT_ONCE = 500


def document_digests(round_: Round) -> dict[str, str]:
    """Return the digest of each document of a round: `{"sheet_sha256": …, "settlement_sha256": …}`."""
    return _digests({name: getattr(round_, name) for name in DOCUMENTS})


def _digests(row: Mapping[str, Any]) -> dict[str, str]:
    return {f"{name}{_SUFFIX}": canonical_hash(row[name]) for name in DOCUMENTS if row[name]}


def round_documents_verify(on_progress: Callable[[int], None] = lambda _: None) -> Iterator[str]:
    """Yield every round that has ended and whose documents are not what the journal says, or that it says nothing of.

    Asked inside one snapshot of the database. The chain itself is proved elsewhere (`cardroom.floor.journal`).
    """
    journaled: set[int] = set()
    entries = (
        JournalEntry.objects.filter(command__in=ENDS).order_by("pk").values_list("data", flat=True).iterator()
    )
    while some := list(islice(entries, _AT_ONCE)):
        journaled.update(data["round"] for data in some)
        yield from _breaks(some)
        on_progress(len(journaled))
    ended = Round.objects.filter(ended_at__isnull=False).order_by("pk").values_list("pk", flat=True)
    for pk in ended.iterator():
        if pk not in journaled:
            yield f"{_named(pk)}: it has ended, and the journal has no entry about that"


def _breaks(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    asked_for = Round.objects.filter(pk__in=[data["round"] for data in entries])
    rounds = {row["pk"]: row for row in asked_for.values("pk", *DOCUMENTS)}
    for data in entries:
        yield from _differing(rounds.get(data["round"]), data["round"], data)


def _differing(row: Mapping[str, Any] | None, pk: int, journaled: dict[str, Any]) -> Iterator[str]:
    if row is None:
        yield f"round {pk}: stands in the journal, but there is none"
        return
    now = _digests(row)
    for name in DOCUMENTS:
        if now.get(f"{name}{_SUFFIX}") != journaled.get(f"{name}{_SUFFIX}"):
            yield f"{_named(pk)}: what stands as its {name} is not what the journal says"


def _named(pk: int) -> str:
    return f"{Round.objects.select_related('table').get(pk=pk)} (round {pk})"
