"""Idempotency keys, versions and the lock: what keeps two tablets from doing one thing twice."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from cardroom.floor.commands.rounds import bets_close, bets_place, round_open
from cardroom.floor.errors import BadInput, Busy, FloorError, NotFound, Stale
from cardroom.floor.execution.carry_out import CommandMeta, stored_answers_purge
from cardroom.floor.execution.locks import lock_row, locked
from cardroom.floor.models import JournalEntry, Round, StoredAnswer, Table, Transfer
from tests.cast import Cast


def test_the_same_key_again_gives_the_same_answer_and_no_second_effect(running: Cast) -> None:
    meta = running.meta(key="once")
    first = round_open(meta, running.table.pk, bank_wager_cents=20000)
    entries = JournalEntry.objects.count()
    assert round_open(meta, running.table.pk, bank_wager_cents=20000) == first
    assert (Round.objects.count(), JournalEntry.objects.count()) == (1, entries)


def test_the_same_key_with_another_body_is_refused(running: Cast) -> None:
    meta = running.meta(key="once")
    round_open(meta, running.table.pk, bank_wager_cents=20000)
    with pytest.raises(BadInput) as caught:
        round_open(meta, running.table.pk, bank_wager_cents=30000)
    assert (caught.value.code, caught.value.status) == ("key_reused", 422)


def test_a_key_is_its_owners_own(running: Cast) -> None:
    round_open(running.meta(key="k"), running.table.pk, bank_wager_cents=20000)
    bets: list[dict[str, Any]] = [{"seat": 4, "wagers": {"ante": 1000}}]
    bets_place(running.meta("floor", key="k"), running.table.pk, positions=bets)
    assert StoredAnswer.objects.filter(key="k").count() == 2


@pytest.mark.parametrize("key", ["", "x" * 81])
def test_a_command_needs_a_key(running: Cast, key: str) -> None:
    version = Table.objects.get(pk=running.table.pk).version
    with pytest.raises(BadInput) as caught:
        round_open(
            CommandMeta(actor=running.people["dealer"], key=key, version=version),
            running.table.pk,
            bank_wager_cents=20000,
        )
    assert (caught.value.code, caught.value.status) == ("bad_idempotency_key", 400)


def test_a_failed_command_leaves_its_key_free(running: Cast) -> None:
    meta = running.meta(key="again")
    with pytest.raises(BadInput):
        round_open(meta, running.table.pk, bank_wager_cents=-1)
    assert round_open(meta, running.table.pk, bank_wager_cents=20000)["state"] == "betting"


def test_a_command_on_an_older_state_is_refused_with_the_present_one(running: Cast) -> None:
    old = Table.objects.get(pk=running.table.pk).version
    running.bet({4: 1000})
    late = CommandMeta(actor=running.people["dealer"], key="late", version=old)
    with pytest.raises(Stale) as caught:
        bets_close(late, running.table.pk)
    state = caught.value.extra["state"]
    assert (state["version"], state["round"]["state"]) == (old + 2, "betting")


def test_an_outsider_is_told_nothing_of_the_table_however_stale(running: Cast) -> None:
    outsider = running.people["rival_floor"]
    with pytest.raises(NotFound) as caught:
        round_open(CommandMeta(actor=outsider, key="k", version=0), running.table.pk, bank_wager_cents=20000)
    assert caught.value.extra == {}


def test_there_is_no_table_of_that_number(running: Cast) -> None:
    with pytest.raises(NotFound):
        round_open(running.meta(), 999_999, bank_wager_cents=20000)


def test_stored_answers_are_kept_for_seven_days(running: Cast) -> None:
    count = StoredAnswer.objects.count()
    now = timezone.now()
    assert stored_answers_purge(now=now + datetime.timedelta(days=6, hours=23)) == 0
    assert stored_answers_purge(now=now + datetime.timedelta(days=7, minutes=1)) == count > 0


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_lock_outside_a_transaction_is_refused() -> None:
    cast = Cast()
    with pytest.raises(RuntimeError, match="outside a transaction"):
        lock_row(Table, cast.table.pk)


def in_threads(*commands: Callable[[], Any]) -> list[Any]:
    """Run the commands at once, each with its own connection; return what each returned or raised."""
    outcomes: list[Any] = [None] * len(commands)
    start = threading.Barrier(len(commands))

    def run(place: int, command: Callable[[], Any]) -> None:
        try:
            start.wait()
            outcomes[place] = command()
        except FloorError as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, command)) for place, command in enumerate(commands)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    return outcomes


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_two_tablets_closing_the_same_bets_one_wins() -> None:
    cast = Cast().running()
    cast.bet({4: 1000, 5: 2000})
    version = Table.objects.get(pk=cast.table.pk).version
    commands = [
        lambda actor=actor, key=key: bets_close(
            CommandMeta(actor=actor, key=key, version=version), cast.table.pk
        )
        for actor, key in ((cast.people["dealer"], "tablet 1"), (cast.people["floor"], "tablet 2"))
    ]
    outcomes = in_threads(*commands)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Stale", "dict"]
    assert Transfer.objects.filter(kind="fee").count() == 3


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_the_same_command_sent_twice_at_once_has_one_effect() -> None:
    cast = Cast().running()
    meta = cast.meta(key="double tap")
    command = lambda: round_open(meta, cast.table.pk, bank_wager_cents=20000)  # noqa: E731  (named for the threads)
    first, second = in_threads(command, command)
    assert first == second
    assert Round.objects.count() == 1


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_two_readers_would_both_go_on() -> None:
    """The negative control: both read the same version, as they would if `locked` did not lock."""
    cast = Cast().running()
    seen: list[int] = []
    both_have_read = threading.Barrier(2)

    def unlocked() -> None:
        seen.append(Table.objects.get(pk=cast.table.pk).version)
        both_have_read.wait(timeout=10)

    in_threads(unlocked, unlocked)
    assert seen[0] == seen[1]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_table_that_stays_locked_is_busy_after_two_seconds() -> None:
    cast = Cast()
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                lock_row(Table, cast.table.pk)
                holding.set()
                done.wait(timeout=20)
        finally:
            connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert holding.wait(timeout=10)
        with pytest.raises(Busy), locked(Table, cast.table.pk):
            pass
    finally:
        done.set()
        holder.join(timeout=20)


def test_a_round_keeps_the_clock_in_utc(running: Cast) -> None:
    with time_machine.travel(datetime.datetime(2099, 11, 21, 9, 30, tzinfo=datetime.UTC), tick=False):
        running.bet({4: 1000})
    assert Round.objects.get().opened_at == datetime.datetime(2099, 11, 21, 9, 30, tzinfo=datetime.UTC)
