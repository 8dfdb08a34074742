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
from cardroom.floor.execution import CommandMeta, stored_answers_purge
from cardroom.floor.locks import lock_row, locked
from cardroom.floor.models import JournalEntry, Round, StoredAnswer, Table, Transfer

from .site import Site


def test_the_same_key_again_gives_the_same_answer_and_no_second_effect(open_site: Site) -> None:
    meta = open_site.meta(open_site.dealer, key="once")
    first = round_open(meta, open_site.table.pk, bank_wager_cents=20000)
    entries = JournalEntry.objects.count()
    assert round_open(meta, open_site.table.pk, bank_wager_cents=20000) == first
    assert (Round.objects.count(), JournalEntry.objects.count()) == (1, entries)


def test_the_same_key_with_another_body_is_refused(open_site: Site) -> None:
    meta = open_site.meta(open_site.dealer, key="once")
    round_open(meta, open_site.table.pk, bank_wager_cents=20000)
    with pytest.raises(BadInput) as caught:
        round_open(meta, open_site.table.pk, bank_wager_cents=30000)
    assert (caught.value.code, caught.value.status) == ("key_reused", 422)


def test_a_key_is_its_owners_own(open_site: Site) -> None:
    round_open(open_site.meta(open_site.dealer, key="k"), open_site.table.pk, bank_wager_cents=20000)
    bets: list[dict[str, Any]] = [{"seat": 4, "wagers": {"ante": 1000}}]
    bets_place(open_site.meta(open_site.floor, key="k"), open_site.table.pk, positions=bets)
    assert StoredAnswer.objects.filter(key="k").count() == 2


@pytest.mark.parametrize("key", ["", "x" * 81])
def test_a_command_needs_a_key(open_site: Site, key: str) -> None:
    version = Table.objects.get(pk=open_site.table.pk).version
    with pytest.raises(BadInput) as caught:
        round_open(
            CommandMeta(actor=open_site.dealer, key=key, version=version),
            open_site.table.pk,
            bank_wager_cents=20000,
        )
    assert (caught.value.code, caught.value.status) == ("bad_idempotency_key", 400)


def test_a_failed_command_leaves_its_key_free(open_site: Site) -> None:
    meta = open_site.meta(open_site.dealer, key="again")
    with pytest.raises(BadInput):
        round_open(meta, open_site.table.pk, bank_wager_cents=-1)
    assert round_open(meta, open_site.table.pk, bank_wager_cents=20000)["state"] == "betting"


def test_a_command_on_an_older_state_is_refused_with_the_present_one(open_site: Site) -> None:
    old = Table.objects.get(pk=open_site.table.pk).version
    open_site.bet({4: 1000})
    late = CommandMeta(actor=open_site.dealer, key="late", version=old)
    with pytest.raises(Stale) as caught:
        bets_close(late, open_site.table.pk)
    state = caught.value.extra["state"]
    assert (state["version"], state["round"]["state"]) == (old + 2, "betting")


def test_an_outsider_is_told_nothing_of_the_table_however_stale(open_site: Site) -> None:
    outsider = Site("Other Room").floor
    with pytest.raises(NotFound) as caught:
        round_open(
            CommandMeta(actor=outsider, key="k", version=0), open_site.table.pk, bank_wager_cents=20000
        )
    assert caught.value.extra == {}


def test_there_is_no_table_of_that_number(open_site: Site) -> None:
    with pytest.raises(NotFound):
        round_open(open_site.meta(open_site.dealer), 999_999, bank_wager_cents=20000)


def test_stored_answers_are_kept_for_seven_days(open_site: Site) -> None:
    count = StoredAnswer.objects.count()
    now = timezone.now()
    assert stored_answers_purge(now=now + datetime.timedelta(days=6, hours=23)) == 0
    assert stored_answers_purge(now=now + datetime.timedelta(days=7, minutes=1)) == count > 0


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_lock_outside_a_transaction_is_refused() -> None:
    site = Site()
    with pytest.raises(RuntimeError, match="outside a transaction"):
        lock_row(Table, site.table.pk)


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
    site = Site()
    site.open()
    site.bank_to(3)
    site.bet({4: 1000, 5: 2000})
    version = Table.objects.get(pk=site.table.pk).version
    commands = [
        lambda actor=actor, key=key: bets_close(
            CommandMeta(actor=actor, key=key, version=version), site.table.pk
        )
        for actor, key in ((site.dealer, "tablet 1"), (site.floor, "tablet 2"))
    ]
    outcomes = in_threads(*commands)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Stale", "dict"]
    assert Transfer.objects.filter(kind="fee").count() == 3


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_the_same_command_sent_twice_at_once_has_one_effect() -> None:
    site = Site()
    site.open()
    site.bank_to(3)
    meta = site.meta(site.dealer, key="double tap")
    command = lambda: round_open(meta, site.table.pk, bank_wager_cents=20000)  # noqa: E731  (named for the threads)
    first, second = in_threads(command, command)
    assert first == second
    assert Round.objects.count() == 1


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_two_readers_would_both_go_on() -> None:
    """The negative control: both read the same version, as they would if `locked` did not lock."""
    site = Site()
    site.open()
    site.bank_to(3)
    seen: list[int] = []
    both_have_read = threading.Barrier(2)

    def unlocked() -> None:
        seen.append(Table.objects.get(pk=site.table.pk).version)
        both_have_read.wait(timeout=10)

    in_threads(unlocked, unlocked)
    assert seen[0] == seen[1]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_table_that_stays_locked_is_busy_after_two_seconds() -> None:
    site = Site()
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                lock_row(Table, site.table.pk)
                holding.set()
                done.wait(timeout=20)
        finally:
            connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert holding.wait(timeout=10)
        with pytest.raises(Busy), locked(Table, site.table.pk):
            pass
    finally:
        done.set()
        holder.join(timeout=20)


def test_a_round_keeps_the_clock_in_utc(open_site: Site) -> None:
    with time_machine.travel(datetime.datetime(2099, 11, 21, 9, 30, tzinfo=datetime.UTC), tick=False):
        open_site.bet({4: 1000})
    assert Round.objects.get().opened_at == datetime.datetime(2099, 11, 21, 9, 30, tzinfo=datetime.UTC)
