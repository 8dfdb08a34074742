"""Two tablets at once, in two threads on two connections: one of them wins, and the other is refused."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction

from cardroom.floor.models import Round, StoredAnswer, Transfer
from tests.cast import Cast, running_cast

from .client import Caller, Hand, Reply

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def betting(transactional_db: None) -> Cast:
    """Table 7 with a round that takes bets, on record for every connection."""
    cast = running_cast()
    hand = Hand(Caller(cast, "dealer"))
    hand.open()
    hand.bet({4: 1000})
    return cast


def at_once(*calls: Any) -> list[Reply]:
    """Make calls in threads of their own that start together."""
    start = threading.Barrier(len(calls))

    def run(call: Any) -> Reply:
        try:
            start.wait(timeout=10)
            reply: Reply = call()
            return reply
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_two_tablets_close_the_same_bets_and_one_of_them_does(betting: Cast) -> None:
    path = f"tables/{betting.table.pk}/rounds/current/close-bets"
    callers = [Caller(betting, who) for who in ("dealer", "floor")]
    version = callers[0].version(path)
    replies = at_once(*(lambda caller=caller: caller.post(path, {}, version=version) for caller in callers))
    assert sorted(reply.status for reply in replies) == [200, 412]
    (stale,) = [reply for reply in replies if reply.status == 412]
    assert stale.said["state"]["round"]["state"] == "bets_closed"
    assert Transfer.objects.filter(kind="fee").count() == 2
    betting.table.refresh_from_db()
    assert betting.table.version == version + 1


def test_a_command_sent_twice_at_once_happens_once_and_is_answered_alike(betting: Cast) -> None:
    path = f"tables/{betting.table.pk}/rounds/current/close-bets"
    version = Caller(betting, "dealer").version(path)
    callers = [Caller(betting, "dealer") for _ in range(2)]
    replies = at_once(
        *(lambda caller=caller: caller.post(path, {}, version=version, key="twice") for caller in callers)
    )
    assert [reply.status for reply in replies] == [200, 200]
    assert replies[0].said == replies[1].said
    assert StoredAnswer.objects.filter(key="twice").count() == 1
    assert Transfer.objects.filter(kind="fee").count() == 2


def test_a_table_that_somebody_keeps_locked_is_busy_and_says_when_to_try_again(betting: Cast) -> None:
    """The lock is held longer than anybody waits for it."""
    dealer = Caller(betting, "dealer")  # signing in writes, which SQLite would refuse while the lock is held
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                type(betting.table).objects.select_for_update().get(pk=betting.table.pk)
                held.set()
                done.wait(timeout=30)
        finally:
            connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert held.wait(timeout=10)
        busy = dealer.post(f"tables/{betting.table.pk}/rounds/current/close-bets", {})
    finally:
        done.set()
        holder.join()
    assert (busy.status, busy.code) == (409, "busy")
    assert busy.headers["Retry-After"] == "1"
    assert Round.objects.get().state == "betting"
