"""Every attack on every table is named by `verify`, or stands among the exceptions with its reason."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pytest

from cardroom.core.row_digests import policy_of
from cardroom.floor.models import JournalEntry, Table
from cardroom.floor.verification.rows import digested_models
from cardroom.reports.verification.verify import (
    Checked,
    histories_held,
    journal_verify,
    names_held,
    rows_held,
)
from tests.measure.conditions import ran_on, written_by

from .attacks import Attacker, Outcome, journal_reordered
from .exceptions import ALL, EXCEPTIONS, PUT, reason
from .world import checks_off, models_attacked, world

pytestmark = [pytest.mark.outside, pytest.mark.django_db, pytest.mark.postgresql]
#: Where the whole run writes its table (`make attacks`).
WRITES_TO = "ATTACKS_WRITTEN_TO"


def test_an_honest_world_with_a_row_in_every_table_holds() -> None:
    world()
    checked = Checked()
    found = [
        *journal_verify(checked),
        *rows_held(checked),
        *histories_held(checked),
        *names_held(checked),
    ]
    assert (found, checked.breaks) == ([], 0)
    assert [model._meta.label for model in models_attacked() if not model._base_manager.exists()] == []


def test_every_column_of_every_covered_table_is_named_with_its_row() -> None:
    """The quick part: by digests and histories alone, each column in the first row of its table or in the last."""
    world()
    attacker = Attacker()
    outcomes = [
        outcome
        for model in digested_models()
        for outcome in attacker.columns(model, thorough=False)
        if outcome.what not in policy_of(model).columns
    ]
    assert [each for each in outcomes if not each.found_by and reason(each.table, each.what) is None] == []
    assert len(outcomes) > 500


def test_a_table_below_the_floor_says_how_it_is_covered() -> None:
    """Commands write the models of these apps; a model of another one is written by pages, tasks or the administration.

    Give such a model a `digest_policy` (`cardroom.core.row_digests.DigestPolicy`) that says why its rows are not
    digested, and list its table among the exceptions (tests/verify/exceptions.py) if nothing else proves it.
    """
    of_commands = {"floor", "inbox", "obligations", "drop", "tips", "reports", "filings", "webhooks"}
    # Written under a room's lock, with an entry (`cardroom.people.journal.journalled`).
    journalled = {
        "Employment", "Exclusion", "PasswordConsent", "PasswordReset", "Pin", "Player", "PlayerMerge", "PlayerName", "PlayerPhoto", "Program", "ProgramToken",
        "Provider", "ProviderContract", "Room", "Staff", "WorkPermit",
    }  # fmt: skip
    silent = [
        model._meta.label
        for model in digested_models()
        if model._meta.app_label not in of_commands
        and getattr(model, "instance_type", None) is None
        and model.__name__ not in journalled
    ]
    assert silent == []


def test_entries_that_changed_places_are_found() -> None:
    room = world()
    journal_reordered(f"table:{room.table.pk}", 5, 6)
    assert list(journal_verify(Checked()))


def test_a_head_that_was_set_back_with_its_entries_is_found_by_the_rows() -> None:
    """The tail of a chain cut off, and its head set back: the rows that the tail covered have no entry any more."""
    room = world()
    last = JournalEntry.objects.filter(chain=f"table:{room.table.pk}").latest("seq")
    before = JournalEntry.objects.get(chain=last.chain, seq=last.seq - 1)
    with checks_off():
        JournalEntry.objects.filter(pk=last.pk).delete()
        Table.objects.filter(pk=room.table.pk).update(chain_seq=before.seq, chain_hash=before.hash)
        found = list(rows_held(Checked()))
    assert any("floor.Transfer" in what for what in found)


@pytest.mark.slow
def test_every_attack_on_every_table_is_named_or_stands_among_the_exceptions() -> None:
    world()
    attacker = Attacker()
    outcomes: list[Outcome] = []
    for model in models_attacked():
        outcomes += attacker.columns(model)
        outcomes += attacker.rows(model)
    unfound = {(each.table, each.what) for each in outcomes if not each.found_by}
    assert sorted(unfound_without_reason(unfound)) == []
    assert stale(unfound) == []
    if path := os.environ.get(WRITES_TO):
        Path(path).write_text(page(outcomes))


def unfound_without_reason(unfound: set[tuple[str, str]]) -> set[tuple[str, str]]:
    may_be_set_up = {
        model._meta.db_table for model in models_attacked() if policy_of(model).may_predate_journal
    }
    return {
        (table, what)
        for table, what in unfound
        if reason(table, what) is None and not (what == PUT and table in may_be_set_up)
    }


def stale(unfound: set[tuple[str, str]]) -> list[str]:
    """The exceptions that no attack needed."""
    tables = {table for table, _ in unfound}
    return [
        f"{table} {what}"
        for table, known in EXCEPTIONS.items()
        for what in known
        if (what == ALL and table not in tables) or (what != ALL and (table, what) not in unfound)
    ]


def page(outcomes: list[Outcome]) -> str:
    """The outcome as a page: by what each attack was found, and the exceptions."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for each in outcomes:
        kept = found[each.table, each.found_by]
        if each.what not in kept:
            kept.append(each.what)
    count = sum(1 for each in outcomes if each.found_by)
    lines = [
        "# Attacks on the database, and by what they are found",
        "",
        written_by("attacks", "tests/verify/test_attacks.py"),
        "",
        f"- Machine: {ran_on()}.",
        "",
        "Run on both databases. Somebody who owns the database",
        "lifts the triggers, drops checks and unique indexes, and changes one column of the first and of the last row of a",
        "table, takes a row out, puts a copy in, or lets two rows swap what they say: in every table, on a small played world",
        "with a closed and reported shift and two open ones. [verify.md](../verify.md) says what is proved and how.",
        "",
        f"{len(outcomes):,} attacks, {count:,} found, {len(outcomes) - count:,} not: those stand below with their reason.",
        "",
        "## Found",
        "| table | found by | columns and rows |",
        "|---|---|---|",
    ]
    for (table, found_by), what in sorted(found.items()):
        if found_by:
            lines.append(f"| `{table}` | {found_by} | {', '.join(what)} |")
    lines += ["", "## Not found", "| table | columns and rows | why |", "|---|---|---|"]
    for (table, found_by), what in sorted(found.items()):
        if not found_by:
            by_reason: defaultdict[str, list[str]] = defaultdict(list)
            for attacked in what:
                by_reason[reason(table, attacked) or _SET_UP].append(attacked)
            lines += [f"| `{table}` | {', '.join(some)} | {why} |" for why, some in by_reason.items()]
    return "\n".join(lines) + "\n"


_SET_UP = (
    "a room may be set up with such a row, by a file and no command; once a command writes it, it is covered"
)
